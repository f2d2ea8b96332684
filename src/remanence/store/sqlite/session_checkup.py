"""Looking for damage among captured sessions: rows that belong to none, and what a session says of its observations.

A session's row holds at least the places its observations have, was read no further than that, and knows the moment of
the oldest of them. What belongs to no session is deleted; places that a session does not know of count as its own.
"""

from __future__ import annotations

from collections.abc import Callable

import apsw

from remanence.store.sqlite.observations import SEQ_BITS

_SEQ = f"(place & ((1 << {SEQ_BITS}) - 1))"
_SESSION = f"(place >> {SEQ_BITS})"
_NO_SESSION = f"{_SESSION} NOT IN (SELECT no FROM sessions)"
_NO_ROW = "session NOT IN (SELECT no FROM sessions)"
_BEYOND = "seq < 1 OR seq > (SELECT observations FROM sessions WHERE no = session)"
_NOT_OBSERVED = f"(session << {SEQ_BITS}) + seq NOT IN (SELECT place FROM observations)"
_SEEN = f"SELECT {_SESSION} AS no, max({_SEQ}) AS last, min(at) AS oldest FROM observations GROUP BY 1"
_MISFITS = (
    f"SELECT count(*) FROM sessions s LEFT JOIN ({_SEEN}) o ON o.no = s.no "
    "WHERE coalesce(o.last, 0) > s.observations OR s.processed_to > s.observations OR s.processed_to < 0 "
    "OR s.oldest_at IS NOT o.oldest"
)
_LOST = (
    ("observations", _NO_SESSION),
    ("observation_keys", f"{_NO_ROW} OR {_BEYOND}"),
    ("tellings", f"{_NO_ROW} OR {_NOT_OBSERVED}"),
)


def look(connection: apsw.Connection, found: Callable[[str, str, int], None]) -> None:
    """Tell what is wrong: a kind of damage, an example, and how often."""
    found("sessions", "rows that do not fit", connection.execute(_MISFITS).get)
    for table, condition in _LOST:
        lost = connection.execute(f"SELECT count(*) FROM {table} WHERE {condition}").get
        found("observations", f"{table} that belong to nothing", lost)


def mend(connection: apsw.Connection) -> None:
    """Make sessions fit what was observed in them; what belongs to nothing goes."""
    connection.execute(f"DELETE FROM observations WHERE {_NO_SESSION}")
    connection.execute(
        f"UPDATE sessions SET observations = max(observations, o.last) FROM ({_SEEN}) o "
        "WHERE o.no = sessions.no AND o.last > observations"
    )
    connection.execute(
        "UPDATE sessions SET processed_to = max(0, min(processed_to, observations)), "
        f"oldest_at = (SELECT min(at) FROM observations WHERE place > sessions.no << {SEQ_BITS} "
        f"AND place < (sessions.no + 1) << {SEQ_BITS})"
    )
    for table, condition in _LOST[1:]:
        connection.execute(f"DELETE FROM {table} WHERE {condition}")
