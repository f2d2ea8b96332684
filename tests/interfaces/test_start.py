"""What a command pays before it does anything: what need not be imported for it is not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

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


@pytest.mark.parametrize("words", [["list"], ["list", "--json"]])
def test_stopped_before_the_commands_are_there_it_says_so(words: list[str]) -> None:
    code = """
from types import ModuleType
class Slow(ModuleType):
    def __getattr__(self, name):
        raise KeyboardInterrupt
sys.modules["remanence.interfaces.cli.app"] = Slow("app")
from remanence.interfaces.cli import main
main()
"""
    command = [sys.executable, "-c", f"import sys\n{code}", *words]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    said = '{"error": "stopped", "message": "Stopped."}\n' if "--json" in words else "Error: Stopped.\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", said)


def test_who_looks_memories_up_needs_no_arrays(tmp_path: Path) -> None:
    look = f"""
from remanence import Mind
with Mind(sys.argv[1], embedder="none", settings={SETTINGS}) as mind:
    id = mind.list()[0].id
    mind.get(id), mind.count(), mind.history(id), mind.journal()
"""
    written = 'from remanence import Mind\nMind(sys.argv[1], embedder="none").remember("Ann likes tea")'
    path = str(tmp_path / "m.db")
    assert "numpy" in loaded(written, path)
    assert not {"numpy", "remanence.model.columns"} & loaded(look, path)


@pytest.mark.parametrize("embedder", ["none", "bundled"])
@pytest.mark.parametrize(
    "write",
    ["remember('Bo likes tea')", "revise(id, text='Ann likes milk')", "pin(id)", "forget(ids=[id])"],
    ids=["remember", "revise", "pin", "forget"],
)
def test_nobody_waits_for_imports_of_another_process(write: str, embedder: str, tmp_path: Path) -> None:
    """Everybody who writes waits for whoever holds the lock: what its first write takes is there before."""
    once = f"""
from remanence import Mind
with Mind(sys.argv[1], embedder={embedder!r}, settings={SETTINGS}) as mind:
    mind.remember("Ann likes tea")
"""
    first = f"""
from remanence import Mind
from remanence.store.sqlite.queue import WritersQueue

join, leave, held, late = WritersQueue.join, WritersQueue.leave, set(), set()

def joined(queue):
    join(queue)
    held.update(sys.modules)

def left(queue):
    late.update(set(sys.modules) - held)
    leave(queue)

with Mind(sys.argv[1], embedder={embedder!r}, settings={SETTINGS}) as mind:
    id = mind.list()[0].id
    WritersQueue.join, WritersQueue.leave = joined, left
    mind.{write}
    WritersQueue.join, WritersQueue.leave = join, leave
assert held, "nothing was written"
print("late:", *sorted(name for name in late if name.split(".")[0] in ("remanence", "numpy")))
"""
    path = str(tmp_path / "m.db")
    loaded(once, path)
    said = subprocess.run(
        [sys.executable, "-c", f"import sys\n{first}", path], capture_output=True, text=True, check=True
    )
    assert said.stdout.split() == ["late:"]
