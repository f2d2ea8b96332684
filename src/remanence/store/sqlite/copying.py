"""A whole copy of the file, every acknowledged write in it, while others go on writing."""

from __future__ import annotations

import os
from pathlib import Path

from remanence.errors import InvalidInput
from remanence.store.sqlite.engine import Engine


def copy_whole(engine: Engine, path: Path) -> None:
    """Write one moment of the store to a new file: there in full, or not at all."""
    if path.exists():
        raise InvalidInput(f"{path} exists already; a backup never writes over a file")
    draft = path.with_name(path.name + ".part")
    try:
        draft.unlink(missing_ok=True)
        os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except OSError as reason:
        raise engine.unwritable(path, reason) from None
    connection = engine.fresh()
    try:
        with engine.translated():
            connection.execute("VACUUM INTO ?", (str(draft),))
        with draft.open("rb") as file:
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        connection.close()
        draft.unlink(missing_ok=True)
