"""The command that connects agents: connect. It shows every edit before it is made, and takes it out again."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
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
@click.option("--project", is_flag=True, help="In the files of this project, not in your own.")
@click.option("--no-hooks", is_flag=True, help="The tools alone: nothing is captured.")
@click.option("--no-tools", is_flag=True, help="The hooks alone: no MCP server.")
@click.option("--no-capture", is_flag=True, help="Leave memories.enabled in your config.yml as it is.")
@click.option("--dry-run", is_flag=True, help="Show the edits, and change nothing.")
@click.option("--yes", "-y", is_flag=True, help="Do it without asking.")
@click.pass_obj
def connect(door: Door, host: str | None, dry_run: bool, yes: bool, **chosen: bool) -> None:
    """Let an agent remember by itself: claude-code, codex, cursor, gemini. Without a name: what is installed."""
    from remanence.interfaces.connect import proposal
    from remanence.interfaces.connect.hosts import HOSTS, host_of

    places = _places()
    if host is None:
        if any((dry_run, yes, *chosen.values())) or door.db is not None or door.namespace is not None:
            raise InvalidInput(f"name the agent: one of {', '.join(one.name for one in HOSTS)}")
        _show_status(door, proposal.status(places))
        return
    asked = _Asked(host_of(host), **chosen)
    if asked.no_hooks and asked.no_tools:
        raise InvalidInput("with --no-hooks and --no-tools nothing is left to do; take one of them")
    _carry_out(door, asked, _proposed(door, asked, places), ask=not yes, dry_run=dry_run)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is to be done with which host."""

    host: Host
    remove: bool
    project: bool
    no_hooks: bool
    no_tools: bool
    no_capture: bool

    @property
    def undo(self) -> str:
        return f"rem connect {self.host.name} --remove{' --project' if self.project else ''}"


def _proposed(door: Door, asked: _Asked, places: Places) -> Proposal:
    from remanence.interfaces.connect import hooks, proposal, servers

    chosen = {"project": asked.project, "capture": not asked.no_capture}
    if asked.remove:
        parts = {"hooks": not asked.no_hooks, "tools": not asked.no_tools}
        return proposal.remove(asked.host, places, **chosen, **parts)
    db, namespace = _store(door.db, door.namespace)
    program = proposal.program(sys.argv[0], sys.executable)
    commands = None if asked.no_hooks else hooks.commands(program, asked.host, db, namespace)
    server = None if asked.no_tools else servers.entry(program, asked.host, db, namespace)
    if server is None or servers.servable():
        return proposal.connect(asked.host, places, commands, server, **chosen)
    missing = 'the package mcp is not installed. Run: pip install "remanence[serve]", then again: rem connect'
    if commands is None:
        raise InvalidInput(f"the tools cannot be connected: {missing} {asked.host.name} --no-hooks")
    proposed = proposal.connect(asked.host, places, commands, None, **chosen)
    return replace(proposed, notes=(*proposed.notes, f"The tools are not connected: {missing} {asked.host.name}"))


def _places() -> Places:
    from remanence import settings
    from remanence.interfaces.connect.hosts import Places, project_root

    return Places(
        home=Path.home(),
        project=project_root(Path.cwd()),
        config=settings.config_path().absolute(),
        variables=settings.host_folders(),
    )


def _store(db: str | None, namespace: str | None) -> tuple[str | None, str | None]:
    """The store that is to be named; by its full path, since hooks and servers run in other folders."""
    from remanence.model import checks

    problems = []
    if db is not None:
        problems += checks.string_problems(db, "db", 4096)
        if db.startswith((":memory:", "file:")) or "://" in db or db.startswith(("http:", "https:")):
            problems.append(f"db must be a file that hooks can share, not {db!r}")
        db = str(Path(db).expanduser().absolute())
    if namespace is not None:
        problems += checks.string_problems(namespace, "namespace")
    if problems:
        raise InvalidInput(problems)
    return db, namespace


def _carry_out(door: Door, asked: _Asked, proposed: Proposal, *, ask: bool, dry_run: bool) -> None:
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
        answer = {"host": asked.host.name, "applied": applied and bool(changes), "edits": made}
        door.say({**answer, "backups": [str(place) for place in backups], "notes": list(proposed.notes)})
        return
    for place in backups:
        click.echo(f"Backup: {safe(str(place))}")
    for line in _outcome(asked, proposed, applied, dry_run):
        click.echo(line)


def _outcome(asked: _Asked, proposed: Proposal, applied: bool, dry_run: bool) -> list[str]:
    """What was done, in words."""
    title, changed = asked.host.title, bool(proposed.changes)
    if changed and not applied:
        return [f"Nothing was changed{': this was a dry run.' if dry_run else '. Add --yes to do it.'}"]
    if asked.no_hooks:
        if not changed:
            return [f"{title} has {'no tools from here' if asked.remove else 'the tools already'}: nothing to change."]
        if asked.remove:
            return [f"{title} has the tools no longer."]
        return [f"{title} has the tools. {asked.host.tools_advice}", f"Undo with: {asked.undo} --no-hooks"]
    if not changed:
        return [f"{title} is {'not connected' if asked.remove else 'connected already'}: nothing to change."]
    if asked.remove:
        return [f"{title} is no longer connected. What was captured stays; see: rem session list"]
    advice = asked.host.advice + (f" {asked.host.tools_advice}" if proposed.tools else "")
    return [f"{title} is connected. {advice}", f"Undo with: {asked.undo}"]


def _show_status(door: Door, found: Sequence[Status]) -> None:
    if door.as_json:
        door.say([one.to_dict() for one in found])
        return
    from remanence.interfaces.cli.words import safe

    rows = [("agent", "installed", "connected", "tools", "file")]
    rows += [
        (one.host.name, "yes" if one.installed else "no", one.connected, one.tools, safe(str(one.file)))
        for one in found
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    done = {one.host.name for one in found if "yes" in (one.connected, one.tools)}
    broken = {one.host.name for one in found if one.connected in ("partly", "moved") or one.tools == "moved"}
    waiting = {one.host.name for one in found if one.installed and one.connected == "no"} - done | broken
    for name in dict.fromkeys(one.host.name for one in found if one.host.name in waiting):
        click.echo(f"Connect with: rem connect {name}")
    if not waiting and not done:
        click.echo("No agent was found. Connect one all the same: rem connect claude-code")


COMMANDS: tuple[click.Command, ...] = (connect,)
