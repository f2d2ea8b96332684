"""R12: a full disk, a file that may not be written, one that is damaged, or none of ours: one clear error each.

Nothing is overwritten, what was acknowledged stays, and what can be read of a damaged file can be saved.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from remanence.errors import (
    InvalidInput,
    RemanenceError,
    StoreDamaged,
    StoreError,
    StoreReadOnly,
    StoreTooNew,
    StoreUnavailable,
)
from tests.crash.conftest import Child
from tests.crash.stores import drift, everything, opened, sound, statement, vocabulary

pytestmark = pytest.mark.promise("R12")

NOBODY = 65534
PAGE = 4096


def mounted(folder: Path, options: str) -> bool:
    return (
        os.geteuid() == 0
        and not subprocess.run(
            ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)], capture_output=True, check=False
        ).returncode
    )


@pytest.fixture
def disk() -> Iterator[Path]:
    """A small disk of its own that every user may reach."""
    folder = Path(tempfile.mkdtemp(prefix="rem-disk-"))
    folder.chmod(0o755)
    if not mounted(folder, "size=1500k,mode=777"):
        folder.rmdir()
        pytest.skip("no disk can be mounted here: it needs the rights of root")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)
    folder.rmdir()


def remount(disk: Path, options: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{options}", str(disk)], check=True)


def content(folder: Path, *besides: str) -> dict[str, bytes]:
    """The bytes of every file that has some, but for the index of the log, which is made anew at each opening."""
    skipped = ("-shm", *besides)
    files = {file.name: file.read_bytes() for file in folder.iterdir() if not file.name.endswith(skipped)}
    return {name: held for name, held in files.items() if held}


def made(path: Path, rows: int = 300) -> dict[str, dict[str, Any]]:
    """A store with so many memories, closed."""
    chance = random.Random(12)
    words = vocabulary(chance)
    with opened(path) as mind:
        mind.remember_many([{"text": statement(chance, words), "categories": ["some"]} for _ in range(rows)])
        return everything(mind)


# -- no room


def _filled(child: Child, path: Path) -> set[str]:
    answers = child.finish()
    ids = [answer for answer in answers if isinstance(answer, str)]
    refused, recalled, purged, copied, closed = [answer for answer in answers if isinstance(answer, dict)]
    assert len(ids) >= 5
    assert refused["typed"], refused
    assert "acknowledged is kept" in refused["message"]
    assert "\n" not in refused["message"]
    assert recalled == {"done": min(10, len(ids))}, "reading goes on"
    for answer in (purged, copied, closed):
        assert "done" in answer or answer["typed"], answer
    assert not list(path.parent.glob("*.part"))
    return set(ids[1:])


def test_a_full_disk_keeps_what_was_acknowledged(disk: Path, start: Callable[..., Child]) -> None:
    path = disk / "memory.db"
    ids = _filled(start("fill", path, 0), path)
    remount(disk, "size=30m")
    with opened(path, at=None) as mind:
        assert ids <= everything(mind).keys()
        assert mind.check().problems == ()
        assert mind.remember("There is room again").outcome == "added"
    sound(path)


def test_a_limit_on_file_size_keeps_what_was_acknowledged(path: Path, start: Callable[..., Child]) -> None:
    ids = _filled(start("fill", path, 800_000), path)
    with opened(path, at=None) as mind:
        assert ids <= everything(mind).keys()
        assert mind.check().problems == ()
        assert mind.remember("There is room again").outcome == "added"
    sound(path)


def test_a_disk_without_any_room_is_a_clear_error(disk: Path) -> None:
    (disk / "filler").write_bytes(b"x" * 1_400_000)
    with pytest.raises(StoreError) as caught, opened(disk / "memory.db") as mind:
        for number in range(1000):
            mind.remember(f"Number {number} {'filling ' * 40}")
    assert "\n" not in str(caught.value)


# -- not to be written


def test_a_read_only_disk_is_a_clear_error(disk: Path) -> None:
    path = disk / "memory.db"
    made(path, 20)
    before = content(disk)
    remount(disk, "ro")
    for wanted in (path, disk / "other.db", disk / "folder" / "other.db"):
        with pytest.raises(StoreReadOnly, match=r"cannot be written|read-only"), opened(wanted) as mind:
            mind.remember("Written in spite of everything")
    assert content(disk) == before
    remount(disk, "rw")
    sound(path)


@pytest.mark.parametrize("lock_there", [True, False])
@pytest.mark.parametrize(
    ("file_mode", "folder_mode"), [(0o444, 0o777), (0o666, 0o555), (0o444, 0o555), (0o000, 0o777), (0o600, 0o700)]
)
def test_a_file_or_folder_of_others_is_a_clear_error(
    start: Callable[..., Child], file_mode: int, folder_mode: int, lock_there: bool
) -> None:
    if os.geteuid() != 0:
        pytest.skip("acting as another user needs the rights of root")
    folder = Path(tempfile.mkdtemp(prefix="rem-rights-"))
    path = folder / "memory.db"
    try:
        made(path, 20)
        lock = Path(f"{path}.lock")
        if lock_there:
            lock.chmod(0o666)
        else:
            lock.unlink()
        path.chmod(file_mode)
        folder.chmod(folder_mode)
        before = content(folder)
        (answer,) = start("use_as", NOBODY, path).finish()
        assert answer.get("error") in ("StoreReadOnly", "StoreUnavailable"), answer
        assert str(path) in answer["message"]
        assert content(folder) == before
        sound(path)
    finally:
        shutil.rmtree(folder)


def test_an_immutable_file_is_a_clear_error(path: Path) -> None:
    made(path, 20)
    before = content(path.parent)
    done = (
        os.geteuid() == 0
        and shutil.which("chattr")
        and subprocess.run(["chattr", "+i", str(path)], capture_output=True, check=False)
    )
    if not done or done.returncode:
        pytest.skip("files cannot be made immutable here")
    try:
        with pytest.raises(StoreReadOnly), opened(path) as mind:
            mind.remember("Written in spite of everything")
    finally:
        subprocess.run(["chattr", "-i", str(path)], check=True)
    assert content(path.parent, "-wal") == before
    sound(path)


# -- not a whole store, or none of ours


@pytest.mark.parametrize("keep", [0.5, 0.9, 0.1, 0.503, "half a page", "one page", "header"])
def test_a_truncated_file_is_refused_and_left_alone(path: Path, keep: float | str) -> None:
    made(path)
    whole = path.read_bytes()
    sizes = {"half a page": PAGE // 2, "one page": PAGE, "header": 100}
    path.write_bytes(whole[: sizes[keep] if isinstance(keep, str) else int(len(whole) * keep)])
    before = content(path.parent)
    for _ in range(2):
        with pytest.raises(StoreDamaged, match=r"salvage|restore a backup"), opened(path) as mind:
            mind.remember("Written in spite of everything")
    assert content(path.parent, "-wal") == before


@pytest.mark.parametrize(
    "garbage",
    [b"x", b"just some text\n" * 400, bytes(range(256)) * 64, b"SQLite format 3\0" + b"\xff" * 8000, b"\0" * 9000],
)
def test_garbage_is_refused_and_left_alone(path: Path, garbage: bytes) -> None:
    path.write_bytes(garbage)
    for _ in range(2):
        with pytest.raises(StoreError), opened(path) as mind:
            mind.remember("Written in spite of everything")
    assert content(path.parent) == {path.name: garbage}


@pytest.mark.parametrize("setup", ["CREATE TABLE theirs(a)", "PRAGMA user_version=3", "PRAGMA application_id=77"])
@pytest.mark.parametrize("mode", ["delete", "wal"])
def test_another_programs_file_is_refused_and_left_alone(path: Path, setup: str, mode: str) -> None:
    theirs = sqlite3.connect(path)
    theirs.execute(f"PRAGMA journal_mode={mode}")
    theirs.execute(setup)
    theirs.commit()
    theirs.close()
    before = content(path.parent)
    for _ in range(2):
        with pytest.raises(StoreUnavailable, match="another program"), opened(path):
            pass
    assert content(path.parent, "-wal") == before


def test_a_newer_schema_is_refused_and_left_alone(path: Path) -> None:
    made(path, 20)
    theirs = sqlite3.connect(path)
    theirs.execute("PRAGMA user_version=2000")
    theirs.close()
    before = content(path.parent)
    with pytest.raises(StoreTooNew, match="2000"), opened(path):
        pass
    assert content(path.parent, "-wal") == before


def test_a_folder_is_no_file(path: Path) -> None:
    path.mkdir()
    with pytest.raises(StoreError), opened(path):
        pass
    with pytest.raises(StoreError), opened(path / "memory.db" / "x.db") as mind:
        mind.remember("fine")
        opened(path / "memory.db" / "x.db" / "y.db")


# -- damaged pages, and salvage


def _use(path: Path) -> set[str]:
    """Everything a caller might do with a file; the names of the errors, all of them ours."""
    errors = set()

    def tried(use: Callable[[], Any]) -> None:
        try:
            use()
        except RemanenceError as error:
            errors.add(type(error).__name__)

    def all_of_it() -> None:
        with opened(path, at=None) as mind:
            ids = []
            tried(lambda: ids.extend(memory.id for memory in mind.list(limit=1000)))
            tried(lambda: mind.recall("abc def ghi", reinforce=False))
            for id in ids[::20]:
                tried(lambda id=id: mind.get(id))
            tried(mind.stats)
            tried(lambda: mind.journal(limit=1000))
            tried(mind.check)
            tried(lambda: mind.check(repair=True))
            tried(lambda: mind.remember("Written to a damaged file"))
            tried(lambda: mind.forget(scope="/"))
            tried(lambda: mind.export(path.with_name("export.jsonl")))

    tried(all_of_it)
    return errors


@pytest.mark.parametrize("damage", ["zeroed", "noise", "one bit"])
def test_damage_to_any_page_gives_our_errors_only_and_what_is_readable_is_saved(
    path: Path, tmp_path: Path, seeded: Callable[[int], random.Random], damage: str
) -> None:
    from remanence.store.sqlite.salvage import salvage

    chance = seeded(122)
    memories = made(path)
    whole = path.read_bytes()
    pages = len(whole) // PAGE
    saved_of: list[int] = []
    for page in [0, *chance.sample(range(1, pages), min(pages - 1, 14))]:
        for file in path.parent.iterdir():
            file.unlink()
        damaged = bytearray(whole)
        start = page * PAGE
        if damage == "zeroed":
            damaged[start : start + PAGE] = bytes(PAGE)
        elif damage == "noise":
            damaged[start : start + PAGE] = chance.randbytes(PAGE)
        else:
            damaged[start + chance.randrange(PAGE)] ^= 1 << chance.randrange(8)
        path.write_bytes(damaged)
        out = tmp_path / f"saved-{page}.jsonl"
        try:
            report = salvage(path, out, "main")
        except StoreDamaged:  # the page of the table of tables
            assert not out.exists() or not out.read_text()
        else:
            lines = {line["id"]: line for line in map(json.loads, out.read_text().splitlines())}
            assert report.saved == len(lines)
            for id, line in lines.items():
                assert line["text"] == memories[id]["text"], "only what is as it was is saved"
            saved_of.append(len(lines))
            with opened(Path(":memory:")) as fresh:
                assert fresh.import_(out).added == len(lines)
        assert path.read_bytes() == damaged, "salvage leaves the file as it is"
        _use(path)
    print(f"saved of {len(memories)}: {sorted(saved_of)}")
    assert len(saved_of) >= 11
    assert sum(saved_of) >= len(saved_of) * len(memories) * 0.8


def test_salvage_reads_what_a_killed_writer_left_in_the_log(
    path: Path, tmp_path: Path, start: Callable[..., Child]
) -> None:
    from remanence.store.sqlite.salvage import salvage

    writer = start("add_many", path, "writer", 100_000)
    assert writer.next() == "ready"
    writer.say()
    ids = {writer.next() for _ in range(50)}
    ids |= {answer for answer in writer.kill() if isinstance(answer, str)}
    before = content(path.parent)
    report = salvage(path, tmp_path / "saved.jsonl", "main")
    saved = {json.loads(line)["id"] for line in (tmp_path / "saved.jsonl").read_text().splitlines()}
    assert ids <= saved
    assert report.saved == len(saved)
    assert content(path.parent) == before


def test_salvage_never_writes_over_a_file(path: Path, tmp_path: Path) -> None:
    from remanence.store.sqlite.salvage import salvage

    made(path, 5)
    taken = tmp_path / "taken.jsonl"
    taken.write_text("precious")
    with pytest.raises(InvalidInput):
        salvage(path, taken)
    with pytest.raises(RemanenceError):
        salvage(tmp_path / "nothing.db", tmp_path / "saved.jsonl")
    assert taken.read_text() == "precious"
    assert drift(path) == []
