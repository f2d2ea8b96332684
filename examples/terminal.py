"""Record a terminal session of the first minutes with `rem`, as docs/images/terminal.svg and .txt.

Real commands on a store that is gone afterwards, in a pseudo-terminal of 100 columns; what they show is kept as it
came, with the seconds of CPU each took: how long one waits depends on what else runs. Run by `make images`.
"""

from __future__ import annotations

import os
import pty
import re
import resource
import shlex
import subprocess
import sys
import tempfile
from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

WIDTH = 100
IMAGES = Path(__file__).parent.parent / "docs" / "images"
REM = str(Path(sys.executable).parent / "rem")
SESSION = (
    'rem remember "The staging database runs PostgreSQL in Frankfurt"',
    'rem remember "The staging database runs PostgreSQL in Dublin"',
    'rem remember "Deploys need a green build and one review" --kind decision',
    'rem remember "The token of CI is ghp_{token}"',
    'rem recall "which city hosts our test data" --limit 1',
    "rem explain {id}",
    "rem forget --kind decision",
    "rem undo {receipt}",
)
# rich's own template asks a server for its font; this one takes what the reader has.
_TEMPLATE = """<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace;
  font-size: {char_height}px; line-height: {line_height}px; }}
{styles}
</style>
<defs>{lines}</defs>
<rect fill="#1d1f21" width="100%" height="100%" rx="8"/>
<g transform="translate(14, 14)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g></g></svg>
"""


def typed(command: str, env: dict[str, str]) -> str:
    """What a terminal shows of a command."""
    ours, theirs = pty.openpty()
    words = [REM, *shlex.split(command)[1:]]
    with subprocess.Popen(words, stdin=theirs, stdout=theirs, stderr=theirs, env=env) as process:
        os.close(theirs)
        shown = b""
        try:
            while piece := os.read(ours, 4096):
                shown += piece
        except OSError:  # how a pseudo-terminal says that its last writer is gone
            pass
    os.close(ours)
    if process.returncode != 0:
        raise SystemExit(f"{command} ended with {process.returncode}: {shown.decode()}")
    return shown.decode().replace("\r\n", "\n")


def used() -> float:
    """Seconds of CPU that the commands so far took."""
    told = resource.getrusage(resource.RUSAGE_CHILDREN)
    return told.ru_utime + told.ru_stime


def record() -> Console:
    """Run the session; the console holds what it showed."""
    console = Console(record=True, width=WIDTH, file=StringIO(), force_terminal=True, color_system="truecolor")
    known = {"token": "16C7e42F292c6912E7710c838347Ae178B4a", "id": "", "receipt": ""}
    with tempfile.TemporaryDirectory(prefix="remanence-terminal-") as folder:
        os.chdir(folder)  # away from a project, whose scope memories would get
        env = {
            **os.environ,
            "HOME": folder,
            "REMANENCE_DB": f"{folder}/store.db",
            "COLUMNS": str(WIDTH),
            "TERM": "xterm-256color",
        }
        for line in SESSION:
            command = line.format(**known)
            before = used()
            shown = typed(command, env)
            took = used() - before
            known["id"] = (re.findall(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", shown) or [known["id"]])[0]
            known["receipt"] = (re.findall(r"\br\d+\b", shown) or [known["receipt"]])[0]
            console.print(Text.assemble(("$ ", "bold green"), (command, "bold")))
            console.print(Text.from_ansi(shown.rstrip("\n")))
            console.print(Text(f"{took:.1f} s of CPU", "dim"), justify="right")
    return console


def main() -> None:
    console = record()
    (IMAGES / "terminal.txt").write_text(console.export_text(clear=False), "utf-8")
    svg = console.export_svg(theme=MONOKAI, code_format=_TEMPLATE, unique_id="terminal")
    (IMAGES / "terminal.svg").write_text(svg, "utf-8")


if __name__ == "__main__":
    main()
