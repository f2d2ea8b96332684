"""An agent as its hooks see it: it keeps a transcript, calls `rem hook` for what happens, and `rem` for the rest."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tests.crash.stores import holders
from tests.sessions import transcripts
from tests.sessions.hooked import environment, hook, program
from tests.sessions.transcripts import SECRETS

NOW = {"REMANENCE_MEMORIES__MIN_ROLLOUT_IDLE_HOURS": "0"}
"""The clock of a process cannot be set, so a session need not rest."""


class Host:
    """An agent with a home and a project of its own, in which it keeps a transcript and calls hooks."""

    def __init__(self, home: Path, agent: str, events: int, **more: str) -> None:
        self.home, self.agent = home, agent
        self.project = home / "code" / "shop-api"
        (self.project / ".git").mkdir(parents=True)
        self.session = transcripts.session_id(0, agent)
        self.said: list[str] = []
        self._more = {**NOW, **more}
        lines = transcripts.codex_lines if agent == "codex" else transcripts.claude_code_lines
        begun = datetime.now(UTC) - timedelta(hours=12)
        self.lines = list(lines(events=events, start=begun, folder=str(self.project)))
        self.transcript = home / "kept" / f"rollout-2026-02-20T09-00-00-{self.session}.jsonl"
        if agent == "claude-code":
            self.transcript = home / "kept" / f"{self.session}.jsonl"
        self.transcript.parent.mkdir()
        self.transcript.write_text("".join(self.lines), "utf-8")

    def tell(self, event: str, session: str | None = None, **own: Any) -> str:
        """Call a hook; what it answers."""
        common = {"session_id": session or self.session, "transcript_path": str(self.transcript)}
        payload = {**common, "cwd": str(self.project), "hook_event_name": event, **own}
        done = hook(self.home, event, payload, host=self.agent, cwd=self.project, **self._more)
        assert (done.returncode, done.stderr) == (0, b"")
        self.said.append(done.stdout.decode())
        return self.said[-1]

    def rem(self, *words: str) -> Any:
        """What a command answers in JSON."""
        command, env = [*program(), "--json", *words], environment(self.home, **self._more)
        done = subprocess.run(command, env=env, cwd=self.project, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        self.said += [done.stdout, done.stderr]
        return json.loads(done.stdout)

    def work(self, told: int) -> None:
        """One session from start to end; of so many lines of its transcript hooks tell too, as they happen."""
        assert self.tell("SessionStart", source="startup") == ""
        for event, own in _events(self.agent, self.lines[:told]):
            self.tell(event, **own)
        self.tell("Stop", stop_hook_active=False)
        if self.agent == "claude-code":
            self.tell("SessionEnd", reason="other")

    def next(self) -> str:
        """What the next session is given at its start."""
        answer = json.loads(self.tell("SessionStart", session="9b2f6f3e-0000-4000-8000-000000000000", source="startup"))
        assert answer["hookSpecificOutput"]["hookEventName"] == "SessionStart"
        return str(answer["hookSpecificOutput"]["additionalContext"])

    def betrayed(self) -> dict[str, list[str]]:
        """Where a secret stands: in a file of ours, or in what was said."""
        found = holders(self.home / ".local", SECRETS)
        return found | {secret: ["said"] for secret in SECRETS if any(secret in said for said in self.said)}


def _events(agent: str, lines: list[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The events that a host tells while it writes these lines."""
    calls: dict[str, Any] = {}
    for line in map(json.loads, lines):
        if agent == "codex":
            yield from _of_codex(line["payload"], calls)
            continue
        content = line.get("message", {}).get("content", "")
        if isinstance(content, str):
            if line["type"] == "user" and not line.get("isMeta") and not content.startswith("<"):
                yield "UserPromptSubmit", {"prompt": content}
            continue
        for block in content:
            if block["type"] == "tool_use":
                calls[block["id"]] = {"tool_name": block["name"], "tool_input": block["input"]}
            elif block["type"] == "tool_result" and block["tool_use_id"] in calls:
                about = {**calls[block["tool_use_id"]], "tool_use_id": block["tool_use_id"]}
                if block.get("is_error"):
                    yield "PostToolUseFailure", {**about, "error": block["content"]}
                else:
                    yield "PostToolUse", {**about, "tool_response": line["toolUseResult"]}


def _of_codex(payload: dict[str, Any], calls: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    if payload.get("type") == "user_message":
        yield "UserPromptSubmit", {"prompt": payload["message"]}
    elif payload.get("type") == "function_call":
        command = json.loads(payload["arguments"]).get("cmd", "")
        calls[payload["call_id"]] = {"tool_name": "Bash", "tool_input": {"command": command}}
    elif payload.get("type") == "function_call_output" and payload["call_id"] in calls:
        about = {**calls[payload["call_id"]], "tool_use_id": payload["call_id"]}
        yield "PostToolUse", {**about, "tool_response": payload["output"]}
