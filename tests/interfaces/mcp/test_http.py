"""The door over streamable HTTP: grants, sessions that belong to them, progress, cancellation, notices."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest

from remanence import Mind
from remanence.interfaces.grants import Grant
from remanence.interfaces.minds import Minds
from remanence.model.plan import Plan
from tests.interfaces.mcp.support import ERAS, HELLO, PATIENCE, Served

SETTINGS = {"upkeep": {"on_open": False}}
GRANTS = {
    "all": Grant(namespace="one", name="all"),
    "a": Grant(namespace="one", scope="/project/a", name="a"),
    "b": Grant(namespace="one", scope="/project/b", name="b"),
    "reader": Grant(namespace="one", read_only=True, name="reader"),
    "two": Grant(namespace="two", name="two"),
}


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    minds = Minds(tmp_path / "a.db", settings=SETTINGS)
    with Served(minds, GRANTS) as served:
        yield served
    minds.close()


class Slow(Mind):
    """A mind whose dream takes as long as a test wants."""

    begun: threading.Event
    go_on: threading.Event
    ended: threading.Event

    def dream(self, scope: Any = None, steps: Any = None, *, progress: Any = None) -> Plan:
        try:
            for step in range(1000):
                if progress is not None:
                    progress(step, 1000)
                self.begun.set()
                if self.go_on.wait(0.02):
                    break
            return super().dream(scope, steps)
        finally:
            self.ended.set()


class SlowMinds(Minds):
    """One slow mind for everybody."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.mind = Slow(path, namespace="one", settings=SETTINGS, embedder=False)
        self.mind.begun, self.mind.go_on, self.mind.ended = threading.Event(), threading.Event(), threading.Event()

    @contextmanager
    def use(self, namespace: str) -> Iterator[Mind]:
        yield self.mind


@pytest.fixture
def slow(tmp_path: Path) -> Iterator[tuple[Served, Slow]]:
    minds = SlowMinds(tmp_path / "a.db")
    with Served(minds, GRANTS) as served:
        yield served, minds.mind
        minds.mind.go_on.set()
    minds.mind.close()


@pytest.mark.parametrize("era", ERAS)
def test_a_whole_conversation(era: str, served: Served) -> None:
    async def talk() -> None:
        async with served.client("all", era) as c:
            assert len((await c.list_tools()).tools) == 12
            made = (await c.call_tool("remember", {"text": "The gate opens at nine"})).structured_content
            found = (await c.call_tool("recall", {"query": "gate"})).structured_content
            assert [one["id"] for one in found["memories"]] == [made["id"]]
            assert found["memories"][0]["scope"] == "/"
            content = (await c.read_resource(f"memory://{made['id']}")).contents[0]
            assert "nine" in content.text
            assert next(str(one.uri) for one in (await c.list_resources()).resources) == "memory://root"
            assert "rem review" not in (await c.get_prompt("review")).messages[0].content.text
            wrong = await c.call_tool("recall", {"limit": "many"})
            assert wrong.is_error and wrong.structured_content["error"] == "invalid_input"

    asyncio.run(talk())


@pytest.mark.promise("S15")
@pytest.mark.parametrize("era", ERAS)
def test_grants_never_meet(era: str, served: Served) -> None:
    async def talk() -> None:
        ids = {}
        for token in ("a", "b", "two"):
            async with served.client(token, era) as c:
                made = await c.call_tool("remember", {"text": f"The key of {token} lies under the mat"})
                ids[token] = made.structured_content["id"]
        for token, own in ids.items():
            async with served.client(token, era) as c:
                found = (await c.call_tool("recall", {"query": "key under the mat"})).structured_content["memories"]
                assert [one["id"] for one in found] == [own]
                for other in set(ids.values()) - {own}:
                    for verb in ("explain", "pin", "promote"):
                        answer = await c.call_tool(verb, {"id": other})
                        assert answer.structured_content["error"] == "not_found"
                    for end in (other, other[-8:]):
                        with pytest.raises(Exception, match="no memory"):
                            await c.read_resource(f"memory://{end}")
        async with served.client("reader", era) as c:
            assert {tool.name for tool in (await c.list_tools()).tools}.isdisjoint({"remember", "forget", "pin"})
            found = (await c.call_tool("recall", {"query": "key under the mat"})).structured_content["memories"]
            assert {one["id"] for one in found} == {ids["a"], ids["b"]}
            assert (await c.call_tool("pin", {"id": ids["a"]})).structured_content["error"] == "forbidden"

    asyncio.run(talk())


