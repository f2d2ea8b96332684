"""Entities: who and what memories speak of, from an index of names that is brought up to date before it is asked.

Names are taken from texts by rules (`extraction.entities`), a page at a time with a short transaction each; which of
them are the same is decided by `lifecycle.aliases` from all that live memories say. Nothing here changes a memory.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from remanence.errors import NotFound
from remanence.lifecycle import aliases
from remanence.model.entity import Entity, Portrait, key_of
from remanence.model.memory import Memory
from remanence.model.scope import holds
from remanence.model.selection import Selection
from remanence.store.protocol import Mentions, Naming, Progress, Store

_PAGE = 1000
_MOST_RENEWALS = 5
"""So often names are begun anew in one go where somebody else drops them; the rest waits for the next."""
_LOOKED_AT, _MOST_WORDS, _LONGEST_NAME, _MOST_PHRASES = 400, 24, 5, 2
_WORD = re.compile(r"[\w'’&.-]+")
_CARD = "peer_card"
_MERGED = frozenset(("name", "acronym", "concept", "package"))
"""Kinds whose names may be others' aliases: an identifier or a path means itself."""
_MADE_OF_NAMES = frozenset((_CARD, "bridge"))
"""What a dream writes of entities names them by itself, and says nothing of how often others do."""


def name_all(store: Store, progress: Progress | None = None, most: int | None = None) -> int:
    """Take the names of memories that were not looked at yet, at most of so many; of how many they were taken."""
    from remanence.extraction.entities import RULES, definitions_of, entities_of  # its words take a while to load

    store.entities.renew(RULES)
    named = renewals = 0
    total = store.entities.unnamed_count() if progress is not None else 0
    while most is None or named < most:
        page = store.entities.unnamed(_PAGE if most is None else min(_PAGE, most - named))
        if not page.memories:
            break
        found = [
            Naming(
                one.row,
                one.revision,
                entities_of(one.text, one.concepts, one.files),
                definitions_of(one.text),
            )
            if one.kind not in _MADE_OF_NAMES
            else Naming(one.row, one.revision, ())
            for one in page.memories
        ]
        if store.entities.name(page, found) is None:
            # All names were dropped since, or the namespace was born: nobody said by which rules they are taken.
            renewals += 1
            if renewals > _MOST_RENEWALS:
                break
            store.entities.renew(RULES)
            continue
        named += len(page.memories)
        if progress is not None:
            progress(named, max(total, named))
    return named


def known(store: Store, scopes: Sequence[str] | None = None, least: int = 1, limit: int | None = None) -> list[Entity]:
    """Every entity that live memories of these scopes name at least so often, the most named first."""
    name_all(store)
    found = _merged(store, scopes)
    kept = [entity for entity in found if entity.memories >= least]
    kept.sort(key=lambda entity: (-entity.memories, entity.key))
    return kept[:limit]


def found(store: Store, name: str, among: Sequence[Entity] | None = None) -> Entity:
    """The entity of this name, among those that `known` gave; NotFound with names that are like it."""
    entities = known(store) if among is None else among
    key = key_of(name)
    for entity in entities:
        if key in entity.keys:
            return entity
    near = [entity.name for entity in entities if key and (key in entity.key or entity.key in key)][:3]
    hint = f"Did you mean: {', '.join(near)}? See" if near else "See"
    shown = name if len(name) <= 80 else name[:77] + "..."
    raise NotFound(f"No live memory of namespace {store.namespace!r} names {shown!r}. {hint}: rem entities")


def portrait(store: Store, name: str, limit: int) -> Portrait:
    """What is known of the entity of this name, with so many memories and others at most."""
    entities = known(store)
    entity = found(store, name, entities)
    keys = frozenset(entity.keys)
    cards = (card for card in store.select(Selection(kinds=(_CARD,))) if _whose(card) in keys)
    ids = store.entities.memories(entity.keys, None, limit)
    held = store.get(ids)
    return Portrait(
        entity=entity,
        card=next(cards, None),
        together=tuple((other.name, number) for other, number in together(store, entity, limit, entities)),
        memories=tuple(held[id] for id in ids if id in held),
    )


def _whose(card: Memory) -> str | None:
    """The key in a card's metadata, where anybody may have written anything."""
    key = card.metadata.get("entity")
    return key if isinstance(key, str) else None


