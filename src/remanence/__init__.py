"""remanence: memory for AI agents that knows how to forget."""

from __future__ import annotations

from remanence import errors

TYPE_CHECKING = False  # as in typing, which takes longer to load than a hook may
if TYPE_CHECKING:
    from typing import Any

    from remanence.aio import AsyncMind
    from remanence.mind import Mind

__version__ = "0.1.0"
__all__ = ["AsyncMind", "Mind", "__version__", "errors"]


def __getattr__(name: str) -> Any:
    if name == "Mind":
        from remanence.mind import Mind

        return Mind
    if name == "AsyncMind":
        from remanence.aio import AsyncMind

        return AsyncMind
    raise AttributeError(name)
