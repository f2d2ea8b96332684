"""rem policy learn from a real store: what it proposes, what it refuses, and that nothing changes until it is used."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from remanence import Mind
from remanence.errors import InvalidInput, PlanRefused
from remanence.facets.learning import with_learned
from remanence.flows.learn import learned_from
from remanence.model.backtest import Backtest
from remanence.model.proposal import Proposal
from remanence.policies.reading import from_values, preset, read
from remanence.simulator.worlds import world
from tests.conftest import Clock, new_mind
from tests.flows.lived import settled

YEAR = world(1, 160)


@pytest.fixture
def lived(tmp_path: Path) -> Iterator[Mind]:
    mind, _ = settled(YEAR, tmp_path, broken=2)
    with mind:
        yield mind


@pytest.fixture(scope="module")
def proposal(tmp_path_factory: pytest.TempPathFactory) -> Proposal:
    mind, _ = settled(YEAR, tmp_path_factory.mktemp("lived"), broken=2)
    with mind:
        return mind.policies.learn()


def test_a_proposal_is_a_plan(lived: Mind) -> None:
    before = lived.policies.current
    proposal = lived.policies.learn()
    assert lived.policies.current == before == preset("balanced")
    assert proposal.policy.name == "learned-2026-01-01"
    assert read(proposal.yaml, "learned.yml") == proposal.policy
    assert proposal.policy.rules == before.rules
    assert proposal.backtest.policy.policy == "learned-2026-01-01"
    assert proposal.backtest.current is not None
    assert proposal.backtest.current.policy == "balanced"
    told = proposal.to_dict()
    assert told["verdict"] == proposal.verdict
    assert "stability_days 30 →" in str(proposal)


def test_kinds_that_are_needed_longer_last_longer(proposal: Proposal) -> None:
    days = {o.kind: o.numbers["stability_days"] for o in proposal.policy.overrides}
    assert days["tool_output"] < days["finding"] < days["preference"]
    assert days["observation"] < days["decision"]


def test_it_is_used_when_asked_for(lived: Mind) -> None:
    proposal = lived.policies.learn()
    assert proposal.is_usable
    used = lived.policies.use(proposal.approved(), force=True)
    assert used.policy == proposal.policy.name
    assert lived.policies.current == proposal.policy
    again = lived.policies.learn()
    kinds = [override.kind for override in again.policy.overrides]
    assert len(kinds) == len(set(kinds)), "what was learned before is replaced, not heaped up"


def test_a_worse_back_test_refuses_it(proposal: Proposal) -> None:
    current = proposal.backtest.current
    assert current is not None
    worse = replace(proposal.backtest.policy, lost_uses=current.lost_uses + 1, saved=current.saved)
    by_rules = replace(proposal.backtest, policy=worse, mean_lost=(0.1, 0.1), standard_error=0.01)
    by_order = replace(proposal.backtest, mean_lost=(0.3, 0.1), standard_error=0.01)
    for backtest in (by_rules, by_order):
        refused = replace(proposal, backtest=backtest)
        assert not refused.is_usable
        assert refused.verdict.startswith("Not to be used")
        with pytest.raises(PlanRefused, match="balanced stays"):
            refused.approved()


def test_more_saved_is_worth_a_loss(proposal: Proposal) -> None:
    current = proposal.backtest.current
    assert current is not None
    more = replace(proposal.backtest.policy, lost_uses=current.lost_uses + 1, saved=current.saved + 0.1)
    about_even: Backtest = replace(proposal.backtest, policy=more, mean_lost=(0.11, 0.1), standard_error=0.01)
    assert replace(proposal, backtest=about_even).is_usable


def test_broken_times_are_left_out_and_told(proposal: Proposal) -> None:
    assert any(warning.startswith("2 moments of recall lie before") for warning in proposal.warnings)


def test_an_empty_store_and_a_short_past_are_told_when_to_ask_again(clock: Clock) -> None:
    with new_mind(clock=clock) as mind:
        with pytest.raises(InvalidInput, match="history is 0 days long"):
            mind.policies.learn()
        mind.remember("The heron nests by the lake")
        clock.advance(days=10)
        when = clock.now + timedelta(days=21)
        with pytest.raises(InvalidInput, match=f"10 days long.*ask again after {when.day} {when:%B %Y}"):
            mind.policies.learn()
        assert mind.policies.current == preset("balanced")


def test_too_few_memories_and_none_used_again_are_both_told(clock: Clock) -> None:
    with new_mind(clock=clock) as mind:
        for number in range(12):
            mind.remember(f"word{number} stands alone")
        clock.advance(days=40)
        for number in range(30):
            mind.remember(f"later{number} comes after")
        with pytest.raises(InvalidInput) as refused:
            mind.policies.learn()
        few, unused = refused.value.problems
        when = clock.now + timedelta(days=31)
        assert few.startswith("of 12 memories it is known")
        assert few.endswith(f"ask again after {when.day} {when:%B %Y}")
        assert unused.startswith("0 of 12 memories were used again")


def test_a_policy_without_stability_is_told_so(tmp_path: Path) -> None:
    mind, _ = settled(YEAR, tmp_path)
    with mind:
        mind.policies.use("layered", force=True)
        with pytest.raises(InvalidInput, match=r"layered ages by the curve huber.*rem policy use balanced"):
            mind.policies.learn()


def test_what_a_policy_says_otherwise_stays() -> None:
    values = {
        "extends": "balanced",
        "scope_tokens": 9000,
        "overrides": {"/project": {"stability_days": 90}, "finding": {"archive_below": 0.1, "stability_days": 7}},
    }
    policy = from_values(values, "mine", "mine")
    made = with_learned(values, learned_from(YEAR.trace, policy), "new")
    new = from_values(made, "new", "new")
    assert new.number("scope_tokens") == 9000
    place, finding, *others = new.overrides
    assert (place.scope, place.numbers) == ("/project", {"stability_days": 90.0})
    assert finding.kind == "finding"
    assert finding.numbers["archive_below"] == 0.1
    assert finding.numbers["stability_days"] != 7
    assert "finding" not in [other.kind for other in others]
