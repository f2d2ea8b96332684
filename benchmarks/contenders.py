"""Who takes part: the product and the variants of the floor, all driven by the same calls.

A contender has load (imports), open(folder), prepare(row, now) (untimed), add_many, add, settle (untimed, between adds
and recalls), recall, texts (untimed), engine_version and close.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

from floor import Floor


class Contender(Protocol):
    def load(self) -> None: ...
    def engine_version(self) -> str: ...
    def open(self, folder: Path) -> None: ...
    def prepare(self, row: dict[str, Any], now: float) -> Any: ...
    def add_many(self, items: list[Any]) -> None: ...
    def add(self, item: Any) -> None: ...
    def settle(self) -> None: ...
    def recall(self, words: str, scope: str | None, limit: int) -> list[Any]: ...
    def texts(self, hits: list[Any]) -> list[str]: ...
    def close(self) -> None: ...


class Remanence:
    """The product through its public surface, with its defaults: recall also reinforces what it returns."""

    def load(self) -> None:
        self._open = importlib.import_module("remanence").Mind  # the package imports what it needs when it is named

    def engine_version(self) -> str:
        return f"SQLite {importlib.import_module('apsw').sqlite_lib_version()} (apsw)"

    def open(self, folder: Path) -> None:
        self._mind = self._open(folder / "remanence.db", embedder=False)

    def prepare(self, row: dict[str, Any], now: float) -> dict[str, Any]:
        return {
            "text": row["text"],
            "scope": row["scope"],
            "kind": row["kind"],
            "created_at": datetime.fromtimestamp(now - row["age_seconds"], UTC),
            "importance": row["importance"],
        }

    def add_many(self, items: list[dict[str, Any]]) -> None:
        self._mind.remember_many(items)

    def add(self, item: dict[str, Any]) -> None:
        self._mind.remember(**item)

    def settle(self) -> None:
        pass

    def recall(self, words: str, scope: str | None, limit: int) -> list[Any]:
        return list(self._mind.recall(words, scope=scope, limit=limit))

    def texts(self, hits: list[Any]) -> list[str]:
        return [hit.memory.text for hit in hits]

    def close(self) -> None:
        self._mind.close()


OURS = "remanence"
FLOOR = "floor"
FLOOR_VECTORS = "floor-vectors"
FACTORIES: dict[str, Callable[[], Contender]] = {
    FLOOR: Floor,
    "floor-full": lambda: Floor(synchronous="FULL"),
    FLOOR_VECTORS: lambda: Floor(vectors=True),
    "floor-vectors-full": lambda: Floor(vectors=True, synchronous="FULL"),
    "floor-apsw-full": lambda: Floor(engine="apsw", synchronous="FULL"),
    OURS: Remanence,
}
DESCRIPTIONS = {
    FLOOR: "floor: text only, synchronous=NORMAL",
    "floor-full": "floor: text only, synchronous=FULL, the product's durability",
    FLOOR_VECTORS: "floor: with a 384-dimension float32 vector in each row, synchronous=NORMAL",
    "floor-vectors-full": "floor: with vectors, synchronous=FULL",
    "floor-apsw-full": "floor: text only, synchronous=FULL, on the product's SQLite engine",
    OURS: "the product, text only, synchronous=FULL, with its duplicate and supersession checks and its journal",
}
DEFAULT = (FLOOR, "floor-full", FLOOR_VECTORS, "floor-apsw-full", OURS)


def missing_package(name: str) -> str | None:
    """The package a contender needs and this Python lacks."""
    needed = {OURS: "remanence", "floor-apsw-full": "apsw"}.get(name)
    return needed if needed and importlib.util.find_spec(needed) is None else None
