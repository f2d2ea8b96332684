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
    from remanence.interfaces.cli.app import run

    sys.exit(run(sys.argv[1:]))


def _hook(arguments: list[str]) -> NoReturn:
    try:
        from remanence.sessions.hook import main, watch

        watch()
        main(arguments)
    except BaseException:  # the door: nothing of ours may be an error of the host's
        pass
    finally:
        os._exit(0)
