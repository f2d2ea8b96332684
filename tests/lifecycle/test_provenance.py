"""Provenance: trust falls to the least source, and what is suspicious or made from poison waits."""

from typing import Any

import pytest

from remanence.lifecycle.provenance import FROM_QUARANTINE, admitted, held_for, limited, says_the_same, unreviewed
from remanence.model.memory import Memory, Source, State
from tests.conftest import START


def memory(**fields: Any) -> Memory:
    given = {"id": "a", "namespace": "n", "scope": "/", "layer": "episodic", "kind": "fact", "text": "A text"}
    times = {"created_at": START, "last_accessed_at": START}
    return Memory(**{**given, **times, "source": Source.HUMAN, "importance": 0.5, **fields})


def test_trust_is_that_of_the_least_source_and_never_rises() -> None:
    made, poisoned = limited(memory(trust_limit=0.6), [memory(), memory(source=Source.INGEST), memory(trust_limit=0.9)])
    assert (made.trust, poisoned) == (0.5, False)
    assert limited(memory(trust_limit=0.6), [memory()])[0].trust == 0.6


@pytest.mark.parametrize(
    ("source", "poisoned"),
    [
        (memory(state=State.QUARANTINED), True),
        (memory(state=State.FORGOTTEN, metadata={"screened": ["x"]}), True),
        (memory(metadata={"screened": ["x"], "accepted": "then"}), False),
        (memory(state=State.FORGOTTEN), False),
    ],
)
def test_sources_that_nobody_accepted_poison(source: Memory, poisoned: bool) -> None:
    assert limited(memory(), [source])[1] is poisoned


def test_what_a_person_vouches_for_is_held_only_for_its_sources() -> None:
    assert held_for(memory(), ["gives orders"], False) == ()
    assert held_for(memory(), ["gives orders"], True) == (FROM_QUARANTINE,)
    assert held_for(memory(source=Source.AI), ["gives orders"], True) == ("gives orders", FROM_QUARANTINE)


def test_what_comes_from_elsewhere_waits_unless_it_was_accepted_or_forgotten() -> None:
    bad = memory(source=Source.AI, metadata={"screened": ["claimed"], "mine": 1})
    held = admitted(bad, ["gives orders"], False)
    assert (held.state, held.metadata) == (State.QUARANTINED, {"screened": ["gives orders"], "mine": 1})
    assert admitted(bad.but(state=State.FORGOTTEN), ["gives orders"], False).state is State.FORGOTTEN
    accepted = bad.but(metadata={"screened": ["x"], "accepted": "then"})
    assert admitted(accepted, ["gives orders"], True) is accepted


def test_a_version_says_the_same_where_nothing_screened_changed() -> None:
    old = memory(metadata={"screened": ["x"], "accepted": "then", "mine": 1})
    assert says_the_same(old, old.but(metadata={"mine": 1}, importance=0.9))
    for change in ({"text": "Other"}, {"categories": ("x",)}, {"origin": "x"}, {"metadata": {"mine": 2}}):
        assert not says_the_same(old, old.but(**change))
    assert unreviewed(old.metadata) == {"mine": 1}


def test_one_that_was_held_back_and_forgotten_keeps_the_reasons_of_then() -> None:
    forgotten = memory(source=Source.AI, state=State.FORGOTTEN, metadata={"screened": [FROM_QUARANTINE]})
    assert admitted(forgotten, ["gives orders"], False) is forgotten
