"""Databases for tests of the store that many machines share."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from remanence import Mind
from tests.conftest import Clock, Entropy, new_mind
from tests.postgres import Cluster, new_template


@pytest.fixture(scope="session")
def template(cluster: Cluster) -> str:
    return new_template(cluster)


@pytest.fixture(scope="session")
def partitioned_template(cluster: Cluster) -> str:
    return new_template(cluster, partitions=4)


@pytest.fixture
def url(cluster: Cluster, template: str) -> Iterator[str]:
    """A database with an empty store."""
    name = cluster.new_database(template)
    yield cluster.url(name)
    cluster.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def partitioned_url(cluster: Cluster, partitioned_template: str) -> Iterator[str]:
    """The same, each table of which has four partitions."""
    name = cluster.new_database(partitioned_template)
    yield cluster.url(name)
    cluster.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def empty_url(cluster: Cluster) -> Iterator[str]:
    """A database without a store."""
    name = cluster.new_database()
    yield cluster.url(name)
    cluster.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def open_mind(url: str, clock: Clock) -> Iterator[Callable[..., Mind]]:
    """Opens minds on one database, by namespace; each sound when the test is over."""
    opened: list[Mind] = []

    def open_(namespace: str = "test", **options: Any) -> Mind:
        options.setdefault("entropy", Entropy(len(opened)))
        opened.append(new_mind(options.pop("url", url), clock, namespace=namespace, **options))
        return opened[-1]

    yield open_
    for mind in opened:
        mind.close()
    for namespace in {mind.namespace for mind in opened}:
        with new_mind(url, clock, namespace=namespace) as mind:
            assert mind.check().problems == ()
