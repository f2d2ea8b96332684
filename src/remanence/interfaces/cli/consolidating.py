"""consolidate and compact: new memories made of old ones, shown claim by claim, and written with --apply."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import click

from remanence.interfaces.cli.words import safe

if TYPE_CHECKING:
    from remanence.interfaces.cli.app import Door
    from remanence.mind import Mind
    from remanence.model.plan import Plan


_SCOPE = click.option(
    "--scope", multiple=True, help="Only this scope and what is below it. May be given several times."
)
_APPLY = click.option("--apply", is_flag=True, help="Do it; without, the plan is only shown.")
_FORCE = click.option("--force", is_flag=True, help="Even if it takes more than a fifth of a scope.")


@click.command("consolidate")
@click.option(
    "--tiers", "--tier", "tiers", multiple=True, help="semantic, reflect, procedural, decay or all; all when left out."
)
@_SCOPE
@_APPLY
@_FORCE
@click.pass_obj
def consolidate(door: Door, tiers: tuple[str, ...], scope: tuple[str, ...], apply: bool, force: bool) -> None:
    """Facts of session summaries, insights into what recurs, procedures of patterns; and why a tier was skipped."""
    with door.mind() as mind:
        plan = mind.consolidate(",".join(tiers) or None, scope or None)
        _show(door, mind, plan, "rem consolidate --apply", apply=apply, force=force)


@click.command("compact")
@click.argument("topic")
@_SCOPE
@_APPLY
@click.pass_obj
def compact(door: Door, topic: str, scope: tuple[str, ...], apply: bool) -> None:
    """One summary for what is remembered about a topic; what it covers is archived, the rest stays."""
    with door.mind() as mind:
        plan = mind.compact(topic, scope or None)
        _show(door, mind, plan, f"rem compact {shlex.quote(topic)} --apply", apply=apply)


def _show(door: Door, mind: Mind, plan: Plan, how: str, *, apply: bool, force: bool = False) -> None:
    """The plan for people, or what became of it; in JSON the one or the other."""
    from remanence.interfaces.cli import dreaming

    if not door.as_json:
        dreaming.show(plan, mind, applying=apply)
    if apply and plan.changes:
        door.say(mind.apply(plan, force=force))
    elif door.as_json:
        door.say(plan)
    elif plan.changes:
        click.echo(safe(f"Apply it with: {how}"))


COMMANDS: tuple[click.Command, ...] = (consolidate, compact)
