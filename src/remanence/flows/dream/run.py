"""An unattended dream: step by step under a lease, each step's plan applied whole before the next one is made.

Stopped, killed, out of time or out of tokens, it has applied whole plans only; the next run begins with the steps that
were not finished since the last complete dream. One process dreams at a time; one that was frozen past its lease, and
replaced, can write no more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime

from remanence.errors import BreakerTripped, LeaseLost, RemanenceError
from remanence.flows.apply import apply
from remanence.flows.dream.cluster import MERGED
from remanence.flows.dream.night import Night
from remanence.flows.dream.plan import STEPS, joined, proposed
from remanence.flows.dream.prune import STEP as PRUNE
from remanence.model.claim import EVENTS
from remanence.model.dream import DreamRun
from remanence.model.lease import Lease
from remanence.model.plan import Action, Receipt
from remanence.model.words import estimate_tokens
from remanence.store.protocol import Progress, Store

JOB = "dream"
LEASE_SECONDS = 120.0
_BEAT_SECONDS = 15.0


def run(
    night: Night,
    clock: Callable[[], datetime],
    holder: str,
    steps: Sequence[str] | None = None,
    *,
    personal: Collection[str] = (),
    progress: Progress | None = None,
) -> DreamRun:
    """Dream and apply; without steps, those that are due."""
    store = night.store
    lease = store.claim(JOB, holder, clock(), LEASE_SECONDS)
    if lease is None:
        return DreamRun(at=night.now, ran=False, why=f"another process dreams: {store.job(JOB).holder}")
    held = _Held(store, clock, lease)
    dreaming = _Dreaming(replace(night, is_over=lambda: held.beaten() and night.is_over()), held, holder, personal)
    try:
        wanted = tuple(steps) if steps is not None else unfinished(store)
        dreaming.night.prunes = PRUNE in wanted
        left = []
        for number, step in enumerate(wanted):
            if progress is not None:
                progress(number, len(wanted))
            if not dreaming.step(step, whole=steps is None):
                left.append(step)
        if steps is None and not left:
            store.finish(held.lease, clock())
        else:
            store.beat(held.lease, clock(), 0)
    except LeaseLost as lost:
        return replace(dreaming.told(), ran=False, why=str(lost))
    except BaseException:
        with suppress(RemanenceError):
            store.beat(held.lease, clock(), 0)  # free for the next try
        raise
    return replace(dreaming.told(), left=tuple(left))


def unfinished(store: Store) -> tuple[str, ...]:
    """The steps that were not finished since the last complete dream; all of them after a complete one.

    Those come first that were not begun since: one that takes longer than a run must not keep the others waiting.
    """
    complete = store.job(JOB).finished_at

    def since(job: str) -> bool:
        at = store.job(job).finished_at
        return at is not None and (complete is None or at > complete)

    left = [step for step in STEPS if not since(_done(step))]
    return tuple(sorted(left, key=lambda step: since(_begun(step)))) or STEPS


def _done(step: str) -> str:
    return f"{JOB}:{step}"


def _begun(step: str) -> str:
    return f"{JOB}:{step}:begun"


class _Held:
    """The lease of the dream, beaten now and then."""

    def __init__(self, store: Store, clock: Callable[[], datetime], lease: Lease) -> None:
        self._store, self.clock, self.lease = store, clock, lease
        self._beaten_at = clock()

    def beaten(self) -> bool:
        """True; and the lease lasts on."""
        now = self.clock()
        if abs((now - self._beaten_at).total_seconds()) >= _BEAT_SECONDS:
            self.beat()
        return True

    def beat(self) -> None:
        self._beaten_at = self.clock()
        self.lease = self._store.beat(self.lease, self._beaten_at, LEASE_SECONDS)


class _Dreaming:
    """What was done so far."""

    def __init__(self, night: Night, held: _Held, holder: str, personal: Collection[str]) -> None:
        self.night, self._held, self._holder, self._personal = night, held, holder, personal
        self._receipts: dict[str, Receipt] = {}
        self._warnings: list[str] = []
        self._dropped: Counter[str] = Counter()
        self._pruned = self._events = 0
        self._llm = False

    def step(self, step: str, *, whole: bool) -> bool:
        """Run a step and apply what it proposes; whether it came to its end."""
        night = self.night
        if night.is_over():
            return False
        if whole:
            self._note(_begun(step))
        proposal = proposed(night, step)
        plan = joined([proposal])
        self._llm = self._llm or proposal.llm
        self._dropped += proposal.dropped
        self._warnings += plan.warnings
        self._held.beat()
        # What a step decided is in the store once it is applied, and decides for itself.
        night.taken.clear()
        night.leaving.clear()
        night.made.clear()
        events = sum(int(one.evidence.get(EVENTS, 0)) for one in plan.claims)
        if plan.changes or events:
            try:
                receipt = apply(
                    night.store,
                    plan,
                    night.now,
                    lease=self._held.lease,
                    personal=self._personal,
                    encoder=night.encoder,
                )
            except BreakerTripped as tripped:
                self._warnings.append(f"{step}: {tripped}")
            else:
                self._receipts[step] = receipt
                self._events += events
        self._pruned += sum(int(one.evidence.get("memories", 0)) for one in plan.claims if one.step == PRUNE)
        ended = not night.is_over()
        if ended and whole:
            self._note(_done(step))
        return ended

    def _note(self, job: str) -> None:
        store = self.night.store
        if (lease := store.claim(job, self._holder, self._held.clock(), 1.0)) is not None:
            store.finish(lease, self._held.clock())

    def told(self) -> DreamRun:
        changes = [change for receipt in self._receipts.values() for change in receipt.changes]
        out = [c.memory_id for c in changes if c.before.get("state") == "live" and c.after.get("state") != "live"]
        made = [change.memory_id for change in changes if change.action is Action.ADD]
        tokens = {id: estimate_tokens(memory.text) for id, memory in self.night.store.get([*out, *made]).items()}
        return DreamRun(
            at=self.night.now,
            receipts={step: receipt.id for step, receipt in self._receipts.items() if receipt.changes},
            merged=sum(change.reason == MERGED for change in changes),
            made=len(made),
            pruned=self._pruned,
            events=self._events,
            skipped=sum(len(receipt.skipped) for receipt in self._receipts.values()),
            tokens_freed=sum(tokens.get(id, 0) for id in out) - sum(tokens.get(id, 0) for id in made),
            llm=self._llm,
            dropped=dict(self._dropped),
            warnings=tuple(dict.fromkeys(self._warnings)),
        )
