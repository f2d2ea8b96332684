"""product: the whole of it as a contender. A mind remembers each session, sweeps, applies, and what is live has stayed.

Its budget is in tokens, the protocol's in characters: it gets that share of the talk's tokens, and less where what it
kept has too many characters. What it supersedes or knows already at the door is its own affair, as it would be for a
user; so is what surprise makes of importance where there is an embedding model.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from remanence.model.policy import Policy
from remanence.simulator.contenders.ours import Clock
from remanence.simulator.forgetting.contenders import PRODUCT
from remanence.simulator.forgetting.replay import Known

_SCOPE = "/talk"
_PAGE = 1000
_A_LITTLE_LESS = 0.99


@dataclass(frozen=True, slots=True)
class Product:
    """`make` opens a mind with a clock and a policy."""

    make: Callable[..., Any]
    policy: Policy
    name: str = PRODUCT

    def kept(self, known: Known, budget: float) -> NDArray[np.bool_]:
        """What is live at the end of a talk."""
        most = budget * known.talk.characters
        tokens = budget * float(known.columns.tokens.sum())
        while True:  # with each try it gets fewer tokens, and with none it holds nothing
            kept, held = self._lived(known, int(tokens))
            if held <= most:
                return kept
            tokens *= _A_LITTLE_LESS * most / held

    def _lived(self, known: Known, tokens: int) -> tuple[NDArray[np.bool_], int]:
        """What is live under so many tokens, and its characters: what was said twice is held once."""
        turns = known.talk.turns
        clock = Clock(turns[0].at)
        policy = replace(self.policy, numbers={**self.policy.numbers, "scope_tokens": float(tokens)})
        rows: dict[str, list[int]] = {}
        with self.make(clock, policy=policy) as mind:
            for session, some in groupby(range(len(turns)), key=lambda row: turns[row].session):
                said = list(some)
                clock.at = turns[said[-1]].at
                drafts = [
                    {
                        "text": turns[row].text,
                        "scope": _SCOPE,
                        "created_at": turns[row].at,
                        "origin": f"session:{session}",
                    }
                    for row in said
                ]
                for row, made in zip(said, mind.remember_many(drafts), strict=True):
                    if made.memory is not None:
                        rows.setdefault(made.memory.id, []).append(row)
                mind.apply(mind.sweep(), force=True)
            kept = np.zeros(len(turns), dtype=bool)
            held = offset = 0
            while page := mind.list(scope=_SCOPE, limit=_PAGE, offset=offset):
                kept[[row for memory in page for row in rows.get(memory.id, ())]] = True
                held += sum(len(memory.text) for memory in page)
                offset += len(page)
        return kept, held
