"""What an embedder is, seen from both sides: `Embedder` is what users bring, `Encoder` what flows use.

An embedder may be wrong, slow or gone. An encoder (`checked.py`) never passes that on: it gives vectors of unit length
and of one dimension, or raises EmbedderFailed in time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Embedder(Protocol):
    """Turns texts into vectors. A test double is five lines.

    Calls come one at a time, from any thread, unless it has `concurrent = True`. It may also say `local = True`
    (quick and in this process: no deadline is kept for it) and `dimension`.
    """

    @property
    def model(self) -> str:
        """Names weights and revision exactly: vectors of different models are never compared."""
        ...

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]] | NDArray[np.floating]:
        """One vector a text, in the order of the texts."""
        ...


class Encoder(Protocol):
    """Gives checked vectors of unit length. Threads may share one."""

    @property
    def model(self) -> str:
        """Names what the vectors were made with."""
        ...

    @property
    def local(self) -> bool:
        """Quick and in this process: a single write may wait for it."""
        ...

    def documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One unit row a text, or EmbedderFailed."""
        ...

    def each(self, texts: Sequence[str]) -> list[NDArray[np.float32] | None]:
        """The unit vector of each text, None for one that fails alone; EmbedderFailed where all of them would."""
        ...

    def query(self, text: str) -> NDArray[np.float32]:
        """The unit vector of a question, or EmbedderFailed."""
        ...

    def available(self) -> bool:
        """False while it is left alone after failures."""
        ...
