"""R3, R4, R5, R23: many processes and threads on one file; none loses a write, waits to read, or miscounts."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

import pytest

from remanence.errors import InvalidInput, StoreUnavailable
from remanence.model.selection import Selection
from tests.crash.conftest import Child
from tests.crash.stores import drift, dump, everything, opened, sound
from tests.reliability.recording import Measured

FULL = [pytest.mark.full, pytest.mark.alone, pytest.mark.timeout(3600)]


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def begin(children: list[Child]) -> None:
    """Let them go at once, when all are ready."""
    assert [child.next() for child in children] == ["ready"] * len(children)
    for child in children:
        child.say()


@pytest.mark.promise("R3")
@pytest.mark.parametrize(("processes", "adds", "limit_ms"), [(4, 150, None), pytest.param(8, 1000, 100, marks=FULL)])
def test_writers_share_a_file(
    path: Path, start: Callable[..., Child], processes: int, adds: int, limit_ms: float | None, measured: Measured
) -> None:
    opened(path).close()
    writers = [start("add_many", path, f"writer{number}", adds) for number in range(processes)]
    begin(writers)
    answers = [writer.finish() for writer in writers]
    ids = {id for answer in answers for id in answer[:-1]}
    took = [ms for answer in answers for ms in answer[-1]]
    p99 = percentile(took, 0.99)
    size = f"{processes} processes × {adds:,} adds"
    limits = {} if limit_ms is None else {"p99_ms": limit_ms}
    measured(size, at_most=limits, errors=0, p50_ms=percentile(took, 0.5), p99_ms=p99, longest_ms=max(took))
    assert len(ids) == processes * adds
    with opened(path) as mind:
        assert everything(mind).keys() == ids
    sound(path)


@pytest.mark.promise("R4")
@pytest.mark.parametrize(("readers", "writers", "number"), [(4, 2, 60), pytest.param(16, 4, 500, marks=FULL)])
def test_readers_with_writers(
    path: Path, start: Callable[..., Child], readers: int, writers: int, number: int, measured: Measured
) -> None:
    with opened(path) as mind:
        mind.remember("The lighthouse keeper counts ships")
    writing = [start("add_many", path, f"writer{n}", number * 2) for n in range(writers)]
    reading = [start("read_many", path, "lighthouse keeper", number) for _ in range(readers)]
    begin(writing + reading)
    took = [ms for child in reading for ms in child.finish()[-1]]
    for child in writing:
        child.finish()
    size = f"{readers} readers, {writers} writers, {len(took):,} recalls"
    measured(size, locked=0, p50_ms=percentile(took, 0.5), p99_ms=percentile(took, 0.99), longest_ms=max(took))
    with opened(path) as mind:
        assert mind.count() == writers * number * 2 + 1
    sound(path)


@pytest.mark.promise("R4")
def test_a_read_waits_for_no_writer(path: Path, start: Callable[..., Child], measured: Measured) -> None:
    with opened(path, at=None) as mind:
        id = mind.remember("The lighthouse keeper counts ships").memory.id
        mind.recall("lighthouse")
        writer = start("hold_write", path)
        assert writer.next() == "held"
        begun = perf_counter()
        try:
            for count in range(2, 40):
                assert [hit.memory.id for hit in mind.recall("lighthouse keeper")] == [id]
                assert mind.get(id).access_count == count
            assert mind.count() == 1
            assert mind.list()
            assert mind.history(id)
            assert mind.recall("never committed") == []
            with opened(path, at=None) as fresh:
                assert fresh.recall("lighthouse", reinforce=False)
            took = perf_counter() - begun
        finally:
            writer.say()
        measured("38 recalls and more while a write is held", took_s=took)
        assert took < 5, f"reading took {took:.1f} s while a writer held the file"
        assert writer.finish() == ["taken back"]
    with opened(path) as mind:
        assert mind.get(id).access_count == 39
        assert mind.count(state="all") == 1


@pytest.mark.promise("R5")
@pytest.mark.parametrize(("processes", "recalls"), [(3, 100), pytest.param(8, 1000, marks=FULL)])
def test_every_access_is_counted(
    path: Path, start: Callable[..., Child], processes: int, recalls: int, measured: Measured
) -> None:
    with opened(path) as mind:
        id = mind.remember("The lighthouse keeper counts ships").memory.id
    children = [start("recall_many", path, "lighthouse keeper", recalls) for _ in range(processes)]
    begin(children)
    assert [child.finish() for child in children] == [[id]] * processes
    with opened(path) as mind:
        memory = mind.get(id)
        measured(f"{processes} processes × {recalls:,} recalls", counted=memory.access_count)
        assert memory.access_count == processes * recalls
        assert len(memory.recent_accesses) == 20
        assert memory.last_accessed_at == max(memory.recent_accesses)
    sound(path)


@pytest.mark.parametrize("by_columns", [False, True])
def test_an_access_on_its_way_to_the_file_is_counted_once(
    path: Path, monkeypatch: pytest.MonkeyPatch, by_columns: bool
) -> None:
    """A reader that looked right before the write began sees it in the file, and still pending: it must look again."""
    with opened(path, at=None) as mind:
        id = mind.remember("The lighthouse keeper counts ships").memory.id
        accesses = mind._store._accesses
        monkeypatch.setattr("remanence.store.sql.accesses._EVERY_SECONDS", 3600)
        mind._store.flush()
        in_file, go_on = threading.Event(), threading.Event()
        drop, steady = accesses._drop, accesses.steady

        def slow_drop(taken: dict[int, list[int]]) -> None:
            in_file.set()
            go_on.wait(10)
            drop(taken)

        def steady_then_written() -> int:
            epoch = steady()
            if not in_file.is_set():
                threads.append(threading.Thread(target=accesses.flush))
                threads[0].start()
                in_file.wait(10)
                threading.Timer(0.2, go_on.set).start()
            return epoch

        threads: list[threading.Thread] = []
        mind.recall("lighthouse keeper")
        monkeypatch.setattr(accesses, "_drop", slow_drop)
        monkeypatch.setattr(accesses, "steady", steady_then_written)
        if by_columns:
            (counted,) = mind._store.columns(Selection()).access_count.tolist()
        else:
            counted = mind.get(id).access_count
        assert counted == 1
        threads[0].join()


def test_own_accesses_are_exact_while_they_are_being_written(path: Path) -> None:
    """Between the commit of pending accesses and their leaving the list, none is seen twice or not at all."""
    with opened(path, at=None) as mind:
        id = mind.remember("The lighthouse keeper counts ships").memory.id
        ended = threading.Event()

        def write_on() -> None:
            while not ended.is_set():
                mind._store.flush()

        thread = threading.Thread(target=write_on)
        thread.start()
        try:
            wrong = []
            for count in range(1, 1500):
                mind.recall("lighthouse keeper")
                if (seen := mind.get(id).access_count) != count:
                    wrong.append((count, seen))
                (counted,) = mind._store.columns(Selection()).access_count.tolist()
                if counted != count:
                    wrong.append((count, counted))
        finally:
            ended.set()
            thread.join()
        assert wrong == []


def test_threads_share_a_mind(path: Path) -> None:
    errors: list[BaseException] = []
    with opened(path, at=None) as mind:
        shared = mind.remember("The lighthouse keeper counts ships").memory.id

        def work(name: str) -> None:
            try:
                for number in range(40):
                    memory = mind.remember(f"{name} said {number} {name}{number}", scope=f"/{name}").memory
                    mind.recall("lighthouse keeper", scope="/")
                    assert mind.get(memory.id).text == memory.text
                    if number % 10 == 9:
                        mind.forget(ids=[memory.id])
            except BaseException as error:
                errors.append(error)

        threads = [threading.Thread(target=work, args=(f"thread{number}",)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert errors == []
        assert mind.get(shared).access_count == 320
        assert mind.count() == 8 * 36 + 1
    with opened(path) as mind:
        assert mind.get(shared).access_count == 320
        assert mind.count(state="all") == 321
    sound(path)


FORKED = """
import os, sys
from pathlib import Path
from remanence import Mind
from remanence.errors import StoreUnavailable

