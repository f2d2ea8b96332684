"""The child processes of the crash tests: `workers.py JOB ARGUMENTS`, both in JSON.

A job says "held", "ready" or what it has done in JSON lines on its standard output, each after the call it speaks of
has returned, and waits for lines on its standard input where the test must decide when it goes on.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any


def tell(value: Any) -> None:
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


def wait() -> Any:
    return json.loads(sys.stdin.readline() or "null")


def hold_snapshot(path: str) -> None:
    """Read from one moment until told to stop."""
    import apsw

    connection = apsw.Connection(path)
    connection.execute("BEGIN")
    connection.execute("SELECT count(*) FROM memories").get
    tell("held")
    wait()
    connection.execute("COMMIT")
    connection.close()


def cut_off() -> None:
    """Run operations in forked processes that kill themselves at a statement; answer with how each ended."""
    from tests.crash.operations import Cut, run

    while (asked := wait()) is not None:
        name, folder, at = asked
        child = os.fork()
        if child == 0:
            run(name, Path(folder), Cut(at, kill=True))
            os._exit(0)
        _, status = os.waitpid(child, 0)
        tell(os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    globals()[sys.argv[1]](*json.loads(sys.argv[2]))
