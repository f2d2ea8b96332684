"""A call of the table as a route: arguments in, the call on a worker thread, the answer out.

Paging: an answer has `next`, a cursor for what follows; null at the end. Writing with a key (Idempotency-Key) is done
once. Reading one memory gives its revision as ETag; If-None-Match spares the body, If-Match makes a change of it depend
on nobody else having changed it. What changes a memory by hand answers with it; Remanence-Receipt names the receipt,
where anything changed. Remanence-Shorten cuts the texts of an answer. A long call whose client accepts
text/event-stream tells its progress.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import logging
import re
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from remanence.errors import Conflict, InvalidInput, RemanenceError
from remanence.interfaces.calls import DESTROY, READ, Argument, Call
from remanence.interfaces.grants import Grant, fenced
from remanence.interfaces.minds import Minds
from remanence.interfaces.serve import problems, reading
from remanence.interfaces.serve.checking import checked
from remanence.interfaces.serve.plans import Plans
from remanence.interfaces.serve.problems import Problem
from remanence.interfaces.serve.repeats import Repeats
from remanence.interfaces.serve.streaming import is_wanted, streamed, unheard
from remanence.interfaces.ticks import Stopped, Ticks
from remanence.interfaces.wire import encoded, shortened
from remanence.model.journal import place_in_journal, receipt_number
from remanence.model.memory import Memory
from remanence.model.plan import Plan
from remanence.model.policy import Policy
from remanence.model.selection import BY_BIRTH, Order, Place

_LOG = logging.getLogger("remanence.serve")
_ETAG = re.compile(r'(?:W/)?"(\d{1,18})"')
_CURSOR = frozenset(("cursor",))


Endpoint = Callable[[Request], Awaitable[Response]]


def answered(endpoint: Endpoint) -> Endpoint:
    """The endpoint, with an answer where the server's time to stop is over; its thread goes on to the end."""

    async def whole(request: Request) -> Response:
        try:
            return await endpoint(request)
        except asyncio.CancelledError:
            raise Problem(
                503, "stopping", "The server stops, and what was asked may still be done. See the journal"
            ) from None

    return whole


