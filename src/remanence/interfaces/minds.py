"""The minds of a server: one a namespace, opened when it is first asked for, closed when it has long been idle.

Namespaces come from outside, so their number is bounded: beyond it the one that has been idle longest is closed, never
one that is in use.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from remanence.errors import InvalidInput, StoreUnavailable
from remanence.model import checks

if TYPE_CHECKING:
    from remanence.mind import Mind

MOST = 64


class Minds:
    """The minds of one store."""

    def __init__(self, location: str | Path | None = None, settings: Any = None, most: int = MOST) -> None:
        self._location = location
        self._settings = settings
        self._most = most
        self._turn = threading.Lock()
        self._opening: dict[str, threading.Lock] = {}
        self._minds: dict[str, Mind] = {}  # the one used last is last
        self._uses: dict[str, int] = {}
        self._closed = False

    @contextmanager
    def use(self, namespace: str) -> Iterator[Mind]:
        """The mind of a namespace, which stays open meanwhile."""
        if problems := checks.string_problems(namespace, "namespace"):
            raise InvalidInput(problems)
        mind = self._taken(namespace)
        try:
            yield mind
        finally:
            with self._turn:
                self._uses[namespace] -= 1

    def open(self) -> tuple[str, ...]:
        """The namespaces that are open now."""
        with self._turn:
            return tuple(self._minds)

    def close(self) -> None:
        """Close all of them; what is asked for afterwards is refused."""
        with self._turn:
            self._closed = True
            minds = list(self._minds.values())
            self._minds.clear()
        for mind in minds:
            mind.close()

    def _taken(self, namespace: str) -> Mind:
        with self._turn:
            if (mind := self._known(namespace)) is not None:
                return mind
            opening = self._opening.setdefault(namespace, threading.Lock())
        with opening:  # one opens; those who ask meanwhile wait for it, and nobody else
            with self._turn:
                if (mind := self._known(namespace)) is not None:
                    return mind
                idle = self._room()
            if idle is not None:
                idle.close()
            from remanence.mind import Mind

            made = Mind(self._location, namespace=namespace, settings=self._settings)
            with self._turn:
                self._opening.pop(namespace, None)
                if self._closed:
                    made.close()
                    raise StoreUnavailable("The server is stopping. Ask again when it is back")
                self._minds[namespace] = made
                self._uses[namespace] = 1
                return made

    def _known(self, namespace: str) -> Mind | None:
        if self._closed:
            raise StoreUnavailable("The server is stopping. Ask again when it is back")
        mind = self._minds.pop(namespace, None)
        if mind is not None:
            self._minds[namespace] = mind
            self._uses[namespace] += 1
        return mind

    def _room(self) -> Mind | None:
        """A mind to close, where there are as many as there may be."""
        if len(self._minds) < self._most:
            return None
        for namespace in self._minds:
            if not self._uses[namespace]:
                del self._uses[namespace]
                return self._minds.pop(namespace)
        raise StoreUnavailable(f"{self._most} namespaces are in use at once, which is the limit. Ask again in a moment")
