"""What a confirmed use counts for: an access of its own, or the confirmation of the last one."""

from __future__ import annotations

from datetime import timedelta

import pytest

from remanence.lifecycle.uses import CONFIRMS_WITHIN, is_access, is_missed
from remanence.model.memory import Memory, State
from tests.lifecycle.test_ranking import BASE, NOW

MOMENT = timedelta(microseconds=1)


def memory(**fields: object) -> Memory:
    return BASE.but(**fields)


@pytest.mark.parametrize(
    ("after", "own"),
    [
        (timedelta(0), False),
        (timedelta(minutes=59), False),
        (CONFIRMS_WITHIN, False),
        (CONFIRMS_WITHIN + MOMENT, True),
        (timedelta(days=2), True),
        (-timedelta(days=2), False),
    ],
)
def test_a_use_shortly_after_an_access_confirms_it(after: timedelta, own: bool) -> None:
    recalled = memory(access_count=1, last_accessed_at=NOW, recent_accesses=(NOW,))
    assert is_access(recalled, NOW + after) is own


def test_birth_is_no_access_that_a_use_could_confirm() -> None:
    assert is_access(memory(created_at=NOW), NOW)


@pytest.mark.parametrize("state", [state for state in State if state is not State.LIVE])
def test_what_is_out_of_recall_is_not_accessed(state: State) -> None:
    gone = memory(state=state)
    assert not is_access(gone, NOW + timedelta(days=9))
    assert is_missed(gone) is (state is State.ARCHIVED)
    assert not is_missed(memory())
