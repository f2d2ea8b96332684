"""Which memories stay when only so much may."""

from __future__ import annotations

from math import log

import numpy as np
import pytest

from remanence.lifecycle.cover import Told, standings


def stand(*texts: str, **known: object) -> list[float]:
    told = [Told.of(text) for text in texts]
    room = [len(text) for text in texts]
    return standings([t.value for t in told], room, [t.words for t in told], **known).tolist()  # type: ignore[arg-type]


def test_the_worked_number() -> None:
    (alone,) = standings([16.6], [100], [{"bergen"}])
    assert alone == pytest.approx(log(16.6) - 1.15 * log(100) + 1.5 * log(1.05))
    assert alone == pytest.approx(-2.41, abs=0.005)


def test_of_two_that_say_the_same_one_stands_low() -> None:
    first, again, other = stand(
        "Ann moved to Bergen on 3 May.", "Ann moved to Bergen on 3 May!", "The rent is 900 euros since June."
    )
    assert again < first - 1
    assert other > again


def test_what_shares_a_topic_alone_is_not_held_against_it() -> None:
    apart = stand("Ann keeps bees in Bergen.", "The rent is 900 euros since June.")
    related = stand("Ann keeps bees in Bergen.", "Ann sold 40 jars of honey at the fair.")
    assert apart[0] == pytest.approx(related[0], abs=1.0)


@pytest.mark.parametrize("known", ["importance", "retention", "uses"])
def test_importance_use_and_what_is_left_raise_it(known: str) -> None:
    text = "Ann moved to Bergen on 3 May."
    low, high = stand(text, **{known: np.array([0.3])}), stand(text, **{known: np.array([0.9])})
    assert high > low


def test_the_same_in_less_room_stands_higher() -> None:
    words = [{"bergen"}, {"oslo"}]
    short, long = standings([10.0, 10.0], [50, 100], words)
    assert short - long == pytest.approx(1.15 * log(2))


def test_nothing_said_is_no_error() -> None:
    assert np.isfinite(standings([0.0, 0.0], [1, 0], [set(), set()])).all()
    assert len(standings([], [], [])) == 0
