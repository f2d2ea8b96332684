"""memory: what the next session of a project is given, and its artifacts; read: what a memory:// address names."""

from __future__ import annotations

import shlex
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from remanence.errors import InvalidInput
from remanence.interfaces.cli.listing import Family, list_commands
from remanence.interfaces.cli.sessions import PROJECT, here
from remanence.interfaces.cli.words import counted, many, safe
from remanence.model.selection import LIMIT

if TYPE_CHECKING:
    from remanence.interfaces.cli.app import Door


@click.group("memory", cls=Family, invoke_without_command=True)
@click.pass_context
def memory(context: click.Context) -> None:
    """What a project's next session is given, and the files it is told of."""
    list_commands(context)


@memory.command("view")
@click.argument("project", required=False)
@click.option("--budget-tokens", type=int, help="At most so many; default: memories.summaryInjectionTokenLimit.")
@click.pass_obj
def view(door: Door, project: str | None, budget_tokens: int | None) -> None:
    """The block that is put into the next session's prompt, as it is now."""
    with door.mind() as mind:
        text = mind.artifacts.guidance(here(project), budget_tokens)
        folder = None
        with suppress(InvalidInput):  # it is on a server's machine
            folder = mind.artifacts.folder(here(project))
        is_cut = not text and budget_tokens is not None and bool(mind.artifacts.guidance(here(project)))
    if door.as_json:
        door.say({"guidance": text, "folder": folder})
    elif text:
        click.echo(safe(text))
    elif is_cut:
        click.echo(
            f"Nothing of it fits into {many(budget_tokens or 0, 'token')}, so the next session is given nothing."
        )
    else:
        click.echo("Nothing is remembered of this project yet, so its next session is given nothing.")


def _clear(door: Door, project: str | None, purge: bool, reason: str, yes: bool) -> None:
    from remanence.interfaces.cli import fates, output

    with door.mind() as mind:
        scope = mind.artifacts.scope(here(project))
        if purge:
            _refuse_unless_sure(door, scope, yes=yes)
            certificate = mind.purge(scope=scope, reason=reason)
            mind.artifacts.remove(scope)
            door.say(certificate)
            return
        plan = mind.plan_forget(scope=scope)
        if door.as_json:
            door.say(mind.apply(plan) if yes else plan)
            return
        if not plan.changes:
            click.echo(f"Nothing is remembered of {safe(scope)}.")
            return
        if not yes:
            fates.plan(plan, output.console(), mind.get, applying=False)
            if not sys.stdin.isatty():
                click.echo(f"Nothing was cleared yet. Add --yes to forget {counted(len(plan))} of {safe(scope)}.")
                return
            click.confirm(f"Forget {counted(len(plan))} of {safe(scope)}? Undo brings them back", abort=True)
        # What is taken out of recall leaves the artifacts by that, and an undo brings both back.
        door.say(mind.apply(plan))
        if waiting := sum(session.changed for session in mind.sessions.list(scope, LIMIT)):
            which = "session waits" if waiting == 1 else "sessions wait"
            click.echo(f"{waiting:,} captured {which} to be processed, and will be learned from: --purge erases them.")


def _refuse_unless_sure(door: Door, scope: str, *, yes: bool) -> None:
    if yes:
        return
    if door.as_json or not sys.stdin.isatty():
        raise InvalidInput("--purge destroys for good and cannot be undone: add --yes")
    asked = f"This destroys all memory of {safe(scope)} for good. Type 'purge' to go on"
    if click.prompt(asked) != "purge":
        raise click.Abort


for _name, _help in (
    ("clear", "Forget all that is remembered of a project, and remove its artifacts; undo brings it back."),
    ("reset", "The same as clear."),
):
    memory.add_command(
        click.Command(
            _name,
            help=_help,
            callback=click.pass_obj(_clear),
            params=[
                click.Argument(["project"], required=False),
                click.Option(
                    ["--purge"], is_flag=True, help="Destroy it, captured sessions too; that cannot be undone."
                ),
                click.Option(
                    ["--reason"], default="memory cleared", show_default=True, help="Why; kept in the journal."
                ),
                click.Option(["--yes", "-y", "yes"], is_flag=True, help="Do it without asking."),
            ],
        )
    )


@memory.command("enqueue")
@click.argument("project", required=False)
@click.pass_obj
def enqueue(door: Door, project: str | None) -> None:
    """Have the next run write the artifacts of a project anew."""
    with door.mind() as mind:
        mind.artifacts.enqueue(here(project))
        scope = mind.artifacts.scope(here(project))
    now = f"rem memory rebuild {shlex.quote(scope)}"
    door.say({"enqueued": scope} if door.as_json else safe(f"{scope} is wanted. Do it now with: {now}"))


@memory.command("rebuild")
@click.argument("project", required=False)
@click.pass_obj
def rebuild(door: Door, project: str | None) -> None:
    """Write the artifacts of a project anew, now."""
    with door.mind() as mind:
        made = mind.sessions.rebuild(here(project))
    if door.as_json:
        door.say(made)
    elif made is None:
        click.echo("Another process is at it.")
    else:
        click.echo(f"{made.folder}: {many(len(made.written), 'file')} written, {len(made.kept)} unchanged")
        for note in made.notes:
            click.echo(f"! {safe(note)}")


@click.command("read")
@click.argument("url")
@click.option("--project", help=PROJECT)
@click.pass_obj
def read(door: Door, url: str, project: str | None) -> None:
    """What a memory:// address names: memory://root, memory://root/MEMORY.md, …/skills/NAME/SKILL.md, memory://ID."""
    with door.mind() as mind:
        text = mind.artifacts.read(url, here(project))
    door.say({"url": url, "text": text} if door.as_json else safe(text))


COMMANDS: tuple[click.Command, ...] = (memory, read)
