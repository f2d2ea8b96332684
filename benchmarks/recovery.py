"""Does a back-test name the better of two policies? Worlds with known truth, a verdict on each, and how many are right.

The truth of a policy is the uses it costs on average at equal savings, from what was drawn for each memory: how long it
is needed, and how often. It is taken over large worlds that no back-test sees. A back-test sees a small world's recalls
alone. Pairs that are truly alike cannot be told apart, and should not be: their verdict is to be "about as many".

    python benchmarks/recovery.py --seeds 100 --memories 500 --days 365
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from remanence.flows.backtest import BUDGETS, tested
from remanence.lifecycle.frontier import mean_lost, outcomes_of, own_order
from remanence.lifecycle.replay import Spells, by_rules
from remanence.model.backtest import Point
from remanence.model.policy import Policy
from remanence.policies.reading import preset, read
from remanence.simulator.worlds import World, world

REFERENCE = tuple(range(100_000, 100_008))
REFERENCE_MEMORIES = 2_000


def policies() -> dict[str, Policy]:
    """The presets, and what the same curve does on another clock."""
    return {name: preset(name) for name in ("balanced", "halflife", "relevance", "layered", "tiered")} | {
        "by age": read("extends: halflife\nname: by age\nclock: created\n", "by-age.yml"),
        "slow": read("extends: halflife\nname: slow\nhalf_life_days: 300\n", "slow.yml"),
    }


PAIRS = (
    ("halflife", "by age"),
    ("relevance", "tiered"),
    ("balanced", "relevance"),
    ("layered", "slow"),
    ("halflife", "tiered"),
    ("halflife", "layered"),
)
"""Clearly unlike ones first; the last are nearly alike."""


@dataclass(frozen=True)
class Recovery:
    """A pair: the truth of each, by seed whether a back-test named the better one, and whether it called that clear."""

    pair: tuple[str, str]
    truth: tuple[float, float]
    right: tuple[bool, ...]
    clear: tuple[bool, ...]

    @property
    def ratio(self) -> float:
        return max(self.truth) / max(min(self.truth), 1e-9)

    @property
    def share(self) -> float:
        return sum(self.right) / len(self.right)

    @property
    def clearly_wrong(self) -> int:
        return sum(clear and not right for clear, right in zip(self.clear, self.right, strict=True))


def true_loss(some: Sequence[Policy], worlds: Sequence[World]) -> list[float]:
    """The share of uses each policy costs on average at equal savings, from the truth of these worlds."""
    found = []
    for one in worlds:
        spells = Spells.of(one.trace)
        orders = [own_order(policy, by_rules(spells, policy)) for policy in some]
        curves = [
            [
                Point(budget=b, saved=o.saved_share, lost=one.expected_loss(o) / spells.uses, lost_uses=0)
                for b, o in zip(BUDGETS, outcomes, strict=True)
            ]
            for outcomes in outcomes_of(spells, orders, BUDGETS)
        ]
        reached = min(max(point.saved for point in points) for points in curves)
        found.append([mean_lost(points, reached) for points in curves])
    return [float(mean) for mean in np.mean(found, axis=0)]


def recovered(
    pair: tuple[Policy, Policy],
    seeds: Sequence[int],
    *,
    memories: int = 500,
    days: int = 365,
    reference: Sequence[int] = REFERENCE,
) -> Recovery:
    """What back-tests of so many worlds say of a pair, against the truth."""
    one, other = true_loss(pair, [world(seed, REFERENCE_MEMORIES) for seed in reference])
    right, clear = [], []
    for seed in seeds:
        found = tested(world(seed, memories, days).trace, *pair)
        mine, theirs = found.mean_lost
        right.append((mine < theirs) == (one < other))
        clear.append(found.is_clear)
    return Recovery((pair[0].name, pair[1].name), (one, other), tuple(right), tuple(clear))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--memories", type=int, default=500)
    parser.add_argument("--days", type=int, default=365)
    parser.add_argument("--json", type=Path, help="also write the table there")
    given = parser.parse_args()
    known, rows = policies(), []
    print(f"{given.seeds} worlds of {given.memories} memories and {given.days} days; truth: uses lost at equal savings")
    print(
        "| pair | truth | ratio | right | called clear | clear and wrong | wrong seeds |\n|---|---|---|---|---|---|---|"
    )
    for one, other in PAIRS:
        found = recovered((known[one], known[other]), range(given.seeds), memories=given.memories, days=given.days)
        wrong = [seed for seed, right in enumerate(found.right) if not right]
        rows.append({"pair": [one, other], "truth": found.truth, "right": found.share, "wrong_seeds": wrong})
        shown = ", ".join(map(str, wrong[:12])) + (" …" if len(wrong) > 12 else "")
        print(
            f"| {one} / {other} | {found.truth[0]:.4f} / {found.truth[1]:.4f} | {found.ratio:.2f} | {found.share:.0%} "
            f"| {sum(found.clear)} | {found.clearly_wrong} | {shown} |",
            flush=True,
        )
    if given.json:
        given.json.write_text(json.dumps(rows, indent=1), "utf-8")


if __name__ == "__main__":
    main()
