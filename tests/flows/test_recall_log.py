"""What was asked lately: without secrets, for 30 days, off by setting, and gone with a purge to the last byte."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import apsw
import pytest

from remanence import Mind
from remanence.model.memory import State
from remanence.model.plan import Change, Plan
from remanence.settings import Settings
from tests.conftest import START, Clock, Entropy, new_mind, only_files
from tests.embedders import Toy
from tests.guard.test_redaction import SECRETS

MARKER = "quokkamarker"
TEXT = f"The {MARKER} lives on Rottnest and eats leaves"


def asked(mind: Mind) -> list[str]:
    """Every query the file holds, oldest first."""
    mind._store.flush()
    with mind._store._engine.read() as connection:
        return [query for (query,) in connection.execute("SELECT query FROM recalls ORDER BY no")]


def held(path: Path, needle: str = MARKER) -> list[str]:
    """The files of a folder that hold the needle, in whatever case."""
    files = [file for file in path.parent.rglob("*") if file.is_file()]
    return [file.name for file in files if needle.encode() in file.read_bytes().lower()]


def archive(mind: Mind, id: str) -> None:
    mind.apply(Plan((Change.of(mind.get(id), "put away", state=State.ARCHIVED),), verb="archive"))


# --- what is kept


def test_a_recall_is_logged_with_what_it_found(mind: Mind, clock: Clock) -> None:
    one = mind.remember("The heron nests by the lake").memory
    mind.recall("heron")
    clock.advance(hours=1)
    mind.recall("lake heron")
    mind.recall("nothing of it")
    assert asked(mind) == ["heron", "lake heron", "… of it"], "only words of the hits, and such as bind"
    found = mind._store.log.finding([one.id], START)[one.id]
    assert [(recent.query, recent.at) for recent in found] == [
        ("lake heron", START + timedelta(hours=1)),
        ("heron", START),
    ]
    assert mind.stats().recalls == 3


@pytest.mark.parametrize(
    "how",
    [
        {"reinforce": False},
        {"include": "archived"},
        {"as_of": START},
        {"reinforce": False, "include": "archived"},
    ],
)
def test_a_recall_that_does_not_count_is_not_logged(mind: Mind, how: dict) -> None:
    memory = mind.remember("The heron nests by the lake").memory
    assert mind.recall("heron", **how)
    assert asked(mind) == []
    assert mind.get(memory.id).access_count == 0


def test_examples_and_files_leave_no_query(mind: Mind) -> None:
    one = mind.remember("The heron nests by the lake", files=["a.py"]).memory
    mind.remember("A heron sleeps by the lake")
    mind.recall(like=one.id)
    mind.recall(files="a.py")
    assert asked(mind) == []


def test_a_refused_recall_is_not_logged(mind: Mind) -> None:
    mind.remember("The heron nests by the lake")
    with pytest.raises(ValueError):
        mind.recall("heron", limit=0)
    assert asked(mind) == []


def test_it_is_off_by_setting(clock: Clock) -> None:
    settings = Settings(upkeep__on_open=False, recall__log=False)
    with new_mind(clock=clock, settings=settings) as mind:
        memory = mind.remember("The heron nests by the lake").memory
        mind.recall("heron")
        assert asked(mind) == []
        assert mind.get(memory.id).access_count == 1
        archive(mind, memory.id)
        assert mind.recall("heron").missed
        mind._store.flush()
        assert asked(mind) == []
        assert mind._store.log.regrets(memory.id)[0] == 1, "what was missed is counted all the same"


def test_a_log_outlives_the_process(open_mind: Callable[..., Mind]) -> None:
    mind = open_mind()
    mind.remember("The heron nests by the lake")
    mind.recall("heron")
    mind.close()
    assert asked(open_mind()) == ["heron"]


# --- how long


def test_after_30_days_upkeep_drops_it(mind: Mind, clock: Clock) -> None:
    mind.remember("The heron nests by the lake", exempt=True)
    mind.recall("old heron")
    clock.advance(days=1)
    mind.recall("heron")
    clock.now = START + timedelta(days=30)
    mind.upkeep()
    assert asked(mind) == ["… heron", "heron"], "at the limit it stays"
    clock.advance(microseconds=1)
    mind.upkeep()
    assert asked(mind) == ["heron"]
    clock.advance(days=2)
    mind.upkeep()
    assert asked(mind) == []
    with mind._store._engine.read() as connection:
        assert connection.execute("SELECT count(*) FROM recalled").get == 0


# --- secrets


def test_no_secret_reaches_the_file(tmp_path: Path, clock: Clock) -> None:
    path = tmp_path / "store" / "memory.db"
    with new_mind(path, clock) as mind:
        mind.remember("The heron nests by the lake")
        for text, _ in SECRETS.values():
            mind.recall(f"heron {text}")
        queries = asked(mind)
    assert len(queries) == len(SECRETS) >= 20
    leaked = [shape for (shape, (_, secret)), query in zip(SECRETS.items(), queries, strict=True) if secret in query]
    assert leaked == []
    assert all("heron" in query for query in queries)
    assert [shape for shape, (_, secret) in SECRETS.items() if held(path, secret.lower())] == []


def test_a_long_query_is_cut(mind: Mind) -> None:
    mind.remember("The heron nests by the lake")
    mind.recall("heron " * 10_000)
    (query,) = asked(mind)
    assert 1900 < len(query) <= 2000


# --- purge (S7)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store" / "memory.db"


def test_a_purge_leaves_no_byte_of_what_was_asked_long_ago(path: Path, clock: Clock) -> None:
    with new_mind(path, clock, embedder=Toy()) as mind:
        memory = mind.remember(TEXT).memory
        mind.remember("The heron nests by the lake")
        mind.recall(f"where is the {MARKER.upper()}")
        mind.recall("leaves of rottnest")
        mind.recall("heron lake", limit=1)
        mind._store.flush()
        certificate = mind.purge(ids=[memory.id], reason="asked")
        assert (certificate.copies_found, certificate.pending) == (0, False)
        assert held(path) == []
        assert asked(mind) == ["heron lake"]
        assert mind.check().ok
    assert held(path) == held(path, "rottnest") == []


@only_files
def test_a_purge_takes_the_vector_along(path: Path, clock: Clock) -> None:
    toy = Toy()
    with new_mind(path, clock, embedder=toy) as mind:
        memory = mind.remember(TEXT).memory
        mind.remember("The heron nests by the lake")
        mind.recall("heron")
        raw = toy.vector(TEXT).tobytes()
        assert any(raw[:64] in file.read_bytes() for file in path.parent.iterdir())
        mind.purge(ids=[memory.id], reason="asked")
        assert not any(raw[at : at + 16] in file.read_bytes() for file in path.parent.iterdir() for at in (0, 48, 96))
        with mind._store._engine.read() as connection:
            assert connection.execute("SELECT count(*) FROM vectors").get == 1
            assert connection.execute("SELECT count(*) FROM meanings").get == 1
        matrix = mind._store._nearest._held
        assert mind.recall("heron") and matrix is not None
        assert len(mind._store._nearest._held) == 1, "nor does it stay in memory"


@pytest.mark.promise("S7")
def test_recalled_and_purged_at_once(path: Path, clock: Clock) -> None:
    """The log is written behind; what is on its way must not come after the purge."""
    with new_mind(path, clock, embedder=Toy()) as mind:
        memory = mind.remember(TEXT).memory
        mind.recall(MARKER)
        certificate = mind.purge(ids=[memory.id], reason="asked")
        assert certificate.copies_found == 0
        mind._store.flush()
        assert asked(mind) == []
    assert held(path) == []


@pytest.mark.promise("S7")
def test_recalled_by_another_process_and_purged_at_once(path: Path, clock: Clock) -> None:
    with new_mind(path, clock, embedder=Toy()) as mind:
        memory = mind.remember(TEXT).memory
        with new_mind(path, clock, embedder=Toy(), entropy=Entropy(1)) as other:
            assert other.recall(MARKER)
            mind.purge(ids=[memory.id], reason="asked")
        assert asked(mind) == []
    assert held(path) == []


def test_asked_before_anything_was_written_and_purged_later(path: Path, clock: Clock) -> None:
    with new_mind(path, clock, embedder=Toy()) as mind:
        assert mind.recall(f"where is the {MARKER}") == []
        mind._store.flush()
        memory = mind.remember(TEXT).memory
        mind.purge(ids=[memory.id], reason="asked")
    assert held(path) == []


@pytest.mark.parametrize(
    "query",
    [
        f"{MARKER}s",
        f"{MARKER}'s home",
        f"un{MARKER}ed",
        f"{MARKER}_v2",
        f"the\n{MARKER}",
        f"({MARKER})",
        f"{MARKER.title()}",
    ],
)
def test_a_purge_leaves_no_byte_of_a_word_in_another_form(path: Path, clock: Clock, query: str) -> None:
    """The marker stands in no file after a purge, also where a query held it as part of a longer word."""
    with new_mind(path, clock) as mind:
        memory = mind.remember(TEXT).memory
        mind.recall(query, scope="/elsewhere")
        mind._store.flush()
        mind.purge(ids=[memory.id], reason="asked")
    assert held(path) == []


@pytest.mark.parametrize("field", ["categories", "concepts", "files", "metadata", "origin"])
def test_a_purge_leaves_no_byte_of_what_went_with_a_text(path: Path, clock: Clock, field: str) -> None:
    value = {"categories": [MARKER], "concepts": [MARKER], "files": [f"src/{MARKER}.py"], "metadata": {"a": MARKER}}
    with new_mind(path, clock) as mind:
        memory = mind.remember("A statement with something", **{field: value.get(field, MARKER)}).memory
        mind.recall(f"about {MARKER}", scope="/elsewhere")
        mind._store.flush()
        mind.purge(ids=[memory.id], reason="asked")
    assert held(path) == []


def test_derived_and_older_versions_take_their_recalls_along(path: Path, clock: Clock) -> None:
    with new_mind(path, clock, embedder=Toy()) as mind:
        old = mind.remember(TEXT).memory
        new = mind.revise(old.id, text="It moved away from there").memory
        made = mind.remember("A recap of islands", lineage=[new.id]).memory
        for query in (MARKER, "moved away", "recap islands"):
            mind.recall(query)
        mind._store.flush()
        certificate = mind.purge(ids=[new.id], reason="asked")
        assert set(certificate.purged) == {old.id, new.id, made.id}
        assert asked(mind) == []
    assert held(path) == held(path, "recap") == []


def test_a_purge_leaves_what_others_asked(path: Path, clock: Clock) -> None:
    """A log that is emptied by every purge would be no log: words that bind are no trace of a text."""
    with new_mind(path, clock) as mind:
        memory = mind.remember(TEXT).memory
        mind.remember("Deploys happen on Fridays")
        mind.recall("what happens on the weekend")
        mind.recall("the deploys and the releases")
        mind._store.flush()
        mind.purge(ids=[memory.id], reason="asked")
        assert len(asked(mind)) == 2


@only_files
def test_a_killed_flush_is_no_half_entry(path: Path, clock: Clock) -> None:
    """A recall and what it found are one transaction."""
    with new_mind(path, clock) as mind:
        mind.remember("The heron nests by the lake")
        mind.recall("heron")
        log = mind._store.log
        connection: apsw.Connection = mind._store._engine.writer
        connection.exec_trace = lambda _, sql, __: "INTO recalled" not in sql
        with pytest.raises(Exception, match="trace"):
            mind._store.flush()
        connection.exec_trace = None
        with mind._store._engine.read() as reading:
            assert reading.execute("SELECT count(*) FROM recalls").get == 0
        assert not log.is_empty, "what could not be written is still on its way"
        assert asked(mind) == ["heron"]


# --- what a sweep says of it


def test_a_sweep_tells_which_recalls_of_late_would_lose_a_hit(mind: Mind, clock: Clock) -> None:
    memory = mind.remember("The heron nests by the lake", ttl="5d").memory
    clock.advance(days=1)
    mind.recall("where is the heron")
    mind.recall(f"heron with password: {'x1' * 8}")
    mind._store.flush()
    clock.advance(days=5)
    plan = mind.sweep()
    assert [change.memory_id for change in plan] == [memory.id]
    (warning,) = [warning for warning in plan.warnings if "found what would leave" in warning]
    assert "2 recalls" in warning and "where is the heron" in warning
    assert "x1x1" not in warning


def test_a_sweep_tells_which_recalls_would_lose_a_hit(clock: Clock) -> None:
    with new_mind(clock=clock, policy="halflife") as mind:
        memory = mind.remember("The heron nests by the lake", importance=0.06).memory
        mind.recall("heron")
        clock.advance(days=29)
        mind.recall("where is the lake")
        mind._store.flush()
        clock.advance(days=31)
        mind._store.flush()
        plan = mind.sweep()
        assert [change.memory_id for change in plan] == [memory.id]
        assert not any("found what would leave" in warning for warning in plan.warnings), (
            "those were more than 30 days ago"
        )
