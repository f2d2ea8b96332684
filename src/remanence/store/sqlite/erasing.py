"""What is let go of sessions: old observations, and what a purge erases.

Letting go deletes rows and moves the watermark over what nobody read; keys stay, so that what was let go does not come
again from the same source. Erasing by scope takes the sessions whole, with all that names them. Erasing by text takes
every observation that holds the beginning or the end of it, which is what the files are searched for afterwards; case
and white space do not count. A text of a few letters stands in everything, so it must be all that was said.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence

import apsw

from remanence.model.session import SESSION, STAGE_ONE, STAGE_TWO
from remanence.model.words import folded
from remanence.store.sqlite.observations import SEQ_BITS, first_place, last_place

WITHIN = (
    "EXISTS (SELECT 1 FROM json_each(?) a WHERE a.value = '/' OR project = a.value "
    "OR (project >= a.value || '/' AND project < a.value || '0'))"
)
_PIECE_BYTES = 48
_LEAST_BYTES = 8
_GRAM = 8
_FEW = 32
_PAGE = 1000
_OLD = "SELECT no FROM sessions WHERE space=? AND oldest_at < ? ORDER BY no LIMIT ?"
_PRUNABLE = (
    f"SELECT count(*) FROM sessions s JOIN observations o ON o.place > s.no << {SEQ_BITS} "
    f"AND o.place < (s.no + 1) << {SEQ_BITS} WHERE s.space=? AND s.oldest_at < ?2 AND o.at < ?2"
)
_UNTOLD = (
    "DELETE FROM tellings WHERE session=?1 AND NOT EXISTS "
    f"(SELECT 1 FROM observations WHERE place = (?1 << {SEQ_BITS}) + tellings.seq)"
)
# Up to the next observation that is there, or to the end, there is nothing more to read.
_SETTLE = (
    "UPDATE sessions SET "
    "processed_to = coalesce((SELECT min(place) - ?2 - 1 FROM observations "
    "WHERE place > ?2 + processed_to AND place <= ?3), observations), "
    "oldest_at = (SELECT min(at) FROM observations WHERE place > ?2 AND place <= ?3) WHERE no=?1"
)


def prunable(connection: apsw.Connection, space: int, before: int) -> int:
    """How many observations of before a moment there are."""
    return int(connection.execute(_PRUNABLE, (space, before)).get)


def prune(connection: apsw.Connection, space: int, before: int, most: int) -> tuple[int, int]:
    """Let go of what was observed before a moment, in so many sessions; how many sessions and observations it was."""
    old = [no for (no,) in connection.execute(_OLD, (space, before, most))]
    gone = 0
    for no in old:
        connection.execute(
            "DELETE FROM observations WHERE place > ? AND place <= ? AND at < ?",
            (first_place(no), last_place(no), before),
        )
        gone += connection.changes()
        settle(connection, no)
    return len(old), gone


def settle(connection: apsw.Connection, no: int) -> None:
    """Make a session's row fit the observations that are left of it."""
    connection.execute(_UNTOLD, (no,))
    connection.execute(_SETTLE, (no, first_place(no), last_place(no)))


def erase_sessions(connection: apsw.Connection, space: int, scopes: Sequence[str]) -> tuple[int, int]:
    """Erase the sessions of these scopes whole, with jobs and sources; how many they were, and their observations."""
    if not scopes:
        return 0, 0
    within = json.dumps(list(scopes))
    doomed = connection.execute(
        f"SELECT no, id, transcript FROM sessions WHERE space=? AND {WITHIN}", (space, within)
    ).fetchall()
    gone = 0
    for no, id, transcript in doomed:
        connection.execute("DELETE FROM observations WHERE place > ? AND place <= ?", (first_place(no), last_place(no)))
        gone += connection.changes()
        for table in ("tellings", "observation_keys"):
            connection.execute(f"DELETE FROM {table} WHERE session=?", (no,))
        connection.execute("DELETE FROM sessions WHERE no=?", (no,))
        for source in (SESSION + id, id, transcript):
            connection.execute("DELETE FROM intakes WHERE space=? AND source=?", (space, source))
        _drop_jobs(connection, space, "name = ?", STAGE_ONE + id)
    project = WITHIN.replace("project", f"substr(name, {len(STAGE_TWO) + 1})")
    _drop_jobs(connection, space, f"substr(name, 1, {len(STAGE_TWO)}) = '{STAGE_TWO}' AND {project}", within)
    return len(doomed), gone


