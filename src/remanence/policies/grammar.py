"""The grammar of policies: plain values → a Policy, or every problem with its line.

A policy starts from the one it extends. Its own numbers, tables and lists stand in place of the earlier ones (tables
are merged by key); its rules come before the earlier ones and replace those of the same name, and
`without: [name, …]` takes rules and targets away.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from difflib import get_close_matches
from typing import Any

from remanence.model.duration import duration, duration_problems
from remanence.model.memory import Layer, Source
from remanence.model.policy import CLOCKS, CURVES, VALUES, Override, Policy
from remanence.model.scope import scope_problems
from remanence.policies.coherence import coherence_problems
from remanence.policies.numbers import NUMBERS, SHARE, Number
from remanence.policies.rules import rules_from, targets_from

Lines = Mapping[tuple[str | int, ...], int]

# Seed documents write these keys otherwise.
_ALIASES = {
    "retention_mode": "curve",
    "tierThresholds": "tiers",
    "tier_thresholds": "tiers",
    "halfLifeDays": "half_life_days",
    "staleSessionDays": "stale_session_days",
    "lowImportanceMaxDays": "low_importance_max_days",
    "maxObservationsPerProject": "max_observations",
    "max_observations_per_project": "max_observations",
    "maxEvict": "max_evict",
}
_TENTHS = {"lowImportanceThreshold": "low_importance_threshold"}  # written from 1 to 10 there
_CHOICES = {"value": VALUES, "clock": CLOCKS, "curve": CURVES}
_FLAGS = ("enabled", "trust_weighted", "layered", "reinforced", "active_clock")
_LAYER_LIFE = Number("days", 0, 36_500, above=True, endless=True)
_TABLES: dict[str, tuple[tuple[str, ...] | None, Number]] = {
    "tiers": (("hot", "warm", "cold"), SHARE),
    "weights": (
        (
            "importance",
            "frequency",
            "recency",
            "valence",
            "stability",
            "layer",
            "trust",
            "confirmations",
            "activation",
        ),
        SHARE,
    ),
    "kind_weights": (None, SHARE),
    "salience": (None, SHARE),
    "trust": (tuple(Source), SHARE),
    "layer_half_life_days": (tuple(Layer), _LAYER_LIFE),
}
_SCOPE_LISTS = ("exempt_scopes", "project_scopes")
_WORD_LISTS = ("exempt_kinds", "raw_kinds", "protected_kinds", "kept_kinds")
_NEVER = ("never", "none", "unlimited")
_KNOWN = (
    *("name", "about", "overrides", "rules", "targets", "without", "ttl", "exempt_layers", "learned"),
    *_CHOICES,
    *_FLAGS,
    *_TABLES,
    *_SCOPE_LISTS,
    *_WORD_LISTS,
    *NUMBERS,
)


class Report:
    """Problems as they are met, each with the line it stands on."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines
        self.problems: list[str] = []

    def add(self, path: tuple[str | int, ...], problem: str) -> None:
        while path and path not in self._lines:
            path = path[:-1]
        line = self._lines.get(path)
        self.problems.append(f"line {line}: {problem}" if line else problem)


def policy_from(
    values: Mapping[str, Any], base: Policy | None, lines: Lines, name: str
) -> tuple[Policy | None, list[str]]:
    """The policy these values make on top of `base`, and every problem with them."""
    report = Report(lines)
    base = base or Policy(name=name)
    fields: dict[str, Any] = {"name": name}
    numbers = dict(base.numbers)
    lists: dict[str, tuple[str, ...]] = dict(base.source.get("lists", {}))
    given: dict[str, tuple[str, Any]] = {}
    for key, value in values.items():
        word = _ALIASES.get(key) or _TENTHS.get(key) or key
        if word not in _KNOWN:
            report.add((key,), f"unknown key {key!r}{_near(key)}")
            continue
        if word in given:
            report.add((key,), f"{key!r} and {given[word][0]!r} are the same setting: give one")
        scaled = value / 10 if key in _TENTHS and _is_number(value) else value
        given[word] = (key, scaled)
    for word, (key, value) in given.items():
        if word in NUMBERS:
            number = _number(value, NUMBERS[word], key, (key,), report)
            if number is not None:
                numbers[word] = number
        elif word in _READERS:
            fields[word] = _READERS[word](value, key, base, report)
        elif word in _WORD_LISTS:
            lists[word] = _words(value, key, report)
        elif word == "learned" and not _is_record(value):
            report.add((key,), f"{key} is written by rem policy learn: keep it as it is, or take it away")
    exempt_kinds = lists.get("exempt_kinds", base.exempt_kinds)
    policy = replace(base, **fields, numbers=numbers, exempt_kinds=exempt_kinds)
    policy = replace(policy, ttl_days=_ttl(given, base, report), overrides=_overrides(given, policy, report))
    own = {key: value for key, (_, value) in given.items()}
    removed = _without(own.get("without"), base, report)
    policy = replace(
        policy,
        rules=rules_from(own.get("rules"), base.rules, removed, policy, lists, report),
        targets=targets_from(own.get("targets"), base.targets, removed, policy, report),
        source={"extends": base.name, "values": dict(values), "lists": lists},
    )
    if not report.problems:
        coherence_problems(policy, {word: key for word, (key, _) in given.items()}, report)
    return (None if report.problems else policy), report.problems


