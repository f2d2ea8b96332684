"""How plans, explanations, forecasts and policies look in a terminal."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from remanence.errors import NotFound
from remanence.interfaces import plots
from remanence.interfaces.cli import claims, sessions
from remanence.interfaces.cli.words import counted, one_line, safe
from remanence.model.explanation import Explanation, Forecast
from remanence.model.memory import Memory
from remanence.model.plan import Change, Group, Plan
from remanence.model.policy import Policy
from remanence.model.report import Report

if TYPE_CHECKING:
    from rich.console import Console

_SHOWN = 5
_SHOWN_SCOPES = 3
_WIDEST = 100


def plan(value: Plan, out: Console, get: Callable[[str], Memory] | None = None, *, applying: bool = False) -> None:
    """A plan grouped by rule: how many, which share of each scope, tokens freed, the most worthy first."""
    if not value.changes:
        out.print(f"{value.verb}: nothing to change")
    else:
        state = "" if applying else ", nothing done yet"
        out.print(f"{value.verb}: {value.size}{state}", style="bold")
    by_rule: dict[str, list[Change]] = defaultdict(list)
    for change in value:
        by_rule[change.reason].append(change)
    groups = {group.rule: group for group in value.groups}
    for rule, changes in by_rule.items():
        _group(rule, changes, groups.get(rule), out, get)
    for warning in value.warnings:
        out.print(f"! {safe(warning)}")


def _group(
    rule: str, changes: list[Change], group: Group | None, out: Console, get: Callable[[str], Memory] | None
) -> None:
    first = changes[0]
    title = f"{first.action.mark} {first.action.value} {counted(len(changes))}: {safe(rule)}"
    out.print(title + (f" ({safe(group.why)})" if group and group.why else ""))
    if group is not None and "state" in first.after:
        shares = [
            f"{number} of {live} in {safe(scope)} ({number / live:.0%})" if live else f"{number} in {safe(scope)}"
            for scope, (number, live) in list(group.scopes.items())[:_SHOWN_SCOPES]
        ]
        more = f" and {len(group.scopes) - _SHOWN_SCOPES} more scopes" if len(group.scopes) > _SHOWN_SCOPES else ""
        out.print(f"    {', '.join(shares)}{more}; {group.tokens:,} tokens freed; oldest {group.oldest:%Y-%m-%d}")
    for change in changes[:_SHOWN]:
        text = _text_of(change.memory_id, get)
        numbers = " ".join(f"{name}={_number(number)}" for name, number in change.evidence.items())
        out.print(f"    {change.memory_id}  {text}".rstrip())
        if numbers:
            out.print(f"      {numbers}", style="dim")
    if len(changes) > _SHOWN:
        out.print(f"    and {len(changes) - _SHOWN:,} more")


def _number(value: float) -> str:
    return f"{value:.4g}"


def _text_of(id: str, get: Callable[[str], Memory] | None) -> str:
    try:
        return one_line(get(id).text, 80) if get is not None else ""
    except NotFound:
        return ""


def explanation(told: Explanation, memory: Memory, out: Console) -> None:
    """The words, the plot, and every factor as a bar."""
    out.print(one_line(memory.text), style="bold")
    out.print(safe(told.text))
    out.print()
    out.print(f"{told.value_name.replace('_', ' ')} over time; ┊ now, ╌ the rule's bound, ▴ recalls", style="dim")
    out.print(plots.curve_text(told.curve, min(out.width, _WIDEST)))
    out.print()
    for name, value in told.parts.items():
        out.print(f"  {name:<22}{value:>8.4f}  {'█' * round(value * 24)}".rstrip())
    measures = (f"{name.replace('_', ' ')} {round(value, 4):,.10g}" for name, value in told.measures.items())
    out.print("  " + ", ".join(measures))


def forecast(value: Forecast, out: Console) -> None:
    out.print(f"{safe(str(value))}, {value.tokens:,} tokens; {counted(value.promoted)} promoted", style="bold")
    for name, counts in (("rule", value.by_rule), ("scope", value.by_scope), ("kind", value.by_kind)):
        if counts:
            shown = ", ".join(f"{number:,} {safe(item)}" for item, number in list(counts.items())[:8])
            out.print(f"  by {name:<6} {shown}")
    out.print(plots.forecast_text(value, min(out.width, _WIDEST)))
    for leaving in value.leaving[:_SHOWN]:
        out.print(f"  {leaving.at:%Y-%m-%d}  {leaving.memory_id}  {leaving.action}: {safe(leaving.rule)}")
    if value.leaves > _SHOWN:
        out.print(f"  and {value.leaves - _SHOWN:,} more")
    for warning in value.warnings:
        out.print(f"! {safe(warning)}")


def report(value: Report, out: Console) -> None:
    if not value.ran:
        out.print(f"Nothing was done: {safe(value.why)}")
        return
    done = f"{value.archived} archived, {value.forgotten} forgotten, {value.moved} moved to another layer"
    out.print(f"upkeep: {done}" + (f", receipt {value.receipt_id}" if value.receipt_id else ""))
    for rule, number in value.by_rule.items():
        out.print(f"  {number:>6,}  {safe(rule)}")
    if value.dated:
        out.print(f"  {counted(value.dated)} dated under the policy")
    for warning in value.warnings:
        out.print(f"! {safe(warning)}")
    if value.receipt_id:
        out.print(f"Take it back with: rem undo {value.receipt_id}")
    if value.sessions is not None:
        sessions.show_run(value.sessions, out)
    if value.dream is not None:
        claims.run(value.dream, out)


def policy(value: Policy, out: Console, slowed: Mapping[str, float] | None = None) -> None:
    """A policy in words: what it compares, its numbers, its rules in order, and the kinds that regret has slowed."""
    state = "" if value.enabled else " (switched off)"
    out.print(f"{safe(value.name)}{state}: {safe(value.about)}", style="bold")
    parts = [f"compares {value.value.replace('_', ' ')}", f"curve {value.curve} since {_CLOCK[value.clock]}"]
    modifiers = {
        "by trust": value.trust_weighted,
        "by layer": value.layered,
        "recalls add": value.reinforced,
        "by active days alone": value.active_clock,
    }
    parts += (word for word, holds in modifiers.items() if holds)
    out.print("  " + ", ".join(parts))
    _table("numbers", value.numbers, out)
    for name in ("weights", "tiers", "ttl_days", "trust", "kind_weights", "salience"):
        _table(name, getattr(value, name), out)
    for name in ("exempt_scopes", "exempt_kinds", "exempt_layers", "project_scopes"):
        if items := getattr(value, name):
            out.print(f"  {name.replace('_', ' ')}: {', '.join(map(safe, items))}")
    for override in value.overrides:
        out.print(f"  override of {safe(override.place)}: {safe(str(override))}")
    if slowed:
        shown = ", ".join(f"{safe(kind)} {factor:g} times" for kind, factor in slowed.items())
        out.print(f"  decays slower here, since archived ones were missed: {shown}")
    out.print("rules, in order:")
    out.print("  expired: archive when its own time (ttl, expires_at) has passed")
    for rule in value.rules:
        out.print(f"  {safe(rule.name)}: {safe(value.sentence(rule))}")
    for target in value.bounded_targets():
        out.print(f"  {safe(target.name)}: {safe(value.bound_sentence(target))}")


_CLOCK = {"accessed": "the last recall", "created": "birth"}


def _table(name: str, table: Mapping[str, Any], out: Console) -> None:
    if table:
        shown = ", ".join(
            f"{safe(key)} {'never' if value is None or value == float('inf') else f'{value:g}'}"
            for key, value in table.items()
        )
        out.print(f"  {name.replace('_', ' ')}: {shown}")


def differences(found: Sequence[Mapping[str, Any]], one: str, other: str, out: Console) -> None:
    """Where two policies differ, a line for each side."""
    width = max(len(one), len(other))
    for entry in found:
        out.print(safe(entry["name"]), style="bold")
        for name, key in ((one, "one"), (other, "other")):
            out.print(f"  {safe(name):<{width}}  {safe(_value(entry[key]))}")


def _value(value: Any) -> str:
    """One side of a difference, as `rem policy show` writes it."""
    if value is None or value == []:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:g}"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