def _drop_jobs(connection: apsw.Connection, space: int, condition: str, value: str) -> None:
    """Without its lease, who does the job right now can write no more."""
    for table in ("tasks", "leases"):
        connection.execute(f"DELETE FROM {table} WHERE space=? AND {condition}", (space, value))


def erase_read(connection: apsw.Connection, space: int, ids: Iterable[str]) -> int:
    """Erase what was read of these sessions; how many observations it was."""
    gone = 0
    for id in dict.fromkeys(ids):
        find = "SELECT no, processed_to FROM sessions WHERE space=? AND id=?"
        found = connection.execute(find, (space, id)).get
        if found is not None:
            no, upto = found
            connection.execute(
                "DELETE FROM observations WHERE place > ? AND place <= ?", (first_place(no), first_place(no) + upto)
            )
            gone += connection.changes()
            settle(connection, no)
    return gone


def erase_texts(connection: apsw.Connection, space: int, texts: Iterable[str]) -> int:
    """Erase every observation of the namespace that holds one of these texts; how many it was."""
    holds = _holder(texts)
    if holds is None:
        return 0
    gone = 0
    for (no,) in connection.execute("SELECT no FROM sessions WHERE space=?", (space,)).fetchall():
        doomed = [(place,) for place, call, text in _said(connection, no) if holds(folded(text)) or holds(folded(call))]
        if doomed:
            connection.executemany("DELETE FROM observations WHERE place=?", doomed)
            settle(connection, no)
            gone += len(doomed)
    return gone


def observed_elsewhere(connection: apsw.Connection, space: int, piece: bytes) -> bool:
    """Whether another namespace has observed these words."""
    sql = (
        f"SELECT 1 FROM sessions s JOIN observations o ON o.place > s.no << {SEQ_BITS} "
        f"AND o.place < (s.no + 1) << {SEQ_BITS} WHERE s.space <> ? "
        "AND (instr(CAST(o.text AS BLOB), ?2) OR instr(CAST(o.call AS BLOB), ?2)) LIMIT 1"
    )
    return connection.execute(sql, (space, piece)).get is not None


def _said(connection: apsw.Connection, no: int) -> Iterator[tuple[int, str, str]]:
    sql = "SELECT place, call, text FROM observations WHERE place > ? AND place <= ? ORDER BY place LIMIT ?"
    place = first_place(no)
    while page := connection.execute(sql, (place, last_place(no), _PAGE)).fetchall():
        yield from page
        place = page[-1][0]


def _holder(texts: Iterable[str]) -> Callable[[str], bool] | None:
    """Whether a folded text holds one of these; None where nothing can."""
    parts: set[str] = set()
    whole: set[str] = set()
    for text in texts:
        raw = text.encode()
        for piece in (raw[:_PIECE_BYTES], raw[-_PIECE_BYTES:]):
            said = folded(piece.decode(errors="ignore"))
            (parts if len(said.encode()) >= _LEAST_BYTES else whole).add(said)
    whole.discard("")
    if not parts and not whole:
        return None
    if len(parts) <= _FEW:
        return lambda said: said in whole or any(part in said for part in parts)
    # Of many, only those are looked for whose first characters stand there.
    begun: dict[str, list[str]] = {}
    for part in parts:
        begun.setdefault(part[:_GRAM], []).append(part)
    sizes = {len(gram) for gram in begun}

    def holds(said: str) -> bool:
        if said in whole:
            return True
        grams = {said[at : at + size] for size in sizes for at in range(len(said) - size + 1)}
        return any(part in said for gram in grams & begun.keys() for part in begun[gram])

    return holds
