"""The embedded store under the contracts."""

from remanence.store.protocol import Store
from remanence.store.sqlite.store import SqliteStore
from tests.contract.activity_contract import ActivityContract
from tests.contract.entities_contract import EntitiesContract
from tests.contract.erasing_contract import ErasingContract
from tests.contract.guard_contract import GuardContract
from tests.contract.leases_contract import LeasesContract
from tests.contract.lifecycle_contract import ColumnsContract, CountersContract, DatingContract
from tests.contract.meanings_contract import CandidatesContract, MeaningsContract, RecallLogContract
from tests.contract.opened_store import OpenedStore
from tests.contract.queue_contract import QueueContract
from tests.contract.sessions_contract import SessionsContract
from tests.contract.store_contract import StoreContract


class Sqlite(OpenedStore):
    def open_store(self, namespace: str) -> Store:
        return SqliteStore.open(self.folder / "store.db", namespace)


class TestSqlite(Sqlite, StoreContract): ...


class TestSqliteColumns(Sqlite, ColumnsContract): ...


class TestSqliteDating(Sqlite, DatingContract): ...


class TestSqliteCounters(Sqlite, CountersContract): ...


class TestSqliteActivity(Sqlite, ActivityContract): ...


class TestSqliteLeases(Sqlite, LeasesContract): ...


class TestSqliteMeanings(Sqlite, MeaningsContract): ...


class TestSqliteCandidates(Sqlite, CandidatesContract): ...


class TestSqliteRecallLog(Sqlite, RecallLogContract): ...


class TestSqliteGuard(Sqlite, GuardContract): ...


class TestSqliteEntities(Sqlite, EntitiesContract): ...


class TestSqliteSessions(Sqlite, SessionsContract): ...


class TestSqliteErasing(Sqlite, ErasingContract): ...


class TestSqliteQueue(Sqlite, QueueContract): ...
