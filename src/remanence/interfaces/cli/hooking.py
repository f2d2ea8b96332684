"""hook: what agents call for each of their events. `rem` takes it before any command is loaded; this is its help."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from remanence.interfaces.cli.app import Door


@click.command("hook")
@click.argument("event")
@click.option("--host", required=True, help="Whose event it is: claude-code, codex, cursor or gemini.")
@click.pass_obj
def hook(door: Door, event: str, host: str) -> None:
    """Take an event of an agent from standard input; 'rem connect' has agents call this.

    The event waits beside the store until it is taken in. At the start of a session the project's guidance is printed.
    Nothing is kept or printed unless memories.enabled is true. It ends with 0 and without an error, whatever happens.
    """
    from remanence.sessions.hook import main

    given = [event, "--host", host]
    given += ["--db", door.db] if door.db is not None else []
    given += ["--namespace", door.namespace] if door.namespace is not None else []
    with suppress(Exception):  # the door: nothing of ours may be an error of the host's
        main(given)


COMMANDS: tuple[click.Command, ...] = (hook,)
