"""Routes that are no plain call: who asks, memories in bulk, an export, an import, the journal as it is written."""

from __future__ import annotations

import asyncio
import json
import os
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Any, BinaryIO

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

import remanence
from remanence.errors import Conflict, Forbidden, InvalidInput, NotFound, RemanenceError
from remanence.interfaces.calls import CALLS
from remanence.interfaces.demo import replay
from remanence.interfaces.grants import Grant, fenced
from remanence.interfaces.serve import reading
from remanence.interfaces.serve.answering import Answering
from remanence.interfaces.serve.checking import checked
from remanence.interfaces.serve.gate import LOOPBACK
from remanence.interfaces.serve.problems import Problem
from remanence.interfaces.voices import must_speak_for_people
from remanence.interfaces.wire import encoded
from remanence.model.journal import place_in_journal
from remanence.model.memory import plain

_BATCH = 200
_MOST_TOLD = 100
_LOOK_SECONDS = 0.5
_BEAT_SECONDS = 15.0
_MOST_LISTENERS, _MOST_OF_A_TOKEN = 256, 32
_PAGE = 500
_OF_ONE = (InvalidInput, NotFound, Forbidden, Conflict)
"""Errors that one memory of many may be the reason of."""


class Special:
    """Those routes."""

    def __init__(self, answering: Answering, bulk_bytes: int, db: str | None = None) -> None:
        self._answering = answering
        self._db = db
        self._bulk_bytes = bulk_bytes
        self._listeners: Counter[str] = Counter()
        self.stopping = asyncio.Event()

    async def token(self, request: Request) -> Response:
        """What the bearer of this token may do, here and now."""
        grant: Grant = request.state.grant
        token = request.state.token
        told = {"name": token.name, "namespace": grant.namespace, "is_bound": token.namespace is not None}
        told |= {
            "scope": grant.scope,
            "read_only": grant.read_only,
            "human": grant.human,
            "expires_at": plain(token.expires_at),
        }
        told["demo"] = replay.is_demo(grant.namespace) and await self._answering.run(lambda: self._is_demo(grant))
        # Who asks from this machine, for all of the store, runs commands on it: the store has to be named there.
        is_here = request.client is not None and request.client.host in LOOPBACK
        is_whole = grant.scope is None and token.namespace is None
        return _json(told | {"db": self._db if is_here and is_whole else None, "version": remanence.__version__})

    def _is_demo(self, grant: Grant) -> bool:
        with self._answering.minds.use(grant.namespace) as mind:
            return replay.note_of(mind) is not None

    # -- bulk

    async def bulk(self, request: Request) -> Response:
        """Add the memories of NDJSON lines, as they come: a transaction for each 200; lines that are wrong are told."""
        grant: Grant = request.state.grant
        grant.must_write("bulk")
        told: dict[str, Any] = {"read": 0, "stored": 0, "outcomes": {}, "rejected": 0, "problems": [], "receipts": []}
        batch: list[tuple[int, dict[str, Any]]] = []
        async for number, line in reading.lines_of(request, self._bulk_bytes):
            told["read"] += 1
            try:
                batch.append((number, _draft(line)))
            except (InvalidInput, Problem) as problem:
                _reject(told, number, problem)
            if len(batch) >= _BATCH:
                await self._store(grant, batch, told)
                batch = []
                if self.stopping.is_set():
                    raise Problem(
                        503,
                        "stopping",
                        f"The server stops: of {told['read']:,} lines it read, {told['stored']:,} are new memories. "
                        "Send it again; what is stored already is known",
                        headers={"connection": "close"},
                    )
        await self._store(grant, batch, told)
        return _json(told)

    async def _store(self, grant: Grant, batch: list[tuple[int, dict[str, Any]]], told: dict[str, Any]) -> None:
        if not batch:
            return
        drafts = [draft for _, draft in batch]

        def work() -> list[Any]:
            with self._answering.minds.use(grant.namespace) as mind:
                return fenced(mind, grant).remember_many(drafts)

        try:
            made = await self._answering.run(work, long=True)
        except RemanenceError as problem:
            if isinstance(problem, _OF_ONE) and len(batch) > 1:  # nothing of it was stored: which one is it?
                for one in batch:
                    await self._store(grant, [one], told)
            else:
                _reject(told, batch[0][0], problem, len(batch))
            return
        for one in made:
            told["outcomes"][one.outcome.value] = told["outcomes"].get(one.outcome.value, 0) + 1
            told["stored"] += one.outcome.value in ("added", "superseded", "quarantined")
        told["receipts"] += dict.fromkeys(one.receipt_id for one in made if one.receipt_id)

    # -- export and import

    async def export(self, request: Request) -> Response:
        """Every memory as NDJSON, or as Markdown (format=markdown)."""
        grant: Grant = request.state.grant
        query = reading.query_of(request)
        format = query.pop("format", ["jsonl"])[0]
        if query or format not in ("jsonl", "markdown"):
            raise InvalidInput("export takes format=jsonl or format=markdown and nothing else")
        grant.must_reach_all("export")
        path = _file()

        def work() -> tuple[int, BinaryIO]:
            try:
                with self._answering.minds.use(grant.namespace) as mind:
                    number = mind.export(path, format=format)
                return number, open(path, "rb")  # noqa: PTH123
            finally:
                _remove(path)  # what is open can be read all the same, and nothing is left behind

        number, file = await self._answering.run(work, long=True)
        kind = "text/markdown; charset=utf-8" if format == "markdown" else "application/x-ndjson"
        return StreamingResponse(_sent(file), 200, {"remanence-memories": str(number)}, kind)

    async def import_(self, request: Request) -> Response:
        """Add the memories of an export."""
        grant: Grant = request.state.grant
        grant.must_reach_all("import")
        grant.must_write("import")
        must_speak_for_people(grant, "import")
        path = _file()
        try:
            with open(path, "wb") as file:  # noqa: PTH123
                async for _, line in reading.lines_of(request, self._bulk_bytes):
                    file.write(line + b"\n")

            def work() -> Any:
                with self._answering.minds.use(grant.namespace) as mind:
                    return mind.import_(path)

            return _json(plain(await self._answering.run(work, long=True)))
        finally:
            _remove(path)

    # -- events

    async def events(self, request: Request) -> Response:
        """The journal as server-sent events, from now on or from the last one that was seen."""
        grant: Grant = request.state.grant
        grant.must_reach_all("events")
        query = reading.query_of(request)
        after = query.pop("after", [None])[0] or request.headers.get("last-event-id")
        if query:
            raise InvalidInput([f"unknown field {name[:80]!r}" for name in query])
        if after is not None:
            place_in_journal(after, "after")
        if self._has_its_share(grant.name):
            raise Problem(
                429,
                "too_many_listeners",
                f"{_MOST_OF_A_TOKEN} listen with this token already, which is the limit. End one of them, or make "
                "another token with: rem token create NAME",
                headers={"retry-after": "5"},
            )
        if self._listeners.total() >= _MOST_LISTENERS:
            raise Problem(503, "busy", "Too many listen already", headers={"retry-after": "5"})
        start = after if after is not None else await self._newest(grant)
        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
        told = self._told(grant, start, request.state.is_good)
        return StreamingResponse(told, 200, headers, "text/event-stream")

    def _has_its_share(self, token: str) -> bool:
        return self._listeners[token] >= _MOST_OF_A_TOKEN

    async def _newest(self, grant: Grant) -> str:
        def work() -> str:
            with self._answering.minds.use(grant.namespace) as mind:
                return next((entry.place for entry in mind.journal(1)), "r0.0")

        return str(await self._answering.run(work))

    async def _told(self, grant: Grant, place: str, is_good: Callable[[], bool]) -> AsyncIterator[bytes]:
        """Entries as they are written, while the server and the token last."""

        def work() -> list[Any]:
            with self._answering.minds.use(grant.namespace) as mind:
                return list(mind.journal(_PAGE, after=place))

        if self._has_its_share(grant.name):  # by now: many came at once, and these may come again
            return
        self._listeners[grant.name] += 1
        quiet = 0.0
        try:
            yield b"retry: 1000\n\n"
            while not self.stopping.is_set() and is_good():
                with suppress(Problem):  # busy: a little later, then
                    for entry in await self._answering.run(work):
                        place, quiet = entry.place, 0.0
                        said = json.dumps(encoded(entry), ensure_ascii=True)
                        yield f"id: {place}\nevent: entry\ndata: {said}\n\n".encode()
                with suppress(TimeoutError):
                    await asyncio.wait_for(self.stopping.wait(), _LOOK_SECONDS)
                quiet += _LOOK_SECONDS
                if quiet >= _BEAT_SECONDS:
                    quiet = 0.0
                    yield b": still here\n\n"
        finally:
            self._listeners[grant.name] -= 1
            self._listeners += Counter()  # those at nought are left out


def _draft(line: bytes) -> dict[str, Any]:
    found = reading.strict(line, "The line")
    if isinstance(found, str):
        found = {"text": found}
    if not isinstance(found, dict):
        raise InvalidInput("a line must be a text or an object with remember's fields")
    return checked(CALLS["remember"], found)


def _reject(told: dict[str, Any], line: int, problem: Exception, number: int = 1) -> None:
    told["rejected"] += number
    if len(told["problems"]) < _MOST_TOLD:
        code = problem.code if isinstance(problem, (RemanenceError, Problem)) else "failed"
        told["problems"].append({"line": line, "code": code, "detail": str(problem)[:500]})


def _json(value: Any) -> Response:
    return Response(json.dumps(value, ensure_ascii=False), 200, {"cache-control": "no-store"}, "application/json")


def _file() -> str:
    handle, path = tempfile.mkstemp(prefix="remanence-")
    os.close(handle)
    return path


def _remove(path: str) -> None:
    with suppress(OSError):
        os.unlink(path)  # noqa: PTH108


async def _sent(file: BinaryIO) -> AsyncIterator[bytes]:
    with file:
        while part := await asyncio.to_thread(file.read, 1 << 18):
            yield part
