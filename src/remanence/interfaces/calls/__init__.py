"""The table of calls: all that a served mind can do. Doors and clients read it."""

from __future__ import annotations

from remanence.interfaces.calls import facets, memories
from remanence.interfaces.calls.call import DESTROY, READ, WRITE, Argument, Call

__all__ = ["CALLS", "DESTROY", "FACETS", "LOCAL", "READ", "WRITE", "Argument", "Call"]

CALLS: dict[str, Call] = {call.name: call for call in (*memories.CALLS, *facets.CALLS)}
FACETS = frozenset(name.split(".")[0] for name in CALLS if "." in name)
LOCAL: dict[str, str] = {
    "ingest": "rem ingest",
    "backup": "rem backup",
    "sessions.look": "rem import --from",
    "sessions.import_": "rem import --from",
}
"""What reads or writes files of the machine the store is on, and the command that does it there."""
