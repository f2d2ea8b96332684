"""AsyncMind: Mind for programs with an event loop. Every method is a coroutine that runs on a thread of its own pool.

There is no second logic: the methods are made of Mind's, and what they do is Mind's. The store is opened by the first
call (or by `async with`), on a thread too. A task that is cancelled stops waiting, and what it asked for is still done:
a store is never left half-way. Types are in aio.pyi, which `tests/architecture/test_async_stub.py --write` makes.
"""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial, wraps
from typing import Any

from remanence.errors import StoreUnavailable
from remanence.facets.absorbing import Absorbing
from remanence.facets.actions import Actions
from remanence.facets.artifacts import Artifacts
from remanence.facets.dreaming import Dreams
from remanence.facets.entities import Entities
from remanence.facets.lessons import Lessons
from remanence.facets.meaning import Meaning
from remanence.facets.policies import Policies
from remanence.facets.review import Review
from remanence.facets.sessions import Sessions
from remanence.mind import Mind, is_address

FACETS: dict[str, type] = {
    "absorbing": Absorbing,
    "actions": Actions,
    "artifacts": Artifacts,
    "dreams": Dreams,
    "entities": Entities,
    "lessons": Lessons,
    "meaning": Meaning,
    "policies": Policies,
    "review": Review,
    "sessions": Sessions,
}
"""The parts of a mind with a name of their own, and the classes they are of."""
THREADS = 8
NOT_AWAITED = ("holding",)
"""What has no sense on another thread: it holds a store for the one that called it."""


class AsyncMind:
    """A memory that knows how to forget, awaited; arguments as for Mind.

    Tasks may share one, and event loops too. A progress callback is called on the thread that works.
    """

    def __new__(cls, location: Any = None, **like_mind: Any) -> AsyncMind:
        if cls is AsyncMind and is_address(location):
            from remanence.client import AsyncClient

            return object.__new__(AsyncClient)
        return object.__new__(cls)

    def __init__(self, location: Any = None, **like_mind: Any) -> None:
        inspect.signature(Mind.__init__).bind(self, location, **like_mind)
        self._open = partial(Mind, location, **like_mind)
        self._mind: Mind | None = None
        self._closed = False
        self._turn, self._opening = threading.Lock(), threading.Lock()
        self._threads = ThreadPoolExecutor(THREADS, "remanence-async")
        for name in FACETS:
            setattr(self, name, _FACETS[name](self._run))

    async def __aenter__(self) -> AsyncMind:
        await self._run(lambda mind: None)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Finish what runs, write what is pending, and close; calling it again does nothing."""
        await asyncio.to_thread(self._close)

    @property
    def namespace(self) -> str:
        return self._opened().namespace

    @property
    def settings(self) -> Any:
        return self._opened().settings

    @property
    def clock(self) -> Any:
        return self._opened().clock

    async def _run(self, work: Callable[[Mind], Any]) -> Any:
        future: Future[Any]
        with self._turn:
            if self._closed:
                raise StoreUnavailable("This store is closed; open a new AsyncMind")
            future = self._threads.submit(contextvars.copy_context().run, lambda: work(self._opened()))
        return await asyncio.wrap_future(future)

    def _opened(self) -> Mind:
        with self._opening:
            if self._mind is None:
                self._mind = self._open()
            return self._mind

    def _close(self) -> None:
        with self._turn:
            self._closed = True
        self._threads.shutdown(wait=True)  # a store is not closed under a call that runs
        with self._opening:
            if self._mind is not None:
                self._mind.close()


def _verb(function: Callable[..., Any], facet: str | None = None) -> Callable[..., Any]:
    """A method of Mind, or of a facet, as a coroutine."""
    name = function.__name__

    @wraps(function)
    async def method(self: Any, *positional: Any, **named: Any) -> Any:
        def work(mind: Mind) -> Any:
            owner = mind if facet is None else getattr(mind, facet)
            return getattr(owner, name)(*positional, **named)

        return await self._run(work)

    return method


def _property(facet: str, name: str, doc: str | None) -> property:
    """A property of a facet, which may have to ask the store: what it gives is awaited."""

    def read(self: Any) -> Any:
        return self._run(lambda mind: getattr(getattr(mind, facet), name))

    return property(read, doc=doc)


def _members(owner: type, kind: Callable[[Any], bool]) -> list[tuple[str, Any]]:
    return [(name, one) for name, one in inspect.getmembers(owner, kind) if not name.startswith("_")]


def _facet(name: str, facet: type) -> type:
    def __init__(self: Any, run: Callable[..., Any]) -> None:
        self._run = run

    own = {"__slots__": ("_run",), "__init__": __init__, "__doc__": facet.__doc__, "__module__": __name__}
    verbs = {one: _verb(function, name) for one, function in _members(facet, inspect.isfunction)}
    properties = {
        one: _property(name, one, found.__doc__)
        for one, found in _members(facet, lambda member: isinstance(member, property))
    }
    return type(f"Async{facet.__name__}", (), {**own, **verbs, **properties})


for _name, _function in _members(Mind, inspect.isfunction):
    if _name not in vars(AsyncMind) and _name not in NOT_AWAITED:
        setattr(AsyncMind, _name, _verb(_function))
_FACETS: dict[str, type] = {name: _facet(name, facet) for name, facet in FACETS.items()}
globals().update({facet.__name__: facet for facet in _FACETS.values()})
