"""Compaction: what a host calls when its context gets too long, so that knowledge outlives the context.

`before_cut` takes the messages that are about to be dropped, `on_summary` the summary put in their place,
`on_task_output` and `on_answer` what a task or a long answer brought. Each text is absorbed: taken apart, every fact
remembered with lineage to the text, as an AI's words. A hook does not break its host: where the store, a model or a
setting of the user's fails, that is logged, without text, and what was remembered until then is returned. Only wrong
arguments raise.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from typing import Any, Protocol

from remanence.errors import InvalidInput, RemanenceError
from remanence.guard.legible import BINARY, legible, plain_line
from remanence.guard.screening import screen
from remanence.model import checks
from remanence.model.draft import NAMES, draft_problems
from remanence.model.hit import Remembered
from remanence.model.scope import ROOT, scope_problems

MOST_CHARACTERS = 200_000
LEAST_ANSWER = 200
"""Answers of fewer characters are left alone."""
_DEEPEST = 4
# "Assistant:" between turns is what a forged conversation looks like to the guard, so a bot speaks here.
_LABELS = {"user": "User", "human": "User", "assistant": "Bot", "ai": "Bot", "model": "Bot"}
_TOOLS = frozenset(("tool", "function", "tool_result", "function_call_output", "ipython"))
_LEFT_OUT = frozenset(("system", "developer"))
_NAME = re.compile(r"[^\W\d_][\w .-]{0,39}")
_log = logging.getLogger(__name__)


class Absorber(Protocol):
    """A mind, as hooks see it."""

    def absorb(self, *args: Any, **kwargs: Any) -> list[Remembered]: ...


def on_summary(
    summary: str,
    scope: str = ROOT,
    *,
    mind: Absorber | None = None,
    session: str | None = None,
    **like_absorb: Any,
) -> list[Remembered]:
    """Absorb the summary that takes the place of messages; without a mind, into the user's own store."""
    return _absorbed("on_summary", _texts(summary, "summary"), scope, mind, ["compaction", session], like_absorb)


def before_cut(
    messages: Iterable[str | Mapping[str, Any]],
    scope: str = ROOT,
    *,
    mind: Absorber | None = None,
    session: str | None = None,
    **like_absorb: Any,
) -> list[Remembered]:
    """Absorb messages before they are dropped: texts, or dicts with role and content; system prompts are left out.

    They are read one by one and absorbed in parts of at most 200,000 characters, cut between messages. A message that
    reads like an instruction is absorbed on its own, so that it alone waits for review; messages that do so only
    together are absorbed together.
    """
    if isinstance(messages, (str, bytes, Mapping)) or not isinstance(messages, Iterable):
        raise InvalidInput(f"messages must be a list of texts or dicts, not {type(messages).__name__}")
    texts = (text for part in _parts(_turns(messages)) for text in _calm(part))
    return _absorbed("before_cut", texts, scope, mind, ["compaction", session], like_absorb)


def on_task_output(
    output: str,
    scope: str = ROOT,
    task: str | None = None,
    *,
    mind: Absorber | None = None,
    session: str | None = None,
    **like_absorb: Any,
) -> list[Remembered]:
    """Absorb what a task brought."""
    return _absorbed("on_task_output", _texts(output, "output"), scope, mind, ["task", session, task], like_absorb)


def on_answer(
    answer: str,
    scope: str = ROOT,
    *,
    mind: Absorber | None = None,
    session: str | None = None,
    **like_absorb: Any,
) -> list[Remembered]:
    """Absorb a long answer; one of fewer than 200 characters is left alone."""
    texts = _texts(answer, "answer")
    texts = iter(()) if len(answer.strip()) < LEAST_ANSWER else texts
    return _absorbed("on_answer", texts, scope, mind, ["answer", session], like_absorb)


