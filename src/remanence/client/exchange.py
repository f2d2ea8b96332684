"""Everything a client does, once, as coroutines over a transport: calls, plans, batches.

A request is sent up to three times: after a connection broke, and where the server asks to wait (429 or 503 with
Retry-After up to 5 s). That is safe, since whatever changes something carries a key that the server knows again. Time
that ran out is not tried again. A plan stays with the server, which applies it by its key.
"""

from __future__ import annotations

import threading
from collections.abc import Awaitable, Callable, Iterable, Iterator
from typing import Any

from remanence.client.address import Address
from remanence.client.answers import Reply, error_of, value_of
from remanence.client.arguments import items_in, items_sent
from remanence.client.requests import Request, as_json, request_of
from remanence.client.transport import NoReply, Transport
from remanence.errors import InvalidInput, RemanenceError, ServerFailed
from remanence.interfaces.calls import CALLS, Call
from remanence.model.draft import draft_problems
from remanence.model.hit import Remembered
from remanence.model.plan import Change, Plan, Receipt
from remanence.model.report import Stats

TRIES = 3
_PAUSES_SECONDS = (0.1, 0.5)
_LONGEST_WAIT_SECONDS = 5
_PASSING = (429, 503)
_PIECE_ITEMS, _PIECE_BYTES = 1_000, 1_000_000
_PLANS_KNOWN = 16
_MOST_PROBLEMS = 50


class Exchange:
    """One client's talk with its server."""

    def __init__(self, address: Address, transport: Transport) -> None:
        self.address = address
        self.transport = transport
        self._plans: dict[str, tuple[Change, ...]] = {}
        self._turn = threading.Lock()

    async def call(self, call: Call, kind: Any, given: dict[str, Any]) -> Any:
        """The answer to a call of the table, of the type that Mind answers with."""
        request = request_of(call, given)
        value = value_of(kind, await self.reply(request), self.address.url)
        if isinstance(value, Plan):
            self._know(value)
        return value

    async def stats(self) -> Stats:
        stats: Stats = await self.call(CALLS["stats"], Stats, {})
        return stats

    async def remember_many(self, items: Iterable[Any]) -> list[Remembered]:
        """In pieces that a server takes; all are looked at before the first is sent, where there are several."""
        given = items_in(items)
        pieces = list(_pieces(items_sent(given)))
        if len(pieces) > 1:
            _check(given)
        made: list[Remembered] = []
        for piece in pieces:
            made += await self.call(CALLS["remember_many"], list[Remembered], {"items": piece})
        return made

    async def apply(self, plan: Plan, strict: bool, force: bool) -> Receipt:
        """Apply a plan that this server made: whole, or those of its changes that are still in it."""
        key = key_of(plan, "apply")
        with self._turn:
            known = self._plans.get(key)
        if known is not None:
            _same(plan, known)
        given: dict[str, Any] = {"plan": key}
        if known is None or len(plan) != len(known):
            given["only"] = [f"{change.memory_id} {change.action.value}" for change in plan]
        given |= {name: flag for name, flag in (("strict", strict), ("force", force)) if flag is not False}
        receipt: Receipt = await self.call(CALLS["apply"], Receipt, given)
        return receipt

    def _know(self, plan: Plan) -> None:
        if plan.key is None:
            return
        with self._turn:
            self._plans[plan.key] = plan.changes
            while len(self._plans) > _PLANS_KNOWN:
                del self._plans[next(iter(self._plans))]

    async def reply(self, request: Request) -> Reply:
        return await self.patiently(lambda: self.transport.send(request), request)

    async def patiently(self, attempt: Callable[[], Awaitable[Reply]], request: Request) -> Reply:
        """The first answer that is none of "not now", in at most three tries; the last one whatever it is."""
        for tried in range(1, TRIES + 1):
            try:
                reply = await attempt()
            except NoReply as failed:
                if tried == TRIES or failed.slow:
                    raise self.unanswered(failed) from failed
                wait = _PAUSES_SECONDS[tried - 1]
            else:
                asked = _asked_wait(reply, request, tried)
                if asked is None or tried == TRIES:
                    return reply
                wait = asked
            await self.transport.wait(wait)
        raise AssertionError("the last try returns or raises")

    def unanswered(self, failed: NoReply) -> ServerFailed:
        where = self.address.url
        if failed.slow:
            return ServerFailed(
                f"{where} gave no answer within {self.address.seconds:g} s ({failed}), so what was asked may have been "
                "done: see the journal. The limit is timeout_seconds, or REMANENCE_CLIENT__TIMEOUT_SECONDS"
            )
        return ServerFailed(f"{where} cannot be reached: {failed}. Start a server there with: rem serve")

    def refused(self, reply: Reply) -> RemanenceError:
        return error_of(reply, self.address.url)


def _asked_wait(reply: Reply, request: Request, tried: int) -> float | None:
    """Seconds until the request is sent again; None where this is the answer."""
    if reply.status == 409 and tried > 1 and "Idempotency-Key" in request.headers:
        return _PAUSES_SECONDS[-1]  # the first try, whose connection broke, may still be at it
    asked = reply.headers.get("retry-after", "")
    if reply.status not in _PASSING or not (asked.isascii() and asked.isdigit()):
        return None
    return float(asked) if len(asked) < 3 and int(asked) <= _LONGEST_WAIT_SECONDS else None


def _pieces(items: list[Any]) -> Iterator[list[Any]]:
    piece: list[Any] = []
    size = 0
    for item in items:
        more = len(as_json(item)) + 1
        if piece and (len(piece) == _PIECE_ITEMS or size + more > _PIECE_BYTES):
            yield piece
            piece, size = [], 0
        piece.append(item)
        size += more
    if piece:
        yield piece


def _check(items: Iterable[Any]) -> None:
    """What the server would refuse in a later piece, so that none is stored of a list with an error in it."""
    problems: list[str] = []
    for number, item in enumerate(items):
        values = {"text": item} if isinstance(item, str) else item
        problems += (f"item {number}: {problem}" for problem in draft_problems(values))
        if len(problems) > _MOST_PROBLEMS:
            problems[_MOST_PROBLEMS:] = ["and perhaps more: the rest was not looked at"]
            break
    if problems:
        raise InvalidInput(problems)


def key_of(plan: Any, verb: str) -> str:
    """The key under which the server keeps a plan that it made."""
    if not isinstance(plan, Plan):
        raise InvalidInput(f"{verb} takes a Plan, not {type(plan).__name__}")
    if plan.key is None:
        raise InvalidInput("this plan was not made by the server, which takes only its own: make it with this client")
    return plan.key


def _same(plan: Plan, known: tuple[Change, ...]) -> None:
    """A change that was altered here is unknown there: the server would apply the one that it made."""
    own = {id(change) for change in known}
    altered = [change for change in plan if id(change) not in own]
    if altered and any(change not in known for change in altered):
        raise InvalidInput(
            "this plan has changes that the server did not make, and it applies only its own: leave changes out, "
            "or change the memories by hand"
        )
