"""Who takes part in recall_cost.py, and the process each of them runs in.

`floor` is the least that finds by words and by meaning: plain SQLite with FTS5, one float32 matrix in memory, fusion by
reciprocal ranks. `remanence` is the product. The peers are other memories for agents, each run by a Python of its own
that has it installed; only their public classes are called. All are given the same texts and the same embedder, which
measures its own CPU: that is taken off every figure, so that what stays is what the memory itself costs.

    python benchmarks/peers.py NAME        one contender, driven by requests as in worker.py; recall_cost.py starts it
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import threading
import time
import uuid
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import md5
from pathlib import Path
from typing import Any

import contenders
import worker
from contenders import Contender
from floor import COMMON_LEAST, DIMENSIONS, MATCH, MATCH_SCOPE, Floor

FLOOR, FLOOR_FULL, OURS, NO_LOG = "floor", "floor-full", "remanence", "remanence-no-log"
EACH_WAY = 50
RANK_SHIFT = 60
LONGEST_DRAIN_SECONDS = 3600.0
_QUIET = {
    "MEM0_TELEMETRY": "False",
    "ANONYMIZED_TELEMETRY": "False",
    "LANGSMITH_TRACING": "false",
    "HF_HUB_OFFLINE": "1",
    "OPENAI_API_KEY": "none",
}


# --- the embedder


class HashEmbedder:
    """Signed feature hashing, 8 places a word: no model, the same on every machine. `spent` is its CPU so far.

    As most of users' own it does not say that it is `local`, so that what it costs to call it on another thread counts.
    """

    model = "hash-384"
    dimension = DIMENSIONS

    def __init__(self, model: str = model) -> None:
        self.model = model
        self.spent = 0.0
        self._guard = threading.Lock()
        self._numpy: Any = None

    def embed(self, texts: Sequence[str]) -> Any:
        """One unit row a text, float32."""
        start = time.thread_time()
        np = self._numpy = self._numpy or importlib.import_module("numpy")
        rows = np.empty((len(texts), DIMENSIONS), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            places: list[int] = []
            signs: list[float] = []
            for word in text.split():
                more_places, more_signs = _hashed(word)
                places += more_places
                signs += more_signs
            sums = np.bincount(places, weights=signs, minlength=DIMENSIONS) if places else np.ones(DIMENSIONS)
            row[:] = sums / (np.sqrt(sums @ sums) or 1.0)
        with self._guard:
            self.spent += time.thread_time() - start
        return rows

    def one(self, text: str) -> Any:
        return self.embed([text])[0]

    def lists(self, texts: Sequence[str]) -> list[list[float]]:
        found: list[list[float]] = self.embed(texts).tolist()
        return found


@lru_cache(maxsize=8192)  # bounded, so that it hardly shows in the memory figure
def _hashed(word: str) -> tuple[list[int], list[float]]:
    state = 2166136261
    for byte in word.lower().encode():
        state = ((state ^ byte) * 16777619) & 0xFFFFFFFF
    places, signs = [], []
    for _ in range(8):
        state = (state * 1664525 + 1013904223) & 0xFFFFFFFF
        places.append((state >> 8) % DIMENSIONS)
        signs.append(1.0 if state >> 31 else -1.0)
    return places, signs


# --- the floor


class HybridFloor(Floor):
    """The floor with a vector in each row and all of them in one matrix, which a recall multiplies with its query."""

    def __init__(self, embedder: HashEmbedder, *, synchronous: str = "NORMAL") -> None:
        super().__init__(vectors=True, synchronous=synchronous)
        self._embedder = embedder
        self._scopes: dict[str, int] = {}

    def load(self) -> None:
        super().load()
        self._np = importlib.import_module("numpy")

    def open(self, folder: Path) -> None:
        super().open(folder)
        self._held = 0
        self._matrix = self._np.zeros((0, DIMENSIONS), dtype=self._np.float32)
        self._places = self._np.zeros(0, dtype=self._np.int32)
        for number, scope, vector in self._db.execute("SELECT id, scope, vector FROM memory ORDER BY id"):
            self._hold(number, scope, self._np.frombuffer(vector, dtype=self._np.float32))

    def prepare(self, row: dict[str, Any], now: float) -> tuple[Any, ...]:
        number, self._next_id = self._next_id, self._next_id + 1
        created = now - row["age_seconds"]
        return (number, row["scope"], row["text"], row["kind"], created, row["importance"], 0, created, 0.0)

    def add_many(self, items: list[tuple[Any, ...]]) -> None:
        vectors = self._embedder.embed([item[2] for item in items])
        super().add_many([(*item, vector.tobytes()) for item, vector in zip(items, vectors, strict=True)])
        for item, vector in zip(items, vectors, strict=True):
            self._hold(item[0], item[1], vector)

    def add(self, item: tuple[Any, ...]) -> None:
        vector = self._embedder.one(item[2])
        super().add((*item, vector.tobytes()))
        self._hold(item[0], item[1], vector)

    def drain(self) -> None:
        pass

    def recall(self, words: str, scope: str | None, limit: int) -> list[tuple[Any, ...]]:
        scores: dict[int, float] = {}
        for found in (self._by_words(words, scope), self._by_meaning(words, scope)):
            for rank, number in enumerate(found):
                scores[number] = scores.get(number, 0.0) + 1.0 / (RANK_SHIFT + rank)
        ids = sorted(scores, key=scores.__getitem__, reverse=True)[:limit]
        marks = ",".join("?" * len(ids))
        select = f"SELECT id, text, scope, kind, created, importance FROM memory WHERE id IN ({marks})"
        rows = {row[0]: row for row in self._db.execute(select, ids).fetchall()}
        return [rows[number] for number in ids]

    def _by_words(self, words: str, scope: str | None) -> list[int]:
        match = " OR ".join(f'"{word}"' for word in self._rare(words))
        asked = (MATCH, (match, EACH_WAY)) if scope is None else (MATCH_SCOPE, (match, scope, EACH_WAY))
        return [number for (number,) in self._db.execute(*asked)]

    def _by_meaning(self, words: str, scope: str | None) -> list[int]:
        np, count = self._np, self._held
        alike = self._matrix[:count] @ self._embedder.one(words)
        if scope is not None:
            alike[self._places[:count] != self._scopes.get(scope, -1)] = -2.0
        most = min(EACH_WAY, count - 1)
        best = np.argpartition(alike, -most)[-most:]
        return (best[np.argsort(-alike[best])] + 1).tolist()  # ids count from 1, without a gap

    def _hold(self, number: int, scope: str, vector: Any) -> None:
        np = self._np
        if self._held == len(self._matrix):
            room = 50_000 + 2 * self._held  # reserved, not touched: the system gives it as it fills
            matrix, places = np.empty((room, DIMENSIONS), dtype=np.float32), np.empty(room, dtype=np.int32)
            matrix[: self._held], places[: self._held] = self._matrix, self._places
            self._matrix, self._places = matrix, places
        assert number == self._held + 1
        self._matrix[self._held] = vector
        self._places[self._held] = self._scopes.setdefault(scope, len(self._scopes))
        self._held += 1


# --- the product


class Remanence(contenders.Remanence):
    """The product with its defaults: what is added is checked and judged, what is recalled is reinforced and logged."""

    def __init__(self, embedder: HashEmbedder, *, log: bool = True) -> None:
        self._embedder = embedder
        self._log = log

    def open(self, folder: Path) -> None:
        settings = {"upkeep": {"on_open": False}, "recall": {"log": self._log}}
        self._mind = self._open(folder / "remanence.db", embedder=self._embedder, settings=settings)

    def prepare(self, row: dict[str, Any], now: float) -> dict[str, Any]:
        made = datetime.fromtimestamp(now - row["age_seconds"], UTC)
        return {"text": row["text"], "scope": row["scope"], "kind": row["kind"], "created_at": made}

    def add(self, item: dict[str, Any]) -> None:
        self._mind.remember(item["text"], scope=item["scope"], kind=item["kind"])

    def drain(self) -> None:
        """Wait for the vectors of what was added in bulk, and for the surprise of each."""
        self._mind.meaning.settle(LONGEST_DRAIN_SECONDS)
        assert self._mind.meaning.waiting == 0


# --- peers


class Mem0:
    """mem0 with a local vector store and no language model: texts are stored as they are (infer=False).

    One by one through `add`; in bulk through its vector store, as `add` takes one at a time.
    """

    def __init__(self, embedder: HashEmbedder, store: str) -> None:
        self._embedder = embedder
        self._store = store

    def load(self) -> None:
        embedder = self._embedder

        class Embedding:
            config = type("Config", (), {"embedding_dims": DIMENSIONS})()

            def embed(self, text: str, *_: Any, **__: Any) -> list[float]:
                return embedder.lists([text])[0]

            def embed_batch(self, texts: list[str], *_: Any, **__: Any) -> list[list[float]]:
                return embedder.lists(texts)

        class NoModel:
            config = None

            def generate_response(self, *_: Any, **__: Any) -> str:
                return "{}"

        self._mem0 = importlib.import_module("mem0")
        factory = importlib.import_module("mem0.utils.factory")
        factory.EmbedderFactory.create = classmethod(lambda *_, **__: Embedding())
        factory.LlmFactory.create = classmethod(lambda *_, **__: NoModel())

    def engine_version(self) -> str:
        return f"mem0 {self._mem0.__version__}, {self._store}"

    def open(self, folder: Path) -> None:
        store: dict[str, Any] = {"collection_name": "benchmark", "path": str(folder / "store")}
        store |= {"embedding_model_dims": DIMENSIONS} | ({"on_disk": True} if self._store == "qdrant" else {})
        self._memory = self._mem0.Memory.from_config(
            {
                "vector_store": {"provider": self._store, "config": store},
                "history_db_path": str(folder / "history.db"),
            }
        )

    def prepare(self, row: dict[str, Any], now: float) -> dict[str, Any]:
        return row | {"created_at": datetime.fromtimestamp(now - row["age_seconds"], UTC).isoformat()}

    def add_many(self, items: list[dict[str, Any]]) -> None:
        self._memory.vector_store.insert(
            vectors=self._embedder.lists([item["text"] for item in items]),
            ids=[str(uuid.uuid4()) for _ in items],
            payloads=[
                {
                    "data": item["text"],
                    "hash": md5(item["text"].encode()).hexdigest(),
                    "user_id": item["scope"],
                    "agent_id": "all",
                    "role": "user",
                    "text_lemmatized": item["text"],
                    "created_at": item["created_at"],
                    "updated_at": item["created_at"],
                }
                for item in items
            ],
        )

    def add(self, item: dict[str, Any]) -> None:
        self._memory.add(item["text"], user_id=item["scope"], agent_id="all", infer=False)

    def drain(self) -> None:
        pass

    def settle(self) -> None:
        pass

    def recall(self, words: str, scope: str | None, limit: int) -> list[dict[str, Any]]:
        filters = {"agent_id": "all"} if scope is None else {"user_id": scope}
        found: list[dict[str, Any]] = self._memory.search(words, filters=filters, top_k=limit, threshold=0.0)["results"]
        return found

    def texts(self, hits: list[dict[str, Any]]) -> list[str]:
        return [hit["memory"] for hit in hits]

    def close(self) -> None:
        close = getattr(getattr(self._memory.vector_store, "client", None), "close", None)
        if close is not None:
            close()


class LangGraph:
    """LangGraph's SqliteStore with its vector index (sqlite-vec, so its Python must allow SQLite extensions)."""

    def __init__(self, embedder: HashEmbedder) -> None:
        self._embedder = embedder
        self._next = 0

    def load(self) -> None:
        self._base = importlib.import_module("langgraph.store.base")
        self._module = importlib.import_module("langgraph.store.sqlite")

    def engine_version(self) -> str:
        from importlib.metadata import version

        return f"langgraph-checkpoint-sqlite {version('langgraph-checkpoint-sqlite')}"

    def open(self, folder: Path) -> None:
        sqlite3 = importlib.import_module("sqlite3")
        self._db = sqlite3.connect(folder / "store.db", check_same_thread=False, isolation_level=None)
        index = {"dims": DIMENSIONS, "embed": self._embedder.lists, "fields": ["text"]}
        self._store = self._module.SqliteStore(self._db, index=index)
        self._store.setup()
        self._next = self._db.execute("SELECT count(*) FROM store").fetchone()[0]

    def prepare(self, row: dict[str, Any], now: float) -> tuple[tuple[str, str], str, dict[str, Any]]:
        self._next += 1
        value = {"text": row["text"], "kind": row["kind"], "importance": row["importance"]}
        return ("memories", row["scope"].strip("/")), str(self._next), value

    def add_many(self, items: list[tuple[Any, ...]]) -> None:
        self._store.batch([self._base.PutOp(*item) for item in items])

    def add(self, item: tuple[Any, ...]) -> None:
        self._store.put(*item)

    def drain(self) -> None:
        pass

    def settle(self) -> None:
        pass

    def recall(self, words: str, scope: str | None, limit: int) -> list[Any]:
        place = ("memories",) if scope is None else ("memories", scope.strip("/"))
        return list(self._store.search(place, query=words, limit=limit))

    def texts(self, hits: list[Any]) -> list[str]:
        return [hit.value["text"] for hit in hits]

    def close(self) -> None:
        self._db.close()


