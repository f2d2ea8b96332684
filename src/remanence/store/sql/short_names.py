"""Names that stand in nearly every row of the journal, written short: of what an archived memory takes they were a
tenth. A name that is not listed stands as it is, and rows from before this was done read as they always did.

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
_LONG = {short: name for name, short in SHORT.items()}
_AS_IT_IS = "="


def shortened(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values under the names that are stored: {"worth": 0.3, "cosine": 0.9} → {"w": 0.3, "cosine": 0.9}."""
    return {_stored(name): value for name, value in values.items()}


def spelled(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values under their own names again."""
    return {_LONG.get(name) or name.removeprefix(_AS_IT_IS): value for name, value in values.items()}


def _stored(name: str) -> str:
    return SHORT.get(name) or (_AS_IT_IS + name if name in _LONG or name.startswith(_AS_IT_IS) else name)
