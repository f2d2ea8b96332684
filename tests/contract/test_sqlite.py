"""The embedded store under the contract."""

from remanence.store.protocol import Store
from remanence.store.sqlite.store import SqliteStore
from tests.contract.store_contract import StoreContract


class TestSqlite(StoreContract):
    def open_store(self, namespace: str) -> Store:
        return SqliteStore.open(self.folder / "store.db", namespace)
