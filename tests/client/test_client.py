"""A client and a real server: plans, batches, files, events, threads, tokens."""

from __future__ import annotations

import asyncio
import json
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from remanence import Mind
from remanence.client import Client
from remanence.errors import (
    Forbidden,
    InvalidInput,
    NotFound,
    PlanOutOfDate,
    ServerFailed,
    StoreUnavailable,
    Unauthorized,
)
from remanence.interfaces.tokens import Tokens
from tests.client.conftest import Served, started, stopped

BIRDS = [{"text": f"Heron {number} was ringed in {number + 1900}", "scope": "/birds"} for number in range(30)]


def test_a_plan_is_applied_by_its_key(served: Served) -> None:
    with served.client(namespace="plans") as client:
        client.remember_many(BIRDS)
        plan = client.plan_forget(scope="/birds")
        assert plan.key is not None and len(plan) == 30
        receipt = client.apply(replace(plan, changes=plan.changes[3:5]))
        assert receipt.applied == tuple(change.memory_id for change in plan.changes[3:5])
        assert client.undo(receipt.id).applied
        assert len(client.apply(plan).applied) == 30


def test_a_purge_holds_to_the_plan_that_was_looked_at(served: Served) -> None:
    with served.client(namespace="purges") as client:
        client.remember_many(BIRDS)
        plan = client.plan_purge(scope="/birds")
        client.remember("Heron 31 came late", scope="/birds")
        with pytest.raises(PlanOutOfDate, match="1 memories more"):
            client.purge(scope="/birds", reason="moved", plan=plan)
        assert len(client.purge(scope="/birds", reason="moved", plan=client.plan_purge(scope="/birds")).purged) == 31
        with pytest.raises(InvalidInput, match="purge takes a Plan, not str"):
            client.purge(scope="/birds", reason="moved", plan="key")  # type: ignore[arg-type]


def test_a_plan_that_another_client_was_shown_is_applied_as_it_is(served: Served) -> None:
    with served.client(namespace="shown") as client, served.client(namespace="shown") as other:
        client.remember_many(BIRDS)
        plan = client.plan_forget(scope="/birds")
        assert len(other.apply(replace(plan, changes=plan.changes[:7])).applied) == 7
        assert client.count() == 23


DOES = (
    *("leads the API team", "joined in May", "prefers Go over Rust", "works from Lisbon", "reviews every migration"),
    *("wrote the billing service", "is on call in July", "mentors two interns", "likes short meetings"),
    *("owns the deploy script", "speaks Portuguese", "cycles to the office"),
)


def test_claims_of_a_dream_are_chosen_here(served: Served) -> None:
    with served.client(namespace="claims") as client:
        client.remember_many([f"{name} {what}" for name in ("Maria Lopez", "Tomas Berg") for what in DOES])
        client.meaning.reembed()
        plan = client.dream(steps=["cards"])
        assert len(plan.claims) == 2
        one = plan.only([plan.claims[0].key])
        receipt = client.apply(one)
        assert set(receipt.applied) == {change.memory_id for change in one}
        assert client.get(plan.claims[0].made[0]).lineage
        with pytest.raises(NotFound):
            client.get(plan.claims[1].made[0])


def test_plans_that_the_server_did_not_make_are_refused(served: Served) -> None:
    with served.client(namespace="refused") as client:
        client.remember_many(BIRDS[:3])
        plan = client.plan_forget(scope="/birds")
        for bad, why in (
            (replace(plan, key=None), "not made by the server"),
            (
                replace(plan, changes=(replace(plan.changes[0], reason="other"),)),
                "that the server did not make",
            ),
            ("r1", "apply takes a Plan, not str"),
        ):
            with pytest.raises(InvalidInput, match=why):
                client.apply(bad)  # type: ignore[arg-type]
        with pytest.raises(NotFound, match="Make a new one"):
            client.apply(replace(plan, key="unknown"))
        assert client.count() == 3


def test_many_are_sent_in_pieces_and_none_if_one_is_wrong(served: Served) -> None:
    many = [f"Ring {number} is on a heron of colony {number % 7}" for number in range(1_010)]
    with served.client(namespace="many") as client:
        with pytest.raises(InvalidInput, match=r"item 1009: kind must be text"):
            client.remember_many([*many[:-1], {"text": many[-1], "kind": 5}])
        assert client.count() == 0
        made = client.remember_many(iter(many))
        assert [one.memory.text for one in made if one.memory] == many
        assert client.count(state="all") == 1_010


