"""Which adapters are tested here: those whose library is installed, and without fail the one that ADAPTER names.

A library that cannot be imported leaves its test file out of an ordinary run. In the environment of an adapter
(`make test-adapters`), ADAPTER names it, its file is read whatever happens, and a missing library is a failure.
"""

from __future__ import annotations

import importlib.util
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

HERE = Path(__file__).parent
DEMANDED = os.environ.get("ADAPTER", "")


class Environment(NamedTuple):
    name: str
    module: str
    requirement: str
    unpinned: tuple[str, ...]


def environments() -> list[Environment]:
    lines = (HERE / "environments.txt").read_text("utf-8").splitlines()
    rows = [line.split() for line in lines if line and not line.startswith("#")]
    return [Environment(name, module, requirement, tuple(rest)) for name, module, requirement, *rest in rows]


def is_installed(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:  # not even its parent
        return False


collect_ignore = [
    f"test_{one.name}.py" for one in environments() if one.name != DEMANDED and not is_installed(one.module)
]


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[[str], str]:
    """Runs the Python of a how-to page as it is shown, in a place of its own; what it prints."""
    monkeypatch.setenv("REMANENCE_DB", str(tmp_path / "own.db"))
    monkeypatch.setenv("REMANENCE_CONFIG", str(tmp_path / "config.yml"))
    monkeypatch.chdir(tmp_path)

    def run(name: str) -> str:
        path = HERE.parents[1] / "docs" / "howto" / name
        blocks = re.findall(r"```python\n(.*?)```", path.read_text("utf-8"), re.DOTALL)
        assert blocks, f"{name} shows no Python"
        names: dict[str, Any] = {"__name__": "example"}
        for block in blocks:
            exec(compile(block, name, "exec"), names)
        return capsys.readouterr().out

    return run
