"""export, import, backup: everything that was there, as it was there."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from remanence import Mind
from remanence.errors import InvalidInput, RemanenceError
from remanence.model.memory import FIELDS, State
from remanence.model.plan import Change, Plan
from tests.conftest import Clock, dump, new_mind, only_files


@pytest.fixture
def full(open_mind: Callable[..., Mind], clock: Clock) -> Mind:
    """Memories in every state, with every field used."""
    mind = open_mind()
    parent = mind.remember("The deploy server stands in Frankfurt", scope="/ops", importance=0.1).memory.id
    clock.advance(days=1, microseconds=7)
    mind.remember("The deploy server stands in Dublin", scope="/ops", source="human")
    mind.remember(
        'Ünïcode 東京 👩‍👩‍👧 \u2028 line\nbreak "quoted" \\ back',
        scope="/a/b c",
        kind="a kind",
        categories=["z", "a"],
        concepts=["Tokyo"],
        files=["a.py"],
        importance=0.30000000000000004,
        valence=-1,
        confidence=0.1,
        ttl="1y",
        pinned=True,
        exempt=True,
        metadata={"b": 1, "a": [None, True, 1.5, {"x": "ü"}]},
        origin="chat",
        lineage=[parent],
        key="k",
    )
    archived = mind.remember("An archived note").memory
    mind.apply(Plan((Change.of(archived, "put away", state=State.ARCHIVED),), verb="archive"))
    mind.forget(ids=[mind.remember("A forgotten note").memory.id])
    held = mind.remember("A quarantined note", source="ai").memory
    mind.apply(Plan((Change.of(held, "suspicious", state=State.QUARANTINED),), verb="review"))
    back = mind.remember("A restored note").memory.id
    mind.forget(ids=[back])
    mind.restore(ids=[back])
    mind.remember("The staging cluster has 8 nodes in the rack")
    mind.remember("The staging cluster has 12 nodes in the rack")
    for _ in range(22):
        clock.advance(seconds=1)
        mind.recall("note server tokyo")
    return mind


@pytest.mark.promise("R23")
def test_export_import_export_is_byte_equal(full: Mind, open_mind: Callable[..., Mind], tmp_path: Path) -> None:
    first, second, third = (tmp_path / f"{name}.jsonl" for name in "abc")
    count = full.count(state="all")
    assert full.export(first) == count >= 9
    assert {json.loads(line)["state"] for line in first.read_text().split("\n")[:-1]} == {
        state.value for state in State
    }
    with new_mind(clock=Clock(), namespace="test") as other:
        report = other.import_(first)
        assert (report.read, report.added, report.present, report.blocked) == (count, count, 0, 0)
        assert report.conflicts == ()
        assert other.export(second) == count
        assert {m.id: m for m in other.list(state="all")} == {m.id: m for m in full.list(state="all")}
        assert other.check().ok
    assert second.read_bytes() == first.read_bytes()
    full.export(third)
    assert third.read_bytes() == first.read_bytes()


def test_a_line_is_one_memory_with_every_field(full: Mind, tmp_path: Path) -> None:
    full.export(tmp_path / "all.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "all.jsonl").read_text(encoding="utf-8").split("\n")[:-1]]
    assert all(set(line) == {*FIELDS, "trust"} for line in lines)
    assert {line["id"]: line for line in lines} == {m.id: m.to_dict() for m in full.list(state="all")}


def test_import_into_another_namespace(full: Mind, open_mind: Callable[..., Mind], tmp_path: Path) -> None:
    full.export(tmp_path / "all.jsonl")
    before = {memory.id: memory.to_dict() for memory in full.list(state="all")}
    other = open_mind("other")
    assert other.import_(tmp_path / "all.jsonl").added == len(before)
    moved = {memory.id: memory.to_dict() for memory in other.list(state="all")}
    assert {memory["namespace"] for memory in moved.values()} == {"other"}
    assert {id: value | {"namespace": "test"} for id, value in moved.items()} == before
    assert {memory.id: memory.to_dict() for memory in full.list(state="all")} == before


def test_what_is_there_stays_as_it_is(full: Mind, tmp_path: Path) -> None:
    full.export(tmp_path / "all.jsonl")
    changed = full.list()[0].id
    full.pin(changed)
    before = dump(full)
    report = full.import_(tmp_path / "all.jsonl")
    assert (report.added, report.present, report.conflicts) == (0, full.count(state="all"), (changed,))
    assert dump(full) == before


def test_an_import_can_be_undone(full: Mind, open_mind: Callable[..., Mind], tmp_path: Path) -> None:
    full.export(tmp_path / "all.jsonl")
    other = open_mind("other")
    report = other.import_(tmp_path / "all.jsonl")
    undone = other.undo(report.receipt_id)
    assert undone.skipped == {} or set(undone.skipped) <= {m.id for m in full.list(state="forgotten")}
    assert other.count() == other.count(state="archived") == other.count(state="superseded") == 0


@pytest.mark.promise("S8")
def test_what_was_purged_stays_gone(full: Mind, tmp_path: Path) -> None:
    full.export(tmp_path / "all.jsonl")
    doomed = full.list(kind="a kind")[0]
    full.purge(ids=[doomed.id], reason="asked")
    report = full.import_(tmp_path / "all.jsonl")
    assert (report.added, report.blocked) == (0, 1)
    assert doomed.id not in {memory.id for memory in full.list(state="all")}


def test_every_bad_line_is_named_and_nothing_written(mind: Mind, tmp_path: Path) -> None:
    with new_mind() as other:
        good = other.remember("A good line").memory.to_dict()
    other_id = "01890000-0000-7000-8000-000000000000"
    lines = [
        json.dumps(good),
        "",
        "{broken",
        "[]",
        "null",
        json.dumps({"id": other_id}),
        json.dumps(good | {"id": other_id, "colour": "red"}),
        json.dumps(good | {"id": "x", "importance": "5", "scope": "a", "created_at": "2026-01-01"}),
        json.dumps(good),
        json.dumps(good | {"id": other_id, "text": "", "state": "purged", "layer": 3, "recent_accesses": "no"}),
        '{"importance": NaN}',
        "[" * 100_000,
        json.dumps(good | {"text": "\ud800"}),
    ]
    path = tmp_path / "bad.jsonl"
    path.write_text("\n".join(lines) + "\n")
    before = dump(mind)
    with pytest.raises(InvalidInput) as caught:
        mind.import_(path)
    named = {int(problem.split()[1].rstrip(":")) for problem in caught.value.problems}
    assert named == {3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}
    text = str(caught.value)
    for part in ("'colour'", "importance", "scope", "created_at", "stands in line 1", "state", "layer"):
        assert part in text
    assert dump(mind) == before


@pytest.mark.parametrize(
    "wrong",
    [
        {"importance": 10**400},
        {"access_count": 2**63},
        {"confirmations": -1},
        {"version": 0},
        {"surprise": float("inf")},
        {"last_accessed_at": "0001-01-01T00:00:00+23:00"},
        {"expires_at": "tomorrow"},
        {"recent_accesses": ["2026-01-01T00:00:00"]},
        {"lineage": ["x"]},
        {"supersedes": "x"},
        {"metadata": {"a": float("nan")}},
        {"metadata": {"a": 10**4000}, "id": None},
        {"categories": None},
        {"categories": {"a": 1}},
        {"categories": ["a"] * 257},
        {"pinned": 1},
        {"namespace": None},
        {"text": None},
        {"layer": "deep"},
        {"source": []},
    ],
)
def test_a_bad_value_is_refused(mind: Mind, tmp_path: Path, wrong: dict) -> None:
    with new_mind() as other:
        line = other.remember("A good line").memory.to_dict() | wrong
    (tmp_path / "bad.jsonl").write_text(json.dumps(line) + "\n")
    before = dump(mind)
    with pytest.raises(InvalidInput, match="line 1"):
        mind.import_(tmp_path / "bad.jsonl")
    assert dump(mind) == before


def test_repeated_tags_are_refused_or_read_once(mind: Mind, tmp_path: Path) -> None:
    parent = "01890000-0000-7000-8000-000000000000"
    with new_mind() as other:
        line = other.remember("A good line").memory.to_dict()
    line |= {"categories": ["a", "a"], "lineage": [parent, parent], "concepts": ["c", "c"]}
    (tmp_path / "twice.jsonl").write_text(json.dumps(line) + "\n")
    try:
        mind.import_(tmp_path / "twice.jsonl")
    except InvalidInput:
        assert mind.count(state="all") == 0
    else:
        assert mind.list()[0].categories == ("a",)
    assert mind.check().ok


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"\x80" * 100, b'{"id": "\xc3\x28"}\n'])
def test_a_file_that_is_not_text_is_refused(mind: Mind, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "bad.jsonl").write_bytes(content)
    with pytest.raises(InvalidInput):
        mind.import_(tmp_path / "bad.jsonl")
    assert mind.count(state="all") == 0


def test_an_empty_file_adds_nothing(mind: Mind, tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_text("\n\n")
    report = mind.import_(tmp_path / "empty.jsonl")
    assert (report.read, report.added, report.receipt_id) == (0, 0, None)


def test_paths_that_cannot_be_used(mind: Mind, tmp_path: Path) -> None:
    mind.remember("alpha")
    for path in (tmp_path, tmp_path / "absent" / "x.jsonl", tmp_path / "a\0b"):
        with pytest.raises(RemanenceError):
            mind.export(path)
        with pytest.raises(RemanenceError):
            mind.import_(path)
        with pytest.raises(RemanenceError):
            mind.backup(path)
    assert list(tmp_path.iterdir()) == []


def test_a_markdown_mirror(full: Mind, tmp_path: Path) -> None:
    number = full.export(tmp_path / "mirror.md")
    text = (tmp_path / "mirror.md").read_text(encoding="utf-8")
    shown = full.list(limit=1000) + full.list(state="archived")
    assert number == len(shown)
    for memory in shown:
        assert text.count(memory.id) == 1
        assert memory.text.splitlines()[0] in text
        assert f"\n## {memory.scope}\n" in text
    for memory in full.list(state="forgotten") + full.list(state="quarantined") + full.list(state="superseded"):
        assert memory.id not in text
    assert "#z" in text
    full.export(tmp_path / "other.txt", format="markdown")
    assert (tmp_path / "other.txt").read_text(encoding="utf-8") == text
    with pytest.raises(InvalidInput, match="format"):
        full.export(tmp_path / "other.xml", format="xml")


def test_many_memories_in_one_import(mind: Mind, tmp_path: Path) -> None:
    mind.remember_many(f"w{number} v{number}" for number in range(1200))
    mind.export(tmp_path / "all.jsonl")
    seen: list[tuple[int, int]] = []
    with new_mind() as other:
        report = other.import_(tmp_path / "all.jsonl", progress=lambda done, total: seen.append((done, total)))
        assert report.added == other.count() == 1200
        assert seen[-1] == (1200, 1200)
        assert len({entry.receipt_id for entry in other.journal(limit=1000)}) == 1
        other.export(tmp_path / "again.jsonl")
    assert (tmp_path / "again.jsonl").read_bytes() == (tmp_path / "all.jsonl").read_bytes()


@only_files
@pytest.mark.promise("R23")
def test_a_backup_is_a_whole_store(full: Mind, open_mind: Callable[..., Mind], tmp_path: Path, clock: Clock) -> None:
    assert full.backup(tmp_path / "copy.db") == tmp_path / "copy.db"
    with new_mind(tmp_path / "copy.db", clock) as copy:
        assert copy.check().ok
        assert copy.list(state="all") == full.list(state="all")
        assert copy.journal(limit=1000) == full.journal(limit=1000)
    with pytest.raises(InvalidInput, match="exists"):
        full.backup(tmp_path / "copy.db")
