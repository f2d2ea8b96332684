"""The page at `/`: what runs here and what to try next. It tells nothing of anybody, so it wants no token."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from importlib.resources import files

from starlette.requests import Request
from starlette.responses import Response

import remanence


def paths() -> dict[str, dict[str, Callable[[Request], Awaitable[Response]]]]:
    """The page and its files, by path and method."""
    web = files("remanence.interfaces") / "web"
    text = (web / "index.html").read_text(encoding="utf-8").replace("{version}", remanence.__version__)
    style = (web / "page.css").read_text(encoding="utf-8")

    async def index(request: Request) -> Response:
        return Response(text, 200, {"cache-control": "no-cache"}, "text/html; charset=utf-8")

    async def css(request: Request) -> Response:
        return Response(style, 200, {"cache-control": "max-age=3600"}, "text/css; charset=utf-8")

    return {"/": {"GET": index}, "/page.css": {"GET": css}}
