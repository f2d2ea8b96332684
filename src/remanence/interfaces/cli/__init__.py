"""The command line, `rem`."""

from __future__ import annotations

import os
import sys

PARENT = os.getppid()
"""Who started this process, read before anything else takes its time: `rem mcp` ends with it."""
TYPE_CHECKING = False  # as in typing, which takes longer to load than a hook may
if TYPE_CHECKING:
    from typing import NoReturn


def main() -> None:
    """Entry point of `rem`; a hook goes its own way, since loading all commands takes longer than it may."""
    if sys.argv[1:2] == ["hook"] and not {"--help", "-h"} & set(sys.argv):
        _hook(sys.argv[2:])
    try:
        from remanence.interfaces.cli.app import run

        code = run(sys.argv[1:])
    except KeyboardInterrupt:  # while the commands were loaded
        stopped = '{"error": "stopped", "message": "Stopped."}' if "--json" in sys.argv else "Error: Stopped."
        sys.stderr.write(f"{stopped}\n")
        code = 1
    sys.exit(code)


def _hook(arguments: list[str]) -> NoReturn:
    try:
        from remanence.sessions.hook import main, watch

        watch()
        main(arguments)
    except BaseException:  # the door: nothing of ours may be an error of the host's
        pass
    finally:
        os._exit(0)