def _is_record(value: Any) -> bool:
    """Whether it says of a learned policy when and from which, with pairs of numbers, before and after."""
    if not isinstance(value, Mapping) or not isinstance(value.get("kinds", {}), Mapping):
        return False
    tables = [value.get("numbers", {}), *value.get("kinds", {}).values()]
    return (
        all(isinstance(value.get(key), str) for key in ("at", "from"))
        and all(isinstance(table, Mapping) for table in tables)
        and all(
            isinstance(pair, list)
            and len(pair) == 2
            and (pair[0] is None or _is_number(pair[0]))
            and _is_number(pair[1])
            for table in tables
            for pair in table.values()
        )
    )


def _near(key: str) -> str:
    found = get_close_matches(key, _KNOWN, n=1, cutoff=0.6)
    return f" (did you mean {found[0]!r}?)" if found else ""


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _number(value: Any, number: Number, name: str, path: tuple[str | int, ...], report: Report) -> float | None:
    if number.unit == "days" and isinstance(value, str) and not duration_problems(value, name):
        value = duration(value).total_seconds() / 86_400
    if number.endless and isinstance(value, str) and value in _NEVER:
        value = None
    if problem := number.problem(value, name):
        report.add(path, problem)
        return None
    return float("inf") if value is None else float(value)


def _text(value: Any, name: str, base: Policy, report: Report) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > 400:
        report.add((name,), f"{name} must be a text of at most 400 characters")
        return ""
    return value


def _choice(word: str) -> Callable[[Any, str, Policy, Report], Any]:
    def read(value: Any, name: str, base: Policy, report: Report) -> Any:
        if value not in _CHOICES[word]:
            report.add((name,), f"{name} is {value!r}; it must be one of {', '.join(_CHOICES[word])}")
            return getattr(base, word)
        return value

    return read


def _flag(value: Any, name: str, base: Policy, report: Report) -> bool:
    if not isinstance(value, bool):
        report.add((name,), f"{name} is {value!r}; it must be true or false")
    return bool(value)


def _table(word: str) -> Callable[[Any, str, Policy, Report], dict[str, float]]:
    keys, number = _TABLES[word]

    def read(value: Any, name: str, base: Policy, report: Report) -> dict[str, float]:
        table = dict(getattr(base, word))
        if not isinstance(value, Mapping):
            report.add((name,), f"{name} must be a table of numbers by name")
            return table
        for key, item in value.items():
            if keys is not None and key not in keys:
                report.add((name, key), f"{name} has no {key!r}; it has {', '.join(keys)}")
            elif (found := _number(item, number, f"{name}.{key}", (name, key), report)) is not None:
                table[key] = found
        return table

    return read


def _words(value: Any, name: str, report: Report) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) and item for item in value):
        report.add((name,), f"{name} must be a list of names")
        return ()
    return tuple(dict.fromkeys(value))


def _scopes(value: Any, name: str, base: Policy, report: Report) -> tuple[str, ...]:
    if not isinstance(value, list):
        report.add((name,), f"{name} must be a list of scopes, such as [/user]")
        return ()
    for number, scope in enumerate(value):
        for problem in scope_problems(scope):
            report.add((name, number), f"{name}: {problem}")
    return tuple(scope for scope in value if isinstance(scope, str))


def _layers(value: Any, name: str, base: Policy, report: Report) -> tuple[str, ...]:
    layers = _words(value, name, report)
    for layer in layers:
        if layer not in tuple(Layer):
            report.add((name,), f"{name} has {layer!r}; the layers are {', '.join(Layer)}")
    return layers


