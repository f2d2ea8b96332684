"""memory view, clear, reset, enqueue, rebuild and read at the command line: for people, for programs, and mistakes."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from remanence import Mind
from tests.interfaces.doors import said, told, typed
from tests.sessions.projects import API, FIX, files, frames, learned

NOBODY = "019ca945-0a00-7000-8000-000000000000"


@pytest.fixture(autouse=True)
def db(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store, and a repository whose name is that of the project."""
    (tmp_path / "api" / ".git").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "api")
    monkeypatch.setenv("REMANENCE_DB", str(tmp_path / "own.db"))
    monkeypatch.setenv("REMANENCE_CONFIG", str(tmp_path / "config.yml"))
    return tmp_path / "own.db"


@pytest.fixture
def folder(db: Path) -> Path:
    """The files of a project in which something was learned."""
    with Mind(db, embedder=False) as mind:
        learned(mind)
    return db.with_name("own.db.artifacts") / "default" / "project~api"


def failed(*words: str) -> tuple[int, dict[str, Any]]:
    code, out, err = typed(["--json", *words])
    assert out == ""
    return code, json.loads(err)


def test_before_anything_is_remembered() -> None:
    assert "given nothing" in said("memory", "view")
    assert told("memory", "view")["guidance"] == ""
    assert "Nothing is remembered of /project/api" in said("memory", "clear")
    assert "0 files written" in said("memory", "rebuild")
    assert "view" in said("memory") and "rebuild" in said("memory")


def test_view_shows_what_the_next_session_is_given(folder: Path) -> None:
    shown = said("memory", "view")
    assert shown.startswith("# Memory Guidance\n") and len(frames(shown)) == 1 and FIX in shown
    answered = told("memory", "view", "api", "--budget-tokens", "700")
    assert answered["folder"] == str(folder) and 0 < len(answered["guidance"]) < len(shown)
    assert told("memory", "view", "--budget-tokens", "0")["guidance"] == ""
    assert "given nothing" in said("memory", "view", "/project/other")


def test_rebuild_then_read(folder: Path) -> None:
    shown = said("memory", "rebuild")
    assert f"{folder}: 3 files written, 0 unchanged" in shown
    assert "0 files written, 3 unchanged" in said("memory", "rebuild", API)
    assert told("memory", "rebuild", "api")["kept"] == ["MEMORY.md", "guidance.md", "memory_summary.md"]
    assert said("read", "memory://root") == (folder / "memory_summary.md").read_text() + "\n"
    document = told("read", "memory://root/MEMORY.md", "--project", "api")
    assert document == {"url": "memory://root/MEMORY.md", "text": (folder / "MEMORY.md").read_text()}
    id = document["text"].split("memory://")[1][:36]
    assert id in said("read", f"memory://{id}")


def test_enqueue_then_the_next_run_writes(folder: Path) -> None:
    assert "rem memory rebuild" in said("memory", "enqueue")
    assert told("memory", "enqueue", "api") == {"enqueued": API}
    assert [task["name"] for task in told("session", "queue")] == [f"stage2:{API}"]
    assert not folder.exists()


@pytest.mark.parametrize("word", ["clear", "reset"])
def test_clear_is_a_plan_that_can_be_undone(folder: Path, word: str) -> None:
    said("memory", "rebuild")
    before = files(folder)
    plan = told("memory", word)
    assert plan["verb"] == "forget" and len(plan["changes"]) == 7
    shown = said("memory", word)
    assert "Nothing was cleared yet. Add --yes to forget 7 memories of /project/api." in shown
    assert files(folder) == before and told("count", "--scope", API) == 7
    receipt = told("memory", word, "--yes")
    assert len(receipt["applied"]) == 7 and told("count", "--scope", API) == 0
    assert sorted(files(folder)) == [".cited"] and "given nothing" in said("memory", "view")
    said("undo", receipt["id"])
    assert files(folder) == before and told("count", "--scope", API) == 7


