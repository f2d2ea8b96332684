"""Laws of capturing: however two ways tell of a session, each thing is observed once; whatever goes, rows still fit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from remanence.model.session import ASSISTANT, USER, Observation
from remanence.store.sql.pieces import holder
from remanence.store.sqlite.store import SqliteStore
from tests.conftest import START

QUICK = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
LONG = settings(max_examples=3000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
SIZES = st.lists(st.integers(1, 4), min_size=40, max_size=40)
THINGS = st.lists(st.tuples(st.sampled_from((USER, ASSISTANT)), st.sampled_from("abc")), max_size=14)


def said(thing: tuple[str, str], place: int, key: str | None = None) -> Observation:
    role, text = thing
    return Observation(role=role, text=text, at=START + timedelta(seconds=place), key=key)


def batches(told: Sequence[Observation], sizes: Sequence[int]) -> list[list[Observation]]:
    found, start = [], 0
    for size in sizes:
        if start >= len(told):
            break
        found.append(list(told[start : start + size]))
        start += size
    return found


def merged(
    one: list[list[Observation]], other: list[list[Observation]], turns: Sequence[bool]
) -> list[tuple[str, list[Observation]]]:
    """Both ways' batches, each in its order, taken by turns."""
    found: list[tuple[str, list[Observation]]] = []
    waiting = {"hook": list(one), "transcript": list(other)}
    for turn in (*turns, *(True,) * len(one), *(False,) * len(other)):
        via = "hook" if turn else "transcript"
        if waiting[via]:
            found.append((via, waiting[via].pop(0)))
    return found


def tell(store: SqliteStore, told: Sequence[tuple[str, list[Observation]]]) -> list[tuple[str, str]]:
    """What is observed when all of this was told."""
    store.sessions.begin("s", "/", "test", START)
    new = sum(store.sessions.append("s", batch, via) for via, batch in told)
    seen = [one for page in store.sessions.observations("s", size=3) for one in page]
    assert [one.seq for one in seen] == list(range(1, new + 1))
    assert store.check().problems == ()
    return [(one.role, one.text) for one in seen]


def told_whole(
    things: list[tuple[str, str]], keys: tuple[bool, bool], sizes: list[list[int]], turns: list[bool]
) -> None:
    ways = [
        batches(
            [said(thing, place, f"{way}{place}" if keyed else None) for place, thing in enumerate(things)], sizes[way]
        )
        for way, keyed in enumerate(keys)
    ]
    store = SqliteStore.open(None, "test")
    try:
        whole = merged(ways[0], ways[1], turns)
        assert tell(store, whole) == things
        # What has keys may be told again and again, by the same way or by a third.
        again = [("import", batch) for batch in ways[0]] + [(via, batch) for via, batch in whole if batch[0].key]
        assert tell_more(store, again) == 0
    finally:
        store.close()


def tell_more(store: SqliteStore, told: Sequence[tuple[str, list[Observation]]]) -> int:
    return sum(store.sessions.append("s", batch, via) for via, batch in told)


WHOLE = given(
    things=THINGS,
    keys=st.tuples(st.booleans(), st.booleans()),
    sizes=st.lists(SIZES, min_size=2, max_size=2),
    turns=st.lists(st.booleans(), max_size=28),
)


@QUICK
@WHOLE
def test_what_two_ways_tell_whole_is_observed_once_and_in_order(
    things: list[tuple[str, str]], keys: tuple[bool, bool], sizes: list[list[int]], turns: list[bool]
) -> None:
    told_whole(things, keys, sizes, turns)


@pytest.mark.full
@pytest.mark.timeout(3600)
@LONG
@WHOLE
def test_what_two_ways_tell_whole_at_length(
    things: list[tuple[str, str]], keys: tuple[bool, bool], sizes: list[list[int]], turns: list[bool]
) -> None:
    told_whole(things, keys, sizes, turns)


@QUICK
@given(
    things=THINGS,
    parts=st.lists(st.lists(st.booleans(), min_size=14, max_size=14), min_size=2, max_size=2),
    sizes=st.lists(SIZES, min_size=2, max_size=2),
    turns=st.lists(st.booleans(), max_size=28),
)
def test_what_two_ways_tell_in_part_is_lost_by_neither_and_doubled_by_none(
    things: list[tuple[str, str]], parts: list[list[bool]], sizes: list[list[int]], turns: list[bool]
) -> None:
    """Of each thing there are as many as whoever tells it most often tells; what only one tells is in its order."""
    heard = [[one for one, is_told in zip(things, part, strict=False) if is_told] for part in parts]
    ways = [batches([said(one, place) for place, one in enumerate(way)], sizes[n]) for n, way in enumerate(heard)]
    store = SqliteStore.open(None, "test")
    try:
        found = tell(store, merged(ways[0], ways[1], turns))
    finally:
        store.close()
    counts = [Counter(way) for way in heard]
    assert Counter(found) == counts[0] | counts[1]
    for mine, other in ((heard[0], counts[1]), (heard[1], counts[0])):
        alone = [one for one in mine if one not in other]
        assert [one for one in found if one in set(alone)] == alone


