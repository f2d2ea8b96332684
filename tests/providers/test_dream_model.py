"""A real, small language model at every step of the dream: valid plans only, bad answers dropped and counted."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from remanence import Mind
from remanence.model.plan import Action
from remanence.settings import Settings
from tests.conftest import Clock, new_mind

BILLING = (
    "The deploy of billing runs on Friday at 17:00.",
    "Deploys of billing run every Friday afternoon.",
    "Billing is deployed on Fridays at 17:00 by Anna Berg.",
    "The billing deploy happens each Friday at five.",
    "On Friday at 17:00 billing is deployed from ci/deploy.sh.",
    "Billing deploys: Friday 17:00 UTC.",
)


@pytest.fixture
def mind(model_server: str, clock: Clock) -> Iterator[Mind]:
    told = {"llm__name": "openai", "llm__url": model_server, "llm__model": "smollm2", "llm__timeout_seconds": 90}
    settings = Settings(upkeep__on_open=False, consolidation__enabled=True, **told)
    with new_mind(clock=clock, embedder="bundled", settings=settings) as mind:
        for text in BILLING:
            assert mind.remember(text, scope="/project/billing", layer="semantic", importance=0.5).outcome == "added"
            clock.advance(days=1)
        clock.advance(days=20)
        yield mind
        assert mind.check().problems == ()


def test_its_plan_is_valid_and_loses_nothing(mind: Mind) -> None:
    plan = mind.dream()
    assert mind.stats().spent_today > 0, "the model was asked"
    known = {memory.id for memory in mind.list(state="all")}
    made = {change.memory_id for change in plan if change.action is Action.ADD}
    assert all(change.memory_id in known | made for change in plan)
    assert all(set(claim.sources) <= known for claim in plan.claims)
    mind.apply(plan)
    live = " ".join(memory.text for memory in mind.list())
    assert all(specific in live for specific in ("17:00", "Anna Berg", "ci/deploy.sh", "Friday"))
    assert all(memory.state in ("live", "archived", "superseded") for memory in mind.list(state="all"))


def test_what_it_says_wrong_is_counted(mind: Mind) -> None:
    """The small model seldom writes a summary that keeps everything; then its answer is named as dropped."""
    plan = mind.dream(steps="cluster")
    (claim,) = plan.claims
    assert claim.llm or any("dropped" in warning or "without a model" in warning for warning in plan.warnings)