@pytest.mark.promise("S15")
def test_a_session_is_not_there_for_another_grant(served: Served) -> None:
    async def talk() -> None:
        async with httpx2.AsyncClient(timeout=PATIENCE) as http:

            def headers(token: str, session: str | None = None) -> dict[str, str]:
                common = {"Authorization": f"Bearer {token}", "Accept": "application/json, text/event-stream"}
                return common if session is None else common | {"Mcp-Session-Id": session}

            hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO}
            opened = await http.post(served.url, json=hello, headers=headers("a"))
            session = opened.headers["mcp-session-id"]
            ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
            assert (await http.post(served.url, json=ready, headers=headers("a", session))).status_code == 202
            listing = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
            assert (await http.post(served.url, json=listing, headers=headers("a", session))).status_code == 200
            for token in ("b", "two", "all", "reader"):
                assert (await http.post(served.url, json=listing, headers=headers(token, session))).status_code == 404
                assert (await http.get(served.url, headers=headers(token, session))).status_code == 404
                assert (await http.delete(served.url, headers=headers(token, session))).status_code == 404
            assert (await http.post(served.url, json=listing, headers=headers("a", session))).status_code == 200
            assert (await http.delete(served.url, headers=headers("a", session))).status_code == 200
            assert (await http.post(served.url, json=listing, headers=headers("a", session))).status_code == 404

    asyncio.run(talk())


@pytest.mark.parametrize("era", ERAS)
def test_progress_is_told_and_a_ping_answered_while_a_dream_runs(era: str, slow: tuple[Served, Slow]) -> None:
    served, mind = slow

    async def talk() -> None:
        ticks: list[tuple[float, float | None]] = []

        async def tick(done: float, total: float | None, message: str | None) -> None:
            ticks.append((done, total))
            if len(ticks) >= 3:
                mind.go_on.set()

        async with served.client("all", era) as c:
            dreaming = asyncio.create_task(c.call_tool("dream", {}, progress_callback=tick))
            await asyncio.to_thread(mind.begun.wait, PATIENCE)
            assert (await c.call_tool("recall", {"query": "x"})).structured_content["memories"] == []
            if era == "legacy":
                await c.send_ping()
            assert not dreaming.done()
            assert (await dreaming).structured_content["verb"] == "dream"
        done = [one for one, _ in ticks]
        assert len(done) >= 3 and done == sorted(set(done)), "progress only grows"
        assert ticks[-1][0] == ticks[-1][1]

    asyncio.run(talk())


@pytest.mark.parametrize("era", ERAS)
def test_a_cancelled_dream_stops_and_applies_nothing(era: str, slow: tuple[Served, Slow]) -> None:
    served, mind = slow

    async def talk() -> None:
        async with served.client("all", era) as c:
            made = await c.call_tool("remember", {"text": "The moon is far"})
            before = len(mind.journal())
            with anyio.CancelScope() as scope:
                async with anyio.create_task_group() as group:

                    async def cancel() -> None:
                        await asyncio.to_thread(mind.begun.wait, PATIENCE)
                        scope.cancel()

                    group.start_soon(cancel)
                    await c.call_tool("dream", {"apply": True})
            assert scope.cancelled_caught
            assert await asyncio.to_thread(mind.ended.wait, PATIENCE), "it stops at its next tick"
            assert not mind.go_on.is_set()
            assert len(mind.journal()) == before
            assert made.structured_content["outcome"] == "added"

    asyncio.run(talk())


@pytest.mark.parametrize("era", ERAS)
def test_notices_reach_those_who_may_hear_them(era: str, served: Served) -> None:
    async def talk() -> None:
        heard: asyncio.Queue[Any] = asyncio.Queue()

        async def handler(message: Any) -> None:
            heard.put_nowait(message)

        async with served.client("all", era) as writer, served.client("a", era, message_handler=handler) as c:
            ids = {}
            for scope in ("/project/a", "/project/b"):
                said = {"text": f"The bell of {scope} rings", "scope": scope}
                ids[scope] = (await writer.call_tool("remember", said)).structured_content["id"]
            mine, others = (f"memory://{ids[scope]}" for scope in ("/project/a", "/project/b"))
            if era == "legacy":
                with pytest.raises(Exception, match="no memory"):
                    await c.subscribe_resource(others)
                await c.subscribe_resource(mine)
                await writer.call_tool("pin", {"id": ids["/project/b"]})
                await writer.call_tool("pin", {"id": ids["/project/a"]})
                assert (await asyncio.wait_for(heard.get(), 20)).params.uri == mine
                return
            async with c.listen(resource_subscriptions=[mine, others]) as events:
                await writer.call_tool("pin", {"id": ids["/project/b"]})
                await writer.call_tool("pin", {"id": ids["/project/a"]})
                event = await asyncio.wait_for(anext(aiter(events)), 20)
                assert event.uri == mine

    asyncio.run(talk())
