"""Embedders and language models, each seen from both sides: `Embedder` and `Llm` are what users bring, `Encoder` and
`Writer` what flows use.

What users bring may be wrong, slow or gone. What flows use never passes that on. An encoder (`checked.py`) gives
vectors of unit length and of one dimension, or raises EmbedderFailed in time. A writer (`metered.py`) gives text, or a
value that is valid against a schema, or raises LlmFailed in time; it sends nothing past the ceilings on tokens.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

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


class Completion(NamedTuple):
    """What a language model wrote, and what it cost; `cut` where it ended at the limit and not by itself."""

    text: str
    tokens_in: int
    tokens_out: int
    cut: bool = False


class Llm(Protocol):
    """Completes a prompt. A test double is five lines.

    Calls come one at a time, from any thread, unless it has `concurrent = True`. Text alone is enough for an answer:
    then its tokens are estimated.
    """

    @property
    def model(self) -> str: ...

    def complete(
        self, prompt: str, *, system: str = "", schema: Mapping[str, Any] | None = None, most_tokens: int = 1024
    ) -> str | Completion:
        """The answer; with a `schema`, JSON that is meant to be valid against it."""
        ...


class Purse(Protocol):
    """Where spent tokens are counted, for all processes of a store. Asked on the caller's thread alone."""

    def spent(self, day: str) -> int:
        """Tokens of that UTC day, in and out."""
        ...

    def spend(self, day: str, model: str, *, tokens_in: int, tokens_out: int, failed: bool) -> None: ...


class Writer(Protocol):
    """A language model that is checked and metered. Threads may share one."""

    @property
    def model(self) -> str: ...

    def text(self, prompt: str, *, system: str = "", most_tokens: int = 1024) -> str:
        """The whole answer, or LlmFailed."""
        ...

    def json(
        self,
        prompt: str,
        schema: Mapping[str, Any],
        *,
        system: str = "",
        most_tokens: int = 1024,
        accepted: Mapping[str, Any] | None = None,
    ) -> Any:
        """A value that is valid against the schema, or LlmFailed; the model is told once what was wrong.

        What is valid against `accepted` alone, which the model is not told, is taken as it is.
        """
        ...

    def available(self) -> bool:
        """False while it is left alone after failures."""
        ...


class Writers(Protocol):
    """The writers of a run by role: `default`, and `smol` for short and frequent work."""

    @property
    def default(self) -> Writer: ...
    @property
    def smol(self) -> Writer: ...
    @property
    def spent(self) -> int:
        """Tokens of this run, in and out, of both roles."""
        ...
