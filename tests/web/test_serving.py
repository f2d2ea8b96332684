"""The page's files as they are served: each with its type, to anybody who comes by the right name, and nothing else."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

import remanence.interfaces
from tests.interfaces.serve.conftest import Server, started

WEB = Path(remanence.interfaces.__file__).parent / "web"
FILES = sorted(path.relative_to(WEB).as_posix() for path in WEB.rglob("*") if path.is_file())
PATHS = ["/" if name == "index.html" else f"/page/{name}" for name in FILES]
MADE = ["/page/calls.js"]
"""Written by the server itself."""
MOST_BYTES = 1_500_000
TYPES = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
    ".json": "application/json",
}
FORBIDDEN = ("'unsafe-inline'", "'unsafe-eval'", "data:", "blob:", "http:", "https:", "*")
OUTSIDE = (
    "/page/../page.py",
    "/page/../../pyproject.toml",
    "/page/%2e%2e/serve/page.py",
    "/page/%2e%2e%2fserve%2fpage.py",
    "/page/..%2fserve%2fpage.py",
    "/page/..%5cserve%5cpage.py",
    "/page/%252e%252e/serve/page.py",
    "/page/....//serve/page.py",
    "/page/./../serve/page.py",
    "/page//etc/passwd",
    "/page/%2fetc%2fpasswd",
    "/page/file:///etc/passwd",
    "/page/page.css/",
    "/page/page.css%00",
    "/page/page.css%00.js",
    "/page/PAGE.CSS",
    "/page/index.html/../page.css",
    "/page/.",
    "/page/..",
    "/page/",
    "/page",
    "/page/nothing.js",
    "/page/__init__.py",
    "/page/con",
    "/page/" + "a" * 5_000,
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server on an empty store: the files are the same."""
    running = started(tmp_path_factory.mktemp("files"), "--no-upkeep")
    yield running
    assert running.stop() == 0
    assert running.process.stdout is not None
    running.process.stdout.close()


@pytest.fixture(scope="module")
def anybody(server: Server) -> Iterator[httpx.Client]:
    with server.client(token="") as client:
        yield client


def raw(server: Server, path: str, *headers: str) -> tuple[int, bytes]:
    """The path exactly as it is written: a client would tidy it up before it is sent."""
    lines = [f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{server.port}", *headers, "Connection: close", "", ""]
    with socket.create_connection(("127.0.0.1", server.port), 30) as connection:
        connection.sendall("\r\n".join(lines).encode())
        answer = connection.makefile("rb").read()
    return int(answer.split(b" ", 2)[1]), answer.partition(b"\r\n\r\n")[2]


def test_there_are_files() -> None:
    assert "index.html" in FILES and len(FILES) > 1
    assert {Path(name).suffix for name in FILES} <= set(TYPES)


@pytest.mark.parametrize("path", [*PATHS, *MADE])
def test_a_file_is_served_with_its_type_and_no_token(anybody: httpx.Client, path: str) -> None:
    answer = anybody.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"].partition(";")[0] == TYPES[Path(path).suffix or ".html"]
    if answer.headers["content-type"].startswith("text/"):
        assert "charset=utf-8" in answer.headers["content-type"].lower()
    name = "index.html" if path == "/" else path.removeprefix("/page/")
    if path not in MADE:
        assert answer.content == (WEB / name).read_bytes()


@pytest.mark.parametrize("path", [*PATHS, *MADE])
def test_a_file_comes_with_the_headers_that_protect_it(anybody: httpx.Client, path: str) -> None:
    headers = anybody.get(path).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "access-control-allow-origin" not in headers
    assert "set-cookie" not in headers
    policy = {one.split()[0]: one.split()[1:] for one in headers["content-security-policy"].split(";") if one.strip()}
    assert policy["script-src"] == ["'self'"]
    assert policy["style-src"] == ["'self'"]
    assert policy["require-trusted-types-for"] == ["'script'"]
    assert policy["base-uri"] == policy["frame-ancestors"] == ["'none'"]
    assert [value for values in policy.values() for value in values if value in FORBIDDEN] == []


@pytest.mark.parametrize("path", [*PATHS, *MADE])
def test_a_file_is_asked_for_again_and_not_sent_again(anybody: httpx.Client, path: str) -> None:
    first = anybody.get(path)
    tag = first.headers["etag"]
    assert "no-cache" in first.headers["cache-control"], "a page is never made of files of two releases"
    again = anybody.get(path, headers={"if-none-match": tag})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    assert again.headers["content-security-policy"] == first.headers["content-security-policy"]
    other = anybody.get(path, headers={"if-none-match": '"another"'})
    assert (other.status_code, other.content) == (200, first.content)


@pytest.mark.parametrize("path", [*PATHS, *MADE])
def test_head_tells_what_get_would(anybody: httpx.Client, path: str) -> None:
    head, get = anybody.head(path), anybody.get(path)
    assert (head.status_code, head.content) == (200, b"")
    same = ("content-type", "etag", "content-security-policy", "content-length")
    assert {name: head.headers.get(name) for name in same} == {name: get.headers.get(name) for name in same}


@pytest.mark.parametrize("path", [*PATHS, *MADE])
def test_the_gate_holds(anybody: httpx.Client, server: Server, path: str) -> None:
    for host in ("evil.example", f"evil.example:{server.port}", f"127.0.0.1.evil.example:{server.port}"):
        assert anybody.get(path, headers={"host": host}).status_code == 421, host
    for origin in ("null", "http://evil.example", f"http://localhost:{server.port}", "http://127.0.0.1"):
        assert anybody.get(path, headers={"origin": origin}).status_code == 403, origin
    assert anybody.get(path, headers={"origin": server.url}).status_code == 200
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        assert anybody.request(method, path).status_code == 405, method


@pytest.mark.parametrize("path", OUTSIDE)
def test_nothing_outside_is_served(server: Server, path: str) -> None:
    """To nobody, and to the owner neither."""
    for headers in ((), (f"Authorization: Bearer {server.token}",)):
        status, body = raw(server, path, *headers)
        # Without a token a path that is none tells no more than a path that wants one.
        assert status in ((404, 400) if headers else (404, 401, 400))
        assert all(word not in body for word in (b"import annotations", b"[project]", b"root:"))


def test_the_page_is_small(anybody: httpx.Client) -> None:
    sizes = {path: len(anybody.get(path).content) for path in [*PATHS, *MADE]}
    assert sum(sizes.values()) <= MOST_BYTES, sizes


def test_files_name_no_other_server_and_hold_no_inline_code() -> None:
    """What the policy would refuse in a browser is not there to begin with."""
    text = (WEB / "index.html").read_text("utf-8")
    assert "<style" not in text and " style=" not in text and "javascript:" not in text
    for script in text.split("<script")[1:]:
        attributes, _, rest = script.partition(">")
        assert 'src="/page/' in attributes and rest.lstrip().startswith("</script>"), attributes
    for name in FILES:
        if Path(name).suffix not in (".js", ".css", ".html"):
            continue
        source = (WEB / name).read_text("utf-8")
        for word in (
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "eval(",
            "new Function",
            "@import",
        ):
            assert word not in source, f"{name} uses {word}"
        assert "//cdn" not in source and "fonts.g" not in source, name
