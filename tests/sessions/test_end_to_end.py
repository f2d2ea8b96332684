"""From one session to the next: what an agent's hooks tell → memories → artifacts → what its next session is given."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from remanence import Mind
from tests.conftest import Clock, new_mind
from tests.crash.stores import holders
from tests.interfaces.doors import typed
from tests.sessions import transcripts
from tests.sessions.host import Host
from tests.sessions.projects import frames
from tests.sessions.transcripts import CORRECTIONS, DECISIONS, FIXES, PREFERENCES, SECRETS

AGENTS = ("claude-code", "codex")


def given(text: str) -> None:
    """The block holds all that is worth keeping of a transcript, in one frame, and no secret."""
    (inside,) = frames(text)
    for said in (*PREFERENCES, *DECISIONS):
        assert said in inside
    for said in CORRECTIONS:
        assert said.removeprefix("No, ")[1:] in inside
    failing, error, mend, _ = FIXES[0]
    (fix,) = [line for line in inside.splitlines() if error.splitlines()[0] in line]
    assert f"`{failing}`" in fix and f"`{mend}`" in fix
    assert not any(secret in text for secret in SECRETS)


@pytest.mark.parametrize("agent", AGENTS)
def test_hooks_to_the_guidance_of_the_next_session(tmp_path: Path, agent: str) -> None:
    host = Host(tmp_path, agent, 300)
    host.work(told=110)
    assert len(host.said) > 25, "hooks told most of what happened"
    assert host.betrayed() == {}
    run = host.rem("session", "run")
    (processed,), (written,) = run["processed"], run["written"]
    assert (processed["session"], processed["llm"], run["failed"]) == (host.session, False, [])
    assert run["drained"] >= len(host.said) - 3
    given(host.next())
    shown = host.rem("session", "show", host.session)
    assert (shown["project"], shown["agent"], shown["changed"]) == ("/project/shop-api", agent, False)
    told = Counter(seen["text"] for seen in shown["observed"] if seen["role"] == "user")
    assert {told[said] for said in (*PREFERENCES, *CORRECTIONS, *DECISIONS)} == {1}, "by hook and transcript, kept once"
    tests = [seen["failed"] for seen in shown["observed"] if seen["call"] == "pnpm test"]
    assert tests[0] and len(tests) == tests.count(False) + 1 == 3
    document = (Path(written["folder"]) / "MEMORY.md").read_text("utf-8")
    assert all(said in document for said in (*PREFERENCES, *DECISIONS))
    again = host.rem("session", "run")
    assert (again["drained"], again["processed"]) == (0, [])
    assert host.betrayed() == {}


@pytest.mark.parametrize("agent", AGENTS)
def test_a_long_session_of_5000_events(tmp_path: Path, agent: str) -> None:
    """By `rem work`, and most of it by the transcript alone."""
    host = Host(tmp_path, agent, 5_000)
    host.work(told=10)
    done = host.rem("work", "--once")["sessions"]
    (processed,) = done["processed"]
    assert (processed["session"], processed["llm"], done["failed"]) == (host.session, False, [])
    assert "were not read" in processed["notes"][0], "its middle is left out"
    text = host.next()
    given(text)
    assert len(text) <= 9_900
    (session,) = host.rem("session", "list")
    assert session["observations"] > 1_500
    assert host.betrayed() == {}


def test_a_plain_agent_in_python(tmp_path: Path, clock: Clock) -> None:
    with new_mind(tmp_path / "memory.db", clock) as mind:
        _python_session(mind, clock)
        assert mind.guidance("shop-api") == ""
        clock.advance(hours=12)
        run = mind.sessions.run()
        (processed,), (written,) = run.processed, run.written
        assert (processed.llm, written.project, run.failed) == (False, "/project/shop-api", ())
        given(mind.guidance("shop-api"))
        given((Path(written.folder) / "guidance.md").read_text("utf-8"))
        assert mind.guidance("other") == ""
        assert "pnpm" in mind.recall("lockfile of the repository", scope="/project/shop-api")[0].memory.text
        assert mind.check().problems == ()
    assert holders(tmp_path, SECRETS) == {}


def _python_session(mind: Mind, clock: Clock) -> None:
    session = mind.sessions.start("shop-api", agent="mine")
    for step in transcripts.opening():
        clock.advance(seconds=7)
        if step.kind in ("user", "assistant"):
            mind.sessions.observe(session, {"role": step.kind, "content": step.text})
        elif step.kind == "tool":
            call = (step.input or {}).get("command") or json.dumps(step.input)
            mind.sessions.observe(session, step.text, tool=step.tool, call=call, failed=step.failed)
    mind.sessions.end(session)


@pytest.mark.parametrize("agent", AGENTS)
def test_an_import_to_what_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, agent: str) -> None:
    """Of a session that is months old: what is imported is wanted whatever its age."""
    kept = tmp_path / "kept"
    kept.mkdir()
    lines = transcripts.codex_lines if agent == "codex" else transcripts.claude_code_lines
    (kept / f"{transcripts.session_id(0, agent)}.jsonl").write_text("".join(lines(events=150)), "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REMANENCE_EMBEDDER", "none")
    monkeypatch.setenv("REMANENCE_CONFIG", str(tmp_path / "none.yml"))

    def rem(*words: str) -> str:
        code, out, err = typed(["--db", "store/m.db", *words])
        assert code == 0, err
        assert not any(secret in out + err for secret in SECRETS)
        return out

    assert "observations in 1 session brought in" in rem("import", "--from", agent, "kept", "--yes")
    assert "1 session processed" in rem("session", "run")
    given(rem("memory", "view", "/project/shop-api"))
    summary = rem("read", "memory://root", "--project", "/project/shop-api")
    document = rem("read", "memory://root/MEMORY.md", "--project", "/project/shop-api")
    for said in (*PREFERENCES, *DECISIONS):
        assert said in summary and said in document
        (line,) = [line for line in document.splitlines() if said in line]
        id = line.rpartition("memory://")[2].rstrip(")")
        assert said in rem("read", f"memory://{id}")
        assert json.loads(rem("--json", "show", id))["origin"] == f"session:{transcripts.session_id(0, agent)}"
    assert holders(tmp_path / "store", SECRETS) == {}
