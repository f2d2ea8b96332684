"""A learned policy as a proposal: what the past teaches, as a policy over the one in force, and its back-test.

The numbers that hold for all stand at the top of the policy, those of a kind under `overrides`, after what is there.
Under `learned` stands what they were before. The next learning begins there, so that a past counts once, and the limit
of one proposal is a limit of all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from remanence.flows.backtest import tested
from remanence.flows.learn import learn
from remanence.lifecycle.idleness import NAMES
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
    current, record = replace(policy, lived=lived), values.get("learned") or {}
    start = before_learning(values)
    origin = str(record.get("from") or policy.name)
    base = (
        replace(reading.from_values(start, "the policy it was learned from", origin), lived=lived)
        if record
        else current
    )
    trace, learned = learn(store, base, now, in_force=current)
    document = with_record(start, with_learned(start, learned, _name(policy, now)), origin, now)
    new = reading.from_values(document, "the learned policy", document["name"])
    if new.fingerprint == policy.fingerprint:
        new, document = policy, {"name": policy.name, **values}
    return Proposal(
        policy=new,
        yaml=reading.dumped(document),
        document=_never(document),
        learned=learned,
        backtest=tested(
            trace,
            replace(new, lived=lived),
            None if new is policy else current,
            progress=progress,
            ids=store.ids,
            where=f"namespace {store.namespace!r}",
        ),
        since=record.get("at"),
        warnings=_warnings(trace.left_out),
    )


def _name(policy: Policy, now: datetime) -> str:
    """Learned on a day; the second of a day has a number, since both may stand beside each other."""
    name = f"learned-{now:%Y-%m-%d}"
    if policy.name != name and not policy.name.startswith(f"{name}-"):
        return name
    number = policy.name.removeprefix(name).removeprefix("-")
    return f"{name}-{int(number) + 1 if number.isdecimal() else 2}"


def with_record(start: Mapping[str, Any], made: Mapping[str, Any], origin: str, now: datetime) -> dict[str, Any]:
    """The values of a learned policy with `learned`: when, from which one, and each number as it was there and is now.

    A number that the other one did not set itself is null there.
    """
    numbers = {name: [start.get(name), made[name]] for name in NAMES if name in made and made[name] != start.get(name)}
    kinds: dict[str, dict[str, list[Any]]] = {}
    before, after = (_of_kinds(_entries(values.get("overrides"))) for values in (start, made))
    for kind, entry in after.items():
        was = before.get(kind, {})
        if pairs := {name: [was.get(name), entry[name]] for name in NAMES if entry.get(name) != was.get(name)}:
            kinds[kind] = pairs
    return {**made, "learned": {"at": f"{now:%Y-%m-%d}", "from": origin, "numbers": numbers, "kinds": kinds}}


def before_learning(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values that a learned policy was learned from; what was changed by hand since stays as it is."""
    record = values.get("learned")
    start = {key: value for key, value in values.items() if key != "learned"}
    if not isinstance(record, Mapping):
        return start
    _put_back(start, record.get("numbers", {}))
    entries = _entries(start.pop("overrides", None))
    of_kinds = _of_kinds(entries)
    for kind, pairs in record.get("kinds", {}).items():
        if kind in of_kinds:
            _put_back(of_kinds[kind], pairs)
    entries = [entry for entry in entries if entry.keys() - {"kind", "scope"}]
    return {**start, "overrides": entries} if entries else start


def _put_back(table: dict[str, Any], pairs: Mapping[str, Any]) -> None:
    for name, (before, after) in pairs.items():
        if table.get(name) != after:
            continue
        if before is None:
            del table[name]
        else:
            table[name] = before


def with_learned(values: Mapping[str, Any], learned: Learned, name: str) -> dict[str, Any]:
    """The values of a policy under a new name, with the learned numbers in place of its own."""
    entries = _entries(values.get("overrides"))
    for kind in learned.kinds:
        here = _of_kinds(entries).get(str(kind.kind))
        if here is not None:
            here.update(_numbers(kind))
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


def _of_kinds(entries: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The entry that holds for each kind everywhere: the last of it."""
    return {str(entry["kind"]): entry for entry in entries if "kind" in entry and "scope" not in entry}


def _never(value: Any) -> Any:
    """Values of a policy with "never" where there is no bound, which JSON has no number for."""
    if isinstance(value, Mapping):
        return {key: _never(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_never(item) for item in value]
    return "never" if value == float("inf") else value


def _warnings(left_out: int) -> tuple[str, ...]:
    if not left_out:
        return ()
    return (f"{left_out:,} moments of recall lie before a memory's birth or in the future: left out.",)
