"""What an event of a hook tells: the session it belongs to, and what was said or done, as observations.

An observation of a tool has the host's own id of the call as its key, so that the transcript's is known to be the same;
any other has the name of the event's file. Nothing that an event holds is trusted to be of the right form.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from typing import Any, NamedTuple

from remanence.model.scope import ROOT, scope_problems
from remanence.model.session import ASSISTANT, TOOL, USER, Observation
from remanence.sessions import envelope
from remanence.sessions.importers.shapes import moment, name_of, said, text_of
from remanence.sessions.importers.tools import called, returned, tool_name

_COMMAND = re.compile(r"\A/[a-z][\w:-]*(?:\s+|\Z)")
"""A command of Claude Code; its transcript keeps what follows it."""
_SHELL, _EDIT = "Shell", "Edit"
"""What Cursor's own tools are called here: its events do not name them."""
_OUTPUTS = ("stdout", "stderr")
_TEXTS = ("llmContent", "content", "output", "text", "result", "message")
_FAILED = ("is_error", "isError", "interrupted")
_ABOUT = re.compile(r"(?:\n(?:Error|Exit Code|Signal|Background PIDs|Process Group PGID): [^\n]*)+\s*\Z")
_CODE = re.compile(r"\nExit Code: (-?\d{1,6})\b")
_LONGEST_ABOUT = 1_000
_NANOSECONDS = 1e9


class Told(NamedTuple):
    """One event: whose session, in which project, when, of which kind, and what was observed."""

    id: str
    project: str
    agent: str
    at: datetime
    kind: str
    observations: tuple[Observation, ...] = ()
    transcript: str | None = None


def read(event: dict[str, Any], name: str, now: datetime) -> Told:
    """The event in a file of this name; ValueError where it is none of a hook's."""
    host, kind_of = event.get("host"), envelope.EVENTS.get(str(event.get("host")), {})
    kind, id = kind_of.get(str(event.get("event"))), name_of(event.get("session"))
    if not isinstance(host, str) or kind is None or id is None:
        raise ValueError("is no event of a hook")
    at, project = event.get("at"), event.get("project")
    when = moment(at / _NANOSECONDS, now) if isinstance(at, int) and at.bit_length() < 80 else None
    told, path = event.get("told"), event.get("transcript")
    seen: tuple[Observation, ...] = ()
    if kind in _READ and isinstance(told, dict):
        key = name_of(event.get("call")) if kind == envelope.TOOL else None
        one = _READ[kind](told, str(event["event"]))
        seen = tuple(
            Observation(role=role, text=text, at=when or now, tool=tool, call=call, failed=failed, key=key or name)
            for role, text, tool, call, failed in one
        )
    return Told(
        id=id,
        project=str(project) if not scope_problems(project) else ROOT,
        agent=host,
        at=when or now,
        kind=kind,
        observations=seen,
        transcript=path if isinstance(path, str) and host in envelope.TRANSCRIBED else None,
    )


_Seen = list[tuple[str, str, str | None, str, bool]]
"""Role, text, tool, call, failed."""


def _prompt(told: dict[str, Any], event: str) -> _Seen:
    text = said(text_of(told.get("prompt")))
    return [(USER, _COMMAND.sub("", text) if event == "UserPromptSubmit" else text, None, "", False)]


def _answer(told: dict[str, Any], _: str) -> _Seen:
    texts = (told.get(field) for field in ("last_assistant_message", "prompt_response", "text"))
    return [(ASSISTANT, text.strip(), None, "", False) for text in texts if isinstance(text, str)]


def _tool(told: dict[str, Any], event: str) -> _Seen:
    if event == "afterShellExecution":
        text, failed = returned(told.get("output"))
        return [(TOOL, text, _SHELL, called(told.get("command")), failed)]
    if event == "afterFileEdit":
        return [(TOOL, "", _EDIT, called(told.get("file_path")), False)]
    call, tool = called(told.get("tool_input")), tool_name(told.get("tool_name"))
    if event == "PostToolUseFailure":
        return [(TOOL, text_of(told.get("error")), tool, call, True)]
    text, failed = gave_back(told.get("result_json" if event == "afterMCPExecution" else "tool_response"))
    return [(TOOL, text, tool, call, failed)]


_READ: dict[str, Callable[[dict[str, Any], str], _Seen]] = {
    envelope.PROMPT: _prompt,
    envelope.TOOL: _tool,
    envelope.ANSWER: _answer,
    envelope.STOP: _answer,
}


def gave_back(response: object) -> tuple[str, bool]:
    """The text in what a tool gave back, in whichever of the hosts' forms, and whether it failed."""
    if not isinstance(response, dict):
        return returned(response)
    failed = any(response.get(name) is True for name in _FAILED) or returned(response)[1]
    if any(name in response for name in _OUTPUTS):
        texts = (response.get(name) for name in _OUTPUTS)
        return "\n".join(text for text in texts if isinstance(text, str) and text.strip()), failed
    error = response.get("error")
    if isinstance(error, dict):
        error = error.get("message")
    if isinstance(file := response.get("file"), dict):
        return text_of(file.get("content")), failed
    for name in _TEXTS:
        if text := returned(text_of(response.get(name)))[0]:
            text, ended_badly = _of_gemini_shell(text) if name == "llmContent" else (text, False)
            return text, failed or ended_badly or bool(error)
    if isinstance(names := response.get("filenames"), list):
        return "\n".join(name for name in names if isinstance(name, str)), failed
    return (error if isinstance(error, str) else ""), failed or bool(error)


def _of_gemini_shell(text: str) -> tuple[str, bool]:
    """What a command printed, where Gemini CLI tells it between its call and its exit code, and whether it failed."""
    if not text.startswith(("Command: ", "Output: ")) or (begin := f"\n{text}".find("\nOutput: ")) < 0:
        return text, False
    about = _ABOUT.search(text, max(begin, len(text) - _LONGEST_ABOUT))
    code = _CODE.search(about[0]) if about else None
    printed = text[begin + len("Output: ") : about.start() if about else None]
    return printed, code is not None and int(code[1]) != 0
