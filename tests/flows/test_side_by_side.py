"""Verbs beside each other and the world: other threads, folders and namespaces, old backups, endless input."""

from __future__ import annotations

import itertools
import json
import os
import shutil
import threading
from pathlib import Path

import pytest

from remanence import Mind
from remanence.errors import BreakerTripped, InvalidInput, PlanRefused
from remanence.model.plan import Action, Change, Plan
from remanence.opening import salvage
from tests.conftest import Clock, new_mind, only_files


def test_marks_of_several_minds_are_all_counted(tmp_path: Path) -> None:
    with new_mind(tmp_path / "m.db") as mind:
        id = mind.remember("Something to confirm").memory.id

        def confirm() -> None:
            with new_mind(tmp_path / "m.db") as other:
                for _ in range(20):
                    other.confirm(id)

        threads = [threading.Thread(target=confirm) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert mind.get(id).confirmations == 60


@only_files
def test_a_relative_path_means_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "elsewhere").mkdir()
    with new_mind("m.db") as mind:
        id = mind.remember("Stored before the folder changed").memory.id
        os.chdir(tmp_path / "elsewhere")
        mind.backup(tmp_path / "copy.db")
        certificate = mind.purge(ids=[id], reason="asked")
    assert certificate.files_checked[0] == str(tmp_path / "m.db")
    assert list((tmp_path / "elsewhere").iterdir()) == []
    with new_mind(tmp_path / "copy.db") as copy:
        assert copy.count() == 1


@only_files
@pytest.mark.parametrize("name", ["m.db", "m.db.lock", "m.db-wal", "m.db.purged"])
def test_an_export_never_writes_over_the_store(tmp_path: Path, name: str) -> None:
    with new_mind(tmp_path / "m.db") as mind:
        gone = mind.remember("Purged so that there is a ledger").memory.id
        mind.purge(ids=[gone], reason="asked")
        mind.remember("Still here")
        with pytest.raises(InvalidInput, match="belongs to the store"):
            mind.export(tmp_path / name)
        assert mind.check().ok
    with new_mind(tmp_path / "m.db") as mind:
        assert mind.count() == 1


def test_an_export_is_a_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with new_mind(tmp_path / "m.db") as mind, pytest.raises(InvalidInput, match="not a file"):
        mind.export(tmp_path / "pipe")


def test_an_import_from_a_pipe(tmp_path: Path) -> None:
    with new_mind(tmp_path / "m.db") as mind:
        mind.remember_many(["One fact", "Another thing"])
        mind.export(tmp_path / "out.jsonl")
    os.mkfifo(tmp_path / "pipe")
    feeder = threading.Thread(target=lambda: (tmp_path / "pipe").write_bytes((tmp_path / "out.jsonl").read_bytes()))
    feeder.start()
    with new_mind(tmp_path / "new.db") as fresh:
        assert fresh.import_(tmp_path / "pipe").added == 2
    feeder.join()


