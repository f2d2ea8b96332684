"""Scenes: what is told, what is taken out, and at which moments it is looked at which promise.

A moment has an act of its own (jobs, reopening, telling it again) and the looks after it. Where an act cannot be done,
its looks are counted as such and the scene goes on; where what the scene is about cannot be done, all of it is.
`SCENES` is the whole contract, in order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from remanence.simulator.contract import Cannot, Outcome, Probe, Promise
from remanence.simulator.contract.looks import Trial

Act = Callable[[Trial], object]
Look = Callable[[Trial], list[str]]
Looks = Sequence[tuple[Promise, Look]]
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Moment:
    name: str
    act: Act
    looks: Looks


@dataclass(frozen=True, slots=True)
class Scene:
    name: str
    tell: Act
    remove: Act
    moments: tuple[Moment, ...]

    @property
    def size(self) -> int:
        """How many promises it looks at."""
        return sum(len(moment.looks) for moment in self.moments)

    def play(self, trial: Trial) -> Iterator[Probe]:
        """Every probe of the scene, in order."""
        try:
            self.tell(trial)
            self.remove(trial)
        except Cannot as reason:
            for moment in self.moments:
                yield from self._cannot(trial, moment, str(reason))
            return
        for moment in self.moments:
            yield from self._looked(trial, moment)

    def _looked(self, trial: Trial, moment: Moment) -> Iterator[Probe]:
        try:
            moment.act(trial)
        except Cannot as reason:
            yield from self._cannot(trial, moment, str(reason))
            return
        for promise, look in moment.looks:
            try:
                problems = look(trial)
            except Cannot as reason:
                yield self._probe(trial, moment, promise, Outcome.CANNOT, str(reason))
            else:
                outcome = Outcome.BROKEN if problems else Outcome.KEPT
                yield self._probe(trial, moment, promise, outcome, _in_short(problems))

    def _cannot(self, trial: Trial, moment: Moment, why: str) -> Iterator[Probe]:
        for promise, _ in moment.looks:
            yield self._probe(trial, moment, promise, Outcome.CANNOT, why)

    def _probe(self, trial: Trial, moment: Moment, promise: Promise, outcome: Outcome, why: str) -> Probe:
        return Probe(
            contender=trial.contender.name,
            scene=self.name,
            moment=moment.name,
            promise=promise,
            outcome=outcome,
            why=why,
        )


def at_once(looks: Looks) -> Moment:
    return Moment("at once", lambda trial: None, looks)


def after_jobs(looks: Looks) -> Moment:
    return Moment("after every job", lambda trial: trial.held.run_jobs(), looks)


def after_reopening(looks: Looks) -> Moment:
    return Moment("after reopening", Trial.reopen, looks)


def elsewhere(looks: Looks) -> Moment:
    """Exported, and read into an empty memory, with which the scene goes on."""

    def move(trial: Trial) -> None:
        copy = trial.beside("moved.export")
        trial.held.export(copy)
        trial.move("elsewhere")
        trial.held.import_(copy)

    return Moment("exported and imported elsewhere", move, looks)


def put_back(looks: Looks) -> Moment:
    """A backup made now takes the memory's place."""

    def back(trial: Trial) -> None:
        copy = trial.beside("later.copy")
        trial.held.backup(copy)
        trial.restore(copy)

    return Moment("from a backup made after", back, looks)


def _in_short(problems: Sequence[str]) -> str:
    more = f"; and {len(problems) - _SHOWN} more" if len(problems) > _SHOWN else ""
    return "; ".join(problems[:_SHOWN]) + more
