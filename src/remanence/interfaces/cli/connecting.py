"""The command that connects agents: connect. It shows every edit before it is made, and takes it out again."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from remanence.errors import InvalidInput

if TYPE_CHECKING:
    from remanence.interfaces.cli.app import Door
    from remanence.interfaces.connect.hosts import Host, Places
    from remanence.interfaces.connect.proposal import Proposal, Status


@click.command("connect")
@click.argument("host", metavar="[HOST]", required=False)
@click.option("--remove", is_flag=True, help="Take out exactly what was put in.")
@click.option("--project", is_flag=True, help="In the file of this project, not in your own.")
@click.option("--no-capture", is_flag=True, help="Leave memories.enabled in your config.yml as it is.")
@click.option("--dry-run", is_flag=True, help="Show the edits, and change nothing.")
@click.option("--yes", "-y", is_flag=True, help="Do it without asking.")
@click.pass_obj
def connect(
    door: Door, host: str | None, remove: bool, project: bool, no_capture: bool, dry_run: bool, yes: bool
) -> None:
    """Let an agent remember by itself: claude-code, codex, cursor, gemini. Without a name: what is installed."""
    from remanence.interfaces.connect import proposal
    from remanence.interfaces.connect.hosts import HOSTS, host_of

    places = _places()
    if host is None:
        if remove or project or no_capture or dry_run or yes or door.db is not None or door.namespace is not None:
            raise InvalidInput(f"name the agent: one of {', '.join(one.name for one in HOSTS)}")
        _show_status(door, proposal.status(places))
        return
    one = host_of(host)
    if remove:
        proposed = proposal.remove(one, places, project=project, capture=not no_capture)
    else:
        commands = _commands(one, door.db, door.namespace)
        proposed = proposal.connect(one, places, commands, project=project, capture=not no_capture)
    _carry_out(door, one, proposed, remove=remove, project=project, ask=not yes, dry_run=dry_run)


def _places() -> Places:
    from remanence import settings
    from remanence.interfaces.connect.hosts import Places, project_root

    return Places(
        home=Path.home(),
        project=project_root(Path.cwd()),
        config=settings.config_path().absolute(),
        variables=settings.host_folders(),
    )


def _commands(host: Host, db: str | None, namespace: str | None) -> dict[str, str]:
    """What the host is to call; a store is named by its full path, since hooks run in other folders."""
    from remanence.interfaces.connect import hooks, proposal
    from remanence.model import checks

    problems = []
    if db is not None:
        problems += checks.string_problems(db, "db", 4096)
        if db.startswith((":memory:", "file:")):
            problems.append(f"db must be a file that hooks can share, not {db!r}")
        db = str(Path(db).expanduser().absolute())
    if namespace is not None:
        problems += checks.string_problems(namespace, "namespace")
    if problems:
        raise InvalidInput(problems)
    return hooks.commands(proposal.program(sys.argv[0], sys.executable), host, db, namespace)


def _carry_out(
    door: Door, host: Host, proposed: Proposal, *, remove: bool, project: bool, ask: bool, dry_run: bool
) -> None:
    from remanence.interfaces.cli.words import safe
    from remanence.interfaces.connect import edits

    changes = proposed.changes
    edits.check(changes)
    diffs = [edit.diff() for edit in changes]
    sure = not ask or not changes
    if not door.as_json:
        for text in (*diffs, *proposed.notes):
            click.echo(safe(text))
        if not sure and not dry_run and sys.stdin.isatty():
            files = "this file" if len(changes) == 1 else f"these {len(changes)} files"
            if not click.confirm(f"Change {files}?"):
                click.echo("Nothing was changed.")
                return
            sure = True
    applied = sure and not dry_run
    backups = edits.write(changes) if applied else []
    if door.as_json:
        made = [{"path": str(edit.path), "diff": diff} for edit, diff in zip(changes, diffs, strict=True)]
        answer = {"host": host.name, "applied": applied and bool(changes), "edits": made}
        door.say({**answer, "backups": [str(place) for place in backups], "notes": list(proposed.notes)})
        return
    for place in backups:
        click.echo(f"Backup: {safe(str(place))}")
    for line in _outcome(host, bool(changes), applied, dry_run, remove, project):
        click.echo(line)


def _outcome(host: Host, changed: bool, applied: bool, dry_run: bool, remove: bool, project: bool) -> list[str]:
    """What was done, in words."""
    if not changed:
        return [f"{host.title} is {'not connected' if remove else 'connected already'}: nothing to change."]
    if not applied:
        return [f"Nothing was changed{': this was a dry run.' if dry_run else '. Add --yes to do it.'}"]
    if remove:
        return [f"{host.title} is no longer connected. What was captured stays; see: rem session list"]
    undo = f"rem connect {host.name} --remove{' --project' if project else ''}"
    return [f"{host.title} is connected. {host.advice}", f"Undo with: {undo}"]


def _show_status(door: Door, found: Sequence[Status]) -> None:
    if door.as_json:
        door.say([one.to_dict() for one in found])
        return
    from remanence.interfaces.cli.words import safe

    rows = [("agent", "installed", "connected", "file")]
    rows += [(one.host.name, "yes" if one.installed else "no", one.connected, safe(str(one.file))) for one in found]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    waiting = [one.host.name for one in found if one.installed and one.connected in ("no", "partly", "moved")]
    done = {one.host.name for one in found if one.connected == "yes"}
    for name in (name for name in waiting if name not in done):
        click.echo(f"Connect with: rem connect {name}")
    if not waiting and not done:
        click.echo("No agent was found. Connect one all the same: rem connect claude-code")


COMMANDS: tuple[click.Command, ...] = (connect,)
