"""The readers of Claude Code and Codex: what is said, what is left out, calls with their results, going on anywhere."""

import json
import random
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from remanence.model.session import Observation
from remanence.sessions.importers import Piece, Skipped, claude_code, codex
from tests.sessions import transcripts

NOW = datetime(2026, 3, 1, tzinfo=UTC)
READERS = {"claude-code": claude_code.read, "codex": codex.read}
LINES = {"claude-code": transcripts.claude_code_lines, "codex": transcripts.codex_lines}
AGENTS = pytest.mark.parametrize("agent", sorted(READERS))


def written(path: Path, records: Iterable[Any]) -> Path:
    path.write_text("".join(one if isinstance(one, str) else json.dumps(one) + "\n" for one in records), "utf-8")
    return path


def pieces(agent: str, path: Path, start: int = 0) -> list[Piece]:
    found = list(READERS[agent](path, start, NOW))
    assert not [one for one in found if isinstance(one, Skipped)]
    return [one for one in found if isinstance(one, Piece)]


def seen(agent: str, path: Path) -> list[Observation]:
    return [piece.observation for piece in pieces(agent, path)]


@AGENTS
def test_what_is_worth_keeping_is_read_with_its_session_and_folder(agent: str, tmp_path: Path) -> None:
    path = written(tmp_path / "t.jsonl", LINES[agent](events=110))
    found = pieces(agent, path)
    assert {piece.head for piece in found} == {(transcripts.session_id(0, agent), agent, transcripts.FOLDER, None)}
    said = [piece.observation.text for piece in found if piece.observation.role == "user"]
    for wanted in (*transcripts.PREFERENCES, *transcripts.CORRECTIONS, *transcripts.DECISIONS):
        assert said.count(wanted) == 1
    moments = [piece.observation.at for piece in found]
    assert moments[0] >= transcripts.START
    assert all(moment.tzinfo is not None and moment < NOW for moment in moments)


@AGENTS
def test_a_call_stands_with_its_result(agent: str, tmp_path: Path) -> None:
    command, error, mend, _ = transcripts.FIXES[0]
    tools = [one for one in seen(agent, written(tmp_path / "t.jsonl", LINES[agent](events=110))) if one.role == "tool"]
    runs = [one for one in tools if one.call == command]
    assert [(one.failed, one.text.startswith("Tests:")) for one in runs][:2] == [(True, False), (False, True)]
    assert runs[0].text == error
    assert any(one.call == mend and not one.failed for one in tools)
    assert all(one.key and one.key.startswith(("toolu_", "call_")) for one in tools)
    assert len({one.key for one in tools}) == len(tools)
    edited = next(one for one in tools if one.tool in ("Edit", "apply_patch"))
    assert edited.call == f"{transcripts.FOLDER}/src/checkout/total.ts"


@AGENTS
def test_what_nobody_said_is_left_out(agent: str, tmp_path: Path) -> None:
    found = seen(agent, written(tmp_path / "t.jsonl", LINES[agent](events=400)))
    said = "\n".join(one.text for one in found if one.role in ("user", "assistant"))
    for injected in (
        "Caveat:",
        "command-name",
        "local-command",
        "AGENTS.md",
        "environment_context",
        "permissions instructions",
        "Floats are likely",
        "Find every caller",
        "continued from a previous",
    ):
        assert injected not in said
    (summary, *_) = [one for one in found if one.role == "system"]
    assert summary.text == transcripts.SUMMARY


@AGENTS
def test_reading_may_stop_anywhere_and_go_on(agent: str, tmp_path: Path) -> None:
    path = written(tmp_path / "t.jsonl", LINES[agent](seed=3, events=5_000))
    found = pieces(agent, path)
    keys = [piece.observation.key for piece in found]
    assert len(set(keys)) == len(keys) > 1_500
    assert [piece.upto for piece in found] == sorted(piece.upto for piece in found)
    assert found[-1].upto <= path.stat().st_size
    for stop in random.Random(1).sample(range(len(found)), 12):
        rest = pieces(agent, path, found[stop].upto)
        assert set(keys[: stop + 1]) | {piece.observation.key for piece in rest} == set(keys)
        assert rest[0].head == found[0].head if rest else stop == len(found) - 1
    assert pieces(agent, path, found[-1].upto) == []


