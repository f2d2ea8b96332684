"""What one scope could learn of another, or do to it, by ways that are no ids: keys, pairs, versions, sessions, …"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from remanence import Mind
from remanence.errors import Conflict, Forbidden, NotFound
from remanence.interfaces.grants import Grant, fenced


@pytest.fixture
def mind(tmp_path: Path) -> Iterator[Mind]:
    with Mind(tmp_path / "memory.db", embedder="none", settings={"upkeep": {"on_open": False}}) as mind:
        yield mind


@pytest.fixture
def alice(mind: Mind) -> Mind:
    return fenced(mind, Grant(namespace="default", scope="/project/a"))


@pytest.fixture
def bob(mind: Mind) -> Mind:
    return fenced(mind, Grant(namespace="default", scope="/project/b"))


def test_a_key_is_its_scopes_own(mind: Mind, alice: Mind, bob: Mind) -> None:
    theirs = bob.remember("Bob keeps a secret plan", key="ticket-1").memory
    mine = alice.remember("Alice keeps a note", key="ticket-1")
    assert mine.outcome == "added" and mine.memory is not None and mine.memory.text == "Alice keeps a note"
    assert alice.remember("Alice keeps a note", key="ticket-1").memory == mine.memory
    (many,) = alice.remember_many([{"text": "Alice keeps another", "key": "ticket-1"}])
    assert many.memory == mine.memory
    assert alice.actions.add("Water the plants", key="a").id != bob.actions.add("Feed the cat", key="a").id
    assert alice.lessons.add("Plants want water", key="l").memory != bob.lessons.add("Cats want food", key="l").memory
    assert theirs is not None and mind.get(theirs.id).text == "Bob keeps a secret plan"


def test_the_other_half_of_a_challenged_pair_is_hidden(mind: Mind, alice: Mind, bob: Mind) -> None:
    mine = alice.remember("The pump runs").memory
    theirs = bob.remember("The pump is broken").memory
    assert mine is not None and theirs is not None
    mind.challenge(mine.id, by=theirs.id)
    assert [(one.id, by) for one, by in alice.review.challenged()] == [(mine.id, None)]
    assert [(one.id, by.id if by else None) for one, by in mind.review.challenged()] == [(mine.id, theirs.id)]


def test_a_purge_goes_beyond_a_scope_so_it_is_refused(mind: Mind, alice: Mind) -> None:
    mine = alice.remember("The pump runs").memory
    assert mine is not None
    derived = mind.remember("It was said that the pump runs", scope="/project/b", lineage=[mine.id]).memory
    with pytest.raises(Forbidden, match="whole namespace"):
        alice.purge(ids=[mine.id], reason="a test")
    assert derived is not None and mind.get(derived.id).state == "live"


def test_an_older_version_does_not_supersede_one_that_moved_away(mind: Mind, alice: Mind) -> None:
    old = alice.remember("The pump runs").memory
    assert old is not None
    new = mind.revise(old.id, scope="/project/b", text="The pump runs at night").memory
    assert new is not None
    with pytest.raises(Forbidden, match="newer version"):
        alice.restore(ids=[old.id])
    assert mind.get(new.id).state == "live"


def test_a_session_of_another_scope_is_not_opened_by_its_id(mind: Mind, alice: Mind, bob: Mind) -> None:
    bob.sessions.start("/project/b", id="s-bob-1")
    ended = bob.sessions.end("s-bob-1")
    with pytest.raises(Conflict):
        alice.sessions.start("/project/a", id="s-bob-1")
    with pytest.raises(NotFound):
        alice.sessions.show("s-bob-1")
    assert mind.sessions.show("s-bob-1").session == ended
    assert alice.sessions.start("/project/a", id="s-alice-1").project == "/project/a"
    assert alice.sessions.start("/project/a", id="s-alice-1").project == "/project/a"


def test_what_another_purged_is_not_relearned(mind: Mind, alice: Mind, bob: Mind) -> None:
    text = "Bob owed Carol twelve crowns"
    theirs = bob.remember(text).memory
    assert theirs is not None
    mind.purge(ids=[theirs.id], reason="asked")
    with pytest.raises(Forbidden, match="relearn"):
        alice.remember(text, relearn=True)
    assert bob.remember(text).outcome == "blocked"


def test_the_end_of_an_id_tells_nothing(mind: Mind, alice: Mind, bob: Mind) -> None:
    theirs = bob.remember("Bob keeps a secret plan").memory
    assert theirs is not None
    said = []
    for end in (theirs.id[-8:], "0" * 8):
        with pytest.raises(NotFound) as refused:
            alice.artifacts.read(f"memory://{end}", "/project/a")
        said.append(str(refused.value).replace(end, "END"))
    assert said[0] == said[1]
    mine = alice.remember("Alice keeps a note").memory
    assert mine is not None and "Alice keeps a note" in alice.artifacts.read(f"memory://{mine.id[-8:]}", "/project/a")
