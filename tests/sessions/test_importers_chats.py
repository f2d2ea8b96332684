"""The readers of plain chats: JSON and JSON lines in the forms programs write, Markdown with speakers, and notes."""

import json
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from remanence.model.session import id_problems
from remanence.sessions.importers import Piece, chat, markdown

NOW = datetime(2026, 3, 1, tzinfo=UTC)
LONG_ID = "3f6e2c1a-1111-4222-8333-444455556666"
TALK = [
    {"role": "system", "content": "You are helpful."},
    {"role": "user", "content": "Which region do we deploy to?"},
    {"role": "assistant", "content": "eu-central-1, since the customers are in Germany."},
]
TOLD = [("user", "Which region do we deploy to?"), ("assistant", "eu-central-1, since the customers are in Germany.")]


def pieces(found: Iterable[Any]) -> list[Piece]:
    found = list(found)
    assert all(isinstance(one, Piece) for one in found), found
    return found


def told(found: list[Piece]) -> list[tuple[str, str]]:
    return [(piece.observation.role, piece.observation.text) for piece in found]


def _read(path: Path, value: Any, start: int = 0) -> list[Piece]:
    path.write_text(value if isinstance(value, str) else json.dumps(value), "utf-8")
    return pieces(chat.read(path, start, NOW))


def as_lines(values: Iterable[Any]) -> str:
    return "".join(json.dumps(value) + "\n" for value in values)


@pytest.mark.parametrize("id", ["team/planning/2026-03-01", "..", "queue", "two\nlines and more of them"])
def test_an_id_that_no_session_may_have_becomes_a_digest(id: str, tmp_path: Path) -> None:
    found = _read(tmp_path / "chat.json", {"id": id, "messages": TALK})
    assert told(found) == TOLD
    (name,) = {piece.head.id for piece in found}
    assert name.startswith("digest:")
    assert id_problems(name) == []


@pytest.mark.parametrize(
    "value",
    [
        TALK,
        {"messages": TALK},
        {"model": "m", "messages": TALK, "temperature": 0.1},
        [{"messages": TALK}],
        [TALK],
        {"conversations": [{"turns": TALK}]},
        {"id": "x", "conversations": [{"from": "human", "value": TOLD[0][1]}, {"from": "gpt", "value": TOLD[1][1]}]},
        [{"sender": "human", "text": TOLD[0][1]}, {"sender": "ai", "text": TOLD[1][1]}],
        [{"type": "human", "data": {"content": TOLD[0][1]}}, {"type": "ai", "data": {"content": TOLD[1][1]}}],
        [{"author": {"role": "user"}, "content": [{"type": "text", "text": TOLD[0][1]}]}, TALK[2]],
        as_lines(TALK),
        as_lines([{"messages": TALK}, {"messages": []}]),
    ],
    ids=range(12),
)
def test_every_form_of_a_chat(value: Any, tmp_path: Path) -> None:
    found = _read(tmp_path / "chat.json", value)
    assert told(found) == TOLD
    assert len({piece.head.id for piece in found}) == 1
    assert found[0].head.id.startswith("chat-")
    assert len({piece.observation.key for piece in found}) == 2


def test_conversations_keep_their_ids_titles_and_moments(tmp_path: Path) -> None:
    value = [
        {
            "id": "3f6e2c1a-1111-4222-8333-444455556666",
            "title": "Regions",
            "created_at": "2025-01-02",
            "messages": TALK,
        },
        {"id": "2", "messages": [{"role": "user", "content": "hello there", "timestamp": 1_750_000_000, "id": "own"}]},
    ]
    found = _read(tmp_path / "chat.json", value)
    assert found[0].head == (LONG_ID, "chat", None, "Regions")
    assert found[0].observation.at == datetime(2025, 1, 2, tzinfo=UTC)
    assert found[2].head.id.startswith("2-")
    assert (found[2].observation.key, found[2].observation.at.year) == ("own", 2025)
    assert [piece.upto for piece in found] == [0, 1, 2]
    assert _read(tmp_path / "chat.json", value, 1) == found[2:]


def test_lines_may_name_their_conversation(tmp_path: Path) -> None:
    value = [{"session_id": f"session-number-{n % 2:03d}", "role": "user", "content": f"said {n}"} for n in range(4)]
    found = _read(tmp_path / "chat.jsonl", as_lines(value))
    assert [piece.head.id[-3:] for piece in found] == ["000", "001", "000", "001"]
    assert [piece.observation.text for piece in _read(tmp_path / "chat.jsonl", as_lines(value), found[1].upto)] == [
        "said 2",
        "said 3",
    ]


def test_calls_and_their_results(tmp_path: Path) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "weather", "arguments": '{"query": "Lisbon"}'}}
    value = [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "18 degrees"},
        {"role": "assistant", "content": "", "function_call": {"name": "lookup", "arguments": '{"path": "a.txt"}'}},
        {"role": "function", "name": "lookup", "content": "not found"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "c3", "name": "run", "input": {"command": "ls"}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c3", "content": "no", "is_error": True}]},
        {"role": "assistant", "content": "", "tool_calls": [{"id": "c4", "name": "never", "args": {"query": "back"}}]},
    ]
    for text in (json.dumps(value), as_lines(value)):
        found = _read(tmp_path / "chat.json", text)
        seen = [(p.observation.tool, p.observation.call, p.observation.text, p.observation.failed) for p in found]
        expected = [
            ("weather", "Lisbon", "18 degrees", False),
            ("lookup", "a.txt", "not found", False),
            ("run", "ls", "no", True),
        ]
        assert seen[:3] == expected
    assert _read(tmp_path / "b.json", value)[3].observation.call == "back"


