"""Rules and targets as they are written: `when` is a table of measures and words with what they must be."""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from remanence.model.duration import duration, duration_problems
from remanence.model.memory import Layer, Source, State
from remanence.model.policy import (
    ACTIONS,
    FALLING,
    FLAGS,
    MEASURES,
    MOVING,
    RISING,
    STANDING,
    WORDS,
    Condition,
    Flag,
    Membership,
    Policy,
    Rule,
    Target,
)
from remanence.model.scope import scope_problems
from remanence.policies.numbers import MEASURE_RANGES, NUMBERS, SHARE

if TYPE_CHECKING:
    from remanence.policies.grammar import Report

_BOUND = re.compile(r"(<=|>=|<|>)\s*(\S+)")
_RULE_KEYS = ("name", "action", "when", "why", "at_most", "lowest")
_TARGET_KEYS = ("name", "action", "why", "lowest", "tokens", "memories", "kind", "category", "older_than_days", "each")
_CLOSED = {"layer": tuple(Layer), "source": tuple(Source), "state": (State.LIVE.value, State.SUPERSEDED.value)}
_Path = tuple[str | int, ...]


def rules_from(
    value: Any,
    earlier: tuple[Rule, ...],
    removed: frozenset[str],
    policy: Policy,
    lists: Mapping[str, tuple[str, ...]],
    report: Report,
) -> tuple[Rule, ...]:
    """The rules of a policy: its own first, then those of the policy it extends."""
    own = [rule for path, item in _items(value, "rules", report) if (rule := _rule(item, path, policy, lists, report))]
    return _merged(own, [rule for rule in earlier if rule.name not in removed], "rules", report)


def targets_from(
    value: Any, earlier: tuple[Target, ...], removed: frozenset[str], policy: Policy, report: Report
) -> tuple[Target, ...]:
    """The targets of a policy: its own first, then those of the policy it extends."""
    own = [t for path, item in _items(value, "targets", report) if (t := _target(item, path, policy, report))]
    return _merged(own, [target for target in earlier if target.name not in removed], "targets", report)


def _merged(own: list[Any], earlier: list[Any], word: str, report: Report) -> tuple[Any, ...]:
    names = [item.name for item in own]
    for number, name in enumerate(names):
        if name in names[:number]:
            report.add((word, number), f"two {word} are called {name!r}")
    return (*own, *(item for item in earlier if item.name not in names))


def _items(value: Any, word: str, report: Report) -> list[tuple[_Path, Mapping[str, Any]]]:
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(item, Mapping) for item in value):
        report.add((word,), f"{word} must be a list of tables, each with a name and an action")
        return []
    return [((word, number), item) for number, item in enumerate(value)]


def _near(word: str, known: tuple[str, ...]) -> str:
    found = get_close_matches(word, known, n=1, cutoff=0.6)
    return f" (did you mean {found[0]!r}?)" if found else f"; known are {', '.join(known)}"


def _named(
    item: Mapping[str, Any], path: _Path, keys: tuple[str, ...], actions: tuple[str, ...], report: Report
) -> str:
    """The name of a rule or target, its keys and action checked."""
    name = item.get("name") or item.get("reason")
    if not isinstance(name, str) or not name.strip() or len(name) > 80:
        report.add(path, "a rule needs a name of at most 80 characters: it is the reason in the journal")
        name = "?"
    for key in item:
        if key not in keys and key != "reason":
            report.add((*path, key), f"rule {name!r}: unknown key {key!r}{_near(str(key), keys)}")
    if item.get("action") not in actions:
        report.add(
            (*path, "action"),
            f"rule {name!r}: action is {item.get('action')!r}; it must be one of {', '.join(actions)}",
        )
    why = item.get("why", "")
    if not isinstance(why, str) or len(why) > 400:
        report.add((*path, "why"), f"rule {name!r}: why must be a text of at most 400 characters")
    lowest = item.get("lowest", "worth")
    known = (*MEASURES, STANDING) if keys is _TARGET_KEYS else MEASURES
    if lowest not in known:
        report.add((*path, "lowest"), f"rule {name!r}: lowest is {lowest!r}{_near(str(lowest), known)}")
    return name


def _rule(
    item: Mapping[str, Any], path: _Path, policy: Policy, lists: Mapping[str, tuple[str, ...]], report: Report
) -> Rule | None:
    before = len(report.problems)
    name = _named(item, path, _RULE_KEYS, ACTIONS, report)
    when = item.get("when")
    conditions: list[Condition | Membership | Flag] = []
    if not isinstance(when, Mapping) or not when:
        report.add(path, f"rule {name!r}: when must be a table of conditions, such as {{age_days: '> 90'}}")
    else:
        for word, value in when.items():
            conditions += _conditions(word, value, (*path, "when", word), name, policy, lists, report)
    action = item.get("action")
    if action in MOVING and not any(isinstance(c, Membership) and c.field == "layer" for c in conditions):
        report.add(path, f"rule {name!r}: {action} needs the layer it starts from, such as layer: episodic")
    at_most = item.get("at_most")
    if at_most is not None:
        at_most = _bound(at_most, NUMBERS["max_evict"], "at_most", (*path, "at_most"), name, policy, report)
    if len(report.problems) > before:
        return None
    return Rule(
        name=name,
        action=str(action),
        when=tuple(conditions),
        why=item.get("why", ""),
        at_most=at_most,
        lowest=item.get("lowest", "worth"),
    )