def test_pieces_are_no_larger_than_a_server_takes(served: Served) -> None:
    words = " ".join(f"word{number}" for number in range(60_000))
    with served.client(namespace="large") as client:
        assert len(client.remember_many([f"{number} {words}" for number in range(4)])) == 4


def test_items_of_a_batch_may_have_moments(served: Served) -> None:
    then = datetime(2026, 1, 5, tzinfo=UTC)
    with served.client(namespace="moments") as client:
        (made,) = client.remember_many([{"text": "Said then", "created_at": then}])
        assert made.memory is not None and made.memory.created_at == then


@pytest.mark.parametrize("span", ["30d", "10d", "12h", "6m", "100w"])
def test_spans_as_people_write_them(served: Served, span: str) -> None:
    with served.client(namespace="spans") as client:
        assert client.remember(f"Holds for {span}", ttl=span).memory is not None


def test_an_export_is_the_embedded_minds(served: Served, tmp_path: Path) -> None:
    with served.client(namespace="files") as client, Mind(served.db, namespace="files") as mind:
        client.remember_many(BIRDS)
        client.forget(scope="/birds", query="heron 7")
        for name in ("all.jsonl", "all.md"):
            (tmp_path / "here").mkdir(exist_ok=True)
            assert client.export(tmp_path / name) == mind.export(tmp_path / "here" / name)
            assert (tmp_path / name).read_bytes() == (tmp_path / "here" / name).read_bytes()
        assert client.export(tmp_path / "plain", format="markdown", progress=print) == 29
        with pytest.raises(InvalidInput, match="is not one of jsonl, markdown"):
            client.export(tmp_path / "x", format="pdf")
        with pytest.raises(InvalidInput, match="not a file"):
            client.export(tmp_path)
        with pytest.raises(StoreUnavailable, match="cannot be written"):
            client.export(tmp_path / "no such folder" / "x")


def test_an_import_is_the_embedded_minds(served: Served, tmp_path: Path) -> None:
    with Mind(tmp_path / "other.db", namespace="there") as mind:
        mind.remember_many(BIRDS)
        mind.export(tmp_path / "all.jsonl")
    with served.client(namespace="imported") as client:
        assert client.import_(tmp_path / "all.jsonl").added == 30
        again = client.import_(tmp_path / "all.jsonl", progress=print)
        assert (again.read, again.added, again.present, again.receipt_id) == (30, 0, 30, None)
        (tmp_path / "bad.jsonl").write_text('{"id": 1}\n')
        with pytest.raises(InvalidInput, match="line 1"):
            client.import_(tmp_path / "bad.jsonl")
        with pytest.raises(InvalidInput, match="cannot be read: No such file"):
            client.import_(tmp_path / "none.jsonl")

    async def awaited() -> int:
        async with served.async_client(namespace="awaited import") as other:
            return (await other.import_(tmp_path / "all.jsonl")).added

    assert asyncio.run(awaited()) == 30


def test_events_come_as_they_happen_and_after_a_restart(tmp_path: Path) -> None:
    first = started(tmp_path / "memory.db", tmp_path)
    running = first
    try:
        with first.client() as client:
            client.remember("Before anybody listened")
            start = client.journal(1)[0].place
            seen: list[str] = []
            three, enough = threading.Event(), threading.Event()

            def listen() -> None:
                with first.client() as listener:
                    for entry in listener.events(after=start):
                        seen.append(entry.place)
                        assert entry.memory_id
                        if len(seen) == 3:
                            three.set()
                        if len(seen) == 5:
                            enough.set()
                            return

            thread = threading.Thread(target=listen, daemon=True)
            thread.start()
            client.remember_many(BIRDS[:3])
            assert three.wait(30)
            stopped(first)
            running = started(tmp_path / "memory.db", tmp_path, int(first.url.rpartition(":")[2]))
            client.remember("After the restart")
            client.remember("And another one of it")
            assert enough.wait(60)
            thread.join(10)
            assert seen == [entry.place for entry in client.journal(5, after=start)]
    finally:
        stopped(running)


