"""`rem hook` as hosts call it: what it prints and spools for each event, what it loads, and whom it waits for."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from remanence.guard.framing import Line, framed
from remanence.interfaces.connect.hosts import HOSTS
from remanence.places import GUIDANCE as FILE
from remanence.places import artifacts_of, folder_of, spool_of
from remanence.sessions.envelope import EVENTS
from remanence.sessions.hook import MOST_SHOWN, shortened
from tests.conftest import new_mind
from tests.sessions import hooked
from tests.sessions.hooked import CALL, GUIDANCE, SESSION, TOKEN, hook, waiting

_EVERY = list(hooked.events(Path("/p")))
_STARTS = [(host, event) for host, event in _EVERY if event in ("SessionStart", "sessionStart")]
_TOLD = {
    "UserPromptSubmit": {"prompt": "Use pnpm, never npm."},
    "beforeSubmitPrompt": {"prompt": "Use pnpm, never npm."},
    "BeforeAgent": {"prompt": "Use pnpm, never npm."},
    "Stop": {"last_assistant_message": "All green."},
    "afterAgentResponse": {"text": "All green."},
    "AfterAgent": {"prompt_response": "All green."},
    "afterShellExecution": {"command": "pnpm test", "output": "148 passed"},
    "afterFileEdit": {"file_path": "/p/total.ts"},
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    place = tmp_path / "shop"
    (place / ".git").mkdir(parents=True)
    return place


@pytest.fixture
def home(tmp_path: Path) -> Path:
    place = tmp_path / "home"
    place.mkdir()
    return place


def guide(home: Path, text: str = GUIDANCE, namespace: str = "default", project: str = "/project/shop") -> Path:
    """Leave guidance ready, as stage 2 does."""
    folder = Path(folder_of(artifacts_of(str(hooked.store_of(home)), namespace), project))
    folder.mkdir(parents=True)
    (folder / FILE).write_text(text + "\n", encoding="utf-8")
    return folder


def is_quiet(done: subprocess.CompletedProcess[bytes]) -> bool:
    return (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_every_event_that_a_host_is_connected_for_is_known() -> None:
    for host in HOSTS:
        assert set(host.events) <= EVENTS[host.name].keys()
        assert {(host.name, event) for event in host.events} <= set(_EVERY)


@pytest.mark.parametrize(("host", "event"), _EVERY)
def test_an_event_is_spooled(home: Path, project: Path, host: str, event: str) -> None:
    given = hooked.events(project)[host, event]
    done = hook(home, event, given, host=host)
    expected = b'{"continue":true}\n' if event == "beforeSubmitPrompt" else b""
    assert (done.returncode, done.stdout, done.stderr) == (0, expected, b"")
    (kept,) = waiting(home)
    assert {name: kept[name] for name in ("host", "event", "session", "project", "namespace")} == {
        **{"host": host, "event": event, "session": SESSION, "project": "/project/shop", "namespace": "default"}
    }
    if event in _TOLD:
        assert kept["told"] == _TOLD[event]
    elif "tool_name" in given:
        assert kept["told"] == {
            name: given[name]
            for name in given
            if name in ("tool_name", "tool_input", "tool_response", "error", "result_json")
        }
    else:
        assert "told" not in kept
    assert kept.get("call") == given.get("tool_use_id")
    assert "ann@example.com" not in json.dumps(kept)
    (file,) = hooked.spool_of(home).glob("*.json")
    assert file.stat().st_mode & 0o777 == 0o600
    assert hooked.spool_of(home).stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize(("host", "event"), _STARTS)
@pytest.mark.parametrize("source", ["startup", "resume", "clear", "compact"])
def test_a_session_begins_with_the_guidance(home: Path, project: Path, host: str, event: str, source: str) -> None:
    guide(home)
    inside = project / "src"
    inside.mkdir()
    given = {**hooked.events(inside)[host, event], "source": source}
    done = hook(home, event, given, host=host)
    text = json.dumps(GUIDANCE, ensure_ascii=False)
    whole = f'{{"hookSpecificOutput":{{"hookEventName":"SessionStart","additionalContext":{text}}}}}\n'
    expected = f'{{"additional_context":{text}}}\n' if host == "cursor" else whole
    assert (done.returncode, done.stdout, done.stderr) == (0, expected.encode(), b"")
    assert [one["event"] for one in waiting(home)] == [event]


def test_guidance_is_that_of_the_project_the_namespace_and_the_folder_that_is_set(home: Path, project: Path) -> None:
    guide(home, "of another project", project="/project/other")
    guide(home, "of mine", namespace="mine")
    given = hooked.events(project)["claude-code", "SessionStart"]
    assert is_quiet(hook(home, "SessionStart", given))
    assert b"of mine" in hook(home, "SessionStart", given, "--namespace", "mine").stdout
    assert b"of mine" in hook(home, "SessionStart", given, REMANENCE_NAMESPACE="mine").stdout
    elsewhere = home / "notes"
    folder = Path(folder_of(artifacts_of("", "default", str(elsewhere)), "/project/shop"))
    folder.mkdir(parents=True)
    (folder / FILE).write_text("of notes")
    assert b"of notes" in hook(home, "SessionStart", given, REMANENCE_MEMORIES__ARTIFACTS="~/notes").stdout


@pytest.mark.parametrize("kind", ["link", "folder", "fifo", "binary", "large", "empty"])
def test_guidance_that_is_no_text_of_ours_is_not_printed(home: Path, project: Path, kind: str) -> None:
    place = guide(home) / FILE
    place.unlink()
    if kind == "link":
        place.symlink_to("/etc/hostname")
    elif kind == "folder":
        place.mkdir()
    elif kind == "fifo":
        os.mkfifo(place)
    else:
        place.write_bytes({"binary": b"\xff\xfe\x00", "large": b"a" * (300 << 10), "empty": b" \n"}[kind])
    assert is_quiet(hook(home, "SessionStart", hooked.events(project)["claude-code", "SessionStart"]))
    assert len(waiting(home)) == 1


def test_guidance_longer_than_a_host_shows_loses_its_last_memories() -> None:
    some = [Line(f"Fact {n} is “so”.\nAnd so on.", "ai", "2026-03-01", 0.7, f"id{n:06}") for n in range(400)]
    frame = framed(some, boundary="0123456789abcdef", left_out=7)
    text = f"# Memory Guidance\n\n{frame}\n\nSee MEMORY.md."
    short = shortened(text, MOST_SHOWN["claude-code"])
    assert 9_500 < len(short) <= 9_900
    kept = short.count("\n- (")
    same = framed(some[:kept], boundary="0123456789abcdef", left_out=407 - kept)
    assert short == f"# Memory Guidance\n\n{same}\n\nSee MEMORY.md."
    assert shortened(text, None) == text == shortened(text, 100_000)
    assert shortened("x" * 20_000, 9_900) == "x" * 20_000
    assert len(shortened(text.replace("“so”", "𝟙" * 20), 9_900).encode("utf-16-le")) <= 2 * 9_900


@pytest.mark.parametrize("value", ["false", "0", "no", "", "perhaps"])
def test_nothing_is_kept_or_printed_unless_it_is_switched_on(home: Path, project: Path, value: str) -> None:
    guide(home)
    for event in ("SessionStart", "UserPromptSubmit"):
        given = hooked.events(project)["claude-code", event]
        assert is_quiet(hook(home, event, given, REMANENCE_MEMORIES__ENABLED=value))
    assert not hooked.spool_of(home).exists()


def test_it_is_switched_on_by_the_file_and_the_store_named_by_either(home: Path, project: Path) -> None:
    given = hooked.events(project)["claude-code", "UserPromptSubmit"]
    own = {name: value for name, value in hooked.environment(home).items() if not name.startswith("REMANENCE")}
    words = [*hooked.program(), "hook", "UserPromptSubmit", "--host", "claude-code"]
    config = home / ".config/remanence/config.yml"
    config.parent.mkdir(parents=True)
    for number, text in enumerate(
        [
            "memories:\n  enabled: true  # on\ndb: ~/a.db\n",
            "{memories.enabled: true, db: ~/b.db}",
            "memories: {enabled: no}",
        ]
    ):
        config.write_text(text)
        done = subprocess.run(words, input=json.dumps(given).encode(), capture_output=True, env=own, check=False)
        assert is_quiet(done)
        assert (home / f"{'abc'[number]}.db.spool").exists() is (number < 2)
    assert is_quiet(hook(home, "Stop", given, "--db", str(home / "d.db")))
    assert (home / "d.db.spool").exists()


def test_only_the_standard_library_is_loaded(home: Path, project: Path) -> None:
    """Of our own modules those few; and no package that was installed."""
    code = (
        "import os, sys\nout = os.dup(2)\nreal = os._exit\n"
        "def leave(code):\n    os.write(out, chr(10).join(sys.modules).encode())\n    real(code)\n"
        "os._exit = leave\nsys.argv = ['rem', 'hook', 'PostToolUse', '--host', 'claude-code']\n"
        "from remanence.interfaces.cli import main\nmain()"
    )
    given = json.dumps(hooked.events(project)["claude-code", "PostToolUse"]).encode()
    done = subprocess.run(
        [sys.executable, "-c", code], input=given, capture_output=True, env=hooked.environment(home), check=False
    )
    assert len(waiting(home)) == 1
    loaded = set(done.stderr.decode().split())
    ours = {name for name in loaded if name.split(".")[0] == "remanence"}
    assert ours == {
        *("remanence", "remanence.errors", "remanence.interfaces", "remanence.interfaces.cli", "remanence.places"),
        *("remanence.sessions", "remanence.sessions.hook", "remanence.sessions.spool", "remanence.sessions.switches"),
        *("remanence.sessions.envelope", "remanence.sessions.suspicious"),
    }
    assert not loaded & {"apsw", "click", "numpy", "yaml", "rich", "typing", "pathlib", "dataclasses", "subprocess"}
    installed = {name.split(".")[0] for name in loaded} - set(sys.stdlib_module_names) - {"remanence", "__main__"}
    assert not {name for name in installed if not name.startswith(("_distutils", "__editable", "sitecustomize"))}


@pytest.mark.parametrize(
    "field", ["prompt", "tool_input", "tool_response", "session_id", "cwd", "transcript_path", "key"]
)
def test_no_byte_of_a_secret_is_written(home: Path, project: Path, field: str) -> None:
    given: dict[str, Any] = {**hooked.events(project)["claude-code", "PostToolUse"], "prompt": "Go on."}
    given |= {
        "prompt": {"prompt": f"the token is {TOKEN}"},
        "tool_input": {"tool_input": {"command": f"curl -H 'Authorization: Bearer {TOKEN}' x"}},
        "tool_response": {"tool_response": {"stdout": "a" * 9_000 + f" {TOKEN} " + "b" * 9_000 + f"\n{TOKEN}"}},
        "session_id": {"session_id": TOKEN},
        "cwd": {"cwd": f"/home/{TOKEN}"},
        "transcript_path": {"transcript_path": f"/home/{TOKEN}/x.jsonl"},
        "key": {"tool_input": {TOKEN: 1, "pin": 4711, "password": "hunter2x"}},
    }[field]
    event = "UserPromptSubmit" if field == "prompt" else "PostToolUse"
    assert is_quiet(hook(home, event, given))
    assert len(waiting(home)) == 1
    written = b"".join(path.read_bytes() for path in hooked.spool_of(home).rglob("*") if path.is_file())
    assert b"redacted" in written
    for secret in (TOKEN[:16], TOKEN[-16:], "hunter2x", ":4711"):
        assert secret.encode() not in written
    assert not any(TOKEN in str(path) for path in home.rglob("*"))


def test_a_long_text_keeps_its_two_ends_and_no_half_of_a_secret(home: Path, project: Path) -> None:
    filler = "const row = load(5);\n" * 3_000
    at = 7_900 * 3 // 5 - 20
    text = filler[:at] + f" {TOKEN} " + filler
    given = {**hooked.events(project)["claude-code", "PostToolUse"], "tool_response": {"stdout": text + "the end"}}
    assert is_quiet(hook(home, "PostToolUse", given))
    kept = waiting(home)[0]["told"]["tool_response"]["stdout"]
    assert len(kept) < 8_000
    assert kept.startswith(filler[:1000]) and kept.endswith("the end") and "characters left out" in kept
    assert "ghp_" not in kept and "[redacted:" in kept


def test_what_a_subagent_does_is_left_to_the_transcript(home: Path, project: Path) -> None:
    given = hooked.events(project)["claude-code", "PostToolUse"]
    assert is_quiet(hook(home, "PostToolUse", {**given, "agent_id": "a1", "agent_type": "Explore"}))
    assert waiting(home) == []


def test_cursor_that_calls_the_hooks_of_claude_code_is_not_captured_twice(home: Path, project: Path) -> None:
    given = hooked.events(project)["claude-code", "UserPromptSubmit"]
    assert is_quiet(hook(home, "UserPromptSubmit", {**given, "cursor_version": "3.2.1"}))
    assert waiting(home) == []


def test_a_store_that_is_being_written_does_not_hold_it_up(home: Path, project: Path) -> None:
    path = hooked.store_of(home)
    path.parent.mkdir(parents=True)
    with new_mind(path) as mind, mind._store.transaction():
        begun = time.monotonic()
        assert is_quiet(hook(home, "UserPromptSubmit", hooked.events(project)["claude-code", "UserPromptSubmit"]))
        assert time.monotonic() - begun < 2
    assert len(waiting(home)) == 1


def runs_of(home: Path) -> list[psutil.Process]:
    """The background runs of this home that are alive."""
    found = []
    for process in psutil.process_iter(["cmdline"]):
        words = process.info["cmdline"] or []
        if "--quiet" in words and any(word.startswith(str(home)) for word in words):
            found.append(process)
    return found


def rest(home: Path) -> None:
    """Wait until the events are taken in, and whoever did it is gone."""
    until = time.monotonic() + 60
    while time.monotonic() < until and (waiting(home) or runs_of(home)):
        time.sleep(0.1)
    assert waiting(home) == [] and runs_of(home) == []


def test_a_run_is_started_in_the_background_and_ends_by_itself(home: Path, project: Path) -> None:
    every = hooked.events(project)
    assert is_quiet(hook(home, "UserPromptSubmit", every["claude-code", "UserPromptSubmit"]))
    on = {"REMANENCE_MEMORIES__BACKGROUND": "true", "REMANENCE_EMBEDDER": "none"}
    begun = time.monotonic()
    assert is_quiet(hook(home, "SessionStart", every["claude-code", "SessionStart"], cwd=project, **on))
    assert time.monotonic() - begun < 5
    (stamp,) = hooked.spool_of(home).glob("run.stamp")
    started = stamp.stat().st_mtime_ns
    rest(home)
    with new_mind(hooked.store_of(home), namespace="default") as mind:
        assert [one.id for one in mind.sessions.list()] == [SESSION]
    # Another start soon after starts none; a context about to be compacted does, a minute later.
    assert is_quiet(hook(home, "SessionStart", every["claude-code", "SessionStart"], **on))
    assert is_quiet(hook(home, "PreCompact", every["claude-code", "PreCompact"], **on))
    assert stamp.stat().st_mtime_ns == started
    os.utime(stamp, ns=(started - 61 * 10**9, started - 61 * 10**9))
    assert is_quiet(hook(home, "SessionStart", every["claude-code", "SessionStart"], **on))
    assert stamp.stat().st_mtime_ns < started
    assert is_quiet(hook(home, "PreCompact", every["claude-code", "PreCompact"], **on))
    assert stamp.stat().st_mtime_ns > started
    rest(home)


def test_the_command_itself_does_the_same(home: Path, project: Path) -> None:
    """Options may stand before the command, which then goes through the command line proper."""
    given = json.dumps(hooked.events(project)["claude-code", "PostToolUse"]).encode()
    own, db = hooked.environment(home), str(home / "x.db")
    words = [*hooked.program(), "--db", db, "--namespace", "n", "hook", "PostToolUse", "--host", "claude-code"]
    assert is_quiet(subprocess.run(words, input=given, capture_output=True, env=own, check=False))
    (file,) = Path(spool_of(db)).glob("*.json")
    assert json.loads(file.read_bytes())["namespace"] == "n" and CALL in file.read_text()
    shown = subprocess.run([*hooked.program(), "hook", "--help"], capture_output=True, env=own, check=False)
    assert shown.returncode == 0 and b"--host" in shown.stdout
