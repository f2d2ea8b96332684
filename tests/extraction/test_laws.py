"""Whatever the text: nothing raises, statements are short, distinct and made of its words; the work is linear."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from remanence.extraction import decompose
from remanence.model.words import folded

PIECES = [
    "Anna", "Tom:", "she", "it", "and", "but", ";", "—", "is", "works", "the", "cache", "- ", "1. ", "| a | b |",
    "|---|---|", "\n", "\n\n", "```", "# ", "> ", "[ ] ", "Key: ", "2024-01-01 10:00:00 ERROR ", "?", ".", "。",
    "，", "他", "は", "(", ")", "\"", "`", "{", "}", "\t", "  ", "…", "\x00", "\u2028", "😀", "I'll", "und", "et", "y",
    "http://a.b/c.d", "a/b.py:3 — ",
]  # fmt: skip
ANY_TEXT = st.one_of(
    st.text(max_size=300),
    st.lists(st.sampled_from(PIECES), max_size=60).map(" ".join),
    st.lists(st.sampled_from(PIECES), max_size=60).map("".join),
)


@settings(deadline=None)
@given(ANY_TEXT)
@example("\ud800")
@example("[" * 5000 + "]" * 5000)
@example("Tom: \nTom:\nQ: ?\nA:")
def test_no_text_raises(text: str) -> None:
    facts = decompose(text)
    folds = [folded(fact.text).rstrip(".!。 ") for fact in facts]
    assert len(set(folds)) == len(folds)
    for fact in facts:
        assert 0 < len(fact.text) <= 1000
        assert fact.text == " ".join(fact.text.split())
        assert 0.2 <= fact.importance <= 0.9
    assert 4 * len(facts) <= len(text) + 4 * text.count("\n") + 8


@settings(deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=40).map(" ".join))
def test_words_come_from_the_text(text: str) -> None:
    # Put in by the rules: marks of boxes, turned verbs, possessives.
    added = {"open", "done", "will", "is", "has", "s", "the", "bitte"}
    had = set(re.findall(r"\w+", text.lower())) | added
    for fact in decompose(text):
        assert set(re.findall(r"\w+", fact.text.lower())) <= had


HOSTILE = {
    "clauses": "a, and b ",
    "verbs": "he is, and he was ",
    "brackets": "(",
    "dots": ".",
    "letters": "x",
    "keys": "a: ",
    "pipes": "|",
    "quotes": ">",
    "back quotes": "`",
    "links": "[a](b",
    "tags": "<a ",
    "tabs": "\t",
    "versions": "1.",
    "chinese": "他说，",
    "thanks": "thanks, ",
    "boxes": "- [ ] ",
    "turns": "Tom: hi\nAna: ok\n",
    "paths": "a/b.py:1 - x\n",
    "deep": " - x\n ",
}


@pytest.mark.timeout(60)
@pytest.mark.parametrize("name", HOSTILE)
def test_long_repetitions_end(name: str) -> None:
    piece = HOSTILE[name]
    facts = decompose(piece * (100_000 // len(piece)))
    assert all(len(fact.text) <= 1000 for fact in facts)


def test_a_long_sentence_is_cut_at_a_clause() -> None:
    facts = decompose("The list holds " + ", ".join(f"entry number {n}" for n in range(200)) + ".")
    assert len(facts) > 1
    assert all(len(fact.text) <= 1000 and fact.text.split()[0] in {"The", "entry"} for fact in facts)