def together(
    store: Store, entity: Entity, limit: int | None = None, among: Iterable[Entity] | None = None
) -> list[tuple[Entity, int]]:
    """Who live memories name together with this entity, and how many do; most often first.

    `among` are the entities as `known` gives them, for who asks of many.
    """
    by_key = {key: one for one in (known(store) if among is None else among) for key in one.keys}
    own = frozenset(entity.keys)
    counts: Counter[str] = Counter()
    parts: Counter[str] = Counter()
    others: dict[str, Entity] = {}
    for key, number in store.entities.together(entity.keys):
        other = by_key.get(key)
        if other is not None and not own & frozenset(other.keys):
            others[other.key] = other
            counts[other.key] += number
            parts[other.key] += 1
    ordered = sorted(counts, key=lambda key: (-counts[key], key))
    if any(parts[key] > 1 for key in ordered[:limit]):  # a memory may hold several of its names
        here = set(store.entities.memories(entity.keys))
        for key in [key for key in ordered if parts[key] > 1]:
            counts[key] = len(here.intersection(store.entities.memories(others[key].keys)))
        ordered.sort(key=lambda key: (-counts[key], key))
    return [(others[key], counts[key]) for key in ordered[:limit]]


def rephrased(store: Store, query: str) -> tuple[str, ...]:
    """The query with a short name written out, or a long one by its short form, as memories define them.

    Only keys are looked up: an index that lags or is empty says less, and costs nothing.
    """
    spans: dict[str, tuple[int, int]] = {}

    def keys() -> Iterator[str]:  # a store that holds no definition does not ask for one
        words = list(_WORD.finditer(query[:_LOOKED_AT]))[:_MOST_WORDS]
        for first in range(len(words)):
            for last in range(first, min(first + _LONGEST_NAME, len(words))):
                start, end = words[first].start(), words[last].end()
                spans.setdefault(key_of(query[start:end]), (start, end))
        yield from spans

    defined = store.entities.definitions(keys())
    longs = Counter(short for short, _, _ in defined)
    found = []
    for short, long, _ in defined:
        asked, other = (short, long) if short in spans else (long, short)
        if longs[short] == 1 and other not in spans:
            start, end = spans[asked]
            found.append(f"{query[:start]}{other}{query[end:]}")
    return tuple(found[:_MOST_PHRASES])


def _merged(store: Store, scopes: Sequence[str] | None) -> list[Entity]:
    """All names, merged where they are the same, with how many live memories of these scopes hold them."""
    from remanence.extraction.entities import is_person

    mentions = store.entities.mentions()
    if not mentions:
        return []
    by_key: dict[str, list[Mentions]] = {}
    for one in mentions:
        by_key.setdefault(one.key, []).append(one)
    names = [
        aliases.Name(key, frozenset(scope for one in same for scope in one.scopes), is_person(_best(same).name))
        for key, same in by_key.items()
        if any(one.kind in _MERGED for one in same)
    ]
    groups = aliases.groups(names, store.entities.definitions())
    joined = {key for group in groups for key in group}
    # A memory may hold several names of one entity, so those are counted by memory.
    counted = zip(groups, store.entities.counts(groups, scopes), strict=True)
    found = [_entity([by_key[key] for key in group], held) for group, held in counted if held]
    for key, same in by_key.items():
        if key not in joined and (held := _within(_added(same), scopes)):
            found.append(_entity([same], held))
    return found


def _entity(ways: Sequence[Sequence[Mentions]], scopes: Mapping[str, int]) -> Entity:
    """One entity of names by key, each in all ways it is written."""
    ordered = sorted(ways, key=lambda same: (-sum(map(_number, same)), -len(same[0].key), same[0].key))
    first, *others = (_best(same) for same in ordered)
    return Entity(
        name=first.name,
        kind=first.kind,
        aliases=tuple(other.name for other in others),
        memories=sum(scopes.values()),
        scopes=dict(sorted(scopes.items())),
    )


def _best(same: Sequence[Mentions]) -> Mentions:
    """The way a name is written most often."""
    return min(same, key=lambda one: (-_number(one), one.name, one.kind))


def _number(one: Mentions) -> int:
    return sum(one.scopes.values())


def _added(same: Sequence[Mentions]) -> Mapping[str, int]:
    if len(same) == 1:
        return same[0].scopes
    total: Counter[str] = Counter()
    for one in same:
        total.update(one.scopes)
    return total


def _within(held: Mapping[str, int], scopes: Sequence[str] | None) -> Mapping[str, int]:
    if scopes is None:
        return held
    return {scope: number for scope, number in held.items() if any(holds(one, scope) for one in scopes)}
