"""Looking for damage among meanings and vectors; what does not hold is embedded anew.

A vector is right when its hash holds, its length fits its precision, and the signs kept for it are its own. A meaning
is right when it is its memory's: one each, on the same shelf, in the same state.
"""

from __future__ import annotations

from collections.abc import Callable

import apsw

from remanence.store.sql.vectors import EMBED, hash_of
from remanence.store.sqlite.vectors import parts_of

_PAGE = 5_000
_ADRIFT = (
    "SELECT count(*) FROM lives l LEFT JOIN meanings e ON e.space = l.space AND e.no = l.no "
    "WHERE e.no IS NULL OR e.shelf <> l.shelf OR e.state <> l.state OR (e.model IS NULL AND e.waits = 0)"
)
_UNKNOWN = (
    "SELECT (SELECT count(*) FROM recalled WHERE recall NOT IN (SELECT no FROM recalls) "
    "OR memory NOT IN (SELECT no FROM memories)) "
    "+ (SELECT count(*) FROM regrets WHERE no NOT IN (SELECT no FROM memories))"
)
_WITHOUT_MEMORY = (
    "SELECT count(*) FROM meanings e LEFT JOIN lives l ON l.no = e.no AND l.space = e.space WHERE l.no IS NULL"
)
_STRAY = "SELECT count(*) FROM (SELECT no FROM vectors EXCEPT SELECT no FROM meanings WHERE model IS NOT NULL)"
_KEPT = (
    "SELECT e.space, e.no, e.model, e.bits, e.signs, e.hash, o.dimension FROM meanings e "
    "LEFT JOIN models o ON o.no = e.model WHERE e.model IS NOT NULL AND e.no > ? ORDER BY e.no LIMIT ?"
)
Found = Callable[[str, str, int], None]


def look(connection: apsw.Connection, found: Found) -> None:
    """Tell what is wrong: a kind of damage, an example, and how often."""
    asked = (("meanings", _ADRIFT), ("meanings", _WITHOUT_MEMORY), ("vectors", _STRAY), ("recall log", _UNKNOWN))
    for kind, sql in asked:
        found(kind, "rows that do not fit", connection.execute(sql).get)
    broken = _broken(connection)
    found("vectors", f"row {broken[0][1]}" if broken else "", len(broken))


def mend(connection: apsw.Connection) -> None:
    """Make meanings what their memories say; vectors that do not hold are dropped, and their memories wait."""
    for space, no in _broken(connection):
        connection.execute("DELETE FROM vectors WHERE at BETWEEN ? AND ?", parts_of(no))
        connection.execute(
            "UPDATE meanings SET waits=?, model=NULL, bits=NULL, signs=NULL, hash=NULL, fades_at=NULL "
            "WHERE space=? AND no=?",
            (EMBED, space, no),
        )
    connection.execute("DELETE FROM meanings WHERE (space, no) NOT IN (SELECT space, no FROM lives)")
    connection.execute("DELETE FROM vectors WHERE no NOT IN (SELECT no FROM meanings WHERE model IS NOT NULL)")
    connection.execute(
        "INSERT INTO meanings(space, no, shelf, state, waits) SELECT space, no, shelf, state, ? FROM lives "
        "WHERE (space, no) NOT IN (SELECT space, no FROM meanings)",
        (EMBED,),
    )
    connection.execute(
        "UPDATE meanings SET shelf = l.shelf, state = l.state FROM lives l WHERE l.no = meanings.no "
        "AND l.space = meanings.space AND (l.shelf <> meanings.shelf OR l.state <> meanings.state)"
    )
    connection.execute("UPDATE meanings SET waits=? WHERE model IS NULL AND waits = 0", (EMBED,))
    connection.execute(
        "DELETE FROM recalled WHERE recall NOT IN (SELECT no FROM recalls) OR memory NOT IN (SELECT no FROM memories)"
    )
    connection.execute("DELETE FROM regrets WHERE no NOT IN (SELECT no FROM memories)")
    # Who holds meanings in memory reads them all again when news were dropped that it had not seen.
    connection.execute("INSERT INTO meaning_news(space, no) VALUES(-1, -1)")
    connection.execute("UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'meaning_news'")
    connection.execute("INSERT INTO meaning_news(space, no) VALUES(-1, -1)")
    connection.execute("DELETE FROM meaning_news WHERE seq < (SELECT max(seq) FROM meaning_news)")


def _broken(connection: apsw.Connection) -> list[tuple[int, int]]:
    """(namespace, number) of the vectors that do not hold."""
    broken: list[tuple[int, int]] = []
    last = -1
    while page := connection.execute(_KEPT, (last, _PAGE)).fetchall():
        last = page[-1][1]
        codes: dict[int, bytes] = {}
        for no, code in connection.execute(
            "SELECT no, code FROM vectors WHERE at BETWEEN ? AND ? ORDER BY at",
            (parts_of(page[0][1])[0], parts_of(last)[1]),
        ):
            codes[no] = codes.get(no, b"") + (code if isinstance(code, bytes) else b"")
        broken += [(row[0], row[1]) for row in page if not _holds(row, codes.get(row[1], b""))]
    return broken


def _holds(row: tuple[int, int, int, int, bytes, bytes, int | None], code: bytes) -> bool:
    from remanence.index import codecs

    _, no, model, bits, signs, kept, dimension = row
    if dimension is None or bits not in codecs.BITS or len(code) != codecs.code_bytes(bits, dimension):
        return False
    if hash_of(no, model, bits, code) != kept:
        return False
    return codecs.signs_bytes(codecs.signs(codecs.decode([code], bits, dimension))) == [signs]
