"""Environments of the peers, one each, in .venvs/peer-NAME: `make bench PEERS=1` makes those that are not there.

A peer gets a Python whose SQLite loads extensions where it needs one (sqlite-vec), which not every build allows.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

PACKAGES = {
    "mem0": ("numpy", "mem0ai==2.2.1", "qdrant-client==1.20.0"),
    "langgraph": ("numpy", "langgraph-checkpoint-sqlite==3.1.2"),
}
EXTENSIONS = ("langgraph",)
FOLDER = Path(__file__).resolve().parent.parent / ".venvs"
_LOADS = "import sqlite3; sqlite3.connect(':memory:').enable_load_extension(True)"


def made(name: str) -> Path:
    """The Python of a peer; RuntimeError says why there is none."""
    folder = FOLDER / f"peer-{name}"
    python = folder / "bin" / "python"
    done = folder / "installed"
    if done.exists() and done.read_text() == " ".join(PACKAGES[name]):
        return python
    shutil.rmtree(folder, ignore_errors=True)
    base = next((one for one in (sys.executable, "/usr/bin/python3") if _fits(one, name)), None)
    if base is None:
        raise RuntimeError("no Python here has an SQLite that loads extensions")
    # Debian's Python makes no environment with pip in it, so ours installs into it.
    _run(base, "-m", "venv", "--without-pip", folder)
    _run(
        sys.executable,
        "-m",
        "pip",
        "--python",
        python,
        "install",
        "-qq",
        "--disable-pip-version-check",
        *PACKAGES[name],
    )
    done.write_text(" ".join(PACKAGES[name]))
    return python


def _fits(python: str, name: str) -> bool:
    if name not in EXTENSIONS:
        return True
    return (
        Path(python).exists()
        and subprocess.run([python, "-c", _LOADS], capture_output=True, check=False).returncode == 0
    )


def _run(*words: str | Path) -> None:
    ran = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False)
    if ran.returncode:
        raise RuntimeError((ran.stderr.strip() or ran.stdout.strip()).splitlines()[-1])
