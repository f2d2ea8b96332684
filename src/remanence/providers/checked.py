"""`Checked`: an encoder around any embedder. It gives right vectors or EmbedderFailed, and never waits past a deadline.

A call runs on a thread of its own, so that one that hangs is left behind and the process can still exit; the bundled
embedder needs none. After a failure the embedder is left alone for 1 s, then 2, 4 ... up to 60 (failure 7 and later);
calls in that time fail at once. One success ends it.

Messages name the embedder and what was wrong with its answer. They never hold a text, or what the embedder itself said:
that may hold one. The error it raised is the `__cause__`.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from remanence.errors import EmbedderFailed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from remanence.providers.protocol import Embedder

TIMEOUT_SECONDS = 10.0
BATCH = 64
MOST_DIMENSIONS = 8_192
_TRIED_ALONE = 3
_PROBE = "Is anybody there?"
_FIRST_PAUSE_SECONDS, _LONGEST_PAUSE_SECONDS = 1.0, 60.0
# Threads that never return cannot be ended, only left; this many and no more.
_MOST_STUCK = 4
# Of a squared length: what rounding to 32 bits leaves.
_UNIT_TOLERANCE = 1e-6


class _TooLate(EmbedderFailed):
    """It gave no answer in time: trying again would only take as long again."""


class Checked:
    """An Encoder over an Embedder. Threads may share one."""

    def __init__(
        self,
        embedder: Embedder,
        *,
        dimension: int | None = None,
        timeout_seconds: float = TIMEOUT_SECONDS,
        batch: int = BATCH,
        query_prefix: str = "",
        document_prefix: str = "",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._embedder = embedder
        self._dimension = dimension
        self._timeout_seconds = timeout_seconds
        self._batch = batch
        self._query_prefix = query_prefix
        self._document_prefix = document_prefix
        self._clock = clock
        self._lock = threading.Lock()
        self._turn = threading.Lock()
        self._stuck: list[threading.Thread] = []
        self._failures = 0
        self._last_reason = ""
        self._again_at = -math.inf

    @property
    def model(self) -> str:
        """The embedder's name; a prefix of documents makes other vectors, so it becomes part of it."""
        name = self._embedder.model
        return f"{name}+{sha256(self._document_prefix.encode()).hexdigest()[:8]}" if self._document_prefix else name

    @property
    def local(self) -> bool:
        return bool(getattr(self._embedder, "local", False))

    def available(self) -> bool:
        with self._lock:
            return self._clock() >= self._again_at

    def documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np

        prefixed = [self._document_prefix + text for text in texts]
        rows = [self._vectors(prefixed[at : at + self._batch]) for at in range(0, len(prefixed), self._batch)]
        if not rows:
            return np.zeros((0, self._dimension or 0), np.float32)
        return rows[0] if len(rows) == 1 else np.concatenate(rows)

    def each(self, texts: Sequence[str]) -> list[NDArray[np.float32] | None]:
        """The unit row of each text; None for one that cannot be embedded, though the embedder is well."""
        if not texts:
            return []
        if not self.available():
            self.documents(texts)  # which says why
        try:
            return list(self.documents(texts))
        except _TooLate:
            raise
        except EmbedderFailed as failed:
            found: list[NDArray[np.float32] | None] = []
            for text in texts:
                found.append(self._alone(self._document_prefix + text))
                if len(found) == _TRIED_ALONE and not any(one is not None for one in found):
                    break
            if any(one is not None for one in found) or self._alone(_PROBE) is not None:
                found += [self._alone(self._document_prefix + text) for text in texts[len(found) :]]
                with self._lock:
                    self._failures, self._again_at = 0, -math.inf
                return found
            raise failed

    def _alone(self, text: str) -> NDArray[np.float32] | None:
        """The unit row of one text, tried whatever happened before."""
        try:
            row: NDArray[np.float32] = self._unit_rows(self._called([text]), 1)[0]
        except Exception:
            return None
        return row

    def query(self, text: str) -> NDArray[np.float32]:
        return self._vectors([self._query_prefix + text])[0]

    def __repr__(self) -> str:
        return f"Checked({self._embedder!r})"

    def _vectors(self, texts: list[str]) -> NDArray[np.float32]:
        """Unit rows of one batch; every failure is counted here, and only here."""
        with self._lock:
            wait, before = self._again_at - self._clock(), self._failures
            if wait > 0:
                raise EmbedderFailed(
                    f"{self._last_reason} It failed {before} times in a row and is tried again in {math.ceil(wait)} s."
                )
        try:
            found = self._unit_rows(self._called(texts), len(texts))
        except Exception as error:
            failed = error if isinstance(error, EmbedderFailed) else None
            reason = str(failed) if failed else f"{self._who()} raised {type(error).__name__}."
            with self._lock:
                # Calls that failed together are one failure.
                if self._failures == before:
                    self._failures += 1
                    self._last_reason = reason
                    pause = min(_FIRST_PAUSE_SECONDS * 2 ** min(before, 16), _LONGEST_PAUSE_SECONDS)
                    self._again_at = self._clock() + pause
            if failed:
                raise
            raise EmbedderFailed(reason) from error
        with self._lock:
            self._failures, self._again_at = 0, -math.inf
        return found

    def _called(self, texts: list[str]) -> Any:
        if self.local:
            return _array(self._embedder.embed(texts))
        limit = self._timeout_seconds
        # Most local models are not safe to call from two threads; an endpoint says that it is.
        free = getattr(self._embedder, "concurrent", False) is True
        turn = nullcontext() if free else _within(self._turn, limit, self._who)
        with turn:
            return self._on_a_thread(texts, limit)

    def _on_a_thread(self, texts: list[str], limit: float) -> Any:
        with self._lock:
            self._stuck = [thread for thread in self._stuck if thread.is_alive()]
            stuck = len(self._stuck)
        if stuck >= _MOST_STUCK:
            raise EmbedderFailed(
                f"{self._who()} still holds {stuck} calls that never returned; the limit is {_MOST_STUCK}."
            )
        answer: list[Any] = []
        raised: list[BaseException] = []

        def work() -> None:
            try:
                answer.append(_array(self._embedder.embed(texts)))
            except BaseException as error:  # handed to the caller, below
                raised.append(error)

        thread = threading.Thread(target=work, name="remanence-embedder", daemon=True)
        thread.start()
        thread.join(limit)
        if answer:
            return answer[0]
        if not raised:
            with self._lock:
                self._stuck.append(thread)
            raise _TooLate(f"{self._who()} gave no answer within {limit:g} s.")
        if isinstance(raised[0], Exception | KeyboardInterrupt | SystemExit):
            raise raised[0]
        raise EmbedderFailed(f"{self._who()} raised {type(raised[0]).__name__}.") from raised[0]

    def _unit_rows(self, answer: Any, count: int) -> NDArray[np.float32]:
        """The answer as unit rows, once nothing is wrong with it."""
        import numpy as np

        problem = ""
        if answer is None:
            problem = "gave vectors of different lengths, or no vectors at all; every text needs one of the same length"
        elif answer.dtype.kind not in "fiu":
            problem = f"gave values of the type {answer.dtype.name}, not numbers"
        elif answer.ndim != 2:
            problem = f"gave an array of {answer.ndim} dimensions, not 2 (texts × numbers)"
        elif len(answer) != count:
            problem = f"gave {len(answer)} vectors for {count} texts"
        elif not 1 <= answer.shape[1] <= MOST_DIMENSIONS:
            problem = f"gave vectors of {answer.shape[1]} numbers; 1 to {MOST_DIMENSIONS} are allowed"
        if problem:
            raise EmbedderFailed(f"{self._who()} {problem}.")
        if answer.dtype == np.float32 and answer.shape[1] == self._dimension:
            # Most give unit rows already. What overflows or is no number has no length near 1 either.
            if count == 1:
                # vdot raises no warnings, and one number is sooner looked at than an array of one.
                if abs(float(np.vdot(answer, answer)) - 1) < _UNIT_TOLERANCE:
                    return np.array(answer)
            else:
                with np.errstate(over="ignore", invalid="ignore"):
                    lengths = np.vecdot(answer, answer)
                if (np.abs(lengths - 1) < _UNIT_TOLERANCE).all():
                    return np.array(answer)
        rows = answer.astype(np.float64)
        # Divided by its largest number first, a row neither overflows nor vanishes when squared.
        largest = np.abs(rows).max(axis=1, keepdims=True)
        if not np.isfinite(largest).all():
            raise EmbedderFailed(f"{self._who()} gave NaN or infinity in {(~np.isfinite(largest)).sum()} vectors.")
        if not largest.all():
            raise EmbedderFailed(f"{self._who()} gave nothing but zeros in {(largest == 0).sum()} vectors.")
        rows /= largest
        rows /= np.sqrt(np.einsum("ij,ij->i", rows, rows))[:, None]
        with self._lock:
            known = self._dimension = self._dimension or rows.shape[1]
        if rows.shape[1] != known:
            raise EmbedderFailed(f"{self._who()} gave vectors of {rows.shape[1]} numbers; {known} are expected.")
        return rows.astype(np.float32)

    def _who(self) -> str:
        return f"The embedder {self._embedder.model}"


@contextmanager
def _within(lock: threading.Lock, limit: float, who: Callable[[], str]) -> Iterator[None]:
    """Holds a lock, or fails when it cannot be had in time."""
    if not lock.acquire(timeout=limit):
        raise EmbedderFailed(f"{who()} was busy with other calls for {limit:g} s.")
    try:
        yield
    finally:
        lock.release()


def _array(answer: Any) -> Any:
    """The answer as an array, or None where its rows do not make one."""
    import numpy as np

    if hasattr(answer, "__await__"):
        close = getattr(answer, "close", None)
        if close:
            close()
        raise EmbedderFailed("The embedder is async; embed must give its vectors, not a coroutine.")
    try:
        found = np.asarray(answer)
    except (ValueError, TypeError):
        return None
    return None if found.dtype.kind == "O" and found.ndim < 2 else found
