"""Values as JSON and errors as codes, the same through every door.

Two forms of an answer: `to_json` is for people and scripts (what each value's to_dict tells); `encoded` is for the
client, which makes the same value of it again: every field by its name, texts and numbers in an object of their own,
lists under `items`.
"""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import StrEnum
from operator import attrgetter
from typing import Any

from remanence import errors
from remanence.model.action import Crystals
from remanence.model.hit import Absorbed, Hit, Hits, Remembered
from remanence.model.memory import Memory, plain
from remanence.model.plan import Receipt

# The first class an error is an instance of decides.
EXIT_CODES: tuple[tuple[type[BaseException], int], ...] = (
    (errors.NotFound, 3),
    (errors.InvalidInput, 2),
    (errors.RemanenceError, 1),
)
STATUSES: tuple[tuple[type[BaseException], int], ...] = (
    (errors.NotFound, 404),
    (errors.InvalidInput, 422),
    (errors.Unauthorized, 401),
    (errors.Forbidden, 403),
    (errors.Conflict, 409),
    (errors.PlanRefused, 409),
    (errors.LeaseLost, 409),
    (errors.LlmSpent, 429),
    (errors.LlmFailed, 502),
    (errors.EmbedderFailed, 502),
    (errors.StoreFull, 507),
    (errors.StoreError, 503),
    (errors.RemanenceError, 500),
)
MOST_CHANGES = 1_000
"""A receipt with more changes than this is sent without them; its ids are there all the same."""
_AS_IT_IS = frozenset((str, int, float, bool, type(None)))
_BEYOND: dict[type, tuple[str, ...]] = {Memory: ("trust",), Hit: (), Remembered: ()}
"""What most answers are made of, and what to_dict tells of each beyond its fields; of others it is asked every time."""
_NAMES = {kind: tuple(one.name for one in fields(kind)) + more for kind, more in _BEYOND.items()}
_VALUES = {kind: attrgetter(*names) for kind, names in _NAMES.items()}


def exit_code(error: BaseException) -> int:
    """0 done, 1 failed, 2 bad input, 3 not found."""
    return next((code for kind, code in EXIT_CODES if isinstance(error, kind)), 1)


def status(error: BaseException) -> int:
    """The HTTP status an error goes by."""
    return next((code for kind, code in STATUSES if isinstance(error, kind)), 500)


def to_json(value: Any, *, indent: int | None = None) -> str:
    """One JSON document for any answer of a verb."""
    return json.dumps(plain(value), ensure_ascii=False, indent=indent, default=str)


def encoded(answer: Any) -> dict[str, Any] | None:
    """An answer as one JSON object; None for none."""
    if answer is None:
        return None
    if isinstance(answer, str):
        return {"text": answer}
    if isinstance(answer, int):
        return {"count": int(answer)}
    if isinstance(answer, Crystals):
        return {"items": [_whole(one) for one in answer], "left_out": dict(answer.left_out)}
    whole = _whole(answer)
    return {"items": whole} if isinstance(whole, list) else whole


def _whole(value: Any) -> Any:
    kind = type(value)
    if kind in _AS_IT_IS:
        return value
    if kind in _NAMES:
        pairs = zip(_NAMES[kind], _VALUES[kind](value), strict=True)
        return {name: item if type(item) in _AS_IT_IS else _whole(item) for name, item in pairs}
    if kind is datetime:
        return value.isoformat()
    if kind is tuple or kind is list:
        return [_whole(item) for item in value]
    if kind is dict:
        return {str(key): _whole(item) for key, item in value.items()}
    if isinstance(value, StrEnum):
        return value.value
    if isinstance(value, Hits):
        return {"hits": [_whole(hit) for hit in value], "missed": _whole(value.missed), "notes": list(value.notes)}
    if isinstance(value, Absorbed):
        made = [_whole(one) for one in value]
        return {"remembered": made, "extraction": _whole(value.extraction), "receipt_id": value.receipt_id}
    if isinstance(value, Receipt) and len(value.changes) > MOST_CHANGES:
        return value.to_dict()
    if is_dataclass(value) and not isinstance(value, type):
        from remanence.model.policy import Policy  # a heavy module, which most answers do not need

        if isinstance(value, Policy):
            return value.to_dict()
        told = value.to_dict() if hasattr(value, "to_dict") else {}
        return told | {one.name: _whole(getattr(value, one.name)) for one in fields(value)}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_whole(item) for item in value]
    if isinstance(value, dict) or hasattr(value, "items"):
        return {str(key): _whole(item) for key, item in value.items()}
    return plain(value)


def shortened(value: Any, longest: int) -> Any:
    """The same answer with every `text` cut to so many characters; beside one that was cut, `cut` has its length.

    What callers put into metadata is theirs, whatever its names are.
    """
    if isinstance(value, list):
        return [shortened(item, longest) for item in value]
    if not isinstance(value, dict):
        return value
    told = {name: item if name == "metadata" else shortened(item, longest) for name, item in value.items()}
    text = told.get("text")
    return told | {"text": text[:longest], "cut": len(text)} if isinstance(text, str) and len(text) > longest else told
