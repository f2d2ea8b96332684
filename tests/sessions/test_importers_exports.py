"""The readers of exports: ChatGPT's tree, Claude's conversations, mem0's memories; as archives, documents and lines."""

import json
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from remanence.model.draft import draft_from
from remanence.sessions.importers import Noted, Piece, Skipped, chatgpt, claude_ai, mem0
from tests.sessions import exports

NOW = datetime(2026, 3, 1, tzinfo=UTC)
Read = Callable[[Path, int, datetime], Iterable[Any]]


def saved(path: Path, value: Any) -> Path:
    path.write_text(json.dumps(value), "utf-8")
    return path


def pieces(read: Read, path: Path, start: int = 0) -> list[Piece]:
    found = list(read(path, start, NOW))
    assert all(isinstance(one, Piece) for one in found), found
    return found


def told(found: list[Piece]) -> list[tuple[str, str, str]]:
    return [(piece.observation.role, piece.observation.call, piece.observation.text) for piece in found]


def test_chatgpt_follows_the_branch_that_was_shown_last(tmp_path: Path) -> None:
    found = pieces(chatgpt.read, saved(tmp_path / "conversations.json", [exports.chatgpt()]))
    assert told(found) == [
        ("user", "", "Add 19.99 and 5.01 in cents for the Lisbon invoice."),
        ("tool", "sum([1999, 501])", "2500"),
        ("assistant", "", "That is 2,500 cents."),
        ("user", "", "We decided to send invoices on the first of a month."),
        ("assistant", "", "Noted: invoices go out on the first."),
    ]
    assert [piece.observation.key for piece in found] == ["u-1", "call", "a-1", "u-2", "a-2-kept"]
    assert found[1].observation.tool == "python"
    assert found[0].head == (exports.chatgpt()["id"], "chatgpt", None, "Lisbon invoices")
    assert found[0].observation.at == datetime.fromtimestamp(exports.BEGUN + 3, UTC)
    assert [piece.upto for piece in found] == [0, 0, 0, 0, 1]


def test_chatgpt_takes_another_branch_where_that_was_shown(tmp_path: Path) -> None:
    conversation = exports.chatgpt(last="a-2-dropped")
    path = saved(tmp_path / "conversations.json", [conversation])
    assert told(pieces(chatgpt.read, path))[-1][2] == "An answer that was asked for anew."
    conversation["current_node"] = "gone"
    saved(path, [conversation])
    assert told(pieces(chatgpt.read, path))[-1][2] == "Noted: invoices go out on the first."


def test_chatgpt_a_tree_that_goes_in_circles_ends(tmp_path: Path) -> None:
    conversation = exports.chatgpt()
    conversation["mapping"]["u-1"]["parent"] = "a-2-kept"
    assert len(pieces(chatgpt.read, saved(tmp_path / "conversations.json", [conversation]))) == 5


