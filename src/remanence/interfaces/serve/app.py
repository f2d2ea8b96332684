"""The server's app, put together: FastAPI with a route for each call, behind the gate."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from remanence.errors import RemanenceError
from remanence.interfaces.calls import CALLS
from remanence.interfaces.minds import Minds
from remanence.interfaces.serve import page, problems
from remanence.interfaces.serve.answering import Answering, answered, on_error
from remanence.interfaces.serve.demo import Demos
from remanence.interfaces.serve.gate import LOOPBACK, Gate
from remanence.interfaces.serve.openapi import document
from remanence.interfaces.serve.problems import Problem
from remanence.interfaces.serve.reading import Held
from remanence.interfaces.serve.special import Special
from remanence.interfaces.serve.watching import Metrics, Watching, tracer
from remanence.interfaces.tokens import Tokens
from remanence.places import is_database, shown
from remanence.settings import Settings

Endpoint = Callable[[Request], Awaitable[Response]]
_METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"]


@dataclass(slots=True)
class Served:
    """The app, and what the process around it has to close."""

    app: Any
    minds: Minds
    answering: Answering
    special: Special
    metrics: Metrics
    tokens: Tokens
    settings: Settings


def _told(location: str | Path) -> str:
    """A store as the page's commands name it."""
    return shown(location) if is_database(location) else str(Path(location).expanduser().absolute())


def create_app(location: str | Path, settings: Settings, names: Iterable[str] = ()) -> Served:
    """The app for a store, which goes by these names too; nothing is opened before it is asked for."""
    minds = Minds(location, settings)
    answering = Answering(
        minds,
        workers=settings.serve__workers,
        seconds=settings.serve__seconds_per_call,
        body_bytes=settings.serve__body_bytes,
    )
    place, usual = (settings.beside(str(one)) for one in (location, settings.location()))
    special = Special(answering, settings.serve__bulk_bytes, None if place == usual else _told(location))
    metrics = Metrics(minds)
    tokens = Tokens(place)

    from remanence.interfaces.mcp.http import mount

    mcp = mount(minds, settings.serve__body_bytes)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(mcp.lifespan())
            yield
            special.stopping.set()

    api = FastAPI(
        title="remanence", docs_url=None, redoc_url=None, openapi_url=None, lifespan=lifespan, redirect_slashes=False
    )
    told = document()
    api.openapi = lambda: told  # type: ignore[method-assign]
    for kind in (Problem, RemanenceError, Exception):
        api.add_exception_handler(kind, on_error)
    api.add_exception_handler(HTTPException, _on_http)
    paths: dict[str, dict[str, Endpoint]] = {}
    for call in CALLS.values():
        paths.setdefault("/v1" + call.path, {})[call.method] = answering.route(call)
    demos = Demos(answering, location, settings, special.stopping.is_set)
    paths["/v1/token"] = {"GET": answered(special.token)}
    paths["/v1/demo"] = {"POST": demos.make, "DELETE": demos.remove}
    paths["/v1/memories/bulk"] = {"POST": answered(special.bulk)}
    paths["/v1/export"] = {"GET": answered(special.export)}
    paths["/v1/import"] = {"POST": answered(special.import_)}
    paths["/v1/events"] = {"GET": answered(special.events)}
    paths["/metrics"] = {"GET": metrics.route}

    written = json.dumps(told, ensure_ascii=False).encode()  # once: anybody may ask for it, as often as they like

    async def openapi(request: Request) -> Response:
        return Response(written, 200, media_type="application/json")

    async def health(request: Request) -> Response:
        return Response('{"status":"ok"}', 200, {"cache-control": "no-store"}, "application/json")

    async def ready(request: Request) -> Response:
        def work() -> None:
            with minds.use(settings.namespace) as mind:
                mind.journal(1)

        try:
            await answering.run(work)
        except (RemanenceError, Problem):
            raise Problem(503, "not_ready", "The store does not answer; the log has more") from None
        return Response('{"status":"ready"}', 200, {"cache-control": "no-store"}, "application/json")

    paths["/v1/openapi.json"] = paths["/openapi.json"] = {"GET": openapi}  # where other tools look for it, too
    paths["/healthz"] = {"GET": health, "HEAD": health}
    paths["/readyz"] = {"GET": ready, "HEAD": ready}
    paths |= page.paths()
    # A path with a fixed name goes before one with an id in that place, whatever the method.
    for path in sorted(paths, key=lambda path: path.count("{")):
        api.add_api_route(path, _by_method(paths[path]), methods=_METHODS, name=path)
    api.router.routes.append(Route("/mcp", endpoint=Held(mcp, settings.serve__body_bytes)))
    gate = Gate(
        api,
        tokens,
        hosts=(*LOOPBACK, *names, *settings.serve__hosts),
        origins=settings.serve__origins,
        per_second=settings.serve__requests_per_second,
        namespace=settings.namespace,
    )
    # Who is turned away at the gate is counted and logged too.
    app = Watching(gate, metrics, tracer(settings.serve__tracing))
    return Served(app, minds, answering, special, metrics, tokens, settings)


def _by_method(endpoints: dict[str, Endpoint]) -> Endpoint:
    """One endpoint for all that a path answers to."""
    allowed = ", ".join(sorted(endpoints))

    async def endpoint(request: Request) -> Response:
        found = endpoints.get(request.method)
        if found is None:
            raise Problem(405, "wrong_method", f"This path takes {allowed}", headers={"allow": allowed})
        return await found(request)

    return endpoint


async def _on_http(request: Request, error: Exception) -> Response:
    """What the router says, in our words: no such path, not with this method."""
    assert isinstance(error, HTTPException)
    id = getattr(request.state, "request_id", "")
    if error.status_code == 405:
        problem = Problem(405, "wrong_method", "There is no such method", headers={"allow": "GET, PATCH, POST"})
    elif error.status_code == 404:
        problem = Problem(404, "no_such_path", "There is nothing at this path. See /v1/openapi.json")
    else:
        problem = Problem(error.status_code, "refused", "The request cannot be answered")
    return problems.response(problem, id)