@AGENTS
def test_a_growing_file_gives_what_is_new_and_waits_for_half_a_line(agent: str, tmp_path: Path) -> None:
    whole = "".join(LINES[agent](events=120)).encode()
    path, upto, keys = tmp_path / "t.jsonl", 0, []
    for size in range(0, len(whole) + 997, 997):
        path.write_bytes(whole[:size])
        for piece in pieces(agent, path, upto):
            keys.append(piece.observation.key)
            upto = piece.upto
    path.write_bytes(whole)
    assert list(dict.fromkeys(keys)) == [one.key for one in seen(agent, path)]


def _claude(type_: str, message: Any, **more: Any) -> dict[str, Any]:
    return {
        "type": type_,
        "sessionId": "s",
        "cwd": "/x",
        "timestamp": "2026-02-01T10:00:00Z",
        "message": message,
    } | more


def _use(id: str, command: str) -> dict[str, Any]:
    return {"type": "tool_use", "id": id, "name": "Bash", "input": {"command": command}}


def test_claude_code_parallel_calls_are_not_lost_between_their_results(tmp_path: Path) -> None:
    calls = [{"type": "tool_use", "id": f"c{n}", "name": "Read", "input": {"file_path": f"/{n}"}} for n in range(3)]
    results = [{"type": "tool_result", "tool_use_id": f"c{n}", "content": f"text {n}"} for n in range(3)]
    path = written(
        tmp_path / "t.jsonl",
        [
            _claude("assistant", {"content": calls}, uuid="u1"),
            _claude("user", {"content": results}, uuid="u2"),
            _claude("user", {"content": "go on"}, uuid="u3"),
        ],
    )
    found = pieces("claude-code", path)
    assert [piece.observation.key for piece in found] == ["c0", "c1", "c2", "u3"]
    for stop in range(3):
        rest = [piece.observation.key for piece in pieces("claude-code", path, found[stop].upto)]
        assert rest == (["c0", "c1", "c2", "u3"] if stop < 2 else ["u3"])


def test_claude_code_leaves_out_made_up_answers_and_keeps_results_in_meta_lines(tmp_path: Path) -> None:
    path = written(
        tmp_path / "t.jsonl",
        [
            _claude("assistant", {"model": "<synthetic>", "content": [{"type": "text", "text": "No response"}]}),
            _claude("assistant", {"content": [{"type": "text", "text": "API Error: 529"}]}, isApiErrorMessage=True),
            _claude(
                "assistant", {"content": [{"type": "tool_use", "id": "c", "name": "Bash", "input": {"command": "ls"}}]}
            ),
            _claude("user", {"content": [{"type": "tool_result", "tool_use_id": "c", "content": "a.py"}]}, isMeta=True),
            _claude("user", {"content": "<command-name>/fix</command-name><command-args>the cents</command-args>"}),
        ],
    )
    assert [(one.role, one.call, one.text) for one in seen("claude-code", path)] == [
        ("tool", "ls", "a.py"),
        ("user", "", "the cents"),
    ]


def test_a_call_without_a_result_is_given_up_in_the_end(tmp_path: Path) -> None:
    call = _claude(
        "assistant", {"content": [{"type": "tool_use", "id": "lost", "name": "Bash", "input": {"command": "x"}}]}
    )
    talk = [_claude("user", {"content": f"line {n}"}, uuid=f"u{n}") for n in range(2_100)]
    found = pieces("claude-code", written(tmp_path / "t.jsonl", [call, *talk]))
    assert found[10].upto == 0
    assert [piece.observation.key for piece in found].count("lost") == 1
    assert found[-1].upto == (tmp_path / "t.jsonl").stat().st_size