mind = Mind(Path(sys.argv[1]))
mind.remember("Before the fork")
mind.recall("before")
reader, writer = os.pipe()
child = os.fork()
if child == 0:
    said = []
    for use in (lambda: mind.remember("In the child"), lambda: mind.recall("fork"), mind.list, mind.check, mind.stats):
        try:
            use()
            said.append("it worked")
        except StoreUnavailable as error:
            said.append(str(error))
    mind.close()
    with Mind(Path(sys.argv[1])) as own:
        own.remember("In the child, by a mind of its own")
    os.write(writer, "\\n".join(said).encode())
    sys.exit(0)
os.close(writer)
said = b""
while part := os.read(reader, 65536):
    said += part
_, status = os.waitpid(child, 0)
mind.remember("After the fork")
assert mind.recall("fork")
mind.close()
print(status)
print(said.decode())
"""


def test_a_fork_is_refused_in_the_child_and_harmless_to_the_parent(path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FORKED, str(path)],
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.returncode == 0, done.stderr
    status, *said = done.stdout.splitlines()
    assert status == "0"
    assert len(said) == 5
    assert all("after a fork, open a new Mind in the child" in line for line in said)
    assert done.stderr == ""
    sound(path)
    assert sorted(row[5] for row in dump(path)["memories"]) == [
        "After the fork",
        "Before the fork",
        "In the child, by a mind of its own",
    ]


def test_leaving_a_forked_child_is_silent(path: Path) -> None:
    """A child that never touches the mind it inherited ends without a word, pending accesses or not."""
    code = (
        "import os, sys; from pathlib import Path; from remanence import Mind\n"
        "mind = Mind(Path(sys.argv[1])); mind.remember('Before the fork'); mind.recall('fork')\n"
        "child = os.fork()\n"
        "if child == 0: sys.exit(0)\n"
        "_, status = os.waitpid(child, 0); mind.close(); sys.exit(status)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)],
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert dump(path)["lives"][0][13] == 1, "the access is counted once"
    sound(path)


@pytest.mark.promise("R23")
@pytest.mark.parametrize(("writers", "adds", "backups"), [(4, 100, 4), pytest.param(4, 1000, 20, marks=FULL)])
def test_a_backup_under_writers_holds_every_acknowledged_write(
    path: Path, tmp_path: Path, start: Callable[..., Child], writers: int, adds: int, backups: int, measured: Measured
) -> None:
    copies: list[tuple[Path, set[str]]] = []
    with opened(path, at=None) as mind:
        first = mind.remember("There before everything", categories=["first"], key="first").memory
        mind.recall("before everything")
        children = [start("add_many", path, f"writer{number}", adds) for number in range(writers)]
        begin(children)
        acknowledged: set[str] = {first.id}
        lock = threading.Lock()

        def listen(child: Child) -> None:
            while isinstance(id := child.next(), str):
                with lock:
                    acknowledged.add(id)

        threads = [threading.Thread(target=listen, args=(child,)) for child in children]
        for thread in threads:
            thread.start()
        for number in range(backups):
            while len(acknowledged) < (number + 1) * writers * adds // (backups + 1):
                assert any(thread.is_alive() for thread in threads)
            with lock:
                before = set(acknowledged)
            copies.append((mind.backup(tmp_path / f"backup{number}.db"), before))
        for thread in threads:
            thread.join()
        for child in children:
            child.finish()
        whole = mind.backup(tmp_path / "whole.db")
        memories = everything(mind)
    measured(f"{backups} backups under {writers} writers × {adds:,} adds", acknowledged=len(memories))
    assert len(memories) == writers * adds + 1
    for copy, before in copies:
        with opened(copy) as other:
            held = everything(other)
            assert before <= held.keys()
            assert all(memories[id] == memory for id, memory in held.items())
            assert other.check().ok
    assert dump(whole) == dump(path)
    assert drift(whole) == []


def test_a_backup_never_writes_over_a_file(path: Path, tmp_path: Path) -> None:
    taken = tmp_path / "taken.db"
    taken.write_text("precious")
    with opened(path) as mind:
        mind.remember("Something")
        for there in (taken, path, tmp_path):
            with pytest.raises(InvalidInput):
                mind.backup(there)
        with pytest.raises(StoreUnavailable):
            mind.backup(tmp_path / "no such folder" / "copy.db")
        mind.backup(tmp_path / "new.db")
    assert taken.read_text() == "precious"
    assert not list(tmp_path.glob("*.part"))
    sound(path)
