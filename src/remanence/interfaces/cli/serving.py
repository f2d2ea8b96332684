"""The commands that serve, REST, MCP over HTTP, the page and the timer in one process, and that show the page.

The page wants a token. Its address carries the owner's behind a #, which a browser sends to nobody. A browser is not
started with that address, since others see a process's arguments, but with a file of the owner's that leads there.
"""

from __future__ import annotations

import shlex
import sys
from threading import Thread
from typing import TYPE_CHECKING, Any

import click

from remanence.errors import InvalidInput, NotFound, RemanenceError
from remanence.interfaces.cli.words import command
from remanence.places import is_database, is_keywords, page_of, served_of, shown

if TYPE_CHECKING:
    from webbrowser import BaseBrowser

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
@click.option(
    "--open", "is_opened", is_flag=True, help="Show the page in the browser; where there is none, its address."
)
@click.option("--reload", is_flag=True, help="For development: start anew when the code changes.")
@click.pass_obj
def serve(door: Door, reload: bool, is_opened: bool, no_upkeep: bool, behind_proxy: bool, **given: Any) -> int:
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
        return running.reload([word for word in sys.argv[1:] if word not in ("--reload", "--open")])
    beside = settled.beside(location)
    running.serve(location, settled, lambda address, owner: _say(door, location, beside, address, owner, is_opened))
    return 0


def _say(door: Door, location: str, beside: str, address: Address, owner: Owner, is_opened: bool) -> None:
    browser = _browser() if is_opened else None
    if browser is not None:
        place = _lead(beside, _with_token(address.url, owner.token))
        Thread(target=browser.open, args=(place,), daemon=True).start()  # some wait until they have begun
    if door.as_json:
        door.say({"url": address.url, "db": shown(location), "token_file": served_of(beside)})
        sys.stdout.flush()
        return
    where = "" if door.db is None else f"REMANENCE_DB={shlex.quote(shown(location))} "
    page = f"{address.url}/            (with your token: {command(door.db)} page --open)"
    if browser is not None:
        page = f"{address.url}/            (opened in your browser)"
    elif is_opened and sys.stdout.isatty():  # never into a file or a log
        page = f"{_with_token(address.url, owner.token)}\n         (open it in a browser; it lets in as you)"
    lines = [
        f"remanence serves {shown(location)} at {address.url}",
        f"  REST   {address.url}/v1/openapi.json",
        f"  MCP    {address.url}/mcp",
        f"  page   {page}",
        f"  token  in {served_of(beside)}" + (", made just now" if owner.made else ""),
        "Try next:",
        f"  curl -s {address.url}/healthz",
        f"  {where}python -c 'from remanence import Mind; print(Mind(\"{address.url}\").stats())'",
        f"  {command(door.db)} connect claude-code          (also codex, cursor, gemini)",
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
    address = _with_token(*served)
    if is_opened:
        import webbrowser

        if not webbrowser.open(_lead(location, address)):
            raise RemanenceError(
                f"No browser could be started here. Open the address that this gives: {command(door.db)} page"
            )
        address = f"{served[0]}/"
    if door.as_json:
        door.say({"url": address})
    else:
        click.echo(address)


def _with_token(url: str, token: str) -> str:
    return f"{url}/#token={token}"


def _browser() -> BaseBrowser | None:
    """A browser with a window; one that writes into the terminal would take it from the server."""
    import webbrowser

    try:
        found = webbrowser.get()
    except webbrowser.Error:
        return None
    return None if type(found) is webbrowser.GenericBrowser else found


def _lead(location: str, address: str) -> str:
    """The address of a file of the owner's that leads there."""
    from html import escape
    from pathlib import Path

    from remanence.interfaces import private_files

    place = Path(page_of(location)).expanduser().absolute()
    leads = f'<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url={escape(address)}">\n'
    private_files.replace(place, leads.encode(), Path(location).expanduser().absolute())
    return place.as_uri()


COMMANDS = (serve, page)
