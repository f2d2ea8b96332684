"""Who holds a job: processes by name, so that one of this machine that has ended need not be waited for."""

from __future__ import annotations

import os
import re
import secrets
from pathlib import Path


def _world() -> str:
    """Where a process's number means this process: the machine since it was started, and its namespace of numbers."""
    try:
        started = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        return f"{os.uname().nodename} {started} {Path('/proc/self/ns/pid').readlink()}"
    except (AttributeError, OSError):
        return ""


_WORLD = _world()
_PROCESS = re.compile(rf"process (\d+) \({re.escape(_WORLD)} \w+\)")


def this_process() -> str:
    """A name for one holder in this process, unlike any other."""
    return f"process {os.getpid()} ({_WORLD} {secrets.token_hex(4)})"


def is_gone(holder: str) -> bool:
    """Whether this holder is a process of this machine that has ended; False where that cannot be known."""
    named = _PROCESS.fullmatch(holder) if _WORLD else None
    if named is None:
        return False
    try:
        os.kill(int(named[1]), 0)
    except ProcessLookupError:
        return True
    except (PermissionError, OverflowError):
        pass
    return False
