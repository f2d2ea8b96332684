"""RemanenceMemory: the memory of a CrewAI crew, agent or flow, in a mind.

It takes the place of CrewAI's own Memory, of which it asks neither a model nor an embedder: remanence takes texts
apart, embeds, finds and forgets by itself. Records are memories below `root_scope`, and nothing outside it is read or
forgotten. CrewAI's `source` is a memory's origin; whoever calls, what is written is an AI's.
"""

from __future__ import annotations

import logging
from typing import Any

from remanence.adapters import MissingLibrary
from remanence.errors import InvalidInput, NotFound, RemanenceError
from remanence.model.scope import scope_problems

try:
    from crewai.memory.types import MemoryMatch, MemoryRecord
    from crewai.memory.unified_memory import Memory
    from crewai.memory.utils import join_scope_paths
    from pydantic import Field, PrivateAttr, field_validator

    from remanence.adapters.crewai_records import MOST, PRIVATE, Records, fields_of, kept, record_of
except ImportError as reason:
    raise MissingLibrary("crewai", reason) from reason

ROOT = "/crewai"
_RESULT = "\nResult: "
_log = logging.getLogger("remanence.adapters")


class RemanenceMemory(Memory):
    """A memory for `Crew(memory=…)`, `Agent(memory=…)` and flows; RemanenceMemory(mind=Mind(), root_scope="/shop")."""

    mind: Any = Field(exclude=True, repr=False, description="The mind that remembers.")
    root_scope: str = Field(default=ROOT, description="All records are here, or below.")
    _records: Records = PrivateAttr()

    @field_validator("root_scope")
    @classmethod
    def _root(cls, root: str) -> str:
        if problems := scope_problems(root, "root_scope"):
            raise InvalidInput(problems)
        return root

    def model_post_init(self, context: Any, /) -> None:
        self._records = self.storage = Records(self.mind, self.root_scope)
        super().model_post_init(context)

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> RemanenceMemory:
        """The same mind: a copied crew remembers in the same place."""
        return type(self)(mind=self.mind, root_scope=self.root_scope, read_only=self.read_only)

    def remember(
        self,
        content: str,
        scope: str | None = None,
        categories: list[str] | None = None,
        metadata: dict[str, Any] | None = None,
        importance: float | None = None,
        source: str | None = None,
        private: bool = False,
        agent_role: str | None = None,
        root_scope: str | None = None,
    ) -> MemoryRecord | None:
        """Store one statement; InvalidInput where it waits for review or was purged."""
        if self.read_only:
            return None
        place = join_scope_paths(self._records.below(root_scope), scope)
        fields = fields_of(categories, metadata, importance, source, private)
        return record_of(kept(self.mind.remember(content, scope=place, **fields)))

    def remember_many(self, contents: list[str], *args: Any, **like_remember: Any) -> list[MemoryRecord]:
        """Store each; what is not stored is logged, as CrewAI saves behind a crew's back."""
        made = []
        for content in contents:
            try:
                made.append(self.remember(content, *args, **like_remember))
            except RemanenceError as error:
                _log.warning("a statement of a crew was not stored: %s", error.code)
        return [record for record in made if record is not None]

    def extract_memories(self, content: str) -> list[str]:
        """The statements of a text; of a finished task, those of its result, since the task is known beforehand."""
        _, marked, result = content.partition(_RESULT)
        text = result if marked else content
        return [fact.text for fact in self.mind.extract(text).facts] if text.strip() else []

    def recall(
        self,
        query: str,
        scope: str | None = None,
        categories: list[str] | None = None,
        limit: int = 10,
        depth: str = "deep",
        source: str | None = None,
        include_private: bool = False,
    ) -> list[MemoryMatch]:
        """The records that answer a query, best first; private ones for their own source alone."""
        if not query.strip():
            return []
        hits = self.mind.recall(
            query,
            scope=join_scope_paths(self.root_scope, scope),
            limit=max(1, min(limit, MOST)),
            reinforce=not self.read_only,
            **({"categories": categories} if categories else {}),
        )
        return [
            MemoryMatch(record=record_of(hit.memory), score=hit.rank, match_reasons=sorted(hit.parts))
            for hit in hits
            if include_private or not hit.memory.metadata.get(PRIVATE) or hit.memory.origin == source
        ]

    def update(self, record_id: str, content: str | None = None, **changes: Any) -> MemoryRecord:
        """The next version of a record; its earlier ids go on standing for it."""
        if (record := self._records.get_record(record_id)) is None:
            raise NotFound(f"No record {record_id!r} below {self.root_scope}")
        if self.read_only:
            return record
        given = {"content": content, **changes}
        self._records.update(record.model_copy(update={k: v for k, v in given.items() if v is not None}))
        return self._records.get_record(record_id) or record
