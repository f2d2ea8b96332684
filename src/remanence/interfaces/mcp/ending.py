"""How `rem mcp` ends: who may end it, what is watched for that, and how long it may take.

This is loaded before anything else of the server, with the standard library alone, since a host may be gone before the
rest is loaded: until the server reads, a closed input that holds nothing to answer ends the process at once. Later the
reader sees the end of input, and this looks after the parent, whose death a pipe that another holds does not tell.
"""

from __future__ import annotations

import fcntl
import os
import select
import struct
import sys
import termios
import threading
import time
from collections.abc import Callable

END_SECONDS = 1.4
"""How long the end itself may take before the process is cut off."""
LOOK_SECONDS = 0.2


class Ending:
    """Begins once; from then on the process has END_SECONDS left."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._is_begun = False
        self.then: Callable[[], None] | None = None
        """What ends the server; None for as long as there is none."""

    def begin(self) -> None:
        with self._lock:
            if self._is_begun:
                return
            self._is_begun = True
        cut = threading.Timer(END_SECONDS, os._exit, (0,))
        cut.daemon = True
        cut.start()
        if self.then is None:  # nothing is open yet
            os._exit(0)
        self.then()


def claimed() -> tuple[int, int]:
    """Private descriptors of standard input and output; from now on whatever prints goes to standard error."""
    sys.stdout.flush()
    wire_in, wire_out = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return wire_in, wire_out


def watch(parent: int, wire_in: int, ending: Ending) -> None:
    """End when this process is given to another parent, or when input was closed before anything could read it."""

    def watching() -> None:
        while os.getppid() == parent and not (ending.then is None and is_hung_up(wire_in)):
            time.sleep(LOOK_SECONDS)
        ending.begin()

    threading.Thread(target=watching, name="parent", daemon=True).start()


def is_hung_up(descriptor: int) -> bool:
    """Whether the other side of a pipe or socket is closed, and has left nothing that wants an answer."""
    poll = select.poll()
    poll.register(descriptor, 0)  # a hang-up is told whether it is asked for or not
    if not any(event & select.POLLHUP for _, event in poll.poll(0)):
        return False
    try:
        (waiting,) = struct.unpack("i", fcntl.ioctl(descriptor, termios.FIONREAD, b"\0" * 4))
    except OSError:
        return False
    return bool(waiting == 0)
