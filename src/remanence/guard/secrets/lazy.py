"""Patterns that are compiled when they are first used: most texts need few of them, and a start should cost nothing."""

from __future__ import annotations

import re
from typing import Any, cast


class _Lazy:
    """Stands for a pattern until one of its methods is asked for; from then on holds them itself."""

    def __init__(self, source: str, flags: int) -> None:
        self._source, self._flags = source, flags

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(self._source, self._flags)
        for method in ("match", "fullmatch", "search", "finditer", "findall", "split", "sub"):
            self.__dict__[method] = getattr(compiled, method)
        return getattr(compiled, name)


def lazy(source: str, flags: int = 0) -> re.Pattern[str]:
    """A pattern that is not compiled yet."""
    return cast("re.Pattern[str]", _Lazy(source, flags))
