"""purge: what it destroys, what it names on its certificate, what it leaves behind."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from remanence import Mind
from remanence.errors import InvalidInput, NotFound
from tests.conftest import Clock, dump, only_files

SECRET = "The vault opens with the word xylophone9"


def bytes_beside(path: Path) -> bytes:
    return b"".join(file.read_bytes() for file in path.parent.iterdir() if file.is_file())


@pytest.mark.promise("S7")
def test_a_purged_memory_is_gone(mind_file: Mind, tmp_path: Path, clock: Clock) -> None:
    mind = mind_file
    memory = mind.remember(
        SECRET, categories=["xylotag"], metadata={"m": "xylometa"}, origin="xyloorigin", files=["xylofile"]
    ).memory
    mind.pin(memory.id)
    mind.recall("vault")
    kept = mind.remember("Alice lives in Oslo").memory
    certificate = mind.purge(ids=[memory.id], reason="data request 12")
    assert certificate.purged == (memory.id,)
    assert (certificate.at, certificate.reason, certificate.verified) == (clock.now, "data request 12", True)
    assert certificate.to_dict()["verified"] is True
    with pytest.raises(NotFound):
        mind.get(memory.id)
    assert mind.count(state="all") == 1
    assert mind.recall("vault") == mind.recall("vault", as_of=clock.now) == []
    assert mind.get(kept.id) == kept
    assert b"xylo" not in bytes_beside(tmp_path / "memory.db").lower()


@pytest.mark.promise("S7")
def test_older_versions_and_everything_made_from_it_go_too(mind: Mind) -> None:
    old = mind.remember("The deploy server stands in Frankfurt").memory.id
    new = mind.remember("The deploy server stands in Dublin").memory.id
    child = mind.remember("A summary of servers", lineage=[old], scope="/summary").memory.id
    grandchild = mind.remember("An insight on towns", lineage=[child], kind="insight").memory.id
    other = mind.remember("Unrelated", lineage=["01890000-0000-7000-8000-000000000000"]).memory.id
    certificate = mind.purge(ids=[new], reason="asked")
    assert set(certificate.purged) == {old, new, child, grandchild}
    assert set(certificate.older_versions) == {old}
    assert set(certificate.derived) == {child, grandchild}
    assert certificate.kept_newer_versions == ()
    assert [memory.id for memory in mind.list(state="all")] == [other]
    for text in ("The deploy server stands in Frankfurt", "A summary of servers", "An insight on towns"):
        assert mind.remember(text).outcome == "blocked"


def test_a_newer_version_that_says_something_else_is_kept_and_named(mind: Mind) -> None:
    old = mind.remember("The deploy server stands in Frankfurt").memory.id
    new = mind.remember("The deploy server stands in Dublin").memory.id
    certificate = mind.purge(ids=[old], reason="asked")
    assert (certificate.purged, certificate.kept_newer_versions) == ((old,), (new,))
    assert mind.get(new).state == "live"


def test_a_newer_version_with_the_same_text_goes_too(mind: Mind) -> None:
    old = mind.remember(SECRET).memory.id
    new = mind.revise(old, importance=0.9).memory.id
    assert set(mind.purge(ids=[old], reason="asked").purged) == {old, new}


def test_by_scope_in_every_state(mind: Mind) -> None:
    live = mind.remember("alpha", scope="/a/b").memory.id
    forgotten = mind.remember("beta", scope="/a").memory.id
    mind.forget(ids=[forgotten])
    mind.remember("gamma", scope="/ab")
    assert set(mind.purge(scope="/a", reason="asked").purged) == {live, forgotten}
    assert [memory.text for memory in mind.list(state="all")] == ["gamma"]


def test_ids_and_a_scope_must_agree(mind: Mind) -> None:
    a = mind.remember("alpha", scope="/a").memory.id
    b = mind.remember("beta", scope="/b").memory.id
    assert mind.purge(ids=[a, b], scope="/b", reason="asked").purged == (b,)
    assert mind.get(a).state == "live"


def test_nothing_to_purge_is_a_certificate_of_nothing(mind: Mind) -> None:
    mind.remember("alpha")
    before = dump(mind)
    certificate = mind.purge(scope="/empty", reason="asked")
    assert (certificate.purged, certificate.receipt_id) == ((), None)
    assert dump(mind) == before


@pytest.mark.parametrize(
    "arguments",
    [
        {"reason": "asked"},
        {"ids": None, "scope": None, "reason": "asked"},
        {"scope": "/", "reason": ""},
        {"scope": "/", "reason": " "},
        {"scope": "/", "reason": None},
        {"scope": "/", "reason": "x" * 1001},
        {"scope": "a", "reason": "asked"},
        {"ids": "abc", "reason": "asked"},
    ],
)
def test_a_bad_purge_is_refused(mind: Mind, arguments: dict) -> None:
    mind.remember("alpha")
    before = dump(mind)
    with pytest.raises(InvalidInput):
        mind.purge(**arguments)
    assert dump(mind) == before


def test_one_unknown_id_stops_all(mind: Mind) -> None:
    memory = mind.remember("alpha").memory
    with pytest.raises(NotFound):
        mind.purge(ids=[memory.id, "01890000-0000-7000-8000-000000000000"], reason="asked")
    assert mind.get(memory.id) == memory


def test_a_purge_cannot_be_undone(mind: Mind) -> None:
    memory = mind.remember(SECRET)
    certificate = mind.purge(ids=[memory.memory.id], reason="asked")
    before = dump(mind)
    for receipt in (certificate.receipt_id, memory.receipt_id):
        with pytest.raises(InvalidInput, match="purged"):
            mind.undo(receipt)
    assert dump(mind) == before


def test_history_and_journal_outlive_it_without_text(mind: Mind, clock: Clock) -> None:
    memory = mind.remember(SECRET, categories=["xylotag"]).memory
    clock.advance(days=1)
    mind.purge(ids=[memory.id], reason="asked")
    events = mind.history(memory.id)
    assert [(event.action, event.memory, event.text) for event in events] == [
        ("add", None, None),
        ("purge", None, None),
    ]
    assert events[-1].at == clock.now
    assert "xylo" not in str([entry.to_dict() for entry in mind.journal()])


@pytest.mark.promise("S7")
def test_with_a_reader_holding_the_log_the_certificate_is_pending(
    open_mind: Callable[..., Mind], tmp_path: Path
) -> None:
    mind = open_mind(settings={"purge": {"wait_seconds": 0}})
    memory = mind.remember(SECRET).memory
    with open_mind()._store._engine.read() as connection:
        assert connection.execute("SELECT count(*) FROM memories").get == 1
        certificate = mind.purge(ids=[memory.id], reason="asked")
        assert (certificate.pending, certificate.verified) == (True, False)
        assert mind.stats().purge_pending
    assert mind.check().ok
    assert not mind.stats().purge_pending
    assert b"xylo" not in bytes_beside(tmp_path / "memory.db")


def test_purged_text_in_a_kept_memory_elsewhere_stays(mind_file: Mind) -> None:
    here = mind_file.remember(SECRET, scope="/a").memory
    there = mind_file.remember(SECRET, scope="/b").memory
    certificate = mind_file.purge(ids=[here.id], reason="asked")
    assert certificate.verified
    assert mind_file.get(there.id) == there


@pytest.mark.parametrize("text", ["!!", "a", "fact", "memories", "東", "0"])
def test_a_short_text_is_proven_gone_too(mind_file: Mind, text: str) -> None:
    """Bytes that stand in the file for other reasons are no copy of it."""
    mind_file.remember_many({"text": f"note w{number} v{number}", "scope": f"/{number % 5}"} for number in range(60))
    certificate = mind_file.purge(ids=[mind_file.remember(text).memory.id], reason="asked")
    assert (certificate.copies_found, certificate.verified) == (0, True)


@only_files
@pytest.mark.promise("S8")
def test_an_older_copy_is_purged_again_when_opened(open_mind: Callable[..., Mind], tmp_path: Path) -> None:
    mind = open_mind()
    memory = mind.remember(SECRET).memory
    kept = mind.remember("Alice lives in Oslo").memory
    mind.backup(tmp_path / "copy.db")
    mind.purge(ids=[memory.id], reason="asked")
    mind.close()
    (tmp_path / "copy.db").replace(tmp_path / "memory.db")
    again = open_mind()
    assert [memory.id for memory in again.list(state="all")] == [kept.id]
    assert again.remember(SECRET).outcome == "blocked"
    again.close()
    assert b"xylo" not in bytes_beside(tmp_path / "memory.db")


def test_purge_reaches_versions_made_by_restore(mind: Mind, clock: Clock) -> None:
    first = mind.remember("The deploy server stands in Frankfurt").memory.id
    clock.advance(days=1)
    second = mind.remember("The deploy server stands in Dublin").memory.id
    mind.restore(ids=[first])
    clock.advance(days=1)
    certificate = mind.purge(ids=[second], reason="asked")
    assert set(certificate.purged) == {first, second}
    assert mind.recall("server", as_of=clock.now - timedelta(days=2)) == []