def test_two_sessions_in_one_file_keep_apart(tmp_path: Path) -> None:
    path = written(
        tmp_path / "t.jsonl",
        [
            _claude("user", {"content": "one"}, uuid="a"),
            _claude("assistant", {"content": [_use("c", "x")]}, uuid="b"),
            _claude("user", {"content": "two"}, uuid="c2", sessionId="other", cwd="/y"),
        ],
    )
    assert [(p.head.id, p.head.folder, p.observation.key) for p in pieces("claude-code", path)] == [
        ("s", "/x", "a"),
        ("s", "/x", "c"),
        ("other", "/y", "c2"),
    ]


def _old_rollout() -> list[Any]:
    def message(role: str, text: str) -> dict[str, Any]:
        return {"type": "message", "id": None, "role": role, "content": [{"type": "input_text", "text": text}]}

    arguments = json.dumps({"command": ["bash", "-lc", "make test"], "workdir": "/src/api"})
    output = json.dumps({"output": "2 failed", "metadata": {"exit_code": 2, "duration_seconds": 1.5}})
    return [
        {"id": "5973b6c0-94b8-487b-a530-2aeb6098ae0e", "timestamp": "2025-05-07T17:24:21.123Z", "instructions": None},
        {"record_type": "state"},
        message("user", "<environment_context>\n  <cwd>/src/api</cwd>\n</environment_context>"),
        message("user", "Run the tests"),
        {"type": "reasoning", "summary": [], "encrypted_content": "gAAA"},
        {"type": "function_call", "name": "shell", "arguments": arguments, "call_id": "call_1"},
        {"type": "function_call_output", "call_id": "call_1", "output": output},
        message("assistant", "Two tests fail."),
        message("user", "ok"),
        message("user", "ok"),
    ]


def test_codex_as_it_wrote_before(tmp_path: Path) -> None:
    path = written(tmp_path / "rollout-2025.jsonl", _old_rollout())
    found = pieces("codex", path)
    assert {piece.head[:3] for piece in found} == {("5973b6c0-94b8-487b-a530-2aeb6098ae0e", "codex", "/src/api")}
    assert [(p.observation.role, p.observation.call, p.observation.text) for p in found] == [
        ("user", "", "Run the tests"),
        ("tool", "make test", "2 failed"),
        ("assistant", "", "Two tests fail."),
        ("user", "", "ok"),
        ("user", "", "ok"),
    ]
    assert found[1].observation.failed
    assert {piece.observation.at for piece in found} == {datetime(2025, 5, 7, 17, 24, 21, 123000, tzinfo=UTC)}
    assert len({piece.observation.key for piece in found}) == 5
    rest = pieces("codex", path, found[1].upto)
    assert rest == found[2:]


def test_codex_leaves_out_the_rollouts_of_subagents_and_knows_other_calls(tmp_path: Path) -> None:
    lines = list(transcripts.codex_lines(events=50))
    meta = json.loads(lines[0])
    meta["payload"]["source"] = {"subagent": {"thread_spawn": {"parent_thread_id": "p"}}}
    assert seen("codex", written(tmp_path / "side.jsonl", [meta, *lines[1:]])) == []

    def item(**payload: Any) -> dict[str, Any]:
        return {"timestamp": "2026-02-01T10:00:00Z", "type": "response_item", "payload": payload}

    shell = item(
        type="local_shell_call", call_id="c1", status="completed", action={"type": "exec", "command": ["ls", "-a"]}
    )
    done = item(type="function_call_output", call_id="c1", output={"content": "a b", "success": False})
    search = item(type="web_search_call", status="completed", action={"type": "search", "query": "lisbon vat"})
    found = seen("codex", written(tmp_path / "t.jsonl", [lines[0], shell, done, search]))
    assert [(one.tool, one.call, one.text, one.failed) for one in found] == [
        ("local_shell", "ls -a", "a b", True),
        ("web_search", "lisbon vat", "", False),
    ]


def test_a_copy_of_a_rollout_tells_the_same(tmp_path: Path) -> None:
    lines = list(transcripts.codex_lines(events=120))
    first = written(tmp_path / "a.jsonl", lines)
    moved = written(tmp_path / "b.jsonl", [lines[0], "\n", *lines[1:]])
    keys: Callable[[Path], list[str | None]] = lambda path: [one.key for one in seen("codex", path)]  # noqa: E731
    assert keys(first) == keys(moved)
