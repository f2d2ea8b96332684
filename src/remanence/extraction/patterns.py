"""Regular expressions that are compiled when they are first used: most texts need few of them."""

from __future__ import annotations

import re
from typing import Any, cast

_METHODS = ("match", "fullmatch", "search", "sub", "finditer", "findall", "split")


class _Pattern:
    def __init__(self, source: str, flags: int) -> None:
        self._made = (source, flags)

    def __getattr__(self, name: str) -> Any:
        if name not in _METHODS:
            raise AttributeError(name)
        compiled = re.compile(*self._made)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))  # from now on without a detour
        return getattr(compiled, name)


def pattern(source: str, flags: int = 0) -> re.Pattern[str]:
    """As `re.compile`, later."""
    return cast("re.Pattern[str]", _Pattern(source, flags))
