"""rem import --from: the report first, then a question, then the import; scripts, terminals, and what it was before."""

import contextlib
import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.interfaces.doors import typed
from tests.sessions import exports, transcripts


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for variable in ("REMANENCE_DB", "REMANENCE_NAMESPACE"):
        monkeypatch.delenv(variable, raising=False)
    for variable in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "HOME"):
        monkeypatch.setenv(variable, str(tmp_path / "home"))
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "a.jsonl").write_text("".join(transcripts.claude_code_lines(events=110)) + "{broken\n", "utf-8")
    (kept / "mem0.json").write_text(json.dumps(exports.mem0()), "utf-8")
    (kept / "other.json").write_text("{}", "utf-8")
    return kept


def rem(*words: str) -> str:
    code, out, err = typed(["--db", "m.db", *words])
    assert code == 0, err
    return out


def told(*words: str) -> Any:
    return json.loads(rem("--json", *words))


def sessions() -> int:
    return len(told("session", "list"))


def test_a_dry_run_is_the_report_alone() -> None:
    out = rem("import", "--from", "auto", "kept", "--dry-run")
    assert "claude-code  1 file, 1 session, " in out
    assert "mem0         1 file, 3 memories, " in out
    assert "junk         " in out and "greet, thank or announce" in out
    assert "redacted     " in out and "github-token" in out
    assert "not read     1\n" in out and "a.jsonl, line 111: not JSON" in out
    assert "passed over  1 file of no kind" in out
    assert out.endswith("Nothing was brought in: this was a dry run.\n")
    assert rem("import", "--from", "auto", "kept", "--dry-run", "--yes") == out
    assert sessions() == 0
    assert told("count") == 0


def test_what_cannot_be_read_at_all_is_a_failure(tmp_path: Path) -> None:
    (tmp_path / "cut.json").write_text('[{"mapping":', "utf-8")
    code, out, _ = typed(["--db", "m.db", "import", "--from", "chatgpt", "cut.json"])
    assert (code, out.splitlines()[-2:]) == (
        1,
        [f"  {tmp_path}/cut.json, line 1: ends in the middle", "There is nothing to bring in."],
    )
    code, out, _ = typed(["--db", "m.db", "--json", "import", "--from", "chatgpt", "cut.json"])
    assert (code, json.loads(out)["report"]["skipped"]) == (1, 1)


def test_the_report_comes_first_then_all_of_it_and_the_second_time_nothing() -> None:
    out = rem("import", "--from", "auto", "kept")
    assert out.index("junk  ") < out.index("brought in")
    assert " observations in 1 session brought in\nmemories: 3 added\n" in out
    assert "Make memories of them now with: rem session run\n" in out
    assert "Take the memories back with: rem undo r1\n" in out
    assert sessions() == 1
    again = rem("import", "--from", "auto", "kept", "-y")
    assert "Nothing new\n2 files unchanged since the last time\n" in again


def test_json_is_one_document_with_both() -> None:
    only = told("import", "--from", "mem0", "kept/mem0.json", "--dry-run")
    assert only["result"] is None
    assert only["report"]["total"]["memories"] == 3
    both = told("import", "--from", "mem0", "kept/mem0.json", "--scope", "/team")
    assert both["report"] == only["report"]
    assert both["result"]["memories"] == {"added": 3}
    assert {memory["scope"] for memory in told("list")} == {"/team"}
    assert told("import", "--from", "codex", "kept", "--yes")["result"] is None


def test_nothing_to_bring_in_is_said() -> None:
    assert rem("import", "--from", "chatgpt", "kept").endswith("There is nothing to bring in.\n")


def test_a_scope_is_that_of_the_sessions() -> None:
    rem("import", "--from", "claude-code", "kept/a.jsonl", "--yes", "--scope", "/project/other")
    (session,) = told("session", "list")
    assert (session["project"], session["agent"]) == ("/project/other", "claude-code")


def test_wrong_arguments() -> None:
    for words, message in (
        (["import", "--from", "auto", "absent"], "cannot be read"),
        (["import", "--from", "telegram", "kept"], "telegram"),
        (["import", "--from", "auto", "kept/other.json"], "of no kind that is known"),
        (["import", "--from", "auto", "kept", "--scope", "x", "--yes"], "must begin with"),
        (["import", "kept/a.jsonl", "--dry-run"], "add --from KIND"),
        (["import", "kept/a.jsonl", "--yes"], "add --from KIND"),
    ):
        code, _, err = typed(["--db", "m.db", *words])
        assert code == 2
        assert message in err


def test_an_export_of_our_own_comes_in_as_before() -> None:
    rem("remember", "Ana drinks tea")
    rem("export", "out.jsonl")
    code, out, _ = typed(["--db", "new.db", "import", "out.jsonl"])
    assert (code, out.splitlines()[0]) == (0, "1 read: 1 added, 0 there already, 0 purged before")
    assert json.loads(typed(["--db", "new.db", "--json", "import", "out.jsonl"])[1])["present"] == 1
    code, _, err = typed(["--db", "new.db", "import", "kept/a.jsonl"])
    assert code == 2
    assert "line 1: " in err


def _on_a_terminal(answer: bytes) -> tuple[int, str]:
    """The command with a terminal at both ends, and what a person types."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "remanence.interfaces.cli", "--db", "m.db", "import", "--from", "auto", "kept"]
    running = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, close_fds=True)
    os.close(theirs)
    shown = b""
    with contextlib.suppress(OSError):  # the other end is closed
        while part := os.read(ours, 4096):
            shown += part
            if shown.rstrip().endswith(b"[y/N]:") and answer:
                os.write(ours, answer)
                answer = b""
    os.close(ours)
    return running.wait(), shown.decode()


def test_a_person_is_asked() -> None:
    code, shown = _on_a_terminal(b"n\n")
    assert code == 1
    assert shown.index("greet, thank") < shown.index("Bring this in?")
    assert sessions() == 0
    code, shown = _on_a_terminal(b"y\n")
    assert code == 0
    assert "brought in" in shown
    assert sessions() == 1


def test_the_example_of_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    page = (Path(__file__).parents[2] / "docs" / "howto" / "import.md").read_text("utf-8")
    for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        exec(compile(block, "import.md", "exec"), {})
    assert capsys.readouterr().out == "2 {}\n1 2\n0\n"
