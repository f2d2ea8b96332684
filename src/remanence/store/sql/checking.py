"""Is a memory as it was written, and is what is derived from it what follows from it?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from remanence.model.report import Problem
from remanence.model.words import segmented
from remanence.store.sql import rows


@dataclass(slots=True)
class Findings:
    """How often each kind of damage was met, with the first example."""

    seen: dict[str, tuple[int, str, bool]] = field(default_factory=dict)

    def add(self, kind: str, detail: str, *, repairable: bool, count: int = 1) -> None:
        before, first, _ = self.seen.get(kind, (0, detail, repairable))
        if count:
            self.seen[kind] = (before + count, first, repairable)

    def problems(self) -> tuple[Problem, ...]:
        return tuple(Problem(kind, count, detail, mend) for kind, (count, detail, mend) in self.seen.items())


class Stored(NamedTuple):
    """A memory's two rows: what it says (text, categories, concepts, files, lineage, origin, metadata) and its life.

    `placed` is whether both are of one namespace and shelf; without a hash there is no life.
    """

    no: int
    id: bytes
    shelf: int
    digest: bytes
    source: int
    indexed: str | None
    said: tuple[str | None, ...]
    placed: bool
    hash: bytes | None
    life: tuple[Any, ...]


class Derived(NamedTuple):
    """What stands in other tables for it; `kin` tells whether its places fit its text, and whether it lives."""

    tags: Sequence[bytes]
    paths: Sequence[bytes]
    parents: Sequence[bytes]
    kin: Callable[[str, bool], bool]


def named(raw: object) -> str:
    """An id as it is shown, also one that is none."""
    if isinstance(raw, bytes):
        return rows.id_text(raw) if len(raw) == 16 else raw.hex()
    return repr(raw)


def examine(memory: Stored, derived: Derived, findings: Findings) -> None:
    """Tell what is wrong with one memory."""
    id = named(memory.id)
    text = memory.said[0]
    if text is None or rows.digest_of(memory.id, memory.shelf, (memory.source, *memory.said)) != memory.digest:
        findings.add("text changed outside remanence", id, repairable=False)
        return
    if memory.hash is None:
        findings.add("memory without a life", id, repairable=False)
        return
    if not memory.placed or rows.life_hash(memory.no, memory.shelf, memory.life) != memory.hash:
        findings.add("life changed outside remanence", id, repairable=False)
    categories, files, lineage = (rows.listed(memory.said[place]) for place in (1, 3, 4))
    if segmented(text) != memory.indexed:
        findings.add("words for the full-text index", id, repairable=True)
    if not derived.kin(text, memory.life[0] == rows.LIVE):
        findings.add("kin index", id, repairable=True)
    if sorted(derived.tags) != sorted(category.encode() for category in categories):
        findings.add("tags", id, repairable=True)
    if sorted(derived.paths) != sorted({rows.file_name(path).encode() for path in files}):
        findings.add("paths", id, repairable=True)
    if sorted(derived.parents) != sorted(rows.id_bytes(parent) for parent in lineage):
        findings.add("descents", id, repairable=True)