def test_clear_leaves_other_projects_alone(folder: Path) -> None:
    said("remember", "Another project.", "--scope", "/project/apis")
    told("memory", "clear", "--yes")
    assert told("count") == 1


def test_clear_says_what_will_be_learned_again(folder: Path) -> None:
    session = told("session", "start")["id"]
    said("session", "observe", session, "We use pnpm.")
    assert "1 captured session waits to be processed" in said("memory", "clear", "--yes")


def test_purge_is_for_good(folder: Path, db: Path) -> None:
    session = told("session", "start")["id"]
    said("session", "observe", session, "The gateway listens on port 8443 behind the proxy.")
    said("memory", "rebuild")
    code, problem = failed("memory", "clear", "--purge")
    assert code == 2 and "--yes" in problem["message"] and told("count", "--scope", API) == 7
    certificate = told("memory", "clear", "--purge", "--yes", "--reason", "asked for")
    assert len(certificate["purged"]) == 7 and certificate["verified"] and certificate["sessions"] == 1
    assert not folder.exists() and told("count", "--scope", API) == 0
    code, _ = failed("undo", certificate["receipt_id"])
    assert code != 0
    holding = [one.name for one in db.parent.rglob("*") if one.is_file() and b"port 8443" in one.read_bytes()]
    assert holding == []


def test_a_person_at_a_terminal_is_asked(folder: Path) -> None:
    for answers, left in ((b"n\n", 7), (b"y\n", 0)):
        master, slave = pty.openpty()
        command = [sys.executable, "-m", "remanence.interfaces.cli", "memory", "clear"]
        process = subprocess.Popen(command, stdin=slave, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        os.write(master, answers)
        out, _ = process.communicate(timeout=60)
        os.close(master)
        os.close(slave)
        assert b"Forget 7 memories of /project/api? Undo brings them back" in out
        assert told("count", "--scope", API) == left


@pytest.mark.parametrize(
    ("words", "code", "hint"),
    [
        (["read", "memory://root"], 3, "rem memory rebuild"),
        (["read", "memory://root/MEMORY.md"], 3, "rem memory rebuild"),
        (["read", "memory://root/skills/none/SKILL.md"], 3, "there are: none"),
        (["read", f"memory://{NOBODY}"], 3, "rem list"),
        (["read", "memory://root/../../own.db"], 2, "memory://root/MEMORY.md"),
        (["read", "file:///etc/passwd"], 2, "memory://root/MEMORY.md"),
        (["read", ""], 2, "memory://root"),
        (["read"], 2, ""),
        (["read", "memory://root", "--project", "a//b"], 2, "empty segment"),
        (["memory", "view", "a//b"], 2, "empty segment"),
        (["memory", "view", "--budget-tokens", "-1"], 2, "budget_tokens"),
        (["memory", "view", "--budget-tokens", "many"], 2, ""),
        (["memory", "rebuild", ""], 2, "project"),
        (["memory", "nonsense"], 2, ""),
    ],
)
def test_mistakes(words: list[str], code: int, hint: str) -> None:
    got, problem = failed(*words)
    assert got == code and hint in problem["message"] and "Traceback" not in problem["message"]


def test_steering_characters_are_shown_and_never_sent(db: Path) -> None:
    said("remember", "Red \x1b[31m alert \u202eevil", "--scope", API)
    said("memory", "rebuild")
    for shown in (said("memory", "view"), said("read", "memory://root"), said("memory", "clear")):
        assert "\x1b" not in shown and "\u202e" not in shown
    _, _, err = typed(["read", "memory://\x1b[2J"])
    assert "\x1b" not in err


def test_another_namespace_has_its_own(folder: Path) -> None:
    said("memory", "rebuild")
    assert typed(["--namespace", "other", "read", "memory://root"])[0] == 3
    assert told("--namespace", "other", "memory", "view")["guidance"] == ""
