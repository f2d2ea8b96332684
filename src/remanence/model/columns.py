"""Columns: the lifecycle fields of many memories as arrays, the form in which rules read them.

Times are microseconds since 1970 (int64, `NEVER` where there is none); states, layers and sources are indexes into
their enums. Row i of every array is the same memory. A page of columns costs about 100 bytes a memory.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from remanence.model.memory import Layer, Source, State

STATES = tuple(State)
LAYERS = tuple(Layer)
SOURCES = tuple(Source)
NEVER = np.iinfo(np.int64).max


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """One array per lifecycle field."""

    ids: tuple[str, ...]
    scopes: tuple[str, ...]
    kinds: tuple[str, ...]
    state: NDArray[np.int8]
    layer: NDArray[np.int8]
    source: NDArray[np.int8]
    importance: NDArray[np.float64]
    created_at: NDArray[np.int64]
    last_accessed_at: NDArray[np.int64]
    access_count: NDArray[np.int64]
    expires_at: NDArray[np.int64]
    kept_until: NDArray[np.int64]
    tokens: NDArray[np.int64]
    pinned: NDArray[np.bool_]
    exempt: NDArray[np.bool_]
    revision: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.ids)
