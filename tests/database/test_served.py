"""R3 through every door and S19 on PostgreSQL: the tests of a server, whose store is a database."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.interfaces.serve.conftest import Server, ended, started
from tests.interfaces.serve.test_load import test_every_door_writes_to_one_store  # noqa: F401
from tests.interfaces.serve.test_schemathesis import test_a_long_run_finds_nothing  # noqa: F401


@pytest.fixture
def start(url: str, tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Starts servers of the database, and ends them when the test is over."""
    running: list[Server] = []

    def one(*arguments: str, **rest: Any) -> Server:
        running.append(started(tmp_path / "home", *arguments, db=url, XDG_DATA_HOME=str(tmp_path / "home"), **rest))
        return running[-1]

    yield one
    for server in running:
        ended(server)
