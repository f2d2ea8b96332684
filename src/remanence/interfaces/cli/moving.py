"""migrate: move namespaces from one store into another, a file or a database, while they are used."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from remanence.interfaces.cli.words import counted, safe
from remanence.places import shown

if TYPE_CHECKING:
    from remanence.interfaces.cli.app import Door


@click.command("migrate")
@click.option("--from", "source", required=True, metavar="STORE", help="A file, or postgresql://HOST/DATABASE.")
@click.option("--to", "target", required=True, metavar="STORE", help="The same; what is not there yet is made.")
@click.pass_obj
def migrate(door: Door, source: str, target: str) -> None:
    """Copy every namespace, or that of --namespace, into another store; stopped, it goes on when run again.

    What is written meanwhile is carried over. At the end both are compared row by row while nobody writes to the first;
    it is left as it is. From then on, write to the second.
    """
    from remanence import settings
    from remanence.interfaces.cli import output
    from remanence.opening import move

    only = None if door.namespace is None else [door.namespace]
    with output.progress("Moving", quiet=door.as_json) as progress:
        tell = None if progress is None else (lambda _, done, total: progress(done, total))
        moved = move(source, target, only, settings.load(), tell)
    if door.as_json:
        door.say({"from": shown(source), "to": shown(target), "moved": [one.to_dict() for one in moved]})
        return
    for one in moved:
        click.echo(safe(f"{one.namespace}: {counted(one.rows.get('memories', 0))}, equal in both stores"))
        for kind, number in sorted(one.rows.items()):
            click.echo(f"    {kind:<14} {number:>10,}  {one.hashes[kind]}")
    if not moved:
        click.echo(safe(f"{shown(source)} holds no namespace"))
        return
    click.echo(safe(f"Use it with: REMANENCE_DB={shown(target)}; {shown(source)} is as it was"))


COMMANDS = (migrate,)
