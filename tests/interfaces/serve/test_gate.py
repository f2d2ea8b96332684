"""S9: hosts and origins on every route, tokens, and nothing for a page of another site."""

from __future__ import annotations

import socket
import statistics
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest

from remanence.interfaces.tokens import Tokens
from tests.interfaces.serve.conftest import Server
from tests.interfaces.serve.routes import CLOSED, NOBODY, OPEN, ROUTES

pytestmark = pytest.mark.promise("S9")

FOREIGN_HOSTS = (
    "evil.example",
    "evil.example:{port}",
    "127.0.0.1.evil.example:{port}",
    "localhost.evil.example",
    "127.0.0.1@evil.example",
    "evil.example@127.0.0.1",
    "127.0.0.1:{port}.evil.example",
    "127.0.0.1:{port}/",
    "127.0.0.1:{port}#",
    "0.0.0.0:{port}",
    "127.1",
    "[::ffff:127.0.0.1]",
    "",
)
FOREIGN_ORIGINS = (
    "null",
    "http://evil.example",
    "https://evil.example",
    "http://127.0.0.1.evil.example",
    "http://127.0.0.1:{port}.evil.example",
    "http://localhost:{port}.evil.example",
    "http://evil.example:{port}",
    "http://127.0.0.1:1",
    "http://127.0.0.1",
    "http://localhost:{port}",
    "http://user@127.0.0.1:{port}",
    "http://127.0.0.1:{port}@evil.example",
    "http://127.0.0.1:{port}/path",
    "http://127.0.0.1:{port}?x",
    "http://127.0.0.1:{port}#x",
    "http://127.0.0.1:{port} http://evil.example",
    "ftp://127.0.0.1:{port}",
    "file://",
    "chrome-extension://abcdefghijklmnop",
    "http://[::1]:{port}",
    "",
)


def raw(server: Server, method: str, path: str, *headers: str, body: str = "") -> tuple[int, dict[str, str], bytes]:
    """One request exactly as it is written here; the answer's status, headers and what there is of its body."""
    lines = [f"{method} {path} HTTP/1.1", *headers, f"Content-Length: {len(body)}", "Connection: close", "", body]
    with socket.create_connection(("127.0.0.1", server.port), 30) as connection:
        connection.sendall("\r\n".join(lines).encode())
        file = connection.makefile("rb")
        status = int(file.readline().split()[1])
        found: dict[str, str] = {}
        while line := file.readline().strip():
            name, _, value = line.decode("latin-1").partition(":")
            found[name.lower()] = value.strip()
        length = int(found.get("content-length", "0"))
        return status, found, file.read(length)


@pytest.fixture(scope="module")
def raw_api(server: Server) -> Iterator[httpx.Client]:
    with server.client() as client:
        yield client


def test_a_foreign_host_is_turned_away_on_every_route(server: Server, raw_api: httpx.Client) -> None:
    wrong = []
    for method, path in ROUTES:
        for host in FOREIGN_HOSTS[:3]:
            told = raw_api.request(method, path, headers={"Host": host.format(port=server.port)})
            if told.status_code != 421 or "access-control-allow-origin" in told.headers:
                wrong.append((method, path, host, told.status_code))
    assert wrong == []


@pytest.mark.parametrize("host", FOREIGN_HOSTS)
def test_no_trick_with_the_host_gets_in(server: Server, host: str) -> None:
    given = host.format(port=server.port)
    for path in ("/", "/healthz", "/v1/stats", "/mcp"):
        status, headers, _ = raw(server, "GET", path, f"Host: {given}", f"Authorization: Bearer {server.token}")
        assert status in (400, 421), path
        assert "access-control-allow-origin" not in headers


def test_two_hosts_or_none_are_refused(server: Server) -> None:
    own = f"Host: 127.0.0.1:{server.port}"
    assert raw(server, "GET", "/healthz", own)[0] == 200
    assert raw(server, "GET", "/healthz", own, "Host: evil.example")[0] in (400, 421)
    assert raw(server, "GET", "/healthz", "Host: evil.example", own)[0] in (400, 421)
    assert raw(server, "GET", "/healthz")[0] in (400, 421)
    assert raw(server, "GET", "http://evil.example/healthz", own)[0] != 200


