"""Columns: the lifecycle fields of many memories as arrays, the form in which rules read them.

Times are microseconds since 1970 (int64, `NEVER` where there is none); states, layers and sources are indexes into
their enums; `place` is an index into `places`, the scopes and kinds that occur. Row i of every array is the same
memory; `rows` holds the store's own number of it, `ids` its id where the reader asked for ids (else it is empty).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from functools import lru_cache
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from remanence.model.memory import Layer, Memory, Source, State
from remanence.model.moment import NEVER, to_micros
from remanence.model.words import estimate_tokens

STATES = tuple(State)
LAYERS = tuple(Layer)
SOURCES = tuple(Source)
_STATE = {state: number for number, state in enumerate(STATES)}
_LAYER = {layer: number for number, layer in enumerate(LAYERS)}
_SOURCE = {source: number for number, source in enumerate(SOURCES)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """One array per lifecycle field."""

    rows: NDArray[np.int64]
    ids: tuple[str, ...]
    places: tuple[tuple[str, str], ...]
    place: NDArray[np.int32]
    state: NDArray[np.int8]
    layer: NDArray[np.int8]
    source: NDArray[np.int8]
    importance: NDArray[np.float64]
    valence: NDArray[np.float64]
    confidence: NDArray[np.float64]
    trust_limit: NDArray[np.float64]
    confirmations: NDArray[np.int64]
    uses: NDArray[np.int64]
    rejections: NDArray[np.int64]
    created_at: NDArray[np.int64]
    last_accessed_at: NDArray[np.int64]
    access_count: NDArray[np.int64]
    recent: NDArray[np.int64]
    """The newest accesses of each row (at most 20 columns), oldest first, padded at the end with NEVER."""
    expires_at: NDArray[np.int64]
    kept_until: NDArray[np.int64]
    tokens: NDArray[np.int64]
    pinned: NDArray[np.bool_]
    exempt: NDArray[np.bool_]
    due_at: NDArray[np.int64]
    revision: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def scopes(self) -> tuple[str, ...]:
        return tuple(self.places[number][0] for number in self.place.tolist())

    @property
    def kinds(self) -> tuple[str, ...]:
        return tuple(self.places[number][1] for number in self.place.tolist())

    def take(self, chosen: NDArray[np.intp] | NDArray[np.bool_]) -> Columns:
        """The chosen rows, by index or by mask."""
        numbers = np.flatnonzero(chosen) if chosen.dtype == bool else chosen
        arrays = {name: getattr(self, name)[numbers] for name in _ARRAYS}
        ids = tuple(self.ids[number] for number in numbers.tolist()) if self.ids else ()
        return replace(self, ids=ids, **arrays)

    def recalled_before(self, moment: int) -> NDArray[np.bool_]:
        """Whether the oldest known access of each row is before that moment."""
        return self.recent[:, 0] < moment if self.recent.shape[1] else np.zeros(len(self), dtype=bool)

    def without_accesses_before(self, moment: int) -> Columns:
        """The same without accesses before that moment."""
        kept = np.where(self.recent < moment, NEVER, self.recent)
        return replace(self, recent=np.sort(kept, axis=1))


_ARRAYS = tuple(field.name for field in fields(Columns) if field.name not in ("ids", "places"))


def joined(pages: Sequence[Columns]) -> Columns:
    """The rows of several pages as one, with ids where every page has them."""
    if not pages:
        return columns_of(())
    places: dict[tuple[str, str], int] = {}
    width = max(page.recent.shape[1] for page in pages)
    parts: dict[str, list[NDArray[Any]]] = {name: [] for name in _ARRAYS}
    for page in pages:
        for name in _ARRAYS:
            parts[name].append(getattr(page, name))
        numbers = np.array([places.setdefault(place, len(places)) for place in page.places], dtype=np.int32)
        parts["place"][-1] = numbers[page.place] if len(page) else page.place
        wider = ((0, 0), (0, width - page.recent.shape[1]))
        parts["recent"][-1] = np.pad(page.recent, wider, constant_values=NEVER)
    arrays = {name: np.concatenate(part) for name, part in parts.items()}
    ids = tuple(id for page in pages for id in page.ids) if all(page.ids or not len(page) for page in pages) else ()
    return replace(pages[0], ids=ids, places=tuple(places), **arrays)


@lru_cache(maxsize=4096)  # a memory that is often recalled has twenty of them
def micros_of(moments: tuple[datetime, ...]) -> tuple[int, ...]:
    """These moments in microseconds since 1970."""
    return tuple(map(to_micros, moments))


def columns_of(memories: Sequence[Memory], *, counted: bool = True) -> Columns:
    """The columns of memories at hand; `rows` counts them. Their tokens are 0 where they need not be counted."""
    places: dict[tuple[str, str], int] = {}
    place = [places.setdefault((memory.scope, memory.kind), len(places)) for memory in memories]
    width = max((len(memory.recent_accesses) for memory in memories), default=0)
    recent = np.full((len(memories), width), NEVER, dtype=np.int64)
    for number, memory in enumerate(memories):
        if memory.recent_accesses:
            recent[number, : len(memory.recent_accesses)] = micros_of(memory.recent_accesses)

    def moments(name: str) -> NDArray[np.int64]:
        values = map(attrgetter(name), memories)
        return np.array([NEVER if value is None else to_micros(value) for value in values], dtype=np.int64)

    def numbers(name: str, kind: type[np.generic]) -> NDArray[np.generic]:
        return np.array(list(map(attrgetter(name), memories)), dtype=kind)

    many: dict[str, Any] = {
        "rows": np.arange(len(memories), dtype=np.int64),
        "place": np.array(place, dtype=np.int32),
        "state": np.array([_STATE[memory.state] for memory in memories], dtype=np.int8),
        "layer": np.array([_LAYER[memory.layer] for memory in memories], dtype=np.int8),
        "source": np.array([_SOURCE[memory.source] for memory in memories], dtype=np.int8),
        "recent": recent,
        "tokens": np.array([estimate_tokens(memory.text) if counted else 0 for memory in memories], dtype=np.int64),
        "due_at": np.full(len(memories), NEVER, dtype=np.int64),
        **{name: numbers(name, np.float64) for name in ("importance", "valence", "confidence", "trust_limit")},
        **{name: numbers(name, np.int64) for name in ("confirmations", "access_count", "revision")},
        **{name: numbers(name, np.int64) for name in ("uses", "rejections")},
        **{name: numbers(name, np.bool_) for name in ("pinned", "exempt")},
        **{name: moments(name) for name in ("created_at", "last_accessed_at", "expires_at", "kept_until")},
    }
    return Columns(ids=tuple(memory.id for memory in memories), places=tuple(places), **many)
