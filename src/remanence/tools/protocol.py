"""What tools need of a mind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from remanence.model.explanation import Explanation
from remanence.model.extraction import Extraction
from remanence.model.hit import Absorbed, Hits, Remembered
from remanence.model.memory import Memory
from remanence.model.plan import Event, Receipt


class Keeper(Protocol):
    """A mind, as tools see it; the arguments are Mind's."""

    review: Any

    def absorb(self, text: str, **kwargs: Any) -> Absorbed: ...

    def remember(self, *args: Any, **kwargs: Any) -> Remembered: ...

    def revise(self, *args: Any, **kwargs: Any) -> Remembered: ...

    def extract(self, text: str) -> Extraction: ...

    def recall(self, *args: Any, **kwargs: Any) -> Hits: ...

    def get(self, id: str) -> Memory: ...

    def count(self, *args: Any, **kwargs: Any) -> int: ...

    def forget(self, *args: Any, **kwargs: Any) -> Receipt: ...

    def restore(self, *args: Any, **kwargs: Any) -> Receipt: ...

    def explain(self, id: str) -> Explanation: ...

    def history(self, id: str) -> Sequence[Event]: ...

    def list(self, *args: Any, **kwargs: Any) -> Sequence[Memory]: ...
