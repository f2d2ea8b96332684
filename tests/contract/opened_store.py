"""A store that is opened for each test of a contract, and memories to put into it."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from remanence.model.ids import following, written
from remanence.model.memory import Memory
from remanence.model.plan import Change, Plan
from remanence.model.selection import EVERY_STATE, Selection
from remanence.store.protocol import Store
from tests.conftest import START

NO_ID = "01890000-0000-7000-8000-000000000000"
ALL = Selection(states=EVERY_STATE)
DAY = timedelta(days=1)


class OpenedStore:
    """Subclasses test the `Store` protocol alone, and say how a namespace of a store is opened."""

    def open_store(self, namespace: str) -> Store:
        """A namespace of the one store under test, in `self.folder`; opened again, it holds what it held."""
        raise NotImplementedError

    @pytest.fixture(autouse=True)
    def _opened(self, tmp_path: Path) -> Iterator[None]:
        yield from self.opened(tmp_path)

    def opened(self, tmp_path: Path) -> Iterator[None]:
        self.folder = tmp_path
        self.last = 0
        self.store = self.open_store("test")
        self.stuck = False
        yield
        if not self.stuck:
            self.store.close()

    def new_id(self) -> str:
        self.last = following(self.last, START, bytes(10))
        return written(self.last)

    def memory(self, text: str = "The deploy server", **fields: Any) -> Memory:
        given = {
            "id": self.new_id(),
            "namespace": "test",
            "scope": "/",
            "layer": "episodic",
            "kind": "fact",
            "source": "human",
            "importance": 0.5,
            "created_at": START,
            "last_accessed_at": START,
        }
        return Memory(text=text, **given | fields)

    def add(self, *memories: Memory, store: Store | None = None) -> list[str]:
        plan = Plan(tuple(map(Change.add, memories)), verb="remember")
        return list((store or self.store).apply(plan, START).applied)

    def set(self, memory: Memory, at: Any = START, **fields: Any) -> Any:
        return self.store.apply(Plan((Change.of(memory, "test", **fields),), verb="test"), at)

    def reopened(self) -> Store:
        self.store.close()
        self.store = self.open_store("test")
        return self.store

    def before_and_after_reopening(self) -> Iterator[Store]:
        yield self.store
        yield self.reopened()
