"""rem session at the command line: from start to run, in words and in JSON, with codes for mistakes."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from remanence.sessions import stage_one
from tests.conftest import Clock, new_mind
from tests.interfaces.doors import said, told, typed

PNPM = "Always use pnpm, never npm, in this repository."
HOSTILE = "Red \x1b[31malert\x1b[0m \u202eevil\u2066 \x07 two\nlines"
NEVER_SENT = ("\x1b", "\u202e", "\u2066", "\x07")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project, whose folder the commands are typed in."""
    folder = tmp_path / "shop"
    (folder / ".git").mkdir(parents=True)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("REMANENCE_DB", str(tmp_path / "own.db"))
    monkeypatch.setenv("REMANENCE_CONFIG", str(tmp_path / "config.yml"))
    return folder


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sessions need not rest."""
    monkeypatch.setenv("REMANENCE_MEMORIES__MIN_ROLLOUT_IDLE_HOURS", "0")


def failed(*words: str) -> tuple[int, dict[str, Any]]:
    code, out, err = typed(["--json", *words])
    assert out == ""
    return code, json.loads(err)


def test_from_start_to_guidance_in_words(at_once: None) -> None:
    id, project = said("session", "start", "--agent", "mine").split()
    assert project == "/project/shop"
    assert said("session", "observe", id, PNPM) == "1 observation\n"
    assert said("session", "observe", id, "2 failed", "--tool", "Bash", "--call", "pnpm test", "--failed") == (
        "2 observations\n"
    )
    assert said("session", "observe", id, "I will fix them.", "--role", "assistant") == "3 observations\n"
    assert said("session", "end", id) == "Ended, with 3 observations\n"
    (line,) = said("session", "list").splitlines()
    assert line.startswith(f"{id}  ") and "3 seen" in line and line.endswith("mine         /project/shop")
    assert " ended " in line
    assert said("session", "queue") == f"stage1:{id}  waits  ready\n"
    first, *rest = said("session", "run").splitlines()
    assert first == "0 events taken in, 1 session processed: 1 fact"
    assert rest[0].endswith("project~shop: 3 files written")
    assert " processed " in said("session", "list")
    shown = said("session", "show", id).splitlines()
    assert shown[0] == said("session", "list").strip()
    assert [line[8:] for line in shown[1:4]] == [
        f"user: {PNPM}",
        "Bash failed: pnpm test → 2 failed",
        "assistant: I will fix them.",
    ]
    assert shown[4].startswith("  → session_summary: ") and shown[5] == f"  → preference: {PNPM}"
    assert PNPM in said("memory", "view")
    assert said("session", "queue") == "Nothing waits.\n"


def test_a_list_of_sessions_stands_in_columns() -> None:
    for id in ("s", "a-longer-name"):
        told("session", "start", "--id", id)
        told("session", "observe", id, "Hello there")
    lines = typed(["session", "list"])[1].splitlines()
    assert len({line.index(" seen") for line in lines}) == 1 and len(lines) == 2


def test_the_same_in_json(at_once: None) -> None:
    begun = told("session", "start", "--project", "api", "--id", "s1", "--agent", "mine")
    assert (begun["id"], begun["project"], begun["agent"], begun["changed"]) == ("s1", "/project/api", "mine", False)
    seen = told("session", "observe", "s1", PNPM)
    assert (seen["observations"], seen["changed"]) == (1, True)
    assert told("session", "end", "s1")["ended_at"] is not None
    (listed,) = told("session", "list")
    assert (listed["id"], listed["processed_to"]) == ("s1", 0)
    (task,) = told("session", "queue")
    assert (task["name"], task["why"], task["dead"]) == ("stage1:s1", "ready", False)
    assert told("session", "enqueue", "s1")["wanted_at"] is not None
    run = told("session", "run")
    assert [one["session"] for one in run["processed"]] == ["s1"]
    assert [one["project"] for one in run["written"]] == ["/project/api"]
    assert (run["failed"], run["left"], run["drained"]) == ([], 0, 0)
    shown = told("session", "show", "s1")
    assert [one["text"] for one in shown["observed"]] == [PNPM]
    assert [told("show", id)["kind"] for id in shown["learned"]] == ["session_summary", "preference"]
    assert told("session", "queue") == []


def test_nothing_there(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "rem connect" in said("session", "list")
    monkeypatch.setenv("REMANENCE_MEMORIES__ENABLED", "true")
    assert "connected agent" in said("session", "list") and "rem import" in said("session", "list")
    assert said("session", "queue") == "Nothing waits.\n"
    assert said("session", "run") == "0 events taken in, 0 sessions processed: 0 facts\n"
    for command in ("list", "queue"):
        assert told("session", command) == []
    assert told("session", "run")["processed"] == []
    assert "enqueue" in said("session")


def test_standard_input_and_the_same_key_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    told("session", "start", "--id", "s")
    for _ in range(2):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("Grüße\nan alle\n".encode())))
        said("session", "observe", "s", "-", "--key", "k")
    (seen,) = told("session", "show", "s")["observed"]
    assert seen["text"] == "Grüße\nan alle"


def test_a_secret_does_not_come_in() -> None:
    told("session", "start", "--id", "s")
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    out = said("session", "observe", "s", f"the token is {token}") + said("session", "show", "s")
    assert token not in out and "[redacted:github-token]" in out


def test_a_long_session_is_shown_by_its_end() -> None:
    told("session", "start", "--id", "s")
    for number in range(63):
        typed(["session", "observe", "s", f"Number {number}."])
    lines = said("session", "show", "s").splitlines()
    assert lines[1] == "  … 3 earlier ones: --all"
    assert lines[2].endswith("Number 3.") and lines[-1].endswith("Number 62.")
    assert len(said("session", "show", "s", "--all").splitlines()) == 64


def test_lists_by_project_and_in_pages() -> None:
    for name in ("api", "shop", "web"):
        told("session", "start", "--project", name, "--id", name)
    assert [one["id"] for one in told("session", "list")] == ["web", "shop", "api"]
    assert [one["id"] for one in told("session", "list", "--project", "api")] == ["api"]
    assert [one["id"] for one in told("session", "list", "--project", ".")] == ["shop"]
    assert [one["id"] for one in told("session", "list", "--limit", "1", "--offset", "1")] == ["shop"]


def test_by_name_at_once_and_what_else_waits() -> None:
    for name in ("one", "two", "three"):
        told("session", "start", "--id", name)
        told("session", "observe", name, f"Always greet person {name} first.")
    assert said("session", "queue").splitlines()[0] == "stage1:one  waits  active within the last 12 hours"
    assert said("session", "run") == "0 events taken in, 0 sessions processed: 0 facts\n"
    assert [one["session"] for one in told("session", "run", "--only", "one", "--only", "two")["processed"]] == [
        "one",
        "two",
    ]
    assert said("session", "enqueue", "three") == "stage1:three is wanted. Do it now with: rem session run\n"
    assert said("session", "queue") == "stage1:three  wanted  ready\n"
    assert said("session", "run", "--quiet") == ""
    assert said("session", "queue") == "Nothing waits.\n"
    said("memory", "enqueue")
    assert said("session", "queue") == "stage2:/project/shop  wanted  ready\n"


def test_more_than_a_run_takes(at_once: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REMANENCE_MEMORIES__MAXROLLOUTSPERSTARTUP", "1")
    for name in ("one", "two", "three"):
        told("session", "start", "--id", name)
        told("session", "observe", name, f"Always greet person {name} first.")
    assert said("session", "run").endswith("2 more sessions are ready: run it again\n")


def test_what_failed_and_what_is_dead(at_once: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REMANENCE_MEMORIES__MAX_TRIES", "2")
    monkeypatch.setenv("REMANENCE_MEMORIES__RETRY_MINUTES", "0")
    told("session", "start", "--id", "s")
    told("session", "observe", "s", PNPM)

    def learned(*_: object) -> None:
        raise RuntimeError(HOSTILE)

    with monkeypatch.context() as broken:
        broken.setattr(stage_one, "learned", learned)
        assert "! stage1:s: unexpected RuntimeError" in said("session", "run")
        assert said("session", "queue") == "stage1:s  failed  ready\n"
        (task,) = told("session", "run")["failed"]
        assert (task["tries"], task["dead"], task["why"]) == (2, True, "unexpected RuntimeError")
        assert told("session", "run")["failed"] == []
    dead, hint = said("session", "queue").splitlines()
    assert dead == "stage1:s  dead  dead after 2 tries: unexpected RuntimeError"
    assert hint == "Try a dead one again with: rem session enqueue ID"
    said("session", "enqueue", "s")
    assert "1 session processed" in said("session", "run")


def test_artifacts_that_cannot_be_written_are_told_of(at_once: None, tmp_path: Path) -> None:
    (tmp_path / "own.db.artifacts").write_text("in the way")
    told("session", "start", "--id", "s")
    told("session", "observe", "s", PNPM)
    out = said("session", "run")
    assert "1 session processed" in out and "! stage2:/project/shop: The artifacts in" in out
    line = said("session", "queue")
    assert line.startswith("stage2:/project/shop  failed  The artifacts in")


def test_unknown_sessions_are_not_found() -> None:
    for words in (
        ("session", "show", "nobody"),
        ("session", "end", "nobody"),
        ("session", "observe", "nobody", "a"),
        ("session", "enqueue", "nobody"),
        ("session", "run", "--only", "nobody"),
    ):
        code, error = failed(*words)
        assert (code, error["error"]) == (3, "not_found"), words
        assert "rem session list" in error["message"]
        code, out, err = typed(list(words))
        assert (code, out) == (3, "") and err.startswith("Error: No session 'nobody' here.")


def test_wrong_words() -> None:
    told("session", "start", "--id", "s")
    for words in (
        ("session", "observe", "s", "a", "--role", "robot"),
        ("session", "observe"),
        ("session", "observe", "s", "a", "--key", ""),
        ("session", "observe", "", "a"),
        ("session", "start", "--id", ""),
        ("session", "start", "--id", "x" * 2000),
        ("session", "start", "--project", "/a//b"),
        ("session", "start", "--project", ""),
        ("session", "start", "--agent", "\x00"),
        ("session", "list", "--limit", "0"),
        ("session", "list", "--limit", "many"),
        ("session", "list", "--offset", "-1"),
        ("session", "show"),
        ("session", "dance"),
    ):
        code, error = failed(*words)
        assert (code, error["error"]) == (2, "invalid_input"), words
    assert [(one["id"], one["observations"]) for one in told("session", "list")] == [("s", 0)]


def test_steering_characters_are_never_sent(tmp_path: Path, at_once: None, clock: Clock) -> None:
    """Neither by what was said nor by a name that came in through another door."""
    told("session", "start", "--id", "s")
    told("session", "observe", "s", HOSTILE)
    told("session", "observe", "s", HOSTILE, "--tool", "Bash\x1b[2J", "--call", HOSTILE)
    told("session", "observe", "s", f"Always say {HOSTILE}")
    name = "odd \u202eid\x1b[31m\nforged line"
    with new_mind(tmp_path / "own.db", clock, namespace="default") as mind:
        mind._store.sessions.begin(name, "/project/\u202eevil", "agent\x1b]0;x\x07", clock.now)
        mind._store.queue.want(f"stage1:{name}", clock.now)
        mind._store.queue.want("stage2:/project/\x1b[31mred", clock.now)
    for words in (
        ["session", "list"],
        ["session", "show", "s"],
        ["session", "show", name],
        ["session", "queue"],
        ["session", "enqueue", name],
        ["session", "run"],
        ["session", "run", "--only", name],
        ["session", "show", "s"],
        ["memory", "view"],
        ["session", "show", "no\x1b[31m\u202ebody"],
    ):
        code, out, err = typed(words)
        assert code == (3 if "body" in words[-1] else 0), err
        assert not any(sign in out + err for sign in NEVER_SENT), words
        assert not any(line.startswith("forged") for line in (out + err).splitlines()), words