def _conditions(
    word: str,
    value: Any,
    path: _Path,
    name: str,
    policy: Policy,
    lists: Mapping[str, tuple[str, ...]],
    report: Report,
) -> list[Condition | Membership | Flag]:
    if word in MEASURES:
        return [
            condition
            for item in (value if isinstance(value, list) else [value])
            if (condition := _condition(word, item, path, name, policy, report)) is not None
        ]
    if word in FLAGS:
        allowed = (False,) if word == "ttl_running" else (True,)
        if value not in allowed or not isinstance(value, bool):
            report.add(path, f"rule {name!r}: {word} can only be {str(allowed[0]).lower()}")
            return []
        return [Flag(word, value)]
    if word in WORDS:
        return _membership(word, value, path, name, lists, report)
    report.add(path, f"rule {name!r}: unknown measure {word!r}{_near(word, (*MEASURES, *FLAGS, *WORDS))}")
    return []


def _condition(word: str, value: Any, path: _Path, name: str, policy: Policy, report: Report) -> Condition | None:
    match = _BOUND.fullmatch(value.strip()) if isinstance(value, str) else None
    if match is None:
        report.add(path, f"rule {name!r}: {word} is {value!r}; write a sign and a bound, such as '< 0.2' or '>= 5'")
        return None
    sign, text = match[1], match[2]
    if word in FALLING and sign in (">", ">="):
        report.add(
            path, f"rule {name!r}: {word} only falls with time, so a rule must ask for {word} below a bound (< or <=)"
        )
        return None
    number = MEASURE_RANGES.get(word, SHARE)
    bound = _bound(text, number, word, path, name, policy, report)
    if bound is None:
        return None
    if isinstance(bound, str) and word in RISING and not bound.endswith(("_days", "_hours", "_minutes")):
        report.add(path, f"rule {name!r}: {word} is compared with {bound}, which is no time")
        return None
    if isinstance(bound, str) and word not in RISING and bound.endswith(("_days", "_hours", "_minutes")):
        report.add(path, f"rule {name!r}: {word} is compared with {bound}, which is a time")
        return None
    return Condition(word, sign, bound)


def _bound(value: Any, number: Any, word: str, path: _Path, name: str, policy: Policy, report: Report) -> Any:
    """A literal (a number, or a duration where days are meant) or the name of a number of the policy."""
    if isinstance(value, str):
        if value in policy.numbers or (value.startswith("tiers.") and value[6:] in policy.tiers):
            return value
        try:
            value = float(value)
        except ValueError:
            if number.unit == "days" and value[:1].isdigit():
                if problems := duration_problems(value, word):
                    report.add(path, f"rule {name!r}: {problems[0]}")
                    return None
                value = duration(value).total_seconds() / 86_400
            else:
                known = (*policy.numbers, *(f"tiers.{tier}" for tier in policy.tiers))
                report.add(path, f"rule {name!r}: {word} names {value!r}{_near(value, known)}")
                return None
    if problem := number.problem(value, word):
        report.add(path, f"rule {name!r}: {problem}")
        return None
    return float(value)


def _membership(
    word: str, value: Any, path: _Path, name: str, lists: Mapping[str, tuple[str, ...]], report: Report
) -> list[Condition | Membership | Flag]:
    if isinstance(value, Mapping):
        if set(value) - {"in", "not"} or not value:
            report.add(path, f"rule {name!r}: {word} takes names, or a table of 'in' and 'not'")
            return []
        found: list[Condition | Membership | Flag] = []
        for key, negated in (("in", False), ("not", True)):
            if key in value:
                found += [
                    Membership(word, member.values, negated)
                    for member in _membership(word, value[key], path, name, lists, report)
                    if isinstance(member, Membership)
                ]
        return found
    if isinstance(value, str):
        values = lists.get(value, (value,))
    elif isinstance(value, list) and value and all(isinstance(item, str) for item in value):
        values = tuple(value)
    else:
        report.add(path, f"rule {name!r}: {word} must be a name or a list of names")
        return []
    for item in values:
        if word in _CLOSED and item not in _CLOSED[word]:
            report.add(path, f"rule {name!r}: {word} is {item!r}; it must be one of {', '.join(_CLOSED[word])}")
        if word == "scope":
            for problem in scope_problems(item):
                report.add(path, f"rule {name!r}: {problem}")
    return [Membership(word, tuple(values))]


def _target(item: Mapping[str, Any], path: _Path, policy: Policy, report: Report) -> Target | None:
    before = len(report.problems)
    name = _named(item, path, _TARGET_KEYS, ("archive", "forget", "review"), report)
    sizes = {word: item.get(word) for word in ("tokens", "memories")}
    if sum(size is not None for size in sizes.values()) != 1:
        report.add(path, f"target {name!r} needs tokens or memories, one of the two")
    bounds = {
        word: _bound(size, NUMBERS["project_tokens"], word, (*path, word), name, policy, report)
        for word, size in sizes.items()
        if size is not None
    }
    older = item.get("older_than_days")
    if older is not None:
        older = _bound(
            older, MEASURE_RANGES["age_days"], "older_than_days", (*path, "older_than_days"), name, policy, report
        )
    for word in ("kind", "category"):
        if item.get(word) is not None and not isinstance(item[word], str):
            report.add((*path, word), f"target {name!r}: {word} must be a name")
    each = item.get("each")
    if each not in (None, "scope", "project"):
        report.add((*path, "each"), f"target {name!r}: each is {each!r}; it must be scope or project")
    narrowed = [word for word in ("category", "older_than_days") if item.get(word) is not None]
    if len(narrowed) + (each is not None or item.get("kind") is not None) > 1:
        report.add(path, f"target {name!r} combines {' and '.join(narrowed)} with more: give one of them alone")
    if len(report.problems) > before:
        return None
    return Target(
        name=name,
        action=item["action"],
        kind=item.get("kind"),
        category=item.get("category"),
        older_than_days=older,
        each=each,
        lowest=item.get("lowest", "worth"),
        why=item.get("why", ""),
        **bounds,
    )
