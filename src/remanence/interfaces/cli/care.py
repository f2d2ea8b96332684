"""Commands that care for the store: check, export, backup, doctor, config, completion; and import, from beside them."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click

from remanence.interfaces.cli.importing import import_
from remanence.interfaces.cli.words import counted

if TYPE_CHECKING:
    from remanence.interfaces.cli.app import Door


@click.command("check")
@click.option("--repair", is_flag=True, help="Make derived rows anew where they differ.")
@click.option("--salvage", metavar="FILE", help="Save every memory that can still be read, as an export.")
@click.pass_obj
def check(door: Door, repair: bool, salvage: str | None) -> int:
    """Look for damage: pages, hashes, and every derived row."""
    from remanence.interfaces.cli import output

    if salvage is not None:
        from remanence.opening import salvage as salvaged

        door.say(salvaged(door.db, Path(salvage), door.namespace))
        return 0
    with door.mind() as mind, output.progress("Checking", quiet=door.as_json) as progress:
        report = mind.check(repair=repair, progress=progress)
    if door.as_json:
        door.say(report)
    else:
        from remanence import settings

        is_file = "://" not in (door.db or settings.load().location())
        saved_by = "rem check --salvage FILE" if is_file else "rem export FILE"
        output.show_checkup(report, output.console(), saved_by)
    return 0 if report.ok else 1


@click.command("export")
@click.argument("path")
@click.option("--format", type=click.Choice(["jsonl", "markdown"]), help="Default: by the file's ending.")
@click.pass_obj
def export(door: Door, path: str, format: str | None) -> None:
    """Write every memory as JSON lines, or what is live and archived as a Markdown mirror; '-' for standard output."""
    from remanence.interfaces.cli import output

    if path == "-":
        with door.mind() as mind, tempfile.TemporaryDirectory(prefix="remanence-export-") as folder:
            mind.export(Path(folder) / "export", format=format or "jsonl")
            sys.stdout.buffer.write((Path(folder) / "export").read_bytes())
        return
    with door.mind() as mind, output.progress("Exporting", quiet=door.as_json) as progress:
        number = mind.export(path, format=format, progress=progress)
    door.say({"path": path, "exported": number} if door.as_json else f"{counted(number)} exported to {path}")


@click.command("backup")
@click.argument("path")
@click.pass_obj
def backup(door: Door, path: str) -> None:
    """Write a whole copy of the store, while others go on writing."""
    with door.mind() as mind:
        made = mind.backup(path)
    size = made.stat().st_size
    door.say({"path": str(made), "bytes": size} if door.as_json else f"{size:,} bytes written to {made}")


@click.command("doctor")
@click.pass_obj
def doctor(door: Door) -> int:
    """What is missing here, and how to get it."""
    from remanence.interfaces.cli.doctor import show_findings
    from remanence.opening import diagnose

    findings = diagnose(door.db)
    well = all(finding.ok for finding in findings)
    if door.as_json:
        door.say({"ok": well, "findings": list(findings)})
    else:
        show_findings(findings)
    return 0 if well else 1


@click.command("config")
@click.option("--explain", is_flag=True, help="Say what each setting is for.")
@click.pass_obj
def config(door: Door, explain: bool) -> None:
    """The settings in force, and the file in which you may write your own."""
    from remanence import places, settings
    from remanence.settings.meanings import MEANINGS

    asked = {"db": door.db, "namespace": door.namespace}
    given = {name: value for name, value in asked.items() if value is not None}
    now = settings.load(given)
    origins = settings.origins(given)
    shown = {
        "file": str(settings.config_path()),
        "location": places.shown(now.location()),
        "settings": now.to_dict(),
        "origins": origins,
        "ignored": settings.ignored(),
    }
    if door.as_json:
        door.say(shown)
        return
    click.echo(f"config file  {shown['file']}{'' if settings.config_path().exists() else ' (not there)'}")
    click.echo(f"store        {shown['location']}")
    values = {name: _written(value) for name, value in now.to_dict().items()}
    wide = max(map(len, values))
    long = max((len(value) for name, value in values.items() if name in origins), default=0)
    for (name, value), field in zip(values.items(), settings.NAMES, strict=True):
        click.echo(f"{name:<{wide}}  {value:<{long}}  {origins.get(name, '')}".rstrip())
        if explain:
            click.echo(f"    {MEANINGS[field]}")
    for name in settings.ignored():
        click.echo(f"{name} is set but names no setting of this version")


def _written(value: object) -> str:
    """A setting as config.yml would have it; a dash where it is not set."""
    if value in (None, (), ""):
        return "-"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:g}"
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_obj
def completion(door: Door, shell: str) -> None:
    """A script for your shell: eval "$(rem completion bash)"."""
    from click.shell_completion import get_completion_class

    from remanence.interfaces.cli.app import rem

    found = get_completion_class(shell)
    if found is not None:
        source = found(rem, {}, "rem", "_REM_COMPLETE").source()
        door.say({"shell": shell, "script": source}) if door.as_json else click.echo(source)


COMMANDS = (check, export, import_, backup, doctor, config, completion)