def test_threads_share_a_client(served: Served) -> None:
    with served.client(namespace="threads") as client:

        def write(worker: int) -> list[str]:
            made = [client.remember(f"Worker {worker} wrote line {n}", scope=f"/w{worker}") for n in range(10)]
            assert len(client.list(f"/w{worker}", "all")) == 10
            return [one.memory.id for one in made if one.memory]

        with ThreadPoolExecutor(8) as pool:
            ids = [id for worker in pool.map(write, range(8)) for id in worker]
        assert len(set(ids)) == client.count(state="all") == 80


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_fork_has_connections_of_its_own(served: Served) -> None:
    with served.client(namespace="forked") as client:
        client.remember("Known to both")
        child = os.fork()
        if child == 0:
            os._exit(0 if client.count() == 1 and client.count(state="all") == 1 else 1)
        counts = {client.count() for _ in range(20)}
        assert counts == {1}
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_tasks_and_loops_share_a_client(served: Served) -> None:
    client = served.async_client(namespace="tasks")

    async def write(start: int) -> list[Any]:
        return await asyncio.gather(*(client.remember(f"Task {n} wrote this") for n in range(start, start + 20)))

    made = [*asyncio.run(write(0)), *asyncio.run(write(20))]
    assert len({one.memory.id for one in made}) == 40

    async def end() -> int:
        async with client:
            return await client.count()

    assert asyncio.run(end()) == 40


def test_a_task_that_is_cancelled_leaves_a_client_that_works(served: Served) -> None:
    async def story() -> int:
        async with served.async_client(namespace="cancelled") as client:
            await client.remember("Here already")
            for _ in range(5):
                task = asyncio.create_task(client.recall("here"))
                await asyncio.sleep(0)
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task
            return await client.count()

    assert asyncio.run(story()) == 1


def test_who_may_do_what(served: Served) -> None:
    tokens = Tokens(served.db)
    reader, _ = tokens.create("reader", namespace="guests", scope="/open", read_only=True)
    with served.client(namespace="guests") as owner:
        secret = owner.remember("Not for guests", scope="/closed").memory
        owner.remember("For guests", scope="/open")
    with Client(served.url, token=reader) as guest:
        assert [memory.text for memory in guest.list()] == ["For guests"]
        assert secret is not None
        with pytest.raises(NotFound):
            guest.get(secret.id)
        with pytest.raises(Forbidden, match="only read"):
            guest.remember("Mine")
        with pytest.raises(Forbidden):
            guest.stats()
    with Client(served.url, token="rem_00000000_wrong") as nobody, pytest.raises(Unauthorized, match="token"):
        nobody.count()
    with Client(served.url, token=reader, namespace="default") as elsewhere, pytest.raises(Forbidden):
        elsewhere.count()


def test_the_namespace_is_told(served: Served) -> None:
    with served.client() as client:
        assert client.namespace == "default"
    with Client(served.url, token=Tokens(served.db).create("bound", namespace="bound")[0]) as bound:
        assert bound.namespace == "bound"

    async def awaited() -> str:
        async with served.async_client(namespace="asked") as client:
            return client.namespace

    assert asyncio.run(awaited()) == "asked"


def test_hostile_texts_come_back_as_they_were(served: Served) -> None:
    texts = ["\u202e right to left", "a\u2028b\r\nc", "{}", "</memories>", "💡" * 1000, "%2e%2e/\\"]
    with served.client(namespace="texts") as client:
        for text in texts:
            made = client.remember(text, metadata={"same": text, "n": 1e300})
            assert made.memory is not None and client.get(made.memory.id).text == text
        for bad in ("", "\x00", "\ud800", "  "):
            with pytest.raises(InvalidInput):
                client.remember(bad)


def test_a_server_that_went_away(tmp_path: Path) -> None:
    running = started(tmp_path / "memory.db", tmp_path)
    try:
        with running.client() as client:
            client.remember("Here")
            running.process.kill()
            running.process.wait()
            with pytest.raises(ServerFailed, match="rem serve"):
                client.recall("here")
            again = started(tmp_path / "memory.db", tmp_path, int(running.url.rpartition(":")[2]))
            assert len(client.recall("here")) == 1
            stopped(again)
    finally:
        stopped(running)


def test_answers_are_json_all_the_way(served: Served) -> None:
    with served.client(namespace="json") as client:
        hit = client.remember("Plain values").memory
        assert hit is not None and json.dumps(hit.to_dict())
