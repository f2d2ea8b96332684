"""The spool: whole files or none, in order, private, bounded; broken and foreign files do no harm."""

from __future__ import annotations

import json
import multiprocessing
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from remanence.sessions import spool as spooled
from remanence.sessions.drain import Drained, drain
from tests.conftest import START, new_mind

_NOW = 1_772_366_400_000_000_000


def event(**fields: Any) -> dict[str, Any]:
    return {"host": "codex", "event": "Stop", "session": "s", "namespace": "n", **fields}


@pytest.fixture
def spool(tmp_path: Path) -> str:
    return str(tmp_path / "memory.db.spool")


def test_events_come_back_in_the_order_of_time(spool: str) -> None:
    for number in (3, 1, 2, 2):
        spooled.put(spool, event(number=number), _NOW + number)
    names = spooled.waiting(spool, "n")
    assert len(names) == 4
    found = [spooled.load(spool, name) for name in names]
    assert [one["number"] for one in found if one] == [1, 2, 2, 3]


def test_a_namespace_sees_its_own(spool: str) -> None:
    for namespace in ("n", "m", "ü"):
        spooled.put(spool, event(namespace=namespace), _NOW)
    for namespace in ("n", "m", "ü"):
        (name,) = spooled.waiting(spool, namespace)
        assert spooled.load(spool, name) == event(namespace=namespace)
    assert spooled.waiting(spool, "o") == []
    assert spooled.waiting(spool + "x", "n") == []


def test_it_is_its_owners_alone(spool: str) -> None:
    spooled.put(spool, event(), _NOW)
    Path(spool).chmod(0o755)
    spooled.put(spool, event(), _NOW)
    spooled.note(spool, "x", _NOW)
    assert Path(spool).stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in Path(spool).iterdir()} == {0o600}


