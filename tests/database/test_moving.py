"""A namespace moves into another store with all it is, also while it is written to, and can go on where it stopped."""

import json
import threading
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from remanence import Mind
from remanence.errors import InvalidInput
from remanence.model.session import Observation
from remanence.opening import move
from remanence.settings import Settings
from remanence.store.sql.moving import move as moving
from tests.activity import be_there
from tests.conftest import START, Clock, new_mind
from tests.embedders import Toy
from tests.interfaces.doors import typed

SETTINGS = Settings(upkeep__on_open=False, namespace="test")


def lived(location: str | Path, clock: Clock, namespace: str = "test") -> dict[str, str]:
    """A namespace with a past; the ids of some of its memories."""
    with new_mind(location, clock, namespace=namespace, embedder=Toy()) as mind:
        heron = mind.remember("The heron nests by the lake", categories=("bird",), files=("src/a.py",), key="heron")
        for number in range(30):
            mind.remember(f"Note {number} tells about the lake and place {number}")
        gone = mind.remember("A purged sentence about the quiet pond")
        mind.purge(ids=[gone.memory.id], reason="test")
        deploy = mind.remember("The deploy server is at 10.0.0.1")
        mind.revise(deploy.memory.id, text="The deploy server is at 10.0.0.2")
        clock.advance(days=1)
        mind.recall("heron lake")
        mind.pin(heron.memory.id)
        mind.undo(mind.forget(categories=["bird"]).id)
        mind.policies.use("halflife")
        mind._store.sessions.begin("s1", "/office/api", "test", START)
        told = [Observation(role="user", text=f"said {number}", at=START, key=f"k{number}") for number in range(5)]
        mind._store.sessions.append("s1", told, "hook")
        mind._store.weighed(clock())
        be_there(mind, START - timedelta(days=7))
        mind.upkeep()
        return {"heron": heron.memory.id, "deploy": deploy.memory.id, "gone": gone.memory.id}


def told(location: str | Path, clock: Clock, namespace: str = "test") -> dict[str, Any]:
    """All that a mind tells of a namespace."""
    with new_mind(location, clock, namespace=namespace, embedder=Toy()) as mind:
        assert mind.check().problems == ()
        every = mind.list(state="all", limit=1000)
        return {
            "memories": {one.id: one.to_dict() for one in every},
            "order": [one.id for one in every],
            "journal": [entry.to_dict() for entry in mind.journal(limit=1000)],
            "histories": {one.id: [entry.to_dict() for entry in mind.history(one.id)] for one in every},
            "keyed": mind._store.keyed("heron"),
            "recalled": [hit.memory.id for hit in mind.recall("heron lake", reinforce=False)],
            "explained": mind.explain(every[0].id).to_dict() if every else None,
            "sessions": [one.to_dict() for one in mind._store.sessions.listed()],
            "observed": [one for page in mind._store.sessions.observations("s1") for one in page],
            "policy": mind.policies.current.name,
            "lived": mind._store.in_force(clock())[1],
            "vectors": mind._store.meanings.models(),
        }


@pytest.mark.promise("R23")
def test_there_and_back_it_is_the_same(url: str, tmp_path: Path, clock: Clock) -> None:
    first, back = tmp_path / "first.db", tmp_path / "back.db"
    ids = lived(first, clock)
    before = told(first, clock)
    (there,) = move(str(first), url, None, SETTINGS)
    assert there.rows["memories"] == len(before["memories"])
    assert told(url, clock) == before
    (home,) = move(url, str(back), None, SETTINGS)
    assert told(back, clock) == before
    assert home.hashes == there.hashes
    for location in (url, back):
        with new_mind(location, clock, embedder=Toy()) as mind:
            assert mind.remember("A purged sentence about the quiet pond").outcome == "blocked"
            assert mind.remember("The heron nests by the lake", key="heron").memory.id == ids["heron"]
            receipt = mind.forget(ids=[ids["heron"]])
            assert mind.undo(receipt.id).applied == (ids["heron"],)
            assert mind.get(ids["heron"]).state == "live"


def test_every_namespace_moves_or_the_one_that_is_named(url: str, tmp_path: Path, clock: Clock) -> None:
    first = tmp_path / "first.db"
    for namespace in ("one", "two", "three"):
        lived(first, clock, namespace)
    assert [one.namespace for one in move(str(first), url, ["two"], SETTINGS)] == ["two"]
    assert [one.namespace for one in move(str(first), url, None, SETTINGS)] == ["one", "two", "three"]
    for namespace in ("one", "two", "three"):
        assert told(url, clock, namespace) == told(first, clock, namespace)