def test_a_foreign_origin_is_turned_away_on_every_route(server: Server, raw_api: httpx.Client) -> None:
    wrong = []
    for method, path in ROUTES:
        for origin in ("http://evil.example", "null", f"http://localhost:{server.port}.evil.example"):
            told = raw_api.request(method, path, headers={"Origin": origin})
            if told.status_code != 403 or "access-control-allow-origin" in told.headers:
                wrong.append((method, path, origin, told.status_code))
    assert wrong == []


@pytest.mark.parametrize("origin", FOREIGN_ORIGINS)
def test_no_trick_with_the_origin_gets_in(server: Server, origin: str) -> None:
    given = origin.format(port=server.port)
    own = f"Host: 127.0.0.1:{server.port}"
    for method, path in (("GET", "/"), ("GET", "/healthz"), ("POST", "/v1/memories"), ("POST", "/mcp")):
        told = raw(server, method, path, own, f"Origin: {given}", f"Authorization: Bearer {server.token}")
        assert told[0] == 403, path


def test_two_origins_are_refused_though_one_is_ours(server: Server) -> None:
    host = f"127.0.0.1:{server.port}"
    ours, foreign = f"Origin: http://{host}", "Origin: http://evil.example"
    assert raw(server, "GET", "/healthz", f"Host: {host}", ours)[0] == 200
    assert raw(server, "GET", "/healthz", f"Host: {host}", ours, foreign)[0] == 403
    assert raw(server, "GET", "/healthz", f"Host: {host}", foreign, ours)[0] == 403


def test_our_own_hosts_and_origins_get_in_everywhere(server: Server, raw_api: httpx.Client) -> None:
    wrong = []
    for method, path in ROUTES:
        if path == "/v1/events":
            continue  # it answers for as long as anybody listens
        for host in (f"127.0.0.1:{server.port}", f"localhost:{server.port}", f"LOCALHOST:{server.port}"):
            headers = {"Host": host, "Origin": f"http://{host}"}
            told = raw_api.request(method, path, headers=headers)
            if told.status_code in (401, 403, 421) or told.status_code >= 500:
                wrong.append((method, path, host, told.status_code))
            if any(name.startswith("access-control") for name in told.headers):
                wrong.append((method, path, "cors", told.status_code))
    assert wrong == []


def test_a_preflight_gets_nothing(server: Server, raw_api: httpx.Client) -> None:
    for method, path in ROUTES:
        asked = {"Access-Control-Request-Method": method, "Access-Control-Request-Headers": "authorization"}
        foreign = raw_api.options(path, headers={"Origin": "http://evil.example", **asked})
        own = raw_api.options(path, headers={"Origin": f"http://127.0.0.1:{server.port}", **asked})
        assert (foreign.status_code, own.status_code) == (403, 405), path
        assert not [name for name in (*foreign.headers, *own.headers) if name.startswith("access-control")]


def test_a_form_of_another_site_is_refused(server: Server, raw_api: httpx.Client) -> None:
    """What a page can send without asking first: a form, as text/plain, with no Origin of an old browser."""
    before = raw_api.get("/v1/count").json()
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
        body = b'{"text": "planted by a form"}'
        for headers in (
            {"Origin": "http://evil.example"},
            {"Origin": "null"},
            {"Sec-Fetch-Site": "cross-site"},
            {},
        ):
            told = raw_api.post("/v1/memories", content=body, headers={"Content-Type": kind, **headers})
            assert told.status_code == (403 if headers else 415)
        with server.client("") as nobody:
            assert nobody.post("/v1/memories", content=body, headers={"Content-Type": kind}).status_code == 401
    assert raw_api.get("/v1/count").json() == before


def test_every_answer_has_the_headers_that_keep_a_browser_careful(server: Server, raw_api: httpx.Client) -> None:
    paths = ("/", "/page.css", "/healthz", "/v1/stats", "/v1/nothing", f"/v1/memories/{NOBODY}")
    for told in [raw_api.get(path) for path in paths] + [httpx.get(server.url + "/v1/stats", trust_env=False)]:
        assert told.headers["x-content-type-options"] == "nosniff"
        assert told.headers["x-frame-options"] == "DENY"
        assert "script-src 'self'" in told.headers["content-security-policy"]
        assert "unsafe-inline" not in told.headers["content-security-policy"]
        assert told.headers["x-request-id"]
        assert "server" not in told.headers


