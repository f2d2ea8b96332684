"""deploy/nginx.conf in front of a server, where nginx is installed: what passes, at once, and what is refused."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from remanence.settings import Settings
from tests.architecture.sources import ROOT
from tests.interfaces.serve.conftest import Server, certificate, ended, started

pytestmark = pytest.mark.skipif(shutil.which("nginx") is None, reason="nginx is not installed")
NAME = "memory.example.org"
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}
AROUND = """
worker_processes 1; daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log;
events {{ worker_connections 64; }}
http {{
    access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
    include {folder}/site.conf;
}}
"""


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def configured(folder: Path, server: Server, plain: int, secure: int) -> Path:
    """The file as it stands, with ports, certificate and server of this test in the place of its own."""
    text = (ROOT / "deploy" / "nginx.conf").read_text("utf-8")
    cert, key = folder / "cert.pem", folder / "key.pem"
    certificate(cert, key)
    where = f"/etc/letsencrypt/live/{NAME}"
    for old, new in (
        ("listen 80;", f"listen 127.0.0.1:{plain};"),
        ("listen [::]:80;", ""),
        ("listen 443 ssl", f"listen 127.0.0.1:{secure} ssl"),
        ("listen [::]:443 ssl http2;", ""),
        (f"{where}/fullchain.pem", str(cert)),
        (f"{where}/privkey.pem", str(key)),
        (f"http://127.0.0.1:{Settings().serve__port}", server.url),
    ):
        assert old in text, old
        text = text.replace(old, new)
    (folder / "site.conf").write_text(text)
    (folder / "nginx.conf").write_text(AROUND.format(folder=folder))
    return folder / "nginx.conf"


@pytest.fixture(scope="module")
def fronted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, int, int]]:
    """A server that was told of a proxy, and the two ports of the proxy."""
    folder = tmp_path_factory.mktemp("proxied")
    server = started(folder / "home", "--behind-proxy", "--allow-host", NAME, "--allow-origin", f"https://{NAME}")
    plain, secure = free_port(), free_port()
    file = configured(folder, server, plain, secure)
    checked = subprocess.run(["nginx", "-t", "-c", str(file)], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr
    proxy = subprocess.Popen(["nginx", "-c", str(file)], stderr=subprocess.DEVNULL)
    try:
        yield server, plain, secure
    finally:
        proxy.terminate()
        proxy.wait(30)
        ended(server)


def client(fronted: tuple[Server, int, int], *, secret: str | None = None, **headers: str) -> httpx.Client:
    server, _, port = fronted
    given = {"Authorization": f"Bearer {server.token if secret is None else secret}", "Host": NAME, **headers}
    transport = httpx.HTTPTransport(retries=5, verify=False)
    return httpx.Client(base_url=f"https://127.0.0.1:{port}", headers=given, timeout=30, transport=transport)


def test_the_page_and_rest_pass_through_it(fronted: tuple[Server, int, int]) -> None:
    with client(fronted) as api:
        page = api.get("/")
        assert page.status_code == 200 and "<!doctype html>" in page.text.lower()
        assert "max-age" in page.headers["strict-transport-security"]
        assert api.get("/v1/count").status_code == 200
        assert api.get("/metrics").status_code == 404
    with client(fronted, secret="none") as stranger:
        assert stranger.get("/v1/count").status_code == 401


def test_what_is_sent_in_the_clear_is_led_away(fronted: tuple[Server, int, int]) -> None:
    answer = httpx.get(f"http://127.0.0.1:{fronted[1]}/v1/count", headers={"Host": NAME}, trust_env=False)
    assert (answer.status_code, answer.headers["location"]) == (301, f"https://{NAME}/v1/count")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example.com"}, 421),
        ({"Origin": "https://evil.example.com"}, 403),
        ({"Origin": f"https://{NAME}"}, 200),
    ],
)
def test_other_names_and_other_sites_are_refused(
    fronted: tuple[Server, int, int], headers: dict[str, str], status: int
) -> None:
    with client(fronted, **headers) as api:
        assert api.get("/v1/count").status_code == status


def test_an_event_is_not_held_back(fronted: tuple[Server, int, int]) -> None:
    with client(fronted) as api, client(fronted) as writer, api.stream("GET", "/v1/events") as events:
        assert events.headers["content-type"].startswith("text/event-stream")
        began = time.monotonic()
        assert writer.post("/v1/memories", json={"text": "The proxy lets events through"}).status_code < 300
        assert any(line.startswith("data:") for line in events.iter_lines())
        assert time.monotonic() - began < 10


def test_mcp_passes_through_it(fronted: tuple[Server, int, int]) -> None:
    with client(fronted, Accept="application/json, text/event-stream") as api:
        answer = api.post("/mcp", json=HELLO)
        assert answer.status_code == 200 and '"serverInfo"' in answer.text
