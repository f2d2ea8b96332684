"""What readers make of broken files: told with the line, never fatal, never more than a line or an item in memory."""

import json
import os
import stat
import struct
import tracemalloc
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from remanence.sessions.importers import Noted, Piece, Skipped
from remanence.sessions.importers.kinds import KINDS, files_below, kind_of
from remanence.sessions.importers.shapes import said
from tests.sessions import exports, transcripts

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def read(kind: str, path: Path, start: int = 0) -> tuple[list[Any], list[Skipped]]:
    found = list(KINDS[kind].read(path, start, NOW))
    return [one for one in found if not isinstance(one, Skipped)], [one for one in found if isinstance(one, Skipped)]


AGENTS = pytest.mark.parametrize(
    ("kind", "lines"), [("claude-code", transcripts.claude_code_lines), ("codex", transcripts.codex_lines)]
)


@AGENTS
def test_broken_lines_are_told_and_the_rest_is_read(kind: str, lines: Any, tmp_path: Path) -> None:
    whole = [line.encode() for line in lines(events=60)]
    clean = tmp_path / "clean.jsonl"
    clean.write_bytes(b"".join(whole))
    broken = {
        5: (b'{"type": "user", "mess\n', "not JSON"),
        6: (b"\x00\x01\x02\xff\n", "binary"),
        7: ('{"type": "user", "x": "é"}\n'.encode("latin-1"), "not UTF-8"),
        8: (b"[1, 2]\n", "not a JSON object"),
        9: (b'{"type": "from_the_future", "payload": {}, "timestamp": "x"}\n', "unknown event from_the_future"),
        10: (b"[" * 100_000 + b"\n", "not JSON"),
        11: (b'{"a": ' + b'"' + b"x" * (20 << 20) + b'"}\n', "longer than 16 MB"),
        12: (b'{"type": ["user"], "message": 7, "payload": []}\n', "unknown event"),
    }
    for number, (raw, _) in broken.items():
        whole.insert(number - 1, raw)
    path = tmp_path / "broken.jsonl"
    path.write_bytes(b"".join(whole) + b'{"type": "user", "half a li')
    found, skipped = read(kind, path)
    assert {one.line: one.why for one in skipped} == {number: why for number, (_, why) in broken.items()}
    assert [one.observation for one in found] == [one.observation for one in read(kind, clean)[0]]
    middle = next(one.upto for one in found if one.upto > (20 << 20))
    assert [one.line for one in read(kind, path, middle)[1]] == []


@AGENTS
def test_utf_16_is_read(kind: str, lines: Any, tmp_path: Path) -> None:
    text = "".join(lines(events=60))
    plain, wide = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    plain.write_text(text, "utf-8")
    wide.write_text(text, "utf-16")
    assert [one.observation for one in read(kind, plain)[0]] == [one.observation for one in read(kind, wide)[0]]


@pytest.mark.parametrize("kind", sorted(KINDS))
@pytest.mark.parametrize(
    "content",
    [b"", b"\n\n", bytes(range(256)) * 64, b"\x7fELF" + b"\0" * 5_000, b"{", b"[", b"[1", b'"x"', b"PK\x03\x04"],
)
def test_nothing_sensible_gives_nothing(kind: str, content: bytes, tmp_path: Path) -> None:
    for name in ("x.json", "x.jsonl", "x.zip", "x.md"):
        path = tmp_path / name
        path.write_bytes(content)
        found, _ = read(kind, path)
        assert kind == "markdown" or not found


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_file_that_cannot_be_read_is_told(kind: str, tmp_path: Path) -> None:
    found, skipped = read(kind, tmp_path / "absent.json")
    assert found == []
    assert [one.line for one in skipped] == [0]


_NAMES_TEXT = """
    type message content role uuid sessionId cwd payload id call_id name arguments output action command mapping
    current_node parent author parts recipient metadata chat_messages sender text memory results tool_calls function
    timestamp created_at create_time categories user_id isSidechain isCompactSummary data input tool_use_id
"""
_WORDS_TEXT = "user assistant tool message function_call response_item session_meta tool_use tool_result compacted all"
_NAMES, _WORDS = _NAMES_TEXT.split(), _WORDS_TEXT.split()
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(_WORDS) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(_NAMES), inner, max_size=6),
    max_leaves=20,
)


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(values=st.lists(_VALUES, min_size=1, max_size=4), lined=st.booleans())
def test_no_value_is_fatal(values: list[Any], lined: bool, tmp_path: Path) -> None:
    path = tmp_path / ("conversations.jsonl" if lined else "conversations.json")
    path.write_text("".join(json.dumps(value) + "\n" for value in values) if lined else json.dumps(values), "utf-8")
    kind_of(path)
    for kind in KINDS:
        for one in read(kind, path)[0]:
            assert isinstance(one, (Piece, Noted))
            assert isinstance(one, Noted) or (one.head.id and isinstance(one.observation.text, str))


def _zip(path: Path, name: str, content: bytes, mode: int = 0o644) -> Path:
    info = zipfile.ZipInfo(name)
    info.external_attr = mode << 16
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr(info, content)
        made.writestr("conversations.json", json.dumps([exports.chatgpt()]))
    return path