class Compaction:
    """The hooks of one agent: its mind, its scope, its session, and what else is said of all it remembers."""

    def __init__(
        self, mind: Absorber | None = None, scope: str = ROOT, *, session: str | None = None, **like_absorb: Any
    ) -> None:
        self.scope = scope
        self._common: dict[str, Any] = {"mind": mind, "session": session, **like_absorb}
        _origin(["compaction", session], scope)

    def on_summary(self, summary: str, scope: str | None = None, **like_absorb: Any) -> list[Remembered]:
        return on_summary(summary, self._in(scope), **self._common | like_absorb)

    def before_cut(
        self, messages: Iterable[str | Mapping[str, Any]], scope: str | None = None, **like_absorb: Any
    ) -> list[Remembered]:
        return before_cut(messages, self._in(scope), **self._common | like_absorb)

    def on_task_output(
        self, output: str, scope: str | None = None, task: str | None = None, **like_absorb: Any
    ) -> list[Remembered]:
        return on_task_output(output, self._in(scope), task, **self._common | like_absorb)

    def on_answer(self, answer: str, scope: str | None = None, **like_absorb: Any) -> list[Remembered]:
        return on_answer(answer, self._in(scope), **self._common | like_absorb)

    def _in(self, scope: str | None) -> str:
        return self.scope if scope is None else scope


# --- absorbing


def _absorbed(
    hook: str,
    texts: Iterator[str],
    scope: str,
    mind: Absorber | None,
    origin: list[str | None],
    like_absorb: dict[str, Any],
) -> list[Remembered]:
    """What became of the facts of all texts; the store is opened for the first of them."""
    fields = {"scope": scope, "source": "ai", "origin": _origin(origin, scope)} | like_absorb
    _check(like_absorb)
    made: list[Remembered] = []
    try:
        with ExitStack() as stack:
            for text in texts:
                try:
                    if mind is None:
                        mind = stack.enter_context(_own_mind())
                    made += mind.absorb(text, **fields)
                except InvalidInput as error:  # the arguments are right, so a setting or a file of the user's is not
                    raise _Unusable from error
    except InvalidInput:
        raise
    except RemanenceError as error:
        # Its message may quote the text; its name and code never do.
        cause = error.__cause__ if isinstance(error, _Unusable) else error
        code = getattr(cause, "code", error.code)
        _log.warning("%s ended after %d memories: %s (%s)", hook, len(made), type(cause).__name__, code)
    return made


def _check(like_absorb: Mapping[str, Any]) -> None:
    """InvalidInput for what mind.absorb would refuse whatever the text."""
    problems = [f"unknown argument {name!r}" for name in like_absorb if name not in NAMES or name == "text"]
    given = {name: value for name, value in like_absorb.items() if value is not None}
    if problems := problems or draft_problems({**given, "text": "any"}):
        raise InvalidInput(problems)


class _Unusable(RemanenceError):
    """The user's own settings, prompts or store cannot be used."""


def _own_mind() -> Any:
    from remanence.mind import Mind

    return Mind()


def _origin(parts: list[str | None], scope: object) -> str:
    problems = scope_problems(scope)
    names = [part for part in parts if part is not None]
    problems += [f"session and task must be text, not {type(n).__name__}" for n in names if not isinstance(n, str)]
    if problems:
        raise InvalidInput(problems)
    return plain_line(":".join(names))[:1000]


# --- texts


def _texts(text: object, name: str) -> Iterator[str]:
    """A text in parts, none where it is blank or binary."""
    if not isinstance(text, str):
        raise InvalidInput(f"{name} must be text, not {type(text).__name__}")
    clean = legible(text)
    return iter(()) if clean == BINARY else _pieces(clean)


