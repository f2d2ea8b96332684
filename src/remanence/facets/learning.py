"""A learned policy as a proposal: what the past teaches, as a policy over the one in force, and its back-test.

The numbers that hold for all stand at the top of the policy, those of a kind under `overrides`, after what is there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from remanence.flows.backtest import tested
from remanence.flows.learn import learn
from remanence.model.learned import Learned, LearnedKind
from remanence.model.policy import Policy
from remanence.model.proposal import Proposal
from remanence.policies import reading
from remanence.store.protocol import Progress, Store


def proposed(
    store: Store, policy: Policy, values: Mapping[str, Any], now: datetime, progress: Progress | None = None
) -> Proposal:
    """A policy learned from this store's past, over the one in force, which these values make; nothing changes."""
    # In the past nobody could know what would be missed later.
    lived = None if policy.lived is None else replace(policy.lived, missed={})
    current = replace(policy, lived=lived)
    trace, learned = learn(store, current, now)
    text = with_learned(values, learned, f"learned-{now:%Y-%m-%d}")
    new = reading.from_values(text, "the learned policy", text["name"])
    return Proposal(
        policy=new,
        yaml=reading.dumped(text),
        learned=learned,
        backtest=tested(
            trace,
            replace(new, lived=lived),
            None if new == policy else current,
            progress=progress,
            ids=store.ids,
        ),
        warnings=_warnings(trace.left_out, learned),
    )


def with_learned(values: Mapping[str, Any], learned: Learned, name: str) -> dict[str, Any]:
    """The values of a policy under a new name, with the learned numbers in place of its own."""
    entries = _entries(values.get("overrides"))
    for kind in learned.kinds:
        here = [entry for entry in entries if entry.get("kind") == kind.kind and "scope" not in entry]
        if here:
            here[-1].update(_numbers(kind))
        elif own := _own(kind, learned.every):
            entries.append({"kind": kind.kind, **own})
    kept = {key: value for key, value in values.items() if key not in ("name", "about", "overrides")}
    about = f"{values.get('extends', 'balanced')} with a curve learned from {learned.every.memories:,} memories."
    made = {"name": name, "about": about, **kept, **_changed(learned.every)}
    return {**made, "overrides": entries} if entries else made


def _changed(kind: LearnedKind) -> dict[str, float]:
    return {number.name: number.after for number in kind.numbers if number.after != number.before}


def _numbers(kind: LearnedKind) -> dict[str, float]:
    return {number.name: number.after for number in kind.numbers}


def _own(kind: LearnedKind, every: LearnedKind) -> dict[str, float]:
    """The numbers of a kind that are not those of all."""
    return {name: value for name, value in _numbers(kind).items() if value != every.number(name).after}


def _entries(overrides: Any) -> list[dict[str, Any]]:
    """Overrides as they stand in a policy, a table by scope or kind or a list, as a list."""
    if not isinstance(overrides, Mapping):
        return [dict(entry) for entry in overrides or ()]
    found: list[dict[str, Any]] = []
    for name, item in overrides.items():
        inner = item.items() if name in ("scopes", "kinds") else [(name, item)]
        found += [{"scope" if place.startswith("/") else "kind": place, **numbers} for place, numbers in inner]
    return found


def _warnings(left_out: int, learned: Learned) -> tuple[str, ...]:
    warnings = []
    if left_out:
        warnings.append(f"{left_out:,} moments of recall lie before a memory's birth or in the future: left out.")
    if learned.held_out is not None and learned.held_out[1] > learned.held_out[0]:
        warnings.append(
            "What the first two thirds of the past teach tells the last third worse than the numbers in force: "
            "its use may have changed. Ask again in a month."
        )
    return tuple(warnings)
