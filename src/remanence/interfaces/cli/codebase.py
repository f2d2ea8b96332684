"""The command that reads a source tree into the codebase layer: ingest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from remanence.interfaces.cli.app import Door
    from remanence.model.ingested import Ingested


@click.command("ingest")
@click.argument("folder", metavar="DIR")
@click.option("--scope", default="/", show_default=True, help="The scope its memories belong to.")
@click.option("--dry-run", is_flag=True, help="Say what would change, and change nothing.")
@click.pass_obj
def ingest(door: Door, folder: str, scope: str, dry_run: bool) -> None:
    """Remember the files and signatures of a source tree; run again, only what changed."""
    from remanence.interfaces.cli import output

    with door.mind() as mind, output.progress("Reading", quiet=door.as_json) as progress:
        done = mind.ingest(folder, scope=scope, dry_run=dry_run, progress=progress)
    door.say(done if door.as_json else _told(done))


def _told(done: Ingested) -> str:
    from remanence.interfaces.cli.words import counted, safe

    numbers = [f"{getattr(done, name):,} {name}" for name in _COUNTS if getattr(done, name) or name in _ALWAYS]
    lines = [f"{safe(done.root)}: {done.files:,} file{'s' * (done.files != 1)}; memories: {', '.join(numbers)}"]
    if done.dry_run:
        lines.append("Nothing was changed: this was a dry run")
    lines += [f"  left out: {number:,} × {safe(reason)}" for reason, number in done.skipped.items()]
    if done.cut:
        lines.append(f"  {done.cut:,} hold more than is told of them, and end with how many more")
    if done.quarantined:
        lines.append(f"  {counted(done.quarantined)} quarantined, as they read like instructions; see: rem review")
    if done.redacted:
        lines.append(f"  redacted: {', '.join(f'{number} {kind}' for kind, number in done.redacted.items())}")
    if done.receipt_id:
        lines.append(f"Take it back with: rem undo {done.receipt_id}")
    return "\n".join(lines)


_COUNTS = ("added", "changed", "removed", "restored", "unchanged")
_ALWAYS = ("added", "unchanged")

COMMANDS: tuple[click.Command, ...] = (ingest,)
