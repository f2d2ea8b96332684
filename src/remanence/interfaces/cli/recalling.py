"""recall and what belongs to it: why a memory did not come, what hosts say of its use, and vectors made anew."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from remanence.errors import InvalidInput
from remanence.interfaces.cli.words import many
from remanence.interfaces.verbs import Verb
from remanence.model.memory import Memory, State

if TYPE_CHECKING:
    from remanence.interfaces.cli.app import Door

_EMBEDDING_SECONDS = 1.0


def recall(door: Door, verb: Verb, given: dict[str, Any]) -> None:
    """Everything is searched, unless --scope or --here narrows it; what waits is embedded after the answer."""
    from remanence.interfaces.cli import output
    from remanence.interfaces.cli.app import arguments_of
    from remanence.interfaces.cli.project import inferred_scope

    if given.pop("here"):
        given["scope"] = (*given["scope"], inferred_scope(Path.cwd()))
    id = given.pop("why_not")
    arguments = arguments_of(verb, given)
    with door.mind() as mind:
        if id is not None:
            door.say(mind.why_not(arguments.pop("query", None), id, **arguments))
            return
        if not arguments.keys() & {"query", "like", "files", "since", "until"}:
            raise InvalidInput("give a query, --like ID, --file PATH, or a time: --since, --until")
        hits = mind.recall(**arguments)
        door.say(hits, mind)
        for note in hits.notes:
            click.echo(note, err=True)
        if hits.missed and not door.as_json:
            output.missed(hits.missed)
        door.look_after(mind)
        mind.meaning.settle(_EMBEDDING_SECONDS)


def marked(door: Door, verb: Verb, given: dict[str, Any]) -> None:
    """What a host said of a memory's use, and what it counts for."""
    from remanence.interfaces.cli.app import arguments_of

    arguments = arguments_of(verb, given)
    with door.mind() as mind:
        memory = verb.call(mind, arguments)
        door.say(memory if door.as_json else _counted(memory, useful=arguments.get("useful", True)))


def _counted(memory: Memory, *, useful: bool) -> str:
    """One line: how often it was of use, or of none, and what that does."""
    if not useful:
        return f"Counted: {many(memory.rejections, 'rejection')} so far. It ranks lower and fades sooner."
    uses = f"Counted: {many(memory.uses, 'use')} so far"
    if memory.state is State.LIVE:
        accesses = f"{memory.access_count:,} access{'' if memory.access_count == 1 else 'es'}"
        return f"{uses}, {accesses}. It ranks higher and fades more slowly."
    if memory.state is not State.ARCHIVED:
        return f"{uses}. It is {memory.state.value}: no recall finds it."
    return f"{uses}. It is archived, so it was missed. Bring it back with: rem restore {memory.id}"


@click.command("reembed")
@click.option("--later", is_flag=True, help="Leave it to workers: rem work --all.")
@click.pass_obj
def reembed(door: Door, later: bool) -> int:
    """Give every memory a vector of the embedder in use; stopped, it goes on where it was."""
    from remanence.interfaces.cli import output

    with door.mind() as mind:
        if later:
            mind.meaning.want_reembedded()
            door.say({"wanted": True} if door.as_json else "Workers will do it. See how far they are: rem stats")
            return 0
        with output.progress("Embedding", quiet=door.as_json) as progress:
            done = mind.meaning.reembed(progress)
        door.say(
            {"model": mind.meaning.model, **done.to_dict()}
            if door.as_json
            else f"{done.embedded:,} memories embedded by {mind.meaning.model}; {done.left:,} left"
        )
    if done.why:
        click.echo(f"Stopped: {done.why} Run it again to go on.", err=True)
    return 1 if done.why else 0


WHY_NOT = click.Option(["--why-not"], metavar="ID", help="Why this memory does not come, or at which place it does.")
COMMANDS = (reembed,)