@pytest.mark.parametrize(("read", "make"), [(chatgpt.read, exports.chatgpt), (claude_ai.read, exports.claude)])
def test_an_archive_tells_the_same_as_its_document(read: Read, make: Callable[..., Any], tmp_path: Path) -> None:
    talks = [make(f"00000000-0000-4000-8000-00000000000{n}") for n in range(4)]
    document = pieces(read, saved(tmp_path / "conversations.json", talks))
    one = exports.archive(tmp_path / "a.zip", conversations__json=talks, user__json={"email": "a@b"}, chat__html="x")
    parts = {"conversations-000__json": talks[:3], "conversations-001__json": talks[3:]}
    for path in (one, exports.archive(tmp_path / "b.zip", **parts)):
        packed = pieces(read, path)
        assert [piece[:3] for piece in packed] == [piece[:3] for piece in document]
        assert packed[-1].place <= path.stat().st_size
        later = document[len(document) // 2 :]
        assert [piece[:3] for piece in pieces(read, path, 2)] == [piece[:3] for piece in later]


def test_claude_joins_calls_and_leaves_out_thinking(tmp_path: Path) -> None:
    found = pieces(claude_ai.read, saved(tmp_path / "conversations.json", [exports.claude(turns=2)]))
    assert told(found)[:3] == [
        ("user", "", "Which port does service 0 use in staging?"),
        ("assistant", "", "Service 0 listens on 8080."),
        ("tool", "service 0", "port 8080"),
    ]
    assert [piece.observation.key for piece in found[:3]] == ["h-0", "a-0", "toolu_0"]
    assert found[0].head == (exports.claude()["uuid"], "claude", None, "Ports")
    assert found[0].observation.at == datetime(2025, 11, 1, 9, tzinfo=UTC)


def test_claude_takes_the_text_where_there_are_no_blocks_and_follows_the_last_message(tmp_path: Path) -> None:
    conversation = {
        "uuid": "c" * 20,
        "name": "",
        "current_leaf_message_uuid": "3",
        "chat_messages": [
            {"uuid": "1", "sender": "human", "text": "Where do logs go?", "parent_message_uuid": "0"},
            {"uuid": "2", "sender": "assistant", "text": "To a file.", "parent_message_uuid": "1"},
            {"uuid": "3", "sender": "assistant", "text": "To Loki.", "content": [], "parent_message_uuid": "1"},
        ],
    }
    found = pieces(claude_ai.read, saved(tmp_path / "conversations.json", [conversation]))
    assert [text for *_, text in told(found)] == ["Where do logs go?", "To Loki."]
    del conversation["current_leaf_message_uuid"]
    assert len(pieces(claude_ai.read, saved(tmp_path / "conversations.json", [conversation]))) == 3


def test_claude_results_without_ids_belong_to_the_call_before(tmp_path: Path) -> None:
    blocks = [
        {"type": "tool_use", "id": None, "name": "a", "input": {"query": "first"}},
        {"type": "tool_use", "id": None, "name": "b", "input": {"query": "second"}},
        {"type": "tool_result", "name": "b", "content": [{"type": "text", "text": "found"}], "is_error": True},
    ]
    conversation = {"uuid": "c" * 20, "chat_messages": [{"uuid": "1", "sender": "assistant", "content": blocks}]}
    found = pieces(claude_ai.read, saved(tmp_path / "conversations.json", [conversation]))
    assert told(found) == [("tool", "first", ""), ("tool", "second", "found")]
    assert [piece.observation.failed for piece in found] == [False, True]
    assert len({piece.observation.key for piece in found}) == 2


@pytest.mark.parametrize("read", [chatgpt.read, claude_ai.read])
def test_conversations_of_another_kind_are_told_by_their_number(read: Read, tmp_path: Path) -> None:
    path = saved(tmp_path / "conversations.json", [1, {"title": "x"}, [], {"mapping": {}, "chat_messages": []}])
    found = list(read(path, 0, NOW))
    assert [one.line for one in found] == [1, 2, 3, 4]
    assert all(isinstance(one, Skipped) for one in found)


FORMS: dict[str, Callable[[list[Any]], str]] = {
    "list": json.dumps,
    "results": lambda found: json.dumps({"results": found, "relations": []}, indent=1),
    "one line": lambda found: json.dumps({"results": found}),
    "memories": lambda found: json.dumps({"user": {"id": "u"}, "memories": found}),
    "lines": lambda found: "".join(json.dumps(one) + "\n" for one in found),
}


@pytest.mark.parametrize("form", sorted(FORMS))
def test_mem0_in_every_form(form: str, tmp_path: Path) -> None:
    path = tmp_path / "export.json"
    path.write_text(FORMS[form](exports.mem0()), "utf-8")
    found = list(mem0.read(path, 0, NOW))
    assert all(isinstance(one, Noted) for one in found)
    draft = draft_from(found[0].values)
    assert draft.text == "Prefers tea over coffee in the morning"
    assert (draft.scope, draft.source, draft.origin, draft.key) == ("/user/ana", "ingest", "mem0:m-0", "mem0:m-0")
    assert draft.created_at == datetime(2025, 7, 26, 6, 57, 0, 108347, tzinfo=UTC)
    assert draft.categories == ("personal",)
    assert draft.metadata == {"mem0": {"user_id": "ana", "metadata": {"type": "profile"}}}
    rest = list(mem0.read(path, found[0].upto, NOW))
    assert [one.values["key"] for one in rest] == ["mem0:m-1", "mem0:m-2"]


def test_mem0_other_fields(tmp_path: Path) -> None:
    memories = [
        {"id": 7, "payload": {"data": "Kept in a vector store", "agent_id": "helper/7"}},
        {"id": "gone", "memory": "Was deleted", "event": "DELETE"},
        {"id": "gone too", "content": "Was deleted as well", "state": "deleted"},
        {"id": "e", "memory": "Holds until May", "expiration_date": "2027-05-01", "metadata": {"x": "y" * 70_000}},
        {"id": "n" * 500, "memory": "Has a long id", "metadata": {"accepted": True}},
        {"id": "none", "memory": "  "},
        "text",
    ]
    found = list(mem0.read(saved(tmp_path / "m.json", memories), 0, NOW))
    drafts = [draft_from(one.values) for one in found if isinstance(one, Noted)]
    assert [draft.text for draft in drafts] == ["Kept in a vector store", "Holds until May", "Has a long id"]
    assert drafts[0].scope == "/agent/helper-7"
    assert len({draft.key for draft in drafts}) == 3
    assert drafts[1].expires_at == datetime(2027, 5, 1, tzinfo=UTC)
    assert drafts[1].metadata == {"mem0": {"metadata": None}}
    assert drafts[2].metadata == {"mem0": {"metadata": {"accepted": True}}}
    assert [(one.line, one.why) for one in found if isinstance(one, Skipped)] == [
        (6, "a memory without a text"),
        (7, "not a memory of mem0"),
    ]
