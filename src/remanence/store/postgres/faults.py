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
_GONE = (psycopg.OperationalError, psycopg.InterfaceError)


def is_gone(error: BaseException) -> bool:
    """Whether the connection, and not the statement, is at fault."""
    return isinstance(error, _GONE) and not isinstance(error, (pg.QueryCanceled, pg.LockNotAvailable))


def in_our_words(error: BaseException, where: str) -> errors.RemanenceError | None:
    """The error to raise in the place of psycopg's; None for one that is our own fault."""
    said = _first_line(error)
    match error:
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
        case pg.TooManyConnections() | pg.CannotConnectNow() | pg.AdminShutdown() | pg.CrashShutdown():
            return errors.StoreUnavailable(f"{where} takes nobody just now ({said}). Try again")
        case _ if is_gone(error):
            return errors.StoreUnavailable(
                f"The connection to {where} was lost ({said}); what was acknowledged is kept, and what was not is not "
                "half-written. Try again"
            )
        case PoolClosed():
            return errors.StoreUnavailable("This store is closed; open a new Mind")
    return None


def at_the_door(error: BaseException, where: str) -> errors.RemanenceError:
    """Why a store could not be opened at all."""
    said = _first_line(error)
    if "database" in said and "does not exist" in said:
        return errors.StoreUnavailable(f"{where} cannot be opened: {said}. Make the database with: createdb NAME")
    if "password" in said or "authentication" in said or "role" in said or "pg_hba" in said:
        return errors.StoreUnavailable(f"{where} refuses this user or password ({said}). Check both in the address")
    if is_gone(error):
        return errors.StoreUnavailable(
            f"{where} cannot be reached: {said}. Check the address, and that the server runs"
        )
    return in_our_words(error, where) or errors.StoreUnavailable(f"{where} cannot be opened: {said}")


def _first_line(error: BaseException) -> str:
    said = getattr(getattr(error, "diag", None), "message_primary", None) or str(error)
    line = next((line.strip() for line in said.splitlines() if line.strip()), type(error).__name__)
    return _PREAMBLE.sub("", line)[:300]
