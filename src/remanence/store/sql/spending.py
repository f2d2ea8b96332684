"""What language models were given and gave: tokens a day and model, counted by every process that shares the file."""

from __future__ import annotations

from remanence.model.report import Spent
from remanence.store.sql.connection import Engine, Transaction
from remanence.store.sql.shelves import Shelves

_ADD = (
    "INSERT INTO spending VALUES(?,?,?,1,?,?,?) ON CONFLICT(space, day, model) "
    "DO UPDATE SET calls = spending.calls + 1, "
    "failed = spending.failed + excluded.failed, tokens_in = spending.tokens_in + excluded.tokens_in, "
    "tokens_out = spending.tokens_out + excluded.tokens_out"
)
_ALL = (
    "SELECT day, model, calls, failed, tokens_in, tokens_out FROM spending WHERE space=? "
    "ORDER BY day DESC, model LIMIT ?"
)


class SqlPurse:
    """The spending of one namespace."""

    def __init__(self, engine: Engine, shelves: Shelves, transaction: Transaction) -> None:
        self._engine = engine
        self._shelves = shelves
        self._transaction = transaction

    def spent(self, day: str) -> int:
        """The tokens of a day, in and out."""
        sql = "SELECT coalesce(sum(tokens_in + tokens_out), 0) FROM spending WHERE space=? AND day=?"
        with self._engine.read() as connection:
            return int(connection.execute(sql, (self._shelves.space, day)).get)

    def spend(self, day: str, model: str, *, tokens_in: int, tokens_out: int, failed: bool) -> None:
        """Count one call."""
        with self._transaction() as connection:
            self._shelves.enter(connection)
            connection.execute(_ADD, (self._shelves.space, day, model, int(failed), tokens_in, tokens_out))

    def days(self, limit: int) -> list[Spent]:
        """The last rows, newest day first."""
        with self._engine.read() as connection:
            return [Spent(*row) for row in connection.execute(_ALL, (self._shelves.space, limit))]
