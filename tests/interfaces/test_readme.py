"""What the README shows works as shown."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.interfaces.doors import typed

README = (Path(__file__).parents[2] / "README.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


@pytest.fixture(autouse=True)
def a_place_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REMANENCE_DB", str(tmp_path / "own.db"))
    monkeypatch.setenv("REMANENCE_CONFIG", str(tmp_path / "config.yml"))
    (tmp_path / "summary.md").write_text("The shop moved to Dublin in May. It has two halls.")


def test_python_examples_run() -> None:
    assert blocks("python")
    for block in blocks("python"):
        exec(compile(block, "README.md", "exec"), {})


def test_commands_run() -> None:
    lines = [line[2:].split("  #")[0] for block in blocks("console") for line in block.splitlines()]
    assert lines
    for line in lines:
        name, *words = shlex.split(line)
        assert name == "rem"
        code, _, err = typed([*words, "--yes"] if words[0] == "forget" else words)
        assert code == 0, f"{line}: {err}"
