"""What language models are told about JSON, and how what they answer is read.

An answer is one JSON object. A code fence around it and a sentence before it are tolerated, and what a reasoning model
thought aloud before it; anything after it is not. Twice the same key, NaN, infinity and half a surrogate pair are
refused, since what comes next would read them differently.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any

from remanence.errors import LlmFailed

LARGEST_ANSWER_BYTES = 1024 * 1024
_MOST_REPEATED = 4_000
_THOUGHT = re.compile(r"\A\s*<(think|thinking|reasoning)>.*?</\1>\s*", re.DOTALL)
_FENCE = "```"


class Unfinished(LlmFailed):
    """A call that failed. `sent` is how often the prompt went out; `refused`: this prompt failed, the next may not."""

    def __init__(self, message: str, *, sent: int, refused: bool = False) -> None:
        super().__init__(message)
        self.sent = sent
        self.refused = refused


class Unreadable(Exception):
    """The answer is no JSON object; the message says why in words that are not the answer's."""


def with_schema(prompt: str, schema: Mapping[str, Any]) -> str:
    """The prompt for a model that sees the schema nowhere else."""
    return (
        f"{prompt}\n\nAnswer with one JSON object and nothing else: no explanation, no code fence. "
        f"It must be valid against this JSON Schema:\n{written(schema)}"
    )


def with_correction(prompt: str, schema: Mapping[str, Any], answer: str, wrong: str) -> str:
    """The prompt that tells the model what was wrong with its answer."""
    shown = answer if len(answer) <= _MOST_REPEATED else answer[:_MOST_REPEATED] + " ..."
    return with_schema(f"{prompt}\n\nYou answered:\n{shown}\n\nThat cannot be used: {wrong}.", schema)


def written(schema: Mapping[str, Any]) -> str:
    return json.dumps(schema, ensure_ascii=False, separators=(",", ":"))


def without_thought(text: str) -> str:
    return _THOUGHT.sub("", text, count=1)


def object_in(text: str) -> dict[str, Any]:
    """The one JSON object of an answer, or Unreadable."""
    text = without_thought(text)
    start = text.find("{")
    if start < 0:
        raise Unreadable("it holds no JSON object")
    before = text[:start].rstrip()
    if before.endswith(("[", ",")):
        raise Unreadable("it must be one JSON object, not a list")
    try:
        value, end = _DECODER.raw_decode(text, start)
        # Half a surrogate pair passes as an escape, and is no Unicode.
        json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        what = error.msg.removesuffix(" at")
        raise Unreadable(f"it is no JSON: {what} at character {error.pos - start + 1}") from None
    except UnicodeEncodeError:
        raise Unreadable("it holds half a surrogate pair, which is no text") from None
    except RecursionError:
        raise Unreadable("it is nested too deep") from None
    except ValueError as error:
        raise Unreadable(str(error) if type(error) is _Strict else "it holds a number that is too long") from None
    after = text[end:].strip()
    if after and not (after == _FENCE and _FENCE in before):
        raise Unreadable("something follows the JSON object")
    found: dict[str, Any] = value
    return found


class _Strict(ValueError):
    pass


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise _Strict("it has the same key twice in one object")
    return made


def _constant(name: str) -> Any:
    raise _Strict("it holds NaN or infinity, which JSON does not know")


def _float(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise _Strict("it holds a number that is too large")
    return number


_DECODER = json.JSONDecoder(object_pairs_hook=_pairs, parse_constant=_constant, parse_float=_float)
