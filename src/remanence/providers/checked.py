"""`Checked`: an encoder around any embedder. It gives right vectors or EmbedderFailed, and never waits past a deadline.

How long a call may take, and how long the embedder is left alone after failures, is decided in `patience.py`; calls in
that time fail at once. The bundled embedder needs no thread of its own.

Messages name the embedder and what was wrong with its answer. They never hold a text, or what the embedder itself said:
that may hold one. The error it raised is the `__cause__`.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from remanence.errors import EmbedderFailed
from remanence.providers.patience import Patience

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from remanence.providers.protocol import Embedder

TIMEOUT_SECONDS = 10.0
BATCH = 64
MOST_DIMENSIONS = 8_192
_TRIED_ALONE = 3
_PROBE = "Is anybody there?"
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
        self._lock = threading.Lock()
        self._patience = Patience(self._who, failed=EmbedderFailed, late=_TooLate, clock=clock)

    @property
    def model(self) -> str:
        """The embedder's name; a prefix of documents makes other vectors, so it becomes part of it."""
        name = self._embedder.model
        return f"{name}+{sha256(self._document_prefix.encode()).hexdigest()[:8]}" if self._document_prefix else name

    @property
    def local(self) -> bool:
        return bool(getattr(self._embedder, "local", False))

    def available(self) -> bool:
        return self._patience.available()

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
                self._patience.record_success()
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
        before = self._patience.failures()
        try:
            found = self._unit_rows(self._called(texts), len(texts))
        except Exception as error:
            failed = error if isinstance(error, EmbedderFailed) else None
            reason = str(failed) if failed else f"{self._who()} raised {type(error).__name__}."
            self._patience.record_failure(before, reason)
            if failed:
                raise
            raise EmbedderFailed(reason) from error
        self._patience.record_success()
        return found

    def _called(self, texts: list[str]) -> Any:
        def work() -> Any:
            return _array(self._embedder.embed(texts))

        if self.local:
            return work()
        # Most local models are not safe to call from two threads; an endpoint says that it is.
        free = getattr(self._embedder, "concurrent", False) is True
        return self._patience.call(work, self._timeout_seconds, free=free)

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
            raise EmbedderFailed(
                f"{self._who()} gave NaN or infinity for {(~np.isfinite(largest)).sum()} of {len(largest)} texts."
            )
        if not largest.all():
            raise EmbedderFailed(
                f"{self._who()} gave nothing but zeros for {(largest == 0).sum()} of {len(largest)} texts."
            )
        rows /= largest
        rows /= np.sqrt(np.einsum("ij,ij->i", rows, rows))[:, None]
        with self._lock:
            known = self._dimension = self._dimension or rows.shape[1]
        if rows.shape[1] != known:
            raise EmbedderFailed(f"{self._who()} gave vectors of {rows.shape[1]} numbers; {known} are expected.")
        return rows.astype(np.float32)

    def _who(self) -> str:
        return f"The embedder {self._embedder.model}"


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
