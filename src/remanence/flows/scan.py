"""scan: secrets that are in a store, or in files beside it, all the same: written before there was a guard, or by hand.

What is found is named by memory, field and kind, never by its value. With `redact`, each such memory is written anew
without the secret, under its own id, and the old row is purged.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from itertools import accumulate
from pathlib import Path
from typing import IO, Any

from remanence.errors import InvalidInput
from remanence.flows.door import clean_fields, clean_memory
from remanence.guard.secrets import find, redact, redact_value
from remanence.model.memory import Memory
from remanence.model.plan import Action, Certificate, Change, Plan, Reason
from remanence.model.report import Leak, Scan
from remanence.model.selection import EVERY_STATE, Selection
from remanence.store.protocol import Progress, Store

_FIELDS = ("text", "scope", "kind", "categories", "concepts", "files", "origin", "metadata")
_AT_ONCE = 500
_LONGEST_LINE = 1 << 20
_PIECE = 1 << 16
_LINES_BEFORE = 20


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


def redact_all(store: Store, scanned: Scan, now: datetime, personal: Collection[str], wait_seconds: float) -> Scan:
    """The scan with what was done about it: each memory written anew without its secrets, and the old one purged.

    Both in one transaction, under the same id, so that all that is tied to it stays. What holds a secret in its scope
    or kind is left for a person.
    """
    store.flush()
    ids = [leak.memory_id for leak in scanned.leaks if leak.memory_id and not {"scope", "kind"} & leak.found.keys()]
    renewed: list[str] = []
    texts: list[str] = []
    receipt_id: str | None = None
    for start in range(0, len(ids), _AT_ONCE):
        with store.transaction():
            old = store.get(ids[start : start + _AT_ONCE])
            clean = {id: clean_memory(memory, personal)[0].but(revision=1) for id, memory in old.items()}
            purges = [Change(memory_id=id, action=Action.PURGE, reason=Reason.REDACTED) for id in clean]
            adds = [Change.add(memory, Reason.REDACTED) for memory in clean.values()]
            plan = Plan((*purges, *adds), verb="scan")
            receipt_id = store.apply(plan, now, strict=True, receipt_id=receipt_id).id
            store.lift([memory.text for id, memory in clean.items() if memory.text == old[id].text], now)
        renewed += clean
        texts += (memory.text for id, memory in old.items() if memory.text != clean[id].text)
    if not renewed:
        return scanned
    certificate = Certificate(receipt_id=receipt_id, at=now, reason=str(Reason.REDACTED), purged=tuple(renewed))
    certificate = store.erase(certificate, texts, wait_seconds)
    return replace(scanned, renewed=tuple(renewed), certificate=certificate)


def _in_file(path: Path, personal: Collection[str]) -> tuple[list[Leak], int]:
    """The lines of a file that hold a secret, by number; and how many lines it has.

    A line that is a JSON object, as in an export, is read by its values, so that escapes hide nothing. Other lines are
    read together, since a secret may begin in one and end in the next.
    """
    leaks: list[Leak] = []
    number = 0
    block = _Block(personal)
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            for number, line in enumerate(_lines(file), 1):
                values = _object(line)
                if values is None:
                    block.add(number, line)
                    counts = block.found() if block.is_full else {}
                else:
                    counts = block.found() | {number: Counter(redact_value(values, personal=personal)[1])}
                    block = _Block(personal)
                leaks += _leaks(path, counts)
    except OSError as reason:
        raise InvalidInput(f"{path} cannot be read: {reason.strerror}") from None
    return leaks + _leaks(path, block.found()), number


def _leaks(path: Path, counts: Mapping[int, Counter[str]]) -> list[Leak]:
    return [Leak(path=str(path), line=line, found={"text": dict(kinds)}) for line, kinds in counts.items() if kinds]


class _Block:
    """Lines that are looked at together; the last of them are looked at again before those that follow."""

    def __init__(self, personal: Collection[str]) -> None:
        self._personal = personal
        self._lines: list[str] = []
        self._numbers: list[int] = []
        self._new = 0
        self._size = 0

    @property
    def is_full(self) -> bool:
        return self._size >= _PIECE

    def add(self, number: int, line: str) -> None:
        self._lines.append(line)
        self._numbers.append(number)
        self._size += len(line) + 1

    def found(self) -> dict[int, Counter[str]]:
        """The kinds of secrets that end in each line added since it was last asked."""
        ends = list(accumulate(len(line) + 1 for line in self._lines))
        counts: dict[int, Counter[str]] = {}
        for one in find("\n".join(self._lines), personal=self._personal):
            place = bisect_left(ends, one.end)
            if place >= self._new:
                counts.setdefault(self._numbers[place], Counter())[one.kind] += 1
        self._lines, self._numbers = self._lines[-_LINES_BEFORE:], self._numbers[-_LINES_BEFORE:]
        self._new, self._size = len(self._lines), 0
        return counts


def _lines(file: IO[str]) -> Iterable[str]:
    while line := file.readline(_LONGEST_LINE):
        yield line.rstrip("\n")


def _object(line: str) -> dict[str, Any] | None:
    if not line.lstrip().startswith("{"):
        return None
    try:
        values = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return values if isinstance(values, dict) else None
