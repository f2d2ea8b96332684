"""RemanenceStore: a LangGraph store on a mind.

An item is one live memory of kind "item" whose scope is its namespace and key (`segments`), so that items never take
each other for versions or duplicates. Its text is what the value says, for recall; the value itself is in its metadata.
A put over an item is its next version, a delete is a soft forget, and a search with a query is a recall. Items do not
decay unless asked to: whoever writes by key looks after them by key, or gives them a TTL. What a person wrote or pinned
is read only. In a batch, reads come before writes, and the last write of a key counts.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any

from remanence.adapters import MissingLibrary
from remanence.adapters.matching import fits, matches
from remanence.adapters.segments import names_of, scope_of
from remanence.errors import InvalidInput
from remanence.model.checks import metadata_problems
from remanence.model.hit import Outcome
from remanence.model.memory import TRUST, Memory, Source
from remanence.model.scope import scope_problems

try:
    from langgraph.store.base import (
        BaseStore,
        GetOp,
        Item,
        ListNamespacesOp,
        Op,
        PutOp,
        Result,
        SearchItem,
        SearchOp,
        TTLConfig,
        get_text_at_path,
        validate_op_namespace,
    )
except ImportError as reason:
    raise MissingLibrary("langgraph", reason) from reason

KIND = "item"
UNINDEXED = "(an item that is found by its key alone)"
_VALUE, _FIRST, _MINUTES = "value", "first_at", "ttl_minutes"
_MOST = 1000
_PAGE = 200
_TRIES = 5
# A version keeps its predecessor's end unless it is given another; this one says "none" to it.
_NEVER = datetime(9999, 12, 31, tzinfo=UTC)


class RemanenceStore(BaseStore):
    """Items in a mind, below the scope `root`.

    fields: paths of the value that are searched; all of it without them. source: who writes ("ai", or "human" for data
    of your own that no model wrote). ageing: whether items fade like other memories.
    """

    supports_ttl = True

    def __init__(
        self,
        mind: Any,
        *,
        root: str = "/",
        fields: Sequence[str] | None = None,
        source: str = "ai",
        ageing: bool = False,
        ttl: TTLConfig | None = None,
    ) -> None:
        problems = scope_problems(root, "root")
        if source not in list(Source):
            problems.append(f"source {source!r} is not one of {', '.join(Source)}")
        if problems:
            raise InvalidInput(problems)
        self.mind, self.root, self.source, self.ageing = mind, root, Source(source), ageing
        self.fields = None if fields is None else list(fields)
        # A read that moves the end of an item is a write, and a version; so it is done where it is asked for.
        self.ttl_config = TTLConfig(**{"refresh_on_read": False, **(ttl or {})})

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        asked = list(ops)
        for op in asked:
            validate_op_namespace(op)
        writes = {self._scope(op): op for op in asked if isinstance(op, PutOp)}
        drafts = {scope: self._draft(op) for scope, op in writes.items() if op.value is not None}
        if problems := [problem for _, found in drafts.values() for problem in found]:
            raise InvalidInput(problems)
        results = [self._read(op) for op in asked]
        for scope, op in writes.items():
            if scope in drafts:
                self._put(scope, op, drafts[scope][0])
            elif items := self._live(scope):
                self._refuse(op, items)
                self.mind.forget(ids=[memory.id for memory in items])
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        return await asyncio.to_thread(self.batch, list(ops))

    # -- reading

    def _read(self, op: Op) -> Result:
        if isinstance(op, GetOp):
            items = [memory for memory in self._live(self._scope(op)) if not self._is_over(memory)]
            return self._shown(items[0], op.refresh_ttl) if items else None
        if isinstance(op, SearchOp):
            return self._search(op) if op.limit > 0 else []
        if isinstance(op, ListNamespacesOp):
            return self._namespaces(op)
        if isinstance(op, PutOp):
            return None
        raise InvalidInput(f"{type(op).__name__} is no operation of a store")

    def _search(self, op: SearchOp) -> list[SearchItem]:
        last = op.offset + op.limit
        found = self._ranked(op, last) if op.query and op.query.strip() else self._listed(op)
        kept = islice(found, op.offset, last)
        return [self._shown(memory, op.refresh_ttl, SearchItem, score=score) for memory, score in kept]

    def _listed(self, op: SearchOp) -> Iterator[tuple[Memory, None]]:
        return (
            (memory, None) for memory in self._all(op.namespace_prefix) if matches(memory.metadata[_VALUE], op.filter)
        )

    def _ranked(self, op: SearchOp, wanted: int) -> list[tuple[Memory, float]]:
        """The best first. Only what is asked for counts as accessed, so a wider look for what matches does not."""
        scope, found = scope_of(self.root, op.namespace_prefix), []
        for limit, accessed in ((min(wanted, _MOST), not op.filter), (_MOST, False)):
            hits = self.mind.recall(op.query, scope=scope, kinds=[KIND], limit=limit, reinforce=accessed)
            found = [
                (hit.memory, float(hit.rank))
                for hit in hits
                if hit.memory.text != UNINDEXED and matches(hit.memory.metadata.get(_VALUE, {}), op.filter)
            ]
            if len(found) >= wanted or len(hits) < limit:
                break
        return found

    def _namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        conditions = op.match_conditions or ()
        below: tuple[str, ...] = ()
        for condition in conditions:
            if condition.match_type == "prefix" and "*" not in condition.path:
                below = max(below, tuple(condition.path), key=len)
        found = {names_of(self.root, memory.scope)[0] for memory in self._all(below)}
        matching = {
            names[: op.max_depth]
            for names in found
            if all(fits(names, one.path, one.match_type == "suffix") for one in conditions)
        }
        return sorted(matching)[op.offset : op.offset + op.limit]

    def _all(self, namespace: Iterable[str]) -> Iterator[Memory]:
        """Every item at or below a namespace, newest first."""
        scope, offset, seen = scope_of(self.root, namespace), 0, set[str]()
        while page := self.mind.list(scope=scope, kind=KIND, limit=_PAGE, offset=offset):
            offset += len(page)
            for memory in page:
                if memory.scope not in seen and _VALUE in memory.metadata and not self._is_over(memory):
                    seen.add(memory.scope)
                    yield memory

    def _live(self, scope: str) -> list[Memory]:
        """The memories that are this item, newest first.

        More than one only where a person accepted a value that had waited for review, or two processes put at once.
        """
        return [one for one in self.mind.list(scope=scope, kind=KIND, limit=_PAGE) if _VALUE in one.metadata]

    def _is_over(self, memory: Memory) -> bool:
        """Whether its time has passed and no sweep archived it yet; a mind without a clock leaves that to sweeps."""
        clock = getattr(self.mind, "clock", None)
        return memory.expires_at is not None and clock is not None and memory.expires_at < clock()

    def _shown(self, memory: Memory, refresh: bool, form: Any = Item, **more: Any) -> Any:
        minutes = memory.metadata.get(_MINUTES)
        if refresh and minutes is not None:
            self.mind.revise(memory.id, ttl=timedelta(minutes=minutes))
        names, key = names_of(self.root, memory.scope)
        first = memory.metadata.get(_FIRST)
        return form(
            namespace=names,
            key=key or "",
            value=memory.metadata[_VALUE],
            created_at=memory.created_at if first is None else datetime.fromisoformat(first),
            updated_at=memory.created_at,
            **more,
        )

    # -- writing

    def _draft(self, op: PutOp) -> tuple[dict[str, Any], list[str]]:
        """What is remembered of a value, and why it cannot be."""
        value: dict[str, Any] = dict(op.value or {})
        metadata = {_VALUE: value} | ({} if op.ttl is None else {_MINUTES: op.ttl})
        if problems := metadata_problems(metadata, f"the value of {op.key!r} in {op.namespace}"):
            return {}, problems
        paths = self.fields if op.index is None else op.index
        if paths is None:
            text = _text(value)
        else:
            text = "\n".join(text for path in paths or () for text in get_text_at_path(value, path))
        return {"text": text if text.strip() else UNINDEXED, "metadata": metadata, "source": self.source.value}, []

    def _put(self, scope: str, op: PutOp, draft: dict[str, Any]) -> None:
        ttl: dict[str, Any] = {} if op.ttl is None else {"ttl": timedelta(minutes=op.ttl)}
        for attempt in range(_TRIES):
            items = self._live(scope)
            self._refuse(op, items)
            if not items:
                made = self.mind.remember(scope=scope, kind=KIND, exempt=not self.ageing, **draft, **ttl)
                if made.outcome is Outcome.DUPLICATE:  # someone put the same text just now; the value may be another
                    continue
                return self._stored(op, made)
            old = items[0]
            first = old.metadata.get(_FIRST, old.created_at.isoformat())
            changed = draft | {"metadata": {**draft["metadata"], _FIRST: first}}
            if old.source is self.source:  # a version keeps it, and a server need not be asked to let it change
                del changed["source"]
            end = ttl or ({} if old.expires_at is None else {"expires_at": _NEVER})
            if old.metadata == changed["metadata"] and old.text == draft["text"] and not end:
                return None
            try:
                made = self.mind.revise(old.id, **changed, **end)
            except InvalidInput:
                if attempt + 1 < _TRIES and old.id not in [memory.id for memory in self._live(scope)]:
                    continue  # someone else was quicker; this is the next version
                raise
            self._stored(op, made)
            if items[1:]:
                self.mind.forget(ids=[memory.id for memory in items[1:]])
            return None
        raise InvalidInput(f"{op.key!r} in {op.namespace} was written by others {_TRIES} times meanwhile; put it again")

    def _stored(self, op: PutOp, made: Any) -> None:
        """InvalidInput where the value is not what a get will answer."""
        if made.outcome is Outcome.QUARANTINED:
            why = f"it {', '.join(made.screened)}, so it waits for review by a person. See: rem review"
        elif made.memory is None:
            why = "it was purged, so it is not stored again"
        else:
            return
        raise InvalidInput(f"The value of {op.key!r} in {op.namespace} is as it was. Of the new one: {why}")

    def _refuse(self, op: PutOp, items: list[Memory]) -> None:
        if any(memory.pinned or memory.trust > TRUST[self.source] for memory in items):
            raise InvalidInput(f"{op.key!r} in {op.namespace} is as it was: a person wrote or pinned it")

    def _scope(self, op: GetOp | PutOp) -> str:
        return scope_of(self.root, op.namespace, op.key)


def _text(value: Mapping[str, Any]) -> str:
    """What a value says, a line each: {"diet": "vegan", "home": {"city": "Oslo"}} → diet: vegan, home city: Oslo.

    The name of a value's only field says nothing: {"memory": "Anna is vegan"} → Anna is vegan.
    """
    said = list(_said(value))
    return said[0][1] if len(said) == 1 else "\n".join(f"{name}: {text}" for name, text in said)


def _said(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _said(inner, f"{name} {key}".strip())
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from _said(inner, name)
    elif value is not None and str(value).strip():
        yield name, str(value)
