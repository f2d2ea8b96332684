"""entities and entity: who and what memories speak of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from remanence.interfaces.cli.words import counted, one_line, safe

if TYPE_CHECKING:
    from remanence.interfaces.cli.app import Door
    from remanence.model.entity import Entity, Portrait

_SHOWN_SCOPES = 3


@click.command("entities")
@click.option("--scope", multiple=True, help="Only this scope and what is below it.")
@click.option("--limit", type=int, default=100, show_default=True, help="At most so many, 1 to 1000.")
@click.option("--least", type=int, default=1, show_default=True, help="Only those that at least so many memories name.")
@click.pass_obj
def entities(door: Door, scope: tuple[str, ...], limit: int, least: int) -> None:
    """Who and what live memories name, the most named first."""
    with door.mind() as mind:
        found = mind.entities.list(scope or None, limit, least)
    if door.as_json:
        door.say(list(found))
    elif found:
        _show_table(found)
    elif least > 1:
        click.echo(f"No entity is named by {least:,} memories or more. See all with: rem entities")
    else:
        click.echo("No live memory here names anyone or anything. Store one with: rem remember TEXT")


@click.command("entity")
@click.argument("name")
@click.option("--limit", type=int, default=10, show_default=True, help="At most so many memories, 1 to 1000.")
@click.pass_obj
def entity(door: Door, name: str, limit: int) -> None:
    """What is known of one person, place or thing, by any of its names."""
    with door.mind() as mind:
        found = mind.entities.show(name, limit)
    if door.as_json:
        door.say(found)
    else:
        _show_portrait(found)


def _show_table(found: Sequence[Entity]) -> None:
    from rich.cells import cell_len, set_cell_size

    rows = [("memories", "name", "kind", "scopes", "also")]
    rows += (
        (f"{one.memories:,}", one_line(one.name, 60), one.kind, _scopes(one), one_line(", ".join(one.aliases), 60))
        for one in found
    )
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        click.echo("  ".join(set_cell_size(cell, width) for cell, width in zip(row, widths, strict=True)).rstrip())


def _scopes(entity: Entity) -> str:
    ordered = sorted(entity.scopes, key=lambda scope: (-entity.scopes[scope], scope))
    more = f" and {len(ordered) - _SHOWN_SCOPES} more" if len(ordered) > _SHOWN_SCOPES else ""
    return safe(", ".join(ordered[:_SHOWN_SCOPES])) + more


def _show_portrait(found: Portrait) -> None:
    entity = found.entity
    click.echo(f"{one_line(entity.name)}  {entity.kind}, in {counted(entity.memories)} of {_scopes(entity)}")
    if entity.aliases:
        click.echo(f"  also {one_line(', '.join(entity.aliases))}")
    if found.card is not None:
        click.echo(f"card  {found.card.id}")
        for line in found.card.text.splitlines():
            click.echo(f"  {one_line(line, 400)}")
    if found.together:
        click.echo("named with  " + ", ".join(f"{one_line(name, 60)} ({number:,})" for name, number in found.together))
    for memory in found.memories:
        click.echo(f"{memory.id}  {one_line(memory.text)}")


COMMANDS: tuple[click.Command, ...] = (entities, entity)
