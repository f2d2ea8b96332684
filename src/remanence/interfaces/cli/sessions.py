"""session: what agents did, captured; what waits to be processed, and the run that does it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from remanence.errors import InvalidInput
from remanence.interfaces.cli.listing import Family, list_commands
from remanence.interfaces.cli.words import flat, many, one_line

if TYPE_CHECKING:
    from rich.console import Console

    from remanence.interfaces.cli.app import Door
    from remanence.model.session import Observation, Session, SessionRun, Task

PROJECT = "A scope (/project/api), a name or a folder; default: the project you are in."
_SHOWN = 60


def here(project: str | None) -> str | Path:
    """The project that was named, or else the one of the folder this is run in."""
    return Path.cwd() if project is None else project


@click.group("session", cls=Family, invoke_without_command=True)
@click.pass_context
def session(context: click.Context) -> None:
    """What agents did, as hooks and importers captured it, and what becomes of it."""
    list_commands(context)


@session.command("start")
@click.option("--project", help=PROJECT)
@click.option("--id", help="The session's own id; made when left out.")
@click.option("--agent", default="command line", show_default=True, help="Whose session it is.")
@click.pass_obj
def start(door: Door, project: str | None, id: str | None, agent: str) -> None:
    """Begin a session, or go on with the one of this id."""
    with door.mind() as mind:
        begun = mind.sessions.start(here(project), id=id, agent=agent)
    door.say(begun if door.as_json else f"{flat(begun.id)}  {flat(begun.project)}")


@session.command("observe")
@click.argument("id")
@click.argument("text", required=False, default="")
@click.option("--role", type=click.Choice(["user", "assistant", "tool", "system"]), default="user", show_default=True)
@click.option("--tool", help="The tool that was called.")
@click.option("--call", default="", help="What it was called with.")
@click.option("--failed", is_flag=True, help="The call failed.")
@click.option("--key", help="Your own id of it: the same one again is not stored twice.")
@click.pass_obj
def observe(door: Door, id: str, text: str, **said: Any) -> None:
    """Add what was said, or what a tool gave back; '-' reads it from standard input."""
    from remanence.interfaces.cli.app import read_in
    from remanence.model.checks import TEXT_BYTES

    text = read_in(text, TEXT_BYTES)
    if not (text.strip() or said["call"].strip()):
        raise InvalidInput("text is blank: give what was said, '-' for standard input, or --tool NAME --call TEXT")
    with door.mind() as mind:
        seen = mind.sessions.observe(id, text, **said)
    door.say(seen if door.as_json else many(seen.observations, "observation"))


@session.command("end")
@click.argument("id")
@click.pass_obj
def end(door: Door, id: str) -> None:
    """End a session; it is processed once it has rested."""
    with door.mind() as mind:
        ended = mind.sessions.end(id)
    door.say(ended if door.as_json else f"Ended, with {many(ended.observations, 'observation')}")


@session.command("list")
@click.option("--project", help="Only of this project: a scope, a name or a folder.")
@click.option("--limit", type=int, default=100, show_default=True, help="At most so many, 1 to 1000.")
@click.option("--offset", type=int, default=0, show_default=True, help="Skip so many first.")
@click.pass_obj
def list_sessions(door: Door, project: str | None, limit: int, offset: int) -> None:
    """Sessions, newest first."""
    with door.mind() as mind:
        found = mind.sessions.list(project, limit, offset)
        is_enabled = mind.settings.memories__enabled
    if door.as_json:
        door.say(found)
        return
    width = max((len(one.id) for one in found), default=0)
    for one in found:
        click.echo(_line(one, width))
    if not found:
        way = "Work with a connected agent" if is_enabled else "Connect an agent with: rem connect"
        click.echo(f"No sessions yet. {way}; or bring some in with: rem import --from KIND PATH")


def _line(one: Session, width: int = 0) -> str:
    state = "processed" if not one.changed else "ended" if one.ended_at else "open"
    when = f"{one.last_at:%Y-%m-%d %H:%M}"
    return flat(f"{one.id:<{width}}  {when}  {one.observations:>6,} seen  {state:<9}  {one.agent:<12} {one.project}")


@session.command("show")
@click.argument("id")
@click.option("--all", "whole", is_flag=True, help="Every observation, not only the last 60.")
@click.pass_obj
def show_session(door: Door, id: str, whole: bool) -> None:
    """One session: what was observed, and what was learned."""
    with door.mind() as mind:
        watched = mind.sessions.show(id)
        learned = [mind.get(one) for one in watched.learned]
    if door.as_json:
        door.say(watched)
        return
    click.echo(_line(watched.session))
    shown = watched.observations if whole else watched.observations[-_SHOWN:]
    if len(shown) < len(watched.observations):
        click.echo(f"  … {len(watched.observations) - len(shown):,} earlier ones: --all")
    for one in shown:
        click.echo(f"  {_said(one)}")
    for memory in learned:
        click.echo(flat(f"  → {memory.kind}: ") + one_line(memory.text))


def _said(one: Observation) -> str:
    who = one.role if one.tool is None else f"{one.tool}{' failed' if one.failed else ''}"
    said = f"{one.call} → {one.text}" if one.call else one.text
    return f"{one.at:%H:%M} {flat(who)}: {one_line(said, 120)}"


@session.command("queue")
@click.pass_obj
def queue(door: Door) -> None:
    """Sessions and projects that wait, what for, and which jobs failed or are dead, with the reason."""
    with door.mind() as mind:
        found = list(mind.sessions.queue())
    if door.as_json:
        door.say(found)
        return
    for task in found:
        click.echo(_task(task))
    if not found:
        click.echo("Nothing waits.")
    if any(task.dead for task in found):
        click.echo("Try a dead one again with: rem session enqueue ID")


def _task(task: Task) -> str:
    state = "dead" if task.dead else "failed" if task.failed_at else "wanted" if task.wanted_at else "waits"
    return flat(f"{task.name}  {state}  {task.why}")


@session.command("enqueue")
@click.argument("id")
@click.pass_obj
def enqueue(door: Door, id: str) -> None:
    """Have the next run process a session, whatever its age and however often it failed."""
    with door.mind() as mind:
        task = mind.sessions.enqueue(id)
    door.say(task if door.as_json else f"{flat(task.name)} is wanted. Do it now with: rem session run")


@session.command("run")
@click.option("--only", multiple=True, metavar="ID", help="Only these sessions, whatever their age.")
@click.option("--quiet", is_flag=True, help="Print nothing: for hooks and timers.")
@click.pass_obj
def run(door: Door, only: tuple[str, ...], quiet: bool) -> None:
    """Take in what hooks left, process the sessions that are ready, write artifacts."""
    from remanence.interfaces.cli import output

    with door.mind() as mind, output.progress("Processing", quiet=door.as_json or quiet) as progress:
        done = mind.sessions.run(only=only or None, progress=progress)
    if not quiet:
        door.say(done)


def show_run(done: SessionRun, out: Console) -> None:
    """A run in a few lines."""
    made = sum(sum(one.outcomes.values()) for one in done.processed)
    read = many(len(done.processed), "session")
    out.print(f"{many(done.drained, 'event')} taken in, {read} processed: {many(made, 'fact')}")
    for written in done.written:
        if written.written:
            out.print(flat(f"{written.folder}: {many(len(written.written), 'file')} written"))
    notes = [f"{task.name}: {task.why}" for task in done.failed]
    notes += [note for one in done.processed for note in one.notes]
    notes += [note for one in done.written for note in one.notes]
    for note in dict.fromkeys(notes):
        out.print(f"! {flat(note)}")
    if done.left:
        out.print(f"{done.left:,} more sessions are ready: run it again")


COMMANDS: tuple[click.Command, ...] = (session,)
