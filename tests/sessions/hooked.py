"""Hooks as hosts call them: a process with the event on standard input; and events of every host, as documented."""

from __future__ import annotations

import atexit
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from remanence.sessions import spool as spooled

SESSION = "6f0f2f0e-3c11-4c55-9a51-0a4f2f1f9b10"
CALL = "toolu_01A09q90qw90lq917835lq9xY"
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
GUIDANCE = (
    "# Memory Guidance\n\n<memories 0123456789abcdef>\n- (2026-03-01, ai, 0a1b) Prices are cents: “ä”.\n"
    "</memories 0123456789abcdef>"
)
# Compiled once a run, also where the tests themselves leave nothing behind.
_COMPILED = tempfile.mkdtemp(prefix="remanence-compiled-")
atexit.register(shutil.rmtree, _COMPILED, ignore_errors=True)


def environment(home: Path, **more: str) -> dict[str, str]:
    """What a host gives a hook: a home of its own, and capturing on unless told otherwise."""
    own = {"HOME": str(home), "PATH": os.environ["PATH"], "PYTHONPYCACHEPREFIX": _COMPILED, "LANG": "C.UTF-8"}
    return {**own, "REMANENCE_MEMORIES__ENABLED": "true", "REMANENCE_MEMORIES__BACKGROUND": "false", **more}


def program() -> list[str]:
    own = Path(sys.executable).with_name("rem")
    return [str(own)] if own.exists() else [sys.executable, "-P", "-m", "remanence.interfaces.cli"]


def hook(
    home: Path,
    event: str,
    given: object,
    *options: str,
    host: str = "claude-code",
    cwd: Path | None = None,
    **more: str,
) -> subprocess.CompletedProcess[bytes]:
    """Call `rem hook` with an event, which may be bytes."""
    data = given if isinstance(given, bytes) else json.dumps(given).encode()
    words = [*program(), "hook", event, "--host", host, *options]
    return subprocess.run(
        words, input=data, capture_output=True, env=environment(home, **more), cwd=cwd or home, timeout=30, check=False
    )


def store_of(home: Path) -> Path:
    """Where the user's own store is, or would be."""
    return home / ".local/share/remanence/memory.db"


def spool_of(home: Path) -> Path:
    return Path(f"{store_of(home)}.spool")


def waiting(home: Path, namespace: str = "default") -> list[dict[str, Any]]:
    """The events that wait, oldest first."""
    spool = str(spool_of(home))
    found = [spooled.load(spool, name) for name in spooled.waiting(spool, namespace)]
    return [event for event in found if event is not None]


def events(project: Path, transcript: str = "/none.jsonl") -> dict[tuple[str, str], dict[str, Any]]:
    """An event of each kind that each host sends, by host and name."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    common = {"session_id": SESSION, "transcript_path": transcript, "cwd": str(project), "permission_mode": "default"}
    for host in ("claude-code", "codex"):
        more = {} if host == "claude-code" else {"model": "gpt-5.3-codex", "turn_id": "t1"}
        shell = {"tool_name": "Bash", "tool_input": {"command": "pnpm test"}, "tool_use_id": CALL}
        gave: Any = {"stdout": "148 passed", "stderr": "", "interrupted": False} if not more else "148 passed"
        for name, own in {
            "SessionStart": {"source": "startup"},
            "UserPromptSubmit": {"prompt": "Use pnpm, never npm."},
            "PostToolUse": {**shell, "tool_response": gave},
            "PostToolUseFailure": {**shell, "error": "Exit code 1\n2 failed", "is_interrupt": False},
            "PreCompact": {"trigger": "auto", "custom_instructions": ""},
            "Stop": {"stop_hook_active": False, "last_assistant_message": "All green."},
            "SubagentStop": {
                "agent_id": "a1",
                "agent_transcript_path": "/a.jsonl",
                "last_assistant_message": "3 found",
            },
            "SessionEnd": {"reason": "other"},
        }.items():
            if (host, name) != ("codex", "PostToolUseFailure"):
                found[host, name] = {**common, **more, "hook_event_name": name, **own}
    cursor = {
        **{"conversation_id": SESSION, "generation_id": "g1", "model": "m", "cursor_version": "2.4.0"},
        **{"workspace_roots": [str(project)], "user_email": "ann@example.com", "transcript_path": None},
    }
    for name, own in {
        "sessionStart": {"session_id": SESSION, "is_background_agent": False, "composer_mode": "agent"},
        "beforeSubmitPrompt": {"prompt": "Use pnpm, never npm.", "attachments": [{"filePath": "/x"}]},
        "afterShellExecution": {"command": "pnpm test", "output": "148 passed", "duration": 12, "cwd": ""},
        "afterMCPExecution": {
            "tool_name": "search",
            "tool_input": '{"query": "cents"}',
            "result_json": '{"output":"3"}',
        },
        "afterFileEdit": {"file_path": "/p/total.ts", "edits": [{"old_string": "a", "new_string": "b"}]},
        "afterAgentResponse": {"text": "All green."},
        "preCompact": {"trigger": "auto", "context_usage_percent": 85},
        "stop": {"status": "completed", "loop_count": 0},
        "sessionEnd": {"session_id": SESSION, "reason": "completed", "duration_ms": 1},
    }.items():
        found["cursor", name] = {**cursor, "hook_event_name": name, **own}
    gemini = {
        "session_id": SESSION,
        "transcript_path": "/g.json",
        "cwd": str(project),
        "timestamp": "2026-03-01T12:00:00Z",
    }
    response = {"llmContent": "148 passed", "returnDisplay": "148 passed"}
    for name, own in {
        "SessionStart": {"source": "startup"},
        "BeforeAgent": {"prompt": "Use pnpm, never npm."},
        "AfterTool": {
            "tool_name": "run_shell_command",
            "tool_input": {"command": "pnpm test"},
            "tool_response": response,
        },
        "AfterAgent": {"prompt": "Use pnpm, never npm.", "prompt_response": "All green.", "stop_hook_active": False},
        "PreCompress": {"trigger": "auto"},
        "SessionEnd": {"reason": "exit"},
    }.items():
        found["gemini", name] = {**gemini, "hook_event_name": name, **own}
    return found
