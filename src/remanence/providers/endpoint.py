"""`Endpoint`: an embedder behind an OpenAI-compatible `/v1/embeddings` (Ollama, vLLM, llama.cpp, LM Studio, OpenAI).

What is tried again, how long, and what messages may hold is decided in `posting.py`.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from typing import Any

from remanence.errors import EmbedderFailed
from remanence.providers.posting import Posting, Unanswered, address, checked_key, sendable

LARGEST_ANSWER_BYTES = 64 * 1024 * 1024


class Endpoint:
    """An Embedder over HTTP. Threads may share one."""

    local = False
    concurrent = True

    def __init__(
        self,
        url: str,
        model: str,
        *,
        key: str | None = None,
        dimensions: int | None = None,
        timeout_seconds: float = 10.0,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        full, host = address(url, _path, whose="embedder", example="http://localhost:11434/v1")
        key = checked_key(key, whose="embedder")
        self._asked_model = model
        self._dimensions = dimensions
        self._posting = Posting(
            full,
            host,
            model=model,
            headers={"Authorization": f"Bearer {key}"} if key else {},
            keyed=key is not None,
            refused="the texts, their length or the options",
            wanted="list of vectors",
            timeout_seconds=timeout_seconds,
            sleep=sleep,
        )

    @property
    def model(self) -> str:
        """The server's model; shortened vectors are those of another model."""
        return f"{self._asked_model}/{self._dimensions}" if self._dimensions else self._asked_model

    @property
    def dimension(self) -> int | None:
        return self._dimensions

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector a text, or EmbedderFailed."""
        if not texts:
            return []
        content: dict[str, object] = {
            "model": self._asked_model,
            "input": [sendable(text) for text in texts],
            "encoding_format": "float",
        }
        if self._dimensions:
            content["dimensions"] = self._dimensions
        try:
            answer = self._posting.post(json.dumps(content).encode(), largest=LARGEST_ANSWER_BYTES)
        except Unanswered as failed:
            raise EmbedderFailed(str(failed)) from failed.__cause__
        return _vectors(answer.body, len(texts), self._posting.host)

    def __repr__(self) -> str:
        return f"Endpoint({self._posting.host!r}, {self.model!r})"


def _path(path: str) -> str:
    """A bare host or `.../v1` is completed."""
    return path if path.endswith("/embeddings") else (path or "/v1") + "/embeddings"


def _vectors(answer: bytes, count: int, host: str) -> list[list[float]]:
    """The vectors in the order of the texts; what is in them is checked by whoever asked."""
    try:
        data: Any = json.loads(answer)["data"]
        vectors = [item["embedding"] for item in data]
        places = [item.get("index", place) for place, item in enumerate(data)]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise EmbedderFailed(
            f"{host} answered with something that is no list of vectors. Check url and model."
        ) from None
    if len(vectors) != count:
        raise EmbedderFailed(f"{host} gave {len(vectors)} vectors for {count} texts.")
    if any(type(place) is not int for place in places) or sorted(places) != list(range(count)):
        raise EmbedderFailed(f"{host} did not say which vector belongs to which of {count} texts.")
    ordered: list[list[float]] = [[]] * count
    for place, vector in zip(places, vectors, strict=True):
        ordered[place] = vector
    return ordered
