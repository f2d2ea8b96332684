"""scan: secrets that are in a store, or in files beside it, all the same: written before there was a guard, or by hand.

What is found is named by memory, field and kind, never by its value. With `redact`, each such memory comes again
without the secret under a new id, and the old one is purged.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import IO, Any

from remanence.errors import InvalidInput
from remanence.flows.door import clean_fields, clean_memory
from remanence.flows.purge import purge
from remanence.guard.secrets import redact
from remanence.model.memory import Memory
from remanence.model.plan import Change, Plan, Reason
from remanence.model.report import Leak, Scan
from remanence.model.selection import EVERY_STATE, Selection
from remanence.store.protocol import Progress, Store

_FIELDS = ("text", "scope", "kind", "categories", "concepts", "files", "origin", "metadata")
_PIECE = 1 << 18
_OVERLAP = 1 << 13


def scan(
    store: Store,
    paths: Iterable[Path] = (),
    personal: Collection[str] = (),
    progress: Progress | None = None,
) -> Scan:
    """Every memory of the namespace, and every line of these files, that holds a secret."""
    total = store.count(Selection(states=EVERY_STATE))
    leaks: list[Leak] = []
    looked_at = 0
    for page in store.pages(Selection(states=EVERY_STATE)):
        leaks += (Leak(memory_id=memory.id, found=found) for memory in page if (found := leaks_of(memory, personal)))
        looked_at += len(page)
        if progress is not None:
            progress(looked_at, total)
    files: dict[str, int] = {}
    for path in paths:
        in_file, files[str(path)] = _in_file(path, personal)
        leaks += in_file
    return Scan(memories=looked_at, files=files, leaks=tuple(leaks))


def leaks_of(memory: Memory, personal: Collection[str]) -> dict[str, dict[str, int]]:
    """The kinds of secrets in each field of a memory, counted."""
    found: dict[str, dict[str, int]] = {}
    for name in _FIELDS:
        value = getattr(memory, name)
        if isinstance(value, str):
            counts = dict(redact(value, personal=personal).counts)
        else:
            counts = dict(clean_fields({name: value}, personal)[1]) if value else {}
        if counts:
            found[name] = counts
    return found


def redact_all(
    store: Store,
    scanned: Scan,
    now: datetime,
    new_id: Callable[[datetime], str],
    personal: Collection[str],
    wait_seconds: float,
) -> Scan:
    """The scan with what was done about it: each memory again without its secrets, and the old ones purged.

    What holds a secret in its scope or kind is left for a person.
    """
    ids = [leak.memory_id for leak in scanned.leaks if leak.memory_id and not {"scope", "kind"} & leak.found.keys()]
    with store.transaction():
        memories = store.get(ids)
        renewed = {id: new_id(now) for id in memories}
        changes = [Change.add(_renewed(memory, renewed, personal), Reason.REDACTED) for memory in memories.values()]
        if not changes:
            return scanned
        store.apply(Plan(tuple(changes), verb="scan"), now, strict=True)
    certificate = purge(
        store, now, ids=ids, scope=None, reason="it held a secret", wait_seconds=wait_seconds, follow=False
    )
    return replace(scanned, renewed=renewed, certificate=certificate)


def _renewed(memory: Memory, renewed: Mapping[str, str], personal: Collection[str]) -> Memory:
    """The memory without secrets, under its new id, tied to the new ids of the others."""
    clean, _ = clean_memory(memory, personal)
    ties = {name: getattr(clean, name) for name in ("supersedes", "superseded_by", "challenged_by")}
    return clean.but(
        id=renewed[memory.id],
        lineage=tuple(renewed.get(id, id) for id in clean.lineage),
        revision=1,
        **{name: renewed.get(id, id) for name, id in ties.items() if id is not None},
    )


def _in_file(path: Path, personal: Collection[str]) -> tuple[list[Leak], int]:
    """The lines of a file that hold a secret, by number; a long line is read in pieces that overlap."""
    leaks: list[Leak] = []
    number = 0
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            for number, line in enumerate(_lines(file), 1):
                counts: Counter[str] = Counter()
                for at in range(0, len(line), _PIECE - _OVERLAP):
                    counts |= Counter(redact(_read(line[at : at + _PIECE]), personal=personal).counts)
                if counts:
                    leaks.append(Leak(path=str(path), line=number, found={"text": dict(counts)}))
    except OSError as reason:
        raise InvalidInput(f"{path} cannot be read: {reason.strerror}") from None
    return leaks, number


def _lines(file: IO[str]) -> Iterable[str]:
    while line := file.readline(16 << 20):
        yield line


def _read(line: str) -> str:
    """A line of an export as its values, so that escapes hide nothing."""
    if not line.lstrip().startswith("{"):
        return line
    try:
        values = json.loads(line)
    except (ValueError, RecursionError):
        return line
    return "\n".join(_strings(values))


def _strings(value: Any) -> Iterable[str]:
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, dict):
            waiting += one.values()
            yield from (f"{key}: {item}" for key, item in one.items() if isinstance(item, str))
        elif isinstance(one, list):
            waiting += one
