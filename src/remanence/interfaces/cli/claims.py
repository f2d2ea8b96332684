"""How the claims of a dream look in a terminal: what is new, what leaves for it, what stays and why."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import TYPE_CHECKING

from remanence.errors import NotFound
from remanence.interfaces.cli.words import counted, freed, one_line, safe
from remanence.model.claim import Claim
from remanence.model.dream import DreamRun
from remanence.model.memory import Memory
from remanence.model.plan import Action, Change, Plan

if TYPE_CHECKING:
    from rich.console import Console

_SHOWN = 8
_SHOWN_CLAIMS = 50
_LONGEST_NEW = 600


def show(plan: Plan, out: Console, get: Callable[[str], Memory]) -> None:
    """Every claim with its evidence and its changes."""
    changes: dict[str | None, list[Change]] = defaultdict(list)
    for change in plan:
        changes[change.claim].append(change)
    for claim in plan.claims[:_SHOWN_CLAIMS]:
        _claim(claim, changes[claim.key], out, get)
    if len(plan.claims) > _SHOWN_CLAIMS:
        out.print(f"and {len(plan.claims) - _SHOWN_CLAIMS:,} more claims; see them with --json")


def run(value: DreamRun, out: Console) -> None:
    """What an unattended dream did."""
    if not value.ran:
        out.print(f"Nothing more was done: {safe(value.why)}")
    did = f"{value.made:,} made, {value.merged:,} merged, {freed(value.tokens_freed)}"
    out.print(f"dream: {did}{'' if value.llm else ', without a language model'}", style="bold")
    if value.pruned:
        out.print(f"  old recalls of {counted(value.pruned)} let go")
    for step, receipt in value.receipts.items():
        out.print(f"  {step:<10}{receipt}  take it back with: rem undo {receipt}")
    if value.skipped:
        out.print(f"  {value.skipped} changes were left out, since something changed meanwhile; see: rem journal")
    for warning in value.warnings:
        out.print(f"! {safe(warning)}")
    if value.left:
        out.print(f"Not finished: {', '.join(value.left)}. The next run begins with them: rem dream --apply")


def _claim(claim: Claim, changes: list[Change], out: Console, get: Callable[[str], Memory]) -> None:
    out.print(f"{claim.key}  {safe(claim.title)}" + (" (by the language model)" if claim.llm else ""), style="bold")
    if claim.evidence:
        numbers = ", ".join(f"{name.replace('_', ' ')} {number:.4g}" for name, number in claim.evidence.items())
        out.print(f"    {safe(numbers)}", style="dim")
    for change in changes[:_SHOWN]:
        text = change.memory.text if change.memory is not None else _text(change.memory_id, get)
        longest = _LONGEST_NEW if change.action is Action.ADD else 80
        out.print(f"  {change.action.mark} {change.memory_id}  {one_line(text, longest)}".rstrip())
        if "state" not in change.after and change.memory is None:
            out.print(f"      {_written(change)}", style="dim")
    if len(changes) > _SHOWN:
        out.print(f"    and {len(changes) - _SHOWN:,} more")
    for id, why in list(claim.staying.items())[:_SHOWN]:
        out.print(f"  = {id}  {one_line(_text(id, get), 60)}  stays: {safe(why)} would be lost")
    others = [id for id in claim.sources if id not in claim.leaving and id not in {c.memory_id for c in changes}]
    if others:
        more = f" and {len(others) - 3} more" if len(others) > 3 else ""
        out.print(f"    made from {', '.join(others[:3])}{more}", style="dim")


def _written(change: Change) -> str:
    return ", ".join(
        f"{name.replace('_', ' ')} {_shown(change.before.get(name))} → {_shown(value)}"
        for name, value in change.after.items()
    )


def _shown(value: object) -> str:
    """A value in short; of many moments how many they are."""
    return f"{len(value)} of them" if isinstance(value, tuple) else safe(str(value))[:60]


def _text(id: str, get: Callable[[str], Memory]) -> str:
    try:
        return get(id).text
    except NotFound:
        return ""
