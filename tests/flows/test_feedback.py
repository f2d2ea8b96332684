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
from tests.conftest import Clock, new_mind
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
    assert found.access_count == 0, "only a recall is an access"
    assert mind.get(id) == found


def test_they_move_a_rank_within_bounds(mind: Mind, id: str) -> None:
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
    assert [hit.memory.id for hit in mind.recall("heron", reinforce=False)] == [first, second]
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
