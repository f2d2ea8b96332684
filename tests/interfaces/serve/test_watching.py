"""What a server tells of itself: metrics, logs and spans, and nothing of memories, queries and tokens."""

from __future__ import annotations

import asyncio
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest

from remanence.interfaces.serve.app import create_app
from remanence.interfaces.tokens import Tokens
from remanence.settings import Settings
from tests.interfaces.serve.conftest import Server
from tests.interfaces.serve.routes import NOBODY

SECRET = "xylophone"


def test_no_text_query_or_token_is_in_logs_metrics_or_problems(start: Any) -> None:
    server: Server = start()
    wrong = "rem_00000000_" + "W" * 43
    problems = []
    with server.client() as client:
        made = client.post(
            "/v1/memories", json={"text": f"the {SECRET} is in the cellar", "metadata": {"k": SECRET}}
        ).json()
        client.post("/v1/recall", json={"query": f"where is the {SECRET}"})
        client.post("/v1/context", json={"query": f"where is the {SECRET}"})
        client.post("/v1/extract", json={"text": f"The {SECRET} is old."})
        client.get("/v1/entities/show", params={"name": SECRET})
        for body in (
            {"text": SECRET, "colour": 1},
            {"text": SECRET, "importance": 7},
            {"text": SECRET, "ttl": "1x"},
            {"text": f"{SECRET}\0"},
            {"text": SECRET, "lineage": ["x"]},
        ):
            problems.append(client.post("/v1/memories", json=body))
        problems.append(
            client.post(
                "/v1/memories", content=f'{{"text": "{SECRET}" '.encode(), headers={"Content-Type": "application/json"}
            )
        )
        problems.append(client.post("/v1/recall", json={"query": SECRET, "limit": 0}))
        problems.append(
            client.post(
                "/v1/recall", json={"query": f"{SECRET}\ud800".encode("utf-8", "replace").decode(), "colour": 1}
            )
        )
        problems.append(client.post(f"/v1/memories/{NOBODY}/why_not", json={"query": SECRET}))
        problems.append(client.patch(f"/v1/memories/{NOBODY}", json={"text": SECRET}))
        client.get(f"/v1/{SECRET}")
        client.get("/v1/memories", params={"scope": f"/{SECRET}"})
        problems.append(client.get("/v1/count", headers={"Authorization": f"Bearer {wrong}"}))
        metrics = client.get("/metrics").text
        assert made["outcome"] == "added"
    assert {told.status_code for told in problems} <= {400, 401, 404, 422}
    for told in problems:
        assert SECRET not in told.text
        assert "Traceback" not in told.text
    assert SECRET not in metrics
    server.stop()
    log = server.log.read_text()
    for said in (SECRET, server.token, wrong, server.token.split("_", 2)[2]):
        assert said not in log


def test_metrics_count_by_route_and_never_by_what_was_asked(api: httpx.Client) -> None:
    api.get(f"/v1/memories/{NOBODY}")
    for path in ("/v1/made-up-1", "/v1/made-up-2", "/made-up-3"):
        api.get(path)
    api.request("BREW", "/v1/stats")
    told = api.get("/metrics").text
    assert 'remanence_requests_total{method="GET",route="/v1/memories/{id}",status="404"}' in told
    assert "made-up" not in told
    assert "BREW" not in told
    assert NOBODY not in told
    assert "remanence_requests_running 1.0" in told
    assert "remanence_request_seconds_bucket" in told
    assert "remanence_namespaces_open" in told


def test_the_log_is_one_json_object_a_line_with_the_id_of_each_request(start: Any) -> None:
    server: Server = start()
    with server.client() as client:
        told = client.post("/v1/recall", json={"query": "x"})
        refused = client.get("/v1/count", headers={"Authorization": "Bearer nothing"})
    server.stop()
    lines = [json.loads(line) for line in server.log.read_text().splitlines()]
    assert all({"at", "level", "logger", "event"} <= line.keys() for line in lines)
    logged = {line["request_id"]: line for line in lines if line["event"] == "request"}
    mine = logged[told.headers["x-request-id"]]
    assert (mine["method"], mine["route"], mine["status"]) == ("POST", "/v1/recall", 200)
    assert mine["token"] == server.token.split("_")[1]
    assert mine["milliseconds"] > 0
    assert logged[refused.headers["x-request-id"]]["status"] == 401


def test_a_request_is_a_span_without_its_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    from remanence.interfaces.serve import app

    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    wanted: list[bool] = []

    def tracer(on: bool) -> Any:
        wanted.append(on)
        return provider.get_tracer("remanence") if on else None

    monkeypatch.setattr(app, "tracer", tracer)
    location = tmp_path / "memory.db"
    secret, _ = Tokens(location).create("test")

    async def ask() -> None:
        settings = Settings(embedder__name="none", upkeep__on_open=False, serve__tracing=True)
        served = create_app(location, settings)
        transport = httpx.ASGITransport(app=served.app)
        headers = {"Authorization": f"Bearer {secret}"}
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1", headers=headers) as client:
            told = await client.post("/v1/memories", json={"text": f"the {SECRET} again"})
            assert told.status_code == 201
            assert (await client.get(f"/v1/memories/{told.json()['memory']['id']}")).status_code == 200
        served.answering.close()
        served.minds.close()

    asyncio.run(ask())
    assert wanted == [True]
    spans = exporter.get_finished_spans()
    assert [span.name for span in spans] == ["POST /v1/memories", "GET /v1/memories/{id}"]
    assert [dict(span.attributes or {}) for span in spans] == [
        {"http.route": "/v1/memories", "http.response.status_code": 201},
        {"http.route": "/v1/memories/{id}", "http.response.status_code": 200},
    ]
    assert SECRET not in "".join(span.to_json() for span in spans)


def test_spans_go_to_where_the_usual_variable_says(start: Any) -> None:
    received: list[tuple[str, bytes]] = []

    class Collector(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            received.append((self.path, self.rfile.read(int(self.headers["content-length"]))))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    collector = ThreadingHTTPServer(("127.0.0.1", 0), Collector)
    threading.Thread(target=collector.serve_forever, daemon=True).start()
    env = {
        "REMANENCE_SERVE__TRACING": "true",
        "OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{collector.server_port}",
        "OTEL_EXPORTER_OTLP_COMPRESSION": "none",
    }
    server: Server = start(**env)
    with server.client() as client:
        assert client.post("/v1/memories", json={"text": f"the {SECRET} again"}).status_code == 201
    assert server.stop() == 0  # what is left is sent at the end
    collector.shutdown()
    sent = b"".join(body for path, body in received if path == "/v1/traces")
    assert b"POST /v1/memories" in sent and b"remanence" in sent
    assert SECRET.encode() not in sent


def test_no_tracer_is_made_where_none_is_wanted() -> None:
    from remanence.interfaces.serve.watching import tracer

    assert tracer(False) is None
    assert tracer(True) is not None
