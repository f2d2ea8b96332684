"""The gate: who gets in. Hosts and origins on every route, then the rate, then the token; then what it may do.

A page of a foreign site that a browser is lured to can send requests to 127.0.0.1, under a name of its own (DNS
rebinding): so a request whose Host is not one of ours is turned away (421), and one whose Origin is foreign (403), GET
and the page's own files too. No CORS header is ever sent. A token that is missing and one that is wrong are told apart
by nothing, neither in the answer nor in the time it takes.
"""

from __future__ import annotations

import logging
import re
import secrets
import time
from collections.abc import Iterable

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from remanence.errors import RemanenceError
from remanence.interfaces.grants import Grant
from remanence.interfaces.parameters import SOURCES
from remanence.interfaces.serve.page import BELOW
from remanence.interfaces.serve.problems import Problem, response
from remanence.interfaces.tokens import Token, Tokens
from remanence.model.checks import choice_problems, string_problems
from remanence.model.scope import holds, scope_problems

_LOG = logging.getLogger("remanence.serve")
OPEN = frozenset(("/", "/healthz", "/readyz", "/v1/openapi.json", "/openapi.json"))
"""Paths that want no token, as what is below the page's: they tell nothing of anybody."""
LOOPBACK = ("127.0.0.1", "localhost", "::1")
_SAFE = {
    b"x-content-type-options": b"nosniff",
    b"x-frame-options": b"DENY",
    b"referrer-policy": b"no-referrer",
    b"cross-origin-resource-policy": b"same-origin",
    b"cross-origin-opener-policy": b"same-origin",
    b"content-security-policy": b"default-src 'self'; script-src 'self'; style-src 'self'; object-src 'none'; "
    b"base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; "
    b"trusted-types 'none'",
}
_MOST_BUCKETS = 10_000
_STRIKES_PER_SECOND = 20.0
_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[^\s:/?#@\[\]\\]+)(?::[0-9]{1,5})?", re.ASCII)


class Rate:
    """So many requests a second and client, twice as many at once; who was turned away by a token, far fewer."""

    def __init__(self, per_second: float) -> None:
        self._per_second = per_second
        self._buckets: dict[str, tuple[float, float]] = {}

    def take(self, client: str, cost: float = 1.0) -> float:
        """0 where it may go on, else the seconds to wait."""
        now = time.monotonic()
        left, at = self._buckets.pop(client, (self._per_second * 2, now))
        left = min(self._per_second * 2, left + (now - at) * self._per_second)
        waits = max(0.0, (min(cost, self._per_second) - left) / self._per_second)
        self._buckets[client] = (left if waits else left - cost, now)
        if len(self._buckets) > _MOST_BUCKETS:
            self._buckets.pop(next(iter(self._buckets)))
        return waits


class Gate:
    """The outermost part of the server."""

    def __init__(
        self,
        app: ASGIApp,
        tokens: Tokens,
        *,
        hosts: Iterable[str],
        origins: Iterable[str],
        per_second: float,
        namespace: str,
    ) -> None:
        self._app = app
        self._tokens = tokens
        self._hosts = frozenset(host.lower() for host in hosts)
        self._origins = frozenset(origin.lower().rstrip("/") for origin in origins)
        self._rate = Rate(per_second)
        self._strikes = Rate(max(_STRIKES_PER_SECOND, per_second / 50))
        self._namespace = namespace

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return  # no websockets here
        request = Request(scope)
        id = secrets.token_hex(8)
        scope.setdefault("state", {})["request_id"] = id

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = [*message["headers"], *_SAFE.items(), (b"x-request-id", id.encode())]
                message = {**message, "headers": headers}
            await send(message)

        try:
            self._place(request)
            if scope["path"] not in OPEN and not scope["path"].startswith(BELOW):
                scope["state"]["grant"] = self._grant(request)
        except Problem as problem:
            await response(problem, id)(scope, receive, sending)
            return
        except RemanenceError as error:  # the file of tokens: whoever has none need not know where it is
            _LOG.error(str(error), extra={"request_id": id})
            unready = Problem(503, "not_ready", "Tokens cannot be checked just now; the log has more")
            await response(unready, id)(scope, receive, sending)
            return
        await self._app(scope, receive, sending)

    def _place(self, request: Request) -> None:
        hosts = request.headers.getlist("host")
        name = _host(hosts[0]) if len(hosts) == 1 else ""
        if name not in self._hosts:
            raise Problem(
                421, "wrong_host", "This server does not go by that name. Set serve.hosts to the names it has"
            )
        origins = request.headers.getlist("origin")
        if not origins:
            if request.headers.get("sec-fetch-site") == "cross-site" and request.method != "GET":
                raise Problem(403, "foreign_origin", "A page of another site may not ask this server")
            return
        origin = origins[0].lower()
        if len(origins) == 1 and (origin in self._origins or self._is_own(origin, hosts[0].lower())):
            return
        raise Problem(
            403, "foreign_origin", "A page of another site may not ask this server. Set serve.origins to allow it"
        )

    def _is_own(self, origin: str, host: str) -> bool:
        """Whether it is an origin of this very server: the same name and port as the Host that was asked."""
        return origin in (f"http://{host}", f"https://{host}")

    def _grant(self, request: Request) -> Grant:
        client = request.client.host if request.client else "unknown"
        given = request.headers.getlist("authorization")
        kind, _, secret = (given[0] if len(given) == 1 else "").partition(" ")
        token = self._tokens.check(secret.strip() if kind.lower() == "bearer" else "")
        if token is None:
            if wait := self._strikes.take(client):
                raise _slow(wait)
            raise Problem(
                401,
                "unauthorized",
                "This server wants a token: Authorization: Bearer …. The owner's is in the file beside the store; "
                "make others with: rem token create NAME",
                headers={"www-authenticate": 'Bearer realm="remanence"'},
            )
        if wait := self._rate.take(token.id):
            raise _slow(wait)
        request.scope["state"]["token"] = token
        request.scope["state"]["is_good"] = lambda: self._tokens.check(secret.strip()) is not None
        asked = (_said(request, f"remanence-{name}") for name in ("namespace", "scope", "source"))
        return granted(token, *asked, usual=self._namespace)


def _said(request: Request, name: str) -> str | None:
    """The value of a header, which is UTF-8; None where it is not there."""
    given = request.headers.getlist(name)
    if not given:
        return None
    try:
        (value,) = given
        return value.encode("latin-1").decode()
    except ValueError:
        raise Problem(422, "invalid_input", f"{name} must be there once, and be UTF-8") from None


def _slow(wait: float) -> Problem:
    seconds = str(max(1, round(wait + 0.5)))
    return Problem(429, "too_many_requests", f"Too many requests. Wait {seconds} s", headers={"retry-after": seconds})


def _host(value: str) -> str:
    """The name in a Host header, without its port; "" for what is none."""
    match = _HOST.fullmatch(value.lower())
    return match[1].strip("[]") if match else ""


def granted(token: Token, namespace: str | None, scope: str | None, source: str | None, *, usual: str) -> Grant:
    """What a token's bearer may do, in the namespace and scope that the headers ask for, if they may.

    `source` is as whose words it writes when a call does not say; a person's only where the token allows that.
    """
    if source is not None and (problems := choice_problems(source, "Remanence-Source", SOURCES)):
        raise Problem(422, "invalid_input", "; ".join(problems))
    if namespace is not None and (problems := string_problems(namespace, "Remanence-Namespace")):
        raise Problem(422, "invalid_input", "; ".join(problems))
    if namespace is not None and token.namespace not in (None, namespace):
        raise Problem(403, "forbidden", "This token is for another namespace")
    if scope is not None:
        if problems := scope_problems(scope, "Remanence-Scope"):
            raise Problem(422, "invalid_input", "; ".join(problems))
        if token.scope is not None and not holds(token.scope, scope):
            raise Problem(403, "forbidden", "This token is kept to another scope")
    return Grant(
        namespace=token.namespace or namespace or usual,
        scope=scope or token.scope,
        read_only=token.read_only,
        human=token.human,
        source="ai" if source is None or (source == "human" and not token.human) else source,
        name=token.id,
    )
