"""Memories as plain JSON values, and back."""

import json
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remanence.errors import InvalidInput
from remanence.model.draft import draft_problems
from remanence.model.memory import FIELDS, Layer, Memory, Source, State, plain
from remanence.model.record import adjustment_problems, memory_from, record_problems, typed

ID = "01890000-0000-7000-8000-000000000000"
NOW = datetime(2026, 3, 1, 12, 0, 0, 123456, tzinfo=UTC)
MOMENT = st.datetimes(timezones=st.just(UTC))
TAGS = st.lists(st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), min_size=1, max_size=9), unique=True)
TAGS = TAGS.map(lambda tags: tuple(tag for tag in tags if tag.strip()))
SHARE = st.floats(0, 1)
MEMORY = st.builds(
    Memory,
    id=st.uuids().map(str),
    namespace=st.just("space"),
    scope=st.sampled_from(["/", "/a", "/a/ü"]),
    layer=st.sampled_from(Layer),
    kind=st.sampled_from(["fact", "made up"]),
    text=st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1).filter(lambda t: t.isalnum()),
    source=st.sampled_from(Source),
    importance=SHARE,
    created_at=MOMENT,
    last_accessed_at=MOMENT,
    categories=TAGS,
    concepts=TAGS,
    files=TAGS,
    origin=st.none() | st.just("chat"),
    valence=st.floats(-1, 1),
    confidence=SHARE,
    confirmations=st.integers(0, 2**31 - 1),
    pinned=st.booleans(),
    exempt=st.booleans(),
    access_count=st.integers(0, 2**31 - 1),
    recent_accesses=st.lists(MOMENT, max_size=20).map(sorted).map(tuple),
    expires_at=st.none() | MOMENT,
    kept_until=st.none() | MOMENT,
    challenged_by=st.none() | st.just("human"),
    valid_from=st.none() | MOMENT,
    valid_until=st.none() | MOMENT,
    state=st.sampled_from(State),
    version=st.integers(1, 100),
    supersedes=st.none() | st.uuids().map(str),
    superseded_by=st.none() | st.uuids().map(str),
    lineage=st.lists(st.uuids().map(str), max_size=3).map(tuple),
    depth=st.integers(0, 5),
    surprise=st.none() | SHARE,
    metadata=st.dictionaries(st.sampled_from("abc"), st.none() | st.integers(-9, 9) | st.lists(st.booleans())),
)


@given(MEMORY)
def test_there_and_back(memory: Memory) -> None:
    line = json.dumps(memory.to_dict(), ensure_ascii=False)
    assert memory_from(json.loads(line)) == memory
    assert json.dumps(memory_from(json.loads(line)).to_dict(), ensure_ascii=False) == line


@given(MEMORY)
def test_another_namespace(memory: Memory) -> None:
    assert memory_from(memory.to_dict(), "other").namespace == "other"


LEAST = {
    "id": ID,
    "namespace": "space",
    "scope": "/",
    "layer": "episodic",
    "kind": "fact",
    "text": "Hello",
    "source": "human",
    "importance": 0.5,
    "created_at": NOW.isoformat(),
    "last_accessed_at": NOW.isoformat(),
}


def test_the_least_record() -> None:
    memory = memory_from(LEAST)
    assert (memory.id, memory.state, memory.created_at, memory.version) == (ID, "live", NOW, 1)
    assert set(memory.to_dict()) == {*FIELDS, "trust"}
    assert "revision" not in FIELDS