@pytest.mark.parametrize("kind", ["link", "file", "nothing", "somebody else's"])
def test_a_folder_that_is_not_ours_is_neither_written_nor_drained(
    spool: str, tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = str(tmp_path / "real")
    spooled.put(real, event(event="UserPromptSubmit", told={"prompt": "x"}), _NOW)
    if kind == "link":
        Path(spool).symlink_to(real)
    elif kind == "file":
        Path(spool).write_text("x")
    elif kind == "somebody else's":
        Path(real).rename(spool)
        monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    with new_mind(namespace="n") as mind:
        assert drain(mind._store, spool, START) == Drained()
        if kind != "nothing":
            with pytest.raises(PermissionError):
                spooled.put(spool, event(), _NOW)
        assert drain(mind._store, real, START).events == int(kind in ("link", "file", "nothing"))


def test_what_json_cannot_hold_everywhere_comes_back_as_it_was(spool: str) -> None:
    given = event(text="\ud800 \0 \u2028 \N{SNOWMAN}", **{"\ud800": [None, True, 1.5, {"a": []}]})
    name = spooled.put(spool, given, _NOW)
    assert name is not None
    assert spooled.load(spool, name) == given
    assert (Path(spool) / name).read_bytes().isascii()


def test_too_many_events_or_bytes_are_dropped_and_taken_again_once_there_is_room(
    spool: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spooled, "MOST_EVENTS", 5)
    made = [spooled.put(spool, event(), _NOW + number) for number in range(6)]
    assert made[-1] is None and all(made[:5])
    log = (Path(spool) / spooled.LOG).read_text()
    assert log == f"{_NOW // 10**9} dropped, the spool is full\n"
    assert spooled.remove(spool, str(made[0]))
    assert spooled.put(spool, event(), _NOW) is not None
    for name in spooled.waiting(spool, "n"):
        spooled.remove(spool, name)
    monkeypatch.setattr(spooled, "MOST_EVENTS", 1_000)
    monkeypatch.setattr(spooled, "MOST_BYTES", 10_000)
    kept = 0
    while spooled.put(spool, event(text="word " * 100), _NOW + kept) is not None:
        kept += 1
        assert kept < 100
    # Bytes are counted now and then, so that a hook need not look at every file.
    assert 10_000 // 600 <= kept <= 33
    for name in spooled.waiting(spool, "n")[: kept // 2 + 10]:
        spooled.remove(spool, name)
    assert spooled.put(spool, event(), _NOW) is not None


def _put_many(spool: str, number: int) -> None:
    for at in range(50):
        assert spooled.put(spool, event(by=number, at=at), _NOW + at) is not None


def test_hooks_that_come_at_once_lose_nothing(spool: str) -> None:
    context = multiprocessing.get_context("fork")
    workers = [context.Process(target=_put_many, args=(spool, number)) for number in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert all(worker.exitcode == 0 for worker in workers)
    found = [spooled.load(spool, name) for name in spooled.waiting(spool, "n")]
    assert len({(one["by"], one["at"]) for one in found if one}) == len(found) == 200


def test_a_reader_sees_all_of_an_event_or_nothing(spool: str) -> None:
    """A hook that is killed while it writes leaves a file that nobody takes for an event, and that goes one day."""
    script = (
        "import os, sys\nfrom remanence.sessions import spool\nreal = os.write\n"
        "def half(file, data):\n    real(file, bytes(data)[:10])\n    os.kill(os.getpid(), 9)\n"
        "os.write = half\nspool.put(sys.argv[1], {'namespace': 'n', 'text': 'x' * 100}, 1)"
    )
    assert subprocess.run([sys.executable, "-c", script, spool], check=False).returncode == -9
    (left,) = Path(spool).iterdir()
    assert left.stat().st_size == 10
    assert spooled.waiting(spool, "n") == []
    now = left.stat().st_mtime_ns
    spooled.sweep(spool, now + 3_600 * 10**9)
    assert left.exists()
    spooled.sweep(spool, now + 3_601 * 10**9)
    assert not left.exists()


def _broken(place: Path, kind: str, elsewhere: Path) -> None:
    if kind == "link":
        elsewhere.write_text(json.dumps(event()))
        place.symlink_to(elsewhere)
    elif kind == "loop":
        place.symlink_to(place)
    elif kind == "fifo":
        os.mkfifo(place)
    elif kind == "folder":
        place.mkdir()
    else:
        texts = {"empty": b"", "cut": b'{"a": ', "binary": b"\xff\0", "list": b"[]", "deep": b"[" * 100_000}
        place.write_bytes(texts.get(kind, b" " * (spooled.LARGEST_EVENT + 1)))


@pytest.mark.parametrize("kind", ["link", "loop", "fifo", "folder", "empty", "cut", "binary", "list", "deep", "large"])
def test_a_broken_file_is_put_aside(spool: str, tmp_path: Path, kind: str) -> None:
    spooled.prepare(spool)
    good = spooled.put(spool, event(), _NOW)
    name = str(good).replace("-0.", "-9.")
    _broken(Path(spool) / name, kind, tmp_path / "elsewhere")
    with pytest.raises(ValueError):
        spooled.load(spool, name)
    spooled.put_aside(spool, name)
    assert spooled.waiting(spool, "n") == [good]
    assert [path.name for path in (Path(spool) / spooled.BAD).iterdir()] == [name]
    assert kind != "link" or json.loads((tmp_path / "elsewhere").read_text()) == event()


def test_only_so_many_broken_files_are_kept(spool: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spooled, "MOST_ASIDE", 2)
    spooled.prepare(spool)
    for number in range(4):
        (Path(spool) / f"{number}.json").write_bytes(b"x")
        spooled.put_aside(spool, f"{number}.json")
    assert {path.name for path in (Path(spool) / spooled.BAD).iterdir()} == {"0.json", "1.json"}
    assert [path.name for path in Path(spool).iterdir()] == [spooled.BAD]


def test_the_log_does_not_grow_for_ever(spool: str) -> None:
    spooled.prepare(spool)
    for _ in range(3):
        spooled.note(spool, "x" * 40_000, _NOW)
        assert (Path(spool) / spooled.LOG).stat().st_size < 100_000
    spooled.note(spool, "ü \ud800", _NOW)
    assert (Path(spool) / spooled.LOG).read_bytes().isascii()


def test_removing_twice_is_fine(spool: str) -> None:
    name = str(spooled.put(spool, event(), _NOW))
    assert spooled.remove(spool, name) and spooled.remove(spool, name)
    assert spooled.load(spool, name) is None
