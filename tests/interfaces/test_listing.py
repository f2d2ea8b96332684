"""`rem --help`: each command in one line, with a whole clause about it."""

from __future__ import annotations

import pytest

from remanence.interfaces.cli.app import run
from remanence.interfaces.cli.listing import brief


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
