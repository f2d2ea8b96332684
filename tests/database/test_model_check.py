"""R21 on PostgreSQL: the same random operations against the same dict."""

from collections.abc import Iterator

import pytest

from tests.laws.test_model_check import MindAgainstDict, checked
from tests.postgres import Cluster


class DatabaseAgainstDict(MindAgainstDict):
    """The machine on a database of its own each run."""

    cluster: Cluster
    template: str

    def location(self) -> str:
        if not hasattr(self, "name"):
            self.name = self.cluster.new_database(self.template)
        return self.cluster.url(self.name)

    def teardown(self) -> None:
        try:
            super().teardown()
        finally:
            self.cluster.execute(f"DROP DATABASE {self.name} WITH (FORCE)")


@pytest.fixture
def machine(cluster: Cluster, template: str) -> Iterator[type[DatabaseAgainstDict]]:
    DatabaseAgainstDict.cluster, DatabaseAgainstDict.template = cluster, template
    yield DatabaseAgainstDict


@pytest.mark.parametrize("run", range(4))
def test_mind_and_model_agree(machine: type[DatabaseAgainstDict], run: int) -> None:
    assert checked(examples=20, steps=160, machine=machine) >= 2500  # a new database costs more than a step
