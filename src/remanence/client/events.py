"""What happens in a namespace, as it happens: the server's event stream as entries of the journal.

A stream that ends or breaks is taken up again behind the last entry that came (Last-Event-ID), after a pause that
doubles from half a second; after six failures in a row it is given up. A server that is silent for two minutes is asked
anew.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from typing import TypeVar

from remanence.client.answers import Reply
from remanence.client.exchange import Exchange
from remanence.client.requests import ROOT, Request
from remanence.client.transport import NoReply, at_once
from remanence.errors import ServerFailed
from remanence.model.decoding import decoded
from remanence.model.journal import Entry, place_in_journal

_SILENCE_SECONDS = 120.0
_FIRST_PAUSE_SECONDS = 0.5
_TRIES = 6
_PASSING = (429, 502, 503, 504)
T = TypeVar("T")


async def events(exchange: Exchange, after: str | None = None) -> AsyncIterator[Entry]:
    """Entries of the journal as they are written; with a place (`entry.place`), those after it first."""
    if after is not None:
        place_in_journal(after, "after")
    failures = 0
    while True:
        failed: Exception | None = None
        headers = {"Accept": "text/event-stream"} | ({"Last-Event-ID": after} if after is not None else {})
        request = Request(method="GET", path=f"{ROOT}/events", headers=headers)
        try:
            async with exchange.transport.stream(request, _SILENCE_SECONDS) as stream:
                if stream.status == 200:
                    failures = 0
                    async for event in _whole(stream.parts):
                        if event.get("event") == "entry":
                            yield _entry(event.get("data", ""), exchange.address.url)
                        after = event.get("id", after)
                else:
                    body = b"".join([part async for part in stream.parts])
                    failed = exchange.refused(Reply(stream.status, stream.headers, body))
                    if stream.status not in _PASSING:
                        raise failed
        except NoReply as broken:
            failed = exchange.unanswered(broken)
        failures += failed is not None
        if failed is not None and failures == _TRIES:
            raise failed
        await exchange.transport.wait(_FIRST_PAUSE_SECONDS * 2 ** max(0, failures - 1))


def one_by_one(items: AsyncIterator[T]) -> Iterator[T]:
    """The items of a stream over a blocking transport."""
    try:
        while True:
            try:
                item: T = at_once(items.__anext__())  # type: ignore[arg-type]
            except StopAsyncIteration:
                return
            yield item
    finally:
        at_once(items.aclose())  # type: ignore[attr-defined]


def _entry(data: str, where: str) -> Entry:
    try:
        said = json.loads(data)
        said.setdefault("item", place_in_journal(said["place"], "place")[1])
        entry: Entry = decoded(Entry, said)
    except (ValueError, LookupError, TypeError, AttributeError) as reason:
        raise ServerFailed(f"{where} sent an event that this version cannot read ({str(reason)[:200]})") from None
    return entry


async def _whole(parts: AsyncIterator[bytes]) -> AsyncIterator[dict[str, str]]:
    """The fields of each event, once it is whole; comments are passed over."""
    rest = b""
    fields: dict[str, str] = {}
    async for part in parts:
        *lines, rest = (rest + part).split(b"\n")
        for line in lines:
            text = line.rstrip(b"\r").decode("utf-8", "replace")
            name, _, value = text.partition(":")
            if not text:
                if fields:
                    yield fields
                fields = {}
            elif name in ("id", "event", "data"):
                value = value.removeprefix(" ")
                fields[name] = f"{fields[name]}\n{value}" if name == "data" and name in fields else value