HERE: dict[str, Callable[[HashEmbedder], Any]] = {
    FLOOR: HybridFloor,
    FLOOR_FULL: lambda embedder: HybridFloor(embedder, synchronous="FULL"),
    OURS: Remanence,
    NO_LOG: lambda embedder: Remanence(embedder, log=False),
}
PEERS: dict[str, Callable[[HashEmbedder], Any]] = {
    "mem0": lambda embedder: Mem0(embedder, "qdrant"),
    "mem0-faiss": lambda embedder: Mem0(embedder, "faiss"),
    "langgraph": LangGraph,
}
FACTORIES = {**HERE, **PEERS}
DESCRIPTIONS = {
    FLOOR: f"plain SQLite (WAL, synchronous=NORMAL), FTS5, one float32 matrix in memory, the {EACH_WAY} best of each "
    f"by reciprocal rank, words in over 1 % (and {COMMON_LEAST}) of the memories left out; checks and forgets nothing",
    FLOOR_FULL: "the same with synchronous=FULL, the product's durability",
    OURS: "the product with its defaults (synchronous=FULL)",
    NO_LOG: "the product with `recall.log` off",
    "mem0": "mem0 with qdrant in its folder, infer=False",
    "mem0-faiss": "mem0 with faiss in its folder, infer=False",
    "langgraph": "LangGraph's SqliteStore with its vector index; finds by meaning alone",
}


