"""`Wired`: a language model over HTTP, in one of two dialects (`chat.py`, `anthropic.py`).

A dialect knows several forms of asking for JSON, the best first, and options that some servers do not know. Where a
server answers 400 or 422, the next form is tried, or the option that its answer names is left out; what it accepts is
remembered once it has accepted it. All of that is within the one deadline of the call. A prompt that went out more than
once is counted as often.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from remanence.model.words import estimate_tokens
from remanence.providers.answers import LARGEST_ANSWER_BYTES, Unfinished
from remanence.providers.posting import REFUSALS, Posting, Unanswered, sendable
from remanence.providers.protocol import Completion

_OTHER_FORM = (400, 422)


class Ask(NamedTuple):
    """One question to a model; every text in it may leave."""

    model: str
    prompt: str
    system: str
    schema: Mapping[str, Any] | None
    most_tokens: int


class Dialect(Protocol):
    @property
    def forms(self) -> int:
        """How many ways of asking for JSON there are."""
        ...

    @property
    def options(self) -> Mapping[str, bytes]:
        """Names in a body that some servers refuse, and what the refusal then says."""
        ...

    def body(self, ask: Ask, form: int, without: frozenset[str]) -> dict[str, Any]: ...

    def read(self, answer: Any) -> Completion:
        """The completion in an answer, -1 where it does not say how many tokens; Refused or another Exception."""
        ...


class Refused(Exception):
    """The server answered, and the model or a filter would not."""


class Wired:
    """An Llm over HTTP. Threads may share one."""

    concurrent = True

    def __init__(self, dialect: Dialect, posting: Posting, model: str) -> None:
        self.model = model
        self._dialect = dialect
        self._posting = posting
        self._form = 0
        self._without: frozenset[str] = frozenset()

    def complete(
        self, prompt: str, *, system: str = "", schema: Mapping[str, Any] | None = None, most_tokens: int = 1024
    ) -> Completion:
        """The answer and what it cost, or Unfinished."""
        ask = Ask(self.model, sendable(prompt), sendable(system) if system else "", schema, most_tokens)
        deadline = time.monotonic() + self._posting.timeout_seconds
        form, without, sent = self._form, self._without, 0
        while True:
            body = json.dumps(self._dialect.body(ask, form, without)).encode()
            try:
                answer = self._posting.post(body, largest=LARGEST_ANSWER_BYTES, deadline=deadline)
                break
            except Unanswered as failed:
                sent += failed.sent
                named = {name for name, sign in self._dialect.options.items() if sign in failed.said} - without
                if failed.status in _OTHER_FORM and named:
                    without |= named
                elif failed.status in _OTHER_FORM and schema is not None and form + 1 < self._dialect.forms:
                    form += 1
                else:
                    refused = failed.status in REFUSALS
                    raise Unfinished(str(failed), sent=sent, refused=refused) from failed.__cause__
        sent += answer.sent
        found = self._read(answer.body, sent)
        self._without = without
        if schema is not None:
            self._form = form
        known = type(found.tokens_in) is int and found.tokens_in >= 0
        one = found.tokens_in if known else estimate_tokens(ask.system) + estimate_tokens(ask.prompt)
        return found._replace(tokens_in=one * sent)

    def __repr__(self) -> str:
        return f"Wired({self._posting.host!r}, {self.model!r})"

    def _read(self, body: bytes, sent: int) -> Completion:
        try:
            return self._dialect.read(json.loads(body))
        except Refused:
            raise Unfinished(f"{self._posting.host} refused to answer this prompt.", sent=sent, refused=True) from None
        except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError):
            raise Unfinished(
                f"{self._posting.host} answered with something that is no completion. Check url and model.", sent=sent
            ) from None
