"""What of a host's event is kept: which events tell something, whose they are, and the fields that hold it.

A hook puts an event into an envelope and the drain opens it. What is not listed here (the user's address, attachments,
the model) is not kept. Of a long text its beginning and its end are; an envelope holds 300,000 characters at most.
Only the standard library, unless a long text is suspicious: a hook runs this at every step of an agent.
"""

from __future__ import annotations

from remanence.sessions.suspicious import suspicious

TYPE_CHECKING = False  # as in typing, which takes longer to load than a hook may
if TYPE_CHECKING:
    from typing import Any

START, PROMPT, TOOL, ANSWER, COMPACT, STOP, ASIDE, END = (
    *("start", "prompt", "tool", "answer", "compact", "stop", "aside", "end"),
)
"""A session begins; a person asks; a tool was called; the agent answers; the context is about to be compacted; the
agent, or a subagent, has stopped; the session ends."""
_CLAUDE = {
    "SessionStart": START,
    "UserPromptSubmit": PROMPT,
    "PostToolUse": TOOL,
    "PostToolUseFailure": TOOL,
    "PreCompact": COMPACT,
    "Stop": STOP,
    "SubagentStop": ASIDE,
    "SessionEnd": END,
}
EVENTS: dict[str, dict[str, str]] = {
    "claude-code": _CLAUDE,
    "codex": _CLAUDE,
    "cursor": {
        "sessionStart": START,
        "beforeSubmitPrompt": PROMPT,
        "afterShellExecution": TOOL,
        "afterMCPExecution": TOOL,
        "afterFileEdit": TOOL,
        "afterAgentResponse": ANSWER,
        "preCompact": COMPACT,
        "stop": STOP,
        "sessionEnd": END,
    },
    "gemini": {
        "SessionStart": START,
        "BeforeAgent": PROMPT,
        "AfterTool": TOOL,
        "AfterAgent": ANSWER,
        "PreCompress": COMPACT,
        "SessionEnd": END,
    },
}
"""What each event of each host means."""
TRANSCRIBED = ("claude-code", "codex")
"""Hosts whose transcripts can be read."""
MOST_SAID, MOST_RETURNED = 100_000, 7_900
"""Characters of one text; those of a tool with its mark are below what an observation keeps."""
_MOST_TOGETHER = 250_000
_SAID = ("prompt", "prompt_response", "last_assistant_message", "text")
_DONE = ("tool_name", "tool_input", "tool_response", "error", "command", "output", "result_json", "file_path")
_FIELDS = {PROMPT: _SAID[:1], TOOL: _DONE, ANSWER: _SAID[1:], STOP: _SAID[2:3]}
_NEVER = ("originalFile", "structuredPatch", "base64")
_NO_TEXT = ("image", "audio")
"""Parts of what a tool gave back that repeat a file, and types of those that are no text."""
_LONGEST_NAME, _LONGEST_PATH = 1_000, 4_096
_AROUND = 4_096
"""Characters on either side of a cut that are looked at besides: longer than a secret with what names it."""
_MOST_PARTS, _DEEPEST = 200, 12


def enveloped(host: str, event: str, payload: dict[str, Any], project: str) -> dict[str, Any] | None:
    """The event as it is spooled; None where it belongs to no session, or to a subagent's part of one.

    Cursor can call the hooks of Claude Code too: it has its own, and would be captured twice.
    """
    if host == "claude-code" and "cursor_version" in payload:
        return None
    kind = EVENTS[host][event]
    session = _name(payload.get("session_id")) or _name(payload.get("conversation_id"))
    if session is None or (kind != ASIDE and payload.get("agent_id")):
        return None
    made: dict[str, Any] = {"host": host, "event": event, "session": session, "project": project}
    path = payload.get("transcript_path")
    if host in TRANSCRIBED and isinstance(path, str) and 0 < len(path) <= _LONGEST_PATH:
        made["transcript"] = path
    if call := _name(payload.get("tool_use_id")):
        made["call"] = call
    fields = _FIELDS.get(kind, ())
    if told := _Fitting(MOST_RETURNED if kind == TOOL else MOST_SAID).parts(payload, fields):
        made["told"] = told
    return made


def _name(value: object) -> str | None:
    return value if isinstance(value, str) and value.strip() and len(value) <= _LONGEST_NAME else None


class _Fitting:
    """Cuts what is too long, too many or too deep of one payload."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._left = _MOST_TOGETHER

    def parts(self, payload: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
        return {name: self._fitted(payload[name], 0) for name in names if payload.get(name) is not None}

    def _fitted(self, value: Any, depth: int) -> Any:
        if isinstance(value, str):
            text = cut(value, self._most) if self._left > 0 else ""
            self._left -= len(text)
            return text
        if isinstance(value, dict) and depth < _DEEPEST:
            if value.get("type") in _NO_TEXT:
                return {"type": value["type"]}
            return {
                key: self._fitted(inner, depth + 1)
                for key, inner in list(value.items())[:_MOST_PARTS]
                if key not in _NEVER and len(key) <= _LONGEST_NAME
            }
        if isinstance(value, list) and depth < _DEEPEST:
            return [self._fitted(inner, depth + 1) for inner in value[:_MOST_PARTS]]
        return value if value is None or isinstance(value, (bool, int, float)) else None


def cut(text: str, most: int) -> str:
    """The beginning and the end of a long text; secrets that a cut would have halved are gone whole."""
    if len(text) <= most + 2 * _AROUND:
        return text
    head, tail = most * 3 // 5, most * 2 // 5
    first, last = text[: head + _AROUND], text[len(text) - tail - _AROUND :]
    if not suspicious(first) and not suspicious(last):
        first, last = first[:head], last[_AROUND:]
    else:
        first, last = _cleaned(first, 0, head), _cleaned(last, _AROUND, len(last))
    return f"{first}\n[… {len(text) - head - tail} characters left out …]\n{last}"


def _cleaned(text: str, begin: int, end: int) -> str:
    """A part of a text without the secrets that lie in it, or half in it."""
    from remanence.guard.secrets.finding import find, mark

    parts, at = [], begin
    for kind, start, stop in find(text):
        if stop > begin and start < end:
            parts += [text[at:start], mark(kind)]
            at = stop
    return "".join([*parts, text[at:end]])
