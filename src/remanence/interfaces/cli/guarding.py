"""review and scan: what waits for a person, and secrets that are in the store all the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from remanence.errors import InvalidInput
from remanence.interfaces.cli.listing import Family
from remanence.interfaces.cli.words import counted, one_line, safe
from remanence.model.memory import Memory, screened

if TYPE_CHECKING:
    from rich.console import Console

    from remanence.interfaces.cli.app import Door
    from remanence.model.report import Scan


_SCOPE = click.option("--scope", multiple=True, help="Only this scope and what is below it.")
_LIMIT = click.option("--limit", type=int, default=100, show_default=True, help="At most so many, 1 to 1000.")


@click.group("review", cls=Family, invoke_without_command=True)
@_SCOPE
@_LIMIT
@click.option("--challenged", is_flag=True, help="Memories that contradict each other, in pairs.")
@click.pass_obj
@click.pass_context
def review(context: click.Context, door: Door, scope: tuple[str, ...], limit: int, challenged: bool) -> None:
    """What waits for you: quarantined memories and why; accept or reject them."""
    if context.invoked_subcommand is not None:
        return
    with door.mind() as mind:
        if challenged:
            pairs = mind.review.challenged(scope or None, limit)
            if door.as_json:
                door.say([{"memory": one, "challenged_by": other} for one, other in pairs])
            else:
                _show_pairs(pairs)
            return
        waiting = mind.review.list(scope or None, limit)
        if door.as_json:
            door.say(list(waiting))
        else:
            doubted = bool(mind.review.challenged(scope or None, 1))
            if waiting or not doubted:
                _show_waiting(waiting, mind.review.count(scope or None))
            if doubted:
                click.echo("Some memories are challenged. See: rem review --challenged")


def _settling(name: str, help: str) -> click.Command:
    @click.argument("ids", nargs=-1)
    @_SCOPE
    @click.option("--all", "everything", is_flag=True, help="All that are quarantined.")
    @click.pass_obj
    def settle(door: Door, ids: tuple[str, ...], scope: tuple[str, ...], everything: bool) -> None:
        if ids and (scope or everything):
            raise InvalidInput("give ids, or --scope, or --all; not both")
        with door.mind() as mind:
            door.say(getattr(mind.review, name)(ids or None, scope=scope or None, everything=everything))

    return review.command(name, help=help)(settle)


_settling("accept", "Bring quarantined memories into recall.")
_settling("reject", "Forget quarantined memories, softly.")


@click.command("scan")
@click.argument("paths", nargs=-1)
@click.option("--redact", is_flag=True, help="Write the store's memories anew without the secrets, and purge the old.")
@click.option("--yes", "-y", is_flag=True, help="Do it without asking.")
@click.pass_obj
def scan(door: Door, paths: tuple[str, ...], redact: bool, yes: bool) -> int:
    """Secrets in the store, or in files such as its exports: how many of which kind, never shown."""
    import sys

    from remanence.interfaces.cli import output

    with door.mind() as mind, output.progress("Scanning", quiet=door.as_json) as progress:
        found = mind.scan(*paths, progress=progress)
        if redact and any(leak.memory_id for leak in found.leaks):
            if not yes and (door.as_json or not sys.stdin.isatty()):
                raise InvalidInput("--redact purges the old memories, which cannot be undone: add --yes")
            if not yes:
                number = sum(leak.memory_id is not None for leak in found.leaks)
                click.confirm(f"Write {counted(number)} anew and purge the old for good?", abort=True)
            found = mind.scan(*paths, redact=True)
    door.say(found)
    return 0 if found.ok else 1


def show_scan(found: Scan, out: Console) -> None:
    for leak in found.leaks[:100]:
        where = leak.memory_id or f"{leak.path}, line {leak.line}"
        kinds = "; ".join(
            f"{field}: {', '.join(f'{number} {kind}' for kind, number in counts.items())}"
            for field, counts in leak.found.items()
        )
        out.print(f"{'~' if leak.memory_id in found.renewed else '!'} {safe(where)}  {kinds}")
    if len(found.leaks) > 100:
        out.print(f"and {len(found.leaks) - 100:,} more; see them with --json")
    lines = "".join(f", {number:,} lines of {safe(path)}" for path, number in found.files.items())
    out.print(f"{counted(found.memories)}{lines} scanned: {len(found.leaks):,} with secrets")
    if found.leaks and not found.renewed and any(leak.memory_id for leak in found.leaks):
        out.print("Write them anew without the secrets with: rem scan --redact")


def _show_waiting(waiting: Sequence[Memory], total: int) -> None:
    if not waiting:
        click.echo("Nothing waits for review.")
        return
    for memory in waiting:
        click.echo(f"{memory.id}  {safe(memory.scope)}  {memory.source}, trust {memory.trust:g}")
        click.echo(f"  {one_line(memory.text)}")
        reasons = "; it ".join(map(safe, screened(memory)))
        click.echo(f"  because it {reasons}" if reasons else "  it was quarantined by hand")
    click.echo(f"{counted(total)} quarantined. Settle with: rem review accept ID …, rem review reject ID … | --all")


def _show_pairs(pairs: Sequence[tuple[Memory, Memory | None]]) -> None:
    if not pairs:
        click.echo("Nothing is challenged.")
    for one, other in pairs:
        click.echo(f"{one.id}  {one_line(one.text)}")
        click.echo(f"  ≠ {other.id}  {one_line(other.text)}" if other else "  doubted by a person")
    if pairs:
        click.echo("Settle with: rem confirm ID (it holds), rem forget ID (it does not)")


COMMANDS = (review, scan)
