"""CrewAI's records as memories: what its storage is asked for, by scope and id, and how fields go over.

CrewAI searches a storage by vectors of its own; that is left to RemanenceMemory, which recalls. Whatever scope is asked
for, it is at or below the root, so that nothing else of a mind is read or forgotten.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from crewai.memory.types import MemoryRecord, ScopeInfo
from crewai.memory.utils import join_scope_paths

from remanence.errors import InvalidInput, NotFound
from remanence.model.hit import Outcome, Remembered
from remanence.model.memory import Memory, State
from remanence.model.scope import holds

METADATA, PRIVATE = "crewai", "private"
MOST = 1000
_PAGE = 200


class Records:
    """A storage of CrewAI, on a mind."""

    def __init__(self, mind: Any, root: str) -> None:
        self.mind, self.root = mind, root

    def save(self, records: list[MemoryRecord]) -> None:
        for record in records:
            fields = fields_of(record.categories, record.metadata, record.importance, record.source, record.private)
            kept(self.mind.remember(record.content, scope=self.below(record.scope), **fields))

    def search(self, query_embedding: list[float], **_: Any) -> list[tuple[MemoryRecord, float]]:
        raise InvalidInput("remanence searches by its own vectors: use RemanenceMemory.recall")

    def get_record(self, record_id: str) -> MemoryRecord | None:
        memory = self._latest(record_id)
        return None if memory is None else record_of(memory)

    def update(self, record: MemoryRecord) -> None:
        if (memory := self._latest(record.id)) is None:
            raise NotFound(f"No record {record.id!r} below {self.root}")
        changed = fields_of(record.categories, record.metadata, record.importance, record.source, record.private)
        if memory.source == changed["source"]:  # a version keeps it, and a server need not be asked to let it change
            del changed["source"]
        kept(self.mind.revise(memory.id, text=record.content, scope=self.below(record.scope), **changed))

    def list_records(self, scope_prefix: str | None = None, limit: int = 200, offset: int = 0) -> list[MemoryRecord]:
        page = self.mind.list(scope=self.below(scope_prefix), limit=max(1, min(limit, MOST)), offset=max(0, offset))
        return [record_of(memory) for memory in page]

    def delete(
        self,
        scope_prefix: str | None = None,
        categories: list[str] | None = None,
        record_ids: list[str] | None = None,
        older_than: datetime | None = None,
        metadata_filter: dict[str, Any] | None = None,
    ) -> int:
        """Forget softly what all of these filters name."""
        if older_than is not None and older_than.tzinfo is None:
            older_than = older_than.replace(tzinfo=UTC)  # CrewAI's own times are UTC, and do not say so
        wanted = (metadata_filter or {}).items()
        named = None if record_ids is None else {one.id for id in record_ids if (one := self._latest(id)) is not None}
        ids = [
            memory.id
            for memory in self._all(scope_prefix)
            if (named is None or memory.id in named)
            and (not categories or not set(categories).isdisjoint(memory.categories))
            and (older_than is None or memory.created_at < older_than)
            and all(memory.metadata.get(METADATA, {}).get(name) == value for name, value in wanted)
        ]
        return len(self.mind.forget(ids=ids).applied) if ids else 0

    def get_scope_info(self, scope: str) -> ScopeInfo:
        memories = list(self._all(scope))
        born = sorted(memory.created_at.replace(tzinfo=None) for memory in memories)
        return ScopeInfo(
            path=scope,
            record_count=len(memories),
            categories=sorted({category for memory in memories for category in memory.categories}),
            oldest_record=born[0] if born else None,
            newest_record=born[-1] if born else None,
            child_scopes=self.list_scopes(scope),
        )

    def list_scopes(self, parent: str = "/") -> list[str]:
        place = self.below(parent).rstrip("/") + "/"
        below = (memory.scope for memory in self._all(parent) if memory.scope.startswith(place))
        return sorted({place + scope[len(place) :].split("/")[0] for scope in below})

    def list_categories(self, scope_prefix: str | None = None) -> dict[str, int]:
        return dict(Counter(category for memory in self._all(scope_prefix) for category in memory.categories))

    def count(self, scope_prefix: str | None = None) -> int:
        return int(self.mind.count(scope=self.below(scope_prefix)))

    def reset(self, scope_prefix: str | None = None) -> None:
        self.mind.forget(scope=self.below(scope_prefix))

    def below(self, scope: str | None) -> str:
        """A scope at or below the root: one that is not yet, is taken as if it began there."""
        place = join_scope_paths(None, scope)
        return place if holds(self.root, place) else join_scope_paths(self.root, place)

    def _all(self, scope: str | None) -> Iterator[Memory]:
        offset = 0
        while page := self.mind.list(scope=self.below(scope), limit=_PAGE, offset=offset):
            offset += len(page)
            yield from page

    def _latest(self, id: str) -> Memory | None:
        """The live memory that a record's id, or that of an earlier version, stands for."""
        try:
            memory: Memory = self.mind.get(id)
            while memory.superseded_by is not None:
                memory = self.mind.get(memory.superseded_by)
        except (NotFound, InvalidInput):
            return None
        return memory if memory.state is State.LIVE and holds(self.root, memory.scope) else None


def record_of(memory: Memory) -> MemoryRecord:
    """A memory as CrewAI reads it."""
    return MemoryRecord(
        id=memory.id,
        content=memory.text,
        scope=memory.scope,
        categories=list(memory.categories),
        metadata=dict(memory.metadata.get(METADATA, {})),
        importance=memory.importance,
        created_at=memory.created_at.replace(tzinfo=None),
        last_accessed=memory.last_accessed_at.replace(tzinfo=None),
        source=memory.origin,
        private=bool(memory.metadata.get(PRIVATE)),
    )


def fields_of(
    categories: list[str] | None,
    metadata: dict[str, Any] | None,
    importance: float | None,
    source: str | None,
    private: bool,
) -> dict[str, Any]:
    """CrewAI's fields as a mind's."""
    told = ({METADATA: metadata} if metadata else {}) | ({PRIVATE: True} if private else {})
    return {
        "source": "ai",
        "categories": categories or [],
        "metadata": told,
        "importance": importance,
        "origin": source or None,
    }


def kept(made: Remembered) -> Memory:
    if made.outcome is Outcome.QUARANTINED:
        why = ", ".join(made.screened)
        raise InvalidInput(f"This was not stored: it {why}, so it waits for review by a person. Say it as a fact.")
    if made.memory is None:
        raise InvalidInput("This was not stored: the text was purged, and is not learned again.")
    return made.memory