def test_what_needs_no_token_tells_nothing_of_anybody(server: Server, raw_api: httpx.Client) -> None:
    raw_api.post("/v1/memories", json={"text": "the treasure lies under the old oak"})
    with server.client("") as nobody:
        for method, path in OPEN:
            told = nobody.request(method, path)
            assert told.status_code == 200
            assert b"oak" not in told.content
            assert server.token.encode() not in told.content


def _problem(told: httpx.Response) -> tuple[object, ...]:
    body = told.json()
    assert body.pop("instance").startswith("urn:request:")
    kept = {name: value for name, value in told.headers.items() if name not in ("x-request-id", "date")}
    return told.status_code, body, kept


def test_no_wrong_expired_and_revoked_tokens_are_told_apart_by_nothing(server: Server) -> None:
    later = Tokens(server.db, lambda: datetime.now(UTC) - timedelta(days=2))
    expired = later.create("expired", expires_in="1d")[0]
    revoked = server.token_for("revoked")
    Tokens(server.db).revoke(revoked)
    id = server.token.split("_")[1]
    secrets = {
        "none": None,
        "empty": "Bearer",
        "basic": "Basic dXNlcjpwYXNz",
        "bare": server.token,
        "unknown id": "Bearer rem_00000000_" + "A" * 43,
        "wrong secret": f"Bearer rem_{id}_" + "A" * 43,
        "cut": f"Bearer {server.token[:-1]}",
        "longer": f"Bearer {server.token}x",
        "very long": "Bearer " + "rem_" * 1000,
        "expired": f"Bearer {expired}",
        "revoked": f"Bearer {revoked}",
    }
    told = {}
    with server.client("") as nobody:
        for name, value in secrets.items():
            given = {} if value is None else {"Authorization": value}
            told[name] = _problem(nobody.get("/v1/stats", headers=given))
        assert {answer[0] for answer in told.values()} == {401}
        assert len({repr(answer) for answer in told.values()}) == 1
        twice = [("Authorization", f"Bearer {server.token}"), ("Authorization", f"Bearer {server.token}")]
        assert nobody.get("/v1/stats", headers=twice).status_code == 401


def test_every_closed_route_wants_a_token_before_anything_else(server: Server) -> None:
    wrong = []
    with server.client("") as nobody:
        for method, path in CLOSED:
            while (told := nobody.request(method, path, content=b"{")).status_code == 429:
                time.sleep(float(told.headers["retry-after"]))
            if told.status_code != 401 or told.headers["www-authenticate"] != 'Bearer realm="remanence"':
                wrong.append((method, path, told.status_code))
        while (told := nobody.get("/v1/no/such/path")).status_code == 429:
            time.sleep(float(told.headers["retry-after"]))
        assert told.status_code == 401
    assert wrong == []


def test_checking_a_wrong_token_takes_as_long_whatever_is_wrong_with_it(tmp_path: Path) -> None:
    tokens = Tokens(tmp_path / "memory.db")
    good, _ = tokens.create("good")
    kinds = {
        "none": "",
        "unknown id": "rem_00000000_" + "A" * 43,
        "wrong secret": good[:-1] + ("A" if good[-1] != "A" else "B"),
        "wrong from the start": good[:13] + "_" * 43,
    }
    taken: dict[str, list[int]] = {name: [] for name in kinds}
    for _ in range(1500):
        for name, secret in kinds.items():
            began = time.perf_counter_ns()
            assert tokens.check(secret) is None
            taken[name].append(time.perf_counter_ns() - began)
    medians = {name: statistics.median(values) for name, values in taken.items()}
    assert max(medians.values()) < 2 * min(medians.values()), medians


def test_a_path_that_only_looks_open_is_not(server: Server) -> None:
    looks = ("/healthz/", "//healthz", "/healthz%3F/../v1/stats", "/v1/openapi.json/", "/%2e/v1/stats", "/./healthz")
    for path in (*looks, "/healthz/../v1/stats", "/v1/stats", "/V1/stats", "/v1/openapi.json%2F..%2Fstats"):
        assert raw(server, "GET", path, f"Host: 127.0.0.1:{server.port}")[0] in (401, 429), path


def test_the_gate_passes_no_websocket(server: Server) -> None:
    key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
    for path in ("/", "/v1/events", "/mcp"):
        upgrade = ("Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", key)
        status, _, _ = raw(server, "GET", path, f"Host: 127.0.0.1:{server.port}", *upgrade)
        assert status != 101
