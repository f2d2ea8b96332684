"""PostgreSQL's errors in our own words: what happened, that nothing acknowledged was lost, and what to do next."""

from __future__ import annotations

import re

import psycopg
from psycopg import errors as pg
from psycopg_pool import PoolClosed, PoolTimeout, TooManyRequests

from remanence import errors

EVERY = (psycopg.Error, PoolTimeout, PoolClosed, TooManyRequests)
# What libpq says first: which address it tried.
_PREAMBLE = re.compile(
    r"^(connection (failed|is bad): )?(connection to server at .*? failed: )?((FATAL|ERROR):\s+)?", re.DOTALL
)
_FULL_OR_BUSY = ("too many", "remaining connection slots", "starting up", "shutting down", "in recovery mode")
_OF_THE_POOL = (PoolTimeout, PoolClosed, TooManyRequests)
# What a server says when it ends a connection: class 08, shutdowns and crashes, and its timeouts for sessions.
_ENDED = re.compile(r"08...|57P..|25P0[34]")


def is_gone(error: BaseException) -> bool:
    """Whether the connection, and not the statement, is at fault."""
    if not isinstance(error, psycopg.Error) or isinstance(error, _OF_THE_POOL):
        return False
    if error.sqlstate is None:  # said by the client's side, not by the server
        return isinstance(error, (psycopg.OperationalError, psycopg.InterfaceError))
    return _ENDED.fullmatch(error.sqlstate) is not None


def in_our_words(error: BaseException, where: str) -> errors.RemanenceError | None:
    """The error to raise in the place of psycopg's; None for one that is our own fault."""
    said = _first_line(error)
    match error:
        case PoolClosed():
            return errors.StoreUnavailable("This store is closed; open a new Mind")
        case PoolTimeout() | TooManyRequests():
            return errors.StoreUnavailable(
                f"All connections of this process to {where} are in use ({said}). Try again, or allow it more: "
                "the setting postgres.connections"
            )
        case pg.DiskFull() | pg.OutOfMemory():
            return errors.StoreFull(f"{where} has no room left ({said}); what was acknowledged is kept")
        case pg.ReadOnlySqlTransaction():
            return errors.StoreReadOnly(
                f"{where} is a read-only replica, or set to read only. Give the address of the server that writes; "
                "a replica belongs into the setting postgres.replica"
            )
        case pg.InsufficientPrivilege():
            return errors.Forbidden(
                f"The role that opened {where} may not do this ({said}). Let the owner of the store run: "
                "rem db grant ROLE NAMESPACE"
            )
        case pg.QueryCanceled() | pg.LockNotAvailable():
            return errors.StoreUnavailable(
                f"{where} took longer than it may ({said}); nothing of this was written. Try again, or allow more: "
                "the setting postgres.statement_timeout_seconds"
            )
        case pg.UndefinedTable() | pg.UndefinedColumn():
            return errors.StoreDamaged(f"{where} is not a whole store ({said}). See: rem db check")
        case pg.DataCorrupted() | pg.IndexCorrupted():
            return errors.StoreDamaged(f"{where} is damaged ({said}). Restore a backup, or see: rem db check")
        case pg.TooManyConnections() | pg.CannotConnectNow():
            return errors.StoreUnavailable(f"{where} takes nobody just now ({said}). Try again")
        case pg.SerializationFailure() | pg.DeadlockDetected():
            return errors.StoreUnavailable(
                f"Others were in the way in {where} ({said}); nothing of this was written. Try again"
            )
        case _ if is_gone(error):
            return errors.StoreUnavailable(
                f"The connection to {where} was lost ({said}); what was acknowledged is kept, and what was not is not "
                "half-written. Try again"
            )
        case psycopg.OperationalError():
            return errors.StoreUnavailable(
                f"{where} could not do this ({said}); nothing of it was written. See the server's log"
            )
    return None


def at_the_door(error: BaseException, where: str) -> errors.RemanenceError:
    """Why a store could not be opened at all."""
    said = _first_line(error)
    if "database" in said and "does not exist" in said:
        return errors.StoreUnavailable(f"{where} cannot be opened: {said}. Make the database with: createdb NAME")
    if any(words in said for words in _FULL_OR_BUSY):
        return errors.StoreUnavailable(f"{where} takes nobody just now ({said}). Try again")
    if "password" in said or "authentication" in said or "role" in said or "pg_hba" in said:
        return errors.StoreUnavailable(f"{where} refuses this user or password ({said}). Check both in the address")
    if "permission denied" in said:
        return errors.Forbidden(
            f"{where} lets this user not in ({said}). Let an administrator run: GRANT CONNECT ON DATABASE NAME TO USER"
        )
    if is_gone(error):
        return errors.StoreUnavailable(
            f"{where} cannot be reached: {said}. Check the address, and that the server runs"
        )
    return in_our_words(error, where) or errors.StoreUnavailable(f"{where} cannot be opened: {said}")


def _first_line(error: BaseException) -> str:
    said = getattr(getattr(error, "diag", None), "message_primary", None) or str(error)
    line = next((line.strip() for line in said.splitlines() if line.strip()), type(error).__name__)
    return _PREAMBLE.sub("", line)[:300]
