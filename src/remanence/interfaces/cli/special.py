"""Verbs that a person at a terminal needs a little more for: a scope from the git folder, a look first, a typed yes."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from remanence.errors import InvalidInput
from remanence.interfaces.cli import recalling
from remanence.interfaces.cli.words import counted, one_line
from remanence.interfaces.verbs import Verb

if TYPE_CHECKING:
    from remanence.interfaces.cli.app import Door
    from remanence.mind import Mind
    from remanence.model.hit import Remembered
    from remanence.model.plan import Plan

_ITEM = re.compile(r"^item (\d+)(?=: )")


def _remember(door: Door, verb: Verb, given: dict[str, Any]) -> None:
    """Inside a git folder a new memory belongs to that project, unless --scope says otherwise."""
    from remanence.interfaces.cli.app import arguments_of
    from remanence.interfaces.cli.project import inferred_scope

    many = given.pop("many")
    arguments = arguments_of(verb, given)
    arguments.setdefault("scope", inferred_scope(Path.cwd()))
    if many is None and "text" not in arguments:
        raise InvalidInput("text is missing: give a statement, '-' for standard input, or --many FILE")
    if many is not None and "text" in arguments:
        raise InvalidInput("give a statement or --many FILE, not both")
    with door.mind() as mind:
        door.say(verb.call(mind, arguments) if many is None else _each(mind, many, arguments))
        if (waiting := mind.meaning.waiting) and not door.as_json:
            wait = "waits" if waiting == 1 else "wait"
            click.echo(f"{counted(waiting)} {wait} to be embedded: recalls do it little by little, rem reembed at once")
        door.look_after(mind)


def _each(mind: Mind, path: str, common: dict[str, Any]) -> list[Remembered]:
    """Each line of a file remembered; what is wrong with one is told by the number of its line."""
    lines = _lines(path, common)
    numbers = [str(number) for number in lines]
    try:
        return list(mind.remember_many(list(lines.values())))
    except InvalidInput as invalid:
        problems = [_ITEM.sub(lambda found: f"line {numbers[int(found[1])]}", one) for one in invalid.problems]
        raise InvalidInput(problems) from None


def _lines(path: str, common: dict[str, Any]) -> dict[int, dict[str, Any]]:
    """A file's lines by their number, as drafts: JSON objects with a text, or plain statements."""
    import json

    from remanence.interfaces.cli.app import read_in
    from remanence.model.moment import parse_moment

    try:
        text = read_in("-") if path == "-" else Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError as reason:
        raise InvalidInput(f"{path} is not UTF-8 text: {reason.reason}") from None
    except OSError as reason:
        raise InvalidInput(f"{path} cannot be read: {reason.strerror}") from None
    items = {}
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                item = json.loads(line) if line.lstrip().startswith("{") else {"text": line.removesuffix("\r")}
                for name in {"created_at", "expires_at"} & item.keys():
                    item[name] = parse_moment(item[name]) if isinstance(item[name], str) else item[name]
            except (ValueError, RecursionError) as reason:
                place = "standard input" if path == "-" else path
                raise InvalidInput(f"{place}, line {number}: {reason}") from None
            items[number] = {**common, **item}
    return items


def _listing(door: Door, verb: Verb, given: dict[str, Any]) -> None:
    """Everything is listed, unless --scope or --here narrows it."""
    from remanence.interfaces.cli.app import plainly
    from remanence.interfaces.cli.project import inferred_scope

    if given.pop("here"):
        given["scope"] = (*given["scope"], inferred_scope(Path.cwd()))
    plainly(door, verb, given)


def _forget(door: Door, verb: Verb, given: dict[str, Any]) -> None:
    """By words it shows the plan first and asks; other filters say exactly what they mean."""
    from remanence.interfaces.cli.app import arguments_of

    dry_run, yes = given.pop("dry_run"), given.pop("yes")
    arguments = arguments_of(verb, given)
    with door.mind() as mind:
        if dry_run or (arguments.get("query") and not yes):
            plan = mind.plan_forget(**arguments)
            if dry_run or door.as_json or not plan.changes or not sys.stdin.isatty():
                _show_planned(door, plan, mind)
                if not dry_run and plan.changes and not door.as_json:
                    click.echo("Nothing was forgotten yet. Add --yes to do it.")
                return
            door.say([mind.get(change.memory_id) for change in plan.changes[:20]])
            click.confirm(f"Forget {counted(len(plan))}?", abort=True)
            door.say(mind.apply(plan))
            return
        door.say(verb.call(mind, arguments))


