"""A demo as it is made: alive in all its parts, apart from all else, refused, removed, stopped and made again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from remanence import Mind
from remanence.errors import Conflict, InvalidInput
from remanence.interfaces.demo import replay
from remanence.interfaces.demo.replay import make
from remanence.model.memory import Memory
from remanence.settings import Settings

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
BY_WORDS = Settings(embedder__name="none", upkeep__on_open=False)
DAYS = 42


def opened(path: Path, namespace: str = "demo", now: datetime = NOW, settings: Settings = BY_WORDS) -> Mind:
    return Mind(path, namespace=namespace, clock=lambda: now, settings=settings)


def everything(mind: Mind) -> list[Memory]:
    found: list[Memory] = []
    while page := mind.list(state="all", limit=1000, offset=len(found)):
        found += page
    return found


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mind]:
    """A demo of six weeks, by words alone."""
    path = tmp_path_factory.mktemp("demo") / "memory.db"
    make(path, "demo", NOW, days=DAYS, settings=BY_WORDS)
    with opened(path) as mind:
        yield mind


def alive(mind: Mind) -> None:
    """Every page has something to show."""
    memories = everything(mind)
    states = Counter(memory.state.value for memory in memories)
    assert all(states[state] for state in ("live", "superseded", "archived", "forgotten", "quarantined"))
    sources = Counter(memory.source.value for memory in memories)
    assert all(sources[source] for source in ("human", "ai", "ingest", "extracted", "dream"))
    assert {memory.layer.value for memory in memories} == {"working", "episodic", "semantic", "procedural", "codebase"}
    assert all(mind.tiers().values())
    assert sum(memory.access_count > 2 for memory in memories) > 10
    assert any(memory.pinned for memory in memories)
    stats = mind.stats()
    assert min(stats.regrets, stats.due, stats.recalls) > 0
    plan = mind.sweep()
    assert len({change.reason for change in plan}) >= 3
    forecast = mind.forecast(days=30)
    assert len(forecast.by_rule) >= 3
    assert mind.review.count() >= 3
    assert len(mind.review.challenged()) >= 4
    assert mind.dreams.report()
    assert mind.dreams.report()[0].at > mind.clock() - timedelta(days=31)
    assert len(mind.entities.list(least=5)) >= 10
    assert mind.list(kind="peer_card", limit=10)
    assert len(mind.sessions.list()) >= 5
    assert {task.why for task in mind.sessions.queue()} >= {"ready", "active within the last 12 hours"}
    assert len(mind.guidance("/project/atlas/api")) > 500
    assert mind.actions.list(status="pending")
    assert mind.list(kind="crystal", limit=1)


def test_everything_has_something_to_show(made: Mind) -> None:
    alive(made)
    verbs = {entry.verb for entry in made.journal(1000)} | {brief.verb for brief in made.receipts(1000)}
    assert verbs >= {
        *("remember", "absorb", "session", "ingest", "sweep", "dream", "dedup", "forget", "undo", "restore", "purge"),
        *("pin", "confirm", "promote", "feedback", "revise", "reject", "action", "crystallize", "reinforce"),
    }
    assert made.check().problems == ()


def test_the_past_moves_and_ends_today(made: Mind) -> None:
    past = made.past(DAYS)
    assert len(set(past.live)) > DAYS / 3
    assert past.archived[-1] > past.archived[len(past.archived) // 2]
    memories = everything(made)
    assert max(memory.created_at for memory in memories) > NOW - timedelta(hours=2)
    assert all(memory.created_at < NOW for memory in memories)
    assert all(brief.at < NOW for brief in made.receipts(1000))


def test_what_a_person_or_an_agent_wrote_is_marked(made: Mind) -> None:
    marked = [one for one in everything(made) if one.metadata.get("demo") or (one.origin or "").startswith("demo")]
    rest = {(one.source.value, one.kind) for one in everything(made)} - {(one.source.value, one.kind) for one in marked}
    assert all(source in ("dream", "extracted", "ingest") for source, _ in rest), rest
    assert len(marked) > 0.7 * len(everything(made))


def test_an_upkeep_at_opening_is_not_due_and_leaves_it_as_it_is(made: Mind) -> None:
    assert not made.upkeep(if_overdue=True).ran
    assert made.stats().due > 0


def test_no_timer_looks_after_it_while_it_is_made(tmp_path: Path) -> None:
    ran = []

    def progress(done: int, total: int) -> None:
        if done == 9:
            with opened(tmp_path / "memory.db", now=NOW + timedelta(hours=1)) as timer:
                last = timer.stats().upkeep_at
                ran.append(timer.upkeep(if_overdue=True).ran or last is None or last > timer.clock())

    make(tmp_path / "memory.db", "demo", NOW, progress, 14, BY_WORDS)
    assert set(ran) == {False}


def test_two_made_from_one_seed_are_alike(tmp_path: Path) -> None:
    """In all that the story tells; what sessions and dreams make of it goes by ids too, which are drawn anew."""
    held = []
    for name in ("one", "other"):
        make(tmp_path / f"{name}.db", "demo", NOW, days=21, settings=BY_WORDS, seed=3)
        with opened(tmp_path / f"{name}.db") as mind:
            told = [one for one in everything(mind) if one.metadata.get("demo")]
            held.append(Counter((one.text, one.kind, one.scope, one.created_at) for one in told))
    assert held[0] == held[1]
    assert sum(held[0].values()) > 50


def test_nothing_gets_into_another_namespace(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with opened(path, "default") as mind:
        mind.remember("What is mine")
        before = everything(mind), len(mind.receipts()), mind.stats().recalls
        make(path, "demo", NOW, days=14, settings=BY_WORDS)
        assert (everything(mind), len(mind.receipts()), mind.stats().recalls) == before
        assert mind.sessions.list() == []
        assert mind.entities.list() == []
        assert mind.recall("Atlas API") == []
    assert {folder.name for folder in Path(f"{path}.artifacts").iterdir()} == {"demo"}


@pytest.mark.parametrize("namespace", ["default", "demos", "Demo", "", "x-demo"])
def test_other_namespaces_are_not_for_demos(tmp_path: Path, namespace: str) -> None:
    with pytest.raises(InvalidInput, match="not for demos"):
        make(tmp_path / "memory.db", namespace, NOW, days=14, settings=BY_WORDS)
    assert not (tmp_path / "memory.db").exists()


def test_all_that_is_wrong_is_said_at_once() -> None:
    with pytest.raises(InvalidInput) as refused:
        replay.check("http://127.0.0.1:1", "mine", 5)
    assert len(refused.value.problems) == 3
    for days in (13, replay.MOST_DAYS + 1, True, "40", None):
        with pytest.raises(InvalidInput):
            replay.check("memory.db", "demo", days)  # type: ignore[arg-type]


def test_it_is_refused_where_anything_is(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    make(path, "demo-2", NOW, days=14, settings=BY_WORDS)
    with pytest.raises(Conflict, match="demo of"):
        make(path, "demo-2", NOW, days=14, settings=BY_WORDS)
    with opened(path, "demo") as mind:
        mind.remember("What is mine, in a place that is called demo")
        with pytest.raises(Conflict, match="no demo"):
            make(path, "demo", NOW, days=14, settings=BY_WORDS)
        assert mind.count(state="all") == 1


def test_removed_it_is_gone_and_can_be_made_again(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    first = make(path, "demo", NOW, days=DAYS, settings=BY_WORDS)
    with opened(path) as mind:
        mind.purge(scope="/", reason=replay.ENDED)
        assert mind.count(state="all") == 0
        assert mind.sessions.list() == []
        assert mind.entities.list() == []
        assert mind.guidance("/project/atlas/api") == ""
    later = NOW + timedelta(minutes=5)
    again = make(path, "demo", later, days=DAYS, settings=BY_WORDS)
    assert sum(again.memories.values()) > 0.9 * sum(first.memories.values())
    assert again.receipts < 1.3 * first.receipts
    with opened(path, now=later) as mind:
        alive(mind)
        assert mind.check().problems == ()


class Enough(Exception):
    """Stop here."""


def stopping_after(days: int) -> replay.Progress:
    def progress(done: int, total: int) -> None:
        if done >= days:
            raise Enough

    return progress


def test_stopped_midway_it_is_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with pytest.raises(Enough):
        make(path, "demo", NOW, stopping_after(9), 14, BY_WORDS)
    with opened(path) as mind:
        assert mind.count(state="all") > 20
        assert replay.is_unfinished(mind)
    later = NOW + timedelta(minutes=1)
    made = make(path, "demo", later, days=14, settings=BY_WORDS)
    with opened(path, now=later) as mind:
        assert mind.count(state="all") == sum(made.memories.values())
        assert len([one for one in everything(mind) if one.text == replay.NOTE]) == 1
        assert mind.check().problems == ()


def test_what_somebody_wrote_into_a_stopped_one_is_not_destroyed(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with pytest.raises(Enough):
        make(path, "demo", NOW, stopping_after(3), 14, BY_WORDS)
    with opened(path, now=NOW + timedelta(minutes=1)) as mind:
        mine = mind.remember("What is mine").memory
        with pytest.raises(Conflict, match="written since"):
            make(path, "demo", NOW + timedelta(minutes=2), days=14, settings=BY_WORDS)
        assert mine is not None
        assert mind.get(mine.id).text == "What is mine"


def test_removed_while_it_is_made_it_is_not_made_whole(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"

    def removing(done: int, total: int) -> None:
        with opened(path) as other:
            if done == 5 and other.count(state="all"):
                other.purge(scope="/", reason=replay.ENDED)

    with pytest.raises(Conflict, match="removed"):
        make(path, "demo", NOW, removing, 14, BY_WORDS)


def test_progress_is_told_each_day_and_never_goes_back(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    make(tmp_path / "memory.db", "demo", NOW, lambda *now: told.append(now), 14, BY_WORDS)
    done = [number for number, _ in told]
    assert done == sorted(done)
    assert set(done) == set(range(15))
    assert {total for _, total in told} == {14}


def test_no_model_is_asked_whatever_the_settings_say(tmp_path: Path) -> None:
    named = Settings(
        embedder__name="none", llm__name="openai", llm__url="http://127.0.0.1:9/v1", llm__model="m", llm__key="k"
    )
    make(tmp_path / "memory.db", "demo", NOW, days=14, settings=named)
    with opened(tmp_path / "memory.db") as mind:
        assert mind.stats().spending == ()


@pytest.mark.full
@pytest.mark.timeout(900)
def test_a_whole_year(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    usual = Settings(upkeep__on_open=False)
    made = make(path, "demo", NOW, settings=usual)
    assert 1_200 <= sum(made.memories.values()) <= 2_000
    with opened(path, settings=usual) as mind:
        alive(mind)
        assert len(mind.forecast(days=30).by_rule) >= 5
        assert sum(len(one.merged) for one in mind.dreams.report(100)) >= 10
        assert len({one.at.date() for one in mind.dreams.report(100)}) >= 9
        assert len(set(mind.past(365).archived)) > 40
        assert mind.check().problems == ()
        mind.purge(scope="/", reason=replay.ENDED)
        assert mind.count(state="all") == 0
