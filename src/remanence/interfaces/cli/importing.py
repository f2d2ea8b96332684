"""import: the memories of an export of our own; or, with --from, what other programs kept of conversations.

Of what others kept, the report comes first: what there is, and what of it is junk. A person at a terminal is asked
before anything is stored; a script goes on, since an import takes nothing away. --dry-run stops after the report.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import click

from remanence.errors import InvalidInput
from remanence.interfaces.cli.words import counted, many, safe
from remanence.model.intake import AUTO, BINARY, CHATTER, CUT, DUPLICATE, EMPTY, KINDS

if TYPE_CHECKING:
    from remanence.interfaces.cli.app import Door
    from remanence.model.intake import BroughtIn, Intake, Tally

_SHOWN = 5
_JUNK = {
    CHATTER: "greet, thank or announce, and say no more",
    CUT: "are too long and are cut",
    BINARY: "are binary",
    DUPLICATE: "are there twice",
    EMPTY: "are empty",
}


@click.command("import")
@click.argument("path")
@click.option("--from", "kind", type=click.Choice([*KINDS, AUTO]), help="What another program kept; auto looks at it.")
@click.option("--scope", help="With --from: where all of it belongs; default: the project each session was held in.")
@click.option("--dry-run", is_flag=True, help="With --from: show what it would bring, and store nothing.")
@click.option("--yes", "-y", is_flag=True, help="With --from: do it without asking.")
@click.pass_obj
def import_(door: Door, path: str, kind: str | None, scope: str | None, dry_run: bool, yes: bool) -> int:
    """Add the memories of an export ('-' for standard input), or, with --from, what another program kept."""
    from remanence.interfaces.cli import output

    if kind is not None:
        return _foreign(door, path, kind, scope, dry_run=dry_run, yes=yes)
    if scope is not None or dry_run or yes:
        raise InvalidInput("--scope, --dry-run and --yes are for what other programs kept: add --from KIND")
    with door.mind() as mind, output.progress("Importing", quiet=door.as_json) as progress:
        try:
            report = mind.import_("/dev/stdin" if path == "-" else path, progress=progress)
        except InvalidInput as invalid:
            raise InvalidInput([*invalid.problems, *_other_ways(path, invalid.problems)]) from None
    door.say(report)
    return 0


def _other_ways(path: str, problems: Sequence[str]) -> list[str]:
    """What else to try with a file whose first line is none of an export."""
    if path == "-" or not any(one.startswith("line 1: not") for one in problems):
        return []
    return [f"what another program kept comes in with: rem import --from auto {shlex.quote(path)}"]


def _foreign(door: Door, path: str, kind: str, scope: str | None, *, dry_run: bool, yes: bool) -> int:
    """Look, ask, bring it in; 1 where there is something, and none of it can be read."""
    from remanence.interfaces.cli import output

    with door.mind() as mind:
        with output.progress("Reading", quiet=door.as_json) as progress:
            found = mind.sessions.look(path, kind, progress=progress)
        if not door.as_json:
            _say(_told(found))
        wanted = not dry_run and _holds_something(found)
        if wanted and not yes and not door.as_json and sys.stdin.isatty():
            click.confirm("Bring this in?", abort=True)
        done = None
        if wanted:
            with output.progress("Importing", quiet=door.as_json) as progress:
                done = mind.sessions.import_(path, kind, scope=scope, progress=progress)
    if door.as_json:
        door.say({"report": found.to_dict(), "result": None if done is None else done.to_dict()})
    elif done is not None:
        _say(_brought(done))
    elif not _holds_something(found):
        click.echo("There is nothing to bring in.")
    else:
        click.echo("Nothing was brought in: this was a dry run.")
    return 1 if found.skipped and not _holds_something(found) else 0


def _holds_something(found: Intake) -> bool:
    return found.total.observations + found.total.memories > 0


def _say(lines: Iterator[str]) -> None:
    for line in lines:
        click.echo(safe(line))


def _told(found: Intake) -> Iterator[str]:
    """The report, a line for each thing that is to be told."""
    for kind, tally in found.kinds.items():
        yield f"{kind:<12} {_amount(tally)}"
    if found.junk:
        junk = [f"{number:,} {_JUNK[why]}" for why, number in found.junk.items()]
        yield f"{'junk':<12} {'; '.join(junk)}"
    if found.cut_characters:
        yield f"{'cut':<12} {found.cut_characters:,} characters that are too long"
    if found.redacted:
        yield f"{'redacted':<12} {_numbers(found.redacted)}"
    if found.skipped:
        yield f"{'not read':<12} {found.skipped:,}"
        shown = found.unread[:_SHOWN]
        yield from (f"  {one.file}{f', line {one.line}' if one.line else ''}: {one.why}" for one in shown)
        if found.skipped > len(shown):
            yield f"  and {found.skipped - len(shown):,} more"
    if found.others:
        yield f"{'passed over':<12} {many(found.others, 'file')} of no kind that was asked for"


def _amount(tally: Tally) -> str:
    words = [many(tally.files, "file")]
    words += [many(tally.sessions, "session")] if tally.sessions else []
    words += [many(tally.observations, "observation")] if tally.observations else []
    words += [counted(tally.memories)] if tally.memories else []
    return ", ".join([*words, many(tally.characters, "character")])


def _numbers(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{number:,} {name}" for name, number in counts.items())


def _brought(done: BroughtIn) -> Iterator[str]:
    """What became of it."""
    if done.observations:
        yield f"{many(done.observations, 'observation')} in {many(done.sessions, 'session')} brought in"
    elif not done.memories:
        yield "Nothing new"
    if done.present:
        yield f"{many(done.present, 'observation')} there already"
    if done.memories:
        yield f"memories: {_numbers(done.memories)}"
    if done.read.unchanged:
        yield f"{many(done.read.unchanged, 'file')} unchanged since the last time"
    if done.memories.get("quarantined"):
        yield "See what is quarantined, and why, with: rem review"
    if done.sessions:
        yield "Make memories of them now with: rem session run"
    if undo := ", then ".join(f"rem undo {receipt}" for receipt in reversed(done.receipts)):
        yield f"Take the memories back with: {undo}"