@dataclass
class Model:
    """What a session should hold: its observations by place, and how far it was read."""

    held: dict[int, Observation] = field(default_factory=dict)
    last: int = 0
    read: int = 0
    keys: set[str] = field(default_factory=set)

    def settle(self) -> None:
        ahead = [place for place in self.held if place > self.read]
        self.read = min(ahead) - 1 if ahead else self.last

    def drop(self, places: list[int]) -> int:
        for place in places:
            del self.held[place]
        self.settle()
        return len(places)


SESSION = st.sampled_from(("x", "y"))
OPERATION = st.one_of(
    st.tuples(st.just("append"), SESSION, st.lists(st.tuples(st.sampled_from("abcd"), st.integers(0, 20)), max_size=5)),
    st.tuples(st.just("append again"), SESSION, st.integers(0, 30)),
    st.tuples(st.just("read"), SESSION, st.integers(-1, 15)),
    st.tuples(st.just("prune"), st.integers(0, 22)),
    st.tuples(st.just("erase read"), SESSION),
    st.tuples(st.just("erase text"), st.sampled_from("abcd")),
    st.tuples(st.just("erase scope"), SESSION),
)


def lived(operations: list[tuple]) -> None:
    """Every operation on a store and on a model of it: they agree after each, and the store's rows fit."""
    store = SqliteStore.open(None, "test")
    models: dict[str, Model] = {}
    told: dict[str, list[Observation]] = {"x": [], "y": []}
    try:
        for step, (verb, *given_) in enumerate(operations):
            if verb == "append":
                id, things = given_
                model = models.setdefault(id, Model())
                store.sessions.begin(id, f"/{id}", "test", START)
                new = [
                    replace(said((USER, long(text)), hour * 3600), key=f"{step}.{place}")
                    for place, (text, hour) in enumerate(things)
                ]
                assert store.sessions.append(id, new, "hook") == len(new)
                for one in new:
                    model.last += 1
                    model.held[model.last] = one
                told[id] += new
            elif verb == "append again":
                id, start = given_
                if id in models:
                    assert store.sessions.append(id, told[id][start : start + 4], "transcript") == 0
            elif verb == "read":
                id, upto = given_
                if id in models:
                    store.sessions.processed(id, upto, START, summary=None)
                    models[id].read = max(models[id].read, min(upto, models[id].last))
                    models[id].settle()
            elif verb == "prune":
                moment = START + timedelta(hours=given_[0])
                old = {id: [n for n, one in model.held.items() if one.at < moment] for id, model in models.items()}
                number = sum(map(len, old.values()))
                assert store.sessions.prunable(moment) == number == store.sessions.prune(moment)
                for id, places in old.items():
                    if places:
                        models[id].drop(places)
            elif verb == "erase read":
                if model := models.get(given_[0]):
                    gone = model.drop([place for place in model.held if place <= model.read])
                    assert store.sessions.erase([given_[0]], START) == gone
            elif verb == "erase text":
                places = {id: [n for n, o in m.held.items() if o.text == long(given_[0])] for id, m in models.items()}
                assert store.sessions.erase([], START, texts=[long(given_[0])]) == sum(map(len, places.values()))
                for id, some in places.items():
                    models[id].drop(some)
            else:
                gone = len(models[given_[0]].held) if given_[0] in models else 0
                assert store.sessions.erase([], START, scopes=[f"/{given_[0]}"]) == gone
                models.pop(given_[0], None)
                told[given_[0]] = []
            agree(store, models)
    finally:
        store.close()


def long(text: str) -> str:
    return f"A statement that says {text} at sufficient length"


def agree(store: SqliteStore, models: dict[str, Model]) -> None:
    assert store.sessions.count() == len(models)
    for id, model in models.items():
        session = store.sessions.get(id)
        assert session is not None
        assert (session.observations, session.processed_to) == (model.last, model.read)
        seen = [one for page in store.sessions.observations(id, size=2) for one in page]
        assert {one.seq: one.text for one in seen} == {place: one.text for place, one in model.held.items()}
    changed = {id for id, model in models.items() if model.last > model.read}
    assert {one.id for one in store.sessions.changed()} == changed
    assert store.check().problems == ()


@QUICK
@given(st.lists(OPERATION, max_size=18))
def test_whatever_comes_and_goes_the_rows_fit(operations: list[tuple]) -> None:
    lived(operations)


@pytest.mark.full
@pytest.mark.timeout(3600)
@LONG
@given(st.lists(OPERATION, max_size=40))
def test_whatever_comes_and_goes_at_length(operations: list[tuple]) -> None:
    lived(operations)


WORDS = st.text(st.sampled_from("abc é東\n"), min_size=0, max_size=70)


@settings(max_examples=400, deadline=None)
@given(st.lists(WORDS, min_size=1, max_size=60), WORDS, st.integers(0, 59), WORDS)
def test_many_texts_are_looked_for_as_each_alone(texts: list[str], before: str, chosen: int, after: str) -> None:
    """Looking for many at once finds what looking for each in turn finds."""
    text = before + texts[chosen % len(texts)] + after
    many = holder(texts)
    alone = [one for each in texts if (one := holder([each])) is not None]
    assert (many is not None and many(text)) == any(one(text) for one in alone)
