"""The data of postgres.py: rows by namespace, made vectors, queries, and the embedder that looks vectors up by text."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import dataset
import numpy as np
import vectors
from foundation import blocks

DIMENSIONS = vectors.DIMENSION
MODEL = "made-384"
RARE, RARE_EVERY = "/rare", 100
FIRST_SHARE = 0.1  # the first namespace holds at least so much, so that a sweep of it has something to do
DUE_FEW = 100
ASKED_OF = 32
HASH_FROM = 500_000
Row = dict[str, Any]
Floats = vectors.Floats


class Query(NamedTuple):
    """What is asked of a namespace; `answer` is the row whose words and vector it was made from."""

    namespace: int
    words: str
    vector: Floats
    scope: str | None
    answer: int


class Embedder:
    """Looks vectors up by text. `missed` must stay 0: a text it does not know would be recalled by words alone."""

    model = MODEL
    local = True
    dimension = DIMENSIONS

    def __init__(self) -> None:
        self.known: dict[str, Floats] = {}
        self.missed = 0

    def embed(self, texts: Sequence[str]) -> Floats:
        zero = np.full(DIMENSIONS, DIMENSIONS**-0.5, dtype=np.float32)
        self.missed += sum(text not in self.known for text in texts)
        return np.stack([self.known.get(text, zero) for text in texts])


class Data:
    """The rows of one layout, in the order of their namespaces; the same for every contender."""

    def __init__(self, size: int, namespaces: int, rounds: int, folder: Path, how: str = "auto") -> None:
        self.size, self.namespaces, self.rounds = size, namespaces, rounds
        self.hashed = how == "hash" or (how == "auto" and size >= HASH_FROM)
        self.now = datetime.now(UTC).replace(microsecond=0)
        self.embedder = Embedder()
        self._random = random.Random(f"{size} {namespaces}")
        with dataset.facts_file(size, folder).open(encoding="utf-8") as lines:
            self.rows = [self._row(number, json.loads(line)) for number, line in enumerate(lines)]
        first = size if namespaces == 1 else max(size // namespaces, int(size * FIRST_SHARE))
        cuts = [0, *(first + (size - first) * n // max(namespaces - 1, 1) for n in range(namespaces))]
        self.spans = [range(low, high) for low, high in itertools.pairwise(cuts)]
        self.vectors = self._vectors(self.rows, size)
        self.due: list[list[int]] = self._due()

    def _row(self, number: int, fact: Row) -> Row:
        age = timedelta(days=self._random.uniform(0.1, 60))
        return {
            "text": fact["text"],
            "scope": RARE if number % RARE_EVERY == 7 else fact["scope"],
            "kind": ("fact", "decision", "preference")[number % 3],
            "importance": self._random.choice((0.4, 0.5, 0.6, 0.8)),
            "created_at": self.now - age,
            "expires_at": None,
        }

    def _vectors(self, rows: Sequence[Row], seed: int) -> Floats:
        """A vector a row, that of its first one for a repeated text; the embedder knows them from now on."""
        texts = [row["text"] for row in rows]
        if self.hashed:
            import peers

            made = np.concatenate([peers.HashEmbedder().embed(part) for part in blocks(texts, 10_000)])
        else:
            made = vectors.made(len(rows), seed)
        for number, text in enumerate(texts):
            if text in self.embedder.known:
                made[number] = self.embedder.known[text]
            else:
                self.embedder.known[text] = made[number]
        return made

    def _due(self) -> list[list[int]]:
        """Two steps a round, 10 minutes apart: 100 rows of the first namespace expire, then a hundredth of all."""
        free = list(self.spans[0])
        self._random.shuffle(free)
        most = len(free) // (4 * self.rounds)
        steps = []
        for step in range(2 * self.rounds):
            number = min(DUE_FEW if step % 2 == 0 else self.size // 100, most)
            chosen, free = free[:number], free[number:]
            steps.append(chosen)
            for row in chosen:
                self.rows[row]["expires_at"] = self.now + timedelta(minutes=10 * (step + 1))
        return steps

    def fresh(self, count: int, label: str) -> list[Row]:
        """Rows the stores do not hold yet."""
        facts = dataset._facts(count, f"postgres {label} {self.size} {self.namespaces}")
        rows = [self._row(number, fact) | {"created_at": self.now} for number, fact in enumerate(facts)]
        self._vectors(rows, sum(label.encode()) + self.size)
        return rows

    def queries(self, count: int, label: str, scoped: bool) -> list[Query]:
        """Five words of a stored row and a vector near its own; scoped ones in the rare scope of the first namespace.

        Others go to at most 32 namespaces, which are the same for every label.
        """
        chance = random.Random(f"queries {label} {self.size}")
        noise = np.random.default_rng(sum(label.encode()))
        asked_of = random.Random(self.size).sample(range(self.namespaces), min(ASKED_OF, self.namespaces))
        expiring = {row for step in self.due for row in step}
        rare = [row for row in self.spans[0] if self.rows[row]["scope"] == RARE and row not in expiring]
        found = []
        for _ in range(count):
            namespace = 0 if scoped else chance.choice(asked_of)
            answer = chance.choice(rare if scoped else self.spans[namespace])
            words = " ".join(chance.sample(self.rows[answer]["text"].split(), 5))
            beside = vectors.unit(noise.standard_normal((1, DIMENSIONS)))[0]
            vector = vectors.unit((self.vectors[answer] + 0.5 * beside)[None])[0]
            self.embedder.known[words] = vector
            found.append(Query(namespace, words, vector, RARE if scoped else None, answer))
        return found

    def nearest(self, query: Query) -> set[int]:
        """The ten rows that are nearest indeed, by comparing all that are meant."""
        span = self.spans[query.namespace]
        among = np.array([row for row in span if query.scope in (None, self.rows[row]["scope"])])
        cosines = self.vectors[among] @ query.vector
        return set(among[np.argsort(-cosines)[:10]].tolist())
