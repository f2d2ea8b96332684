"""From an empty file, or any earlier schema, to the current one.

Each numbered SQL file under `schema/` is one step, applied in one transaction together with its number, so a killed
migration starts again where it stopped. Before the first step on a file that holds something, a whole copy is put
beside it. Processes that open the file at once stand in the writers' queue: one migrates, the others find it done.
"""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING

import apsw

from remanence import errors
from remanence.store.sql.steps import steps_of

if TYPE_CHECKING:
    from remanence.store.sqlite.engine import Engine

APPLICATION_ID = 0x726D6E63  # "rmnc"
_FIRST_WITH_SESSIONS = 6


def steps() -> tuple[str, ...]:
    """The SQL of each step, in order; step 1 makes schema 1."""
    return steps_of(__package__)


def current_schema() -> int:
    return len(steps())


def bring_up_to_date(engine: Engine) -> None:
    """Create or migrate the file; refuse what is newer, or not ours."""
    if _schema(engine.writer, engine.path) == current_schema():
        return
    with engine.alone() as connection:
        found = _schema(connection, engine.path)
        if found == current_schema():
            return
        if found and engine.path is not None:
            _copy_first(connection, engine.path, found)
        for number in range(found + 1, current_schema() + 1):
            _take_step(connection, number)
        engine.mark_made()


def refuse_what_is_not_ours(path: Path) -> None:
    """Raise for a file that is no store, having only read it."""
    with path.open("rb") as file:
        start = file.read(100)
    if not start:
        return
    if len(start) < 100 or not start.startswith(b"SQLite format 3\0"):
        raise errors.StoreDamaged(
            f"{path} is damaged or not a store (file is not a database). It was left as it is: "
            f"run 'rem --db {path} check --salvage FILE' to save what can be read, or restore a backup"
        )
    version, application = int.from_bytes(start[60:64], "big"), int.from_bytes(start[68:72], "big")
    if application == APPLICATION_ID:
        return
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    connection = apsw.Connection(f"{path.absolute().as_uri()}?immutable=1", flags=flags)
    try:
        if application or version or connection.execute("SELECT count(*) FROM sqlite_schema").get:
            raise _another_programs(path)
    except (apsw.CorruptError, apsw.NotADBError):
        pass  # without its log a file may make no sense: opening it in earnest will tell
    finally:
        connection.close()


def _another_programs(path: Path | None) -> errors.StoreUnavailable:
    return errors.StoreUnavailable(f"{path} is another program's SQLite file; it was left as it is. Give another path")


def _schema(connection: apsw.Connection, path: Path | None) -> int:
    application = connection.execute("PRAGMA application_id").get
    found = connection.execute("PRAGMA user_version").get
    if application != APPLICATION_ID:
        if application or found or connection.execute("SELECT count(*) FROM sqlite_schema").get:
            raise _another_programs(path)
        return 0
    if found > current_schema():
        raise errors.StoreTooNew(
            f"{path} has schema {found}; this remanence knows up to {current_schema()}. "
            "It was left as it is. Run: pip install --upgrade remanence"
        )
    return int(found)


def _take_step(connection: apsw.Connection, number: int) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        connection.execute(steps()[number - 1])
        if number == 1:
            connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
            connection.execute("INSERT INTO meta VALUES('purge_key', ?)", (secrets.token_bytes(32),))
        connection.execute(f"PRAGMA user_version={number}")
        connection.execute("COMMIT")
    except BaseException:
        with suppress(apsw.Error):
            connection.execute("ROLLBACK")
        raise


def backups_of(path: Path) -> list[Path]:
    """The copies earlier migrations left beside the file."""
    return sorted(path.parent.glob(f"{path.name}.before-schema-*"))


def _copy_first(connection: apsw.Connection, path: Path, found: int) -> None:
    """A whole copy of the file as it was, unless an earlier try left one; a copy of another time is left alone."""
    name = f"{path.name}.before-schema-{found + 1}"
    now = _traits(connection)
    for suffix in chain([""], (f"-{number}" for number in count(2))):
        target = path.with_name(name + suffix)
        if not target.exists():
            break
        if _traits_of(target) == now:
            return
    draft = target.with_name(target.name + ".part")
    draft.unlink(missing_ok=True)
    os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    connection.execute("VACUUM INTO ?", (str(draft),))
    draft.replace(target)


def _traits(connection: apsw.Connection) -> tuple[object, ...]:
    """What tells two copies of a store apart: its schema, its secret, how far its journal goes, what was captured."""
    questions = [
        "PRAGMA user_version",
        "SELECT value FROM meta WHERE name='purge_key'",
        "SELECT max(no) FROM receipts",
        "SELECT count(*) FROM memories",
    ]
    if connection.execute("PRAGMA user_version").get >= _FIRST_WITH_SESSIONS:
        questions.append("SELECT format('%d %d %d', count(*), sum(observations), sum(processed_to)) FROM sessions")
    return tuple(connection.execute(question).get for question in questions)


def _traits_of(path: Path) -> tuple[object, ...] | None:
    try:
        connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
        try:
            return _traits(connection)
        finally:
            connection.close()
    except apsw.Error:
        return None
