"""Token ids as the reference tokenizer gives them, and texts nobody means well with."""

from __future__ import annotations

import json
import time
from itertools import pairwise
from pathlib import Path

import pytest

from remanence.providers.bundled.embedder import vocabulary
from remanence.providers.bundled.wordpiece import FIRST, LAST, UNKNOWN
from remanence.providers.pieces import PIECE_TOKENS, pieces

REFERENCE = json.loads(Path(__file__).with_name("reference.json").read_text("utf-8"))


@pytest.mark.parametrize(("text", "ids"), REFERENCE["ids"], ids=lambda value: ascii(value)[:30])
def test_ids_are_those_of_the_reference(text: str, ids: list[int]) -> None:
    assert vocabulary().tokens(text, 256) == ids
    assert vocabulary().tokens(text, 256) == ids, "the second time they come from the cache"


def test_the_vocabulary_is_whole() -> None:
    assert len(vocabulary()) == 30_522


def test_a_text_cannot_pose_as_two() -> None:
    assert LAST not in vocabulary().tokens("one [SEP] two", 256)[:-1]


@pytest.mark.parametrize("most", [2, 3, 10, 256])
def test_no_more_tokens_than_asked_for(most: int) -> None:
    found = vocabulary().tokens("the cat sat on the mat. " * 100, most)
    assert len(found) == most
    assert (found[0], found[-1]) == (FIRST, LAST)


HOSTILE = {
    "letters": "a" * 1_000_000,
    "words": "the quick brown fox. " * 50_000,
    "spaces": " " * 1_000_000,
    "CJK": "中文" * 500_000,
    "accents": "e" + "\u0301\u0323" * 500_000,
    "nul": "\0" * 1_000_000,
    "emoji": "😀👨‍👩‍👧" * 100_000,
    "dots": "." * 1_000_000,
    "surrogates": "\ud800 \udfff" * 1000,
    "right to left": "\u202eمرحبا שלום" * 1000,
    "unassigned": "\u0378\U0010ffff" * 1000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_hostile_text_is_quick(text: str) -> None:
    vocabulary()
    start = time.process_time()
    found = vocabulary().tokens(text, 256)
    some = pieces(text, 8)
    assert time.process_time() - start < 1.0
    assert 2 <= len(found) <= 256
    assert len(some) <= 8


def test_a_long_run_is_one_unknown_word() -> None:
    assert vocabulary().tokens("x" * 101, 256) == [FIRST, UNKNOWN, LAST]


def tokens_in(text: str) -> int:
    return len(vocabulary().tokens(text, 10_000)) - 2


def test_a_short_text_is_one_piece() -> None:
    assert pieces("  One sentence. Another one.\n", 5) == ["One sentence. Another one."]
    assert pieces("", 5) == pieces(" \n ", 5) == pieces("text", 0) == []


def test_pieces_hold_every_word_once_and_end_where_sentences_end() -> None:
    text = "\n".join(f"Sentence number {n} says that the kettle is on. And a question, too?" for n in range(60))
    found = pieces(text, 100)
    assert " ".join(found).split() == text.split()
    assert len(found) > 3
    for piece in found:
        assert tokens_in(piece) <= PIECE_TOKENS
        assert piece[-1] in ".?"
    assert all(tokens_in(piece) > PIECE_TOKENS // 2 for piece in found[:-1])


def test_a_text_without_borders_is_cut_between_words() -> None:
    words = [f"word{n}" for n in range(1000)]
    found = pieces(" ".join(words), 1000)
    assert " ".join(found).split() == words
    assert max(map(tokens_in, found)) <= PIECE_TOKENS


def test_a_script_without_spaces_is_cut_after_full_stops() -> None:
    text = "猫はマットの上に座った。" * 60
    found = pieces(text, 100)
    assert "".join(found) == text
    assert all(piece.endswith("。") and tokens_in(piece) <= PIECE_TOKENS for piece in found)


def test_more_pieces_than_wanted_are_chosen_evenly() -> None:
    lines = "\n".join(f"Line {n} of a rather long list of things that happened." for n in range(200))
    every = pieces(lines, 1000)
    assert len(every) >= 9
    some = pieces(lines, 3)
    assert some == [every[0], every[round((len(every) - 1) / 2)], every[-1]]
    assert pieces(lines, 1) == every[:1]


def test_of_a_very_long_text_windows_are_looked_at() -> None:
    text = "\n".join(f"Line {n} of a rather long list of things that happened." for n in range(20_000))
    found = pieces(text, 5)
    numbers = [int(piece.split()[1]) for piece in found]
    assert len(found) == 5
    assert numbers[0] == 0
    assert found[-1] == text[-len(found[-1]) :]
    gaps = [later - earlier for earlier, later in pairwise(numbers)]
    assert max(gaps) < 1.2 * min(gaps)
