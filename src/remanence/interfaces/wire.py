"""Values as JSON and errors as codes, the same through every door."""

from __future__ import annotations

import json
from typing import Any

from remanence import errors
from remanence.model.memory import plain

# The first class an error is an instance of decides.
EXIT_CODES: tuple[tuple[type[BaseException], int], ...] = (
    (errors.NotFound, 3),
    (errors.InvalidInput, 2),
    (errors.RemanenceError, 1),
)


def exit_code(error: BaseException) -> int:
    """0 done, 1 failed, 2 bad input, 3 not found."""
    return next((code for kind, code in EXIT_CODES if isinstance(error, kind)), 1)


def to_json(value: Any, *, indent: int | None = None) -> str:
    """One JSON document for any answer of a verb."""
    return json.dumps(plain(value), ensure_ascii=False, indent=indent, default=str)
