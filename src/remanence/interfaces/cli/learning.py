"""rem policy learn: a policy learned from this store's own past, shown with its back-test, written or used on request.

The table has each number before and after, with its standard error and how much of it comes from the past. Nothing
changes without --use, and then nothing either where the back-test speaks against it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from remanence.interfaces.cli.words import safe

if TYPE_CHECKING:
    from rich.console import Console

    from remanence.interfaces.cli.app import Door
    from remanence.model.learned import LearnedKind
    from remanence.model.proposal import Proposal


@click.command("learn")
@click.option("--out", metavar="FILE", help="Write the proposed policy there, to be looked at and changed.")
@click.option("--use", "use", is_flag=True, help="Use it, unless its back-test is worse than that of the one in force.")
@click.option("--force", is_flag=True, help="With --use: even if its first sweep would take a fifth of a scope.")
@click.pass_obj
def learn(door: Door, out: str | None, use: bool, force: bool) -> None:
    """Propose a policy with a curve learned from this store's own accesses, back-tested."""
    from remanence.interfaces.cli import output

    with door.mind() as mind:
        with output.progress("Learning", quiet=door.as_json) as progress:
            proposal = mind.policies.learn(progress=progress)
        if out:
            output.write_file(out, proposal.yaml)
        if not door.as_json:
            show(proposal, output.console())
        used = None
        if use:
            with output.progress("Dating", quiet=door.as_json) as progress:
                used = mind.policies.use(proposal.approved(), force=force, progress=progress)
    if door.as_json:
        door.say(proposal.to_dict() | {"used": None if used is None else used.to_dict()})
    elif used is not None:
        click.echo(safe(str(used)))
    elif proposal.is_usable:
        click.echo(
            "Nothing was changed. Use it with: rem policy learn --use; keep it as a file with: --out learned.yml"
        )


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
    backtesting.table(["", "memories", "number", "before", "after", "± error", "confidence"], rows, out)
    before, after = learned.held_out or (learned.log_loss_before, learned.log_loss_after)
    held = "on the last third, from what was known before it" if learned.held_out else "on the past it was learned from"
    out.print(f"Log-loss of telling what is used again {before:.3f} → {after:.3f} ({held}; smaller is better)")
    if any(number.after != number.fitted for kind in (learned.every, *learned.kinds) for number in kind.numbers):
        out.print("The past would have it faster or slower still: one proposal changes the pace at most tenfold.")
    out.print()
    backtesting.show(proposal.backtest, [], out)
    out.print("It may be used." if proposal.is_usable else safe(proposal.verdict), style="bold")
    for warning in proposal.warnings:
        out.print(safe(warning), style="yellow")


def _rows(kind: LearnedKind) -> list[list[str]]:
    return [
        [
            "" if place else safe(kind.kind or "all kinds"),
            "" if place else f"{kind.memories:,}",
            number.name,
            f"{number.before:g}",
            f"{number.after:g}",
            f"{number.standard_error:.2g}",
            f"{number.confidence:.0%}",
        ]
        for place, number in enumerate(kind.numbers)
    ]
