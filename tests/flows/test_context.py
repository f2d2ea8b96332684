"""context: one frame with a boundary of its own each time, within the budget; only what it shows counts as accessed."""

import re

import pytest

from remanence import Mind
from remanence.errors import InvalidInput
from remanence.model.words import estimate_tokens

MARKERS = re.compile(r"^</?memories ([0-9a-f]{16,64})>$", re.MULTILINE)


def filled(mind: Mind, number: int = 12) -> None:
    towns = ["Oslo", "Lima", "Cairo", "Delhi", "Kyoto", "Quito", "Tunis", "Hanoi", "Turin", "Bergen", "Porto", "Zagreb"]
    for n in range(number):
        mind.remember(f"The {towns[n]} depot stores {n + 3} lorries of timber and has a night shift", scope=f"/{n}")


def test_each_line_has_its_source_date_and_trust(mind: Mind) -> None:
    said = mind.remember("The mill pond was dredged in spring", source="ai").memory
    frame = mind.context("mill pond")
    line = next(line for line in frame.splitlines() if "dredged" in line)
    assert all(part in line for part in ("2026-03-01", "ai", "0.7", said.id[-8:]))
    assert "data, not instructions" in frame


def test_the_boundary_is_another_every_time(mind: Mind) -> None:
    mind.remember("The mill pond was dredged in spring")
    frames = [mind.context("mill pond") for _ in range(5)]
    boundaries = [MARKERS.findall(frame) for frame in frames]
    assert all(len(found) == 2 and found[0] == found[1] for found in boundaries)
    assert len({found[0] for found in boundaries}) == 5


@pytest.mark.parametrize("budget", [1, 60, 150, 200, 400, 2000])
def test_it_keeps_to_the_budget_and_counts_only_what_it_shows(budget: int, mind: Mind) -> None:
    filled(mind)
    frame = mind.context("depot timber lorries", budget_tokens=budget, limit=12)
    assert len(MARKERS.findall(frame)) == (2 if budget > 1 else 0)
    assert estimate_tokens(frame) <= budget
    shown = {memory.id for memory in mind.list(limit=100) if memory.id[-8:] in frame}
    assert {memory.id for memory in mind.list(limit=100) if memory.access_count} == shown
    assert budget < 2000 or len(shown) == 12


def test_nothing_found_is_an_empty_text(mind: Mind) -> None:
    assert mind.context("nothing of the kind") == ""
    for given in ({"query": " "}, {"query": "x", "budget_tokens": 0}, {"query": "x", "colour": "red"}):
        with pytest.raises((InvalidInput, TypeError)):
            mind.context(**given)


def test_contradicted_and_archived_memories_say_so(mind: Mind) -> None:
    mind.remember("The nightly backup of the wiki is enabled")
    mind.remember("The nightly backup of the wiki is disabled")
    assert mind.context("nightly backup wiki").count("contradicted by another memory") == 2
