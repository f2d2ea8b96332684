"""rem policy learn: a policy learned from this store's own past, shown with its back-test, written or used on request.

The table has each number before and after, what the past has it at with its standard error, and how much of that comes
from the past. Nothing changes without --use, and then nothing either where the past speaks against it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from remanence.errors import InvalidInput
from remanence.interfaces.cli.words import safe

if TYPE_CHECKING:
    from rich.console import Console

    from remanence.interfaces.cli.app import Door
    from remanence.model.learned import LearnedKind
    from remanence.model.proposal import Proposal


@click.command("learn")
@click.option("--out", metavar="FILE", help="Write the proposed policy there, to be looked at and changed.")
@click.option("--use", "use", is_flag=True, help="Use it, unless this store's past speaks against it.")
@click.option(
    "--force",
    is_flag=True,
    help="With --use: even if its first sweep would take more than a fifth of a scope. With --out: over another file.",
)
@click.pass_obj
def learn(door: Door, out: str | None, use: bool, force: bool) -> None:
    """Propose a policy with a curve learned from this store's own accesses, back-tested."""
    from remanence.interfaces.cli import output

    if force and not (use or out):
        raise InvalidInput("--force is of no use by itself: it belongs to --use or to --out FILE")
    with door.mind() as mind:
        with output.progress("Learning", quiet=door.as_json) as progress:
            proposal = mind.policies.learn(progress=progress)
        if not door.as_json:
            show(proposal, output.console())
        if out:
            _write(out, proposal.yaml, force=force)
        used = None
        if use and proposal.is_new:
            with output.progress("Dating", quiet=door.as_json) as progress:
                used = mind.policies.use(proposal.approved(), force=force, progress=progress)
    if door.as_json:
        door.say(proposal.to_dict() | {"used": None if used is None else used.to_dict()})
    elif used is not None:
        click.echo(safe(str(used)))
    else:
        for line in _next(proposal, out):
            click.echo(safe(line))


def _write(path: str, text: str, *, force: bool) -> None:
    """Write the policy; a file that says something else is somebody's work, and stays without --force."""
    from remanence.interfaces.cli import output

    place = Path(path)
    try:
        is_other = place.exists() and place.read_bytes() != text.encode("utf-8")
    except OSError as reason:
        raise InvalidInput(f"{path} cannot be read: {reason.strerror}") from None
    if is_other and not force:
        raise InvalidInput(
            f"{path} is there already and says something else; nothing was written or changed. "
            "Name another file, or write over it with --force"
        )
    output.write_file(path, text)


def _next(proposal: Proposal, out: str | None) -> list[str]:
    """What can be done with a proposal that was not used."""
    lines = [f"It was written to {out}. Use it with: rem policy use {out}"] if out else []
    if proposal.is_new and proposal.is_usable and not out:
        lines.append("Use it with: rem policy learn --use; keep it as a file with: rem policy learn --out learned.yml")
    return ["Nothing was changed." + "".join(f" {line}" for line in lines)]


def show(proposal: Proposal, out: Console) -> None:
    """What was learned, number by number, and what the back-test says of it."""
    from remanence.interfaces.cli import backtesting

    learned = proposal.learned
    out.print(
        f"Learned from {learned.every.memories:,} memories; {learned.every.used_again:,} of them were used again "
        "within 30 days after lying idle",
        style="bold",
    )
    rows = [row for kind in (learned.every, *learned.kinds) for row in _rows(kind)]
    backtesting.table(["", "memories", "number", "before", "after", "the past has", "confidence"], rows, out)
    if any(number.is_held_back for kind in (learned.every, *learned.kinds) for number in kind.numbers):
        out.print("! A limit, no estimate: learning changes the pace of all memories at most tenfold, now and later.")
    if record := proposal.document.get("learned"):
        out.print(f"Before: {safe(record['from'])}, which is where learning begins each time.")
    if proposal.is_new:
        before, after = learned.held_out or (learned.log_loss_before, learned.log_loss_after)
        held = "on the last third, from what was known before it" if learned.held_out else "on what it was learned from"
        out.print(f"Log-loss of telling what is used again {before:.3f} → {after:.3f} ({held}; smaller is better)")
        out.print()
        backtesting.show(proposal.backtest, [], out)
    may = "It may be used." if proposal.is_new and proposal.is_usable else proposal.verdict
    out.print(safe(may), style="bold")
    for warning in proposal.warnings:
        out.print(safe(warning), style="yellow")


def _rows(kind: LearnedKind) -> list[list[str]]:
    return [
        [
            "" if place else safe(kind.kind or "all kinds"),
            "" if place else f"{kind.memories:,}",
            number.name,
            f"{number.before:g}",
            f"{number.after:g}" + " !" * number.is_held_back,
            f"{number.fitted:g} ± {number.standard_error:.2g}",
            f"{number.confidence:.0%}",
        ]
        for place, number in enumerate(kind.numbers)
    ]
