"""`rem --help`: every command stands under one heading, with a whole clause about it."""

from __future__ import annotations

from itertools import chain

import pytest

from remanence.interfaces.cli.app import rem, run
from remanence.interfaces.cli.headings import HEADINGS, arranged, brief


def test_every_command_has_one_heading() -> None:
    named = list(chain.from_iterable(HEADINGS.values()))
    assert sorted(named) == sorted(rem.commands)


def test_a_command_without_a_heading_stands_under_the_last() -> None:
    assert arranged(["recall", "new"]) == [("Remember and recall", ["recall"]), ("More", ["new"])]


@pytest.mark.parametrize(
    ("help", "shown"),
    [
        ("Short.", "Short."),
        ("First sentence. Second sentence.", "First sentence."),
        ("Give each a vector, at once; stopped, it goes on.", "Give each a vector, at once."),
        ("Let it remember: this, that, and the other one.", "Let it remember."),
        ("One two three four five six seven eight nine ten", "One two three four five six …"),
    ],
)
def test_what_is_too_long_ends_with_a_clause(help: str, shown: str) -> None:
    assert brief(help, 32) == shown


def test_no_line_is_cut_within_a_clause(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--help"]) == 0
    cut = [line for line in capsys.readouterr().out.splitlines() if line.endswith("…")]
    assert not cut
