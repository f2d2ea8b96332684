"""rem policy learn from a real store: what it proposes, what it refuses, and that nothing changes until it is used."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from remanence import Mind
from remanence.errors import InvalidInput, PlanRefused
from remanence.facets.learning import before_learning, with_learned, with_record
from remanence.flows.learn import learned_from
from remanence.model.backtest import Backtest
from remanence.model.learned import LearnedNumber
from remanence.model.proposal import Proposal
from remanence.policies.reading import dumped, from_values, preset, read
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


def test_the_same_past_teaches_nothing_new(lived: Mind) -> None:
    """Asked again and again it would count again and again, and ten times tenfold is no limit."""
    first = lived.policies.learn()
    lived.policies.use(first.approved(), force=True)
    again = lived.policies.learn()
    assert not again.is_new
    assert again.policy == first.policy == lived.policies.current
    assert again.verdict.startswith("Nothing new to learn since 2026-01-01: learned-2026-01-01, which is in force")
    assert again.learned.every.number("stability_days").before == 30
    receipts = len(lived.receipts(1000))
    assert lived.policies.use(again.approved()).receipt_id is None
    assert len(lived.receipts(1000)) == receipts


def test_more_of_the_past_is_learned_from_where_learning_began(tmp_path: Path) -> None:
    mind, clock = settled(YEAR, tmp_path)
    with mind:
        mind.policies.use(mind.policies.learn().approved(), force=True)
        clock.advance(days=60)
        later = mind.policies.learn()
        assert later.is_new
        number = later.learned.every.number("stability_days")
        assert number.before == 30
        assert 3 <= number.after <= 300
        assert later.document["learned"]["from"] == "balanced"
        assert later.policy.name == "learned-2026-03-02"


def test_what_was_learned_can_be_taken_out_again() -> None:
    values = {
        "extends": "balanced",
        "stability_gain": 3,
        "overrides": [{"scope": "/project", "stability_days": 90}, {"kind": "finding", "stability_days": 7}],
    }
    learned = learned_from(YEAR.trace, from_values(values, "mine", "mine"))
    made = with_record(values, with_learned(values, learned, "new"), "mine", datetime(2026, 1, 1, tzinfo=UTC))
    assert read(dumped(made), "new.yml") == from_values(made, "new", "new")
    start = before_learning(made)
    assert {key: start[key] for key in values} == values
    by_hand = before_learning({**made, "stability_days": 77.0})
    assert by_hand["stability_days"] == 77.0, "what a person changed since is where learning begins"


def test_two_of_a_day_have_names_of_their_own(lived: Mind) -> None:
    first = lived.policies.learn()
    changed = {**first.document, "stability_days": 20.0}
    lived.policies.use(from_values(changed, "mine", first.policy.name), force=True)
    second = lived.policies.learn()
    assert second.policy.name == "learned-2026-01-01-2"
    lived.policies.use(from_values({**second.document, "stability_days": 21.0}, "mine", second.policy.name), force=True)
    assert lived.policies.learn().policy.name == "learned-2026-01-01-3"


def test_a_last_third_that_is_told_worse_refuses_it(proposal: Proposal) -> None:
    worse = replace(proposal, learned=replace(proposal.learned, held_out=(0.613, 0.620)))
    assert not worse.is_usable
    assert "log-loss 0.613 → 0.620" in worse.verdict
    with pytest.raises(PlanRefused, match=r"balanced stays.*Ask again in a month"):
        worse.approved()
    assert replace(proposal, learned=replace(proposal.learned, held_out=(0.6201, 0.6203))).is_usable


def test_a_number_at_its_limit_is_told_as_one(proposal: Proposal) -> None:
    held = LearnedNumber(name="stability_days", before=30, fitted=0.12, after=3, standard_error=0.06, confidence=0.94)
    assert str(held) == "stability_days 30 → 3, held back at a limit; the past has 0.12 ± 0.06, confidence 94%"
    assert str(replace(held, fitted=3)) == "stability_days 30 → 3 ± 0.06, confidence 94%"


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
        with pytest.raises(InvalidInput, match=r"history of namespace '\w+' is 0 days long"):
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
        assert unused.startswith("0 of 12 memories were used again")
        assert unused.endswith(f"ask again after {when.day} {when:%B %Y}")
        assert str(refused.value).count("Nothing was changed") == 1


def test_where_there_are_too_few_memories_at_all_it_says_when_to_ask_again(clock: Clock) -> None:
    with new_mind(clock=clock) as mind:
        for number in range(5):
            mind.remember(f"word{number} stands alone")
        clock.advance(days=60)
        when = clock.now + timedelta(days=31)
        with pytest.raises(
            InvalidInput, match=f"ask again after {when.day} {when:%B %Y}, or 31 days after there are 30"
        ):
            mind.policies.learn()


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
