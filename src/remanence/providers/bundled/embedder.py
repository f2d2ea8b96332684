"""`Bundled`: the default embedder. Weights and vocabulary are loaded at first use, once a process, for all threads."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from remanence.providers.bundled.weights import Weights
    from remanence.providers.bundled.wordpiece import Vocabulary

# The digest of the weights, then the revision of what is ours: tokenizer and pass. A change of either is a new name.
MODEL = "all-MiniLM-L6-v2-int8@8199be6f.1"
DIMENSION = 384


class Bundled:
    """all-MiniLM-L6-v2 in int8, run by numpy; 256 tokens of a text count."""

    model = MODEL
    local = True
    dimension = DIMENSION

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One unit vector a text; the same bits alone and in a batch."""
        from remanence.providers.bundled.model import vectors
        from remanence.providers.bundled.one_thread import one_thread
        from remanence.providers.bundled.weights import MOST_TOKENS

        words, weights = vocabulary(), _shared.weights()
        tokens = [words.tokens(text, MOST_TOKENS) for text in texts]
        with one_thread():
            return vectors(weights, tokens)

    def __repr__(self) -> str:
        return f"Bundled({self.model!r})"


def vocabulary() -> Vocabulary:
    """The one vocabulary of this process; it needs neither numpy nor the weights."""
    return _shared.vocabulary()


class _Shared:
    """What all of a process share, loaded under a lock and never changed after."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._vocabulary: Vocabulary | None = None
        self._weights: Weights | None = None

    def vocabulary(self) -> Vocabulary:
        if self._vocabulary is None:
            from remanence.providers.bundled.wordpiece import Vocabulary

            with self._lock:
                if self._vocabulary is None:
                    self._vocabulary = Vocabulary(Path(__file__).with_name("vocabulary.txt"))
        return self._vocabulary

    def weights(self) -> Weights:
        if self._weights is None:
            from remanence.providers.bundled.weights import load

            with self._lock:
                if self._weights is None:
                    self._weights = load()
        return self._weights

    def after_fork(self) -> None:
        # A thread that was loading while another forked left the lock held in the child, where it does not run.
        self._lock = threading.Lock()


_shared = _Shared()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_shared.after_fork)
