"""S15 on PostgreSQL: two namespaces of one database never meet, by any verb and over every route."""

from collections.abc import Iterator

import pytest

from tests.interfaces.serve.conftest import Server, started
from tests.interfaces.serve.test_namespaces import *  # noqa: F403
from tests.laws.test_hostile import test_two_namespaces_never_meet  # noqa: F401
from tests.postgres import Cluster


@pytest.fixture(scope="module")
def server(cluster: Cluster, template: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server of a database."""
    name = cluster.new_database(template)
    folder = tmp_path_factory.mktemp("served")
    found = started(folder, db=cluster.url(name), XDG_DATA_HOME=str(folder))
    yield found
    code = found.stop()
    assert found.process.stdout is not None
    found.process.stdout.close()
    assert code == 0
    assert [line for line in found.logged() if line["level"] in ("error", "critical")] == []
    cluster.execute(f"DROP DATABASE {name} WITH (FORCE)")
