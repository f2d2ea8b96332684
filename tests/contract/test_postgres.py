"""The store for many machines under the same contracts."""

from collections.abc import Iterator

import pytest

from remanence.store.postgres.store import PostgresStore
from remanence.store.protocol import Store
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
from tests.postgres import Cluster, empty, new_template


@pytest.fixture(scope="session")
def database(cluster: Cluster) -> str:
    """One for all tests, which each of them finds empty: a new one takes much longer."""
    return new_template(cluster)


class Postgres(OpenedStore):
    url: str

    @pytest.fixture(autouse=True)
    def _database(self, cluster: Cluster, database: str) -> Iterator[None]:
        self.url = cluster.url(database)
        yield
        empty(cluster, database)

    @pytest.fixture(autouse=True)
    def _opened(self, _database: None, tmp_path) -> Iterator[None]:  # type: ignore[no-untyped-def]
        yield from self.opened(tmp_path)

    def open_store(self, namespace: str) -> Store:
        return PostgresStore.open(self.url, namespace)


class TestPostgres(Postgres, StoreContract): ...


class TestPostgresColumns(Postgres, ColumnsContract): ...


class TestPostgresDating(Postgres, DatingContract): ...


class TestPostgresCounters(Postgres, CountersContract): ...


class TestPostgresActivity(Postgres, ActivityContract): ...


class TestPostgresLeases(Postgres, LeasesContract): ...


class TestPostgresMeanings(Postgres, MeaningsContract): ...


class TestPostgresCandidates(Postgres, CandidatesContract): ...


class TestPostgresRecallLog(Postgres, RecallLogContract): ...


class TestPostgresGuard(Postgres, GuardContract): ...


class TestPostgresEntities(Postgres, EntitiesContract): ...


class TestPostgresSessions(Postgres, SessionsContract): ...


class TestPostgresErasing(Postgres, ErasingContract): ...


class TestPostgresQueue(Postgres, QueueContract): ...
