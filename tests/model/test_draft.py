"""Drafts: what a caller asks to remember, checked in full."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from remanence.errors import InvalidInput
from remanence.model.draft import NAMES, distinct, draft_from, draft_problems

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def test_the_least_draft() -> None:
    memory = draft_from({"text": "Hello"}).memory("id", "space", NOW)
    assert (memory.id, memory.namespace, memory.text, memory.scope) == ("id", "space", "Hello", "/")
    assert (memory.kind, memory.layer, memory.source, memory.importance) == ("fact", "episodic", "human", 0.5)
    assert memory.created_at == memory.last_accessed_at == NOW
    assert (memory.version, memory.state, memory.expires_at) == (1, "live", None)


def test_given_times() -> None:
    zone = timezone(timedelta(hours=3))
    created = datetime(2026, 1, 1, 3, tzinfo=zone)
    memory = draft_from({"text": "x", "created_at": created, "ttl": "1d"}).memory("id", "space", NOW)
    assert memory.created_at == datetime(2026, 1, 1, tzinfo=UTC)
    assert memory.expires_at == datetime(2026, 1, 2, tzinfo=UTC)
    assert memory.created_at.tzinfo is UTC
    expires = draft_from({"text": "x", "expires_at": created}).memory("id", "space", NOW).expires_at
    assert expires == created
    assert expires.tzinfo is UTC


def test_numbers_become_floats() -> None:
    memory = draft_from({"text": "x", "importance": 1, "valence": 0, "confidence": 0}).memory("id", "space", NOW)
    assert [type(value) for value in (memory.importance, memory.valence, memory.confidence)] == [float] * 3


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        (["b", "a", "b"], ("b", "a")),
        ({"b", "a"}, ("a", "b")),
        (("a",), ("a",)),
        (frozenset("ab"), ("a", "b")),
        ([], ()),
    ],
)
def test_tags_are_distinct(tags: object, expected: tuple[str, ...]) -> None:
    assert distinct(tags) == expected
    assert draft_from({"text": "x", "categories": tags}).categories == expected


def test_a_procedure_is_procedural_unless_said_otherwise() -> None:
    assert draft_from({"text": "x", "kind": "procedure"}).memory("id", "s", NOW).layer == "procedural"
    assert (
        draft_from({"text": "x", "kind": "procedure", "layer": "semantic"}).memory("id", "s", NOW).layer == "semantic"
    )


def test_every_problem_at_once() -> None:
    values = {"importance": 2, "scope": "x", "colour": "red", "ttl": "1d", "expires_at": NOW, "pinned": 1}
    with pytest.raises(InvalidInput) as caught:
        draft_from(values)
    assert len(caught.value.problems) == 6
    assert list(caught.value.problems) == draft_problems(values)
    text = str(caught.value)
    for part in ("text is missing", "'colour'", "importance", "scope", "pinned", "both"):
        assert part in text


def test_the_metadata_is_the_drafts_own() -> None:
    given = {"a": 1}
    memory = draft_from({"text": "x", "metadata": given}).memory("id", "s", NOW)
    given["a"] = 2
    assert memory.metadata == {"a": 1}


def test_every_argument_has_a_check() -> None:
    for name in NAMES:
        wrong = [5] if name in ("categories", "concepts", "files", "lineage") else object()
        assert draft_problems({"text": "x", name: wrong}), name