class Answering:
    """What answers calls: the minds, the threads they run on, and what is kept between requests."""

    def __init__(self, minds: Minds, *, workers: int, seconds: float, body_bytes: int) -> None:
        self.minds = minds
        self.plans = Plans()
        self.repeats = Repeats()
        self._seconds = seconds
        self._body_bytes = body_bytes
        self._quick = ThreadPoolExecutor(workers, "remanence-call")
        self._slow = ThreadPoolExecutor(max(2, workers // 4), "remanence-long-call")
        self._room = asyncio.Semaphore(workers * 32)

    def close(self) -> None:
        self._quick.shutdown(wait=True, cancel_futures=True)
        self._slow.shutdown(wait=True, cancel_futures=True)

    async def run(self, work: Callable[[], Any], *, long: bool = False) -> Any:
        """Work on a thread, within the time a call may take unless it is a long one."""
        if self._room.locked():
            raise Problem(503, "busy", "Too many calls at once", headers={"retry-after": "1"})
        async with self._room:
            running = asyncio.get_running_loop().run_in_executor(self._slow if long else self._quick, work)
            try:
                return await (running if long else asyncio.wait_for(asyncio.shield(running), self._seconds))
            except TimeoutError:
                running.add_done_callback(unheard)
                raise Problem(
                    504, "too_slow", f"It took longer than {self._seconds:g} s and may still be done. See the journal"
                ) from None

    def route(self, call: Call) -> Endpoint:
        """The endpoint of a call."""

        async def endpoint(request: Request) -> Response:
            if call.long and is_wanted(request):
                ticks = Ticks()
                given = await self._given(call, request)
                return await streamed(self._answer(call, request, given, None, ticks), ticks, request, on_error)
            return await self._kept(call, request)

        return answered(endpoint)

    async def _kept(self, call: Call, request: Request) -> Response:
        key = request.headers.get("idempotency-key")
        given = await self._given(call, request)
        if key is None or call.effect == READ:
            return await self._answer(call, request, given, key)
        grant: Grant = request.state.grant
        owner = f"{grant.namespace}\0{grant.name}"
        said = json.dumps([given, grant.scope], sort_keys=True).encode()
        if (
            before := self.repeats.begin(owner, key, request.scope["path"].encode(errors="surrogatepass"), said)
        ) is not None:
            return before
        response = None
        try:
            response = await self._answer(call, request, given, key)
        finally:
            self.repeats.end(owner, key, response)
        return response

    async def _given(self, call: Call, request: Request) -> dict[str, Any]:
        """What the request says, by the names of the call's arguments."""
        path = dict(request.path_params)
        if call.method == "GET":
            async for _ in reading.parts_of(request, 0):
                pass
            return self._from_query(call, request) | path
        if query := reading.query_of(request):
            raise InvalidInput([f"unknown field {name[:80]!r}: arguments stand in the body" for name in query])
        given = await reading.body_of(request, self._body_bytes)
        if both := [name for name in path if name in given]:
            raise InvalidInput([f"{name} stands in the path already" for name in both])
        return given | path

    def _from_query(self, call: Call, request: Request) -> dict[str, Any]:
        known = {argument.name: argument for argument in call.arguments}
        found: dict[str, Any] = {}
        wrong = []
        for name, values in reading.query_of(request).items():
            argument = known.get(name)
            many = argument is not None and argument.is_many
            if len(values) > 1 and not many:
                wrong.append(f"{name[:80]} is given {len(values)} times")
            found[name] = values if many else _from_text(values[0], argument)
        if wrong:
            raise InvalidInput(wrong)
        return found

    async def _answer(
        self, call: Call, request: Request, given: dict[str, Any], key: str | None, ticks: Ticks | None = None
    ) -> Response:
        grant: Grant = request.state.grant
        longest = _longest(request)
        extra = _CURSOR if call.paged else frozenset[str]()
        arguments = checked(call, given, extra)
        if call.paged:
            arguments = _turned(call, given.get("cursor"), arguments)
        if call.name == "memory_tool":
            arguments = _of_tool(**arguments)
        if call.name == "remember" and key is not None:
            arguments.setdefault("key", f"idempotency:{grant.name}:{key}")
        revision = _revision(request, "if-match") if call.effect != READ and "id" in call.in_path else None
        is_marking = call.effect != READ and call.answer == "Memory" and "id" in call.in_path
        owner = f"{grant.namespace}\0{grant.name}"
        if "plan" in arguments:
            arguments["plan"] = self.plans.take(arguments["plan"], owner, arguments.pop("only", None))

        def work() -> tuple[int, str | None, dict[str, str]]:
            if ticks is not None and ticks.is_stopped:
                raise Stopped
            status, answer, headers = done()
            if isinstance(answer, Plan):
                answer = encoded(self.plans.keep(answer, owner))
            if longest is not None:
                answer = shortened(answer, longest)
            # Here, not on the event loop: an answer may have many megabytes.
            return status, None if answer is None else json.dumps(answer, ensure_ascii=False, default=str), headers

        def done() -> tuple[int, Any, dict[str, str]]:
            with self.minds.use(grant.namespace) as mind:
                held = fenced(mind, grant)
                method = call.on(held)
                if ticks is not None and "progress" in inspect.signature(call.on(mind)).parameters:
                    arguments["progress"] = ticks
                if revision is None and not is_marking:
                    return _told(call, held, method(**arguments), arguments)
                held.get(arguments["id"])  # another scope's memory is not there at all
                with mind.holding(arguments["id"], revision) as before:
                    answer = method(**arguments)
                    status, body, headers = _told(call, held, answer, arguments)
                    if is_marking and answer.revision != before.revision:
                        headers["remanence-receipt"] = mind.journal(limit=1)[0].receipt_id
                    return status, body, headers

        status, answer, headers = await self.run(work, long=call.long)
        if call.effect == DESTROY:
            self.repeats.forget()
        if call.effect == READ and (etag := headers.get("etag")) and _is_known(request, etag):
            return Response(None, 304, headers)
        return _response(status, answer, headers)


def _from_text(text: str, argument: Argument | None) -> Any:
    """A value of the query as its shape wants it; as it is where it is no such thing."""
    kind = argument.shape.get("type") if argument is not None else None
    if kind == "integer" and re.fullmatch(r"-?[0-9]{1,40}", text, re.ASCII):
        return int(text)
    if kind == "boolean" and text in ("true", "false"):
        return text == "true"
    if kind == "number":
        try:
            return float(text)
        except ValueError:
            return text
    return text


def _of_tool(action: str, arguments: dict[str, Any] | None = None) -> dict[str, Any]:
    """What the tool is given: the action, and its arguments each by its name."""
    given = arguments or {}
    problems = [f"{action} knows no argument {name!r}" for name in ("self", "action") if name in given]
    problems += [f"{name[:80]} must not be null: leave it out" for name, value in given.items() if value is None]
    if problems:
        raise InvalidInput(problems)
    return {**given, "action": action}


def _turned(call: Call, cursor: Any, arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments with what a cursor means; it says where to begin, whatever else was said of that."""
    if cursor is None:
        return arguments
    if not isinstance(cursor, str):
        raise InvalidInput("cursor must be text")
    is_number = re.fullmatch(r"o[0-9]{1,9}", cursor, re.ASCII)
    if call.paged == "place" and not is_number and not _by_number(arguments):
        try:
            Place.read(cursor)
        except InvalidInput:
            raise InvalidInput("cursor is none that this list gave") from None
        return {name: value for name, value in arguments.items() if name != "offset"} | {"after": cursor}
    if call.paged == "journal":
        for name in arguments.keys() & {"before", "after"}:
            place_in_journal(arguments[name], name)  # one of them is passed over, and must be right all the same
        name = "after" if cursor.startswith("a") else "before"
        place_in_journal(cursor.removeprefix("a"), "cursor")
        return arguments | {name: cursor.removeprefix("a")}
    if call.paged == "receipts":
        for name, given in (("before", arguments.get("before", cursor)), ("cursor", cursor)):
            receipt_number(given, name)  # passed over, and must be right all the same
        return arguments | {"before": cursor}
    if not is_number and call.paged == "place":
        raise Conflict("cursor is of a list in another order; begin this one without it")
    if not is_number:
        raise InvalidInput("cursor is none that this list gave")
    return arguments | {"offset": int(cursor[1:])}


def _by_number(arguments: dict[str, Any]) -> bool:
    """Whether a list of memories has no places in its order, so that its pages leave out so many."""
    return "words" in arguments or arguments.get("order", Order.NEWEST) not in BY_BIRTH


def _next(call: Call, answer: Any, arguments: dict[str, Any]) -> str | None:
    limit = arguments.get("limit", 50 if call.paged in ("journal", "receipts") else 100)
    if len(answer) < limit:
        return None
    if call.paged == "place" and not _by_number(arguments):
        return str(Place.of(answer[-1]))
    if call.paged == "journal":
        return ("a" if "after" in arguments else "") + str(answer[-1].place)
    if call.paged == "receipts":
        return str(answer[-1].id)
    return f"o{arguments.get('offset', 0) + len(answer)}"


def _told(call: Call, mind: Any, answer: Any, arguments: dict[str, Any]) -> tuple[int, Any, dict[str, str]]:
    """Status, answer and headers; the answer as JSON values already, unless it is a plan, which is kept first."""
    if isinstance(answer, Plan):
        return 200, answer, {}
    if isinstance(answer, Policy):
        return 200, answer.to_dict() | {"yaml": mind.policies.yaml(answer)}, {}
    if call.name == "memory_tool":
        return 200, answer, {}
    body = encoded(answer)
    if call.paged and body is not None:
        body["next"] = _next(call, answer, arguments)
    headers = {"etag": f'W/"{answer.revision}"'} if isinstance(answer, Memory) else {}
    if call.name == "remember" and body is not None:
        return 201 if body["outcome"] in ("added", "superseded", "quarantined") else 200, body, headers
    return 200, body, headers


def _response(status: int, answer: str | None, headers: dict[str, str]) -> Response:
    headers = {**headers, "cache-control": "no-store"}
    if answer is None:
        return Response(None, 204, headers)
    return Response(answer, status, headers, "application/json")


def _longest(request: Request) -> int | None:
    """How many characters of a text the client wants at most."""
    value = request.headers.get("remanence-shorten")
    if value is None:
        return None
    if not re.fullmatch(r"[1-9][0-9]{0,6}", value, re.ASCII):
        raise Problem(422, "invalid_input", "Remanence-Shorten must be a number of characters, 1 to 9999999")
    return int(value)


def _is_known(request: Request, etag: str) -> bool:
    """Whether the client has what it asks for already."""
    known = {one.strip() for value in request.headers.getlist("if-none-match") for one in value.split(",")}
    return etag in known or etag.removeprefix("W/") in known or "*" in known


def _revision(request: Request, header: str) -> int | None:
    value = request.headers.get(header)
    if value is None or value == "*":
        return None
    match = _ETAG.fullmatch(value.strip())
    if match is None:
        raise Problem(422, "invalid_input", f'{header} must be an ETag that this server gave, such as W/"3"')
    return int(match[1])


async def on_error(request: Request, error: Exception) -> Response:
    """The answer to anything that was raised; what nobody expected is logged, by its kind and never by its text."""
    id = getattr(request.state, "request_id", "")
    if isinstance(error, (Problem, RemanenceError)):
        if isinstance(error, RemanenceError) and request.headers.get("if-match") and error.code == "conflict":
            return problems.response(Problem(412, "precondition_failed", str(error)), id)
        return problems.response(error, id)
    _LOG.error("unexpected error", extra={"request_id": id, "error": type(error).__name__}, exc_info=error)
    return problems.response(Problem(500, "failed", "Something failed that should not have; the log has more"), id)
