"""The commands that serve, REST, MCP over HTTP, the page and the timer in one process, and that show the page.

The page wants a token. Its address carries the owner's behind a #, which a browser sends to nobody. A browser is not
started with that address, since others see a process's arguments, but with a file of the owner's that leads there.
"""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING, Any

import click

from remanence.errors import InvalidInput, NotFound, RemanenceError
from remanence.interfaces.cli.words import command
from remanence.places import is_database, is_keywords, page_of, served_of, shown

if TYPE_CHECKING:
    from remanence.interfaces.cli.app import Door
    from remanence.interfaces.serve.running import Address
    from remanence.interfaces.tokens import Owner


@click.command("serve")
@click.option("--host", help="Listen on this address; default: 127.0.0.1, this machine alone.")
@click.option("--port", type=int, help="Listen on this port; default: 7411, 0 for any that is free.")
@click.option("--allow-host", "hosts", multiple=True, metavar="NAME", help="A name it answers to; as serve.hosts.")
@click.option("--allow-origin", "origins", multiple=True, metavar="URL", help="A site whose pages may ask it.")
@click.option("--behind-proxy", is_flag=True, help="A proxy on the way speaks TLS; needed for a public address.")
@click.option("--tls-cert", metavar="FILE", help="Speak TLS with this certificate.")
@click.option("--tls-key", metavar="FILE", help="The key of that certificate.")
@click.option("--no-upkeep", is_flag=True, help="No timer, no sweep on opening: rem work, or another server, does it.")
@click.option("--reload", is_flag=True, help="For development: start anew when the code changes.")
@click.pass_obj
def serve(door: Door, reload: bool, no_upkeep: bool, behind_proxy: bool, **given: Any) -> int:
    """Serve the store: REST at /v1, MCP at /mcp, the page at /, upkeep by the clock; until stopped."""
    from remanence import settings

    chosen = {name: list(value) if isinstance(value, tuple) else value for name, value in given.items() if value}
    if given["port"] == 0:
        chosen["port"] = 0
    if behind_proxy:
        chosen["behind_proxy"] = True
    if no_upkeep:
        chosen["upkeep"] = False
    given_too: dict[str, Any] = {"upkeep": {"on_open": False}} if no_upkeep else {}
    if door.namespace:
        given_too["namespace"] = door.namespace
    settled = settings.load({"serve": chosen, **given_too})
    location = door.db or settled.location()
    if location == ":memory:" or is_keywords(location) or ("://" in location and not is_database(location)):
        raise InvalidInput(f"serve needs a store that is a file or a database, not {shown(location)[:80]!r}")
    try:
        from remanence.interfaces.serve import running
    except ModuleNotFoundError as missing:
        raise RemanenceError(f'{missing.name} is not installed. Run: pip install "remanence[serve]"') from None
    if reload:
        running.check(settled)
        return running.reload([word for word in sys.argv[1:] if word != "--reload"])
    beside = settled.beside(location)
    running.serve(location, settled, lambda address, owner: _say(door, location, beside, address, owner))
    return 0


def _say(door: Door, location: str, beside: str, address: Address, owner: Owner) -> None:

    if door.as_json:
        door.say({"url": address.url, "db": shown(location), "token_file": served_of(beside)})
        sys.stdout.flush()
        return
    where = "" if door.db is None else f"REMANENCE_DB={shlex.quote(shown(location))} "
    lines = [
        f"remanence serves {shown(location)} at {address.url}",
        f"  REST   {address.url}/v1/openapi.json",
        f"  MCP    {address.url}/mcp",
        f"  page   {address.url}/            (with your token: {command(door.db)} page --open)",
        f"  token  in {served_of(beside)}" + (", made just now" if owner.made else ""),
        "Try next:",
        f"  curl -s {address.url}/healthz",
        f"  {where}python -c 'from remanence import Mind; print(Mind(\"{address.url}\").stats())'",
        "  rem connect claude-code          (also codex, cursor, gemini)",
        "Stop it with Ctrl-C.",
    ]
    click.echo("\n".join(lines))
    sys.stdout.flush()


@click.command("page")
@click.option("--open", "is_opened", is_flag=True, help="Open it in the browser.")
@click.pass_obj
def page(door: Door, is_opened: bool) -> None:
    """The address of the page with your token in it, for the store's server that runs; it is yours alone."""
    from remanence import settings
    from remanence.interfaces.tokens import being_served

    settled = settings.load({} if door.db is None else {"db": door.db})
    location = settled.beside()
    served = being_served(location)
    if served is None:
        raise NotFound(f"{shown(settled.location())} is not served just now. Serve it with: {command(door.db)} serve")
    address = f"{served[0]}/#token={served[1]}"
    if is_opened:
        _open(door, location, address)
        address = f"{served[0]}/"
    if door.as_json:
        door.say({"url": address})
    else:
        click.echo(address)


def _open(door: Door, location: str, address: str) -> None:
    import webbrowser
    from html import escape
    from pathlib import Path

    from remanence.interfaces import private_files

    place = Path(page_of(location)).expanduser().absolute()
    leads = f'<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url={escape(address)}">\n'
    private_files.replace(place, leads.encode(), Path(location).expanduser().absolute())
    if not webbrowser.open(place.as_uri()):
        raise RemanenceError(
            f"No browser could be started here. Open the address that this gives: {command(door.db)} page"
        )


COMMANDS = (serve, page)
