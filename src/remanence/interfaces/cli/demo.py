"""The command that makes a demo, a made-up year of an agent's life in a namespace of its own, and takes it away."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from remanence.errors import InvalidInput
from remanence.interfaces.cli.words import command, counted, many

if TYPE_CHECKING:
    from remanence.interfaces.cli.app import Door
    from remanence.interfaces.demo.replay import Made


@click.command("demo")
@click.option("--days", type=int, metavar="N", help="How long a life; default: 365.")
@click.option("--remove", is_flag=True, help="Destroy the demo for good.")
@click.option("--yes", "-y", is_flag=True, help="Remove it without asking.")
@click.pass_obj
def demo(door: Door, days: int | None, remove: bool, yes: bool) -> None:
    """Make a demo in namespace demo: a made-up year of an agent's life, to look around in."""
    from remanence import settings
    from remanence.interfaces.cli import output
    from remanence.interfaces.demo import replay
    from remanence.interfaces.demo.story import DAYS

    if days is not None and remove:
        raise InvalidInput("give --days to make a demo, or --remove to take it away, not both")
    location = door.db or settings.load().location()
    door.namespace = replay.NAMESPACE if door.namespace is None else door.namespace
    days = DAYS if days is None else days
    replay.check(location, door.namespace, days)
    if remove:
        _remove(door, yes)
        return
    with door.mind() as mind:
        replay.is_unfinished(mind)  # what is wrong is said before anything else
        now = mind.clock()
    with output.progress(f"Living {days} days", quiet=door.as_json) as progress:
        made = replay.make(location, door.namespace, now, progress, days)
    if door.as_json:
        door.say(made.to_dict())
    else:
        click.echo("\n".join(_told(door, made)))


def _told(door: Door, made: Made) -> list[str]:
    rem = command(door.db, made.namespace)
    states = ", ".join(f"{number:,} {state}" for state, number in made.memories.items() if number)
    return [
        f"A made-up life of {made.days} days is in namespace {made.namespace}: {states}.",
        f"{made.receipts:,} receipts, {made.dreams} of dreams; {made.sessions} captured sessions; {made.due} memories "
        f"are due, {made.waiting_for_review} wait for a person, archived ones were missed {made.regrets} times.",
        "Try next:",
        f"  {rem} stats",
        f'  {rem} recall "where does the Atlas API keep its orders"',
        f"  {rem} forecast --days 30",
        f"  {rem} review",
        f"  {command(door.db)} serve          then open the page, and choose the namespace {made.namespace}",
        f"Take it away again with: {rem} demo --remove",
    ]


def _remove(door: Door, yes: bool) -> None:
    from remanence.interfaces.demo import replay

    with door.mind() as mind:
        number = replay.to_be_removed(mind, command(door.db, mind.namespace))
        if not yes:
            if door.as_json or not sys.stdin.isatty():
                raise InvalidInput(f"--remove destroys {counted(number)} for good and cannot be undone: add --yes")
            click.confirm(f"Destroy {counted(number)} of namespace {mind.namespace} for good?", abort=True)
        gone = replay.remove(mind)
    if door.as_json:
        door.say(gone)
    else:
        sessions = many(gone.sessions, "captured session")
        click.echo(f"The demo is over: {counted(len(gone.purged))} and {sessions} were destroyed.")


COMMANDS = (demo,)
