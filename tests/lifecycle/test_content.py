"""What a text says: signals of sentences, their weights, and what they come to."""

from __future__ import annotations

from math import exp, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remanence.lifecycle import content


def test_the_worked_numbers() -> None:
    assert content.value("Thanks!") == pytest.approx(exp(-1.04))
    assert content.value("I met Ann.") == pytest.approx(exp(0.85 + 1.07 + 0.345 + 0.41 * log(3)))
    assert content.factors("Thanks!") == {"reaction": -1.04}
    assert content.value("") == content.value("… !?") == 0.0


def test_at_the_median_a_text_is_worth_half() -> None:
    assert content.content("") == 0.0
    assert 0 < content.content("Thanks!") < 0.05 < 0.5 < content.content("My sister Ann moved to Oslo on 3 May.") < 1


@pytest.mark.parametrize(
    ("says_more", "says_less"),
    [
        ("I moved to Bergen last Tuesday.", "That sounds great!"),
        ("My sister is allergic to peanuts.", "Can you tell me more about peanuts?"),
        ("We decided to ship version 2 on 3 May.", "Would you help me ship it?"),
        ("The invoice was 480 euros.", "The invoice was fine."),
        ("By the way, I started at Acme two weeks ago.", "Thanks so much, you are the best!"),
        ("Ich bin gestern nach Oslo gezogen.", "Danke, super!"),
        ("I bought a used Volvo in March.", "I might buy a used car."),
    ],
)
def test_facts_are_worth_more_than_talk(says_more: str, says_less: str) -> None:
    assert content.value(says_more) > 2 * content.value(says_less)


def test_small_talk_beside_a_fact_takes_nothing_from_it() -> None:
    fact = "I moved to Bergen last Tuesday."
    assert content.value(f"Hi there! {fact} Bye!") >= content.value(fact)


def test_a_text_is_worth_its_three_best_sentences() -> None:
    fact = "I met Ann."
    assert content.value(" ".join([fact] * 3)) == pytest.approx(3 * content.value(fact))
    assert content.value(" ".join([fact] * 9)) == content.value(" ".join([fact] * 3))


def test_every_signal_has_a_reason_and_keeps_the_sign_it_was_given() -> None:
    for name, signal in content.SIGNALS.items():
        assert len(signal.why) > 10, name
        assert signal.weight * signal.prior >= 0, name


@given(st.text(max_size=300))
def test_any_text_has_a_content_between_0_and_1(text: str) -> None:
    assert 0.0 <= content.content(text) < 1.0
    assert all(len(signals) == len(content.NAMES) for signals in content.sentences(text))
