"""Pruning: when memories were recalled long ago is let go; how often, and when last, stays.

What a rule reads of a memory changes by it, so the next sweep looks at it again.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

import apsw

from remanence.store.sqlite import rows

_PAGE = 20_000
_READ = "SELECT no, recent FROM lives WHERE space=? AND recent IS NOT NULL AND no > ? ORDER BY no LIMIT ?"
_CUT = f"UPDATE lives SET recent=?, due_at = CASE WHEN state IN {rows.DATED} THEN 0 END WHERE no=?"


def prune(transaction: Callable[[], AbstractContextManager[apsw.Connection]], space: int, before: int) -> int:
    """Let go of the accesses of a namespace before that moment; of how many memories. One transaction a page."""
    last = pruned = 0
    while True:
        with transaction() as connection:
            page = connection.execute(_READ, (space, last, _PAGE)).fetchall()
            cut = [
                (rows.recent_bytes([moment for moment in known if moment >= before]), no)
                for no, raw in page
                if (known := rows.recent_micros(raw))[0] < before
            ]
            connection.executemany(_CUT, cut)
        if not page:
            return pruned
        last = page[-1][0]
        pruned += len(cut)


def prunable(connection: apsw.Connection, space: int, before: int) -> int:
    """Of how many memories accesses would be let go."""
    found = connection.execute("SELECT recent FROM lives WHERE space=? AND recent IS NOT NULL", (space,))
    return sum(rows.recent_micros(raw)[0] < before for (raw,) in found)
