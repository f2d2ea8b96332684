"""token: who may use this store when it is served: make a token, list them, revoke one.

No server need run, and one that runs takes every change at its next request.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import click

from remanence.interfaces.cli.listing import Family, list_commands
from remanence.interfaces.cli.words import flat

if TYPE_CHECKING:
    from remanence.interfaces.cli.app import Door
    from remanence.interfaces.tokens import Token, Tokens

_NEVER = "never"
_COLUMNS = ("id", "name", "namespace", "scope", "may", "made", "until", "state")


def _tokens(door: Door) -> Tokens:
    from remanence import settings
    from remanence.interfaces.tokens import Tokens

    given = {} if door.db is None else {"db": door.db}
    return Tokens(settings.load(given).beside())


def _address(door: Door) -> str:
    """Where the store is served now, or else would be."""
    from remanence import settings
    from remanence.interfaces.tokens import being_served

    chosen = settings.load({} if door.db is None else {"db": door.db})
    served = being_served(chosen.beside())
    return f"http://{chosen.serve__host}:{chosen.serve__port}" if served is None else served[0]


@click.group("token", cls=Family, invoke_without_command=True)
@click.pass_context
def token(context: click.Context) -> None:
    """Who may use this store through rem serve."""
    list_commands(context)


@token.command("create")
@click.argument("name", default="token")
@click.option("--scope", help="Only this scope and what is below it; new memories go there.")
@click.option("--read-only", is_flag=True, help="It may read, and change nothing.")
@click.option("--human", is_flag=True, help="It may write as a person (source human), not only as an AI.")
@click.option("--expires", default="90d", show_default=True, help="After so long: 12h, 90d, 1y; or never.")
@click.pass_obj
def create(door: Door, name: str, scope: str | None, read_only: bool, human: bool, expires: str) -> None:
    """Make a token of this name, and show its secret, this once.

    With --namespace NAME it is good for that namespace alone; without, for any.
    """
    tokens = _tokens(door)
    secret, made = tokens.create(
        name,
        namespace=door.namespace,
        scope=scope,
        read_only=read_only,
        human=human,
        expires_in=None if expires == _NEVER else expires,
    )
    if door.as_json:
        door.say({"token": secret, **_shown(made, tokens.clock())})
        return
    click.echo(f"{secret}\n")
    click.echo("It is shown this once; only its digest is kept. A client sends it with each request:")
    click.echo(f'  curl -H "Authorization: Bearer $TOKEN" {_address(door)}/v1/count')
    click.echo(f"It may {_may(made)} {_where(made)}, {_until(made)}. Revoke it with: rem token revoke {made.id}")


@token.command("list")
@click.pass_obj
def list_tokens(door: Door) -> None:
    """Every token there ever was, oldest first; a secret is never shown."""
    tokens = _tokens(door)
    found, now = tokens.list(), tokens.clock()
    if door.as_json:
        door.say([_shown(one, now) for one in found])
        return
    if not found:
        click.echo("No tokens yet. Make one with: rem token create NAME; the first rem serve makes one of its own")
        return
    rows = [_COLUMNS, *(_row(one, now) for one in found)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


@token.command("revoke")
@click.argument("id")
@click.pass_obj
def revoke(door: Door, id: str) -> None:
    """Revoke a token: it opens nothing from now on."""
    tokens = _tokens(door)
    gone = tokens.revoke(id)
    if door.as_json:
        door.say(_shown(gone, tokens.clock()))
    else:
        click.echo(f"x {gone.id} ({flat(gone.name)}) is revoked since {gone.revoked_at:%Y-%m-%d %H:%M} UTC")


def _shown(one: Token, now: datetime) -> dict[str, object]:
    return one.to_dict() | {"state": one.state(now)}


def _row(one: Token, now: datetime) -> tuple[str, ...]:
    until = _NEVER if one.expires_at is None else f"{one.expires_at:%Y-%m-%d}"
    limits = (flat(one.namespace or "any"), flat(one.scope or "/"), _voice(one))
    return one.id, flat(one.name), *limits, f"{one.created_at:%Y-%m-%d}", until, one.state(now)


def _voice(one: Token) -> str:
    return "read" if one.read_only else "write as human" if one.human else "write"


def _may(one: Token) -> str:
    return "read" if one.read_only else "read, and write as a person" if one.human else "read and write"


def _where(one: Token) -> str:
    space = "any namespace" if one.namespace is None else f"the namespace {flat(one.namespace)}"
    return space if one.scope in (None, "/") else f"{flat(one.scope)} in {space}"


def _until(one: Token) -> str:
    return "for good" if one.expires_at is None else f"until {one.expires_at:%Y-%m-%d %H:%M} UTC"


COMMANDS: tuple[click.Command, ...] = (token,)
