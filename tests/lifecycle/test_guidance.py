"""Which memories guidance tells first, and where a document puts them: by worth, kind and age, never by chance."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remanence.lifecycle.guidance import (
    FACTS,
    GENERAL,
    HEADINGS,
    RULES,
    UNTOLD,
    Ranked,
    documented,
    heading_of,
    in_scopes,
    joined,
    most_worthy,
    newest,
    of_kinds,
    settled,
    told,
    week_of,
)
from remanence.model.columns import columns_of
from remanence.model.memory import Memory
from remanence.model.moment import to_micros
from remanence.policies.reading import preset
from tests.lifecycle.worlds import NOW, memory

AT = to_micros(NOW)
POLICY = preset("balanced")


def some(*fields: dict[str, Any]) -> list[Memory]:
    return [memory(**{"number": number, **one}) for number, one in enumerate(fields, 1)]


def ordered(memories: list[Memory], most: int = 1_000) -> list[str]:
    columns = columns_of(memories)
    ranked = most_worthy(columns, POLICY, AT, most)
    ids = [columns.ids[place] for place in ranked.places]
    return [columns.ids[place] for place in settled(ranked, ids, most)]


@pytest.mark.parametrize(
    ("kind", "signal", "heading"),
    [
        ("decision", None, "Decisions"),
        ("active_decision", None, "Decisions"),
        ("decision", "constraint", "Constraints and rules"),
        ("preference", "constraint", "Constraints and rules"),
        ("fact", "rule", "Constraints and rules"),
        ("convention", None, "Constraints and rules"),
        ("identity", None, "Preferences"),
        ("architecture", "constraint", "Architecture"),
        ("workflow", "command", "Workflows"),
        ("gotcha", "fix", "Pitfalls"),
        ("lesson", None, "Pitfalls"),
        ("session_summary", "constraint", "Recent sessions"),
        ("fact", "no such signal", "Facts"),
        ("fact", ["constraint"], "Facts"),
        ("something of your own", None, "Facts"),
    ],
)
def test_headings_by_kind_and_signal(kind: str, signal: object, heading: str) -> None:
    assert heading_of(kind, signal) == heading
    assert heading in HEADINGS


def test_raw_kinds_and_synopses_are_not_told_among_the_statements() -> None:
    kinds = ["fact", "session_summary", *sorted(UNTOLD), "decision"]
    columns = columns_of(some(*({"kind": kind} for kind in kinds)))
    assert columns.take(told(columns)).kinds == ("fact", "decision")
    assert columns.take(of_kinds(columns, ["session_summary"])).kinds == ("session_summary",)
    nothing = columns_of([])
    assert len(nothing.take(told(nothing))) == len(nothing.take(in_scopes(nothing, ["/"]))) == 0


def test_scopes_are_meant_exactly() -> None:
    columns = columns_of(some(*({"scope": scope} for scope in ("/", "/project", "/project/api", "/projects"))))
    assert columns.take(in_scopes(columns, ["/", "/project"])).scopes == ("/", "/project")


def test_what_holds_in_general_is_no_mere_fact() -> None:
    assert {"preference", "identity", "constraint", "rule", "lesson"} <= GENERAL
    assert GENERAL.isdisjoint(("fact", "decision", "architecture", "gotcha", "workflow", "session_summary"))


def test_the_most_worthy_come_first_then_what_helps_most_then_the_newest() -> None:
    memories = some(
        {"importance": 0.2, "kind": "decision"},
        {"importance": 0.9},
        {"importance": 0.5, "kind": "fact"},
        {"importance": 0.5, "kind": "preference"},
        {"importance": 0.5, "kind": "decision", "age_days": 0.0001},
        {"importance": 0.5, "kind": "decision"},
    )
    assert ordered(memories) == [memories[place].id for place in (1, 5, 4, 3, 2, 0)]


def test_an_hour_changes_nothing() -> None:
    memories = some(*({"importance": n / 50, "age_days": 3 + n} for n in range(50)))
    columns = columns_of(memories)
    later = most_worthy(columns, POLICY, AT + 3_600_000_000, 50)
    assert later.places == most_worthy(columns, POLICY, AT, 50).places


@given(st.lists(st.sampled_from([0.2, 0.5, 0.5001, 0.8]), min_size=1, max_size=40), st.integers(1, 45), st.randoms())
@settings(deadline=None, max_examples=60)
def test_the_order_of_storing_does_not_matter(values: list[float], most: int, chance: random.Random) -> None:
    memories = some(*({"importance": value, "kind": chance.choice(["fact", "decision"])} for value in values))
    first = ordered(memories, most)
    shuffled = chance.sample(memories, len(memories))
    assert ordered(shuffled, most) == first
    assert len(first) == min(most, len(memories))
    cut = chance.randint(0, len(memories))
    pages = [columns_of(part) for part in (shuffled[:cut], shuffled[cut:])]
    numbers = {one.id: number for number, one in enumerate(shuffled)}
    ranked = []
    for page in pages:
        found = most_worthy(page, POLICY, AT, most)
        ranked.append(Ranked([numbers[page.ids[place]] for place in found.places], found.keys))
    together = joined(ranked, most)
    ids = [shuffled[place].id for place in together.places]
    assert [shuffled[place].id for place in settled(together, ids, most)] == first, "a page at a time is the same"


def test_a_week_begins_on_monday() -> None:
    for day, monday in ((0, 0), (1, 0), (6, 0), (7, 7), (-1, -7)):
        moment = datetime(2026, 6, 1, 15, 30, tzinfo=UTC) + timedelta(days=day)
        begun = datetime(2026, 6, 1, tzinfo=UTC) + timedelta(days=monday)
        assert week_of(to_micros(moment)) == to_micros(begun)
    assert week_of(to_micros(datetime(1969, 12, 31, tzinfo=UTC))) == to_micros(datetime(1969, 12, 29, tzinfo=UTC))


def test_ties_with_the_last_come_too() -> None:
    columns = columns_of(some(*({"importance": 0.5} for _ in range(7)), {"importance": 0.1}))
    assert len(most_worthy(columns, POLICY, AT, 3).places) == 7
    assert most_worthy(columns, POLICY, AT, 0) == ([], [])
    assert most_worthy(columns_of([]), POLICY, AT, 5) == ([], [])
    assert len(joined([most_worthy(columns, POLICY, AT, 8)], 2).places) == 7


def test_the_newest_with_all_that_are_as_new() -> None:
    columns = columns_of(some({"age_days": 1}, {"age_days": 0}, {"age_days": 1}, {"age_days": 2}))
    assert newest(columns, 1).places == [1]
    assert sorted(newest(columns, 2).places) == [0, 1, 2]
    assert len(newest(columns, 9).places) == 4
    assert newest(columns, 0).places == []


def test_a_document_goes_by_heading_and_age() -> None:
    memories = some(
        {"kind": "fact", "age_days": 1},
        {"kind": "decision", "age_days": 0},
        {"kind": "decision", "age_days": 5},
        {"kind": "preference", "metadata": {"signal": "constraint"}},
        {"kind": "fact", "age_days": 1, "number": 0},
    )
    found = documented(random.Random(1).sample(memories, 5))
    assert [heading for heading, _ in found] == ["Decisions", RULES, FACTS]
    assert [[one.id for one in part] for _, part in found] == [
        [memories[2].id, memories[1].id],
        [memories[3].id],
        [memories[4].id, memories[0].id],
    ]
    recalled = [one.but(access_count=9, last_accessed_at=NOW + timedelta(days=9), importance=1.0) for one in memories]
    assert [[one.id for one in part] for _, part in documented(recalled)] == [
        [one.id for one in part] for _, part in found
    ]
