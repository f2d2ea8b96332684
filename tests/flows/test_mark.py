"""pin, unpin, promote, demote, confirm, challenge: one memory by hand."""

import pytest

from remanence import Mind
from remanence.errors import InvalidInput, NotFound
from tests.conftest import Clock, dump


def test_pin_and_unpin(mind: Mind) -> None:
    memory = mind.remember("alpha").memory
    assert mind.pin(memory.id).pinned
    assert mind.get(memory.id).pinned
    before = dump(mind)
    assert mind.pin(memory.id).pinned  # pinned already: nothing happens
    assert dump(mind) == before
    assert mind.unpin(memory.id) == memory
    assert [entry.verb for entry in mind.journal()] == ["unpin", "pin", "remember"]


def test_the_ladder_goes_up_and_down_one_step_at_a_time(mind: Mind) -> None:
    id = mind.remember("alpha", layer="working").memory.id
    assert [mind.promote(id).layer for _ in range(2)] == ["episodic", "semantic"]
    with pytest.raises(InvalidInput, match="semantic"):
        mind.promote(id)
    assert [mind.demote(id).layer for _ in range(2)] == ["episodic", "working"]
    with pytest.raises(InvalidInput, match="working"):
        mind.demote(id)
    assert mind.get(id).layer == "working"


@pytest.mark.parametrize("layer", ["procedural", "codebase"])
def test_some_layers_are_off_the_ladder(mind: Mind, layer: str) -> None:
    id = mind.remember("alpha", layer=layer).memory.id
    before = dump(mind)
    for verb in (mind.promote, mind.demote):
        with pytest.raises(InvalidInput, match=layer):
            verb(id)
    assert dump(mind) == before


def test_confirm_counts_and_settles_a_challenge(mind: Mind) -> None:
    id = mind.remember("alpha").memory.id
    mind.challenge(id)
    assert mind.get(id).challenged_by is not None
    confirmed = mind.confirm(id)
    assert (confirmed.confirmations, confirmed.challenged_by) == (1, None)
    assert mind.confirm(id).confirmations == 2


def test_challenge_by_another_memory(mind: Mind) -> None:
    a, b = mind.remember("alpha").memory.id, mind.remember("beta").memory.id
    assert mind.challenge(a, by=b).challenged_by == b
    assert mind.get(b).challenged_by is None
    with pytest.raises(InvalidInput, match="itself"):
        mind.challenge(a, by=a)
    with pytest.raises(NotFound):
        mind.challenge(a, by="01890000-0000-7000-8000-000000000000")
    assert mind.get(a).challenged_by == b


def test_each_mark_can_be_undone(mind: Mind, clock: Clock) -> None:
    memory = mind.remember("alpha").memory
    for verb in (mind.pin, mind.promote, mind.demote, mind.confirm, mind.challenge):
        verb(memory.id)
        clock.advance(days=1)
    for entry in mind.journal()[:-1]:
        mind.undo(entry.receipt_id)
    assert mind.get(memory.id) == memory