def test_cut_off_it_goes_on(url: str, tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    first = tmp_path / "first.db"
    lived(first, clock)
    real: Callable[..., Any] = moving.Past.copy_journal

    def cut(self: Any, upto: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(moving.Past, "copy_journal", cut)
    with pytest.raises(KeyboardInterrupt):
        move(str(first), url, None, SETTINGS)
    monkeypatch.setattr(moving.Past, "copy_journal", real)
    with new_mind(first, clock, embedder=Toy()) as mind:
        mind.remember("Written between two tries")
        mind.purge(ids=[mind.recall("note place 7")[0].memory.id], reason="between")
    move(str(first), url, None, SETTINGS)
    assert told(url, clock) == told(first, clock)
    (again,) = move(str(first), url, None, SETTINGS)
    assert again.written == 0


def test_what_is_written_meanwhile_is_carried_over(url: str, tmp_path: Path, clock: Clock) -> None:
    first = tmp_path / "first.db"
    lived(first, clock)
    ended = threading.Event()

    def write(mind: Mind) -> None:
        for number in range(400):  # without an end there would be the more to move the longer a move takes
            if ended.wait(0.01):
                return
            mind.remember(f"Meanwhile {number} a thing of its own {number * 7}")
            mind.recall("heron")

    with new_mind(first, clock, embedder=Toy()) as mind:
        writer = threading.Thread(target=write, args=(mind,))
        writer.start()
        try:
            while mind.count() < 60:
                ended.wait(0.01)
            before = mind.count(state="all")
            move(str(first), url, None, SETTINGS)
        finally:
            ended.set()
            writer.join()
    order, carried = told(first, clock)["order"], told(url, clock)["order"]
    assert len(carried) > before, "some of what was written meanwhile"
    assert set(order[-len(carried) :]) == set(carried), "and all that was written before the last of it"
    move(str(first), url, None, SETTINGS)
    assert told(url, clock) == told(first, clock)


def test_what_changed_since_is_carried_over_among_many(url: str, tmp_path: Path, clock: Clock) -> None:
    """So many that the counters of words were brought up to date since it was written there."""
    first = tmp_path / "first.db"
    with new_mind(first, clock, embedder=Toy()) as mind:
        old = mind.remember("The heron nests by the lake").memory.id
        mind.remember_many([" ".join(f"w{number}x{place}" for place in range(6)) for number in range(700)])
    move(str(first), url, None, SETTINGS)
    with new_mind(first, clock, embedder=Toy()) as mind:
        mind.pin(old)
    assert [moved.written for moved in move(str(first), url, None, SETTINGS)] != [0]
    assert told(url, clock) == told(first, clock)


def test_times_that_add_up_to_more_than_an_integer_holds(url: str, tmp_path: Path) -> None:
    """Forty of the year 9000 do, as do some five thousand of today: of receipts, and of what a session observed."""
    first, back = tmp_path / "first.db", tmp_path / "back.db"
    far = START.replace(year=9000)
    clock = Clock(far)
    lived(first, clock)
    with new_mind(first, clock, embedder=Toy()) as mind:
        said = [Observation(role="user", text=f"{number} was said", at=far, key=f"far{number}") for number in range(60)]
        mind._store.sessions.append("s1", said, "hook")
    before = told(first, clock)
    move(str(first), url, None, SETTINGS)
    assert told(url, clock) == before
    move(url, str(back), None, SETTINGS)
    assert told(back, clock) == before


def test_a_namespace_with_a_life_of_its_own_is_not_written_over(url: str, tmp_path: Path, clock: Clock) -> None:
    first = tmp_path / "first.db"
    lived(first, clock)
    lived(url, clock)
    before = told(url, clock)
    with pytest.raises(InvalidInput, match="empty"):
        move(str(first), url, None, SETTINGS)
    assert told(url, clock) == before


def test_the_command(url: str, tmp_path: Path, clock: Clock) -> None:
    first = tmp_path / "first.db"
    lived(first, clock)
    code, out, _ = typed(["--json", "migrate", "--from", str(first), "--to", url])
    said = json.loads(out)
    assert code == 0
    assert said["moved"][0]["rows"]["memories"] > 30
    assert said["to"].count(":") == 2, "an address without a password"
    for words in (["--from", str(first), "--to", str(first)], ["--from", str(tmp_path / "none.db"), "--to", url]):
        code, out, _ = typed(["migrate", *words])
        assert (code, out) == (2, "")
