"""Looking for damage among captured sessions: rows that belong to none, and what a session says of its observations.

A session's row holds at least the places its observations have, was read no further than that, has something left to
read where it says so, and knows the moment of the oldest of them. What belongs to no session is deleted; places that a
session does not know of count as its own. Of what has no known role, nobody is said to have spoken.
"""

from __future__ import annotations

from collections.abc import Callable

import apsw

from remanence.model.session import ROLES, SYSTEM
from remanence.store.sql.observations import SEQ_BITS

_SEQ = f"(place & ((1 << {SEQ_BITS}) - 1))"
_SESSION = f"(place >> {SEQ_BITS})"
_NO_SESSION = f"{_SEQ} = 0 OR {_SESSION} NOT IN (SELECT no FROM sessions)"
_NO_ROW = "session NOT IN (SELECT no FROM sessions)"
_BEYOND = "seq < 1 OR seq > (SELECT observations FROM sessions WHERE no = session)"
_NOT_OBSERVED = f"(session << {SEQ_BITS}) + seq NOT IN (SELECT place FROM observations)"
_ITS_OWN = f"FROM observations WHERE place > sessions.no << {SEQ_BITS} AND place < (sessions.no + 1) << {SEQ_BITS}"
_LAST = f"coalesce((SELECT max(place) {_ITS_OWN}) - (sessions.no << {SEQ_BITS}), 0)"
_OLDEST = f"(SELECT min(at) {_ITS_OWN})"
_MISFITS = (
    f"SELECT count(*) FROM (SELECT *, {_LAST} AS last, {_OLDEST} AS oldest FROM sessions) "
    "WHERE last > observations OR processed_to > observations OR processed_to < 0 "
    "OR (processed_to < observations AND last <= processed_to) OR oldest_at IS NOT oldest"
)
_NO_ROLE = f"role NOT IN ({', '.join(str(number) for number in range(len(ROLES)))})"
_LOST = (
    ("observations", _NO_SESSION),
    ("observation_keys", f"{_NO_ROW} OR {_BEYOND}"),
    ("tellings", f"{_NO_ROW} OR {_NOT_OBSERVED}"),
)


def look(connection: apsw.Connection, found: Callable[[str, str, int], None]) -> None:
    """Tell what is wrong: a kind of damage, an example, and how often."""
    found("sessions", "rows that do not fit", connection.execute(_MISFITS).get)
    found(
        "observations", "rows of no role", connection.execute(f"SELECT count(*) FROM observations WHERE {_NO_ROLE}").get
    )
    for table, condition in _LOST:
        lost = connection.execute(f"SELECT count(*) FROM {table} WHERE {condition}").get
        found("observations", f"{table} that belong to nothing", lost)


def mend(connection: apsw.Connection) -> None:
    """Make sessions fit what was observed in them; what belongs to nothing goes."""
    connection.execute(f"DELETE FROM observations WHERE {_NO_SESSION}")
    connection.execute(f"UPDATE observations SET role = ? WHERE {_NO_ROLE}", (ROLES.index(SYSTEM),))
    connection.execute(f"UPDATE sessions SET observations = max(observations, {_LAST}), oldest_at = {_OLDEST}")
    connection.execute(
        "UPDATE sessions SET processed_to = "
        f"iif({_LAST} <= processed_to, observations, max(0, min(processed_to, observations)))"
    )
    for table, condition in _LOST[1:]:
        connection.execute(f"DELETE FROM {table} WHERE {condition}")
