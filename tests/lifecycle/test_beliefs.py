"""Beliefs: which of two contradicting memories no longer holds, and what it costs."""

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remanence.lifecycle.beliefs import (
    MOST_KEPT,
    contradicts,
    evidence_against,
    is_probed,
    is_settled,
    probed,
    replaces,
    speaks_against,
    weakened,
)
from remanence.model.memory import Memory, Source
from tests.lifecycle.worlds import NOW, memory


@pytest.mark.parametrize(("before", "after"), [(0.5, 0.35), (1.0, 0.7), (0.12, 0.1), (0.1, 0.1), (0.04, 0.04), (0, 0)])
def test_importance_falls_to_its_floor_and_never_rises(before: float, after: float) -> None:
    assert weakened(before) == pytest.approx(after)


@given(st.floats(0, 1))
def test_no_importance_is_raised_or_lost(importance: float) -> None:
    assert min(importance, 0.1) <= weakened(importance) <= importance


@pytest.mark.parametrize(
    ("at", "is_recent"),
    [
        ((NOW - timedelta(days=13)).isoformat(), True),
        ((NOW - timedelta(days=14)).isoformat(), False),
        (NOW.isoformat(), True),
        ("9999-12-31T23:59:59+00:00", False),
        ("0001-01-01T00:00:00+00:00", False),
        ("2026-06-01", False),
        ("yesterday", False),
        ("", False),
        (7, False),
        (None, False),
        ([NOW.isoformat()], False),
    ],
)
def test_what_was_probed_lately_is_known_by_its_metadata(at: Any, is_recent: bool) -> None:
    assert is_probed(memory(metadata={"probed_at": at}), NOW) is is_recent


def test_the_memories_that_invalidated_it_are_kept_bounded() -> None:
    metadata: dict[str, Any] = {"mine": 1, "invalidated_by": "odd"}
    for number in range(40):
        metadata = probed(metadata, NOW, "x", (f"id-{number}",))
    assert metadata["mine"] == 1 and len(metadata["invalidated_by"]) == MOST_KEPT
    assert metadata["invalidated_by"][-1] == "id-39" and metadata["probed_by"] == "x"
    assert is_settled(memory(metadata=metadata), memory(number=2).but(id="id-39"))
    assert "invalidated_by" not in probed({}, NOW, "model")


@pytest.mark.parametrize(
    ("older", "newer", "contradiction", "replacement"),
    [
        ("The API listens on port 8080", "The API now listens on port 9090", True, True),
        ("The API listens on port 8080", "The API listens on port 9090", True, False),
        ("Deploys are enabled on Fridays", "Deploys are no longer enabled on Fridays", True, True),
        ("Redis has a timeout of 30 seconds", "Redis has a timeout of 60 seconds since March 2026", True, True),
        ("Der Server läuft auf Port 80", "Der Server läuft jetzt auf Port 81", True, True),
        ("Le cache expire après 5 minutes", "Le cache expire désormais après 10 minutes", True, True),
        ("El puerto es 80", "El puerto ahora es 81", True, True),
        ("The cache now holds 5 items", "The cache now holds 9 items", True, False),
        ("Issue 12 was fixed by Anna", "Issue 13 was fixed by Anna now", False, False),
        ("Anna ran 5 km on 2026-01-02", "Anna ran 8 km on 2026-01-03", False, False),
        ("Anna has 2 cats", "Anna has 3 dogs", False, False),
        ("Anna likes tea", "Bob does not like coffee now", False, False),
        ("The build takes 4 minutes", "The build takes 4 minutes now", False, False),
        ("", "", False, False),
    ],
)
def test_contradictions_and_clear_replacements(older: str, newer: str, contradiction: bool, replacement: bool) -> None:
    assert (contradicts(older, newer), replaces(older, newer)) == (contradiction, replacement)


def pair(**newer: Any) -> tuple[Memory, Memory]:
    old = memory(age_days=30, number=1, text="The API listens on port 8080", source=Source.AI)
    new: dict[str, Any] = {
        "age_days": 1,
        "number": 2,
        "text": "The API listens on port 9090",
        "source": Source.AI,
    } | newer
    return old, memory(**new)


@pytest.mark.parametrize(
    ("newer", "why"),
    [
        ({}, None),
        ({"confirmations": 1}, None),
        ({"confirmations": 2}, "confirmed more often"),
        ({"text": "The API now listens on port 9090"}, "replaced"),
        ({"text": "The API now listens on port 9090", "source": Source.INGEST}, None),
        ({"text": "The API now listens on port 9090", "source": Source.HUMAN}, "replaced"),
        ({"text": "The API now listens on port 9090", "age_days": 40}, None),
        ({"confirmations": 9, "trust_limit": 0.2}, None),
        ({"age_days": 60, "valid_from": NOW, "confirmations": 2}, "confirmed more often"),
    ],
)
def test_only_plain_evidence_settles_it(newer: dict[str, Any], why: str | None) -> None:
    assert evidence_against(*pair(**newer)) == why


def test_the_same_memory_counts_once() -> None:
    old, new = pair(confirmations=5)
    again = old.but(metadata=probed({}, NOW - timedelta(days=90), new.id, (new.id,)))
    assert evidence_against(old, new) and not evidence_against(again, new)


@pytest.mark.parametrize(
    ("belief", "other", "against"),
    [
        ("Anna Schmidt lives in Bern", "Anna Schmidt moved to Zurich", True),
        ("Anna Schmidt lives in Bern", "Lunch is at noon", False),
        ("Anna Schmidt lives in Bern", "Anna Schmidt lives in Bern.", False),
        ("Anna Schmidt lives in Bern", "Anna Schmidt does not live in Bern", True),
        ("The API listens on port 8080", "The API listens on port 9090", True),
        ("", "anything", False),
    ],
)
def test_what_can_be_evidence_at_all(belief: str, other: str, against: bool) -> None:
    assert speaks_against(belief, other) is against
