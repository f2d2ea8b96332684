"""Drains that are killed, that come at once, and that meet hooks: every event comes in, once."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path

import pytest

from remanence.model.session import Observation
from remanence.places import spool_of
from remanence.sessions import spool as spooled
from remanence.sessions.drain import drain
from remanence.sessions.envelope import enveloped
from tests.conftest import START, new_mind
from tests.sessions import hooked, transcripts

_WORKER = (
    "import sys\nfrom datetime import datetime\nfrom remanence import Mind\nfrom remanence.settings import Settings\n"
    "from remanence.sessions.drain import drain\nnow = datetime.fromisoformat(sys.argv[3])\n"
    "with Mind(sys.argv[1], namespace='test', embedder=False, clock=lambda: now,"
    " settings=Settings(upkeep__on_open=False)) as mind:\n"
    "    print('ready', flush=True)\n    sys.stdin.read(1)\n"
    "    while drain(mind._store, sys.argv[2], now).events:\n        pass\n"
)
_NOW = START + timedelta(days=1)


def fill(folder: Path, sessions: int = 3, lines: int = 120) -> tuple[str, str]:
    """A store with a spool: sessions with a transcript each, and what hooks told of them besides, mixed."""
    store = folder / "memory.db"
    new_mind(store).close()
    spool = spool_of(str(store))
    told: list[tuple[int, dict[str, object]]] = []
    for seed in range(sessions):
        id = transcripts.session_id(seed, "claude-code")
        path = folder / f"{id}.jsonl"
        path.write_text("".join(transcripts.claude_code_lines(seed, lines, start=START)))
        about = {"session_id": id, "transcript_path": str(path), "cwd": "/home/ann/shop"}
        for number in range(40):
            prompt = {**about, "prompt": f"Wish {number} of session {seed}: no floats."}
            made = enveloped("claude-code", "UserPromptSubmit", prompt, "/project/shop")
            told.append((number * 10 + seed, made or {}))
        made = enveloped("claude-code", "Stop", {**about, "last_assistant_message": f"Done {seed}."}, "/project/shop")
        told += [(at, made or {}) for at in (205 + seed, 500 + seed)]
        told.append((900 + seed, enveloped("claude-code", "SessionEnd", about, "/project/shop") or {}))
    start = round(START.timestamp()) * 10**9
    for at, made in sorted(told, key=lambda pair: pair[0]):
        spooled.put(spool, {**made, "namespace": "test", "at": start + at * 10**9}, start + at * 10**9)
    return str(store), spool


def stored(store: str) -> dict[str, tuple[object, list[tuple[str, str, str]]]]:
    """All that is stored: whether each session ended, and what was observed in it, in no order."""

    def brief(one: Observation) -> tuple[str, str, str]:
        return one.role, one.text, one.call

    with new_mind(store) as mind:
        assert mind.check().problems == ()
        found = {}
        for session in mind._store.sessions.listed():
            pages = mind._store.sessions.observations(session.id)
            found[session.id] = session.ended_at, sorted(brief(one) for page in pages for one in page)
    return found


def undisturbed(folder: Path) -> dict[str, tuple[object, list[tuple[str, str, str]]]]:
    folder.mkdir()
    store, spool = fill(folder)
    with new_mind(store) as mind:
        while drain(mind._store, spool, _NOW).events:
            pass
    return stored(store)


def worker(store: str, spool: str) -> subprocess.Popen[bytes]:
    """A process that has the store open and drains at a sign."""
    process = subprocess.Popen(
        [sys.executable, "-c", _WORKER, store, spool, _NOW.isoformat()], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    return process


def go(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin is not None
    process.stdin.write(b"g")
    process.stdin.close()


def ended(process: subprocess.Popen[bytes], *, kill: bool = False) -> int:
    if kill:
        process.kill()
    code = process.wait(60)
    assert process.stdout is not None
    process.stdout.close()
    return code


def test_a_drain_that_is_killed_again_and_again_repeats_nothing(tmp_path: Path) -> None:
    expected = undisturbed(tmp_path / "quiet")
    place = tmp_path / "killed"
    place.mkdir()
    store, spool = fill(place)
    chance = random.Random(8)
    kills = 0
    for _ in range(12):
        process = worker(store, spool)
        go(process)
        time.sleep(chance.uniform(0.0, 0.03))
        kills += ended(process, kill=True) == -9
        if not spooled.waiting(spool, "test"):
            break
    process = worker(store, spool)
    go(process)
    assert ended(process) == 0
    assert kills >= 2
    assert spooled.waiting(spool, "test") == []
    assert stored(store) == expected
    assert all(end is not None and len(seen) > 60 for end, seen in expected.values())


def test_several_drains_at_once_take_each_event_once(tmp_path: Path) -> None:
    expected = undisturbed(tmp_path / "quiet")
    place = tmp_path / "together"
    place.mkdir()
    store, spool = fill(place)
    processes = [worker(store, spool) for _ in range(3)]
    for process in processes:
        go(process)
    assert [ended(process) for process in processes] == [0, 0, 0]
    assert spooled.waiting(spool, "test") == []
    assert not (Path(spool) / spooled.BAD).exists()
    assert stored(store) == expected


def test_hooks_go_on_while_events_are_taken_in(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    given = {"session_id": hooked.SESSION, "cwd": str(home), "transcript_path": "/none.jsonl"}
    with new_mind(hooked.store_of(home), namespace="default") as mind:
        calls = [
            subprocess.Popen(
                [*hooked.program(), "hook", "UserPromptSubmit", "--host", "claude-code"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=hooked.environment(home),
            )
            for _ in range(8)
        ]
        for number, call in enumerate(calls):
            assert call.stdin is not None
            call.stdin.write(json.dumps({**given, "prompt": f"Wish {number}"}).encode())
            call.stdin.close()
            mind.sessions.drain()
        for call in calls:
            assert call.wait(30) == 0
            assert call.stdout is not None and call.stdout.read() == b""
            call.stdout.close()
        mind.sessions.drain()
        watched = mind.sessions.show(hooked.SESSION)
    assert sorted(one.text for one in watched.observations) == [f"Wish {number}" for number in range(8)]


@pytest.mark.full
@pytest.mark.timeout(900)
def test_a_drain_that_is_killed_two_hundred_times(tmp_path: Path) -> None:
    seed = time.time_ns()
    chance = random.Random(seed)
    expected = undisturbed(tmp_path / "quiet")
    for number in range(10):
        place = tmp_path / str(number)
        place.mkdir()
        store, spool = fill(place)
        for _ in range(10):
            processes = [worker(store, spool) for _ in range(2)]
            for process in processes:
                go(process)
            time.sleep(chance.uniform(0.0, 0.2))
            for process in processes:
                ended(process, kill=True)
        process = worker(store, spool)
        go(process)
        assert ended(process) == 0
        assert stored(store) == expected, seed