_READERS: dict[str, Callable[[Any, str, Policy, Report], Any]] = {
    "about": _text,
    **{word: _choice(word) for word in _CHOICES},
    **dict.fromkeys(_FLAGS, _flag),
    **{word: _table(word) for word in _TABLES},
    **dict.fromkeys(_SCOPE_LISTS, _scopes),
    "exempt_layers": _layers,
}


def _ttl(given: Mapping[str, tuple[str, Any]], base: Policy, report: Report) -> dict[str, float | None]:
    """Kind → days, None where a kind never expires."""
    table = dict(base.ttl_days)
    key, value = given.get("ttl", ("ttl", {}))
    if not isinstance(value, Mapping):
        report.add((key,), "ttl must be a table of durations by kind, such as {tool_output: 7d}")
        return table
    for kind, item in value.items():
        table[kind] = _span(item, f"ttl.{kind}", (key, kind), report)
    return table


def _span(value: Any, name: str, path: tuple[str | int, ...], report: Report) -> float | None:
    if value is None or (isinstance(value, str) and value in _NEVER):
        return None
    for problem in duration_problems(value, name):
        report.add(path, f'{problem}, or "never"')
        return None
    return duration(value).total_seconds() / 86_400


def _overrides(given: Mapping[str, tuple[str, Any]], policy: Policy, report: Report) -> tuple[Override, ...]:
    """Numbers for a scope or a kind: `{/scope: {…}, kind: {…}}`, or a list of entries with `scope` and `kind`."""
    key, value = given.get("overrides", ("overrides", None))
    if value is None:
        return policy.overrides
    entries: list[tuple[tuple[str | int, ...], dict[str, Any]]] = []
    if isinstance(value, Mapping):
        for name, item in value.items():
            nested = name in ("scopes", "kinds") and isinstance(item, Mapping)
            for inner, numbers in item.items() if nested else [(name, item)]:
                path = (key, name, inner) if nested else (key, name)
                place = "scope" if inner.startswith("/") else "kind"
                if isinstance(numbers, Mapping):
                    entries.append((path, {place: inner, **numbers}))
                else:
                    report.add(path, f"overrides of {inner!r} must be a table of numbers")
    elif isinstance(value, list) and all(isinstance(item, Mapping) for item in value):
        entries = [((key, number), dict(item)) for number, item in enumerate(value)]
    else:
        report.add((key,), "overrides must be a table by scope or kind, or a list of tables with scope or kind")
    return (*policy.overrides, *(_override(path, entry, report) for path, entry in entries))


def _override(path: tuple[str | int, ...], entry: Mapping[str, Any], report: Report) -> Override:
    scope, kind = entry.get("scope"), entry.get("kind")
    if scope is None and kind is None:
        report.add(path, "an override needs a scope or a kind")
    for problem in [] if scope is None else scope_problems(scope):
        report.add(path, f"override: {problem}")
    if kind is not None and (not isinstance(kind, str) or not kind):
        report.add(path, "an override's kind must be a name")
    numbers: dict[str, float] = {}
    for name, value in entry.items():
        word = _ALIASES.get(name, name)
        if word in NUMBERS:
            number = _number(value, NUMBERS[word], name, (*path, name), report)
            if number is not None:
                numbers[word] = number
        elif name not in ("scope", "kind", "ttl", "exempt"):
            report.add((*path, name), f"an override cannot set {name!r}{_near(name)}: numbers, ttl and exempt alone")
    exempt = entry.get("exempt")
    if exempt is not None and not isinstance(exempt, bool):
        report.add((*path, "exempt"), f"exempt is {exempt!r}; it must be true or false")
    ttl = _span(entry["ttl"], "ttl", (*path, "ttl"), report) if "ttl" in entry else None
    return Override(scope=scope, kind=kind, numbers=numbers, ttl_days=ttl, sets_ttl="ttl" in entry, exempt=exempt)


def _without(value: Any, base: Policy, report: Report) -> frozenset[str]:
    if value is None:
        return frozenset()
    names = _words(value, "without", report)
    known = {rule.name for rule in base.rules} | {target.name for target in base.targets}
    for name in names:
        if name not in known:
            report.add(("without",), f"without names {name!r}; the rules are {', '.join(sorted(known))}")
    return frozenset(names)
