"""Who holds a job: processes by name, so that one of this machine that has ended need not be waited for."""

from __future__ import annotations

import os
import re
import secrets

_MACHINE = os.uname().nodename if hasattr(os, "uname") else ""
_PROCESS = re.compile(rf"process (\d+) on {re.escape(_MACHINE)} \(\w+\)")


def this_process() -> str:
    """A name for one holder in this process, unlike any other."""
    return f"process {os.getpid()} on {_MACHINE} ({secrets.token_hex(4)})"


def is_gone(holder: str) -> bool:
    """Whether this holder is a process of this machine that has ended."""
    named = _PROCESS.fullmatch(holder)
    if named is None or os.name != "posix":
        return False
    try:
        os.kill(int(named[1]), 0)
    except ProcessLookupError:
        return True
    except (PermissionError, OverflowError):
        pass
    return False
