"""Crystals on plain values: who goes into one, what it says, and what was learned; lessons as weeks pass."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from remanence.lifecycle.crystals import (
    MOST_ACTIONS,
    groups,
    in_order,
    is_covered,
    lessons,
    narrative,
    outcomes,
    parts,
)
from remanence.lifecycle.lessons import confidence_now, confident_since, reinforced
from remanence.model.action import Action
from remanence.model.checks import TEXT_BYTES
from remanence.model.memory import Layer, Memory, Source, State

NOW = datetime(2026, 3, 30, 12, tzinfo=UTC)
WEEK = timedelta(days=7)


def action(id: str, text: str = "Ship it", **fields: Any) -> Action:
    given = {"scope": "/", "created_at": NOW - 4 * WEEK, "status": "done", "done_at": NOW - 2 * WEEK} | fields
    return Action(id=id, text=text, **given)


def ids(found: list[list[Action]]) -> list[list[str]]:
    return [[one.id for one in group] for group in found]


def test_groups_are_of_one_parent_else_one_project_else_neither() -> None:
    actions = [
        action("a", parent="p", project="x"),
        action("b", parent="p", project="y"),
        action("c", project="x"),
        action("d", project="p"),
        action("e"),
        action("f"),
        action("g", scope="/other"),
    ]
    assert sorted(ids(groups(actions, NOW, 7))) == [["a", "b"], ["c"], ["d"], ["e", "f"], ["g"]]
    assert ids(groups(actions, NOW, 7, project="x")) == [["a"], ["c"]]


@pytest.mark.parametrize(
    ("fields", "is_taken"),
    [
        ({"done_at": NOW - WEEK}, False),
        ({"done_at": NOW - WEEK - timedelta(microseconds=1)}, True),
        ({"status": "pending", "done_at": None}, False),
        ({"status": "cancelled"}, False),
        ({"crystal": "c"}, False),
        ({"done_at": None}, False),
        ({"done_at": NOW + WEEK}, False),
    ],
)
def test_only_what_was_done_more_than_a_week_ago_makes_a_crystal(fields: dict[str, Any], is_taken: bool) -> None:
    assert ids(groups([action("a", **fields)], NOW, 7)) == ([["a"]] if is_taken else [])


def test_cancelled_open_and_fresh_ones_stay() -> None:
    actions = [
        action("old"),
        action("cancelled", status="cancelled", done_at=NOW),
        action("fresh", done_at=NOW),
        action("open", status="pending", done_at=None),
        action("elsewhere", status="cancelled", project="x"),
    ]
    assert ids(groups(actions, NOW, 7)) == [["old"]]


def test_the_narrative_keeps_every_word_of_every_action_in_order() -> None:
    actions = [
        action("b", "Second: raise the limit to 40", outcome="40 it is", files=("src/b.py", "c.py")),
        action("a", "First, read\nthe log", done_at=NOW - 3 * WEEK),
        action("c", "Third?", status="cancelled", done_at=NOW, outcome="nobody needs it"),
    ]
    told = narrative(actions)
    places = [told.index(one.text) for one in in_order(actions)]
    assert places == sorted(places)
    for word in (
        "40 it is",
        "src/b.py",
        "c.py",
        "nobody needs it",
        "2 done and 1 cancelled",
        "2026-03-09 to 2026-03-30",
    ):
        assert word in told
    assert is_covered(told, actions)


def test_a_narrative_that_misses_a_name_a_number_or_a_denial_is_not_covering() -> None:
    one = action("a", "Move the queue of Vega to port 5433", outcome="It does not retry")
    assert is_covered("Moved the queue of Vega to port 5433. It does not retry.", [one])
    for told in (
        "Moved the queue to port 5433. It does not retry.",
        "Moved the queue of Vega to port 5432. It does not retry.",
        "Moved the queue of Vega to port 5433. It does retry.",
        "Moved the queue of Vega to port 5433.",
    ):
        assert not is_covered(told, [one]), told


def test_lessons_are_sentences_that_say_what_was_learned_and_stand_alone() -> None:
    found = lessons(
        [
            action(
                "a",
                "Fix the login timeout.",
                outcome="Raised to 30 s. Lesson: Never set a timeout above the proxy limit. It turned out that the "
                "proxy cuts at 60 s. Must we tell ops? Always. The root cause was a missing index.",
            ),
            action("b", "Try again", outcome="never set a timeout above the proxy limit."),
        ]
    )
    assert [(one.text, one.action_ids) for one in found] == [
        ("Never set a timeout above the proxy limit.", ("a", "b")),
        ("Fix the login timeout: It turned out that the proxy cuts at 60 s.", ("a",)),
        ("The root cause was a missing index.", ("a",)),
    ]
    assert lessons([action("a", outcome="学到：永远不要在周五部署，因为没人值班。")])[0].text.endswith("因为没人值班。")
    assert lessons([action("a", outcome=None), action("b", outcome="Deployed to staging on Monday evening.")]) == []


def test_outcomes_stay_within_their_room() -> None:
    many = [action(f"{n:03}", outcome=f"{n} " + "ü" * 7_000) for n in range(10)]
    kept = outcomes(many)
    assert 0 < len(kept) < 10 and sum(len(one.encode()) for one in kept) <= 32 * 1024
    assert outcomes([action("a", outcome="same"), action("b", outcome="same"), action("c")]) == ["same"]


def test_more_than_fits_into_one_text_goes_in_parts_and_nothing_is_dropped() -> None:
    long = [action(f"{n:03}", "é" * 100_000) for n in range(12)]
    found = list(parts(long))
    assert [one.id for part in found for one in part] == [one.id for one in long] and len(found) == 3
    assert all(len(narrative(part).encode()) <= TEXT_BYTES for part in found)
    assert [len(part) for part in parts([action(str(n)) for n in range(MOST_ACTIONS + 1)])] == [MOST_ACTIONS, 1]
    assert list(parts([action("a", "x" * TEXT_BYTES), action("b")])) == [[action("b")]], "what fits nowhere stays"


def lesson(**fields: Any) -> Memory:
    born = NOW - 10 * WEEK
    given = {"confidence": 0.6, "created_at": born, "last_accessed_at": born} | fields
    return Memory(
        id="l",
        namespace="n",
        scope="/",
        layer=Layer.EPISODIC,
        kind="lesson",
        text="Never push late",
        source=Source.HUMAN,
        importance=0.5,
        state=State.LIVE,
        **given,
    )


@pytest.mark.parametrize(
    ("fields", "weeks", "expected"),
    [
        ({}, 0, 0.6),
        ({}, 20 / 7, 0.5),
        ({}, 10, 0.1),
        ({"confidence": 0.55}, 9, 0.1),
        ({}, 100, 0.0),
        ({}, -5, 0.6),
        ({"last_accessed_at": NOW, "access_count": 9}, 10, 0.1),
        ({"confirmations": 1, "metadata": {"reinforced_at": (NOW - WEEK).isoformat()}}, 10, 0.55),
        ({"confirmations": 0, "metadata": {"reinforced_at": (NOW - WEEK).isoformat()}}, 10, 0.1),
        ({"confirmations": 1, "metadata": {"reinforced_at": "yesterday, about noon"}}, 10, 0.1),
        ({"confirmations": 1, "metadata": {"reinforced_at": 17}}, 10, 0.1),
    ],
)
def test_confidence_falls_each_week_since_the_last_reinforcement_alone(
    fields: dict[str, Any], weeks: float, expected: float
) -> None:
    one = lesson(**fields)
    assert confidence_now(one, one.created_at + weeks * WEEK) == pytest.approx(expected, abs=1e-12)


def test_meeting_it_again_adds_to_what_is_left_and_starts_anew() -> None:
    first = lesson()
    moment = first.created_at + 2 * WEEK
    change = reinforced(first, moment)
    assert change.after["confidence"] == pytest.approx(0.55) and change.after["confirmations"] == 1
    second = first.but(**change.after)
    assert confident_since(second) == moment
    assert confidence_now(second, moment + timedelta(days=6)) == pytest.approx(0.55)
    assert confidence_now(second, moment + WEEK) == pytest.approx(0.5)
    assert reinforced(second, moment + WEEK).after["confidence"] == pytest.approx(0.55)
