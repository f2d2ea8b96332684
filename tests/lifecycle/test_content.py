"""What a text says: signals of sentences, their weights, and what they come to."""

from __future__ import annotations

from math import exp, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remanence.lifecycle import content


def test_the_worked_numbers() -> None:
    assert content.value("Thanks!") == pytest.approx(exp(-1.07))
    assert content.value("I met Ann.") == pytest.approx(exp(0.37 + 0.82 + 0.27 + 0.68 * log(3)))
    assert content.factors("Thanks!") == {"reaction": -1.07}
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


def test_an_answer_to_somebody_else_is_worth_more() -> None:
    said = "It is the blue one."
    assert content.value(said, answer=True) == pytest.approx(exp(content.WEIGHTS["answer"]) * content.value(said))
    assert content.factors(said, answer=True)["answer"] == content.WEIGHTS["answer"]


@pytest.mark.parametrize(
    ("before", "text", "by_another", "answer"),
    [
        ("Ann: Which one is yours?", "Bo: The blue one.", False, True),
        ("Ann: Hi! Which one is yours? I forgot.", "Bo: The blue one.", False, True),
        ("Ann: Which one is yours?", "Ann: The blue one?", False, False),
        ("Ann: That one is mine.", "Bo: The blue one.", False, False),
        ("Which one is yours?", "The blue one.", False, False),
        ("Which one is yours?", "The blue one.", True, True),
    ],
)
def test_who_answers_is_told_by_the_names_or_by_the_caller(
    before: str, text: str, by_another: bool, answer: bool
) -> None:
    assert content.answers(before, text, by_another=by_another) is answer


def test_the_name_before_a_text_is_no_part_of_it() -> None:
    assert content.value("Ann: I met Bo in Oslo.") == content.value("I met Bo in Oslo.")


def test_a_name_somebody_is_called_by_is_none_to_search_by() -> None:
    assert "name" not in content.factors("Thanks, Maria!")
    assert content.factors("I met Maria in Oslo.")["name"] == content.WEIGHTS["name"]


def test_every_signal_has_a_reason_and_keeps_the_sign_it_was_given() -> None:
    for name, signal in content.SIGNALS.items():
        assert len(signal.why) > 10, name
        assert signal.weight * signal.prior >= 0, name


@given(st.text(max_size=300))
def test_any_text_has_a_content_between_0_and_1(text: str) -> None:
    assert 0.0 <= content.content(text) < 1.0
    assert all(len(signals) == len(content.NAMES) for signals in content.sentences(text))
