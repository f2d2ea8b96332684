"""Which words of a query are searched together: few hold them all by chance, and who holds all of them is found."""

from __future__ import annotations

from remanence.store.sql.words import Term, Words

OF = 100_000


def together(**held: float) -> list[set[str]]:
    """The conjunctions for these words, rarest first, of which only the first is searched alone."""
    known = sorted(held, key=lambda word: held[word])
    terms = {word: Term(word, word, False) for word in held}
    said = Words(lambda: 1)._together(known, 1, {word: (number, OF) for word, number in held.items()}, terms)
    return [{term.stem for term in group} for group in said]


def test_two_that_are_rarely_together_by_chance() -> None:
    assert together(heron=900, lake=4_000) == [{"heron", "lake"}]


def test_a_third_word_where_two_are_often_together_by_chance() -> None:
    assert together(review=6_000, message=11_000, queue=12_000) == [{"review", "message", "queue"}]


def test_what_is_in_a_pair_already_is_not_said_again() -> None:
    assert together(heron=100, review=6_000, message=11_000) == [{"heron", "review"}, {"heron", "message"}]


def test_words_that_cost_too_much_to_walk_are_left_out() -> None:
    assert together(review=6_000, the=60_000, message=70_000) == []
    assert together(heron=100, the=60_000) == []


def test_so_many_and_no_more_are_met_by_chance() -> None:
    words = {f"word{number}": 6_500.0 for number in range(6)}
    said = together(**words)
    assert 600 >= sum(OF * (0.065 ** len(part)) for part in said) > 0
    assert said == together(**words)
