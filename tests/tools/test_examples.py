"""The examples and the pages about tools do what they show."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = ("docs/howto/tools.md", "docs/howto/compaction.md")


@pytest.fixture(autouse=True)
def a_place_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REMANENCE_DB", str(tmp_path / "own.db"))
    monkeypatch.setenv("REMANENCE_CONFIG", str(tmp_path / "config.yml"))


def shown(source: str, name: str, capsys: pytest.CaptureFixture[str]) -> str:
    exec(compile(source, name, "exec"), {"__name__": "example"})
    return capsys.readouterr().out


def test_the_pages_run(capsys: pytest.CaptureFixture[str]) -> None:
    blocks = {page: re.findall(r"```python\n(.*?)```", (ROOT / page).read_text("utf-8"), re.DOTALL) for page in PAGES}
    loop, files = (shown(block, PAGES[0], capsys) for block in blocks[PAGES[0]])
    assert '"outcome": "added"' in loop
    assert '"text": "Deploys need a green build"' in loop
    assert "/memories/todo.md was created" in files
    assert "Write to Anna" in files
    assert files.endswith("/memories/todo.md\n")
    (hooks,) = (shown(block, PAGES[1], capsys) for block in blocks[PAGES[1]])
    assert "Backups run every night" in hooks
    assert "212 tests passed" in hooks


def test_the_compressor_remembers_what_it_cuts(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(ROOT / "examples/compressor.py"), run_name="__main__")
    out = capsys.readouterr().out
    assert out.startswith("8 messages became 4.")
    assert "PostgreSQL 16 in Frankfurt" in out
    assert out.endswith("Anna decided that all user data stays in the EU.\n")
    assert "You help the shop team" not in out
