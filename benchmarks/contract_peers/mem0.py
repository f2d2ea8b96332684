"""mem0 with a local vector store and no language model: texts are stored as they are (infer=False).

A scope is a user; `agent_id` is shared by all, so that a search without a scope can be asked. Deleting is `delete` and
`delete_all`, a new text `update`, earlier texts `history`. It has one way to delete, so forgetting is that too.
"""

from __future__ import annotations

import importlib
from importlib.metadata import version
from pathlib import Path
from typing import Any

from contract_peers.serve import Peer, user_of

_EVERYBODY = {"agent_id": "all"}
_MOST = 1000


class Mem0(Peer):
    def version(self) -> str:
        store = "faiss" if self.name == "mem0-faiss" else f"qdrant-client {version('qdrant-client')}"
        return f"mem0ai {version('mem0ai')}, {store}, infer=False"

    def open(self, folder: str) -> None:
        embedder = self.embedder

        class Embedding:
            config = type("Config", (), {"embedding_dims": embedder.dimension})()

            def embed(self, text: str, *_: Any, **__: Any) -> list[float]:
                return embedder.lists([text])[0]

            def embed_batch(self, texts: list[str], *_: Any, **__: Any) -> list[list[float]]:
                return embedder.lists(texts)

        class NoModel:
            config = None

            def generate_response(self, *_: Any, **__: Any) -> str:
                return "{}"

        mem0 = importlib.import_module("mem0")
        factory = importlib.import_module("mem0.utils.factory")
        factory.EmbedderFactory.create = classmethod(lambda *_, **__: Embedding())
        factory.LlmFactory.create = classmethod(lambda *_, **__: NoModel())
        provider = "faiss" if self.name == "mem0-faiss" else "qdrant"
        store: dict[str, Any] = {"collection_name": "contract", "path": str(Path(folder) / "store")}
        store |= {"embedding_model_dims": embedder.dimension} | ({"on_disk": True} if provider == "qdrant" else {})
        self._memory = mem0.Memory.from_config(
            {
                "vector_store": {"provider": provider, "config": store},
                "history_db_path": str(Path(folder) / "history.db"),
            }
        )

    def add(self, text: str, scope: str, relearn: bool = False) -> str | None:
        made = self._memory.add(text, user_id=user_of(scope), agent_id="all", infer=False)["results"]
        return made[0]["id"] if made else None

    def replace(self, id: str, text: str) -> str:
        self._memory.update(id, text=text)
        return id

    def search(self, question: str, scope: str | None = None) -> list[str]:
        filters = _EVERYBODY if scope is None else {"user_id": user_of(scope)}
        found = self._memory.search(question, filters=filters, top_k=10, threshold=0.0)["results"]
        return [one["memory"] for one in found]

    def answers(self, question: str) -> dict[str, list[str]]:
        return {"search": self.search(question), "get_all": list(self.kept_texts().values())}

    def kept_texts(self) -> dict[str, str]:
        return {one["id"]: one["memory"] for one in self._memory.get_all(filters=_EVERYBODY, top_k=_MOST)["results"]}

    def past(self, id: str, question: str) -> list[str]:
        return [event["old_memory"] for event in self._memory.history(id) if event["old_memory"]]

    def purge(self, ids: list[str]) -> None:
        for id in ids:
            self._memory.delete(id)

    def purge_scope(self, scope: str) -> None:
        self._memory.delete_all(user_id=user_of(scope))

    def close(self) -> None:
        client = getattr(self._memory.vector_store, "client", None)
        if hasattr(client, "close"):
            client.close()
        self._memory.close()


def make(name: str, embedder: Any) -> Peer:
    return Mem0(name, embedder)
