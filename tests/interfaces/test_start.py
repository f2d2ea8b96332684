"""What a command pays before it does anything: what need not be imported for it is not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HEAVY = {"numpy", "yaml", "rich", "apsw", "remanence.mind", "remanence.model.policy", "remanence.model.report"}
SETTINGS = {"upkeep": {"on_open": False}}


def loaded(code: str, *arguments: str) -> set[str]:
    """The modules that a new process has after this code."""
    said = subprocess.run(
        [sys.executable, "-c", f"import sys\n{code}\nprint(*sys.modules, sep='\\n')", *arguments],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(said.stdout.split())


def test_the_list_of_commands_needs_no_heavy_module() -> None:
    assert not HEAVY & loaded("import remanence.interfaces.cli.app")


def test_who_looks_memories_up_needs_no_arrays(tmp_path: Path) -> None:
    look = f"""
from remanence import Mind
with Mind(sys.argv[1], embedder="none", settings={SETTINGS}) as mind:
    id = mind.list()[0].id
    mind.get(id), mind.count(), mind.history(id), mind.journal(), mind.restore(ids=[id])
"""
    written = 'from remanence import Mind\nMind(sys.argv[1], embedder="none").remember("Ann likes tea")'
    path = str(tmp_path / "m.db")
    assert "numpy" in loaded(written, path)
    assert not {"numpy", "remanence.model.columns"} & loaded(look, path)
