"""Turns: the same all day, another every day, and everybody some day."""

from datetime import UTC, datetime, timedelta

from remanence.lifecycle.turns import of_the_day

NOW = datetime(2026, 3, 1, 8, tzinfo=UTC)
ITEMS = [f"item {number}" for number in range(20)]


def test_the_same_all_day_whatever_the_order() -> None:
    assert of_the_day(ITEMS, NOW, 5) == of_the_day(ITEMS[::-1], NOW + timedelta(hours=15), 5)
    assert len(of_the_day(ITEMS, NOW, 5)) == 5 and of_the_day(ITEMS[:3], NOW, 5) != []


def test_everybody_has_a_turn() -> None:
    met = {item for day in range(40) for item in of_the_day(ITEMS, NOW + timedelta(days=day), 5)}
    assert met == set(ITEMS)
