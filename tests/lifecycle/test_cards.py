"""Cards: statements as they stand, the most important first, each once; decided by the memories alone."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from remanence.lifecycle.cards import (
    MOST_CHARACTERS,
    MOST_SOURCES,
    SURER,
    TOO_LONG,
    about,
    card_of,
    digest_of,
    fault_of,
)
from remanence.lifecycle.grounding import ELSEWHERE, OPPOSITE
from remanence.model.memory import Memory
from tests.lifecycle.worlds import NOW, memory


def said(number: int, text: str, **fields: Any) -> Memory:
    return memory(number=number, text=text, **fields)


ANNA = (
    said(1, "Anna leads the API team", importance=0.4),
    said(2, "Anna lives in Bern", importance=0.9),
    said(3, "Anna might move to Zurich", importance=0.4, confirmations=2),
)


def test_the_most_important_comes_first_then_what_was_confirmed() -> None:
    card = card_of(["Anna"], ["anna"], ANNA)
    assert card is not None
    assert card.text == "Anna: Anna lives in Bern. Anna might move to Zurich. Anna leads the API team."
    assert [one.id for one in card.used] == [ANNA[1].id, ANNA[2].id, ANNA[0].id]


def test_the_newer_of_equals_comes_first() -> None:
    older = replace(said(1, "Anna sails"), created_at=NOW - timedelta(days=9))
    card = card_of(["Anna"], ["anna"], [older, said(2, "Anna climbs")])
    assert card is not None and card.statements == ("Anna climbs.", "Anna sails.")


def test_neither_the_order_nor_recalls_nor_the_clock_change_it() -> None:
    later = [
        replace(one, access_count=9, last_accessed_at=one.last_accessed_at + timedelta(days=3), uses=4)
        for one in reversed(ANNA)
    ]
    first, second = card_of(["Anna"], ["anna"], ANNA), card_of(["Anna"], ["anna"], later)
    assert first is not None and second is not None and first.text == second.text
    assert digest_of(ANNA) == digest_of(later) != digest_of(ANNA[:2])


def test_what_is_said_already_is_not_said_again_and_its_opposite_is() -> None:
    texts = ["Anna lives in Bern", "anna lives in  Bern.", "Anna does not live in Bern", "Anna sails"]
    card = card_of(["Anna"], ["anna"], [said(n, text, importance=1 - n / 10) for n, text in enumerate(texts, 1)])
    assert card is not None
    assert card.statements == ("Anna lives in Bern.", "Anna does not live in Bern.", "Anna sails.")


def test_what_is_doubted_is_left_out() -> None:
    card = card_of(["Anna"], ["anna"], [*ANNA, said(4, "Anna has 3 cats", challenged_by="x", importance=1.0)])
    assert card is not None and "cats" not in card.text


def test_one_statement_is_no_card() -> None:
    assert card_of(["Anna"], ["anna"], [said(1, "Anna sails"), said(2, "Anna sails.")]) is None
    assert card_of(["Anna"], ["anna"], []) is None


def test_a_card_is_bounded_and_never_cuts_a_statement() -> None:
    many = [said(n, f"Anna owns the boat number {n} of the harbour", importance=0.5) for n in range(1, 200)]
    card = card_of(["Anna"], ["anna"], many)
    assert card is not None and len(card.text) <= MOST_CHARACTERS and len(card.used) <= MOST_SOURCES
    texts = {one.text for one in many}
    assert all(statement.removesuffix(".") in texts for statement in card.statements)


def test_of_a_long_text_the_sentences_that_name_it_stand() -> None:
    filler = "The weather was fine that day and nobody had much to say. " * 8
    assert (
        about(f"{filler}Anna Schmidt signed the lease. {filler}", ["anna schmidt"]) == "Anna Schmidt signed the lease."
    )
    assert about(filler, ["anna"]) == "The weather was fine that day and nobody had much to say."
    assert about("x" * 5_000, ["anna"]) == ""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Anna: Thanks, that is really great!", ""),
        ("What does Anna do?", ""),
        ("Anna leads the team. Who leads yours? Anna sails too", "Anna leads the team. Anna sails too."),
        ("Anna Anna", ""),
        ("アンナは何を？", ""),
        ("Ask https://example.com/?q=anna about Anna", "Ask https://example.com/?q=anna about Anna."),
        ("", ""),
    ],
)
def test_questions_and_small_talk_say_nothing(text: str, said: str) -> None:
    assert about(text, ["anna"]) == said


STATEMENTS = ("Anna leads the API team.", "Anna probably moves to Zurich in 2027.", "Anna never deploys on Fridays.")


@pytest.mark.parametrize(
    ("worded", "fault"),
    [
        (["Anna leads the API team and never deploys on Fridays."], None),
        (["Anna leads the API team.", "Anna probably moves to Zurich in 2027."], None),
        (["Anna moves to Zurich in 2027."], SURER),
        (["Anna probably moves to Zurich in 2028."], ELSEWHERE),
        (["Anna deploys on Fridays."], OPPOSITE),
        (["Anna won seven championships in Formula One."], ELSEWHERE),
        (["Anna leads the API team. She was born in Moscow and hates boats."], ELSEWHERE),
        ([], TOO_LONG),
        (["..."], TOO_LONG),
        (["Anna leads the API team. " * 80], TOO_LONG),
    ],
)
def test_words_of_somebody_else_must_stand_in_the_statements(worded: list[str], fault: str | None) -> None:
    assert fault_of("Anna", worded, STATEMENTS) == fault


def test_it_goes_by_a_name_that_its_statements_hold() -> None:
    """The full name stands elsewhere; once those who said it are purged, no card may say it still."""
    card = card_of(["Anna Schmidt", "Anna"], ["anna schmidt", "anna"], ANNA)
    assert card is not None and card.name == "Anna" and card.text.startswith("Anna: ")
    assert card_of(["Bo Lind"], ["bo lind"], ANNA) is None
