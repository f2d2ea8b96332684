"""Names in the journal that are written short read as they were given, whatever they are."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from remanence import Mind
from remanence.model.memory import State
from remanence.model.plan import Change, Plan
from remanence.store.sql.short_names import REASONS, SHORT, shortened, shortened_reason, spelled, spelled_reason

NAMES = st.one_of(st.sampled_from([*SHORT, *SHORT.values(), "=", "=i", "==w"]), st.text(max_size=4))


@settings(deadline=None)
@given(st.dictionaries(NAMES, st.integers(), max_size=8))
def test_names_come_back(values: dict[str, int]) -> None:
    assert spelled(shortened(values)) == values


@settings(deadline=None)
@given(st.one_of(st.sampled_from([*REASONS, *REASONS.values(), "=", "=a"]), st.text(max_size=4)))
def test_reasons_come_back(reason: str) -> None:
    assert spelled_reason(shortened_reason(reason)) == reason


def test_a_reason_that_is_a_letter_is_that_letter(mind: Mind) -> None:
    memory = mind.remember("The heron nests by the lake").memory
    assert memory is not None
    for reason in ("a", "faded"):
        change = Change.of(mind.get(memory.id), reason, importance=len(reason) / 10)
        receipt = mind.apply(Plan((change,), verb="adjust"), force=True)
        assert mind.receipt(receipt.id).changes[0].reason == reason
        assert mind.journal(1)[0].reason == reason


def test_what_was_stored_before_reads_as_it_did() -> None:
    assert spelled({"idle_days": 3.0, "cosine": 0.9}) == {"idle_days": 3.0, "cosine": 0.9}


def test_no_two_names_share_a_letter() -> None:
    assert len(set(SHORT.values())) == len(SHORT) and len(set(REASONS.values())) == len(REASONS)
    assert not SHORT.keys() & set(SHORT.values())


def test_the_journal_says_what_was_said(mind: Mind) -> None:
    memory = mind.remember("The heron nests by the lake", importance=0.4).memory
    assert memory is not None
    told = {"idle_days": 91.0, "worth": 0.1, "i": 2.0, "cosine": 0.5}
    change = replace(Change.of(memory, "faded", state=State.ARCHIVED, importance=0.25), evidence=told)
    receipt = mind.apply(Plan((change,), verb="archive"), force=True)
    assert mind.receipt(receipt.id).changes[0].evidence == told
    assert [entry.evidence for entry in mind.journal() if entry.receipt_id == receipt.id] == [told]
    assert mind.receipt(receipt.id).changes[0].after == {"state": State.ARCHIVED, "importance": 0.25}
    mind.undo(receipt.id)
    assert (mind.get(memory.id).state, mind.get(memory.id).importance) == (State.LIVE, 0.4)
