"""SQLite's errors in our own words: what happened, that nothing acknowledged was lost, and what to do next."""

from __future__ import annotations

from pathlib import Path

import apsw

from remanence import errors

BUSY_MILLISECONDS = 60_000


def in_our_words(error: BaseException, path: Path | None) -> errors.RemanenceError | None:
    """The error to raise in the place of SQLite's; None for one that is not the file's fault."""
    where = path or "the store in memory"
    match error:
        case apsw.FullError():
            return errors.StoreFull(f"No room left for {where}; what was acknowledged is kept. Free some space")
        case apsw.ReadOnlyError():
            return errors.StoreReadOnly(f"{where} is read-only. Give the file and its folder write rights")
        case (
            apsw.CorruptError()
            | apsw.NotADBError()
            | apsw.ConstraintError()
            | apsw.MismatchError()
            | UnicodeDecodeError()
        ):
            return errors.StoreDamaged(
                f"{where} is damaged or not a store ({error}). It was left as it is: "
                f"run 'rem --db {where} check --salvage FILE' to save what can be read, or restore a backup"
            )
        case apsw.BusyError():
            return errors.StoreUnavailable(
                f"{where} is held by another process for over {BUSY_MILLISECONDS // 1000} s. "
                "End that process, or try again later"
            )
        case apsw.CantOpenError() | apsw.PermissionsError() | apsw.AuthError():
            return errors.StoreUnavailable(f"{where} cannot be opened ({error}). Check the path and its rights")
        case apsw.IOError():
            return errors.StoreUnavailable(
                f"{where} could not be read or written ({error}); what was acknowledged is kept. Check the disk"
            )
    return None
