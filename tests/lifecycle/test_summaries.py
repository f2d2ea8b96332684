"""Summaries: what the memory that stands for others inherits, and how many may leave for such in a day."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remanence.lifecycle.safety import excesses
from remanence.lifecycle.summaries import Allowance, summary_of
from remanence.model.checks import TAGS
from remanence.model.memory import Layer, Memory, Source, State

NOW = datetime(2026, 3, 1, tzinfo=UTC)
DAY = timedelta(days=1)


def memory(number: int = 0, **fields: Any) -> Memory:
    at = NOW + number * DAY
    values: dict[str, Any] = {
        **{"id": f"m{number}", "namespace": "n", "scope": "/a", "layer": Layer.EPISODIC, "kind": "fact"},
        **{"text": f"Number {number}", "source": Source.HUMAN, "importance": 0.5},
        **{"created_at": at, "last_accessed_at": at},
    }
    return Memory(**values | fields)


def test_what_a_summary_inherits() -> None:
    accesses = tuple(NOW + n * timedelta(hours=1) for n in range(15))
    sources = [
        memory(0, importance=0.9, confidence=0.4, valence=1.0, categories=("a", "b"), recent_accesses=accesses),
        memory(5, source=Source.AI, confirmations=3, categories=("b",), access_count=7, origin="chat", uses=2),
        memory(
            2, last_accessed_at=NOW + 9 * DAY, concepts=("x",), files=("f",), recent_accesses=accesses, rejections=4
        ),
    ]
    made = summary_of(sources, "All of it", "s1", {"llm": False})
    assert (made.id, made.text, made.kind, made.layer, made.source) == (
        *("s1", "All of it", "summary"),
        *(Layer.SEMANTIC, Source.DREAM),
    )
    assert (made.namespace, made.scope, made.state, made.depth) == ("n", "/a", State.LIVE, 1)
    assert made.lineage == ("m0", "m5", "m2")
    assert made.created_at == NOW + 5 * DAY, "that of the newest"
    assert made.last_accessed_at == NOW + 9 * DAY
    assert (made.importance, made.confidence, made.valence) == (0.9, 0.4, round(1 / 3, 6))
    assert (made.confirmations, made.access_count, made.uses, made.rejections) == (3, 7, 2, 0)
    assert made.recent_accesses == tuple(sorted([*accesses, *accesses])[-20:])
    assert (made.categories, made.concepts, made.files) == (("b", "a"), ("x",), ("f",))
    assert (made.origin, made.supersedes, made.superseded_by, made.version) == (None, None, None, 1)
    assert (made.expires_at, made.kept_until, made.challenged_by, made.surprise) == (None,) * 4
    assert (made.pinned, made.exempt) == (False, False)
    assert made.metadata == {"llm": False}


def test_the_deepest_counts_and_one_more() -> None:
    assert summary_of([memory(0), memory(1, depth=1), memory(2)], "x", "s", {}).depth == 2


def test_no_more_tags_than_a_memory_may_have() -> None:
    sources = [memory(n, categories=tuple(f"c{n}-{k}" for k in range(TAGS))) for n in range(3)]
    assert len(summary_of(sources, "x", "s", {}).categories) == TAGS


SOURCES = st.lists(
    st.builds(
        memory,
        st.integers(0, 400),
        source=st.sampled_from(list(Source)),
        trust_limit=st.sampled_from([0.0, 0.1, 0.39, 0.5, 1.0]),
        confidence=st.floats(0, 1),
        importance=st.floats(0, 1),
        valence=st.floats(-1, 1),
        depth=st.integers(0, 1),
    ),
    min_size=1,
    max_size=9,
)


@given(SOURCES)
def test_trust_never_rises(sources: list[Memory]) -> None:
    made = summary_of(sources, "x", "s", {})
    assert made.trust <= min(one.trust for one in sources)
    assert made.confidence <= min(one.confidence for one in sources)
    assert made.created_at == max(one.created_at for one in sources)
    assert -1 <= made.valence <= 1
    again = summary_of([made, *sources], "y", "t", {})
    assert again.trust <= made.trust


# --- how many may leave


@pytest.mark.parametrize(
    ("live", "today", "wanted", "may"),
    [
        (1000, 0, 80, 50),  # 5 % of 1,000
        (1000, 0, 30, 30),
        (100, 0, 30, 5),
        (119, 0, 30, 5),
        (120, 0, 30, 6),
        (99, 0, 80, 24),  # below 100: one fewer than the breaker counts
        (30, 0, 30, 24),
        (5, 0, 5, 5),
        (950, 50, 80, 0),  # today's are used up
        (970, 30, 80, 20),
        (95, 5, 80, 0),  # there were 100 this morning, and 5 % of them left
        (80, 10, 80, 14),
    ],
)
def test_how_many_may_leave_a_scope(live: int, today: int, wanted: int, may: int) -> None:
    assert Allowance({"/a": live}, {"/a": today}, {}, {}).of("/a", wanted, 5) == may


def test_fewer_than_a_cluster_are_none() -> None:
    assert Allowance({"/a": 79}, {"/a": 20}, {}, {}).of("/a", 30, 5) == 0
    assert Allowance({"/a": 80}, {"/a": 19}, {}, {}).of("/a", 30, 5) == 5


def test_what_is_taken_is_gone() -> None:
    allowance = Allowance({"/a": 1000}, {}, {}, {})
    allowance.take("/a", 45)
    assert allowance.of("/a", 30, 5) == 5
    allowance.take("/a", 5)
    assert allowance.of("/a", 30, 5) == 0


def test_scopes_have_their_own_share_below_the_breaker_of_what_holds_them() -> None:
    """Four scopes of 30: 24 may leave one, but 25 of 120 are more than a fifth of all."""
    live = {f"/a/{n}": 30 for n in range(4)}
    allowance = Allowance(live, {}, {}, {})
    assert allowance.of("/a/0", 30, 5) == 24
    allowance.take("/a/0", 20)
    assert allowance.of("/a/1", 30, 5) == 0
    roomy = Allowance(live | {"/b": 80}, {}, {}, {})
    roomy.take("/a/0", 20)
    assert roomy.of("/a/1", 30, 5) == 0, "40 of the 200 would be a fifth of all, but /a has only 120"


def test_what_other_steps_take_counts_for_the_breaker() -> None:
    assert Allowance({"/a": 50}, {}, {}, {"/a": 20}).of("/a", 10, 5) == 0
    assert Allowance({"/a": 50}, {}, {}, {"/a": 19}).of("/a", 10, 5) == 5


def test_an_unknown_scope_has_nothing_to_leave() -> None:
    assert Allowance({"/a": 50}, {}, {}, {}).of("/b", 10, 5) == 0


@given(
    st.dictionaries(st.sampled_from(["/", "/a", "/a/b", "/a/c", "/d"]), st.integers(0, 300), min_size=1),
    st.lists(st.tuples(st.sampled_from(["/", "/a", "/a/b", "/a/c", "/d"]), st.integers(5, 80)), max_size=12),
)
def test_whatever_is_taken_the_breaker_does_not_trip(live: dict[str, int], asked: list[tuple[str, int]]) -> None:
    allowance = Allowance(live, {}, {}, {})
    taken: dict[str, int] = {}
    for scope, wanted in asked:
        may = allowance.of(scope, wanted, 5)
        assert may in range(5, wanted + 1) or may == 0
        allowance.take(scope, may) if may else None
        taken[scope] = taken.get(scope, 0) + may
    assert excesses(taken, live) == []
    assert all(taken[scope] <= max(24, 0.05 * live.get(scope, 0)) for scope in taken)
