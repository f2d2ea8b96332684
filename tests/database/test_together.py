"""R1, R3, R4, R5, R11, R17, R23 on PostgreSQL: the campaigns of a file, by many processes on one database."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.crash.conftest import Child, seeded  # noqa: F401
from tests.crash.stores import everything, opened
from tests.crash.test_dreams import test_kills_at_any_moment, test_no_fact_is_ever_out_of_recall  # noqa: F401
from tests.crash.test_drift import test_random_verbs_with_kills_leave_no_drift  # noqa: F401
from tests.crash.test_together import (  # noqa: F401
    FULL,
    begin,
    test_a_read_waits_for_no_writer,
    test_every_access_is_counted,
    test_readers_with_writers,
    test_writers_share_a_file,
)
from tests.database.workers import crew
from tests.reliability.recording import Measured


@pytest.fixture
def start() -> Iterator[Callable[..., Any]]:
    with crew() as start:
        yield start


@pytest.fixture
def path(url: str) -> str:
    """Where the store of a test is."""
    return url


@pytest.mark.promise("R23")
@pytest.mark.parametrize(("writers", "adds", "backups"), [(2, 30, 1), pytest.param(4, 500, 5, marks=FULL)])
def test_a_backup_under_writers_holds_every_acknowledged_write(
    url: str, tmp_path: Path, start: Callable[..., Child], writers: int, adds: int, backups: int, measured: Measured
) -> None:
    acknowledged: set[str] = set()
    copies: list[tuple[Path, set[str]]] = []
    with opened(url, at=None) as mind:  # type: ignore[arg-type]
        children = [start("add_many", url, f"writer{number}", adds) for number in range(writers)]
        begin(children)

        def listen(child: Child) -> None:
            while isinstance(id := child.next(), str):
                acknowledged.add(id)

        threads = [threading.Thread(target=listen, args=(child,)) for child in children]
        for thread in threads:
            thread.start()
        for number in range(backups):
            while len(acknowledged) < (number + 1) * writers * adds // (backups + 1):
                assert any(thread.is_alive() for thread in threads)
            before = set(acknowledged)
            copies.append((mind.backup(tmp_path / f"backup{number}.db"), before))
        for thread in threads:
            thread.join()
        for child in children:
            child.finish()
        memories = everything(mind)
    measured(f"{backups} backups under {writers} writers × {adds:,} adds", acknowledged=len(memories))
    assert memories.keys() == acknowledged and len(memories) == writers * adds
    for copy, before in copies:
        with opened(copy) as other:
            held = everything(other)
            assert before <= held.keys()
            assert all(memories[id] == memory for id, memory in held.items())
            assert other.check().ok
