"""A move that was stopped, or whose stores went on: it is finished by running it again, or refused as it stands."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
import pytest

from remanence import Mind
from remanence.errors import Conflict, InvalidInput, NotFound, RemanenceError, StoreDamaged, StoreUnavailable
from remanence.model.session import Observation
from remanence.opening import move
from remanence.store.postgres.admin import Administration
from remanence.store.sql.moving import captured, memories, parts, past
from remanence.store.sql.store import SqlStore
from tests.conftest import START, Clock, Entropy, new_mind
from tests.database.test_moving import SETTINGS, lived, told
from tests.embedders import Toy
from tests.interfaces.doors import typed
from tests.postgres import Cluster

WORD = "qwertymark"
SECRET = f"The {WORD} is the old name of the quiet zanzibar pond"
TEXTS = {"memories": "text", "revisions": "concat(before, after)", "recalls": "query", "observations": "text"}
KILLED = """
import os, signal, sys
from remanence.opening import move
from remanence.settings import Settings
from remanence.store.sql.moving import parts, past

parts.PAGE = past.PAGE = 5
real, left = past.Past._add_items, [3]

def add(self, page):
    real(self, page)
    left[0] -= 1
    if not left[0]:
        os.kill(os.getpid(), signal.SIGKILL)

past.Past._add_items = add
move(sys.argv[1], sys.argv[2], None, Settings(upkeep__on_open=False))
"""


class Cut(BaseException):
    """The process ends here."""


@pytest.fixture(params=["into a database", "into a file"])
def both(request: pytest.FixtureRequest, url: str, tmp_path: Path) -> tuple[str, str]:
    """Two stores, the first to be moved into the second."""
    file = str(tmp_path / "file.db")
    return (file, url) if request.param == "into a database" else (url, file)


@pytest.fixture
def small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (parts, memories, past, captured):
        monkeypatch.setattr(module, "PAGE", 5)


def cut_at(monkeypatch: pytest.MonkeyPatch, target: str, number: int) -> Callable[[], bool]:
    """A move into that store ends before the transaction of this number; whether it came so far."""
    real, left, hit = SqlStore.transaction, [number], []

    def transaction(self: SqlStore, **how: Any) -> Any:
        if target.endswith(self._engine.location.rpartition("/")[2]):
            left[0] -= 1
            if left[0] < 0:
                hit.append(True)
                raise Cut
        return real(self, **how)

    monkeypatch.setattr(SqlStore, "transaction", transaction)
    return lambda: bool(hit)


def unfinished(both: tuple[str, str], number: int = 5) -> None:
    """Leave an unfinished copy."""
    with pytest.MonkeyPatch.context() as patch, pytest.raises(Cut):
        cut_at(patch, both[1], number)
        move(*both, None, SETTINGS)


def holds(store: str, word: str) -> list[str]:
    """Where a word is still to be read."""
    if "://" not in store:
        return [
            str(path) for path in Path(store).parent.glob("*") if path.is_file() and word.encode() in path.read_bytes()
        ]
    with psycopg.connect(store) as raw:
        sql = "SELECT count(*) FROM remanence.{} WHERE lower({}) LIKE '%{}%'"
        return [
            table for table, texts in TEXTS.items() if raw.execute(sql.format(table, texts, word)).fetchone() != (0,)
        ]


def forgotten_once(mind: Mind) -> str:
    """A memory of the secret with a past: its id."""
    id = mind.remember(SECRET, key="secret", categories=("pond",)).memory.id
    mind.pin(id)
    mind.recall(WORD)
    mind.forget(ids=[id])
    mind.restore(ids=[id])
    return id


# -- stopped


@pytest.mark.parametrize("kind", ["database", "file"])
def test_stopped_anywhere_it_goes_on(
    cluster: Cluster, template: str, kind: str, tmp_path: Path, clock: Clock, small_pages: None
) -> None:
    first = cluster.url(cluster.new_database(template)) if kind == "file" else str(tmp_path / "first.db")
    lived(first, clock)
    before = told(first, clock)
    for number in count():
        target = str(tmp_path / f"{number}.db")
        if kind == "database":
            target = cluster.url(cluster.new_database(template))
        with pytest.MonkeyPatch.context() as patch:
            was_cut = cut_at(patch, target, number)
            with suppress(Cut):
                move(first, target, None, SETTINGS)
        (moved,) = move(first, target, None, SETTINGS)
        assert moved.rows["memories"] == len(before["memories"]), number
        assert told(target, clock) == before, number
        if kind == "database":
            cluster.execute(f"DROP DATABASE {target.rpartition('/')[2]} WITH (FORCE)")
        if not was_cut():
            break
    assert number > 30


def test_killed_while_the_journal_is_copied_it_goes_on(both: tuple[str, str], clock: Clock) -> None:
    lived(both[0], clock)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    ended = subprocess.run([sys.executable, "-c", KILLED, *both], env=environment, timeout=60, check=False)
    assert ended.returncode == -9
    move(*both, None, SETTINGS)
    assert told(both[1], clock) == told(both[0], clock)


def test_a_receipt_that_was_added_to_is_carried_over(both: tuple[str, str], clock: Clock) -> None:
    """A plan may be applied in parts, under one receipt, while others are made."""
    with new_mind(both[0], clock) as mind:
        some = [mind.remember(f"Note {number} about place {number}").memory.id for number in range(4)]
        first = mind.forget(ids=some[:2])
        mind.pin(some[3])
        move(*both, None, SETTINGS)
        mind._store.apply(mind.plan_forget(ids=some[2:3]), clock(), receipt_id=first.id)
    move(*both, None, SETTINGS)
    with new_mind(both[1], clock) as mind:
        assert len(mind._store.receipt(first.id).changes) == 3


# -- purged meanwhile


def test_what_is_purged_in_the_source_is_erased_in_the_target(both: tuple[str, str], clock: Clock) -> None:
    lived(both[0], clock)
    with new_mind(both[0], clock, embedder=Toy()) as mind:
        id = forgotten_once(mind)
        mind._store.sessions.append("s1", [Observation(role="user", text=SECRET, at=START, key="told")], "hook")
    move(*both, None, SETTINGS)
    assert holds(both[1], WORD)
    with new_mind(both[0], clock, embedder=Toy()) as mind:
        mind.purge(ids=[id], reason="asked")
    move(*both, None, SETTINGS)
    assert holds(both[1], WORD) == []
    assert told(both[1], clock) == told(both[0], clock)
    assert [one.written for one in move(*both, None, SETTINGS)] == [0]
    with new_mind(both[1], clock, embedder=Toy()) as mind:
        assert mind.remember(SECRET).outcome == "blocked"


def test_sessions_that_are_purged_in_the_source_are_erased_in_the_target(both: tuple[str, str], clock: Clock) -> None:
    with new_mind(both[0], clock) as mind:
        mind.remember("Another thing")
        mind._store.sessions.begin("s1", "/office/api", "test", START)
        mind._store.sessions.append("s1", [Observation(role="user", text=SECRET, at=START)], "hook")
    move(*both, None, SETTINGS)
    with new_mind(both[0], clock) as mind:
        mind.purge(scope="/office", reason="asked")
    move(*both, None, SETTINGS)
    assert holds(both[1], WORD) == []
    assert told(both[1], clock) == told(both[0], clock)


def test_what_is_purged_meanwhile_is_carried_over(both: tuple[str, str], clock: Clock, small_pages: None) -> None:
    lived(both[0], clock)
    ended = threading.Event()

    def write(mind: Mind) -> None:
        for number in range(120):  # without an end there would be the more to move the longer a move takes
            if ended.wait(0.03):
                return
            id = mind.remember(f"Meanwhile {number} a thing of its own {number * 7}").memory.id
            mind.pin(id)
            mind.forget(ids=[id])
            if number % 3:
                mind.restore(ids=[id])
            if number % 2:
                mind.purge(ids=[id], reason="meanwhile")

    with new_mind(both[0], clock, embedder=Toy()) as mind:
        mind._wait_seconds = 0.0
        writer = threading.Thread(target=write, args=(mind,))
        writer.start()
        try:
            for _ in range(3):
                move(*both, None, SETTINGS)
        finally:
            ended.set()
            writer.join()
    move(*both, None, SETTINGS)
    assert told(both[1], clock) == told(both[0], clock)


# -- unfinished


def test_an_unfinished_copy_is_read_and_not_written_to(both: tuple[str, str], clock: Clock) -> None:
    ids = lived(both[0], clock)
    with new_mind(both[1], clock, embedder=Toy(), entropy=Entropy(1)) as early:
        assert early.count() == 0
        unfinished(both)
        with new_mind(both[1], clock, embedder=Toy(), entropy=Entropy(2)) as late:
            for mind in (early, late):
                before = [entry.to_dict() for entry in mind.journal(limit=1000)]
                with pytest.raises(StoreUnavailable, match=r"unfinished copy .*rem migrate") as refused:
                    mind.remember("Written too early")
                assert "\n" not in str(refused.value)
                with pytest.raises(StoreUnavailable, match="unfinished copy"):
                    mind.forget(ids=[ids["heron"]])
                with pytest.raises(StoreUnavailable, match="unfinished copy"):
                    mind._store.sessions.begin("s2", "/office", "test", START)
                assert mind.recall("heron lake")[0].memory.id == ids["heron"]
                assert mind.get(ids["heron"]).state == "live"
                assert [entry.to_dict() for entry in mind.journal(limit=1000)] == before
        move(*both, None, SETTINGS)
        assert told(both[1], clock) == told(both[0], clock)
        early.remember("Written in time")
        with new_mind(both[1], clock, embedder=Toy(), entropy=Entropy(3)) as late:
            late.remember("And once more")
            assert late.check().problems == ()


def test_an_unfinished_copy_is_no_source(both: tuple[str, str], tmp_path: Path, clock: Clock) -> None:
    lived(both[0], clock)
    unfinished(both)
    other = str(tmp_path / "other.db")
    with pytest.raises(StoreUnavailable, match=both[1].rpartition("/")[2]):
        move(both[1], other, None, SETTINGS)
    with new_mind(other, clock) as mind:
        mind.remember("It is nobody's copy")


def test_the_command_says_that_a_copy_is_unfinished(both: tuple[str, str], clock: Clock) -> None:
    lived(both[0], clock)
    unfinished(both)
    at = ["--db", both[1], "--namespace", "test"]
    code, _, said = typed([*at, "remember", "Written too early"])
    assert code == 1
    assert "unfinished copy" in said
    assert "defect" not in said
    code, out, _ = typed([*at, "recall", "heron lake"])
    assert code == 0
    assert "heron" in out


def test_two_moves_at_once_do_not_meet(both: tuple[str, str], clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    lived(both[0], clock)
    real = past.Past.copy_tombstones

    def overtaken(self: past.Past) -> None:
        monkeypatch.setattr(past.Past, "copy_tombstones", real)
        move(*both, None, SETTINGS)
        with new_mind(both[1], clock, embedder=Toy(), entropy=Entropy(1)) as mind:
            mind.pin(mind.list()[0].id)
            mind.remember("Written after the other had ended")
        before.update(told(both[1], clock))
        real(self)

    before: dict[str, Any] = {}
    monkeypatch.setattr(past.Past, "copy_tombstones", overtaken)
    with pytest.raises(Conflict, match="Another rem migrate"):
        move(*both, None, SETTINGS)
    assert told(both[1], clock) == before


def test_another_namespace_of_a_database_is_written_to_meanwhile(url: str, tmp_path: Path, clock: Clock) -> None:
    first = str(tmp_path / "first.db")
    lived(first, clock)
    unfinished((first, url))
    with new_mind(url, clock, namespace="other") as mind:
        mind.remember("Another team goes on")


# -- used since


def _pin(mind: Mind, ids: dict[str, str]) -> None:
    mind.pin(ids["deploy"])


def _lift(mind: Mind, ids: dict[str, str]) -> None:
    mind._store.lift(["A purged sentence about the quiet pond"], START)


def _observe(mind: Mind, ids: dict[str, str]) -> None:
    mind._store.sessions.append("s1", [Observation(role="user", text="more", at=START, key="more")], "hook")


def _begin(mind: Mind, ids: dict[str, str]) -> None:
    mind._store.sessions.begin("s2", "/office/api", "test", START)
    mind._store.sessions.append("s2", [Observation(role="user", text="new", at=START, key="new")], "hook")


def _choose(mind: Mind, ids: dict[str, str]) -> None:
    mind.policies.use("balanced")


USES: dict[str, Callable[[Mind, dict[str, str]], object]] = {
    "forget": lambda mind, ids: mind.forget(ids=[ids["deploy"]]),
    "purge": lambda mind, ids: mind.purge(ids=[ids["deploy"]], reason="asked"),
    "remember": lambda mind, ids: mind.remember("Only in the target"),
    "pin": _pin,
    "lift": _lift,
    "observe": _observe,
    "begin": _begin,
    "choose": _choose,
}


@pytest.mark.parametrize("goes_on", [False, True])
@pytest.mark.parametrize("use", USES)
def test_a_target_that_was_used_since_is_left_as_it_is(
    both: tuple[str, str], clock: Clock, use: str, goes_on: bool
) -> None:
    ids = lived(both[0], clock)
    move(*both, None, SETTINGS)
    clock.advance(hours=1)
    if goes_on:
        with new_mind(both[0], clock, embedder=Toy(), entropy=Entropy(1)) as mind:
            mind.unpin(ids["heron"])
    with new_mind(both[1], clock, embedder=Toy(), entropy=Entropy(2)) as mind:
        USES[use](mind, ids)
    before = told(both[1], clock)
    with pytest.raises(InvalidInput, match=r"lacks.*empty") as refused:
        move(*both, None, SETTINGS)
    assert "\n" not in str(refused.value)
    assert told(both[1], clock) == before
    with new_mind(both[1], clock, embedder=Toy(), entropy=Entropy(3)) as mind:
        mind.remember("It goes on")


def test_back_onto_the_old_file_it_goes_with_what_was_purged_since(url: str, tmp_path: Path, clock: Clock) -> None:
    old = str(tmp_path / "old.db")
    lived(old, clock)
    with new_mind(old, clock, embedder=Toy()) as mind:
        id = forgotten_once(mind)
    move(old, url, None, SETTINGS)
    with new_mind(url, clock, embedder=Toy(), entropy=Entropy(1)) as mind:
        mind.purge(ids=[id], reason="asked")
        mind.remember("Written in the database since")
    move(url, old, None, SETTINGS)
    assert holds(old, WORD) == []
    assert told(old, clock) == told(url, clock)
    with new_mind(old, clock, embedder=Toy(), entropy=Entropy(2)) as mind:
        mind.remember("And the file goes on from there")
    move(old, url, None, SETTINGS)
    assert told(old, clock) == told(url, clock)


def test_a_file_that_was_removed_is_made_anew(url: str, tmp_path: Path, clock: Clock) -> None:
    """What lists the purged texts beside it is still there."""
    file = tmp_path / "file.db"
    lived(file, clock)
    move(str(file), url, None, SETTINGS)
    file.unlink()
    assert file.with_name("file.db.purged").exists()
    move(url, str(file), None, SETTINGS)
    assert told(file, clock) == told(url, clock)
    with new_mind(file, clock, embedder=Toy()) as mind:
        assert mind.remember("A purged sentence about the quiet pond").outcome == "blocked"


def test_receipts_of_others_under_the_same_numbers_are_seen_first(url: str, tmp_path: Path, clock: Clock) -> None:
    file = str(tmp_path / "file.db")
    lived(url, clock)
    lived(file, clock, "other")
    before = told(file, clock, "other")
    with pytest.raises(InvalidInput, match="same numbers"):
        move(url, file, None, SETTINGS)
    assert told(file, clock, "other") == before
    with new_mind(file, clock, namespace="other") as mind:
        mind.remember("It goes on")
        assert mind.count(state="all") == len(before["memories"]) + 1


# -- what is not there, and what is the same


def test_a_store_is_known_under_another_address(url: str, tmp_path: Path, clock: Clock) -> None:
    file, link = tmp_path / "file.db", tmp_path / "link.db"
    lived(file, clock)
    lived(url, clock)
    link.symlink_to(file)
    (tmp_path / "sub").mkdir()
    others = (
        (str(file), str(link)),
        (str(file), f"{tmp_path}/sub/../file.db"),
        (url, f"{url}?application_name=x"),
        (url, url.replace("127.0.0.1", "localhost")),
    )
    for pair in others:
        with pytest.raises(InvalidInput, match="same store"):
            move(*pair, None, SETTINGS)


def test_nothing_is_made_where_there_is_nothing(empty_url: str, url: str, tmp_path: Path, clock: Clock) -> None:
    target, blank, other = tmp_path / "target.db", tmp_path / "blank.db", tmp_path / "other.db"
    file = tmp_path / "file.db"
    blank.touch()
    other.write_text("This is a letter, and no store at all. " * 10)
    lived(file, clock)
    lived(url, clock)
    folder = {path.name for path in tmp_path.iterdir()}
    for source in (empty_url, str(blank), str(other), str(tmp_path / "none.db")):
        with pytest.raises(RemanenceError) as refused:
            move(source, str(target), None, SETTINGS)
        assert "\n" not in str(refused.value)
    for source in (str(file), url):
        with pytest.raises(NotFound, match=r"'typo'.*test"):
            move(source, str(target), ["typo"], SETTINGS)
        with new_mind(source, clock) as mind:
            assert mind._store.namespaces() == ["test"]
    assert {path.name for path in tmp_path.iterdir()} == folder
    assert blank.stat().st_size == 0
    with psycopg.connect(empty_url) as raw:
        made = "SELECT count(*) FROM pg_namespace WHERE nspname = 'remanence'"
        assert raw.execute(made).fetchone() == (0,)
        assert raw.execute("SELECT count(*) FROM pg_extension WHERE extname = 'vector'").fetchone() == (0,)
    code, _, said = typed(["--namespace", "typo", "migrate", "--from", str(file), "--to", str(target)])
    assert code == 3
    assert "typo" in said


@pytest.fixture
def bob(cluster: Cluster, url: str) -> Iterator[str]:
    """The address for a role that may use what it is granted."""
    cluster.execute("CREATE ROLE bob LOGIN PASSWORD 'b'")
    yield url.replace(f"postgres:{cluster.password}@", "bob:b@")
    cluster.execute("DROP OWNED BY bob", database=url.rpartition("/")[2])
    cluster.execute("DROP ROLE bob")


def test_a_role_moves_what_it_may_use(url: str, bob: str, tmp_path: Path, clock: Clock) -> None:
    for namespace in ("one", "two", "three"):
        lived(url, clock, namespace)
    with closing(Administration(url)) as keeper:
        keeper.grant("bob", ["one", "three"])
    copy = str(tmp_path / "copy.db")
    assert [one.namespace for one in move(bob, copy, None, SETTINGS)] == ["one", "three"]
    assert told(copy, clock, "three") == told(url, clock, "three")
    with pytest.raises(NotFound, match="'two'"):
        move(bob, copy, ["two"], SETTINGS)
    with new_mind(copy, clock, namespace="one", embedder=Toy(), entropy=Entropy(1)) as mind:
        mind.remember("Written in the copy since")
    move(copy, bob, ["one"], SETTINGS)
    assert told(copy, clock, "one") == told(url, clock, "one")
    with new_mind(bob, clock, namespace="one", embedder=Toy(), entropy=Entropy(2)) as mind:
        mind.remember("And then in the database")


def test_a_move_that_is_done_again_leaves_no_mark(both: tuple[str, str], clock: Clock) -> None:
    lived(both[0], clock)
    for _ in range(3):
        move(*both, None, SETTINGS)
    with new_mind(both[1], clock, embedder=Toy(), entropy=Entropy(1)) as mind:
        mind.remember("It is finished")


def test_a_row_that_cannot_be_read_is_said(url: str, tmp_path: Path, clock: Clock) -> None:
    file = tmp_path / "memory.db"
    with new_mind(file, clock) as mind:
        mind.remember("The heron nests by the lake", metadata={"seen": 3})
        with mind._store._engine.write() as connection:  # type: ignore[attr-defined]
            connection.execute("UPDATE memories SET metadata='{'")
    with pytest.raises(StoreDamaged, match="rem check") as refused:
        move(str(file), url, None, SETTINGS)
    assert str(file) in str(refused.value)
