"""What is at a location, before it is opened: opening would make a store, and a namespace, where there is none.

Two addresses may lead to one store, so stores are told apart by what they are: a file by its device and inode, a
database by its number and its server's, which its replicas share.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from remanence.errors import StoreUnavailable

if TYPE_CHECKING:
    from remanence.store.postgres.pool import Limits

_NAMES = "SELECT name FROM spaces ORDER BY no"


@dataclass(frozen=True, slots=True)
class Found:
    """Which store it is, and the namespaces that may be used of it, oldest first; None where there is no store."""

    identity: tuple[object, ...]
    namespaces: tuple[str, ...] | None


def look_at_file(path: Path) -> Found:
    """A file that is not there is known by its path."""
    try:
        there = path.resolve()
        if not there.is_file():
            return Found((str(there),), None)
        status = there.stat()
        return Found((status.st_dev, status.st_ino), _names_in(there))
    except OSError as reason:
        raise StoreUnavailable(f"{path} cannot be read: {reason.strerror}") from None


def _names_in(path: Path) -> tuple[str, ...] | None:
    import apsw

    from remanence.store.sqlite import faults, migrations

    migrations.refuse_what_is_not_ours(path)
    try:
        connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
        try:
            connection.set_busy_timeout(faults.BUSY_MILLISECONDS)
            if connection.execute("PRAGMA application_id").get != migrations.APPLICATION_ID:
                return None
            return tuple(name for (name,) in connection.execute(_NAMES))
        finally:
            connection.close()
    except apsw.Error as error:
        raise (faults.in_our_words(error, path) or error) from None


def look_at_database(url: str, limits: Limits) -> Found:
    """As the role that asks sees it."""
    from remanence.store.postgres import faults, migrations
    from remanence.store.postgres.pool import Address, join, leave, place_of

    pool = join(Address(url), limits)
    try:
        with pool.alone() as raw:
            which = (place_of(raw),)
            if not migrations.found_schema(raw, pool):
                return Found(which, None)
            return Found(which, tuple(name for (name,) in raw.execute(_NAMES)))
    except faults.EVERY as error:
        raise (faults.in_our_words(error, str(pool.address)) or error) from None
    finally:
        leave(pool)
