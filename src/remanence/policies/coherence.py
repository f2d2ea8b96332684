"""Does a policy make sense as a whole: tiers in order, no rule that can never act, no number nobody reads."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING

from remanence.model.policy import FALLING, MOVING, OFFERING, Condition, Flag, Membership, Policy, Rule
from remanence.policies.numbers import CURVE_NUMBERS, INERT

if TYPE_CHECKING:
    from remanence.policies.grammar import Report

_INHERITED = ("rules",)
_LADDER = ("working", "episodic", "semantic")


def coherence_problems(policy: Policy, given: Mapping[str, str], report: Report) -> None:
    """Report what does not fit together; `given` are the keys of this policy itself, as they were written."""
    tiers = [policy.tiers[name] for name in ("hot", "warm", "cold") if name in policy.tiers]
    if any(upper < lower for upper, lower in pairwise(tiers)):
        report.add(("tiers",), f"tiers must fall from hot over warm to cold; they are {tiers}")
    if policy.weights and not sum(policy.weights.values()):
        report.add(("weights",), "weights are all 0: give at least one factor some weight")
    _impossible(policy, report)
    _shadowed(policy, report)
    _circles(policy, report)
    _unread(policy, given, report)


def _impossible(policy: Policy, report: Report) -> None:
    """A rule whose bounds exclude each other never holds."""
    for rule in policy.rules:
        place = _place(policy, rule)
        if place != _INHERITED and _exclusive(rule, rule, policy):
            report.add(place, f"rule {rule.name!r} never holds: its bounds exclude each other")


def _shadowed(policy: Policy, report: Report) -> None:
    """A rule that holds only when an earlier one holds too never acts; that is meant where it was inherited."""
    for number, rule in enumerate(policy.rules):
        if _place(policy, rule) == _INHERITED:
            continue
        for earlier in policy.rules[:number]:
            same_kind = (earlier.action in MOVING) == (rule.action in MOVING) and not (
                earlier.action in OFFERING and rule.action not in OFFERING
            )
            if same_kind and earlier.at_most is None and _implied(earlier, rule, policy):
                place = _place(policy, rule)
                report.add(
                    place,
                    f"rules {earlier.name!r} and {rule.name!r} overlap: whenever {rule.name!r} holds, "
                    f"{earlier.name!r} holds before it, so it never acts. Put it first, or make them exclusive",
                )
                break


def _place(policy: Policy, rule: Rule) -> tuple[str | int, ...]:
    rules = policy.source.get("values", {}).get("rules", [])
    for number, item in enumerate(rules if isinstance(rules, list) else []):
        if isinstance(item, Mapping) and item.get("name") == rule.name:
            return ("rules", number)
    return _INHERITED


def _implied(weaker: Rule, stronger: Rule, policy: Policy) -> bool:
    """Whether every condition of `weaker` follows from those of `stronger`."""
    if weaker.state != stronger.state:
        return False
    return all(any(_follows(one, other, policy) for other in stronger.when) for one in weaker.when)


def _follows(one: Condition | Membership | Flag, other: Condition | Membership | Flag, policy: Policy) -> bool:
    if isinstance(one, Condition) and isinstance(other, Condition):
        if one.measure != other.measure or one.sign[0] != other.sign[0]:
            return False
        mine, theirs = _bound(one, policy), _bound(other, policy)
        if mine == theirs:
            return len(one.sign) >= len(other.sign)
        return theirs < mine if one.sign[0] == "<" else theirs > mine
    if isinstance(one, Membership) and isinstance(other, Membership):
        if one.field != other.field or one.field == "scope":
            return one == other
        if not one.negated:
            return not other.negated and set(other.values) <= set(one.values)
        if other.negated:
            return set(one.values) <= set(other.values)
        return not set(one.values) & set(other.values)
    return one == other


def _bound(condition: Condition, policy: Policy) -> float:
    value = policy.number(condition.bound)
    if isinstance(condition.bound, str) and condition.bound.endswith("_minutes"):
        return value / 1440
    return value


def _circles(policy: Policy, report: Report) -> None:
    """A memory that is promoted and demoted by turns would never come to rest."""
    ups = [rule for rule in policy.rules if rule.action == "promote"]
    downs = [rule for rule in policy.rules if rule.action == "demote"]
    for up in ups:
        for down in downs:
            lands = {_LADDER[_LADDER.index(layer) + 1] for layer in _layers(up) if layer in _LADDER[:-1]}
            if lands & _layers(down) and not _exclusive(up, down, policy):
                report.add(
                    _place(policy, down),
                    f"rules {up.name!r} and {down.name!r} overlap: one promotes what the other demotes. "
                    "Give them bounds of one measure that exclude each other",
                )


def _layers(rule: Rule) -> set[str]:
    for condition in rule.when:
        if isinstance(condition, Membership) and condition.field == "layer":
            return set(_LADDER) - set(condition.values) if condition.negated else set(condition.values)
    return set(_LADDER)


def _exclusive(one: Rule, other: Rule, policy: Policy) -> bool:
    for a in one.when:
        for b in other.when:
            if isinstance(a, Condition) and isinstance(b, Condition) and a.measure == b.measure:
                low, high = (a, b) if a.sign[0] == ">" else (b, a)
                if low.sign[0] == ">" and high.sign[0] == "<":
                    least, most = _bound(low, policy), _bound(high, policy)
                    if least > most or (least == most and (low.sign == ">" or high.sign == "<")):
                        return True
            if (
                isinstance(a, Membership)
                and isinstance(b, Membership)
                and a.field == b.field
                and a.field not in ("layer", "scope")
                and not (a.negated or b.negated)
                and not set(a.values) & set(b.values)
            ):
                return True
    return False


def _unread(policy: Policy, given: Mapping[str, str], report: Report) -> None:
    """A number this policy sets but nothing reads is most likely meant for another preset."""
    read = {policy.curve, policy.value, "reinforced" if policy.reinforced else "", *INERT}
    read |= {c.measure for rule in policy.rules for c in rule.when if isinstance(c, Condition)}
    if read & set(FALLING):
        read.add(policy.curve)
    bounds: set[object] = {c.bound for rule in policy.rules for c in rule.when if isinstance(c, Condition)}
    bounds |= {rule.at_most for rule in policy.rules}
    for target in policy.targets:
        bounds |= {target.tokens, target.memories, target.older_than_days}
    _unread_overrides(policy, read, report)
    for word, key in given.items():
        if word not in policy.numbers or word in bounds or word in INERT:
            continue
        readers = CURVE_NUMBERS.get(word, ())
        if not set(readers) & read:
            hint = "no rule of this policy names it"
            if readers:
                hint = f"it belongs to the curve {' or '.join(readers)}, and this one's is {policy.curve}"
            report.add((key,), f"{key} is set but nothing reads it: {hint}. Leave it out, or extend another preset")


def _unread_overrides(policy: Policy, read: set[str], report: Report) -> None:
    """A number that is set for a scope or a kind, but that nothing reads there."""
    bounds: set[object] = {c.bound for rule in policy.rules for c in rule.when if isinstance(c, Condition)}
    bounds |= {bound for target in policy.targets if target.each for bound in (target.tokens, target.memories)}
    for override in policy.overrides:
        for name in override.numbers:
            if name not in bounds and not set(CURVE_NUMBERS.get(name, ())) & read:
                place = override.scope or override.kind
                report.add(("overrides",), f"{name} is set for {place}, but nothing reads it there")
