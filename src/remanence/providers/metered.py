"""`Metered`: a writer around any language model. It gives a right answer or LlmFailed, in time and within the ceilings.

Everything that leaves passes through `clean` here, before any provider sees it: prompts, system texts and what is said
about a wrong answer. A schema that `clean` would change is not sent at all.

What counts as a failure after which the model is left alone (`patience.py`) is one that says something about the next
call: no answer, a raised error, no completion. A refused or cut off prompt, and JSON that does not fit, do not.

Messages never hold a prompt, an answer, or what the model's own code said. The error it raised is the `__cause__`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from remanence.errors import InvalidInput, LlmFailed
from remanence.model.words import estimate_tokens
from remanence.providers.answers import (
    LARGEST_ANSWER_BYTES,
    Unfinished,
    Unreadable,
    object_in,
    with_correction,
    with_schema,
    without_thought,
    written,
)
from remanence.providers.patience import Patience
from remanence.providers.protocol import Completion, Llm
from remanence.providers.schemas import closed, problems
from remanence.providers.spending import Account

TIMEOUT_SECONDS = 60.0
MOST_TOKENS = 32_768
# More for one call are not tokens that anyone counted.
_MOST_COUNTED = 10_000_000


class _TooLate(LlmFailed):
    pass


class Metered:
    """A Writer over an Llm. Threads may share one."""

    def __init__(
        self,
        llm: Llm,
        *,
        account: Account,
        clean: Callable[[str], str],
        timeout_seconds: float = TIMEOUT_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._llm = llm
        self._account = account
        self._clean = clean
        self._timeout_seconds = timeout_seconds
        self._patience = Patience(self._who, failed=LlmFailed, late=_TooLate, clock=clock)
        # Some servers take a schema and do not look at it: then the prompt holds it as well.
        self._tells_schema = False

    @property
    def model(self) -> str:
        return self._llm.model

    def available(self) -> bool:
        return self._patience.available()

    def text(self, prompt: str, *, system: str = "", most_tokens: int = 1024) -> str:
        answer = without_thought(self._asked(prompt, system, None, most_tokens)).strip()
        if not answer:
            raise LlmFailed(f"{self._who()} gave an empty answer.")
        return answer

    def json(
        self,
        prompt: str,
        schema: Mapping[str, Any],
        *,
        system: str = "",
        most_tokens: int = 1024,
        accepted: Mapping[str, Any] | None = None,
    ) -> Any:
        schema = closed(schema)
        schemas = [schema] if accepted is None else [schema, closed(accepted)]
        if self._clean(written(schema)) != written(schema):
            raise LlmFailed(f"{self._who()} was not asked: the schema holds something that may not leave.")
        first = self._asked(with_schema(prompt, schema) if self._tells_schema else prompt, system, schema, most_tokens)
        value, wrong = _read(first, schemas)
        if not wrong:
            return value
        second = self._asked(with_correction(prompt, schema, first, wrong), system, schema, most_tokens)
        value, wrong = _read(second, schemas)
        if wrong:
            raise LlmFailed(f"{self._who()} gave no valid JSON, and none when told what was wrong: {wrong}.")
        self._tells_schema = True
        return value

    def __repr__(self) -> str:
        return f"Metered({self._llm!r})"

    def _asked(self, prompt: str, system: str, schema: Mapping[str, Any] | None, most_tokens: int) -> str:
        """The whole text of one answer. Costs and failures are counted here, and only here."""
        if type(most_tokens) is not int or not 1 <= most_tokens <= MOST_TOKENS:
            raise InvalidInput(f"most_tokens must be a whole number from 1 to {MOST_TOKENS:,}")
        prompt, system = self._clean(prompt), self._clean(system)
        size = sum(map(estimate_tokens, (prompt, system, written(schema) if schema is not None else "")))
        before = self._patience.failures()
        hold = self._account.hold(self.model, size + most_tokens)
        handed = False

        def work() -> Any:
            nonlocal handed
            handed = True
            return self._llm.complete(prompt, system=system, schema=schema, most_tokens=most_tokens)

        cost, failed = (0, 0), True
        try:
            free = getattr(self._llm, "concurrent", False) is True
            found = self._checked(self._patience.call(work, self._timeout_seconds, free=free), size)
            cost, failed = (found.tokens_in, found.tokens_out), False
        except BaseException as error:
            # A prompt that was handed over may have been read, unless the provider knows that it was not.
            sent = error.sent if isinstance(error, Unfinished) else 1
            cost = (size * sent if handed else 0, 0)
            if isinstance(error, Exception):
                self._note(error, before)
            if isinstance(error, LlmFailed) or not isinstance(error, Exception):
                raise
            raise LlmFailed(f"{self._who()} raised {type(error).__name__}.") from error
        finally:
            hold.settle(*cost, failed=failed)
        self._patience.record_success()
        if found.cut:
            raise LlmFailed(f"{self._who()} was cut off at {most_tokens} tokens. Ask for less, or raise most_tokens.")
        return found.text

    def _note(self, error: Exception, before: int) -> None:
        if isinstance(error, Unfinished) and error.refused:
            return
        reason = str(error) if isinstance(error, LlmFailed) else f"{self._who()} raised {type(error).__name__}."
        self._patience.record_failure(before, reason)

    def _checked(self, found: Any, size: int) -> Completion:
        """What a model gave, as a completion with its cost; nothing else passes."""
        if hasattr(found, "__await__"):
            close = getattr(found, "close", None)
            if close:
                close()
            raise Unfinished(f"{self._who()} is async; complete must give its text, not a coroutine.", sent=0)
        made = found if isinstance(found, Completion) else Completion(found, -1, -1)
        if not isinstance(made.text, str):
            raise LlmFailed(f"{self._who()} gave {type(made.text).__name__}, not text.")
        if len(made.text) > LARGEST_ANSWER_BYTES:
            raise LlmFailed(f"{self._who()} gave {len(made.text):,} characters; {LARGEST_ANSWER_BYTES:,} is the limit.")
        tokens_in = made.tokens_in if _is_count(made.tokens_in) else size
        tokens_out = made.tokens_out if _is_count(made.tokens_out) else estimate_tokens(made.text)
        return Completion(made.text, tokens_in, tokens_out, made.cut)

    def _who(self) -> str:
        return f"The language model {self._llm.model}"


def _is_count(given: Any) -> bool:
    return type(given) is int and 0 <= given <= _MOST_COUNTED


def _read(text: str, schemas: Sequence[Mapping[str, Any]]) -> tuple[Any, str]:
    """(the value, what is wrong with it by the first schema where it is valid against none)"""
    try:
        value = object_in(text)
    except Unreadable as error:
        return None, str(error)
    found = [problems(value, schema) for schema in schemas]
    return value, "; ".join(found[0]) if all(found) else ""
