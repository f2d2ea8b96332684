"""The turns of a conversation as memories, from which a framework gets the very items back that it gave.

A turn is one memory of kind "turn" in a scope of its own below the conversation's, so that no two turns are taken for
versions of each other. Its text is the longest run of words in the item; the rest of the item is in the metadata, with
the place the text was taken from. Turns age like other memories, out of recall; a replay reads archived ones too. What
a tool gave back is trusted less than what was said. A turn that waits for review is replayed without its words, so that
calls keep their results and no model reads what nobody has accepted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from uuid import uuid4

from remanence.adapters.segments import scope_of
from remanence.errors import InvalidInput
from remanence.model.checks import metadata_problems, string_problems, text_problems
from remanence.model.memory import Memory, State, is_untried
from remanence.model.scope import scope_problems

KIND = "turn"
WITHHELD = "[withheld: it reads like an instruction, and waits for review by a person]"
_ITEM, _PLACE = "item", "place"
_WORDS = frozenset(("arguments", "content", "input", "output", "refusal", "summary", "text"))
_REPLAYED = (State.LIVE, State.ARCHIVED, State.QUARANTINED)
_PAGE = 200


class Turns:
    """One conversation."""

    def __init__(self, mind: Any, conversation: str, root: str) -> None:
        if problems := string_problems(conversation, "session id") + scope_problems(root, "root"):
            raise InvalidInput(problems)
        self.mind = mind
        self.scope = scope_of(root, [conversation])
        if problems := scope_problems(self.scope, "the scope of the session"):
            raise InvalidInput(problems)

    def add(self, items: Iterable[Mapping[str, Any]]) -> None:
        """Keep items, in order; a text that was purged is not kept again."""
        drafts, problems = [], []
        for number, item in enumerate(items):
            text, metadata = _parted(item)
            name = f"item {number}"
            problems += text_problems(text, f"{name}: its text") + metadata_problems(metadata, f"{name} without it")
            source = "ingest" if str(item.get("type", "")).endswith("_output") else "ai"
            scope = scope_of(self.scope, (), uuid4().hex)
            drafts.append({"text": text, "scope": scope, "kind": KIND, "source": source, "metadata": metadata})
        if problems:
            raise InvalidInput(problems)
        if drafts:
            self.mind.remember_many(drafts)

    def items(self, limit: int | None = None) -> list[dict[str, Any]]:
        """The items, oldest first; the latest so many of them."""
        return [_whole(memory) for memory in self._latest(limit)]

    def pop(self) -> dict[str, Any] | None:
        """Forget the latest item, softly, and give it back."""
        for memory in self._latest(1):
            self.mind.forget(ids=[memory.id])
            return _whole(memory)
        return None

    def clear(self) -> None:
        """Forget all items, softly."""
        self.mind.forget(scope=self.scope, kinds=[KIND])

    def _latest(self, limit: int | None) -> list[Memory]:
        if limit is not None and limit <= 0:
            return []
        found = [memory for state in _REPLAYED for memory in self._newest(state, limit)]
        found.sort(key=lambda memory: (memory.created_at, memory.id))
        return found if limit is None else found[-limit:]

    def _newest(self, state: State, limit: int | None) -> Iterator[Memory]:
        offset = 0
        while limit is None or offset < limit:
            size = _PAGE if limit is None else min(_PAGE, limit - offset)
            page = self.mind.list(scope=self.scope, kind=KIND, state=state.value, limit=size, offset=offset)
            yield from (memory for memory in page if _ITEM in memory.metadata)
            offset += len(page)
            if len(page) < size:
                return


def _parted(item: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """An item as a text and the rest of it."""
    words = [(place, text) for place, text in _strings(item) if _named(place) in _WORDS]
    place, text = max(words, key=lambda found: len(found[1]), default=((), ""))
    if text_problems(text) == ["text is blank"] or not text:
        return f"({item.get('type') or item.get('role') or 'item'} without words)", {_ITEM: dict(item)}
    return text, {_ITEM: _replaced(item, place, ""), _PLACE: list(place)}


def _whole(memory: Memory) -> dict[str, Any]:
    item, place = memory.metadata[_ITEM], tuple(memory.metadata.get(_PLACE, ()))
    if memory.state is State.QUARANTINED or is_untried(memory):
        for each, text in list(_strings(item)):
            if _named(each) in _WORDS and (text or each == place):
                item = _replaced(item, each, WITHHELD)
        return item
    return _replaced(item, place, memory.text) if place else dict(item)


def _strings(value: Any, place: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Every text inside, with the names and numbers that lead to it."""
    if isinstance(value, str):
        yield place, value
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _strings(inner, (*place, name))
    elif isinstance(value, (list, tuple)):
        for number, inner in enumerate(value):
            yield from _strings(inner, (*place, number))


def _named(place: tuple[str | int, ...]) -> str:
    """The last name on the way to a text."""
    return next((name for name in reversed(place) if isinstance(name, str)), "")


def _replaced(value: Any, place: tuple[str | int, ...], text: str) -> Any:
    """The same value with another text at one place."""
    if not place:
        return text
    first, *rest = place
    if isinstance(value, Mapping):
        return {**value, first: _replaced(value[str(first)], tuple(rest), text)}
    return [_replaced(inner, tuple(rest), text) if number == first else inner for number, inner in enumerate(value)]
