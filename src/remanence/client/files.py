"""Exports and imports through a server: the file is on this machine, the memories on the other.

An export is written beside its place and put there when it is whole, readable by its owner alone. An import is sent as
it is read.
"""

from __future__ import annotations

import os
from pathlib import Path

from remanence.client.answers import Reply, value_of
from remanence.client.exchange import Exchange
from remanence.client.requests import NDJSON, ROOT, Request, with_query
from remanence.client.transport import NoReply
from remanence.errors import InvalidInput, StoreUnavailable
from remanence.model import checks
from remanence.model.report import Imported

FORMATS = ("jsonl", "markdown")
_SILENCE_SECONDS = 120.0


async def export(exchange: Exchange, path: str | Path, format: str | None = None) -> int:
    """Every memory into a file here, whole or not at all; the number written."""
    target = _path(path)
    chosen = format or ("markdown" if target.suffix == ".md" else "jsonl")
    if chosen not in FORMATS:
        raise InvalidInput(f"format {checks.shown(chosen)!r} is not one of {', '.join(FORMATS)}")
    if target.exists() and not target.is_file():
        raise InvalidInput(f"{target} is not a file; give a path of its own")
    asked = {} if chosen == "jsonl" else {"format": chosen}
    headers = {"Accept": f"{NDJSON}, text/markdown"}
    request = Request(method="GET", path=with_query(f"{ROOT}/export", asked), headers=headers, long=True)
    draft = target.with_name(target.name + ".part")
    number = 0

    async def attempt() -> Reply:
        nonlocal number
        async with exchange.transport.stream(request, _SILENCE_SECONDS) as stream:
            if stream.status != 200:
                body = b"".join([part async for part in stream.parts])
                return Reply(stream.status, stream.headers, body)
            with os.fdopen(os.open(draft, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600), "wb") as file:
                lines = 0
                async for part in stream.parts:
                    lines += part.count(b"\n")
                    file.write(part)
                file.flush()
                os.fsync(file.fileno())
            told = stream.headers.get("remanence-memories", "")
            number = int(told) if told.isdecimal() else lines
            if chosen == "jsonl" and number != lines:
                raise NoReply(f"{lines} of {number} memories came")
        return Reply(200)

    try:
        reply = await exchange.patiently(attempt, request)
        if reply.status != 200:
            raise exchange.refused(reply)
        draft.replace(target)
    except OSError as reason:
        raise StoreUnavailable(f"{target} cannot be written: {reason.strerror}") from None
    finally:
        draft.unlink(missing_ok=True)
    return number


async def import_(exchange: Exchange, path: str | Path) -> Imported:
    """Add the memories of a JSON lines export that is here."""
    source = _path(path)
    if source.exists() and not source.is_file():
        raise InvalidInput(f"{source} is not a file: a server takes no pipe and no folder")
    request = Request(method="POST", path=f"{ROOT}/import", file=source, headers={"Content-Type": NDJSON}, long=True)
    imported: Imported = value_of(Imported, await exchange.reply(request), exchange.address.url)
    return imported


def _path(path: str | Path) -> Path:
    if not isinstance(path, (str, Path)) or checks.string_problems(str(path), "path", 4096):
        raise InvalidInput(f"{str(path)[:80]!r} is not a path")
    return Path(path)
