"""Merging without a model: sentences as they stand, each once; what would be too long is not covered, and said so."""

from itertools import permutations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from remanence.lifecycle.coverage import lost, sentences
from remanence.lifecycle.merging import MOST_CHARACTERS, Merged, covering, merged

ANN, BOB, EVE = "Ann owns the billing job.", "Bob might leave in May.", "Eve does not deploy on Friday."


def test_every_text_is_covered_in_order() -> None:
    assert merged([ANN, BOB, EVE]) == Merged(f"{ANN}\n{BOB}\n{EVE}", (0, 1, 2), {})


def test_what_is_said_twice_stands_once() -> None:
    assert merged([ANN, "Ann owns the billing job", BOB, ANN]) == Merged(f"{ANN}\n{BOB}", (0, 1, 2, 3), {})


def test_the_longer_of_two_stands_for_the_shorter() -> None:
    longer = "The user is vegetarian and lives in Oslo."
    assert merged(["The user is vegetarian.", longer]) == Merged(longer, (0, 1), {})
    assert merged([longer, "The user is vegetarian."]) == Merged(longer, (0, 1), {})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("It might ship on Friday", "It ships on Friday"),
        ("Ann may deploy", "Ann may not deploy"),
        ("Backups are kept for 30 days", "Backups are kept for 20 days"),
        ("She drinks tea", "She drinks coffee"),
        ("Tom paid Anna", "Anna paid Tom"),
        ("Wir haben Postgres beschlossen", "Wir haben Postgres"),
        ("会议在星期五", "会议在星期一"),
    ],
)
def test_what_differs_stands_beside_each_other(one: str, other: str) -> None:
    found = merged([one, other])
    assert found.covered == (0, 1)
    assert one in found.text
    assert other in found.text


@pytest.mark.parametrize(
    "texts",
    [
        ["the user likes tea", "the user works in oslo"],
        ["the user likes tea", "the user does not like coffee", "maybe the user moves", "the user works in oslo"],
        ["the dog eats meat", "the cat eats fish", "the cat eats meat"],
        ["iPhones sell well", "eBay pays in May", "npm is slow today"],
    ],
)
def test_texts_in_small_letters_are_covered_too(texts: list[str]) -> None:
    found = merged(texts)
    assert found.covered == tuple(range(len(texts)))
    assert all(text in found.text for text in texts)


def test_the_short_ones_come_first_where_there_is_no_room_for_all() -> None:
    """Room for 60 characters: 25 and 23, each with its end and a space, leave none for one of 80."""
    long = "Eve " + "very " * 12 + "slowly deploys."
    found = merged([long, ANN, BOB], most_characters=60)
    assert found.text == f"{ANN}\n{BOB}"
    assert found.covered == (1, 2)
    assert found.lost.keys() == {0}
    assert "eve" in found.lost[0]


def test_one_that_is_too_long_alone_is_all_there_is() -> None:
    long = "Eve " + "very " * 500 + "slowly deploys."
    assert merged([long, long + " Twice."]).covered in ((0,), (0, 1))


def test_nothing_and_empty_texts() -> None:
    assert merged([]) == Merged("", (), {})
    assert merged(["", " … "]).text == ""


def test_what_somebody_wrote_is_held_against_the_texts() -> None:
    found = covering("Ann owns the billing job. Bob leaves in May.", [ANN, BOB, EVE])
    assert found.covered == (0,)
    assert "that it is not certain" in found.lost[1]
    assert "eve" in found.lost[2]


# --- laws

WORDS = ["Ann", "Bob", "tea", "coffee", "likes", "not", "might", "7", "12", "Oslo", "decided", "src/a.py", "vielleicht"]
WORDS += ["東京都", "可能", "never", "the", "before", "after", "Friday", "etc."]
SENTENCE = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)
TEXT = st.lists(SENTENCE, min_size=1, max_size=3).map(lambda some: ". ".join(one[0].upper() + one[1:] for one in some))
TEXTS = st.lists(TEXT, min_size=1, max_size=7)


@settings(max_examples=100, deadline=None)
@given(TEXTS, st.sampled_from([20, 60, MOST_CHARACTERS]))
def test_it_covers_what_it_says_it_covers(texts: list[str], most: int) -> None:
    found = merged(texts, most)
    assert merged(texts, most) == found
    assert set(found.covered) | found.lost.keys() == set(range(len(texts)))
    for place, text in enumerate(texts):
        assert bool(lost(text, found.text)) == (place not in found.covered)


@settings(max_examples=100, deadline=None)
@given(TEXTS, st.sampled_from([20, 60, MOST_CHARACTERS]))
@example(['He said "stop." Then he left'], MOST_CHARACTERS)
def test_every_sentence_stands_in_a_text_as_it_is(texts: list[str], most: int) -> None:
    for sentence in sentences(merged(texts, most).text):
        assert any(sentence in text or sentence.removesuffix(".") in text for text in texts), sentence


@settings(max_examples=80, deadline=None)
@given(st.lists(TEXT, min_size=2, max_size=4, unique=True), st.sampled_from([60, MOST_CHARACTERS]))
def test_what_is_covered_is_no_matter_of_order(texts: list[str], most: int) -> None:
    if len({len(text) for text in texts}) < len(texts) and most < MOST_CHARACTERS:
        return  # of two as long as each other the first is taken in
    covered = {frozenset(order[place] for place in merged(order, most).covered) for order in permutations(texts)}
    assert len(covered) == 1


@settings(max_examples=100, deadline=None)
@given(TEXTS)
def test_with_room_enough_nothing_is_lost(texts: list[str]) -> None:
    assert merged(texts, 10_000).lost == {}
