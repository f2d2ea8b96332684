"""Does learning find the truth? On made-up years whose truth is known, seed after seed.

Each world (remanence.simulator.worlds) has kinds of memories that are needed for different times; `rem policy learn`
sees their uses alone. The truth in terms of the curve: the same fit to whether memories were really needed at each
moment, in one large world of another seed. For each seed:

- nearer: the learned stabilities of the kinds are nearer to the truth than the policy's own, by |ln S - ln truth|.
- within: how many of the kinds' true stabilities lie within two standard errors of the learned ones.
- back-test: the proposal is not refused on the year it was learned from.
- fresh: in another year of the same life, it loses no more later uses at equal savings than the policy it came from.

    python benchmarks/learning.py [--first 0] [--seeds 100] [--memories 500] [--policy balanced] [--json OUT]
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from remanence.facets.learning import with_learned
from remanence.flows.backtest import tested
from remanence.flows.learn import learned_from
from remanence.lifecycle.idleness import idle
from remanence.lifecycle.learning import learned
from remanence.model.backtest import Backtest
from remanence.model.learned import Learned
from remanence.model.policy import Policy
from remanence.model.proposal import Proposal
from remanence.policies.reading import from_values, preset
from remanence.simulator.worlds import World, world

_TRUE_SEED, _TRUE_MEMORIES = 1_000_003, 10_000
_FRESH = 500_000


def truth(policy: Policy) -> dict[str, float]:
    """The stability of each kind in days, fitted to what was really needed."""
    whole = world(_TRUE_SEED, _TRUE_MEMORIES)
    seen = idle(whole.trace, policy)
    needed = whole.needed_until[seen.memory] > seen.at
    found = learned(replace(seen, used=needed), policy)
    return {str(kind.kind): kind.number("stability_days").fitted for kind in found.kinds}


def distance(stabilities: Mapping[str, float], true: Mapping[str, float]) -> float:
    """The mean of |ln S - ln truth| over the kinds: 0.69 is a factor of two."""
    return float(np.mean([abs(np.log(stabilities[kind] / true[kind])) for kind in stabilities]))


def judged(seed: int, memories: int, policy: Policy, true: Mapping[str, float]) -> dict[str, Any]:
    """What learning makes of one world."""
    year: World = world(seed, memories)
    found: Learned = learned_from(year.trace, policy)
    values = with_learned({"extends": policy.name}, found, "learned")
    new = from_values(values, "learned", "learned")
    numbers = {str(kind.kind): kind.number("stability_days") for kind in found.kinds}
    past: Backtest = tested(year.trace, new, policy)
    fresh = tested(world(seed + _FRESH, memories).trace, new, policy)
    proposal = Proposal(policy=new, yaml="", learned=found, backtest=past)
    errors = {kind: number.standard_error / number.fitted for kind, number in numbers.items()}
    within = [abs(np.log(number.fitted / true[kind])) <= 2 * errors[kind] for kind, number in numbers.items()]
    return {
        "seed": seed,
        "kinds": len(numbers),
        "distance_before": distance({kind: number.before for kind, number in numbers.items()}, true),
        "distance_after": distance({kind: number.fitted for kind, number in numbers.items()}, true),
        "within": int(sum(within)),
        "usable": proposal.is_usable,
        "past": list(past.mean_lost),
        "fresh": list(fresh.mean_lost),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Does learning find the truth of made-up years?")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--memories", type=int, default=500)
    parser.add_argument("--policy", default="balanced")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write every seed there as well")
    options = parser.parse_args()
    policy = preset(options.policy)
    seeds = range(options.first, options.first + options.seeds)
    true = truth(policy)
    rows = [judged(seed, options.memories, policy, true) for seed in seeds]
    total = len(rows)
    nearer = sum(row["distance_after"] < row["distance_before"] for row in rows)
    usable = sum(row["usable"] for row in rows)
    no_worse = {name: sum(row[name][0] <= row[name][1] for row in rows) for name in ("past", "fresh")}
    lost = {name: np.mean([row[name] for row in rows], axis=0) for name in ("past", "fresh")}
    print("true stabilities in days: " + ", ".join(f"{kind} {days:.3g}" for kind, days in true.items()))
    print(f"{total} worlds of {options.memories} memories, {policy.name}")
    before, after = (np.mean([row[f"distance_{name}"] for row in rows]) for name in ("before", "after"))
    print(f"nearer to the truth:       {nearer:4d}   mean |ln S - ln truth| {before:.2f} → {after:.2f}")
    print(
        f"truth within two errors:   {sum(r['within'] for r in rows) / sum(r['kinds'] for r in rows):.0%} of the kinds"
    )
    print(f"not refused:               {usable:4d}")
    for name, told in (("past", "the year itself"), ("fresh", "a fresh year")):
        mine, theirs = lost[name]
        change = f"later uses lost at equal savings {theirs:.4f} → {mine:.4f}"
        print(f"no worse on {told + ':':<15}{no_worse[name]:4d}   {change}")
    if options.json:
        options.json.write_text(json.dumps({"truth": true, "worlds": rows}, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
