"""An import that is stopped, or killed, and goes on; and files of any size in bounded memory."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from remanence import Mind
from remanence.sessions import intake
from remanence.sessions.importers import Piece
from remanence.sessions.importers.kinds import KINDS
from tests.conftest import START, new_mind
from tests.sessions import exports, transcripts


def observed(mind: Mind, id: str) -> list[Any]:
    return [(one.role, one.text, one.call, one.tool) for one in mind.sessions.show(id).observations]


class _Stop(Exception):
    pass


def test_a_stop_in_the_middle_loses_and_repeats_nothing(mind: Mind, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(intake, "BATCH", 50)
    path = tmp_path / "t.jsonl"
    path.write_text("".join(transcripts.claude_code_lines(seed=5, events=1_500)), "utf-8")
    packed = exports.archive(
        tmp_path / "a.zip",
        conversations__json=[exports.chatgpt(f"00000000-0000-4000-8000-{n:012d}") for n in range(60)],
    )
    calls = 0

    def stop(done: int, total: int) -> None:
        nonlocal calls
        calls += 1
        if calls % 3 == 0:
            raise _Stop

    for file in (path, packed):
        for _ in range(50):
            try:
                mind.sessions.import_(file, progress=stop)
                break
            except _Stop:
                continue
        else:
            pytest.fail("it never came to an end")
    assert calls > 6
    with new_mind() as other:
        for file in (path, packed):
            other.sessions.import_(file)
        for session in other.sessions.list(limit=100):
            assert observed(mind, session.id) == observed(other, session.id)
        assert other.sessions.list(limit=100) == mind.sessions.list(limit=100)


_IMPORT = """
import sys
from tests.conftest import new_mind
with new_mind(sys.argv[1]) as mind:
    mind.sessions.import_(sys.argv[2], progress=lambda done, total: print(done, flush=True))
"""


def child(code: str, *arguments: object) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)


def test_a_killed_import_is_resumed(tmp_path: Path) -> None:
    path, db = tmp_path / "t.jsonl", tmp_path / "m.db"
    path.write_text("".join(transcripts.claude_code_lines(seed=2, events=3_000)), "utf-8")
    for share in (0.3, 0.6):
        importing = child(_IMPORT, db, path)
        assert importing.stdout is not None
        for line in importing.stdout:
            if int(line) > share * path.stat().st_size:
                break
        importing.kill()
        importing.communicate()
    with new_mind(db) as mind, new_mind() as other:
        id = transcripts.session_id(2, "claude-code")
        done = mind.sessions.import_(path)
        other.sessions.import_(path)
        assert 0 < done.observations < mind.sessions.show(id).session.observations
        assert done.read.bytes < path.stat().st_size
        assert observed(mind, id) == observed(other, id)
        assert mind.check().problems == ()


_MEASURE = """
import resource, sys
from tests.conftest import new_mind
with new_mind(sys.argv[1]) as mind:
    done = mind.sessions.import_(sys.argv[2])
    print(done.observations, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def _measured(db: Path, path: Path) -> tuple[int, float]:
    """How many observations came in, and how many MB the process had at most."""
    out, _ = child(_MEASURE, db, path).communicate()
    observations, kilobytes = map(int, out.split())
    return observations, kilobytes / 1024


def _large(path: Path, megabytes: int, kind: str) -> None:
    """A file of that size, with long outputs of tools between the words."""
    number = 0
    with path.open("w", encoding="utf-8") as file:
        file.write("[" if kind == "chatgpt" else "")
        while file.tell() < megabytes << 20:
            if kind == "chatgpt":
                talk = exports.chatgpt(f"00000000-0000-4000-8000-{number:012d}")
                talk["mapping"]["result"]["message"]["content"]["text"] = "row 17\n" * 20_000
                file.write("," * (number > 0) + json.dumps(talk))
            else:
                for line in transcripts.claude_code_lines(seed=number, events=60):
                    file.write(line.replace("added 412 packages", "package added " * 20_000))
            number += 1
        file.write("]" if kind == "chatgpt" else "")


def _check(tmp_path: Path, megabytes: int, kind: str) -> None:
    small, large = tmp_path / "small.json", tmp_path / "large.json"
    _large(small, 1, kind)
    _, least = _measured(tmp_path / "a.db", small)
    _large(large, megabytes, kind)
    observations, most = _measured(tmp_path / "b.db", large)
    assert observations == sum(isinstance(one, Piece) for one in KINDS[kind].read(large, 0, START))
    assert most - least < 80


@pytest.mark.parametrize(("kind", "megabytes"), [("claude-code", 50), ("chatgpt", 25)])
def test_memory_does_not_grow_with_the_file(kind: str, megabytes: int, tmp_path: Path) -> None:
    _check(tmp_path, megabytes, kind)


@pytest.mark.full
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("kind", ["claude-code", "chatgpt"])
def test_a_file_of_a_gigabyte(kind: str, tmp_path: Path) -> None:
    _check(tmp_path, 1_024, kind)
