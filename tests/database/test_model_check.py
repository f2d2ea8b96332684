"""R21 on PostgreSQL: the same random operations against the same dict."""

from collections.abc import Iterator

import pytest

from tests.laws.test_model_check import STEPS, MindAgainstDict, checked
from tests.postgres import Cluster, empty
from tests.reliability.recording import Measured


class DatabaseAgainstDict(MindAgainstDict):
    """The machine on a database, which each run finds empty."""

    cluster: Cluster
    database: str

    def location(self) -> str:
        return self.cluster.url(self.database)

    def teardown(self) -> None:
        try:
            super().teardown()
        finally:
            empty(self.cluster, self.database)


@pytest.fixture
def machine(cluster: Cluster, template: str) -> Iterator[type[DatabaseAgainstDict]]:
    DatabaseAgainstDict.cluster, DatabaseAgainstDict.database = cluster, cluster.new_database(template)
    yield DatabaseAgainstDict
    cluster.execute(f"DROP DATABASE {DatabaseAgainstDict.database} WITH (FORCE)")


def test_mind_and_model_agree(machine: type[DatabaseAgainstDict]) -> None:
    checked(1500, examples=10, steps=150, machine=machine)


@pytest.mark.promise("R21")
@pytest.mark.full
@pytest.mark.timeout(3600)
def test_mind_and_model_agree_for_long(machine: type[DatabaseAgainstDict], measured: Measured) -> None:
    before = STEPS["taken"]
    checked(10_000, examples=10, steps=160, machine=machine)
    measured(f"{STEPS['taken'] - before:,} steps", divergences=0)
