"""Names and reasons that stand in nearly every row of the journal, written short: of what an archived memory takes
they were a tenth. What is not listed stands as it is, and rows from before this was done read as they always did.

The list only grows: a letter that was given to a name stays with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

SHORT = {
    "age_days": "a",
    "effective_importance": "e",
    "idle_days": "i",
    "importance": "m",
    "relevance": "v",
    "retention": "r",
    "score": "c",
    "state": "z",
    "layer": "l",
    "surprise": "s",
    "tokens": "t",
    "worth": "w",
}
REASONS = {"asked": "a", "faded": "f", "surprise": "s"}
_LONG = {short: name for name, short in SHORT.items()}
_LONG_REASONS = {short: reason for reason, short in REASONS.items()}
_AS_IT_IS = "="


def shortened(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values under the names that are stored: {"worth": 0.3, "cosine": 0.9} → {"w": 0.3, "cosine": 0.9}."""
    return {_stored(name, SHORT, _LONG): value for name, value in values.items()}


def spelled(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values under their own names again."""
    return {_given(name, _LONG): value for name, value in values.items()}


def shortened_reason(reason: str) -> str:
    """A reason as it is stored."""
    return _stored(reason, REASONS, _LONG_REASONS)


def spelled_reason(reason: str) -> str:
    """A reason as it was given."""
    return _given(reason, _LONG_REASONS)


def _stored(name: str, short: Mapping[str, str], long: Mapping[str, str]) -> str:
    return short.get(name) or (_AS_IT_IS + name if name in long or name.startswith(_AS_IT_IS) else name)


def _given(name: str, long: Mapping[str, str]) -> str:
    return long.get(name) or name.removeprefix(_AS_IT_IS)