def _pieces(text: str, most: int = MOST_CHARACTERS) -> Iterator[str]:
    """The text in pieces, cut between paragraphs, lines, sentences or words, whichever comes first from behind."""
    start = 0
    while start < len(text):
        end = start + most
        if end < len(text):
            borders = (text.rfind(border, start, end) for border in ("\n\n", "\n", ". ", " "))
            end = next((at + 1 for at in borders if at > start), end)
        if checks.text_problems(text[start:end]) != ["text is blank"]:
            yield text[start:end]
        start = end


# --- transcripts


def _turns(messages: Iterable[str | Mapping[str, Any]]) -> Iterator[str]:
    """Each message as "Speaker: what was said"; a text as it is."""
    for number, message in enumerate(messages):
        if isinstance(message, str):
            label, said = "", [("", message)]
        elif isinstance(message, Mapping):
            role = str(message.get("role") or message.get("type") or "").casefold()
            if role in _LEFT_OUT:
                continue
            label = _speaker(role, message.get("name"))
            said = list(_said(message.get("content", message.get("output")), label, 0))
        else:
            raise InvalidInput(
                f"message {number} must be text or a dict with role and content, not {type(message).__name__}"
            )
        for speaker, text in said:
            if clean := legible(text).strip():  # binary is told turn by turn, so that it does not spoil a whole part
                head = f"{speaker}: " if speaker else ""
                yield from (head + piece for piece in _pieces(clean, MOST_CHARACTERS - len(head)))


def _speaker(role: str, name: object) -> str:
    named = name if isinstance(name, str) and _NAME.fullmatch(name) and _is_free(name) else ""
    if role in _TOOLS:
        return f"Tool output ({named})" if named else "Tool output"
    return named or _LABELS.get(role) or (role.capitalize() if _NAME.fullmatch(role) and _is_free(role) else "")


def _is_free(name: str) -> bool:
    """Whether a speaker may have this name: none that stands for the agent itself or for its rules."""
    return name.casefold() not in _LABELS.keys() | _LEFT_OUT | {"agent"}


def _said(content: object, label: str, depth: int) -> Iterator[tuple[str, str]]:
    """The texts of a content with their speakers, tool outputs marked; images, calls and thoughts are left out."""
    if depth > _DEEPEST:
        return
    if isinstance(content, str):
        yield label, content
    elif isinstance(content, Mapping):
        kind = content.get("type")
        if str(kind) in _TOOLS:
            tool = _speaker("tool", content.get("name"))
            yield from _said(content.get("content", content.get("output")), tool, depth + 1)
        elif kind in (None, "text", "input_text", "output_text"):
            yield from _said(content.get("text"), label, depth + 1)
    elif isinstance(content, (list, tuple)):
        for part in content:
            yield from _said(part, label, depth + 1)


def _parts(turns: Iterable[str]) -> Iterator[list[str]]:
    """Turns in parts of bounded length, so that no more than one part is held."""
    part: list[str] = []
    size = 0
    for turn in turns:
        if part and size + len(turn) + 2 > MOST_CHARACTERS:
            yield part
            part, size = [], 0
        part.append(turn)
        size += len(turn) + 2
    if part:
        yield part


def _calm(part: list[str]) -> Iterator[str]:
    """A part as texts: one that reads like an instruction is halved until only the turns that do stand alone.

    Turns that do so only together stay together: apart, each would pass.
    """
    waiting = [part]
    while waiting:
        turns = waiting.pop()
        text = _joined(turns)
        half = len(turns) // 2
        left, right = turns[:half], turns[half:]
        if len(turns) < 2 or not screen(text):
            yield text
        elif len(turns) > 2 and _only_together(left[-1:], right[:1]):
            waiting += [rest for rest in (right[1:], [left[-1], right[0]], left[:-1]) if rest]
        elif _only_together(left, right):
            yield text
        else:
            waiting += [right, left]


def _only_together(left: list[str], right: list[str]) -> bool:
    return not screen(_joined(left)) and not screen(_joined(right)) and bool(screen(_joined(left + right)))


def _joined(turns: list[str]) -> str:
    return "\n\n".join(turns)
