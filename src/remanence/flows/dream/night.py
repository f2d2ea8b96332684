"""What every step of a dream is given, and what it gives back.

A step reads, lets pure rules decide, and proposes claims. Between two pure functions it may ask a language model; what
the model answers is held against the memories, and dropped and counted where it does not stand. No step changes one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from hashlib import blake2b
from typing import TYPE_CHECKING

from remanence.model.claim import Claim
from remanence.model.memory import Memory, State
from remanence.model.moment import earlier
from remanence.model.plan import Change
from remanence.model.policy import Policy
from remanence.providers.protocol import Encoder
from remanence.store.protocol import Store

if TYPE_CHECKING:
    from remanence.flows.extract import Model

_DAY, _MONTH = timedelta(days=1), timedelta(days=30)
_ASKED = "asked:"
USED_UP = "the time of this run was used up: what is left waits for the next"
_MOST_RECEIPTS = 1_000


@dataclass(slots=True)
class Night:
    """One dream: the store, the moment, what may be asked, and what earlier steps of the same plan decided."""

    store: Store
    policy: Policy
    now: datetime
    new_id: Callable[[datetime], str]
    scopes: tuple[str, ...] | None = None
    encoder: Encoder | None = None
    model: Model | None = None
    may_ask: Callable[[], bool] = lambda: True
    """Whether there are tokens left for the model: where not, a step goes on without it."""
    roots: tuple[str, ...] = ()
    is_over: Callable[[], bool] = lambda: False
    """Whether the time of this run is used up: a step then proposes what it has and ends."""
    prunes: bool = False
    """Whether old accesses are let go in the same dream: rules then decide without them."""
    taken: set[str] = field(default_factory=set)
    """Memories that earlier steps change: no other step touches them in the same plan."""
    leaving: set[str] = field(default_factory=set)
    """Those of them that leave recall."""
    made: dict[str, Memory] = field(default_factory=dict)
    """What earlier steps of the same plan add to recall."""

    @property
    def llm(self) -> Model | None:
        """The language model, while it may be asked."""
        return self.model if self.model is not None and self.may_ask() else None

    def today(self, *verbs: str) -> list[Change]:
        """What plans of these verbs changed in the last day: whoever dreams again must not get further by it."""
        since = earlier(self.now, _DAY)
        receipts = (receipt for verb in verbs for receipt in self.store.receipts(verb, _MOST_RECEIPTS, since=since))
        return [change for receipt in receipts if receipt.at <= self.now for change in receipt.changes]

    def was_asked(self, what: str) -> bool:
        """Whether a model was asked this within the last month, and nothing came of it."""
        at = self.store.job(_ASKED + what).finished_at
        return at is not None and earlier(self.now, _MONTH) < at <= self.now

    def note_asked(self, what: str) -> None:
        """A model was asked this in vain: it costs to ask again."""
        if (lease := self.store.claim(_ASKED + what, "dream", self.now, 1.0)) is not None:
            self.store.finish(lease, self.now)

    def free(self, memory: Memory) -> bool:
        """Whether a step may take this memory out of recall or change it."""
        kept = memory.kept_until is not None and memory.kept_until > self.now
        return memory.state is State.LIVE and not memory.pinned and not kept and memory.id not in self.taken


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a step proposes: claims, and the changes of each, which carry its key."""

    step: str
    claims: tuple[Claim, ...] = ()
    changes: tuple[Change, ...] = ()
    warnings: tuple[str, ...] = ()
    llm: bool = False
    dropped: Counter[str] = field(default_factory=Counter)
    """How many answers of a model were dropped, by the reason."""


class Collecting:
    """The claims of a step so far, what it left out and why, and what of a model's answers was dropped."""

    def __init__(self, step: str) -> None:
        self._step = step
        self._claims: list[Claim] = []
        self._changes: list[Change] = []
        self._left_out: Counter[str] = Counter()
        self._warnings: list[str] = []
        self.dropped: Counter[str] = Counter()

    def add(self, claim: Claim, changes: Sequence[Change]) -> None:
        self._claims.append(claim)
        self._changes += claimed(claim, changes)

    def leave_out(self, why: str) -> None:
        """Count one thing that was left out: "clusters were left alone: …" is told once, with how many."""
        self._left_out[why] += 1

    def warn(self, warning: str) -> None:
        self._warnings.append(warning)

    def proposal(self, *, llm: bool | None = None) -> Proposal:
        """What the step proposes; a model had a part in it where it had one in a claim, unless that is told."""
        counted = (f"{number} {why}" for why, number in self._left_out.items())
        by_model = any(claim.llm for claim in self._claims) if llm is None else llm
        return Proposal(
            self._step,
            tuple(self._claims),
            tuple(self._changes),
            warnings=(*self._warnings, *counted),
            llm=by_model,
            dropped=self.dropped,
        )


def claim_key(step: str, ids: Iterable[str]) -> str:
    """The same for the same memories: "cluster-3fa9c1"."""
    return f"{step}-{blake2b(' '.join(sorted(ids)).encode(), digest_size=4).hexdigest()}"


def claimed(claim: Claim, changes: Sequence[Change]) -> tuple[Change, ...]:
    """The changes as parts of this claim."""
    return tuple(replace(change, claim=claim.key) for change in changes)
