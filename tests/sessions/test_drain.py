"""The drain: events become observations of the right session, once; transcripts are read on; the broken go aside."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remanence import Mind
from remanence.model.session import STAGE_ONE, Observation
from remanence.places import spool_of
from remanence.sessions import intake
from remanence.sessions import spool as spooled
from remanence.sessions.drain import TRANSCRIPT, Drained, drain
from remanence.sessions.envelope import enveloped
from remanence.sessions.events import Told, gave_back, read
from remanence.sessions.importers.kinds import KINDS
from remanence.settings import Settings
from tests.conftest import START, Clock
from tests.sessions import hooked, transcripts
from tests.sessions.hooked import SESSION, TOKEN

_SECOND = 10**9
_NUMBERS = count()
_EVERY = hooked.events(Path("/home/ann/shop"))
_PROMPT, _ANSWER = ("user", "Use pnpm, never npm.", None, "", False), ("assistant", "All green.", None, "", False)
_SEEN: dict[str, tuple[str, str, str | None, str, bool]] = {
    "UserPromptSubmit": _PROMPT,
    "beforeSubmitPrompt": _PROMPT,
    "BeforeAgent": _PROMPT,
    "PostToolUse": ("tool", "148 passed", "Bash", "pnpm test", False),
    "PostToolUseFailure": ("tool", "Exit code 1\n2 failed", "Bash", "pnpm test", True),
    "AfterTool": ("tool", "148 passed", "run_shell_command", "pnpm test", False),
    "afterShellExecution": ("tool", "148 passed", "Shell", "pnpm test", False),
    "afterMCPExecution": ("tool", "3", "search", "cents", False),
    "afterFileEdit": ("tool", "", "Edit", "/p/total.ts", False),
    "Stop": _ANSWER,
    "afterAgentResponse": _ANSWER,
    "AfterAgent": _ANSWER,
}


def brief(one: Observation) -> tuple[str, str, str | None, str, bool]:
    return one.role, one.text, one.tool, one.call, one.failed


@pytest.fixture
def mind(open_mind: Callable[..., Mind]) -> Mind:
    return open_mind()


@pytest.fixture
def spool(tmp_path: Path) -> str:
    return spool_of(str(tmp_path / "memory.db"))


def put(spool: str, host: str, event: str, at: datetime = START, namespace: str = "test", **fields: Any) -> str:
    """Spool an event as the hook does."""
    made = enveloped(host, event, {**_EVERY[host, event], **fields}, "/project/shop")
    assert made is not None
    ns = round(at.timestamp()) * _SECOND + next(_NUMBERS)
    return str(spooled.put(spool, {**made, "namespace": namespace, "at": ns}, ns))


def seen(mind: Mind, id: str = SESSION) -> list[Observation]:
    return [one for page in mind._store.sessions.observations(id) for one in page]


def take(mind: Mind, spool: str, now: datetime = START, **options: Any) -> Drained:
    return drain(mind._store, spool, now, **options)


@pytest.mark.parametrize(("host", "event"), list(_EVERY))
def test_each_event_of_each_host(mind: Mind, spool: str, host: str, event: str) -> None:
    put(spool, host, event)
    assert take(mind, spool, START + timedelta(hours=1)) == Drained(1, int(event in _SEEN), 0)
    assert spooled.waiting(spool, "test") == []
    session = mind._store.sessions.get(SESSION)
    if event not in _SEEN:
        assert session is None
        return
    assert session is not None
    assert (session.agent, session.project, session.started_at) == (host, "/project/shop", START)
    assert [brief(one) for one in seen(mind)] == [_SEEN[event]]
    assert seen(mind)[0].at == START


@pytest.mark.parametrize("host", ["claude-code", "codex", "cursor", "gemini"])
def test_a_whole_session(mind: Mind, spool: str, host: str) -> None:
    names = [event for one, event in _EVERY if one == host]
    for number, event in enumerate(names):
        put(spool, host, event, START + timedelta(minutes=number))
    done = take(mind, spool, START + timedelta(days=1))
    assert done.events == len(names)
    session = mind._store.sessions.get(SESSION)
    assert session is not None
    assert session.ended_at == START + timedelta(minutes=len(names) - 1)
    assert session.observations == done.observations == sum(event in _SEEN for event in names) - (host == "claude-code")
    assert [task.name for task in mind._store.queue.tasks()] == [STAGE_ONE + SESSION]


def test_a_session_goes_on_and_what_comes_late_does_not_open_it_again(mind: Mind, spool: str) -> None:
    put(spool, "codex", "UserPromptSubmit", START)
    put(spool, "codex", "SessionEnd", START + timedelta(minutes=2))
    take(mind, spool, START + timedelta(hours=1))
    put(spool, "codex", "Stop", START + timedelta(minutes=1))
    take(mind, spool, START + timedelta(hours=1))
    session = mind._store.sessions.get(SESSION)
    assert session is not None and session.ended_at == START + timedelta(minutes=2) and session.observations == 2
    put(spool, "codex", "SessionStart", START + timedelta(minutes=3))
    take(mind, spool, START + timedelta(hours=1))
    session = mind._store.sessions.get(SESSION)
    assert session is not None and session.ended_at is None


def test_the_same_events_again_tell_nothing_new(mind: Mind, spool: str) -> None:
    """As after a drain that was killed between its commit and the removal of the files."""
    names = [put(spool, "claude-code", event, START) for event in ("UserPromptSubmit", "PostToolUse", "Stop")]
    kept = {name: (Path(spool) / name).read_bytes() for name in names}
    assert take(mind, spool) == Drained(3, 3, 0)
    for name, data in kept.items():
        (Path(spool) / name).write_bytes(data)
    assert take(mind, spool) == Drained(3, 0, 0)
    assert len(seen(mind)) == 3
    # What a person says twice was said twice.
    put(spool, "claude-code", "UserPromptSubmit", START)
    assert take(mind, spool) == Drained(1, 1, 0)


@pytest.mark.parametrize(
    ("prompt", "text"),
    [
        ("/review the cents in /src", "the cents in /src"),
        ("/compact", None),
        ("see /src/total.ts", "see /src/total.ts"),
        ("/home/ann is full", "/home/ann is full"),
        ("<system-reminder>x</system-reminder>Go on.", "Go on."),
        ("[Request interrupted by user]", None),
    ],
)
def test_a_prompt_is_what_its_transcript_will_say(mind: Mind, spool: str, prompt: str, text: str | None) -> None:
    put(spool, "claude-code", "UserPromptSubmit", prompt=prompt)
    take(mind, spool)
    assert [one.text for one in seen(mind)] == ([] if text is None else [text])


def test_only_the_events_of_a_namespace_come_in(open_mind: Callable[..., Mind], spool: str) -> None:
    put(spool, "codex", "Stop", namespace="one")
    mine = put(spool, "codex", "Stop", namespace="two")
    one, two = open_mind("one"), open_mind("two")
    assert take(one, spool).events == 1
    assert spooled.waiting(spool, "two") == [mine] and two._store.sessions.get(SESSION) is None
    # A name that only looks like ours, as two namespaces may share theirs.
    event = spooled.load(spool, mine)
    assert event is not None
    spooled.remove(spool, mine)
    other = mine.replace(mine.split(".")[1], spooled._end_of("one").split(".")[1])
    (Path(spool) / other).write_text(json.dumps(event))
    assert take(one, spool) == Drained(0, 0, 0)
    assert (Path(spool) / other).exists()


def test_secrets_and_personal_data_do_not_come_in(mind: Mind, spool: str) -> None:
    """Also of an event that somebody else wrote."""
    name = put(spool, "codex", "Stop")
    path = Path(spool) / name
    path.write_text(path.read_text().replace("All green.", f"the token is {TOKEN}, mail ann@example.com"))
    take(mind, spool, personal=("email",))
    (one,) = seen(mind)
    assert one.text.count("[redacted:") == 2 and TOKEN not in one.text and "ann@" not in one.text


def test_what_was_purged_does_not_come_back(mind: Mind, spool: str) -> None:
    memory = mind.remember("Use pnpm, never npm.").memory
    assert memory is not None
    mind.purge(ids=[memory.id], reason="test")
    put(spool, "codex", "UserPromptSubmit")
    put(spool, "codex", "Stop")
    assert take(mind, spool).observations == 1
    assert [one.text for one in seen(mind)] == ["All green."]


@pytest.mark.parametrize(
    "broken",
    [
        *("", "{", "[]", "null", "{}", '{"namespace": "test"}'),
        '{"namespace": "test", "host": "codex", "event": "Nothing", "session": "s"}',
        '{"namespace": "test", "host": "vim", "event": "Stop", "session": "s"}',
        '{"namespace": "test", "host": ["codex"], "event": {"Stop": 1}, "session": "s"}',
        '{"namespace": "test", "host": "codex", "event": "Stop", "session": " "}',
        '{"namespace": "test", "host": "codex", "event": "Stop", "session": null}',
        '{"namespace": "test", "host": "codex", "event": "Stop", "session": "a/b"}',
        '{"namespace": "test", "host": "codex", "event": "Stop", "session": ".."}',
        '{"namespace": "test", "host": "codex", "event": "Stop", "session": "run"}',
    ],
)
def test_a_broken_event_is_put_aside_and_the_others_come_in(mind: Mind, spool: str, broken: str) -> None:
    bad, good = put(spool, "codex", "Stop"), put(spool, "codex", "UserPromptSubmit", START + timedelta(seconds=1))
    (Path(spool) / bad).write_text(broken)
    done = take(mind, spool)
    is_ours = broken not in ("{}",)
    assert done == Drained(1, 1, int(is_ours))
    assert not (Path(spool) / good).exists()
    assert (Path(spool) / spooled.BAD / bad).exists() is is_ours


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | st.just("x" * 300),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
_FIELDS = (
    "prompt",
    "tool_name",
    "tool_input",
    "tool_response",
    "error",
    "command",
    "output",
    "result_json",
    "file_path",
)
_TOLD = st.dictionaries(st.sampled_from([*_FIELDS, "text", "last_assistant_message", "prompt_response"]), _JSON)
_SHAPES = st.dictionaries(
    st.sampled_from(["stdout", "stderr", "content", "file", "error", "exit_code", "success", "filenames", "output"]),
    _JSON,
)


@settings(max_examples=400, deadline=None)
@given(
    st.sampled_from(list(_EVERY)),
    _TOLD,
    _SHAPES,
    st.fixed_dictionaries({}, optional=dict.fromkeys(("at", "project", "transcript", "call"), _JSON)),
)
def test_whatever_an_event_holds_it_is_read_or_refused(
    named: tuple[str, str], told: dict[str, Any], response: dict[str, Any], more: dict[str, Any]
) -> None:
    host, event = named
    whole = {"host": host, "event": event, "session": "s", "told": {**told, "tool_response": response}, **more}
    found = read(whole, "name", START)
    assert isinstance(found, Told) and found.project.startswith("/") and found.at <= START
    assert all(isinstance(one.text, str) and isinstance(one.call, str) and one.key for one in found.observations)
    assert enveloped(host, event, {**told, "session_id": "s", "tool_response": response, **more}, "/p") is not None


# -- transcripts


def transcript(tmp_path: Path, host: str = "claude-code", events: int = 60) -> tuple[Path, str, list[str]]:
    """A transcript of its host, with the id of its session and its lines."""
    make = transcripts.claude_code_lines if host == "claude-code" else transcripts.codex_lines
    lines, id = list(make(1, events, start=START - timedelta(hours=1))), transcripts.session_id(1, host)
    name = f"{id}.jsonl" if host == "claude-code" else f"rollout-2026-02-20T09-00-00-{id}.jsonl"
    (tmp_path / "transcripts").mkdir(exist_ok=True)
    path = tmp_path / "transcripts" / name
    path.write_text("".join(lines))
    return path, id, lines


@pytest.mark.parametrize("host", ["claude-code", "codex"])
def test_a_transcript_is_read_once_and_goes_on_where_it_ended(
    mind: Mind, spool: str, tmp_path: Path, host: str
) -> None:
    path, id, lines = transcript(tmp_path, host)
    path.write_text("".join(lines[:30]))
    about = {"session_id": id, "transcript_path": str(path), "last_assistant_message": None}
    put(spool, host, "Stop", **about)
    first = take(mind, spool)
    assert first.observations > 5
    texts = [one.text for one in seen(mind, id)]
    put(spool, host, "Stop", **about)
    assert take(mind, spool) == Drained(1, 0, 0)
    path.write_text("".join(lines))
    put(spool, host, "SessionEnd", **about)
    assert take(mind, spool).observations > 5
    after = [one.text for one in seen(mind, id)]
    assert after[: len(texts)] == texts
    with mind._store.transaction():
        assert mind._store.sessions.read_to(str(path)) > 0
    for secret in transcripts.SECRETS:
        assert not any(secret in one.text + one.call for one in seen(mind, id))
    # Nothing is left for an import, which reads it in the same way.
    assert mind.sessions.import_(path).observations == 0
    assert TRANSCRIPT == intake.VIA


@pytest.mark.parametrize("order", ["hook first", "transcript first", "together"])
@pytest.mark.parametrize("host", ["claude-code", "codex"])
def test_what_hook_and_transcript_both_tell_is_stored_once(
    mind: Mind, spool: str, tmp_path: Path, host: str, order: str
) -> None:
    path, id, _ = transcript(tmp_path, host, 80)
    alone = path.with_name("alone") / path.name
    alone.parent.mkdir()
    alone.write_bytes(path.read_bytes())
    reference = [piece.observation for piece in KINDS[host].read(alone, 0, START) if hasattr(piece, "observation")]
    about = {"session_id": id, "transcript_path": str(path)}

    def hooks() -> None:
        for number, one in enumerate(reference):
            at = START + timedelta(seconds=number)
            if one.role == "user":
                put(spool, host, "UserPromptSubmit", at, prompt=one.text, **about)
            elif one.role == "tool":
                given = {
                    "tool_name": one.tool,
                    "tool_input": {"command": one.call},
                    "tool_response": {"stdout": one.text},
                }
                put(spool, host, "PostToolUse", at, tool_use_id=one.key, **given, **about)

    def stop() -> None:
        last = [one.text for one in reference if one.role == "assistant"][-1]
        put(spool, host, "Stop", START + timedelta(hours=1), last_assistant_message=last, **about)

    now = START + timedelta(hours=2)
    for step in {"hook first": (hooks, take, stop), "transcript first": (stop, take, hooks), "together": (hooks, stop)}[
        order
    ]:
        step(mind, spool, now) if step is take else step()  # type: ignore[operator]
    take(mind, spool, now)
    assert len(seen(mind, id)) == len(reference)
    if order != "hook first":  # a transcript has the right order
        assert [one.role for one in seen(mind, id)] == [one.role for one in reference]
    assert sorted(one.call for one in seen(mind, id)) == sorted(one.call for one in reference)


def test_a_long_transcript_is_read_part_by_part(mind: Mind, spool: str, tmp_path: Path) -> None:
    path, id, _ = transcript(tmp_path, events=900)
    put(spool, "claude-code", "Stop", session_id=id, transcript_path=str(path), last_assistant_message=None)
    steps = []
    while (step := take(mind, spool, most=200)).events:
        steps.append(step.observations)
    assert len(steps) > 2 and max(steps) <= 200
    whole = sum(steps)
    assert len(seen(mind, id)) == whole
    assert mind.sessions.import_(path).observations == 0


def test_switched_off_events_come_in_but_no_transcript_is_read(mind: Mind, spool: str, tmp_path: Path) -> None:
    path, id, _ = transcript(tmp_path)
    put(spool, "claude-code", "UserPromptSubmit", session_id=id, transcript_path=str(path))
    put(spool, "claude-code", "Stop", session_id=id, transcript_path=str(path))
    assert take(mind, spool, enabled=False) == Drained(2, 2, 0)
    assert mind._store.sessions.read_to(str(path)) == 0


@pytest.mark.parametrize(
    "kind", ["link", "folder", "fifo", "other name", "no lines", "relative", "dots", "nul", "gone", "suffix"]
)
def test_what_is_no_transcript_of_the_session_is_not_read(mind: Mind, spool: str, tmp_path: Path, kind: str) -> None:
    path, id, lines = transcript(tmp_path)
    name = str(path)
    path.unlink()
    if kind == "link":
        (tmp_path / "real.jsonl").write_text("".join(lines))
        path.symlink_to(tmp_path / "real.jsonl")
    elif kind == "folder":
        path.mkdir()
    elif kind == "fifo":
        os.mkfifo(path)
    elif kind == "no lines":
        path.write_text("secret diary\n" + "".join(lines))
    elif kind != "gone":
        told = "".join(lines)
        path.write_text(told.replace(id, "somebody-else") if kind == "other name" else told)
        renamed = {"other name": path.with_name("other.jsonl"), "suffix": path.with_suffix(".json")}.get(kind, path)
        path.rename(renamed)
        parts = {"relative": path.name, "dots": f"{path.parent}/../transcripts/{path.name}", "nul": f"{path}\0"}
        name = parts.get(kind, str(renamed))
    put(spool, "claude-code", "Stop", session_id=id, transcript_path=name)
    assert take(mind, spool) == Drained(1, 1, 0)
    assert [one.text for one in seen(mind, id)] == ["All green."]


def test_a_transcript_of_any_name_that_tells_of_the_session_is_read(mind: Mind, spool: str, tmp_path: Path) -> None:
    path, id, _ = transcript(tmp_path)
    other = path.rename(path.with_name("current.jsonl"))
    put(spool, "claude-code", "Stop", session_id=id, transcript_path=str(other))
    assert take(mind, spool).observations > 20


def test_the_facade_drains_what_waits_beside_its_store(
    open_mind: Callable[..., Mind], spool: str, clock: Clock
) -> None:
    put(spool, "codex", "UserPromptSubmit")
    mind = open_mind(settings=Settings(memories__enabled=True, upkeep__on_open=True))
    assert [one.id for one in mind.sessions.list()] == [SESSION]
    put(spool, "codex", "Stop")
    assert mind.sessions.drain() == 1 and mind.sessions.drain() == 0
    assert [one.role for one in mind.sessions.show(SESSION).observations] == ["user", "assistant"]


@pytest.mark.parametrize(
    ("told", "text", "failed"),
    [
        ("Output: no rule to make target\nExit Code: 2\nProcess Group PGID: 31", "no rule to make target", True),
        (
            "Command: make\nDirectory: (root)\nOutput: done\nError: (none)\nExit Code: 0\nSignal: (none)\n"
            "Background PIDs: (none)\nProcess Group PGID: 31",
            "done",
            False,
        ),
        ("Output: line 1\nError: in the middle\nline 3", "line 1\nError: in the middle\nline 3", False),
        ("Exit Code: 2 is what a file says", "Exit Code: 2 is what a file says", False),
    ],
)
def test_a_command_of_gemini_is_told_without_its_wrapping(told: str, text: str, failed: bool) -> None:
    assert gave_back({"llmContent": told, "returnDisplay": "", "error": None}) == (text, failed)
