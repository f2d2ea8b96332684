"""The MCP door over streamable HTTP, to be mounted in a server that knows who asks.

That server puts a Grant into each request's state (or is asked for it); every call keeps to the grant of the very
request it came with. A session belongs to the grant that opened it: to any other it does not exist (404). Hosts,
origins and tokens are the mounting server's business.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

from remanence.interfaces.mcp.place import Place
from remanence.interfaces.mcp.server import server

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

    from remanence.interfaces.grants import Grant
    from remanence.interfaces.minds import Minds

MOST_SESSIONS = 256
MOST_CALLS = 32
IDLE_SECONDS = 30 * 60.0
_END_SECONDS = 1.0


def state_grant(scope: Scope) -> Grant:
    """The grant that the mounting server put into a request's state."""
    grant: Grant = scope["state"]["grant"]
    return grant


class Mounted:
    """An ASGI application for one path; it serves while its lifespan lasts."""

    def __init__(self, place: Place, grant_of: Callable[[Scope], Grant], most_bytes: int) -> None:
        self._place = place
        self._grant_of = grant_of
        self._most_bytes = most_bytes
        self._manager: StreamableHTTPSessionManager | None = None

    @asynccontextmanager
    async def lifespan(self) -> AsyncIterator[None]:
        """What the mounting server's own lifespan must hold open."""
        self._manager = StreamableHTTPSessionManager(
            server(self._place),
            session_idle_timeout=IDLE_SECONDS,
            max_sessions=MOST_SESSIONS,
            max_request_body_size=self._most_bytes,
        )
        try:
            async with self._manager.run():
                yield
        finally:
            self._manager = None
            self._place.stop(_END_SECONDS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._manager is None:
            raise RuntimeError("The MCP door serves only while its lifespan lasts")
        owner = AuthenticatedUser(AccessToken(token="", client_id=_named(self._grant_of(scope)), scopes=[]))  # nosec B106
        await self._manager.handle_request({**scope, "user": owner}, receive, send)


def mount(minds: Minds, most_bytes: int, grant_of: Callable[[Scope], Grant] = state_grant) -> Mounted:
    """The application for a path such as /mcp, for messages of so many bytes: `Route("/mcp", endpoint=mount(…))`."""

    def asked(ctx: Any) -> Grant:
        return grant_of(ctx.request.scope)

    place = Place(
        minds=lambda: minds,
        grant_of=asked,
        scope=lambda grant: grant.scope,
        project=lambda grant: grant.scope or "/",
        most_calls=MOST_CALLS,
    )
    return Mounted(place, grant_of, most_bytes)


def _named(grant: Grant) -> str:
    """The same for the same grant alone; the SDK compares it with whoever opened a session."""
    return json.dumps([grant.namespace, grant.scope, grant.read_only, grant.name])
