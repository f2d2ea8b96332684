"""A machine of its own for each test."""

from pathlib import Path

import pytest

from tests.interfaces.connect.machine import Machine


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(tmp_path, monkeypatch)
