"""Files that cannot be written, in our own words."""

from __future__ import annotations

import errno
from pathlib import Path

from remanence import errors


def unwritable(path: Path, reason: OSError) -> errors.StoreError:
    """Why a file cannot be written, and what to do about it."""
    if reason.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return errors.StoreReadOnly(
            f"{path} cannot be written: {reason.strerror}. Give it, its .lock and its folder write rights"
        )
    if reason.errno in (errno.ENOSPC, errno.EDQUOT):
        return errors.StoreFull(f"No room left for {path}; what was acknowledged is kept. Free some space")
    return errors.StoreUnavailable(f"{path} cannot be opened: {reason.strerror}")
