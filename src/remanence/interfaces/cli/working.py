"""action, crystallize and lesson: things to do, what they came to, and what was learned."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from remanence.errors import InvalidInput
from remanence.interfaces.cli.listing import Family, list_commands
from remanence.interfaces.cli.words import one_line, safe
from remanence.model.action import STATUSES, Action, Crystals
from remanence.model.duration import duration, duration_problems
from remanence.model.lesson import CONFIDENCE, Lesson
from remanence.model.memory import Memory

if TYPE_CHECKING:
    from remanence.interfaces.cli.app import Door
    from remanence.mind import Mind

_MARKS = {"pending": " ", "done": "x", "cancelled": "-"}
_LIMIT = click.option("--limit", type=int, default=100, show_default=True, help="At most so many, 1 to 1000.")
_OFFSET = click.option("--offset", type=int, default=0, show_default=True, help="Skip so many first.")
_SCOPES = click.option("--scope", multiple=True, help="Only this scope and what is below it.")
_OUTCOME = click.option("--outcome", help="What came of it, or why not; '-' for standard input.")


@click.group("action", cls=Family, invoke_without_command=True)
@click.pass_context
def action(context: click.Context) -> None:
    """Things to do: add, done, cancel, list, show."""
    list_commands(context)


@action.command("add")
@click.argument("text")
@click.option("--parent", metavar="ID", help="The action it is a part of.")
@click.option("--project", help="The project it belongs to.")
@click.option("--file", "files", multiple=True, metavar="PATH", help="A file it is about.")
@click.option("--scope", help="Default: the git folder you are in, else /.")
@click.option("--source", default="human", show_default=True, help="human, ai, ingest, extracted or dream.")
@click.option("--key", help="Your own name for it: the same key again adds nothing.")
@click.pass_obj
def add(door: Door, text: str, files: tuple[str, ...], scope: str | None, **given: Any) -> None:
    """Write down something to do; '-' reads the text from standard input."""
    with door.mind() as mind:
        _say(door, mind.actions.add(_read(text), files=files, scope=_scope(scope), **given))


@action.command("done")
@click.argument("id")
@_OUTCOME
@click.pass_obj
def done(door: Door, id: str, outcome: str | None) -> None:
    """Mark an action as done, with what came of it."""
    with door.mind() as mind:
        _say(door, mind.actions.done(id, None if outcome is None else _read(outcome)))


@action.command("cancel")
@click.argument("id")
@_OUTCOME
@click.pass_obj
def cancel(door: Door, id: str, outcome: str | None) -> None:
    """Mark an action as cancelled, with the reason."""
    with door.mind() as mind:
        _say(door, mind.actions.cancel(id, None if outcome is None else _read(outcome)))


@action.command("list")
@click.option("--status", type=click.Choice(STATUSES), help="Only these.")
@click.option("--project", help="Only those of this project.")
@click.option("--parent", metavar="ID", help="Only the parts of this action.")
@_SCOPES
@_LIMIT
@_OFFSET
@click.pass_obj
def list_(door: Door, scope: tuple[str, ...], **given: Any) -> None:
    """Actions, newest first."""
    with door.mind() as mind:
        found = list(mind.actions.list(scope=scope or None, **given))
        if door.as_json:
            door.say(found)
            return
        for one in found:
            _show(one)
        if not found:
            click.echo('No actions. Write one down with: rem action add "…"')


@action.command("show")
@click.argument("id")
@click.pass_obj
def show(door: Door, id: str) -> None:
    """All that is known of an action."""
    with door.mind() as mind:
        found = mind.actions.get(id)
        if door.as_json:
            door.say(found)
            return
        click.echo(safe(found.text))
        for name, value in found.to_dict().items():
            if name != "text" and value not in (None, []):
                click.echo(f"  {name:<12}{safe(', '.join(value) if isinstance(value, list) else str(value))}")


@click.command("crystallize")
@click.argument("ids", nargs=-1)
@click.option("--auto", is_flag=True, help="All that was done a while ago, one crystal for each parent or project.")
@click.option("--older-than", metavar="TIME", help="With --auto: done longer ago than this; default: 7d.")
@click.option("--project", help="With --auto: only this project.")
@click.pass_obj
def crystallize(door: Door, ids: tuple[str, ...], auto: bool, older_than: str | None, project: str | None) -> None:
    """Turn actions that have ended into one lasting record, and keep what was learned."""
    problems = [] if auto != bool(ids) else ["give the ids of actions, or --auto. See: rem action list --status done"]
    if not auto and (older_than or project):
        problems.append("--older-than and --project belong to --auto")
    problems += [] if older_than is None else duration_problems(older_than, "--older-than")
    if problems:
        raise InvalidInput(problems)
    with door.mind() as mind:
        if auto:
            days = 7.0 if older_than is None else duration(older_than).total_seconds() / 86_400
            made = mind.auto_crystallize(days, project)
        else:
            made = Crystals([mind.crystallize(ids)])
        for id, why in made.left_out.items():
            click.echo(f"Left out: {id} and its group, {safe(why)}", err=True)
        if door.as_json:
            door.say(list(made) if auto else made[0])
            return
        for crystal in made:
            _show_crystal(mind, crystal)
        if not made and not made.left_out:
            click.echo("Nothing to crystallize: no action was done that long ago. See: rem action list --status done")


@click.group("lesson", cls=Family, invoke_without_command=True)
@click.pass_context
def lesson(context: click.Context) -> None:
    """What was learned: add, list, reinforce."""
    list_commands(context)


@lesson.command("add")
@click.argument("text")
@click.option("--scope", help="Default: the git folder you are in, else /.")
@click.option("--confidence", type=float, default=CONFIDENCE, show_default=True, help="How sure, 0 to 1.")
@click.option("--source", default="human", show_default=True, help="human, ai, ingest, extracted or dream.")
@click.pass_obj
def add_lesson(door: Door, text: str, scope: str | None, confidence: float, source: str) -> None:
    """Keep a lesson; the same one again makes it surer."""
    with door.mind() as mind:
        kept = mind.lessons.add(_read(text), _scope(scope), confidence, source)
        door.say(kept)
        if kept.outcome == "duplicate" and kept.memory is not None and not door.as_json:
            times = _times(kept.memory.confirmations)
            click.echo(f"  known already: reinforced {times}, confidence {kept.memory.confidence:.3g}")


@lesson.command("list")
@_SCOPES
@_LIMIT
@_OFFSET
@click.pass_obj
def list_lessons(door: Door, scope: tuple[str, ...], limit: int, offset: int) -> None:
    """Lessons, newest first: how sure each is by now, and when it leaves."""
    with door.mind() as mind:
        found = list(mind.lessons.list(scope or None, limit, offset))
        if door.as_json:
            door.say(found)
            return
        for one in found:
            _show_lesson(one)
        if not found:
            click.echo('No lessons. Keep one with: rem lesson add "…"; crystals bring theirs with them')


@lesson.command("reinforce")
@click.argument("id")
@click.pass_obj
def reinforce(door: Door, id: str) -> None:
    """Count a lesson as met again: it is surer from now on."""
    with door.mind() as mind:
        found = mind.lessons.reinforce(id)
        if door.as_json:
            door.say(found)
        else:
            _show_lesson(found)


def _read(text: str) -> str:
    from remanence.interfaces.cli.app import read_in
    from remanence.model.checks import TEXT_BYTES

    return read_in(text, TEXT_BYTES)


def _scope(given: str | None) -> str:
    from remanence.interfaces.cli.project import inferred_scope

    return inferred_scope(Path.cwd()) if given is None else given


def _say(door: Door, found: Action) -> None:
    if door.as_json:
        door.say(found)
    else:
        _show(found)


def _show(one: Action) -> None:
    traits = [safe(one.scope), safe(one.project or ""), ", ".join(map(safe, one.files))]
    traits += [
        f"part of {safe(one.parent)}" if one.parent else "",
        f"in crystal {safe(one.crystal)}" if one.crystal else "",
    ]
    traits += [one.state.value if one.state != "live" else ""]
    click.echo(f"[{_MARKS[one.status]}] {one_line(one.text)}")
    if one.outcome:
        click.echo(f"    → {one_line(one.outcome)}")
    click.echo(f"    {one.id}  {' · '.join(trait for trait in traits if trait)}")


def _show_crystal(mind: Mind, crystal: Memory) -> None:
    click.echo(f"+ {crystal.id}  {safe(crystal.scope)}")
    click.echo(safe(crystal.text))
    if crystal.state != "live":
        click.echo(f"  It is {crystal.state}: it waits for you in rem review")
    ids = crystal.metadata.get("lessons", [])
    for id in ids:
        click.echo(f"  lesson {id}  {one_line(mind.get(id).text)}")
    click.echo(f"Take it back with: rem undo {mind.history(crystal.id)[0].entry.receipt_id}")


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def _show_lesson(one: Lesson) -> None:
    times = f", reinforced {_times(one.reinforced)}" if one.reinforced else ""
    leaves = "" if one.leaves_at is None else f" · leaves {one.leaves_at:%Y-%m-%d} unless it is met again"
    click.echo(one_line(one.text))
    click.echo(f"    {one.id}  {safe(one.memory.scope)} · confidence {one.confidence:.3g}{times}{leaves}")


COMMANDS: tuple[click.Command, ...] = (action, crystallize, lesson)
