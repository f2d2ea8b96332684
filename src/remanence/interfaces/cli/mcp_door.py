"""mcp: serve a mind to one client on standard input and output."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import click

from remanence.errors import InvalidInput, RemanenceError
from remanence.interfaces.cli import PARENT
from remanence.model.scope import scope_problems

if TYPE_CHECKING:
    from remanence.interfaces.cli.app import Door
    from remanence.interfaces.grants import Grant
    from remanence.interfaces.mcp.place import Place
    from remanence.interfaces.minds import Minds


@click.command("mcp")
@click.option("--scope", help="Only this scope and what is below it; new memories belong there.")
@click.option("--read-only", is_flag=True, help="Nothing may be written.")
@click.pass_obj
def mcp(door: Door, scope: str | None, read_only: bool) -> int:
    """Serve MCP on standard input and output: what an agent's host starts."""
    if find_spec("mcp") is None:
        raise RemanenceError('The MCP server is not installed. Install it with: pip install "remanence[serve]"')
    from remanence import settings
    from remanence.interfaces.mcp.ending import Ending, claimed, watch

    chosen = settings.load()
    scope = scope or chosen.mcp__scope
    if scope is not None and (problems := scope_problems(scope)):
        raise InvalidInput(problems)
    is_read_only = read_only or chosen.mcp__read_only
    namespace = chosen.namespace if door.namespace is None else door.namespace
    ending = Ending()
    wires = claimed()
    watch(PARENT, wires[0], ending)
    from remanence.interfaces.mcp import stdio

    opened: list[Minds] = []

    def close() -> None:
        for minds in opened:
            minds.close()

    def place() -> Place:
        return _place(door.db, namespace, scope, is_read_only, opened)

    return stdio.serve(place, close, wires, ending)


def _place(db: str | None, namespace: str, scope: str | None, read_only: bool, opened: list[Minds]) -> Place:
    """This process's place: one grant, and minds that are opened at the first call that needs one."""
    import threading
    from pathlib import Path

    from remanence.interfaces.cli.project import inferred_scope
    from remanence.interfaces.grants import Grant
    from remanence.interfaces.mcp.place import Place

    opening = threading.Lock()
    grant = Grant(namespace=namespace, scope=scope, read_only=read_only, name="stdio")
    folder = Path.cwd()

    def minds() -> Minds:
        from remanence.interfaces.minds import Minds

        with opening:
            if not opened:
                opened.append(Minds(db))
            return opened[0]

    def home(grant: Grant) -> str | None:
        return inferred_scope(folder) if grant.scope is None else grant.scope

    def project(grant: Grant) -> Any:
        return folder if grant.scope is None else grant.scope

    return Place(minds=minds, grant_of=lambda _: grant, scope=home, project=project, polls_unasked=False)


COMMANDS: tuple[click.Command, ...] = (mcp,)
