"""In a large namespace the best matches are ranked before they are filtered: the hits are the same."""

from __future__ import annotations

import random

import pytest

from remanence import Mind
from remanence.store.sqlite import words as sqlite_words
from remanence.store.sqlite.words import FullText
from tests.conftest import only_files


@only_files
def test_ranking_first_finds_the_same(mind: Mind, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(3)
    words = [f"w{number}" for number in range(60)]
    made = mind.remember_many([" ".join(rng.sample(words, 6)) for _ in range(1300)])
    ids = [one.memory.id for one in made if one.outcome == "added"]
    mind.forget(ids=rng.sample(ids, len(ids) // 2))
    queries = [" ".join(rng.sample(words, 3)) for _ in range(40)]
    filtered = [[(hit.memory.id, hit.rank) for hit in mind.recall(query, reinforce=False)] for query in queries]
    asked = []
    ranked_first = FullText.scored
    monkeypatch.setattr(sqlite_words, "RANK_FIRST_FROM", 0)
    monkeypatch.setattr(FullText, "scored", lambda *a, **k: asked.append(k["broad"]) or ranked_first(*a, **k))
    assert [[(hit.memory.id, hit.rank) for hit in mind.recall(query, reinforce=False)] for query in queries] == filtered
    assert set(asked) == {True}
    assert all(len(hits) == 10 for hits in filtered)
