"""Five rounds of texts to see how far the rules carry: notes, chats, logs, runbooks, code, several languages."""

from __future__ import annotations

from collections import Counter

import pytest

from remanence.guard.secrets import find, redact
from tests.guard.benign_texts import benign_outside
from tests.guard.secret_texts import OUTSIDE_FRAMES, outside


def test_the_rounds_are_many_and_the_same_each_time() -> None:
    assert len(set(OUTSIDE_FRAMES)) == len(OUTSIDE_FRAMES) >= 340
    assert len(set(benign_outside())) >= 700
    assert outside() == outside() and benign_outside() == benign_outside()
    assert all(values and all(value in text for value in values) for text, values in outside())


@pytest.mark.promise("S6")
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_secrets_leave(seed: int) -> None:
    cases = outside(seed)
    missed = [text for text, values in cases if any(value in redact(text).text for value in values)]
    assert len(missed) <= 0.02 * len(cases), missed


def test_no_frame_is_blind() -> None:
    """Of nine values in a frame at least six go."""
    seen: Counter[int] = Counter()
    for seed in (4, 5, 6):
        for number, (text, values) in enumerate(outside(seed)):
            seen[number // 3] += all(value not in redact(text).text for value in values)
    assert not [OUTSIDE_FRAMES[number] for number in range(len(OUTSIDE_FRAMES)) if seen[number] < 6]


@pytest.mark.promise("S6")
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_what_is_no_secret_stays(seed: int) -> None:
    texts = benign_outside(seed)
    false = [redact(text).text for text in texts if redact(text).text is not text]
    assert len(false) <= 0.01 * len(texts), false


def test_redacted_text_holds_no_secret() -> None:
    for text, _ in outside(7):
        assert not find(redact(text).text), text


def test_a_long_text_is_looked_at_again_where_something_left() -> None:
    """Longer than what is looked at twice as a whole: the second look is around the marks only."""
    parts = [text for text, _ in outside(8)]
    filler = "The nightly job starts at 02:30 and takes about forty minutes; ask Ben first.\n" * 40
    for at in range(0, len(parts), 60):
        text = "\n".join(f"{filler}\n{part}\n" for part in parts[at : at + 12])
        done = redact(text)
        assert len(text) > 30_000 and done.counts
        assert not find(done.text)