def test_a_restored_backup_is_purged_again_in_each_namespace(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with new_mind(path, namespace="a") as a, new_mind(path, namespace="b") as b:
        id = a.remember("The same memory in two namespaces").memory.id
        a.export(tmp_path / "out.jsonl")
        b.import_(tmp_path / "out.jsonl")
        a.purge(ids=[id], reason="asked")
        a.backup(tmp_path / "old.db")
        b.purge(ids=[id], reason="asked")
    for part in ("", "-wal", "-shm"):
        Path(f"{path}{part}").unlink(missing_ok=True)
    shutil.copy(tmp_path / "old.db", path)
    with new_mind(path, namespace="b") as b:
        assert b.count(state="all") == 0
        assert b.remember("The same memory in two namespaces").outcome == "blocked"
    assert b"in two namespaces" not in path.read_bytes()


@only_files
def test_salvage_keeps_namespaces_apart(tmp_path: Path) -> None:
    for namespace in ("a", "b"):
        with new_mind(tmp_path / "m.db", namespace=namespace) as mind:
            mind.remember(f"A fact of {namespace}")
    report = salvage(tmp_path / "m.db", tmp_path / "saved.jsonl", "a")
    assert (report.saved, report.in_other_namespaces) == (1, 1)
    assert json.loads((tmp_path / "saved.jsonl").read_text())["text"] == "A fact of a"


def test_recall_in_a_namespace_is_its_own(tmp_path: Path) -> None:
    with new_mind(tmp_path / "m.db", namespace="a") as a, new_mind(tmp_path / "m.db", namespace="b") as b:
        a.remember_many(["alpha one thing", "beta two other"])
        b.remember_many([f"alpha n{number} w{number}" for number in range(1200)])
        assert len(a.recall("alpha beta")) == 2
    with new_mind(tmp_path / "m.db", namespace="a") as a:
        assert len(a.recall("alpha beta")) == 2


def test_a_certificate_names_who_still_holds_the_words(tmp_path: Path) -> None:
    text = "Words that stand in two scopes at once"
    with new_mind(tmp_path / "m.db") as mind:
        first, second = (mind.remember(text, scope=scope).memory for scope in ("/a", "/b"))
        certificate = mind.purge(ids=[first.id], reason="asked")
        assert certificate.same_words_kept == (second.id,)
        assert certificate.texts_searched == 1
        assert mind.revise(second.id, importance=0.9).outcome == "superseded"


def test_the_reason_of_a_purge_can_be_read(mind: Mind) -> None:
    id = mind.remember("Something").memory.id
    mind.purge(ids=[id], reason="its owner left")
    assert mind.journal(limit=1)[0].note == "its owner left"


def test_undo_of_a_middle_version_leaves_one_live(mind: Mind, clock: Clock) -> None:
    made = []
    for town in ("Frankfurt", "Dublin", "Paris"):
        clock.advance(days=1)
        made.append(mind.remember(f"The deploy server stands in {town}"))
    undone = mind.undo(made[1].receipt_id)
    assert [memory.text for memory in mind.list()] == ["The deploy server stands in Paris"]
    assert undone.skipped[made[0].memory.id] == "another version of it is live"


def test_no_plan_gets_around_the_breaker_or_a_purge(mind: Mind) -> None:
    made = mind.remember_many([f"fact number n{number} w{number}" for number in range(40)])
    changes = tuple(
        Change(memory_id=one.memory.id, action=Action.ARCHIVE, reason="rule", after={"state": "archived"})
        for one in made
    )
    with pytest.raises(BreakerTripped):
        mind.apply(Plan(changes, verb="sweep", automatic=True))
    gone = made[0].memory
    mind.purge(ids=[gone.id], reason="asked")
    with pytest.raises(PlanRefused, match="purged"):
        mind.apply(Plan((Change.add(gone),), verb="dream"))
    assert mind.count() == 39


def test_a_memory_restored_after_its_expiry_is_found(mind: Mind, clock: Clock) -> None:
    id = mind.remember("A short-lived note", ttl="1d").memory.id
    mind.forget(ids=[id])
    clock.advance(days=3)
    mind.restore(ids=[id])
    assert [hit.memory.id for hit in mind.recall("note")] == [id]


def test_a_receipt_is_restored_to_where_everything_was(mind: Mind) -> None:
    old = mind.remember("The deploy server stands in Frankfurt").memory.id
    new = mind.remember("The deploy server stands in Dublin").memory.id
    receipt = mind.forget(scope="/")
    mind.restore(receipt=receipt.id)
    assert (mind.get(old).state, mind.get(new).state) == ("superseded", "live")


def test_many_ids_at_once(mind: Mind) -> None:
    made = mind.remember_many([f"n{number} w{number} v{number}" for number in range(40)])
    ids = [one.memory.id for one in made]
    assert len(mind.plan_forget(ids=ids * 900)) == 40


def test_endless_input_is_refused(mind: Mind) -> None:
    for scope in (itertools.repeat("/a"), (f"/{number}" for number in itertools.count())):
        with pytest.raises(InvalidInput, match="more than 1000"):
            mind.recall("x", scope=scope)
    with pytest.raises(InvalidInput, match="more than 100000"):
        mind.forget(ids=itertools.repeat("x"))


@pytest.mark.parametrize("wrong", [{"settings": "x"}, {"clock": 5}, {"namespace": ""}, {"policy": "none such"}])
def test_a_mind_says_what_it_cannot_take(wrong: dict) -> None:
    with pytest.raises(InvalidInput):
        Mind(":memory:", **wrong)


def test_a_plan_must_be_one(mind: Mind) -> None:
    with pytest.raises(InvalidInput):
        mind.apply(Plan("abc", verb="x"))  # type: ignore[arg-type]
    with pytest.raises(InvalidInput):
        mind.apply(Plan((), verb=5))  # type: ignore[arg-type]


@only_files
def test_who_writes_right_after_a_rollback_sees_nothing_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other thread gets its turn before the one that was rolled back has come to know of it."""
    with new_mind(tmp_path / "m.db") as mind:
        engine = mind._store._engine
        end, added = engine.end, []

        def add() -> None:
            added.append(mind.remember("delta epsilon", scope="/new").memory)

        def ended(error: BaseException | None) -> None:
            end(error)
            if error is not None:
                other = threading.Thread(
                    target=lambda: added.append(mind.remember("delta epsilon", scope="/new").memory)
                )
                other.start()
                other.join()

        monkeypatch.setattr(engine, "end", ended)
        with pytest.raises(ZeroDivisionError), mind._store.transaction():
            mind.remember("alpha beta gamma", scope="/new")
            raise ZeroDivisionError
        mind.remember("zeta eta theta", scope="/elsewhere")
        assert [memory.id for memory in mind.list(scope="/new")] == [added[0].id]
        assert mind.get(added[0].id) == added[0]
        assert mind.check().ok
