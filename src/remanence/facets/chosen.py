"""What a store keeps of its policy, as text: the one that was chosen, and the last few before it.

A policy is the name of a preset, {"preset": …}, or values over those of the one it extends, {"name": …, "values": …}.
Under "before" stand earlier ones, newest first, each with the receipt of the change that put another in its place, so
that a change of policy can be undone like any other; null is the default that holds where nothing was chosen.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from remanence.errors import InvalidInput
from remanence.model.policy import Policy
from remanence.policies import reading

_KEPT = 5
_NAMED = 8
_NAME_CHARACTERS = 80
Kept = Mapping[str, Any] | None


def read(text: str | None) -> Policy:
    """The policy a store keeps, or the default where it keeps none."""
    if text is None:
        return reading.preset(reading.DEFAULT)
    try:
        return _policy(json.loads(text))
    except (ValueError, KeyError, TypeError) as reason:
        # The store must open; with sweeps off nothing is forgotten by rules nobody chose.
        name = f"balanced, since the one chosen for this store cannot be read ({reason})"
        return replace(reading.preset(reading.DEFAULT), name=name, enabled=False)


def _policy(kept: Kept) -> Policy:
    if kept is None:
        return reading.preset(reading.DEFAULT)
    if "preset" in kept:
        return reading.preset(kept["preset"])
    return reading.from_values(kept["values"], "the store's policy", kept["name"])


def is_preset(policy: Policy) -> bool:
    """Whether it is a preset as it ships."""
    return policy.name in reading.PRESETS and policy == reading.preset(policy.name)


def values_of(policy: Policy) -> dict[str, Any]:
    """The values a policy was read from; InvalidInput where it was changed since, in Python."""
    if policy.source:
        values = {"extends": policy.source["extends"], **policy.source["values"]}
        if reading.from_values(values, "the policy", policy.name) == policy:
            return values
    raise InvalidInput(
        "this Policy was made or changed in Python, and a store keeps policies as YAML: write it as a file"
    )


def kept_as(policy: Policy) -> dict[str, Any]:
    """A policy as a store keeps it."""
    return {"preset": policy.name} if is_preset(policy) else {"name": policy.name, "values": values_of(policy)}


def own(text: str | None) -> Kept:
    """What is kept of the policy that was chosen, without those before it."""
    kept = _loaded(text)
    return None if kept is None else {key: value for key, value in kept.items() if key != "before"}


def chosen(text: str | None, kept: Kept, receipt_id: str) -> str:
    """The text once another one is chosen by this receipt."""
    earlier = [{"receipt": receipt_id, "kept": own(text)}, *_before(text)][:_KEPT]
    return json.dumps({**({"preset": reading.DEFAULT} if kept is None else kept), "before": earlier})


def replaced_by(text: str | None, receipt_id: str) -> Kept:
    """What the change of this receipt put another policy in the place of; InvalidInput where it was not the last."""
    before = _before(text)
    if not before or before[0]["receipt"] != receipt_id:
        last = f" ({before[0]['receipt']}: undo that first)" if before else ""
        raise InvalidInput(
            f"receipt {receipt_id} cannot be undone: the policy was changed again after it{last}. "
            "Choose one with: rem policy use NAME"
        )
    found: Kept = before[0]["kept"]
    _policy(found)
    return found


def note_of(before: Policy, after: Policy) -> str:
    """A change of policy in names and numbers: "balanced → mine: stability_days 30 → 7"."""
    one, other = before.numbers, after.numbers
    told = [
        f"{name} {_shown(one.get(name))} → {_shown(other.get(name))}"
        for name in sorted(one.keys() | other.keys())
        if one.get(name) != other.get(name)
    ]
    more = [f"{len(told) - _NAMED} more"] if len(told) > _NAMED else []
    names = f"{before.name[:_NAME_CHARACTERS]} → {after.name[:_NAME_CHARACTERS]}"
    return f"{names}: {', '.join([*told[:_NAMED], *more])}" if told else names


def _shown(value: float | None) -> str:
    return "unset" if value is None else "never" if value == float("inf") else f"{value:g}"


def _loaded(text: str | None) -> Any:
    try:
        kept = None if text is None else json.loads(text)
    except ValueError:
        return None
    return kept if isinstance(kept, dict) else None


def _before(text: str | None) -> list[Any]:
    kept = _loaded(text)
    return [] if kept is None else list(kept.get("before") or ())