@pytest.mark.parametrize("missing", [name for name in LEAST if name != "namespace"])
def test_what_is_missing_is_named(missing: str) -> None:
    values = {name: value for name, value in LEAST.items() if name != missing}
    assert record_problems(values) == [f"{missing} is missing"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("id", "x"),
        ("id", ID.replace("0", "A", 1)),
        ("text", ""),
        ("importance", 1.5),
        ("importance", "0.5"),
        ("importance", None),
        ("created_at", "2026-01-01T00:00:00"),
        ("created_at", 5),
        ("created_at", None),
        ("recent_accesses", None),
        ("recent_accesses", [NOW.isoformat()] * 21),
        ("recent_accesses", ["now"]),
        ("recent_accesses", [None]),
        ("recent_accesses", ["2026-01-02T00:00:00Z", "2026-01-01T00:00:00Z"]),
        ("recent_accesses", ["2026-01-01T00:00:00+00:00", "2026-01-01T00:30:00+01:00"]),
        ("confirmations", -1),
        ("access_count", 1.0),
        ("version", 0),
        ("depth", -1),
        ("state", "purged"),
        ("layer", None),
        ("supersedes", "x"),
        ("lineage", "x"),
        ("surprise", 2),
        ("metadata", None),
        ("pinned", 1),
        ("colour", "red"),
        ("revision", 3),
        ("ttl", "1d"),
    ],
)
def test_a_bad_value_is_one_problem(name: str, value: object) -> None:
    (problem,) = record_problems(LEAST | {name: value})
    assert name in problem
    with pytest.raises(InvalidInput):
        memory_from(LEAST | {name: value})


@pytest.mark.parametrize(
    "value",
    [
        (),
        (NOW,),
        [NOW.isoformat()],
        (NOW, NOW, NOW + timedelta(microseconds=1)),
        (NOW.astimezone(timezone(timedelta(hours=5))), NOW),
        (NOW,) * 20,
    ],
)
def test_the_moments_of_accesses_can_be_set(value: Any) -> None:
    assert adjustment_problems({"recent_accesses": value}) == []
    assert all(one == NOW or one > NOW for one in typed("recent_accesses", value))


@pytest.mark.parametrize(
    "value",
    [
        None,
        NOW,
        NOW.isoformat(),
        5,
        float("nan"),
        {"at": NOW},
        (NOW,) * 21,
        (NOW.replace(tzinfo=None),),
        (NOW, None),
        (NOW, float("nan")),
        (NOW, [NOW]),
        (NOW, "yesterday"),
        (NOW, NOW - timedelta(microseconds=1)),
        (datetime.max.replace(tzinfo=timezone(timedelta(hours=-5))),),
    ],
)
def test_bad_moments_of_accesses_are_one_problem(value: Any) -> None:
    (problem,) = adjustment_problems({"recent_accesses": value})
    assert "recent_accesses" in problem


@pytest.mark.parametrize("name", ["text", "scope", "created_at", "access_count", "last_accessed_at", "trust_limit"])
def test_what_is_never_set(name: str) -> None:
    assert adjustment_problems({name: LEAST.get(name, 1)}) == [f"{name!r} cannot be changed"]


def test_every_problem_at_once() -> None:
    assert len(record_problems({"id": "x", "importance": 5, "colour": "red"})) == 3 + 7


def test_typed_values() -> None:
    assert typed("created_at", NOW.isoformat()) == NOW
    assert typed("kept_until", None) is None
    assert typed("state", "archived") is State.ARCHIVED
    assert typed("categories", ["a"]) == ("a",)
    assert typed("importance", 1) == 1.0
    assert type(typed("importance", 1)) is float
    assert typed("metadata", {"a": [1]}) == {"a": [1]}
    assert typed("pinned", True) is True


def test_plain_values() -> None:
    assert plain({"a": (NOW, State.LIVE, {"b"}), "c": None}) == {"a": [NOW.isoformat(), "live", ["b"]], "c": None}


def test_a_memory_is_frozen_and_compares_by_value() -> None:
    one, two = memory_from(LEAST), memory_from(LEAST)
    assert one == two
    assert hash(one) == hash(two)
    assert one.state == "live"
    with pytest.raises(AttributeError):
        one.text = "other"  # type: ignore[misc]


def test_a_kind_of_an_earlier_day_that_a_draft_may_not_have_is_read() -> None:
    values = {"id": ID, "scope": "/", "layer": "episodic", "kind": "two\nlines", "text": "x", "source": "human"}
    values |= {"importance": 0.5, "created_at": NOW.isoformat(), "last_accessed_at": NOW.isoformat()}
    assert record_problems(values) == []
    assert draft_problems({"text": "x", "kind": "two\nlines"}) != []
