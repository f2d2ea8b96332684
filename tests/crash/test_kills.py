"""R1: a writer killed at any moment loses nothing it acknowledged and leaves no change half done.

The writer changes groups of memories, each as a whole, and says every step before and after. A group whose last step
was acknowledged must be in exactly that state; the one step that was under way may have happened or not, but for all
of its group.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from remanence import Mind
from tests.crash.stores import drift, opened
from tests.reliability.recording import Measured


@pytest.mark.promise("R1")
@pytest.mark.parametrize("kills", [25, pytest.param(200, marks=[pytest.mark.full, pytest.mark.timeout(3600)])])
def test_nothing_acknowledged_is_lost(
    path: Path,
    tmp_path: Path,
    seeded: Callable[[int], random.Random],
    start: Callable[..., Any],
    kills: int,
    measured: Measured,
) -> None:
    chance = seeded(101)
    acknowledged: dict[str, dict[str, Any]] = {}
    verbs: dict[str, int] = {}
    for number in range(kills):
        export = tmp_path / f"other-{number}.jsonl"
        with opened(Path(":memory:"), seed=number) as other:
            other.remember_many([f"Elsewhere {number} it was {word}" for word in ("said", "seen", "done", "left")])
            other.export(export)
        writer = start("write_until_killed", path, f"/round{number}", chance.randrange(2**32), export)
        answers = [writer.next()]
        wait = chance.uniform(0, 0.5) if chance.random() < 0.8 else chance.uniform(0, 0.02)
        answers += _answers_for(writer, wait)
        groups, under_way = _told(answers)
        with opened(path, at=None) as mind:
            _verify(mind, groups, under_way, f"kill {number}")
            report = mind.check()
            assert report.problems == (), f"kill {number}, during {under_way}"
        assert drift(path) == [], f"kill {number}, during {under_way}"
        verbs[under_way["verb"]] = verbs.get(under_way["verb"], 0) + 1
        acknowledged |= {f"{number} {name}": group for name, group in groups.items() if name != under_way["group"]}
    with opened(path, at=None) as mind:
        _verify(mind, acknowledged, {"group": None}, "at the end")
    during = ", ".join(f"{verb} {times}" for verb, times in sorted(verbs.items()))
    measured(f"{kills} kills", seed=101, groups_acked=len(acknowledged), lost=0, half_applied=0, killed_during=during)


def _answers_for(writer: Any, seconds: float) -> list[Any]:
    """Let the writer run so long, then kill it; everything it said."""
    sleep(seconds)
    assert writer.process.poll() is None, writer.errors
    return writer.kill()


def _told(answers: list[Any]) -> tuple[dict[str, dict[str, Any]], dict[str, Any]]:
    """The groups as acknowledged, and the step that was under way."""
    groups: dict[str, dict[str, Any]] = {}
    under_way: dict[str, Any] = {"group": None, "verb": "nothing"}
    for answer in answers:
        if "try" in answer:
            under_way = answer["try"]
            continue
        step = answer["done"]
        group = groups.setdefault(step["group"], {"members": {}})
        group["state"] = step["state"]
        group["members"].update(answer.get("members", {}))
        group["revised"] = answer.get("revised")
        under_way = {"group": None, "verb": "nothing"}
    return groups, under_way


def _verify(mind: Mind, groups: dict[str, dict[str, Any]], under_way: dict[str, Any], at: str) -> None:
    for name, group in groups.items():
        states = {_state(mind, id, text) for id, text in group["members"].items()}
        assert len(states) == 1, f"{at}: {name} is in {states} after {under_way}"
        allowed = {group["state"]} | ({under_way["state"]} if under_way["group"] == name else set())
        assert states <= allowed, f"{at}: {name} is {states}, acknowledged {group['state']}, under way {under_way}"
        if states == {"revised"}:
            (id,) = group["members"]
            newer = mind.get(mind.get(id).superseded_by)
            assert (newer.state, newer.supersedes) == ("live", id)
            assert group["revised"] in (None, newer.id)
    if under_way["group"] is not None and under_way["group"] not in groups:
        size = {"remember": 1, "import": 4}.get(under_way["verb"], under_way["size"])
        if under_way["verb"] == "import":
            number = at.removeprefix("kill ")
            found = sum(f"Elsewhere {number} it" in memory.text for memory in mind.list(scope="/", limit=1000))
        else:
            found = mind.count(scope=under_way["group"], state="all")
        assert found in (0, size), f"{at}: {found} of {size} are there after {under_way}"


def _state(mind: Mind, id: str, text: str) -> str:
    found = mind._store.get([id]).get(id)
    if found is None:
        return "purged"
    assert found.text == text
    return {"superseded": "revised"}.get(found.state, found.state)
