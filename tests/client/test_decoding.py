"""Values from JSON. What every call answers is compared in test_parity.py; here are the edges, and the time."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

import pytest

from remanence.interfaces.wire import encoded
from remanence.model.action import Crystals
from remanence.model.decoding import decoded
from remanence.model.hit import Hits
from remanence.model.memory import Layer, Memory, Source, State
from remanence.model.plan import Action, Change, Plan, Receipt
from tests.conftest import new_mind


class Colour(StrEnum):
    RED = "red"


@dataclass(frozen=True)
class Leaf:
    at: datetime
    colour: Colour = Colour.RED


@dataclass(frozen=True)
class Tree:
    leaves: tuple[Leaf, ...]
    by_name: Mapping[str, Leaf | None]
    pairs: list[tuple[str, Leaf | None]]
    anything: Any = None
    counts: Mapping[str, tuple[int, int]] | None = None


WHEN = "2026-03-01T12:00:00+00:00"


def test_types_within_types() -> None:
    leaf = Leaf(datetime(2026, 3, 1, 12, tzinfo=UTC))
    told = {"at": WHEN, "colour": "red", "newer": 1}
    value = {
        "leaves": [told],
        "by_name": {"a": told, "b": None},
        "pairs": [["x", told], ["y", None]],
        "anything": [{"at": WHEN}],
        "counts": {"/": [1, 2]},
    }
    tree = Tree((leaf,), {"a": leaf, "b": None}, [("x", leaf), ("y", None)], [{"at": WHEN}], {"/": (1, 2)})
    assert decoded(Tree, value) == tree
    assert decoded(Tree | None, None) is None
    assert decoded(Tree | None, value) == tree


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ({"at": WHEN, "colour": "blue"}, "blue"),
        ({"colour": "red"}, "at missing"),
        ({"at": "yesterday"}, "yesterday"),
        ({"at": 5}, "no Leaf"),
        ([], "no Leaf"),
        ("text", "no Leaf"),
    ],
)
def test_what_is_no_such_value(value: Any, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        decoded(Leaf, value)


def test_a_memory_of_an_older_and_of_a_newer_server() -> None:
    with new_mind() as mind:
        memory = mind.remember("x is y", categories=["a"], metadata={"list": [1]}).memory
    told = json.loads(json.dumps(encoded(memory)))
    again = decoded(Memory, told | {"mood": "good"})
    assert again == memory and again.revision == 1
    assert [type(again.state), type(again.layer), type(again.source)] == [State, Layer, Source]
    assert isinstance(again.categories, tuple) and isinstance(again.metadata["list"], list)
    older = {name: value for name, value in told.items() if name not in ("uses", "trust_limit", "revision")}
    assert decoded(Memory, older) == memory
    assert len(told) == len(fields(Memory)) + 1  # trust is told beside the fields


def test_changes_have_the_types_of_what_they_change() -> None:
    at = datetime(2026, 3, 1, tzinfo=UTC)
    change = Change(
        memory_id="m",
        action=Action.ADJUST,
        reason="asked",
        before={"state": State.LIVE, "categories": ("a",), "expires_at": None, "recent_accesses": (at,)},
        after={"state": State.ARCHIVED, "categories": (), "expires_at": at, "metadata": {"tags": ["x"]}},
    )
    plan = decoded(Plan, json.loads(json.dumps(encoded(Plan((change,), verb="sweep")))))
    assert plan == Plan((change,), verb="sweep")
    assert type(plan.changes[0].before["state"]) is State


def test_what_a_list_has_beside_its_items() -> None:
    crystals = decoded(Crystals, {"items": [], "left_out": {"a": "too few"}})
    assert isinstance(crystals, Crystals) and crystals.left_out == {"a": "too few"}
    assert decoded(Crystals, {"items": []}).left_out == {}
    hits = decoded(Hits, {"hits": [], "missed": [], "notes": ["words alone"]})
    assert (type(hits), hits.notes, hits.missed) == (Hits, ("words alone",), ())


def test_a_receipt_without_its_changes() -> None:
    receipt = Receipt("r1", "forget", datetime(2026, 3, 1, tzinfo=UTC), ("a",), {"b": "it moved on"})
    assert decoded(Receipt, receipt.to_dict()) == receipt


def test_a_hundred_hits_take_two_milliseconds_at_most() -> None:
    with new_mind() as mind:
        mind.remember_many([{"text": f"Heron {n} nests by pond {n * 7}", "metadata": {"n": n}} for n in range(120)])
        hits = mind.recall("heron nests by pond", limit=100)
    told = json.loads(json.dumps(encoded(hits)))
    assert len(hits) == 100 and decoded(Hits, told) == hits

    def seconds() -> float:
        start = time.perf_counter()
        decoded(Hits, told)
        return time.perf_counter() - start

    assert min(seconds() for _ in range(50)) <= 0.002
