"""The page at `/` and its files below `/page/`. They tell nothing of anybody, so they want no token.

Read once, when the server starts. A browser keeps them and asks each time whether they are still the same, so that a
page is never made of files of two releases.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Awaitable, Callable, Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable

from starlette.requests import Request
from starlette.responses import Response

import remanence
from remanence.interfaces.calls import CALLS

Endpoint = Callable[[Request], Awaitable[Response]]
BELOW = "/page/"
_KINDS = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}


def paths() -> dict[str, dict[str, Endpoint]]:
    """The page and its files, by path and method."""
    found = {BELOW + name: _file(content, name) for name, content in _written().items()}
    found["/"] = found.pop(BELOW + "index.html")
    return {path: {"GET": endpoint, "HEAD": endpoint} for path, endpoint in found.items()}


def _written() -> dict[str, bytes]:
    """Every file by its path below the folder; the table of calls is one of them."""
    found = dict(_below(files("remanence.interfaces") / "web", ""))
    found["calls.js"] = _calls().encode()
    return found


def _below(folder: Traversable, stem: str) -> Iterator[tuple[str, bytes]]:
    for item in folder.iterdir():
        if item.is_dir():
            yield from _below(item, f"{stem}{item.name}/")
        elif item.name.rpartition(".")[2] in _KINDS:
            yield stem + item.name, item.read_bytes()


def _calls() -> str:
    """Where each call is asked for, as a module: the page knows no paths of its own."""
    table = {name: [call.method, call.path] for name, call in sorted(CALLS.items())}
    told = json.dumps(table, indent=1)
    return f"export const VERSION = {json.dumps(remanence.__version__)};\nexport const CALLS = {told};\n"


def _file(content: bytes, name: str) -> Endpoint:
    tag = f'"{hashlib.sha256(content).hexdigest()[:20]}"'
    headers = {"cache-control": "no-cache", "etag": tag}
    kind = _KINDS[name.rpartition(".")[2]]

    async def endpoint(request: Request) -> Response:
        if tag in (request.headers.get("if-none-match") or ""):
            return Response(None, 304, headers)
        return Response(content, 200, headers, kind)

    return endpoint
