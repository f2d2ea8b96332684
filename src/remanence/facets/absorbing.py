"""mind.absorbing: texts taken apart and absorbed, with the language models of a mind and what they may spend.

Roles: `default` takes texts apart; `smol` is for small work and falls back to it. Without a model everything works
deterministically.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from remanence.model.extraction import Extraction
from remanence.model.hit import Absorbed
from remanence.providers.prompts import Prompts
from remanence.providers.protocol import Encoder, Writers
from remanence.store.protocol import Store

if TYPE_CHECKING:
    from remanence.flows.extract import Model


class Absorbing:
    """What one mind takes texts apart with."""

    def __init__(
        self,
        store: Store,
        encoder: Encoder | None,
        writers: Writers | None,
        prompts: Prompts,
        entropy: Callable[[int], bytes],
        personal: Collection[str],
    ) -> None:
        self._store = store
        self._encoder = encoder
        self._writers = writers
        self._prompts = prompts
        self._entropy = entropy
        self._personal = personal

    @property
    def model(self) -> str | None:
        """The language model that takes texts apart; None where none is configured."""
        return None if self._writers is None else self._writers.default.model

    def boundary(self) -> str:
        """A line that no text can hold, since nobody could know it."""
        return self._entropy(12).hex()

    def extract(self, text: str) -> Extraction:
        from remanence.flows.extract import extract

        return extract(text, self.asking(), self._personal)

    def absorb(self, text: str, given: Mapping[str, Any], now: datetime, new_id: Callable[[datetime], str]) -> Absorbed:
        from remanence.flows.absorb import absorb

        return absorb(self._store, self._encoder, text, given, now, new_id, self.asking(), self._personal)

    @property
    def prompts(self) -> Prompts:
        return self._prompts

    def asking(self, *, small: bool = False) -> Model | None:
        """What is needed to ask the language model, or the one for small work; None where none is configured."""
        if self._writers is None:
            return None
        from remanence.flows.extract import Model

        return Model(self._writers.smol if small else self._writers.default, self._prompts, self.boundary)

    @property
    def spent(self) -> int:
        """Tokens that this mind's language models were given and gave."""
        return 0 if self._writers is None else self._writers.spent