def test_people_by_name_and_repeated_words(tmp_path: Path) -> None:
    value = [
        {"speaker": "Ana", "text": "Lunch at noon?"},
        {"speaker": "Ben", "text": "yes"},
        {"speaker": "Ana", "text": "And tomorrow?"},
        {"speaker": "Ben", "text": "yes"},
    ]
    found = _read(tmp_path / "chat.json", value)
    assert told(found)[1] == told(found)[3] == ("user", "Ben: yes")
    assert len({piece.observation.key for piece in found}) == 4
    changed = _read(tmp_path / "chat.json", [{"speaker": "Ben", "text": "hello"}, *value])
    assert {p.observation.key for p in found[1:]} <= {p.observation.key for p in changed}


CHAT = """# Choosing a database

Exported on 2026-01-02 by an exporter

## 👤 User (2026-01-02 10:00:00)

Which database shall we take for orders?

## Assistant

PostgreSQL. As code:

```text
## User
no speaker, only code
```

**You:** Good, and for tests?
They must be quick.

**ChatGPT:** SQLite.

User: and who backs it up?
Assistant: Ben does, every night.
"""


def _written(path: Path, text: str | bytes, start: int = 0) -> list[Piece]:
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return pieces(markdown.read(path, start, NOW))


def test_markdown_with_speakers_in_many_forms(tmp_path: Path) -> None:
    found = _written(tmp_path / "chat.md", CHAT)
    assert told(found) == [
        ("user", "Which database shall we take for orders?"),
        ("assistant", "PostgreSQL. As code:\n\n```text\n## User\nno speaker, only code\n```"),
        ("user", "Good, and for tests?\nThey must be quick."),
        ("assistant", "SQLite."),
        ("user", "and who backs it up?"),
        ("assistant", "Ben does, every night."),
    ]
    assert found[0].head.title == "Choosing a database"
    assert found[0].observation.at == datetime(2026, 1, 2, 10, tzinfo=UTC)
    assert [piece.upto for piece in found] == [1, 2, 3, 4, 5, 6]
    assert _written(tmp_path / "chat.md", CHAT, 4) == found[4:]


@pytest.mark.parametrize(
    ("user", "assistant"),
    [
        ("_**User**_\n", "_**Assistant**_\n"),
        ("### Human\n", "### Claude\n"),
        ("You said:\n", "ChatGPT said:\n"),
        ("**User (2026-01-02 10:00Z)**\n", "**Assistant**\n"),
        ("## User Message\n", ""),
        ("Human: ", "AI: "),
        ("# User #1\n", "# Assistant #2\n"),
    ],
)
def test_markdown_speakers(user: str, assistant: str, tmp_path: Path) -> None:
    found = _written(tmp_path / "a.md", f"{user}Where are the logs?\n\n{assistant}In Loki.\n")
    if assistant:
        assert told(found) == [("user", "Where are the logs?"), ("assistant", "In Loki.")]
    else:
        assert [role for role, _ in told(found)] == ["user"]


def test_a_chat_log_with_names_and_times(tmp_path: Path) -> None:
    text = "[2026-01-02 10:00] Ana: Who is on call?\nthis week\n[2026-01-02, 10:01:30] Ben Ode: I am.\n"
    found = _written(tmp_path / "log.txt", text)
    assert told(found) == [("user", "Ana: Who is on call?\nthis week"), ("user", "Ben Ode: I am.")]
    assert found[1].observation.at == datetime(2026, 1, 2, 10, 1, 30, tzinfo=UTC)


def test_a_note_is_parted_by_its_headings(tmp_path: Path) -> None:
    build = "## Build\nRun make.\n\n```\n# not a heading\n```\n\n"
    note = f"# Shop\nOwner: Ana\nModel: small\n\n{build}## Deploy\nOn Fridays never.\n"
    found = _written(tmp_path / "note.md", note)
    assert [text.splitlines()[0] for _, text in told(found)] == ["# Shop", "## Build", "## Deploy"]
    assert {role for role, _ in told(found)} == {"user"}
    assert found[0].head.title == "Shop"
    changed = _written(tmp_path / "note.md", note.replace("Owner: Ana", "Owner: Ben"))
    assert found[2].observation.key == changed[2].observation.key
    assert found[0].observation.key != changed[0].observation.key


def test_a_long_note_is_parted_at_empty_lines(tmp_path: Path) -> None:
    found = _written(tmp_path / "note.txt", "The line is about forty characters long.\n\n" * 500)
    assert 4 < len(found) < 10
    assert max(len(text) for _, text in told(found)) < 5_000


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "latin-1"])
def test_markdown_in_other_encodings(encoding: str, tmp_path: Path) -> None:
    text = "User: Où sont les journaux?\r\nAssistant: À Zürich, señor.\r\n"
    assert told(_written(tmp_path / "a.md", text.encode(encoding))) == [
        ("user", "Où sont les journaux?"),
        ("assistant", "À Zürich, señor."),
    ]
