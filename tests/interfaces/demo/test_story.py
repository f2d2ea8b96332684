"""The story of the demo: the same from the same seed, of the size it says, and marked as made up."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

from remanence.guard.screening import screen
from remanence.interfaces.demo import threads
from remanence.interfaces.demo.story import DAYS, is_rest, story
from remanence.lifecycle.duplicates import Kinship, Statement, kinship


def drafts(seed: int = 0, days: int = DAYS) -> list[dict[str, Any]]:
    return [draft for day in story(seed, days) for draft in day.drafts]


def test_the_same_seed_tells_the_same_and_another_seed_something_else() -> None:
    assert story(7, 60) == story(7, 60)
    one, other = ({draft["text"] for draft in drafts(seed)} for seed in (7, 8))
    assert len(one & other) < len(one) / 3


def test_a_year_has_the_size_it_says() -> None:
    days = story(0)
    assert len(days) == DAYS
    assert 1_200 <= len(drafts()) <= 1_800
    assert max(len(day.drafts) for day in days) <= 32
    assert sum(day.talk is not None for day in days) >= 12


def test_everything_that_is_written_says_that_it_is_made_up() -> None:
    for day in story(0):
        given = [*day.drafts, *day.absorbed, *([day.todo] if day.todo else [])]
        assert all(one["metadata"]["demo"] is True and one["origin"].startswith("demo") for one in given)


def test_every_slot_is_filled() -> None:
    said = [draft["text"] for draft in drafts()]
    said += [turn.said + turn.call for day in story(0) if day.talk for turn in day.talk.turns]
    assert [text for text in said if re.search(r"[{}]", text)] == []


def test_every_kind_and_source_that_is_promised_occurs() -> None:
    kinds, sources = (Counter(draft.get(name, "fact") for draft in drafts()) for name in ("kind", "source"))
    for kind in (
        "fact",
        "preference",
        "decision",
        "observation",
        "tool_output",
        "session_state",
        "lesson",
        "procedure",
    ):
        assert kinds[kind] >= 5, kind
    assert set(sources) >= {"human", "ai", "extracted", "ingest"}  # dreams and absorbed notes make the rest


def test_the_last_days_are_days_of_work() -> None:
    for days in (14, 100, DAYS):
        assert not any(is_rest(days - 1 - ago, days) for ago in (0, 1, 4, 7)), days


@pytest.mark.parametrize("rows", [threads.CHANGES, threads.CONTRADICTIONS])
def test_what_changes_is_a_version_and_what_is_contradicted_is_not(rows: tuple[threads.Row, ...]) -> None:
    pairs = [(one, other) for one, other in pairwise(rows) if one[1][:20] == other[1][:20]]
    assert len(pairs) >= 5
    wanted = Kinship.VERSION if rows is threads.CHANGES else Kinship.FLIPPED
    for (earlier, old, _), (later, new, _) in pairs:
        assert earlier < later
        assert kinship(Statement.of(old), Statement.of(new))[0] is wanted, new


def test_what_is_suspicious_is_found_out() -> None:
    assert all(screen(text) for _, text, _, _ in threads.SUSPICIOUS)
