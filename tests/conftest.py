"""What every test shares: a clock set by hand, chance that repeats, and a mind on each."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from remanence import Mind
from remanence.settings import Settings

if TYPE_CHECKING:
    from tests.postgres import Cluster, StandIn

pytest_plugins = ["tests.reliability.recording"]
START = datetime(2026, 3, 1, 12, tzinfo=UTC)


def _stand_in() -> StandIn | None:
    if os.environ.get("REMANENCE_TEST_STORE") != "postgres":
        return None
    from tests.postgres import StandIn

    return StandIn()


STAND_IN = _stand_in()
"""Where minds of the tests are kept instead of files and memory, for `make test-postgres`."""
only_files = pytest.mark.skipif(STAND_IN is not None, reason="it looks into the file itself")


class Clock:
    """A clock that moves when told to."""

    def __init__(self, now: datetime = START) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **span: float) -> datetime:
        self.now += timedelta(**span)
        return self.now


class Entropy:
    """Random bytes that are the same in every run."""

    def __init__(self, seed: int = 0) -> None:
        self._random = random.Random(seed)

    def __call__(self, size: int) -> bytes:
        return self._random.randbytes(size)


def new_mind(location: str | Path = ":memory:", clock: Clock | None = None, **options: Any) -> Mind:
    """A mind that looks at no environment and no configuration file, and after nothing unless told to.

    It goes by words alone, so that importances stay as they were given, unless an embedder is among the options.
    """
    settings = Settings(upkeep__on_open=False)
    return Mind(
        location if STAND_IN is None else STAND_IN.location(location),
        clock=clock or Clock(),
        **{"settings": settings, "entropy": Entropy(), "namespace": "test", "embedder": False} | options,
    )


def dump(mind: Mind) -> dict[str, list[Any]]:
    """Every row of every table of the mind's file, or of its namespace in a database."""
    with mind._store._engine.read() as connection:  # type: ignore[attr-defined]
        if STAND_IN is not None:
            from remanence.store.postgres import migrations

            rows = "SELECT * FROM {} WHERE /*here*/ true"
            names = sorted({*migrations.tables()} - {"turns"})
            return {name: sorted(connection.execute(rows.format(name)), key=repr) for name in names}
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type='table' ORDER BY name").fetchall()
        return {name: sorted(connection.execute(f'SELECT * FROM "{name}"'), key=repr) for (name,) in tables}


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def mind(clock: Clock) -> Iterator[Mind]:
    """A mind in memory; sound when the test is over."""
    with new_mind(clock=clock) as mind:
        yield mind
        assert mind.check().problems == ()


@pytest.fixture
def open_mind(clock: Clock, tmp_path: Path) -> Iterator[Callable[..., Mind]]:
    """Opens minds on one file, by namespace; sound when the test is over."""
    opened: list[Mind] = []

    def open_(namespace: str = "test", **options: Any) -> Mind:
        options.setdefault("entropy", Entropy(len(opened)))
        opened.append(new_mind(tmp_path / "memory.db", clock, namespace=namespace, **options))
        return opened[-1]

    yield open_
    for mind in opened:
        mind.close()
    with new_mind(tmp_path / "memory.db", clock) as mind:
        assert mind.check().problems == ()


@pytest.fixture
def mind_file(open_mind: Callable[..., Mind]) -> Mind:
    """A mind on a file."""
    return open_mind()


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """A PostgreSQL of this process's own."""
    from tests.postgres import Cluster

    cluster = Cluster()
    yield cluster
    cluster.close()


@pytest.fixture(autouse=True)
def _stood_in() -> Iterator[None]:
    yield
    if STAND_IN is not None:
        STAND_IN.clear()
