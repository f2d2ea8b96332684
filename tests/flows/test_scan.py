"""scan: secrets in a store that a guard never saw, and in exports; what it finds it never shows."""

import json
from pathlib import Path

import apsw

from remanence import Mind
from tests.conftest import Clock, new_mind, only_files

TOKEN = "ghp_" + "z9Y8" * 9


def unguarded(path: Path, clock: Clock) -> tuple[str, str]:
    """A store with a secret in a text and one in metadata, written around the guard; ids of both."""
    with new_mind(path, clock) as mind:
        one = mind.remember("The bot logs in with XXXXXXXXXX every night").memory
        two = mind.remember("Harmless", metadata={"note": "YYYYYYYYYY"}, lineage=[one.id]).memory
    from remanence.store.sql import rows
    from remanence.store.sqlite.store import SqliteStore

    connection = apsw.Connection(str(path))
    for old in ("XXXXXXXXXX", "YYYYYYYYYY"):
        connection.execute(
            "UPDATE memories SET text = replace(text, ?, ?), metadata = replace(metadata, ?, ?)",
            (old, TOKEN, old, TOKEN),
        )
    connection.execute("INSERT INTO search(search) VALUES('rebuild')")
    columns = "no, id, shelf, source, text, categories, concepts, files, lineage, origin, metadata"
    for no, id, shelf, *said in connection.execute(f"SELECT {columns} FROM memories").fetchall():
        connection.execute("UPDATE memories SET digest=? WHERE no=?", (rows.digest_of(id, shelf, tuple(said)), no))
    connection.close()
    SqliteStore.open(path, "test").close()
    return one.id, two.id


@only_files
def test_it_finds_by_memory_field_and_kind_and_shows_no_value(tmp_path: Path, clock: Clock) -> None:
    one, two = unguarded(tmp_path / "memory.db", clock)
    with new_mind(tmp_path / "memory.db", clock) as mind:
        found = mind.scan()
        assert not found.ok and found.memories == 2
        assert {leak.memory_id: set(leak.found) for leak in found.leaks} == {one: {"text"}, two: {"metadata"}}
        assert TOKEN not in json.dumps(found.to_dict()) and TOKEN not in repr(found)
        mind.export(tmp_path / "clean.jsonl")
    assert TOKEN not in (tmp_path / "clean.jsonl").read_text()


@only_files
def test_it_writes_them_anew_and_leaves_no_byte(tmp_path: Path, clock: Clock) -> None:
    one, two = unguarded(tmp_path / "memory.db", clock)
    with new_mind(tmp_path / "memory.db", clock) as mind:
        clock.advance(days=1)
        done = mind.scan(redact=True)
        assert done.ok and set(done.renewed) == {one, two}
        assert mind.get(two).lineage == (one,) and mind.get(two).text == "Harmless"
        assert mind.get(one).text.startswith("The bot logs in with [redacted:")
        assert mind.remember("Harmless").outcome == "duplicate", "what is kept is not blocked"
        assert done.certificate is not None and done.certificate.verified
        assert mind.scan().ok and mind.check().ok
    assert TOKEN.encode() not in b"".join(file.read_bytes() for file in tmp_path.iterdir())


def test_files_are_scanned_by_line(mind: Mind, tmp_path: Path) -> None:
    path = tmp_path / "old.jsonl"
    path.write_text(json.dumps({"text": "fine"}) + "\n" + json.dumps({"text": f"key \u00fc {TOKEN}"}) + "\n")
    found = mind.scan(path)
    assert [(leak.path, leak.line) for leak in found.leaks] == [(str(path), 2)]
    assert found.files == {str(path): 2} and not found.ok


def test_each_secret_of_a_long_file_is_told_once_with_its_line(mind: Mind, tmp_path: Path) -> None:
    """Also those that lie across the borders at which a long file is read in parts, and between lines of an export."""
    lines = [f"Line {n} of a long file that says nothing of interest to anybody." for n in range(3000)]
    expected = [*range(50, 3000, 97)]
    for n in expected:
        lines[n - 1] = f"The bot logs in with {TOKEN[:-4]}{n:04d} every night."
    lines[2500:2502] = ["password:", "    Tr0ub4dor&3xy"]
    lines[2600] = json.dumps({"text": f"key {TOKEN}", "metadata": {"password": "hunter2!x"}})
    (tmp_path / "long.txt").write_text("\n".join(lines))
    found = mind.scan(tmp_path / "long.txt")
    assert [leak.line for leak in found.leaks] == sorted([*expected, 2502, 2601])
    assert {sum(leak.found["text"].values()) for leak in found.leaks if leak.line != 2601} == {1}
    assert sum(next(leak for leak in found.leaks if leak.line == 2601).found["text"].values()) == 2
