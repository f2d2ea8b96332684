"""The PostgreSQL store: one namespace of a database that many machines share.

Its own rooms: pool and engine (connections, turns, transactions), dialect (what PostgreSQL words differently),
migrations, words (arrays of stems and BM25), kin, vectors and nearest (pgvector). The rest is in `sql/`.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from remanence.errors import InvalidInput, StoreError, StoreReadOnly
from remanence.model.plan import Certificate
from remanence.model.report import Checkup
from remanence.store.files import unwritable
from remanence.store.postgres import checkup, erasing
from remanence.store.postgres.engine import Engine
from remanence.store.postgres.kin import ArrayKin
from remanence.store.postgres.pool import Address, Limits
from remanence.store.postgres.vectors import PgVectors
from remanence.store.postgres.words import Stems
from remanence.store.protocol import Progress
from remanence.store.sql.kin import Kin
from remanence.store.sql.store import SqlStore
from remanence.store.sql.vectors import Vectors
from remanence.store.sql.words import Words

if TYPE_CHECKING:
    from remanence.store.sql.nearest import Nearest


class PostgresStore(SqlStore):
    """A namespace of an open database."""

    _engine: Engine
    _OWN_NUMBERS = True

    @classmethod
    def open(
        cls, url: str, namespace: str, limits: Limits | None = None, *, replica: str | None = None
    ) -> PostgresStore:
        """Open the database, and make or migrate the store in it."""
        behind = None if replica is None else Address(replica)
        engine = Engine(Address(url), limits or Limits(), namespace, behind)
        try:
            return cls(engine, namespace)
        except BaseException:
            engine.close()
            raise

    def __init__(self, engine: Engine, namespace: str) -> None:
        self._key = lambda: engine.key
        super().__init__(engine, namespace, engine.secret)

    def _new_kin(self) -> Kin:
        return ArrayKin(self._key)

    def _new_vectors(self) -> Vectors:
        return PgVectors(self._engine, self._shelves)

    def _new_words(self) -> Words:
        return Stems(self._shelves, self._key)

    @cached_property
    def _nearest(self) -> Nearest:
        from remanence.store.postgres.nearest import InServer

        return InServer(self._shelves, self._vectors)

    # -- care

    def erase(self, certificate: Certificate, texts: Sequence[str], wait_seconds: float) -> Certificate:
        """Take what was purged off the tables' pages, search them, and say on the certificate what is out of reach."""
        return replace(certificate, **erasing.erase(self._engine, texts, wait_seconds))

    def unfinished_purge(self) -> str:
        return erasing.unfinished(self._engine)

    def check(self, *, repair: bool = False, progress: Progress | None = None) -> Checkup:
        self.flush()
        with suppress(StoreReadOnly):
            self.unfinished_purge()
        words, kin = Stems(self._shelves, self._key), ArrayKin(self._key)
        return checkup.check(self._engine, words, kin, repair=repair, progress=progress)

    def files(self) -> Sequence[Path]:
        """A database has no files of ours."""
        return []

    def backup(self, path: Path) -> None:
        """Write this namespace to a new file, a store of its own; there in full, or not at all."""
        from remanence.store.sql.moving.move import Move, take_secret
        from remanence.store.sqlite.store import SqliteStore

        try:
            if path.exists():
                raise InvalidInput(f"{path} exists already; a backup never writes over a file")
            drafts = tempfile.TemporaryDirectory(prefix=f"{path.name}.", dir=path.absolute().parent)
        except OSError as reason:
            raise unwritable(path, reason) from None
        with drafts as folder:
            draft = Path(folder) / path.name
            with closing(SqliteStore.open(draft, self.namespace)) as empty:
                take_secret(self, empty)
            with closing(SqliteStore.open(draft, self.namespace)) as copy:
                Move(self, copy).run()
                copy.merge_log()
            draft.replace(path)

    def _ended(self) -> None:
        if self._engine.has_destroyed:
            with suppress(StoreError):
                self.unfinished_purge()