# --- the process


class Worker(worker.Worker):
    """The requests of worker.py, with the embedder's CPU taken off what each of them cost."""

    def __init__(self, name: str) -> None:
        self.embedder = HashEmbedder()
        self.contender: Contender = FACTORIES[name](self.embedder)
        self.base_bytes = worker.resident_bytes()
        self.now = time.time()
        self.rows = ()

    def drain(self) -> worker.Reply:
        return worker.timed(lambda _: self.contender.drain(), [None])  # type: ignore[attr-defined]

    def answer(self, request: dict[str, Any]) -> worker.Reply:
        before = self.embedder.spent
        reply: worker.Reply = getattr(self, request.pop("do"))(**request)
        if "cpu" in reply:
            reply["embedding"] = self.embedder.spent - before
            reply["cpu"] -= reply["embedding"]
        return reply


def main() -> None:
    os.environ.update(_QUIET)
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # nothing a contender prints can break the protocol
    contender = Worker(sys.argv[1])
    while True:
        waiting, embedding = time.process_time(), contender.embedder.spent
        line = sys.stdin.readline()
        background = time.process_time() - waiting - (contender.embedder.spent - embedding)
        if not line:
            return
        reply = contender.answer(json.loads(line))
        print(json.dumps(reply | {"background_cpu": background}), file=answers, flush=True)


if __name__ == "__main__":
    main()
