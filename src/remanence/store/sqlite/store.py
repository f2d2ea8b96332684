"""The SQLite store: one namespace of one file.

Its own rooms: engine (connections, queue, transactions), migrations, words (the full-text index), kin, vectors and
nearest (meanings held in memory), purging and ledger (no byte is left, and none comes back), checkup (damage and
repair), salvage, copying, diagnosis. The rest is in `sql/`.
"""

from __future__ import annotations

import glob
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from remanence.model.plan import Certificate
from remanence.model.report import Checkup
from remanence.store.protocol import Progress
from remanence.store.sql.kin import Kin
from remanence.store.sql.store import SqlStore
from remanence.store.sql.words import Words
from remanence.store.sqlite import checkup, ledger, purging
from remanence.store.sqlite.copying import copy_whole
from remanence.store.sqlite.engine import Engine
from remanence.store.sqlite.kin import FileKin
from remanence.store.sqlite.vectors import FileVectors
from remanence.store.sqlite.words import FullText

if TYPE_CHECKING:
    from remanence.store.sql.nearest import Nearest


class SqliteStore(SqlStore):
    """A namespace of an open file."""

    _engine: Engine
    _vectors: FileVectors

    @classmethod
    def open(cls, path: Path | None, namespace: str) -> SqliteStore:
        """Open, create or migrate the file (None: in memory), and finish what an earlier purge left to do."""
        engine = Engine(path)
        try:
            purging.purge_again(engine, lambda namespace: cls(engine, namespace))
            purging.finish_pending(engine)
            return cls(engine, namespace)
        except BaseException:
            engine.close()
            raise

    def __init__(self, engine: Engine, namespace: str) -> None:
        super().__init__(engine, namespace, engine.key(namespace))
        self._ledger_is_old = False

    def _new_kin(self) -> Kin:
        return FileKin()

    def _new_vectors(self) -> FileVectors:
        return FileVectors(self._engine, self._shelves)

    def _new_words(self) -> Words:
        return FullText(lambda: self._shelves.space)

    @cached_property
    def _nearest(self) -> Nearest:
        from remanence.store.sqlite.nearest import HeldInMemory

        return HeldInMemory(self._engine, self._shelves, self._vectors)

    def _committed(self) -> None:
        if self._ledger_is_old:
            self._ledger_is_old = False
            ledger.write(self._engine)

    # -- care

    def erase(self, certificate: Certificate, texts: Sequence[str], wait_seconds: float) -> Certificate:
        """Make sure no byte of these purged texts is left in the files, and say so on the certificate."""
        traces = purging.erase(self._engine, self._shelves.space, texts, wait_seconds)
        return replace(certificate, **traces)

    def unfinished_purge(self) -> str:
        return "" if purging.finish_pending(self._engine) else "another process still reads the old log"

    def lift(self, texts: Sequence[str], at: datetime) -> None:
        with self.transaction():
            super().lift(texts, at)
            self._ledger_is_old = True

    def check(self, *, repair: bool = False, progress: Progress | None = None) -> Checkup:
        self.flush()
        purging.finish_pending(self._engine)
        return checkup.check(self._engine, repair=repair, progress=progress)

    def files(self) -> Sequence[Path]:
        """The files that belong to the store and exist."""
        path = self._engine.path
        return [] if path is None else [p for p in path.parent.glob(f"{glob.escape(path.name)}*") if p.is_file()]

    def backup(self, path: Path) -> None:
        self.flush()
        copy_whole(self._engine, path)

    def merge_log(self) -> None:
        """Leave everything in the one file."""
        self._engine.checkpoint(1.0)

    def _ended(self) -> None:
        purging.finish_pending(self._engine)
