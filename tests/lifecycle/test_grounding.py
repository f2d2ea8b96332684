"""Grounding: which statements stand in a text, and which statements nothing says yet."""

import pytest

from remanence.lifecycle.grounding import ELSEWHERE, EMPTY, OPPOSITE, Ground, unsaid

TEXT = "The nightly job keeps 14 backups in Oslo. Backups must never leave the region."
STATEMENTS = ["The nightly job keeps 14 backups in Oslo", "Backups must never leave the region"]


@pytest.mark.parametrize(
    ("statement", "fault"),
    [
        ("The nightly job keeps 14 backups", None),
        ("Nightly jobs keep 14 backups in Oslo", None),
        ("The nightly job keeps 15 backups in Oslo", ELSEWHERE),
        ("Ishmael went to sea on a whaling ship", ELSEWHERE),
        ("Backups must leave the region", OPPOSITE),
        ("it is what it is", EMPTY),
        ("", EMPTY),
    ],
)
def test_a_statement_stands_in_the_text_or_the_fault_is_named(statement: str, fault: str | None) -> None:
    assert Ground(TEXT, STATEMENTS).fault(statement) == fault


def test_without_statements_only_words_and_numbers_are_compared() -> None:
    assert Ground(TEXT, []).fault("Backups must leave the region") is None


def test_unsaid_are_those_that_no_fact_says() -> None:
    assert unsaid(STATEMENTS, ["The nightly job keeps 14 backups in Oslo every day"]) == [1]
    assert unsaid(STATEMENTS, []) == [0, 1]
