"""Names in memories, as an index: derived rows, made when they are asked for and not when memories are written.

`naming` says up to which memory names were taken; numbers of memories only go up, so a memory costs nothing until then.
What changes below that mark, or leaves quarantine, is put into `unnamed`. A page of memories is read, looked at without
a lock, and written in a short transaction that leaves out what changed, went or was quarantined meanwhile; two
processes that do the same page write the same rows. Only live memories are counted.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from remanence.model.entity import KINDS, key_of
from remanence.model.memory import State
from remanence.model.selection import Selection
from remanence.store.protocol import Mentions, Naming, Unnamed, UnnamedPage
from remanence.store.sql import rows, selecting
from remanence.store.sql.connection import Connection, Engine, Transaction
from remanence.store.sql.shelves import Shelves

TABLES = ("entities", "mentions", "definitions", "naming", "unnamed")
NAMED = tuple(rows.STATE_NUMBER[state] for state in (State.LIVE, State.SUPERSEDED, State.ARCHIVED))
"""The states in which a memory's names are taken; only a live one's are counted."""
_QUARANTINED = rows.STATE_NUMBER[State.QUARANTINED]
_AT_ONCE = 500
_READ = 20_000
_MARK = "SELECT named_to FROM naming WHERE space=?"
# `meanings` has a row for each memory, by namespace: other namespaces of the file are not passed over.
_NEW = f"SELECT no FROM meanings WHERE space=? AND no > ? AND state IN {NAMED} ORDER BY no LIMIT ?"
_CHANGED = "SELECT no FROM unnamed WHERE space=? ORDER BY no LIMIT ?"
_SAID = (
    f"SELECT m.no, l.revision, s.kind, substr(m.text, 1, {_READ}), m.concepts, m.files FROM memories m "
    "JOIN lives l ON /*l.here*/ l.no = m.no JOIN shelves s ON /*s.here*/ s.no = m.shelf WHERE /*m.here*/ m.no IN ({})"
)
_STANDS = f"SELECT revision FROM lives WHERE no=? AND space=? AND state IN {NAMED}"
_FIND = "SELECT no FROM entities WHERE space=? AND key=? AND name=? AND kind=?"
_ADD = "INSERT INTO entities(space, key, name, kind) VALUES(?,?,?,?) RETURNING no"
_MENTION = "INSERT INTO mentions VALUES(/*?,*/ ?,?) ON CONFLICT DO NOTHING"
_DEFINE = "INSERT INTO definitions VALUES(/*?,*/ ?,?,?) ON CONFLICT DO NOTHING"
_AGAIN = "INSERT INTO unnamed VALUES(?,?) ON CONFLICT DO NOTHING"
_BEGIN = "INSERT INTO naming VALUES(?,?,0) ON CONFLICT(space) DO UPDATE SET rules = excluded.rules, named_to = 0"
_NAMES = "SELECT no, key, name, kind FROM entities WHERE space=?"
_KEYED = "SELECT no FROM entities WHERE space=? AND key=?"
_WHERE = "FROM mentions x CROSS JOIN lives l ON /*l.here*/ l.no = x.no WHERE /*x.here*/ x.entity = ?"
_UNUSED = (
    "DELETE FROM entities WHERE /*here*/ no=? "
    "AND NOT EXISTS (SELECT 1 FROM mentions x WHERE /*x.here*/ x.entity = entities.no) RETURNING 1"
)
_DEFINED = (
    "SELECT s.key, g.key, count(*) FROM definitions d CROSS JOIN lives l ON l.no = d.no "
    "CROSS JOIN entities s ON /*s.here*/ s.no = d.short CROSS JOIN entities g ON /*g.here*/ g.no = d.long "
    f"WHERE /*d.here*/ l.space=? AND l.state={rows.LIVE} {{}}GROUP BY s.key, g.key ORDER BY 1, 2"
)

_MENTIONED = "EXISTS (SELECT 1 FROM mentions x WHERE /*x.here*/ x.entity = {} AND x.no = d.no)"
_MISFITS = (
    "SELECT count(*) FROM mentions x LEFT JOIN entities e ON /*e.here*/ e.no = x.entity "
    "LEFT JOIN lives l ON /*l.here*/ l.no = x.no "
    f"WHERE /*x.here*/ (e.no IS NULL OR l.no IS NULL OR l.space <> e.space OR l.state = {_QUARANTINED})",
    f"SELECT count(*) FROM definitions d WHERE /*d.here*/ NOT ({_MENTIONED.format('d.short')} "
    f"AND {_MENTIONED.format('d.long')})",
    "SELECT count(*) FROM entities e WHERE /*e.here*/ "
    "(NOT EXISTS (SELECT 1 FROM mentions x WHERE /*x.here*/ x.entity = e.no) "
    f"OR typeof(kind) <> 'integer' OR kind NOT BETWEEN 0 AND {len(KINDS) - 1})",
    "SELECT count(*) FROM unnamed u WHERE /*u.here*/ "
    "NOT EXISTS (SELECT 1 FROM lives l WHERE l.space = u.space AND l.no = u.no)",
    "SELECT count(*) FROM naming WHERE /*here*/ (typeof(named_to) <> 'integer' OR named_to > "
    "max(coalesce((SELECT max(no) FROM lives WHERE /*here*/ no > 0), 0), "
    "coalesce((SELECT max(no) FROM tombstones WHERE /*here*/ no > 0), 0)))",
)


class SqlEntities:
    """The names of one namespace."""

    def __init__(self, engine: Engine, shelves: Shelves, transaction: Transaction) -> None:
        self._engine = engine
        self._shelves = shelves
        self._transaction = transaction

    # -- taking names

    def renew(self, rules: int) -> None:
        """Drop names that other rules took; they are taken anew."""
        with self._engine.read() as connection:
            found = connection.execute("SELECT rules FROM naming WHERE space=?", (self._shelves.space,)).get
        if found == rules or self._shelves.space < 0:
            return
        with self._transaction() as connection:
            space = self._shelves.space
            if connection.execute("SELECT rules FROM naming WHERE space=?", (space,)).get == rules:
                return
            for table, column in (("mentions", "entity"), ("definitions", "short")):
                connection.execute(
                    f"DELETE FROM {table} WHERE /*here*/ {column} IN (SELECT no FROM entities WHERE space=?)", (space,)
                )
            for table in ("entities", "unnamed"):
                connection.execute(f"DELETE FROM {table} WHERE space=?", (space,))
            connection.execute(_BEGIN, (space, rules))

    def unnamed(self, size: int) -> UnnamedPage:
        """The next memories whose names are to be taken."""
        space = self._shelves.space
        with self._engine.read() as connection:
            after = connection.execute(_MARK, (space,)).get or 0
            numbers = [no for (no,) in connection.execute(_CHANGED, (space, size))]
            new = [no for (no,) in connection.execute(_NEW, (space, after, size - len(numbers)))]
            numbers = list(dict.fromkeys(numbers + new))
            found = []
            for start in range(0, len(numbers), _AT_ONCE):
                part = numbers[start : start + _AT_ONCE]
                found += [
                    Unnamed(no, revision, kind, text, rows.listed(concepts), rows.listed(files))
                    for no, revision, kind, text, concepts, files in connection.execute(
                        _SAID.format(",".join("?" * len(part))), part
                    )
                ]
        return UnnamedPage(after, new[-1] if new else after, found)

    def unnamed_count(self) -> int:
        """How many memories wait for their names to be taken."""
        space = self._shelves.space
        with self._engine.read() as connection:
            after = connection.execute(_MARK, (space,)).get or 0
            new = connection.execute(f"SELECT count(*) FROM ({_NEW}) new", (space, after, -1)).get
            return int(new + connection.execute("SELECT count(*) FROM unnamed WHERE space=?", (space,)).get)

    def name(self, page: UnnamedPage, found: Sequence[Naming]) -> int | None:
        """Write the names of a page; how many memories were named. None, and nothing is written, before `renew`."""
        named = 0
        with self._transaction() as connection:
            space = self._shelves.space
            numbers: dict[tuple[str, str], int] = {}
            mark = connection.execute(_MARK, (space,)).get
            if mark is None:
                return None
            for one in found:
                revision = connection.execute(_STANDS, (one.row, space)).get
                if revision is None:  # purged or quarantined since
                    connection.execute("DELETE FROM unnamed WHERE space=? AND no=?", (space, one.row))
                elif revision != one.revision:
                    connection.execute(_AGAIN, (space, one.row))
                else:
                    self._write(connection, one, numbers)
                    named += 1
            # Who made rows anew meanwhile began from the beginning: then this page says nothing of what is before it.
            if page.after <= mark < page.upto:
                connection.execute("UPDATE naming SET named_to=? WHERE space=?", (page.upto, space))
        return named

    def _write(self, connection: Connection, one: Naming, numbers: dict[tuple[str, str], int]) -> None:
        space = self._shelves.space
        if connection.execute("DELETE FROM unnamed WHERE space=? AND no=? RETURNING 1", (space, one.row)).get:
            # The same names come back at once: those that nobody writes any more are dropped after them.
            before = struck(connection, one.row)
        else:
            before = frozenset()
        by_name: dict[str, int] = {}
        for name, kind in one.names:
            number = numbers.get((name, kind))
            if number is None:
                row = (space, key_of(name), name, KINDS.index(kind))
                number = connection.execute(_FIND, row).get
                if number is None:
                    number = connection.execute(_ADD, row).get
                numbers[name, kind] = number
            by_name[name] = number
            connection.execute(_MENTION, (number, one.row))
        for short, long in one.definitions:
            if short in by_name and long in by_name:
                connection.execute(_DEFINE, (by_name[short], by_name[long], one.row))
        if dropped := unused(connection, before):
            for known in [known for known, number in numbers.items() if number in dropped]:
                del numbers[known]

    # -- asking

    def mentions(self, scopes: Sequence[str] | None = None, keys: Iterable[str] | None = None) -> list[Mentions]:
        """Every name, or those of these keys, that a live memory of these scopes holds."""
        space = self._shelves.space
        counts: defaultdict[int, dict[str, int]] = defaultdict(dict)
        with self._engine.read() as connection:
            within, values = self._within(connection, scopes)
            if keys is None:
                names = {no: rest for no, *rest in connection.execute(_NAMES, (space,))}
                sql = "FROM mentions x CROSS JOIN lives l ON l.no = x.no WHERE /*x.here*/ l.space = ?"
                asked = [(space, *values)]
            else:
                names = {
                    no: rest
                    for key in dict.fromkeys(keys)
                    for no, *rest in connection.execute(f"{_NAMES} AND key=?", (space, key))
                }
                sql = _WHERE
                asked = [(no, *values) for no in names]
            places = dict(connection.execute("SELECT no, scope FROM shelves WHERE space=?", (space,)))
            for one in asked:
                for entity, shelf, number in connection.execute(
                    f"SELECT x.entity, l.shelf, count(*) {sql} AND l.state = {rows.LIVE}{within} GROUP BY 1, 2", one
                ):
                    scope = places[shelf]
                    counts[entity][scope] = counts[entity].get(scope, 0) + number
        return [Mentions(key, name, KINDS[kind], counts[no]) for no, (key, name, kind) in names.items() if no in counts]

    def definitions(self, keys: Iterable[str] | None = None) -> list[tuple[str, str, int]]:
        """Which short key stands for which long one, as so many live memories say: all, or those of these keys."""
        space = self._shelves.space
        with self._engine.read(snapshot=False) as connection:
            if connection.execute("SELECT 1 FROM definitions d WHERE /*d.here*/ d.no > 0 LIMIT 1").get is None:
                return []
        with self._engine.read() as connection:
            if keys is None:
                return connection.execute(_DEFINED.format(""), (space,)).fetchall()
            found: dict[tuple[str, str], int] = {}
            for key in dict.fromkeys(keys):
                for (no,) in connection.execute(_KEYED, (space, key)).fetchall():
                    for side in ("short", "long"):
                        for short, long, number in connection.execute(
                            _DEFINED.format(f"AND d.{side} = ? "), (space, no)
                        ):
                            found[short, long] = max(number, found.get((short, long), 0))
        return [(short, long, number) for (short, long), number in sorted(found.items())]

    def counts(self, groups: Sequence[Sequence[str]], scopes: Sequence[str] | None) -> list[dict[str, int]]:
        """How many live memories of each scope hold one of the names of each group."""
        space = self._shelves.space
        counted = []
        with self._engine.read() as connection:
            within, values = self._within(connection, scopes)
            places = dict(connection.execute("SELECT no, scope FROM shelves WHERE space=?", (space,)))
            for keys in groups:
                held: dict[int, str] = {}
                for no in self._numbers(connection, keys):
                    sql = f"SELECT l.no, l.shelf {_WHERE} AND l.state = {rows.LIVE}{within}"
                    held |= {row: places[shelf] for row, shelf in connection.execute(sql, (no, *values))}
                counted.append(dict(Counter(held.values())))
        return counted

    def of(self, ids: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """The keys of the names each of these memories holds."""
        sql = (
            "SELECT DISTINCT e.key FROM memories m JOIN mentions x ON /*x.here*/ x.no = m.no "
            "JOIN entities e ON /*e.here*/ e.no = x.entity "
            "WHERE m.space=? AND m.id=? ORDER BY e.key"
        )
        space = self._shelves.space
        with self._engine.read() as connection:
            return {
                id: tuple(key for (key,) in connection.execute(sql, (space, rows.id_bytes_or_none(id))))
                for id in dict.fromkeys(ids)
            }

    def memories(self, keys: Iterable[str], scopes: Sequence[str] | None = None, limit: int | None = None) -> list[str]:
        """The live memories that hold one of these names, newest first."""
        with self._engine.read() as connection:
            within, values = self._within(connection, scopes)
            numbers = json.dumps(self._numbers(connection, keys))
            sql = (
                "SELECT m.id FROM (SELECT DISTINCT no FROM mentions WHERE /*here*/ entity IN "
                "(SELECT value FROM json_each(?))) x CROSS JOIN lives l ON /*l.here*/ l.no = x.no "
                f"CROSS JOIN memories m ON /*m.here*/ m.no = x.no WHERE l.state = {rows.LIVE}{within} "
                "ORDER BY l.created_at DESC, l.no DESC LIMIT ?"
            )
            asked = (numbers, *values, -1 if limit is None else limit)
            return [rows.id_text(raw) for (raw,) in connection.execute(sql, asked)]

    def together(
        self, keys: Iterable[str], scopes: Sequence[str] | None = None, limit: int | None = None
    ) -> list[tuple[str, int]]:
        """The keys of names that live memories hold together with one of these, most often first."""
        with self._engine.read() as connection:
            within, values = self._within(connection, scopes)
            numbers = json.dumps(self._numbers(connection, keys))
            sql = (
                "SELECT e.key, count(DISTINCT y.no) FROM (SELECT DISTINCT x.no FROM mentions x "
                "CROSS JOIN lives l ON /*l.here*/ l.no = x.no "
                "WHERE /*x.here*/ x.entity IN (SELECT value FROM json_each(?1)) "
                f"AND l.state = {rows.LIVE}{within}) t CROSS JOIN mentions y ON /*y.here*/ y.no = t.no "
                "CROSS JOIN entities e ON /*e.here*/ e.no = y.entity "
                "WHERE y.entity NOT IN (SELECT value FROM json_each(?1)) GROUP BY e.key ORDER BY 2 DESC, 1 LIMIT ?"
            )
            asked = (numbers, *values, -1 if limit is None else limit)
            return connection.execute(sql, asked).fetchall()

    # -- inner

    def _numbers(self, connection: Connection, keys: Iterable[str]) -> list[int]:
        space = self._shelves.space
        return [no for key in dict.fromkeys(keys) for (no,) in connection.execute(_KEYED, (space, key))]

    def _within(self, connection: Connection, scopes: Sequence[str] | None) -> tuple[str, list[str]]:
        """A condition on `lives l` for these scopes, and its values."""
        if scopes is None:
            return "", []
        found = selecting.shelves_of(connection, Selection(scopes=tuple(scopes)), self._shelves.space)
        if found is None:
            return "", []
        return " AND l.shelf IN (SELECT value FROM json_each(?))", [json.dumps(found)]


def struck(connection: Connection, no: int) -> frozenset[int]:
    """Take every name off a memory; the names it had, which nobody else may have."""
    held = frozenset(
        entity for (entity,) in connection.execute("SELECT entity FROM mentions WHERE /*here*/ no=?", (no,))
    )
    connection.execute("DELETE FROM mentions WHERE /*here*/ no=?", (no,))
    connection.execute("DELETE FROM definitions WHERE /*here*/ no=?", (no,))
    return held


def unused(connection: Connection, entities: Iterable[int]) -> frozenset[int]:
    """Drop those of these names that no memory holds; which they were."""
    return frozenset(no for no in entities if connection.execute(_UNUSED, (no,)).get)


def strike(connection: Connection, space: int, no: int) -> None:
    """A memory is purged or quarantined: its names go, where nobody else has them also themselves."""
    connection.execute("DELETE FROM unnamed WHERE space=? AND no=?", (space, no))
    unused(connection, struck(connection, no))


def wait(connection: Connection, space: int, no: int) -> None:
    """A memory's tags changed: its names are to be taken again."""
    connection.execute(_AGAIN, (space, no))


def move(connection: Connection, space: int, no: int, before: int, after: int) -> None:
    """A memory's state changed: what is quarantined has no names, and what comes back is looked at again."""
    if after == _QUARANTINED:
        strike(connection, space, no)
    elif after in NAMED and before not in NAMED:
        wait(connection, space, no)


def look(connection: Connection) -> tuple[int, str]:
    """How many rows do not fit what they are derived from, and an example."""
    found, example = 0, ""
    for sql in _MISFITS:
        found += connection.execute(sql).get
    example = "rows that do not fit" if found else ""
    for no, key, name in connection.execute(
        "SELECT no, CAST(key AS BLOB), CAST(name AS BLOB) FROM entities WHERE /*here*/ true"
    ):
        try:
            fits = key_of(bytes(name).decode()).encode() == bytes(key)
        except (UnicodeDecodeError, TypeError):
            fits = False
        if not fits:
            found, example = found + 1, example or f"row {no}"
    return found, example


def mend(connection: Connection) -> None:
    """Drop every name: they are taken anew when they are next asked for."""
    for table in TABLES:
        connection.execute(f"DELETE FROM {table}")
