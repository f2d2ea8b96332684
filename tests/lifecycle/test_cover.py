"""Which memories stay when only so much may."""

from __future__ import annotations

from math import log

import numpy as np
import pytest

from remanence.lifecycle.cover import Told, leaving, standings


def stand(*texts: str, **known: object) -> list[float]:
    told = [Told.of(text) for text in texts]
    room = [len(text) for text in texts]
    return standings([t.value for t in told], room, [t.words for t in told], **known)[0].tolist()  # type: ignore[arg-type]


def test_the_worked_number() -> None:
    (alone,), (repeated,) = standings([16.6], [100], [{"bergen"}])
    assert repeated == 0
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


@pytest.mark.parametrize("known", ["importance", "retention", "uses", "recency"])
def test_importance_use_recency_and_what_is_left_raise_it(known: str) -> None:
    text = "Ann moved to Bergen on 3 May."
    low, high = stand(text, **{known: np.array([0.3])}), stand(text, **{known: np.array([0.9])})
    assert high > low


def test_the_same_in_less_room_stands_higher() -> None:
    words = [{"bergen"}, {"oslo"}]
    (short, long), _ = standings([10.0, 10.0], [50, 100], words)
    assert short - long == pytest.approx(1.15 * log(2))


def test_nothing_said_is_no_error() -> None:
    assert np.isfinite(standings([0.0, 0.0], [1, 0], [set(), set()])[0]).all()
    assert len(standings([], [], [])[0]) == 0


def test_what_stays_anyway_says_it_first() -> None:
    texts = ["Ann moved to Bergen on 3 May, by train.", "Ann moved to Bergen on 3 May."]
    told = [Told.of(text) for text in texts]
    given = ([t.value for t in told], [len(text) for text in texts], [t.words for t in told])
    assert standings(*given)[0].argmin() == 0
    stand, repeated = standings(*given, staying=np.array([True, False]))
    assert stand.argmin() == 1
    assert repeated[1] == pytest.approx(1.0)
    assert repeated[0] == 0


def test_those_that_still_fit_stay() -> None:
    order = np.array([3, 0, 2, 1])
    room = np.array([3, 9, 2, 5])
    assert leaving(order, room, 8).tolist() == [3, 0]
    assert leaving(order, room, 0).tolist() == []
    assert leaving(order, room, 100).tolist() == [3, 0, 2, 1]
