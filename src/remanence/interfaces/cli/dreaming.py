"""dream: what it proposes, as a diff by claim; applied whole, in part or not at all; and what past dreams did."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from remanence.errors import InvalidInput
from remanence.interfaces.cli.listing import Family
from remanence.interfaces.cli.words import counted, freed, safe

if TYPE_CHECKING:
    from remanence.interfaces.cli.app import Door
    from remanence.mind import Mind
    from remanence.model.plan import Plan


_HOW = "Apply all with: rem dream --apply; some with: rem dream --only KEY --apply"


@click.group("dream", cls=Family, invoke_without_command=True)
@click.option("--scope", multiple=True, help="Only this scope and what is below it. May be given several times.")
@click.option(
    "--steps", "--step", "steps", multiple=True, help="Only these steps, such as cluster,drift; all when left out."
)
@click.option("--only", multiple=True, metavar="KEY", help="Only these claims, by their keys or how those begin.")
@click.option("--apply", is_flag=True, help="Do it; without, the plan is only shown.")
@click.option("--force", is_flag=True, help="With --only: even if it takes more than a fifth of a scope.")
@click.pass_obj
@click.pass_context
def dream(
    context: click.Context,
    door: Door,
    scope: tuple[str, ...],
    steps: tuple[str, ...],
    only: tuple[str, ...],
    apply: bool,
    force: bool,
) -> None:
    """Consolidate what is remembered: a plan, claim by claim. Nothing is lost by it, and all of it can be undone."""
    if context.invoked_subcommand is not None:
        return
    from remanence.interfaces.cli import output

    wanted = ",".join(steps) or None
    with door.mind() as mind:
        if apply and not only:
            if force:
                raise InvalidInput(
                    "--force goes with --only: a whole dream stays within what an automatic run may take"
                )
            with output.progress("Dreaming", quiet=door.as_json) as progress:
                done = mind.dreams.run(wanted, scope or None, progress=progress)
            door.say(done)
            return
        with output.progress("Dreaming", quiet=door.as_json) as progress:
            plan = mind.dream(scope or None, wanted, progress=progress)
        if only:
            plan = _chosen(plan, only)
        if door.as_json:
            door.say(mind.apply(plan, force=force) if apply else plan)
            return
        show(plan, mind, applying=apply)
        if apply:
            door.say(mind.apply(plan, force=force))
        elif plan.claims and sys.stdin.isatty() and sys.stdout.isatty():
            _ask(door, mind, plan)
        elif plan.claims:
            click.echo(_HOW)


def _chosen(plan: Plan, keys: tuple[str, ...]) -> Plan:
    return plan.only([key.strip() for one in keys for key in one.split(",")])


def _ask(door: Door, mind: Mind, plan: Plan) -> None:
    """Let a person at a terminal accept this very plan, or a part of it."""
    answer = click.prompt("Apply? all, none, or keys with commas", default="none").strip()
    if answer in ("none", "n", "no"):
        click.echo("Nothing was changed.")
        return
    chosen = plan if answer in ("all", "a", "y", "yes") else _chosen(plan, (answer,))
    door.say(mind.apply(chosen))


@dream.command("report")
@click.option("--limit", type=int, default=20, show_default=True, help="At most so many, 1 to 1000.")
@click.pass_obj
def report(door: Door, limit: int) -> None:
    """What each past dream merged and freed, and whether recalls have missed it since; how to take it back."""
    with door.mind() as mind:
        found = mind.dreams.report(limit)
    if door.as_json:
        door.say(found)
        return
    if not found:
        click.echo("No dream has changed anything yet. See what one would do with: rem dream")
    for dreamt in found:
        did = [
            f"{number:,} {what}"
            for number, what in (
                (len(dreamt.made), "made"),
                (len(dreamt.merged), "merged"),
                (dreamt.archived, "archived or forgotten"),
                (dreamt.adjusted, "adjusted"),
            )
            if number
        ]
        click.echo(f"{dreamt.receipt_id}  {dreamt.at:%Y-%m-%d %H:%M} UTC  {', '.join(did)}  ({safe(dreamt.note)})")
        missed = f"would have been a hit {dreamt.missed} times" if dreamt.missed else "no recall has missed it"
        click.echo(f"    {freed(dreamt.tokens_freed)}; {missed}")
        for id in dreamt.missed_ids[:5]:
            click.echo(f"      {id}  bring it back with: rem restore {id}")
        if dreamt.undone:
            click.echo(f"    undone by {dreamt.undone}")
        else:
            click.echo(f"    Take it back with: rem undo {dreamt.receipt_id}")


def show(plan: Plan, mind: Mind, *, applying: bool = False) -> None:
    """A plan as a diff by claim; changes that belong to no claim by their reason."""
    from remanence.interfaces.cli import claims, fates, output

    out = output.console()
    if not plan.claims:
        fates.plan(plan, out, mind.get, applying=applying)
        return
    state = "" if applying else ", nothing done yet"
    number = f"{len(plan.claims)} claim{'s' * (len(plan.claims) != 1)}"
    out.print(f"{plan.verb}: {number}, {len(plan)} change{'s' * (len(plan) != 1)}{state}", style="bold")
    if plan.note:
        out.print(safe(plan.note), style="dim")
    claims.show(plan, out, mind.get)
    leaving = sum(len(claim.leaving) for claim in plan.claims)
    if leaving:
        out.print(f"{counted(leaving)} would leave recall, each of them restorable" if not applying else "")
    for warning in plan.warnings:
        out.print(f"! {safe(warning)}")


COMMANDS: tuple[click.Command, ...] = (dream,)
