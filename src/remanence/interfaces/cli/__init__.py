"""The command line, `rem`."""

from __future__ import annotations

import sys


def main() -> None:
    """Entry point of `rem`."""
    from remanence.interfaces.cli.app import run

    sys.exit(run(sys.argv[1:]))
