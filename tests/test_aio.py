"""AsyncMind: Mind on threads. What it answers is compared in tests/client/test_parity.py; here is how it waits."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from remanence import AsyncMind, Mind
from remanence.client import AsyncClient
from remanence.errors import InvalidInput, NotFound, StoreUnavailable
from tests.conftest import Clock, Entropy

QUIET = {"upkeep.on_open": False}


def options(**more: Any) -> dict[str, Any]:
    return {"clock": Clock(), "entropy": Entropy(), "namespace": "test", "embedder": False, "settings": QUIET, **more}


def test_the_readmes_verbs_awaited() -> None:
    async def story() -> None:
        async with AsyncMind(":memory:", **options()) as mind:
            made = await mind.remember("The staging server stands in Dublin", scope="/shop")
            assert made.memory is not None
            hits = await mind.recall("staging server")
            assert [hit.memory.id for hit in hits] == [made.memory.id]
            receipt = await mind.forget(scope="/shop")
            await mind.undo(receipt.id)
            assert (await mind.policies.current).name == "balanced"
            assert (await mind.meaning.model, await mind.meaning.waiting) == (None, 1)
            assert await mind.review.list() == []
            assert mind.namespace == "test" and mind.settings.upkeep__on_open is False
            assert mind.clock() is not None
            with pytest.raises(NotFound):
                await mind.get("nothing")
            with pytest.raises(TypeError):
                await mind.recall("x", nonsense=1)  # type: ignore[call-arg]

    asyncio.run(story())


def test_arguments_are_minds_and_wrong_ones_are_told_at_once() -> None:
    with pytest.raises(TypeError, match="nonsense"):
        AsyncMind(":memory:", nonsense=1)  # type: ignore[call-arg]

    async def bad() -> None:
        async with AsyncMind(":memory:", **options(policy="no such policy")):
            raise AssertionError("opened")

    with pytest.raises(InvalidInput, match="no such policy"):
        asyncio.run(bad())


def test_an_address_gives_a_client() -> None:
    mind = AsyncMind("http://127.0.0.1:7411", namespace="work", settings={"client.token": "t"})
    assert type(mind) is AsyncClient and mind.namespace == "work"


class Held:
    """A clock that waits until it is let go, so that a call can be met while it runs."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.holds = False
        self.begun, self.go = threading.Event(), threading.Event()

    def __call__(self) -> Any:
        if self.holds:
            self.begun.set()
            assert self.go.wait(30)
        return self.clock()


async def reached(event: threading.Event) -> None:
    assert await asyncio.to_thread(event.wait, 30)


def with_held(story: Callable[[AsyncMind, Held], Any], location: Any = ":memory:") -> None:
    async def run() -> None:
        held = Held()
        mind = AsyncMind(location, **options(clock=held))
        try:
            await mind.remember("Before")
            await asyncio.wait_for(story(mind, held), 60)
        finally:
            held.go.set()
            await mind.close()

    asyncio.run(run())


def test_a_call_that_takes_long_holds_nobody_up() -> None:
    async def story(mind: AsyncMind, held: Held) -> None:
        held.holds = True
        task = asyncio.create_task(mind.remember("Slow"))
        await reached(held.begun)
        held.holds = False
        assert await mind.count() == 1  # the loop turns, and another thread reads
        held.go.set()
        assert (await task).outcome == "added"

    with_held(story)


def test_a_task_that_is_cancelled_breaks_nothing() -> None:
    async def story(mind: AsyncMind, held: Held) -> None:
        held.holds = True
        task = asyncio.create_task(mind.remember("Asked for, and not waited for"))
        await reached(held.begun)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        held.holds = False
        held.go.set()
        while await mind.count() < 2:
            await asyncio.sleep(0.01)
        assert (await mind.check()).ok

    with_held(story)


def test_closing_waits_for_what_runs(tmp_path: Path) -> None:
    async def story(mind: AsyncMind, held: Held) -> None:
        held.holds = True
        task = asyncio.create_task(mind.remember("Still running"))
        await reached(held.begun)
        held.holds = False
        closing = asyncio.create_task(mind.close())
        done, _ = await asyncio.wait([closing], timeout=0.2)
        assert not done
        with pytest.raises(StoreUnavailable, match="closed"):
            await mind.count()
        held.go.set()
        await closing
        assert (await task).memory is not None
        await mind.close()

    with_held(story, tmp_path / "memory.db")
    with Mind(tmp_path / "memory.db", **options()) as mind:
        assert mind.count() == 2


def test_one_that_was_never_opened_stays_closed(tmp_path: Path) -> None:
    async def story() -> None:
        mind = AsyncMind(tmp_path / "memory.db", **options())
        await mind.close()
        with pytest.raises(StoreUnavailable, match="closed"):
            await mind.count()

    asyncio.run(story())
    assert not (tmp_path / "memory.db").exists()


def test_many_tasks_and_several_loops(tmp_path: Path) -> None:
    mind = AsyncMind(tmp_path / "memory.db", **options(clock=None, entropy=None))

    async def write(start: int) -> None:
        await asyncio.gather(*(mind.remember(f"Note {number} of {start}", scope=f"/{start}") for number in range(25)))

    for start in range(3):
        asyncio.run(write(start))

    async def end() -> int:
        async with mind:
            return await mind.count(state="all")

    assert asyncio.run(end()) == 75
