"""`Endpoint`: an embedder behind an OpenAI-compatible `/v1/embeddings` (Ollama, vLLM, llama.cpp, LM Studio, OpenAI).

One deadline holds for a call with all its retries. 408, 425, 429, 5xx and broken connections are tried again, after
what the server asks for (`Retry-After`, up to 5 s) or 0.25 s doubling. Redirects are never followed, so the key goes to
the host it was given for and nowhere else. Messages hold the host, the status and the model; never the key, a text, or
the server's words, which may repeat one.
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Sequence
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit, urlunsplit

from remanence.errors import EmbedderFailed, InvalidInput

if TYPE_CHECKING:
    import httpx

TRIES = 3
LONGEST_WAIT_SECONDS = 5.0
LARGEST_ANSWER_BYTES = 64 * 1024 * 1024
_FIRST_WAIT_SECONDS = 0.25
_PASSING = {408, 425, 429, *range(500, 600)}


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
        self._url, self._host = _address(url)
        self._asked_model = model
        self._key = _checked_key(key)
        self._dimensions = dimensions
        self._timeout_seconds = timeout_seconds
        self._sleep = sleep
        self._lock = threading.Lock()
        self._client: httpx.Client | None = None
        self._process = 0

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
            "input": [_sendable(text) for text in texts],
            "encoding_format": "float",
        }
        if self._dimensions:
            content["dimensions"] = self._dimensions
        return _vectors(self._posted(json.dumps(content).encode()), len(texts), self._host)

    def __repr__(self) -> str:
        return f"Endpoint({self._host!r}, {self.model!r})"

    def _posted(self, body: bytes) -> bytes:
        """The body of the first good answer; all tries together keep the deadline."""
        import httpx

        deadline = time.monotonic() + self._timeout_seconds
        own_wait = _FIRST_WAIT_SECONDS
        for tried in range(1, TRIES + 1):
            asked_wait: float | None = None
            cause: Exception | None = None
            try:
                status, headers, answer = self._try(body, deadline)
            except httpx.TimeoutException as error:
                raise self._slow() from error
            except httpx.HTTPError as error:
                cause, reason = error, f"{self._host} cannot be reached ({type(error).__name__})"
            else:
                if status == 200:
                    return answer
                reason = f"{self._host} answered {status}"
                if status not in _PASSING:
                    raise EmbedderFailed(f"{reason}: {self._advice(status)}")
                asked_wait = _asked_wait(headers)
            wait = own_wait if asked_wait is None else asked_wait
            own_wait *= 2
            if wait > LONGEST_WAIT_SECONDS:
                raise EmbedderFailed(
                    f"{reason} and asks to wait {wait:.0f} s; {LONGEST_WAIT_SECONDS:g} s is the limit."
                )
            if tried == TRIES or time.monotonic() + wait >= deadline:
                raise EmbedderFailed(f"{reason}; tried {tried} times within {self._timeout_seconds:g} s.") from cause
            self._sleep(wait)
        raise AssertionError("the last try returns or raises")

    def _try(self, body: bytes, deadline: float) -> tuple[int, httpx.Headers, bytes]:
        headers = {"Content-Type": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        left = max(0.001, deadline - time.monotonic())
        with self._connections().stream("POST", self._url, content=body, headers=headers, timeout=left) as response:
            if response.status_code != 200:
                return response.status_code, response.headers, b""
            answer = bytearray()
            for part in response.iter_bytes():
                answer += part
                if len(answer) > LARGEST_ANSWER_BYTES:
                    raise EmbedderFailed(
                        f"{self._host} answered with more than {LARGEST_ANSWER_BYTES // 1024**2} MB, the limit."
                    )
                # httpx's own limit is for each part alone: a server that drips keeps it for ever.
                if time.monotonic() > deadline:
                    raise self._slow()
            return 200, response.headers, bytes(answer)

    def _connections(self) -> httpx.Client:
        import httpx

        with self._lock:
            # After a fork, parent and child would read each other's answers from one connection.
            if self._client is None or self._process != os.getpid():
                self._client, self._process = httpx.Client(follow_redirects=False), os.getpid()
            return self._client

    def _slow(self) -> EmbedderFailed:
        return EmbedderFailed(f"{self._host} gave no whole answer within {self._timeout_seconds:g} s.")

    def _advice(self, status: int) -> str:
        if status in (401, 403):
            return "it refuses the key." if self._key else "it wants a key, and none is set."
        if 300 <= status < 400:
            return "a redirect, which is not followed. Give the final address as url."
        if status == 404:
            return f"it knows no such path, or no model {self._asked_model!r}. Check url and model."
        if status in (400, 413, 422):
            return f"it refuses the texts, their length or the options for {self._asked_model!r}."
        return "that is no list of vectors. Check url and model."


def _address(url: str) -> tuple[str, str]:
    """(full address, host and port for messages); a bare host or `.../v1` is completed."""
    example = "for example http://localhost:11434/v1"
    try:
        parts = urlsplit(url.strip())
        host, port = parts.hostname, parts.port
    except ValueError:
        raise InvalidInput(f"the url of the embedder is not a web address; {example}") from None
    if parts.scheme not in ("http", "https") or not host:
        raise InvalidInput(f"the url of the embedder must begin with http:// or https:// and name a host; {example}")
    path = parts.path.rstrip("/")
    if not path.endswith("/embeddings"):
        path = (path or "/v1") + "/embeddings"
    shown = f"[{host}]" if ":" in host else host
    return urlunsplit((parts.scheme, parts.netloc, path, parts.query, "")), f"{shown}:{port}" if port else shown


def _checked_key(key: str | None) -> str | None:
    key = (key or "").strip()
    if not key.isascii() or not key.isprintable() or " " in key:
        raise InvalidInput("the key of the embedder holds characters that no key has (spaces, controls or non-ASCII)")
    return key or None


def _sendable(text: str) -> str:
    # Servers refuse empty texts, and half a surrogate pair is no Unicode.
    return text.encode("utf-8", "replace").decode() or " "


def _asked_wait(headers: httpx.Headers) -> float | None:
    """Seconds the server asks to wait; a date is counted from the server's own."""
    asked = headers.get("retry-after", "").strip()
    if asked.isascii() and asked.isdigit():
        return float(asked[:9])
    try:
        until = parsedate_to_datetime(asked) - parsedate_to_datetime(headers.get("date", ""))
    except (ValueError, TypeError):
        return None
    return max(0.0, until.total_seconds())


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
