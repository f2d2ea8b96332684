"""What is done by hand in the demo's life, one deed every other day: confirm, pin, forget, undo, review and their like.

Which memory it is done to, and whether it is taken back, is drawn by chance from a seed.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from remanence.interfaces.demo.threads import SUSPICIOUS
from remanence.interfaces.demo.words import API, HARBOR
from remanence.mind import Mind
from remanence.model.memory import Memory


class Deeds:
    """The deeds of one life; `note` is the memory that they leave alone, `todo` the actions that are still open."""

    def __init__(self, mind: Mind, note: str, seed: int) -> None:
        self._mind, self._note = mind, note
        self._chance = random.Random(f"deeds {seed}")  # nosec B311
        self._worked = self._forgets = 0
        self.todo: list[Memory] = []

    def of_today(self) -> None:
        """The deed of this day, by its place in a cycle of fifteen days of work."""
        self._worked += 1
        deed = _DEEDS.get(self._worked % _CYCLE)
        if deed is not None:
            deed(self)

    def _one(self, state: str = "live", **which: Any) -> Memory | None:
        """Some memory of the newest hundred."""
        found = [one for one in self._mind.list(state=state, **which) if one.id != self._note]
        return self._chance.choice(found) if found else None

    def _confirm(self) -> None:
        for _ in range(2):
            if (one := self._one(kind="fact")) is not None:
                self._mind.confirm(one.id)

    def _pin(self) -> None:
        if (one := self._one(kind=self._chance.choice(("preference", "procedure")))) is not None:
            self._mind.pin(one.id)
        pinned = [one for one in self._mind.list(limit=1000) if one.pinned and one.id != self._note]
        if len(pinned) > 6:
            self._mind.unpin(pinned[-1].id)

    def _forget(self) -> None:
        """Forget a few by hand, or many by a filter; the first of four times is taken back, the second in part."""
        turn = self._forgets % 4
        chosen = {one.id for _ in range(4) if (one := self._one(kind="observation")) is not None}
        if not chosen:
            return
        self._forgets += 1
        if turn == 3:
            scope = self._chance.choice((API, HARBOR))
            self._mind.forget(scope=scope, kinds=["observation"], categories=["support"], older_than="30d")
            return
        receipt = self._mind.forget(ids=sorted(chosen))
        if turn == 0:
            self._mind.undo(receipt.id)
        elif turn == 1:
            self._mind.restore(ids=receipt.applied[:1])

    def _miss(self) -> None:
        """Ask for what has left recall: it is missed, and sometimes brought back."""
        for _ in range(3):
            one = self._one("archived", kind=self._chance.choice(("observation", "fact", "tool_output")))
            if one is None:
                continue
            self._mind.recall(one.text[:200], scope=one.scope, limit=3)
            if self._chance.random() < 0.25:
                self._mind.restore(ids=[one.id])

    def _work_off(self) -> None:
        """Things to do are done, most of them, and become crystals."""
        outcomes = ("done as planned", "it took longer than expected, but holds", "the cause was somewhere else")
        for memory in self.todo[:-2]:
            if self._chance.random() < 0.15:
                self._mind.actions.cancel(memory.id, "not needed any more")
            else:
                self._mind.actions.done(memory.id, self._chance.choice(outcomes))
        del self.todo[:-2]
        self._mind.auto_crystallize(older_than_days=7)

    def _move(self) -> None:
        if (one := self._one(kind="decision", layer="episodic")) is not None:
            self._mind.promote(one.id)
        if (one := self._one(kind="architecture", layer="episodic")) is not None:
            self._mind.promote(one.id)
        if (one := self._one(kind="fact", layer="semantic")) is not None:
            self._mind.demote(one.id)

    def _doubt(self) -> None:
        if self._chance.random() < 0.4 and (one := self._one(kind="fact")) is not None:
            self._mind.challenge(one.id)
        challenged = self._mind.review.challenged()
        if len(challenged) > 8:  # a person settles some of them
            for memory, _ in challenged[-3:]:
                self._mind.confirm(memory.id)
        lessons = self._mind.lessons.list(limit=20)
        if lessons:
            self._mind.lessons.reinforce(self._chance.choice(lessons).memory.id)

    def _revise(self) -> None:
        if (one := self._one(kind="workflow")) is not None and not one.text.endswith(_ADDED):
            self._mind.revise(one.id, text=one.text.rstrip(".") + _ADDED)
        held = [one for one in self._mind.review.list() if one.text in {text for _, text, _, _ in SUSPICIOUS}]
        if len(held) > 4:
            self._mind.review.reject([held[-1].id])


_ADDED = ", and write down how long it took."
_CYCLE = 15
_DEEDS: dict[int, Callable[[Deeds], None]] = {
    1: Deeds._confirm,
    2: Deeds._pin,
    4: Deeds._miss,
    5: Deeds._forget,
    6: Deeds._forget,
    7: Deeds._work_off,
    8: Deeds._move,
    9: Deeds._doubt,
    11: Deeds._miss,
    12: Deeds._revise,
    13: Deeds._confirm,
}
