"""A proposal: a policy learned from a store's own past, as a plan. Nothing changes until it is used.

It holds what was learned, the policy with those numbers, also as the text of a file and as the values of a document,
and a back-test of it beside the policy in force. It may be used unless the past speaks against it: the last third is
told worse than by the numbers in force, clearly more later uses are lost at equal savings, or more lost and no more
saved. Where the past teaches what is in force already, the policy is that one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from remanence.errors import PlanRefused
from remanence.model.backtest import Backtest
from remanence.model.learned import Learned, LearnedKind
from remanence.model.memory import plain
from remanence.model.policy import Policy


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A learned policy and the back-test it must stand."""

    policy: Policy
    yaml: str
    learned: Learned
    backtest: Backtest
    document: Mapping[str, Any] = field(default_factory=dict)
    """The values of the policy, as `use` takes them over REST."""
    since: str | None = None
    """The day on which the policy in force was learned, where it was."""
    warnings: tuple[str, ...] = ()

    @property
    def is_new(self) -> bool:
        """Whether it is another policy than the one in force."""
        return self.backtest.current is not None

    @property
    def objection(self) -> str | None:
        """Why it must not be used; None where nothing speaks against it."""
        mine, current = self.backtest.policy, self.backtest.current
        if current is None:
            return None
        if (held := self.learned.held_out) is not None and round(held[1], 3) > round(held[0], 3):
            return (
                "what the first two thirds of the past teach tells the last third worse than the numbers in force "
                f"(log-loss {held[0]:.3f} → {held[1]:.3f}): its use may have changed. Ask again in a month"
            )
        if self.backtest.is_clear and self.backtest.mean_lost[0] > self.backtest.mean_lost[1]:
            return self.backtest.verdict
        if mine.lost_uses > current.lost_uses and mine.saved <= current.saved:
            return (
                f"{mine.lost_uses:,} later uses would have been lost instead of {current.lost_uses:,}, and "
                f"{mine.saved:.1%} of the token-days saved instead of {current.saved:.1%}"
            )
        return None

    @property
    def is_usable(self) -> bool:
        return self.objection is None

    def approved(self) -> Policy:
        """The policy, to be used; PlanRefused with the reason where the past speaks against it."""
        if self.objection is not None:
            current = self.backtest.current.policy if self.backtest.current else "the policy in force"
            raise PlanRefused(f"The learned policy is not used, {current} stays: {self.objection}.")
        return self.policy

    @property
    def verdict(self) -> str:
        """Whether it may be used, and what is known of it."""
        if not self.is_new:
            since = "" if self.since is None else f" since {self.since}"
            return f"Nothing new to learn{since}: {self.policy.name}, which is in force, is what this past teaches."
        if self.objection is not None:
            return f"Not to be used: {self.objection}."
        return f"May be used. {self.backtest.verdict}."

    def to_dict(self) -> dict[str, Any]:
        told = {name: plain(getattr(self, name)) for name in self.__slots__}
        return told | {"is_usable": self.is_usable, "verdict": self.verdict}

    def __str__(self) -> str:
        fit, every = self.learned, self.learned.every
        lines = [
            f"Learned from {every.memories:,} memories, of which {every.used_again:,} were used again within 30 days "
            f"after lying idle; log-loss {fit.log_loss_before:.3f} → {fit.log_loss_after:.3f}"
        ]
        if fit.held_out is not None:
            before, after = fit.held_out
            lines[0] += f" (on the last third, learned from what was known before it: {before:.3f} → {after:.3f})"
        lines += [_line(kind) for kind in (every, *fit.kinds)]
        return "\n".join([*lines, str(self.backtest), self.verdict, *self.warnings])


def _line(kind: LearnedKind) -> str:
    counted = f"{kind.memories:,} memories, {kind.used_again:,} used again"
    return f"{kind.kind or 'all kinds'} ({counted}): {'; '.join(map(str, kind.numbers))}"
