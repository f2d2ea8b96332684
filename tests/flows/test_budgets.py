"""Budgets by what memories say: what was asked for stays, duplicates go, and the plan tells by what it chose."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from remanence import Mind
from tests.conftest import Clock

Made = Callable[[int], AbstractContextManager[Mind]]
ANN = "Ann Bergstrom leads the billing team since 3 May."
ALSO_ANN = "By the way, Ann Bergstrom leads the billing team since 3 May."
CHATTER = ["Haha, I know, right?", "Sounds good to me!", "Let us talk about it tomorrow maybe.", "Thanks so much!"]


@pytest.fixture
def budget(clock: Clock, tmp_path: Path) -> Made:
    @contextmanager
    def made(tokens: int) -> Iterator[Mind]:
        path = tmp_path / "budget.yml"
        path.write_text(f"extends: balanced\nscope_tokens: {tokens}\n", "utf-8")
        with Mind(":memory:", clock=clock, policy=path, settings={"embedder__name": "none"}) as mind:
            yield mind

    return made


def left(mind: Mind) -> set[str]:
    mind.apply(mind.sweep(), force=True)
    return {memory.text for memory in mind.list()}


def test_chatter_leaves_and_the_evidence_says_by_what(budget: Made) -> None:
    with budget(30) as mind:
        for text in (ANN, *CHATTER):
            mind.remember(text, scope="/team")
        plan = mind.sweep()
        assert plan
        for change in plan:
            assert {"standing", "content", "repeated", "recency"} <= change.evidence.keys()
            assert 0 <= change.evidence["content"] < 0.5
        assert ANN in left(mind)


def test_what_a_pinned_memory_says_needs_no_copy(budget: Made) -> None:
    with budget(44) as mind:
        pinned = mind.remember(ANN, scope="/team", kind="fact").memory
        mind.pin(pinned.id)
        mind.remember(ALSO_ANN, scope="/team", kind="finding")
        other = "The invoices of 12 June were paid from Oslo."
        mind.remember(other, scope="/team")
        assert left(mind) == {ANN, other}


def test_undoing_a_sweep_does_not_turn_the_next_against_the_best(budget: Made) -> None:
    with budget(30) as mind:
        for text in (ANN, *CHATTER):
            mind.remember(text, scope="/team")
        receipt = mind.apply(mind.sweep(), force=True)
        mind.undo(receipt.id)
        plan = mind.sweep()
        assert not list(plan)
        assert any("stays over its target" in warning for warning in plan.warnings)


def test_an_answer_stays_before_the_same_words_unasked(budget: Made) -> None:
    with budget(20) as mind:
        mind.remember("Ann: Which seat do you want?", scope="/trip", origin="session:1")
        asked = mind.remember("Bo: The window seat near the galley.", scope="/trip", origin="session:1").memory
        mind.remember("Bo: Fine.", scope="/trip", origin="session:2")
        unasked = mind.remember("Bo: The corner table near the kitchen.", scope="/trip", origin="session:2").memory
        mind.apply(mind.sweep(), force=True)
        assert mind.get(asked.id).state == "live"
        assert mind.get(unasked.id).state == "archived"
        assert mind.explain(asked.id).content["answer"] > 0
        assert "somebody asked for it" in mind.explain(asked.id).text
        assert "answer" not in mind.explain(unasked.id).content