@pytest.mark.promise("S14")
@pytest.mark.parametrize(
    ("name", "mode", "why"),
    [
        ("../conversations.json", 0o644, "leads out"),
        ("/etc/conversations.json", 0o644, "leads out"),
        ("a\\..\\..\\conversations.json", 0o644, "leads out"),
        ("C:/conversations.json", 0o644, "leads out"),
        ("x/conversations.json", stat.S_IFLNK | 0o777, "link"),
    ],
)
def test_members_that_lead_elsewhere_are_passed_over(name: str, mode: int, why: str, tmp_path: Path) -> None:
    found, skipped = read("chatgpt", _zip(tmp_path / "a.zip", name, b'[{"id": "x"}]', mode))
    assert len(found) == 5
    assert len(skipped) == 1
    assert why in skipped[0].why
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.zip"]


def test_an_encrypted_member_and_a_damaged_archive_are_told(tmp_path: Path) -> None:
    locked = exports.encrypted(tmp_path / "a.zip", "conversations.json", b"[]")
    assert "encrypted" in read("claude", locked)[1][0].why
    whole = exports.archive(tmp_path / "b.zip", conversations__json=[exports.claude(turns=300)]).read_bytes()
    for cut in (len(whole) // 2, len(whole) - 10):
        (tmp_path / "b.zip").write_bytes(whole[:cut])
        assert read("claude", tmp_path / "b.zip")[1]
    flipped = bytearray(whole)
    flipped[len(whole) // 2] ^= 0xFF
    (tmp_path / "b.zip").write_bytes(flipped)
    assert read("claude", tmp_path / "b.zip")[1]
    empty = exports.archive(tmp_path / "c.zip", users__json=[])
    assert "no conversations.json" in read("claude", empty)[1][0].why


def _bomb(path: Path, megabytes: int) -> Path:
    """A member that unpacks to a thousand times what it is."""
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as made,
        made.open("conversations.json", "w", force_zip64=True) as member,
    ):
        member.write(b"[" + json.dumps(exports.chatgpt()).encode() + b",")
        for _ in range(megabytes):
            member.write(b" " * (1 << 20))
        member.write(b"1]")
    return path


def test_a_bomb_is_not_unpacked(tmp_path: Path) -> None:
    path = _bomb(tmp_path / "a.zip", 150)
    assert path.stat().st_size < 400_000
    tracemalloc.start()
    found, skipped = read("chatgpt", path)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(found) == 5
    assert "unpacks to more than 100 MB" in skipped[-1].why
    assert most < 40 << 20


def test_an_archive_that_lies_about_its_size_is_told(tmp_path: Path) -> None:
    path = exports.archive(tmp_path / "a.zip", conversations__json=[exports.chatgpt()])
    raw = bytearray(path.read_bytes())
    place = raw.index(b"PK\x01\x02")
    raw[place + 24 : place + 28] = struct.pack("<I", 7)
    path.write_bytes(raw)
    _, skipped = read("chatgpt", path)
    assert skipped


def test_injected_texts_cost_no_more_than_their_length() -> None:
    for text in ("<command-args>" * 200_000, "<system-reminder>" * 200_000, "<system-reminder></skill>" * 100_000):
        assert said(text) in ("", text)
    assert said("before <system-reminder>x</system-reminder> after") == "before  after"


def test_the_kind_of_a_file_is_told_by_what_is_in_it(tmp_path: Path) -> None:
    samples: dict[str, tuple[str, str]] = {
        "a.jsonl": ("claude-code", "".join(transcripts.claude_code_lines(events=30))),
        "b.jsonl": ("codex", "".join(transcripts.codex_lines(events=30))),
        "c.json": ("chatgpt", json.dumps([exports.chatgpt()])),
        "d.json": ("claude", json.dumps([exports.claude()])),
        "e.json": ("mem0", json.dumps({"results": exports.mem0()})),
        "f.jsonl": ("mem0", "".join(json.dumps(one) + "\n" for one in exports.mem0())),
        "g.json": ("chat", json.dumps({"messages": [{"role": "user", "content": "x"}]})),
        "h.jsonl": ("chat", '{"role": "user", "content": "x"}\n' * 2),
        "i.md": ("markdown", "# x"),
        "j.log": ("codex", json.dumps({"id": "i", "timestamp": "2025-05-07", "instructions": None}) + "\n{}\n"),
    }
    for name, (kind, text) in samples.items():
        (tmp_path / name).write_text(text, "utf-8")
        assert kind_of(tmp_path / name) == kind, name
    packed = exports.archive(tmp_path / "k.zip", conversations__json=[exports.claude()])
    assert kind_of(packed) == "claude"
    for name, text in {"x.json": '{"name": "shop"}', "y.jsonl": '{"id": "1", "namespace": "n", "text": "t"}\n'}.items():
        (tmp_path / name).write_text(text, "utf-8")
        assert kind_of(tmp_path / name) is None


@pytest.mark.promise("S14")
def test_a_folder_is_walked_in_order_and_links_are_not_followed(tmp_path: Path) -> None:
    inside, outside = tmp_path / "in", tmp_path / "out"
    ours = inside / "memory.db.artifacts" / "default"
    for place in (inside / ".hidden", inside / "b", outside, ours):
        place.mkdir(parents=True)
    for path in (
        inside / ".hidden" / "a.jsonl",
        inside / "b" / "c.jsonl",
        inside / "z.md",
        outside / "no.jsonl",
        ours / "MEMORY.md",
    ):
        path.write_text("{}")
    (inside / "link.jsonl").symlink_to(outside / "no.jsonl")
    (inside / "folder").symlink_to(outside)
    (inside / "loop").symlink_to(inside)
    os.mkfifo(inside / "pipe.jsonl")
    names = [str(path.relative_to(inside)) for path in files_below(inside)]
    assert names == [".hidden/a.jsonl", "b/c.jsonl", "z.md"]
    assert [path.name for path in files_below(inside, "markdown")] == ["z.md"]
