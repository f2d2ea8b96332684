"""LangGraph's SqliteStore with its vector index (sqlite-vec, so its Python must allow SQLite extensions).

A scope is a namespace; an item holds its text under a key that is its id. A scope is deleted item by item, as searching
it finds them. `sweep_ttl` is its one job. It has one way to delete, so forgetting is that too.
"""

from __future__ import annotations

import importlib
import sqlite3
import uuid
from importlib.metadata import version
from pathlib import Path
from typing import Any

from contract_peers.serve import Peer

_ROOT = "memories"
_MOST = 1000


class LangGraph(Peer):
    def version(self) -> str:
        return f"langgraph-checkpoint-sqlite {version('langgraph-checkpoint-sqlite')}, sqlite {sqlite3.sqlite_version}"

    def open(self, folder: str) -> None:
        module = importlib.import_module("langgraph.store.sqlite")
        self._db = sqlite3.connect(Path(folder) / "store.db", check_same_thread=False, isolation_level=None)
        index = {"dims": self.embedder.dimension, "embed": self.embedder.lists, "fields": ["text"]}
        self._store = module.SqliteStore(self._db, index=index)
        self._store.setup()

    def add(self, text: str, scope: str, relearn: bool = False) -> str | None:
        place, key = _place(scope), str(uuid.uuid4())
        self._store.put(place, key, {"text": text})
        return f"{'.'.join(place)} {key}"

    def replace(self, id: str, text: str) -> str:
        self._store.put(*_parts(id), {"text": text})
        return id

    def search(self, question: str, scope: str | None = None) -> list[str]:
        return [item.value["text"] for item in self._store.search(_place(scope), query=question, limit=10)]

    def answers(self, question: str) -> dict[str, list[str]]:
        return {"search": self.search(question), "search without a query": list(self.kept_texts().values())}

    def kept_texts(self) -> dict[str, str]:
        items = self._store.search(_place(None), limit=_MOST)
        return {f"{'.'.join(item.namespace)} {item.key}": item.value["text"] for item in items}

    def purge(self, ids: list[str]) -> None:
        for id in ids:
            self._store.delete(*_parts(id))

    def purge_scope(self, scope: str) -> None:
        place = _place(scope)
        for item in self._store.search(place, limit=_MOST):
            if tuple(item.namespace[: len(place)]) == place:
                self._store.delete(item.namespace, item.key)

    def run_jobs(self) -> None:
        self._store.sweep_ttl()

    def close(self) -> None:
        self._db.close()


def _place(scope: str | None) -> tuple[str, ...]:
    return (_ROOT, *(part for part in (scope or "").split("/") if part))


def _parts(id: str) -> tuple[tuple[str, ...], str]:
    place, _, key = id.partition(" ")
    return tuple(place.split(".")), key


def make(name: str, embedder: Any) -> Peer:
    return LangGraph(name, embedder)
