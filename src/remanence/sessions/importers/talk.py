"""A message as most programs write it: who says it, its text, the tools it calls and what they gave back.

Roles go by many names; a name that is none of them is a person's, and stands before the words. What a system prompt
says, nobody said. A call stands with its result, found by the call's id, or else the call before it. A message without
an id of its own is known by its words and what came before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from remanence.model.session import ASSISTANT, SYSTEM, TOOL, USER, Observation
from remanence.sessions.importers.shapes import digest, first_of, key_of, moment, named, said, text_of, word
from remanence.sessions.importers.tools import EVERY_LINE, Call, Waiting, called, returned, tool_name

_WORDS = {
    USER: "user human prompter customer me you person client usermessage humanmessage",
    ASSISTANT: "assistant ai bot model gpt agent chatgpt claude gemini copilot chatbot aimessage assistantmessage",
    TOOL: "tool function observation toolmessage ipython",
    SYSTEM: "system developer instructions systemmessage",
}
_ROLES = {one: role for role, words in _WORDS.items() for one in words.split()}
_WHO = ("role", "sender", "from", "author", "speaker", "name", "type")
_WHAT = ("content", "text", "value", "message", "body", "parts")
_WHEN = ("timestamp", "created_at", "create_time", "createdAt", "time", "date", "ts", "sent_at")
_IDS = ("id", "uuid", "message_id", "messageId")
_NO_ID = ""


def role_of(who: object) -> str | None:
    """The role that a word means; None where it may be a name."""
    return _ROLES.get(who.strip().lower()) if isinstance(who, str) else None


def is_message(value: object) -> bool:
    """Whether a value is a message: somebody, and something that was said or called."""
    if not isinstance(value, dict):
        return False
    message = _inner(value)
    return bool(_who(message)) and (
        any(isinstance(message.get(name), (str, list)) for name in _WHAT) or "tool_calls" in message
    )


def _inner(message: dict[str, Any]) -> dict[str, Any]:
    """Some programs put the message itself into another one."""
    data = message.get("data")
    return {**data, "type": message["type"]} if isinstance(data, dict) and role_of(message.get("type")) else message


def _who(message: dict[str, Any]) -> str:
    for name in _WHO:
        who = message.get(name)
        if isinstance(who, dict):
            who = who.get("role") or who.get("name")
        if isinstance(who, str) and who.strip() and (name != "type" or role_of(who) is not None):
            return who
    return ""


class Talk:
    """A conversation, message by message."""

    def __init__(self, at: datetime, now: datetime) -> None:
        self._at, self._now = at, now
        self._before: object = None
        self.waiting = Waiting()

    def seen(self, message: dict[str, Any], number: int, begin: int, before: object = None) -> Iterator[Observation]:
        """What a message tells of; it is the n-th, and stands at `begin`, behind `before`."""
        message = _inner(message)
        self._at = moment(first_of(message, _WHEN), self._now) or self._at
        self._before = self._before if before is None else before
        for call in self.waiting.given_up(number):
            yield call.observation()
        who = _who(message)
        role, content = role_of(who), self._content(message)
        if role == TOOL:
            yield from self._result(message, content)
            return
        if text := _said(who, role, text_of(content) or word(message.get("text"))):
            role = USER if role is None else role
            yield Observation(role=role, text=text, at=self._at, key=self._key(first_of(message, _IDS), role, text))
        for block in content if isinstance(content, list) else ():
            kind = word(block.get("type")) if isinstance(block, dict) else ""
            if kind.endswith("tool_use"):
                yield from self._call(block.get("id"), block.get("name"), block.get("input"), number, begin)
            elif kind.endswith("tool_result"):
                yield from self._result(block, block.get("content"), id=block.get("tool_use_id"))
        for id, name, given in _calls(message):
            yield from self._call(id, name, given, number, begin)

    def ended(self) -> Iterator[Observation]:
        """The calls whose results never came."""
        for call in self.waiting.given_up(EVERY_LINE):
            yield call.observation()

    def _content(self, message: dict[str, Any]) -> Any:
        return next((message[name] for name in _WHAT if message.get(name) not in (None, "", [])), "")

    def _key(self, id: object, role: str, text: str) -> str:
        """Its own id; or its words and those before it, so that what changed elsewhere does not matter."""
        key = key_of(id) or digest(self._before, role, text)
        self._before = digest(role, text)
        return key

    def _call(self, id: object, name: object, given: object, number: int, begin: int) -> Iterator[Observation]:
        if not isinstance(id, str) or not id:
            id = _NO_ID
            if (left := self.waiting.take(id)) is not None:
                yield left.observation()
        words = called(given)
        self.waiting.add(id, Call(self._key(id, TOOL, words), tool_name(name), words, self._at, number, begin))

    def _result(self, message: dict[str, Any], content: object, id: object = None) -> Iterator[Observation]:
        known = self.waiting.take(first_of(message, ("tool_call_id", "call_id")) or id or _NO_ID)
        text, failed = returned(content)
        failed = failed or message.get("is_error") is True
        if known is not None:
            yield known.observation(text, failed=failed)
        elif text.strip():
            name, key = tool_name(message.get("name")), self._key(first_of(message, _IDS), TOOL, text)
            yield Observation(role=TOOL, text=text, at=self._at, tool=name, failed=failed, key=key)


def _said(who: str, role: str | None, text: str) -> str:
    if role == ASSISTANT:
        return text.strip()
    text = "" if role == SYSTEM else said(text)
    return f"{named(who.strip(), 60)}: {text}" if role is None and text else text


def _calls(message: dict[str, Any]) -> Iterator[tuple[object, object, object]]:
    """The calls of a message that stand beside its content: id, name, what they were called with."""
    listed = message.get("tool_calls")
    calls = list(listed) if isinstance(listed, list) else []
    calls.append({"function": message.get("function_call")})
    for call in calls:
        inner = call.get("function") if isinstance(call, dict) else None
        inner = inner if isinstance(inner, dict) else call if isinstance(call, dict) and call.get("name") else None
        if inner is not None:
            yield call.get("id"), inner.get("name"), first_of(inner, ("arguments", "args", "input"))
