"""What hosts say of a memory's use: it moves a rank within bounds, is journalled, undone, exported and counted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from remanence import Mind
from remanence.errors import InvalidInput, NotFound
from remanence.model.plan import Action
from remanence.policies.reading import read
from tests.conftest import Clock, new_mind, only_files
from tests.embedders import Toy


@pytest.fixture
def id(mind: Mind) -> str:
    mind.remember("The heron sleeps on a roof", importance=0.5)
    return mind.remember("The heron nests by the lake", importance=0.5).memory.id


def rank(mind: Mind, id: str) -> float:
    return next(hit.rank for hit in mind.recall("heron", reinforce=False) if hit.memory.id == id)


def test_a_use_and_a_rejection_are_counted(mind: Mind, id: str) -> None:
    assert (mind.get(id).uses, mind.get(id).rejections) == (0, 0)
    assert mind.used(id).uses == 1
    assert mind.feedback(id, True).uses == 2
    found = mind.feedback(id, False)
    assert (found.uses, found.rejections) == (2, 1)
    assert found.access_count == 1, "the first use is an access, the second confirms it, a rejection is none"
    assert mind.get(id) == found


def test_they_move_a_rank_within_bounds(mind: Mind, id: str) -> None:
    mind.recall("heron")  # which the uses confirm: they are no accesses of their own
    before = rank(mind, id)
    mind.used(id)
    assert rank(mind, id) / before == pytest.approx(1.0693, abs=1e-3)
    for _ in range(30):
        mind.used(id)
    assert rank(mind, id) / before == pytest.approx(1.2)
    for _ in range(300):
        mind.feedback(id, False)
    assert rank(mind, id) / before == pytest.approx(0.8, abs=1e-3)
    (hit,) = (hit for hit in mind.recall("heron") if hit.memory.id == id)
    assert hit.parts["useful"] == pytest.approx(0.8, abs=1e-3)


def test_of_two_that_answer_as_well_the_used_one_comes_first(mind: Mind) -> None:
    first, second = (mind.remember(text, importance=0.5).memory.id for text in ("heron alpha", "heron omega"))
    assert [hit.memory.id for hit in mind.recall("heron")] == [first, second]
    mind.used(second)
    assert [hit.memory.id for hit in mind.recall("heron", reinforce=False)] == [second, first]
    mind.undo(mind.journal(1)[0].receipt_id)
    assert [hit.memory.id for hit in mind.recall("heron", reinforce=False)] == [first, second]
    mind.feedback(first, False)
    assert [hit.memory.id for hit in mind.recall("heron", reinforce=False)] == [second, first]


def test_a_use_slows_decay_and_a_rejection_hastens_it(clock: Clock) -> None:
    """A rejection dates the memory anew, so that the due sweep finds it as the full one does."""
    policy = read(
        "extends: halflife\ncurve: power\nstability_days: 30\ndecay_exponent: 0.1542\n"
        "rules: [{name: gone, action: archive, when: {retention: '< 0.75'}}]",
        "f.yml",
    )
    with new_mind(clock=clock, policy=policy) as mind:
        plain, used, rejected = (mind.remember(f"{bird} by the lake").memory.id for bird in ("Heron", "Coot", "Swan"))
        mind.apply(mind.sweep())
        clock.advance(days=30)
        mind.used(used)
        mind.feedback(rejected, False)
        left = [mind.explain(id).retention for id in (rejected, plain, used)]
        assert left == sorted(set(left))
        assert mind.explain(plain).retention == pytest.approx(0.9, abs=5e-4)
        clock.advance(days=10)
        assert [change.memory_id for change in mind.sweep()] == [rejected]
        assert mind.sweep() == mind.sweep(full=True)


def test_it_is_journalled_and_undone(mind: Mind, id: str) -> None:
    mind.used(id)
    mind.feedback(id, False)
    rejected, used = mind.journal(2)
    assert (used.verb, used.action, rejected.verb) == ("feedback", Action.ADJUST, "feedback")
    assert used.reason != rejected.reason
    undone = mind.undo(used.receipt_id)
    assert undone.applied == (id,)
    assert (mind.get(id).uses, mind.get(id).rejections) == (0, 1)
    mind.undo(undone.id)
    assert (mind.get(id).uses, mind.get(id).rejections) == (1, 1)
    assert "heron" not in str(mind.journal(10))


@pytest.mark.parametrize("useful", [None, 1, 0, "yes", 0.5])
def test_only_a_flag_is_feedback(mind: Mind, id: str, useful: object) -> None:
    with pytest.raises(InvalidInput):
        mind.feedback(id, useful)  # type: ignore[arg-type]
    assert (mind.get(id).uses, mind.get(id).rejections) == (0, 0)


def test_an_unknown_memory_is_not_found(mind: Mind) -> None:
    for use in (mind.used, lambda id: mind.feedback(id, False)):
        with pytest.raises(NotFound):
            use("01890000-0000-7000-8000-000000000000")


def test_export_and_import_keep_it(mind: Mind, id: str, tmp_path: Path, clock: Clock) -> None:
    for useful in (True, True, False):
        mind.feedback(id, useful)
    mind.export(tmp_path / "a.jsonl")
    with new_mind(clock=clock) as other:
        other.import_(tmp_path / "a.jsonl")
        assert other.get(id) == mind.get(id)
        assert (other.get(id).uses, other.get(id).rejections) == (2, 1)
        assert rank(other, id) == pytest.approx(rank(mind, id))
        other.export(tmp_path / "b.jsonl")
        assert other.check().ok
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()


def test_an_export_from_before_there_was_feedback_is_imported(
    mind: Mind, id: str, tmp_path: Path, clock: Clock
) -> None:
    import json

    mind.export(tmp_path / "a.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text().splitlines()]
    old = [{name: v for name, v in line.items() if name not in ("uses", "rejections")} for line in lines]
    (tmp_path / "old.jsonl").write_text("".join(json.dumps(line) + "\n" for line in old))
    with new_mind(clock=clock) as other:
        assert other.import_(tmp_path / "old.jsonl").added == 2
        assert other.get(id) == mind.get(id)


def test_a_new_version_begins_anew(mind: Mind, id: str) -> None:
    mind.used(id)
    new = mind.revise(id, text="The heron left the lake").memory
    assert (new.uses, new.rejections) == (0, 0)
    assert mind.get(id).uses == 1


def test_several_hosts_count_together(open_mind: Callable[..., Mind]) -> None:
    one, two = open_mind(embedder=Toy()), open_mind(embedder=Toy())
    id = one.remember("The heron nests by the lake").memory.id
    for _ in range(5):
        one.used(id)
        two.feedback(id, False)
    assert (one.get(id).uses, two.get(id).rejections) == (5, 5)


@only_files
@pytest.mark.parametrize("column", ["uses", "rejections"])
@pytest.mark.parametrize("given", [0, 3])
def test_what_another_hand_changed_is_found(tmp_path: Path, clock: Clock, column: str, given: int) -> None:
    """Also where there was none before."""
    path = tmp_path / "memory.db"
    with new_mind(path, clock) as mind:
        id = mind.remember("The heron nests by the lake").memory.id
        for _ in range(given):
            mind.feedback(id, column == "uses")
    connection = apsw.Connection(str(path))
    connection.execute(f"UPDATE lives SET {column} = {column} + 1")
    connection.close()
    with new_mind(path, clock) as mind:
        assert [problem.kind for problem in mind.check().problems] == ["life changed outside remanence"]


# --- a use is an access


def test_a_use_is_an_access(mind: Mind, id: str, clock: Clock) -> None:
    moments = []
    for _ in range(3):
        moments.append(clock.advance(days=2))
        assert mind.used(id).last_accessed_at == clock.now
    found = mind.get(id)
    assert (found.uses, found.access_count, found.recent_accesses) == (3, 3, tuple(moments))
    assert mind.explain(id).measures["idle_days"] == 0


def test_a_use_shortly_after_a_recall_confirms_it(mind: Mind, id: str, clock: Clock) -> None:
    recalled = clock.advance(days=2)
    mind.recall("heron nests", limit=1)
    clock.advance(minutes=60)
    for _ in range(2):
        found = mind.used(id)
    assert (found.uses, found.access_count, found.recent_accesses) == (2, 1, (recalled,))
    clock.advance(seconds=1)
    assert mind.used(id).access_count == 2


def test_a_recall_that_does_not_count_is_confirmed_by_no_use(mind: Mind, id: str, clock: Clock) -> None:
    clock.advance(days=2)
    mind.recall("heron nests", limit=1, reinforce=False)
    assert mind.used(id).access_count == 1


def test_undo_takes_the_use_back_and_leaves_the_access(mind: Mind, id: str) -> None:
    mind.used(id)
    mind.undo(mind.journal(1)[0].receipt_id)
    assert (mind.get(id).uses, mind.get(id).access_count) == (0, 1), "accesses are no plans"


def test_uses_are_exact_in_the_file(open_mind: Callable[..., Mind], clock: Clock) -> None:
    one, two = open_mind(embedder=Toy()), open_mind(embedder=Toy())
    id = one.remember("The heron nests by the lake").memory.id
    for _ in range(5):
        for mind in (one, two):
            clock.advance(hours=2)
            mind.used(id)
            mind._store.flush()
    assert (one.get(id).uses, one.get(id).access_count) == (10, 10)
    assert two.get(id) == one.get(id)
    assert one.check().problems == ()


def test_a_day_of_uses_alone_is_active(mind: Mind, id: str, clock: Clock) -> None:
    other = mind.remember("The stork sleeps on a roof").memory.id
    for _ in range(10):
        clock.advance(days=1)
        mind.used(id)
    assert mind.explain(other).measures["idle_days"] == pytest.approx(10, abs=1)


def test_rules_see_uses(clock: Clock) -> None:
    """Used every day for 120 days an observation stays, as does output in use after its time."""
    with new_mind(clock=clock) as mind:
        drafts = {"observation": "The heron sculpture was made by Ilse", "tool_output": "3 failed in test_login"}
        used = [mind.remember(text, kind=kind, importance=0.2).memory.id for kind, text in drafts.items()]
        idle = mind.remember("A plane flew over the pond", kind="observation", importance=0.2).memory.id
        for _ in range(120):
            clock.advance(days=1)
            for id in used:
                mind.used(id)
        assert {change.memory_id for change in mind.sweep() if "state" in change.after} == {idle}
        for id in used:
            told = mind.explain(id)
            assert (told.measures["idle_days"], told.measures["access_count"]) == (0, 120)


def test_a_use_is_worth_no_less_than_a_recall(clock: Clock) -> None:
    with new_mind(clock=clock) as mind:
        used, recalled = (mind.remember(f"{bird} by the lake").memory.id for bird in ("Heron", "Coot"))
        for _ in range(20):
            clock.advance(days=10)
            mind.used(used)
            mind.recall("coot", limit=1)
        clock.advance(days=5)
        assert mind.explain(used).worth >= mind.explain(recalled).worth
        assert mind.explain(used).retention > mind.explain(recalled).retention


def test_a_store_that_hosts_only_report_uses_to_has_a_past(clock: Clock) -> None:
    with new_mind(clock=clock) as mind:
        ids = [mind.remember(f"w{n} x{n} y{n}", importance=0.4).memory.id for n in range(60)]
        for day in range(300):
            clock.advance(days=1)
            for number in (day * 2 % 30, (day * 2 + 1) % 30):
                mind.used(ids[number])
        found = mind.policies.backtest("tiered")
        assert found.uses == 600
        assert mind.policies.learn().learned.every.used_again == 30


def test_a_use_of_what_is_archived_says_that_it_was_missed(clock: Clock) -> None:
    with new_mind(clock=clock) as mind:
        id = mind.remember("The heron nests by the lake", importance=0.1, kind="finding").memory.id
        for _ in range(130):
            clock.advance(days=1)
            mind.used(mind.remember(f"Keep {clock.now:%j}").memory.id)
        mind.apply(mind.sweep(), force=True)
        assert mind.get(id).state == "archived"
        for _ in range(3):
            found = mind.used(id)
        assert (found.state, found.uses, found.access_count) == ("archived", 3, 0)
        assert mind.explain(id).regrets == 1
        mind.sweep()
        assert mind.policies.current.lived.missed["finding"].memories == 1  # type: ignore[union-attr]