def _purge(door: Door, verb: Verb, given: dict[str, Any]) -> None:
    """It destroys, so it wants a typed yes."""
    from remanence.interfaces.cli.app import arguments_of

    yes, only_shown = given.pop("yes"), given.pop("dry_run")
    arguments = arguments_of(verb, given)
    if only_shown:
        _show_doomed(door, arguments)
        return
    if "reason" not in arguments:
        raise InvalidInput("reason is missing: say why with --reason, or only look with --dry-run")
    if not yes and (door.as_json or not sys.stdin.isatty()):
        raise InvalidInput("purge destroys for good and cannot be undone: add --yes")
    if not yes:
        arguments["plan"] = _show_doomed(door, arguments)
        if click.prompt("This destroys for good and cannot be undone. Type 'purge' to go on") != "purge":
            raise click.Abort
    with door.mind() as mind:
        door.say(verb.call(mind, arguments))


def _show_doomed(door: Door, arguments: dict[str, Any]) -> Plan:
    """What a purge would destroy, by why it goes; nothing is done."""
    with door.mind() as mind:
        plan = mind.plan_purge(**{name: value for name, value in arguments.items() if name != "reason"})
        _show_planned(door, plan, mind)
    return plan


def _show_planned(door: Door, plan: Plan, mind: Mind) -> None:
    """A plan with the texts it is about."""
    from remanence.interfaces.cli import fates, output

    if door.as_json:
        door.say(plan)
    else:
        fates.plan(plan, output.console(), mind.get)


def _by_hand(door: Door, verb: Verb, given: dict[str, Any]) -> None:
    """What was done to one memory, and what takes it back; rem show has the whole memory."""
    from remanence.interfaces.cli.app import arguments_of

    with door.mind() as mind:
        memory = verb.call(mind, arguments_of(verb, given))
        if door.as_json:
            door.say(memory)
            return
        done, back = _DONE[verb.name]
        click.echo(f"~ {done.format(memory=memory)}: {one_line(memory.text)}")
        click.echo(f"{back} {memory.id}")


_BACK = "Take it back with: rem"
_DONE = {
    "pin": ("pinned, no automatic pass touches it", f"{_BACK} unpin"),
    "unpin": ("no longer pinned", f"{_BACK} pin"),
    "promote": ("{memory.layer} now", f"{_BACK} demote"),
    "demote": ("{memory.layer} now", f"{_BACK} promote"),
    "confirm": ("confirmed, {memory.confirmations} so far", "See it with: rem show"),
    "challenge": ("doubted by {memory.challenged_by}", "Settle it with: rem confirm"),
}
_YES = click.Option(["--yes", "-y", "yes"], is_flag=True, help="Do it without asking.")
RUNS = {
    "remember": _remember,
    "recall": recalling.recall,
    "used": recalling.marked,
    "feedback": recalling.marked,
    **dict.fromkeys(_DONE, _by_hand),
    "list": _listing,
    "count": _listing,
    "counts": _listing,
    "forget": _forget,
    "purge": _purge,
}
_HERE = click.Option(["--here"], is_flag=True, help="Only the scope of the git folder you are in.")
OPTIONAL = {"remember": ("text",), "recall": ("query",), "purge": ("reason",)}
OPTIONS: dict[str, tuple[click.Option, ...]] = {
    "remember": (
        click.Option(["--many"], metavar="FILE", help="One memory a line, text or JSON; '-' for standard input."),
    ),
    "recall": (_HERE, recalling.WHY_NOT),
    "list": (_HERE,),
    "count": (_HERE,),
    "counts": (_HERE,),
    "forget": (
        click.Option(["--dry-run", "--preview", "dry_run"], is_flag=True, help="Show the plan, and change nothing."),
        _YES,
    ),
    "purge": (click.Option(["--dry-run"], is_flag=True, help="Show what would go and why, and destroy nothing."), _YES),
}
