"""`Posting`: JSON to one address over HTTP, and the body of the first good answer.

One deadline holds for a call with all its retries. 408, 425, 429, 5xx and broken connections are tried again, after
what the server asks for (`Retry-After`, up to 5 s) or 0.25 s doubling. Redirects are never followed, so the key goes to
the host it was given for and nowhere else. Messages hold the host, the status and the model; never the key, a text, or
the server's words, which may repeat one.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Mapping
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit, urlunsplit

from remanence.errors import InvalidInput

if TYPE_CHECKING:
    import httpx

TRIES = 3
LONGEST_WAIT_SECONDS = 5.0
REFUSALS = (400, 413, 422)
_FIRST_WAIT_SECONDS = 0.25
_PASSING = {408, 425, 429, *range(500, 600)}
_MOST_SAID_BYTES = 16 * 1024


class Unanswered(Exception):
    """No good answer. `sent` counts the tries in which the server may have read the body.

    `said` is the beginning of what it wrote to a refusal: to be searched, never shown.
    """

    def __init__(self, message: str, *, status: int = 0, sent: int = 0, said: bytes = b"") -> None:
        super().__init__(message)
        self.status = status
        self.sent = sent
        self.said = said


class Answer(NamedTuple):
    body: bytes
    sent: int


class Posting:
    """Threads may share one. `refused` and `wanted` complete "it refuses ..." and "that is no ..." in messages."""

    def __init__(
        self,
        url: str,
        host: str,
        *,
        model: str,
        headers: Mapping[str, str],
        keyed: bool,
        refused: str,
        wanted: str,
        timeout_seconds: float,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._url, self.host = url, host
        self._model = model
        self._headers = {"Content-Type": "application/json", **headers}
        self._keyed = keyed
        self._refused, self._wanted = refused, wanted
        self.timeout_seconds = timeout_seconds
        self._sleep = sleep
        self._lock = threading.Lock()
        self._client: httpx.Client | None = None
        self._process = 0

    def post(self, body: bytes, *, largest: int, deadline: float | None = None) -> Answer:
        """The first good answer of at most `largest` bytes, or Unanswered; all tries together keep the deadline."""
        import httpx

        deadline = time.monotonic() + self.timeout_seconds if deadline is None else deadline
        own_wait = _FIRST_WAIT_SECONDS
        sent = 0
        for tried in range(1, TRIES + 1):
            asked_wait: float | None = None
            cause: Exception | None = None
            status = 0
            try:
                status, headers, answer = self._try(body, largest, deadline)
            except (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.ProxyError) as error:
                if isinstance(error, httpx.TimeoutException):
                    raise self._slow(sent) from error
                cause, reason = error, f"{self.host} cannot be reached ({type(error).__name__})"
            except httpx.TimeoutException as error:
                raise self._slow(sent + 1) from error
            except httpx.HTTPError as error:
                sent += 1
                cause, reason = error, f"{self.host} cannot be reached ({type(error).__name__})"
            except Unanswered as failed:
                failed.sent = sent + 1
                raise
            else:
                sent += 1
                if status == 200:
                    return Answer(answer, sent)
                reason = f"{self.host} answered {status}"
                if status not in _PASSING:
                    raise Unanswered(f"{reason}: {self._advice(status)}", status=status, sent=sent, said=answer)
                asked_wait = _asked_wait(headers)
            wait = own_wait if asked_wait is None else asked_wait
            own_wait *= 2
            if wait > LONGEST_WAIT_SECONDS:
                raise Unanswered(
                    f"{reason} and asks to wait {wait:.0f} s; {LONGEST_WAIT_SECONDS:g} s is the limit.",
                    status=status,
                    sent=sent,
                )
            if tried == TRIES or time.monotonic() + wait >= deadline:
                raise Unanswered(
                    f"{reason}; tried {tried} times within {self.timeout_seconds:g} s.", status=status, sent=sent
                ) from cause
            self._sleep(wait)
        raise AssertionError("the last try returns or raises")

    def _try(self, body: bytes, largest: int, deadline: float) -> tuple[int, httpx.Headers, bytes]:
        left = max(0.001, deadline - time.monotonic())
        connections = self._connections()
        with connections.stream("POST", self._url, content=body, headers=self._headers, timeout=left) as response:
            status = response.status_code
            answer = bytearray()
            if status == 200 or status in REFUSALS:
                for part in response.iter_bytes():
                    answer += part
                    if status != 200 and len(answer) > _MOST_SAID_BYTES:
                        break
                    if len(answer) > largest:
                        raise Unanswered(f"{self.host} answered with more than {largest // 1024**2} MB, the limit.")
                    # httpx's own limit is for each part alone: a server that drips keeps it for ever.
                    if time.monotonic() > deadline:
                        raise self._slow()
            return status, response.headers, bytes(answer)

    def _connections(self) -> httpx.Client:
        import httpx

        with self._lock:
            # After a fork, parent and child would read each other's answers from one connection.
            if self._client is None or self._process != os.getpid():
                self._client, self._process = httpx.Client(follow_redirects=False), os.getpid()
            return self._client

    def _slow(self, sent: int = 0) -> Unanswered:
        return Unanswered(f"{self.host} gave no whole answer within {self.timeout_seconds:g} s.", sent=sent)

    def _advice(self, status: int) -> str:
        if status in (401, 403):
            return "it refuses the key." if self._keyed else "it wants a key, and none is set."
        if 300 <= status < 400:
            return "a redirect, which is not followed. Give the final address as url."
        if status == 404:
            return f"it knows no such path, or no model {self._model!r}. Check url and model."
        if status in REFUSALS:
            return f"it refuses {self._refused} for {self._model!r}."
        return f"that is no {self._wanted}. Check url and model."


def address(url: str, complete: Callable[[str], str], *, whose: str, example: str) -> tuple[str, str]:
    """(full address, host and port for messages); `complete` makes a path whole. Otherwise InvalidInput."""
    example = f"for example {example}"
    try:
        parts = urlsplit(url.strip())
        host, port = parts.hostname, parts.port
    except ValueError:
        raise InvalidInput(f"the url of the {whose} is not a web address; {example}") from None
    if parts.scheme not in ("http", "https") or not host:
        raise InvalidInput(f"the url of the {whose} must begin with http:// or https:// and name a host; {example}")
    path = complete(parts.path.rstrip("/"))
    shown = f"[{host}]" if ":" in host else host
    return urlunsplit((parts.scheme, parts.netloc, path, parts.query, "")), f"{shown}:{port}" if port else shown


def checked_key(key: str | None, *, whose: str) -> str | None:
    key = (key or "").strip()
    if not key.isascii() or not key.isprintable() or " " in key:
        raise InvalidInput(f"the key of the {whose} holds characters that no key has (spaces, controls or non-ASCII)")
    return key or None


def sendable(text: str) -> str:
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
