"""How the past looks in a terminal: receipts in brief, days gone by, a memory's lineage; and what stats adds."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from remanence.interfaces.cli.words import counted, one_line, safe
from remanence.interfaces.verbs import Verb
from remanence.model.journal import POLICY, Brief, Past

if TYPE_CHECKING:
    from rich.console import Console

    from remanence.interfaces.cli.app import Door
    from remanence.model.lineage import Lineage


_STEPS = 12
_MOST_SETS = 12
_WIDEST_BAR = 40


def brief(value: Brief) -> tuple[str, ...]:
    """A receipt as a row: what it did, and whether it was taken back."""
    did = ", ".join(f"{number:,} {action}" for action, number in value.actions.items())
    did = did or ("another policy" if value.verb == POLICY else "nothing")
    ties = (("undoes", value.undoes), ("undone by", value.undone_by))
    note = "; ".join([f"{word} {id}" for word, id in ties if id] + ([one_line(value.note, 60)] if value.note else []))
    return f"{value.at:%Y-%m-%d %H:%M:%S}", value.id, safe(value.verb), did, counted(value.memories), note


BRIEF = ("when", "receipt", "verb", "did", "to", "note")


def past(value: Past, out: Console) -> None:
    """A line for each step of days: how many there were at its end, and how many came and left in it."""
    first, top = date.fromisoformat(value.first), max(*value.live, 1)
    ends = sorted({round(number * value.days / _STEPS) for number in range(_STEPS + 1)})
    out.print(
        f"{value.days} days: {sum(value.learned):,} learned, {sum(value.left):,} left recall; "
        f"{value.live[-1]:,} live now",
        style="bold",
    )
    out.print(f"{'day':<10} {'live':>9} {'archived':>9} {'forgotten':>9} {'learned':>8} {'left':>8}")
    begin = 0
    for end in ends:
        numbers = (value.live[end], value.archived[end], value.forgotten[end])
        moved = (sum(value.learned[begin : end + 1]), sum(value.left[begin : end + 1]))
        bar = "█" * round(value.live[end] / top * min(max(out.width - 60, 10), _WIDEST_BAR))
        shown = " ".join(f"{number:>9,}" for number in numbers) + "".join(f" {number:>8,}" for number in moved)
        out.print(f"{first + timedelta(days=end)} {shown} {bar}".rstrip())
        begin = end + 1


def lineage(value: Lineage, out: Console) -> None:
    """The memories nearest first, each with what ties it to the others."""
    known = {one.id: one for one in value.memories}
    for number, one in enumerate(value.memories):
        out.print(f"{one.id}  {one_line(one.text, 100)}", style=None if number else "bold")
        out.print(
            f"    {one.created_at:%Y-%m-%d}  {safe(one.scope)}  {safe(one.kind)}  {one.source}  {one.state}  "
            f"v{one.version}",
            style="dim",
        )
        for link in value.links:
            if link["to"] == one.id and link["from"] in known:
                out.print(f"    {_FROM[link['how']]} {link['from']}", style="dim")
    for id in value.purged:
        out.print(f"x {id}  (purged)")
    if value.more:
        out.print("and more: see --limit")


_FROM = {"made": "made from", "version": "newer version of"}


def stats(door: Door, verb: Verb, given: dict[str, Any]) -> None:
    """The figures, and for people how warm memories are and how full each set is."""
    from remanence.interfaces.cli import output

    with door.mind() as mind:
        told = mind.stats()
        if door.as_json:
            door.say(told)
            return
        tiers, sizes = mind.tiers(), mind.sizes()
    out = output.console()
    output.show(told, out)
    warm = ", ".join(f"{number:,} {tier}" for tier, number in tiers.items())
    out.print(f"  {'tiers of live memories':<{output.STATS_WIDTH}}{warm}")
    for one in sizes[:_MOST_SETS]:
        place = f" of {safe(one.scope)}" if one.scope else ""
        full = f"{one.held:,} of {one.allowed:,} {one.unit} ({one.share:.0%}), then {one.action}"
        out.print(f"  {f'{safe(one.name)}{place}':<{output.STATS_WIDTH - 1}} {full}")
    if len(sizes) > _MOST_SETS:
        out.print(f"  and {len(sizes) - _MOST_SETS:,} more sets with a target")


RUNS = {"stats": stats}
