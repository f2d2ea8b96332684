"""S8: what was purged is not learned again by any door, unless told so; an old copy is purged when opened."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from remanence.errors import StoreError
from tests.crash.stores import archive, buried, holders, ledger, opened, sound

pytestmark = pytest.mark.promise("S8")

TEXT = "The safe opens with seven eight nine"


def test_the_same_text_is_refused_by_every_door(path: Path, tmp_path: Path) -> None:
    with opened(path, at=None) as mind:
        mind.remember("Something else entirely")
        id = mind.remember(TEXT, key="safe").memory.id
        other = mind.remember("A note about the weather").memory
        mind.export(tmp_path / "old.jsonl")
        mind.purge(ids=[id], reason="asked to")
        for again in (TEXT, TEXT.upper(), f"  {TEXT.replace(' ', '   ')}\n", TEXT.replace(" ", "\t")):
            done = mind.remember(again)
            assert (done.outcome, done.memory, done.receipt_id) == ("blocked", None, None), again
        assert mind.remember(TEXT, scope="/elsewhere", kind="note", key="safe").outcome == "blocked"
        assert [done.outcome for done in mind.remember_many([TEXT, "Something new"])] == ["blocked", "added"]
        assert mind.revise(other.id, text=TEXT).outcome == "blocked"
        assert mind.get(other.id).state == "live"
        imported = mind.import_(tmp_path / "old.jsonl")
        assert (imported.added, imported.blocked, imported.present) == (0, 1, 2)
        assert mind.recall("safe opens") == []
    assert holders(path.parent, ["safe opens"]) == {}
    with opened(path, at=None) as mind:
        assert mind.remember(TEXT).outcome == "blocked"
        assert mind.import_(tmp_path / "old.jsonl").blocked == 1
    with opened(path.with_name("fresh.db"), at=None) as fresh:
        assert fresh.remember(TEXT).outcome == "added", "another store knows nothing of it"
    sound(path)


def test_another_namespace_may_know_what_this_one_purged(path: Path) -> None:
    from remanence import Mind
    from remanence.settings import Settings

    with opened(path, at=None) as mind, Mind(path, namespace="other", settings=Settings()) as other:
        id = mind.remember(TEXT).memory.id
        kept = other.remember(TEXT).memory
        certificate = mind.purge(ids=[id], reason="asked to")
        assert certificate.purged == (id,)
        assert other.get(kept.id).text == TEXT
        assert other.remember(TEXT).outcome == "duplicate"
        assert mind.remember(TEXT).outcome == "blocked"


def test_told_so_it_is_learned_again_and_stays_so(path: Path) -> None:
    with opened(path, at=None) as mind:
        mind.purge(ids=[mind.remember(TEXT).memory.id], reason="asked to")
        again = mind.remember(TEXT, relearn=True)
        assert again.outcome == "added"
        assert mind.remember(TEXT).outcome == "duplicate"
    assert ledger(path) == buried(path)
    with opened(path, at=None) as mind:
        assert mind.get(again.memory.id).text == TEXT
        mind.forget(ids=[again.memory.id])
        assert mind.remember(TEXT).outcome == "added"
        mind.purge(ids=[again.memory.id], reason="once more")
        assert mind.remember(TEXT).outcome in ("blocked", "duplicate")
    sound(path)


def _put_back(copy: Path, path: Path) -> None:
    for left in ("", "-wal", "-shm"):
        Path(f"{path}{left}").unlink(missing_ok=True)
    shutil.copy(copy, path)


def test_an_old_copy_put_in_place_is_purged_when_opened(path: Path, tmp_path: Path) -> None:
    with opened(path, at=None) as mind:
        doomed = [mind.remember(f"{TEXT} {word}").memory for word in ("and alpha", "or beta", "but gamma", "yet delta")]
        mind.forget(ids=[doomed[1].id])
        archive(mind, doomed[2])
        kept = mind.remember("The weather was fine").memory
        copy = mind.backup(tmp_path / "old.db")
        later = mind.remember("Written after the copy: omega").memory
        mind.purge(ids=[memory.id for memory in doomed], reason="asked to")
        mind.purge(ids=[later.id], reason="x")
    assert holders(path.parent, ["safe opens", "omega"]) == {}
    _put_back(copy, path)
    with opened(path, at=None) as mind:
        assert [memory.id for memory in mind.list(state="all")] == [kept.id]
        assert holders(path.parent, ["safe opens"]) == {}
        assert mind.recall("safe") == []
        assert mind.remember(f"{TEXT} and alpha").outcome == "blocked"
        assert mind.remember("Written after the copy: omega").outcome == "blocked"
        assert mind.check().ok
    assert holders(path.parent, ["safe opens", "omega"]) == {}
    assert ledger(path).keys() == {memory.id.replace("-", "") for memory in (*doomed, later)}
    assert ledger(path) == buried(path)
    sound(path)


def test_an_old_copy_knows_what_was_allowed_again_after_it(path: Path, tmp_path: Path) -> None:
    """Copied while blocked, allowed again later: the ledger is the newer word."""
    with opened(path, at=None) as mind:
        mind.purge(ids=[mind.remember(TEXT).memory.id], reason="asked to")
        copy = mind.backup(tmp_path / "old.db")
        mind.remember(TEXT, relearn=True)
    _put_back(copy, path)
    with opened(path, at=None) as mind:
        assert mind.remember(TEXT).outcome == "added"


@pytest.mark.parametrize("content", ["{", "[]\n", "\0\0\0", '{"id": "x"}\n', "not json at all\n"])
def test_a_damaged_ledger_is_a_clear_error(path: Path, content: str) -> None:
    with opened(path, at=None) as mind:
        mind.purge(ids=[mind.remember(TEXT).memory.id], reason="asked to")
        kept = mind.remember("The weather was fine").memory
    beside = path.with_name(path.name + ".purged")
    beside.write_text(content)
    try:
        with opened(path, at=None) as mind:
            assert mind.get(kept.id).text == "The weather was fine"
            assert mind.remember(TEXT).outcome == "blocked"
    except StoreError as error:
        assert str(beside) in str(error)


def test_a_lost_ledger_is_written_anew(path: Path) -> None:
    with opened(path, at=None) as mind:
        mind.purge(ids=[mind.remember(TEXT).memory.id], reason="asked to")
    path.with_name(path.name + ".purged").unlink()
    with opened(path, at=None) as mind:
        assert mind.remember(TEXT).outcome == "blocked"
    assert ledger(path) == buried(path)
