"""The order of hits, and what fits a budget."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import permutations

from remanence.lifecycle.ranking import ranked, within
from remanence.model.memory import Layer, Memory, Source, State
from remanence.model.words import estimate_tokens

NOW = datetime(2026, 3, 1, tzinfo=UTC)
BASE = Memory(
    id="a",
    namespace="n",
    scope="/",
    layer=Layer.EPISODIC,
    kind="fact",
    text="Text",
    source=Source.HUMAN,
    importance=0.5,
    created_at=NOW,
    last_accessed_at=NOW,
)


def test_best_first_then_newest_then_by_id() -> None:
    best = replace(BASE, id="best", created_at=NOW - timedelta(days=9))
    newer = replace(BASE, id="newer", created_at=NOW + timedelta(microseconds=1))
    first, second = replace(BASE, id="b1"), replace(BASE, id="b2")
    scored = [(best, 2.0), (newer, 1.0), (first, 1.0), (second, 1.0)]
    for order in permutations(scored):
        assert [hit.memory.id for hit in ranked(order)] == ["best", "newer", "b1", "b2"]


def test_a_hit_tells_its_parts_and_whether_it_is_archived() -> None:
    hit, other = ranked([(BASE, 1.5), (replace(BASE, id="b", state=State.ARCHIVED), 1.0)])
    assert (hit.rank, hit.parts, hit.archived) == (1.5, {"text": 1.5}, False)
    assert other.archived
    assert ranked([]) == []


def test_the_best_that_fit_together() -> None:
    texts = ["word " * 20, "word " * 8, "word " * 2]
    hits = ranked((replace(BASE, id=str(n), text=text), float(-n)) for n, text in enumerate(texts))
    large, middle, small = (estimate_tokens(text) for text in texts)
    ids = lambda budget: [hit.memory.id for hit in within(hits, budget)]  # noqa: E731
    assert ids(None) == ids(large + middle + small) == ["0", "1", "2"]
    assert ids(large + middle + small - 1) == ["0", "1"]
    assert ids(large + small) == ["0", "2"]
    assert ids(large - 1) == (["1", "2"] if middle + small < large else ["1"])
    assert ids(small) == ["2"]
    assert ids(small - 1) == []
