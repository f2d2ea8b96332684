"""Hostile input: a bad value is a typed error that changes nothing, a payload is data, namespaces never meet."""

import contextlib
import json
import math
import random
import re
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise, product
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

from remanence import Mind
from remanence.errors import InvalidInput, NotFound, RemanenceError
from tests.conftest import START, Clock, dump, new_mind, only_files
from tests.reliability.recording import Measured

NO_ID = "01890000-0000-7000-8000-000000000000"


@pytest.fixture(scope="module")
def shared() -> Iterator[Mind]:
    """A small mind that no test of this file may change."""
    with new_mind() as mind:
        mind.remember("The deploy server stands in Frankfurt", scope="/ops", categories=["infra"], key="k")
        mind.remember("The deploy server stands in Dublin", scope="/ops", metadata={"a": 1})
        mind.forget(ids=[mind.remember("Alice lives in Oslo").memory.id])
        yield mind
        assert mind.check().problems == ()


def refused(mind: Mind, act: Callable[[], Any], error: type[Exception] | tuple = InvalidInput) -> None:
    mind._store.flush()  # else what earlier recalls left may be written in between
    before = dump(mind)
    with pytest.raises(error) as caught:
        act()
    assert isinstance(caught.value, RemanenceError)
    assert str(caught.value).strip()
    assert len(str(caught.value)) < 20_000
    assert dump(mind) == before


# --- R20: bad values

NAN, INF = float("nan"), float("inf")
NO_NUMBERS = [NAN, INF, -INF, 1e308, -1e308, 2**63, -(2**63) - 1, 10**400, 10**5000, True, False, "5", "", [], {}]
NO_NUMBERS += [b"5", 1 + 2j, Decimal("0.5"), Fraction(1, 2), START, object()]
NO_INTEGERS = [*NO_NUMBERS, 1.5, 0.0, 1.0, -1, 10**18]
NO_TIMES = [5, 0.0, NAN, True, "", b"", [], {}, date(2026, 1, 1), datetime(2026, 1, 1)]
NO_MOMENTS = [*NO_TIMES, "2026-01-01T00:00:00+00:00"]
NO_MOMENTS += [
    datetime.min,
    datetime.max,
    datetime.min.replace(tzinfo=timezone(timedelta(hours=14))),
    datetime.max.replace(tzinfo=timezone(timedelta(hours=-12))),
    timedelta(days=1),
]
NO_DURATIONS = ["5", "d", "", "1e3d", "NaN", "-1d", "0h", "1.5d", "9" * 5000 + "d", "１d", "1d\n", "1\x00d"]
NO_DURATIONS += [5, 0.5, NAN, True, [], {}, b"1d", timedelta(0), timedelta(days=-1), START]
NO_LABELS = [5, 0.5, NAN, True, b"x", [], {}, "", " ", "\t\n", "a\0b", "\ud800", "x" * 100_000, object()]
NO_TAGS = ["tag", b"tag", 5, True, {"a": 1}, [""], [None], [5], ["a\0"], ["\udfff"], ["x" * 201], [["a"]], object()]
NO_TAGS += [[str(n) for n in range(257)]]
NO_FLAGS = [0, 1, "yes", "", [], 1.0, NAN, object()]
NO_SCOPES = ["", "a", "a/b", "/a/", "//", "/a//b", "/\0", "/\ud800", "/a\n", "/\u202e", "/" + "x" * 2000, 5, b"/", True]
NO_SCOPES += [object(), NAN]
NO_IDS = [5, True, NAN, b"x", {}, object(), None]

REMEMBER = {
    "text": [None, 5, True, NAN, b"x", [], {}, "", " \n\t", "\u200b", "\ufeff", "a\0b", "\ud800", "\udfff", object()],
    "importance": [*NO_NUMBERS, -1e-07, 1.0000001, -1, 2],
    "valence": [*NO_NUMBERS, None, -1.0000001, 1.0000001],
    "confidence": [*NO_NUMBERS, None, -0.0000001, 1.0000001],
    "ttl": NO_DURATIONS,
    "expires_at": NO_MOMENTS,
    "created_at": NO_MOMENTS,
    "scope": [*NO_SCOPES, None, {}, ["/a"]],
    "kind": [*NO_LABELS, None, "two\nlines", "\x1b[2J", "turned\u202e"],
    "layer": ["", "Episodic", "deep", 0, True, b"working", [], {}, NAN],
    "source": ["", "Human", "robot", 0, True, None, [], {}],
    "categories": [*NO_TAGS, None],
    "concepts": [*NO_TAGS, None],
    "files": [*NO_TAGS, None],
    "lineage": ["x", [5], ["x"], ["0189ABCD-0000-7000-8000-000000000000"], [None], 5, {"a": 1}, None, [NO_ID + "\n"]],
    "pinned": [*NO_FLAGS, None],
    "exempt": [*NO_FLAGS, None],
    "relearn": [*NO_FLAGS, None],
    "metadata": [
        5,
        "x",
        [],
        True,
        {1: 2},
        {"a": NAN},
        {"a": INF},
        {"a": {1: 2}},
        {"a": b"x"},
        {"a": {1, 2}},
        {"a": object()},
        {"a": START},
        {"a\0": 1},
        {"a": "\0"},
        {"a": "\ud800"},
        {"\udfff": 1},
        {"a": "x" * 70_000},
        {"a": 10**5000},
    ],
    "origin": [*NO_LABELS],
    "key": NO_LABELS,
}
BAD_DRAFTS = [(name, value) for name, bad in REMEMBER.items() for value in bad]


def shown(value: object) -> str:
    """A short name of a test's value."""
    if type(value) is object:
        return "object"
    try:
        return ascii(value)[:24]
    except ValueError:
        return "huge"


@pytest.mark.promise("R20")
@pytest.mark.parametrize(("name", "value"), BAD_DRAFTS, ids=[f"{name}-{shown(value)}" for name, value in BAD_DRAFTS])
def test_remember_refuses(shared: Mind, name: str, value: Any) -> None:
    values = {"text": "A perfectly good text", name: value}
    refused(shared, lambda: shared.remember(**values))
    if not (name == "metadata" and value is None):
        refused(shared, lambda: shared.remember_many(["fine", values, "fine too"]))
    if name in ("text", "importance", "scope", "categories", "valence", "metadata", "ttl") and value is not None:
        live = shared.list()[0].id
        refused(shared, lambda: shared.revise(live, **{name: value}))


@pytest.mark.promise("R20")
@pytest.mark.parametrize(
    "items", [None, 5, True, "text", b"text", {"text": "x"}, [None], [5], [["x"]], [b"x"], [{}], [{"text": "x", "": 1}]]
)
def test_remember_many_refuses(shared: Mind, items: Any) -> None:
    refused(shared, lambda: shared.remember_many(items))


SELECTING = {
    "scope": [*NO_SCOPES, ["a"], ["/a", 5], [["/a"]], ["/a"] * 1001],
    "kinds": [5, [5], [""], ["a\0"], ["\ud800"], [None], ["x" * 5000], ["x"] * 1001, NAN, object()],
    "categories": [5, [5], [""], ["a\0"], ["\ud800"], [None], ["x" * 5000], ["x"] * 1001, NAN],
}
READING = SELECTING | {
    "query": [None, 5, True, b"x", [], {}, "", " \t", "a\0b", "\ud800", "x" * (2**20 + 1), object()],
    "limit": [*NO_INTEGERS, 0, 1001, None],
    "layers": [5, "deep", ["deep"], [5], "", [None], NAN],
    "include": [None, 5, True, "", "all", "forgotten", [], "LIVE", NAN],
    **{name: [*NO_TIMES, "once", "13 moons ago", "last", "2026-13-01"] for name in ("as_of", "since", "until")},
    "budget_tokens": [*NO_INTEGERS, 0],
    "reinforce": [*NO_FLAGS, None],
}
BAD_READS = [(name, value) for name, bad in READING.items() for value in bad]


@pytest.mark.promise("R20")
@pytest.mark.parametrize(("name", "value"), BAD_READS, ids=[f"{name}-{shown(value)}" for name, value in BAD_READS])
def test_recall_refuses(shared: Mind, name: str, value: Any) -> None:
    refused(shared, lambda: shared.recall(**{"query": "server", name: value}))


LISTING = {
    "scope": READING["scope"],
    "state": [None, 5, True, "", "LIVE", "purged", [], "live\0", NAN, object()],
    "kind": [5, "", "a\0", "\ud800", "x" * 5000, NAN, object()],
    "layer": [5, "", "deep", True, NAN, object()],
    "limit": READING["limit"],
    "offset": [*NO_INTEGERS[:-4], 1.5, 0.0, -1, 10**18, None],
}
BAD_LISTS = [(name, value) for name, bad in LISTING.items() for value in bad]


@pytest.mark.promise("R20")
@pytest.mark.parametrize(("name", "value"), BAD_LISTS, ids=[f"{name}-{shown(value)}" for name, value in BAD_LISTS])
def test_list_and_count_refuse(shared: Mind, name: str, value: Any) -> None:
    refused(shared, lambda: shared.list(**{name: value}))
    if name not in ("limit", "offset"):
        refused(shared, lambda: shared.count(**{name: value}))
    if name == "limit":
        refused(shared, lambda: shared.journal(limit=value))


FORGETTING = SELECTING | {
    "older_than": NO_DURATIONS,
    "query": READING["query"][1:],
    "ids": ["abc", 5, True, b"x", [5], [None], [[]], [{}], [b"x"], object(), NAN],
}
BAD_FORGETS = [(name, value) for name, bad in FORGETTING.items() for value in bad]


@pytest.mark.promise("R20")
@pytest.mark.parametrize(("name", "value"), BAD_FORGETS, ids=[f"{name}-{shown(value)}" for name, value in BAD_FORGETS])
def test_forget_refuses(shared: Mind, name: str, value: Any) -> None:
    refused(shared, lambda: shared.forget(**{name: value}))
    refused(shared, lambda: shared.plan_forget(**{name: value}))
    if name in ("ids", "scope"):
        refused(shared, lambda: shared.purge(**{name: value}, reason="asked"))
    if name == "ids":
        refused(shared, lambda: shared.restore(ids=value))


@pytest.mark.parametrize("value", [[], *NO_IDS], ids=shown)
def test_an_id_is_text(shared: Mind, value: Any) -> None:
    wrong = (InvalidInput, NotFound)
    verbs = (shared.get, shared.history, shared.pin, shared.unpin, shared.promote, shared.demote, shared.confirm)
    for verb in (*verbs, shared.challenge):
        refused(shared, lambda verb=verb: verb(value), wrong)
    refused(shared, lambda: shared.revise(value, text="x"), wrong)
    live = shared.list()[0].id
    if value is not None:
        refused(shared, lambda: shared.challenge(live, by=value), wrong)
        refused(shared, lambda: shared.restore(receipt=value), wrong)
    refused(shared, lambda: shared.undo(value), wrong)
    refused(shared, lambda: shared.apply(value), wrong)


@pytest.mark.parametrize("receipt", ["r" + "9" * 5000, "r²", "r١", "r1\0", "R1", " r1", "r1 ", "r+1", "r1_0", "\ud800"])
def test_a_malformed_receipt_is_not_found(shared: Mind, receipt: str) -> None:
    refused(shared, lambda: shared.undo(receipt), (InvalidInput, NotFound))
    refused(shared, lambda: shared.restore(receipt=receipt), (InvalidInput, NotFound))


@pytest.mark.parametrize("value", [None, 5, "", " ", "x" * 2000, "a\0", "\ud800", [], b"x"], ids=shown)
def test_a_purge_needs_a_reason(shared: Mind, value: Any) -> None:
    refused(shared, lambda: shared.purge(scope="/ops", reason=value))


@pytest.mark.parametrize("namespace", ["", " ", "a\0", "\ud800", "x" * 5000, 5, b"x", True, []], ids=shown)
def test_a_namespace_is_a_label(tmp_path: Path, namespace: Any) -> None:
    with pytest.raises(InvalidInput):
        new_mind(tmp_path / "memory.db", namespace=namespace)
    assert list(tmp_path.iterdir()) == []


@only_files
@pytest.mark.parametrize("location", ["", " ", "a\0b", 5, b"x", [], "http://x", "postgresql://x", "\ud800x"], ids=shown)
def test_a_location_is_a_path(location: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RemanenceError):
        new_mind(location)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.promise("R20")
@pytest.mark.parametrize("now", [None, 5, "now", datetime(2026, 1, 1), datetime.max], ids=shown)
def test_a_broken_clock_changes_nothing(mind: Mind, clock: Clock, now: Any) -> None:
    mind.remember("The deploy server stands in Frankfurt")
    before = dump(mind)
    good, clock.now = clock.now, now
    for verb in (lambda: mind.remember("x"), lambda: mind.recall("server"), lambda: mind.forget(scope="/")):
        with pytest.raises(InvalidInput, match="clock"):
            verb()
    clock.now = good
    assert dump(mind) == before


@pytest.mark.promise("R19")
@pytest.mark.parametrize(
    "now",
    [
        datetime.min.replace(tzinfo=UTC),
        datetime.max.replace(tzinfo=UTC),
        datetime(1969, 12, 31, 23, 59, 59, 999999, tzinfo=UTC),
        datetime(2024, 2, 29, tzinfo=UTC),
        datetime(2026, 10, 25, 2, 30, fold=1, tzinfo=timezone(timedelta(hours=1))),
    ],
    ids=str,
)
def test_any_moment_of_the_calendar_will_do(mind: Mind, clock: Clock, now: datetime) -> None:
    clock.now = now
    memory = mind.remember("The deploy server", ttl="1y").memory
    assert mind.get(memory.id).created_at == now
    mind.recall("server")
    assert mind.recall("server", as_of=now, since=now, until=now) != [] or memory.expires_at == now
    receipt = mind.forget(older_than="1h")
    receipt = mind.forget(scope="/")
    assert mind.undo(receipt.id).applied == (memory.id,)
    clock.now = START
    assert mind.get(memory.id).text == "The deploy server"


def test_extreme_but_valid_numbers(mind: Mind) -> None:
    """The smallest and the negative zero are numbers too, and are no damage."""
    for number, value in enumerate([0, -0.0, 5e-324, 2**-1022, 0.1, math.nextafter(1, 0), 1]):
        memory = mind.remember(f"w{number} v{number}", importance=value, valence=-value, confidence=value).memory
        assert mind.get(memory.id).importance == value
        mind.pin(memory.id)
        assert mind.check().problems == ()


# --- S13: payloads are data

PAYLOADS = [
    "'; DROP TABLE memories; --",
    "' OR '1'='1",
    '" OR ""="',
    "') UNION SELECT * FROM meta --",
    "\\'; ATTACH DATABASE 'x' AS y; --",
    "x' || (SELECT value FROM meta) || 'x",
    "?1 :name @name $name",
    "%' ESCAPE '\\",
    "%",
    "_",
    "*",
    "a*",
    '"a" AND "b"',
    "a AND b OR NOT c",
    "NEAR(a b, 5)",
    "text : a",
    "{text words} : a",
    "^a",
    "a + b",
    '"unbalanced',
    "((((((((((",
    "a NOT",
    "- a",
    "search MATCH 'a'",
    "$.a[0].b",
    "$[#-1]",
    "$..*",
    '$."a\'b"',
    '{"$ne": null}',
    '","x":"',
    "]}",
    "[1,2",
    "${jndi:ldap://x}",
    "{{7*7}}",
    "%s %d %n {0} {self}",
    "../../etc/passwd",
    "file:///etc/passwd",
    "<script>alert(1)</script>",
    "\\u0000",
    "\\x00",
    "-- comment",
    "/* comment */",
    ";",
    "NULL",
    "nan",
    "true",
    "0",
    "\x1b[2J",
    "a\x7f\x08",
    "\ufffe\uffff",
]


@pytest.mark.promise("S13")
@pytest.mark.parametrize("payload", PAYLOADS)
def test_a_payload_is_data_in_every_field(mind: Mind, payload: str) -> None:
    other = mind.remember("Zzyzx quokka", scope="/elsewhere", categories=["c"]).memory
    scope = re.sub("/+", "/", "/" + payload).rstrip("/") if payload.isprintable() else "/plain"
    kind = payload if payload.isprintable() else "plain"
    tags = {"kind": kind, "categories": [payload], "concepts": [payload], "files": [payload], "origin": payload}
    metadata = {payload: payload, "deep": {payload: [payload]}}
    result = mind.remember(f"token {payload}", scope=scope, key=payload, metadata=metadata, **tags)
    memory = mind.get(result.memory.id)
    assert memory == result.memory
    assert (memory.text, memory.scope, memory.kind) == (f"token {payload}", scope, kind)
    assert (memory.categories, memory.metadata, memory.origin) == ((payload,), metadata, payload)
    assert mind.remember("other", key=payload).memory == memory

    def only(**filters: Any) -> bool:
        return [hit.memory.id for hit in mind.recall("token", **filters)] == [memory.id]

    assert only(scope=scope)
    assert only(kinds=kind)
    assert only(categories=payload)
    assert [m.id for m in mind.list(kind=kind)] == [memory.id]
    assert mind.recall(payload, reinforce=False) is not None
    assert memory.id in [hit.memory.id for hit in mind.recall(f"token {payload}")]
    for verb in (mind.get, mind.pin, mind.history):
        with pytest.raises(NotFound):
            verb(payload)
    with pytest.raises(NotFound):
        mind.undo(payload)
    with pytest.raises(NotFound):
        mind.restore(receipt=payload)
    with pytest.raises(NotFound):
        mind.forget(ids=[payload])
    mind.plan_forget(query=payload)
    assert mind.forget(categories=payload, kinds=kind).applied == (memory.id,)
    mind.restore(ids=[memory.id])
    assert mind.purge(ids=[memory.id], reason=payload).reason == payload
    assert mind.remember(f"token {payload}").outcome == "blocked"
    assert mind.get(other.id) == other
    assert mind.count(state="all") == 1


@pytest.mark.promise("S13")
@pytest.mark.parametrize("every_word", [False, True])
@pytest.mark.parametrize("payload", PAYLOADS)
def test_a_payload_is_a_plain_query(shared: Mind, payload: str, every_word: bool) -> None:
    before = dump(shared)
    if every_word:
        shared.plan_forget(query=payload)
    else:
        shared.recall(payload, reinforce=False)
    assert dump(shared) == before


@pytest.mark.parametrize("size", [60, 300, 3000, 20_000])
def test_a_query_of_many_words(mind: Mind, size: int) -> None:
    memory = mind.remember("w0 and w1").memory
    query = " ".join(f"w{number}" for number in range(size))
    assert [hit.memory.id for hit in mind.recall(query)] == [memory.id]
    if size <= 64:
        assert len(mind.plan_forget(query=query)) == 0
    else:
        with pytest.raises(InvalidInput, match="at most 64"):
            mind.plan_forget(query=query)


def test_words_whose_hashes_are_equal(mind: Mind) -> None:
    """Two words that stand in the same place of an index are no damage and hide nothing."""
    word, twin = "k4640a9050e", "ke1a31e0316"
    assert crc32(word.encode()) == crc32(twin.encode())
    first = mind.remember(f"{word} {twin} stands here").memory
    assert mind.check().problems == ()
    assert mind.remember(f"{word} {twin} stands here now").memory.supersedes == first.id
    assert mind.remember(f"{twin} alone").similar == []
    assert mind.check().problems == ()


# --- S15: two namespaces on one file


@pytest.mark.promise("S15")
def test_two_namespaces_never_meet(open_mind: Callable[..., Mind], clock: Clock, tmp_path: Path) -> None:
    here, there = open_mind("here"), open_mind("there")
    for mind, word in ((here, "hereword"), (there, "thereword")):
        for number in range(3):
            text = f"shared {word} number {chr(97 + number)}"
            mind.remember(text, scope=f"/s/{number}", kind="fact", categories=["c"], key=f"k{number}", origin=word)
        mind.remember("The deploy server stands in Frankfurt")
        clock.advance(days=1)
        mind.remember("The deploy server stands in Dublin")
        mind.forget(ids=[mind.remember("Alice lives in Oslo").memory.id])
        mind.purge(ids=[mind.remember(f"{word} secret").memory.id], reason="asked")
        mind.recall("shared")

    def seen(mind: Mind) -> set[str]:
        """Every id that any reading verb gives."""
        found = {memory.id for memory in mind.list(state="all", limit=1000)}
        for query in ("shared", "hereword", "thereword", "server", "secret"):
            for options in ({}, {"include": "archived"}, {"as_of": clock.now}, {"as_of": START}, {"scope": "/s"}):
                found |= {hit.memory.id for hit in mind.recall(query, limit=1000, reinforce=False, **options)}
            found |= {change.memory_id for change in mind.plan_forget(query=query)}
        for options in ({"scope": "/"}, {"categories": "c"}, {"kinds": "fact"}, {"older_than": "1h"}):
            found |= {change.memory_id for change in mind.plan_forget(**options)}
        found |= {entry.memory_id for entry in mind.journal(limit=1000)}
        path = tmp_path / "seen.jsonl"
        mind.export(path)
        found |= {json.loads(line)["id"] for line in path.read_text().splitlines()}
        mind.export(tmp_path / "seen.md")
        assert "here" in (words := (tmp_path / "seen.md").read_text())
        assert ("thereword" in words) == (mind is there)
        return found

    ours, theirs = seen(here), seen(there)
    assert len(ours) == len(theirs) == 7
    assert ours & theirs == set()
    assert here.count(state="all") == there.count(state="all") == 6
    assert here.stats().memories == there.stats().memories
    assert here.stats().tombstones == 1

    held = {memory.id: memory for memory in there.list(state="all")}
    journal = there.journal(limit=1000)
    one = next(iter(held))
    for verb in (here.get, here.history, here.pin, here.unpin, here.promote, here.demote, here.confirm, here.challenge):
        with pytest.raises(NotFound):
            verb(one)
    with pytest.raises(NotFound):
        here.revise(one, text="stolen")
    with pytest.raises(NotFound):
        here.challenge(next(iter(ours & {m.id for m in here.list()})), by=one)
    for call in (here.forget, here.restore, lambda ids: here.purge(ids=ids, reason="x")):
        with pytest.raises(NotFound):
            call(ids=[one])
    for receipt in {entry.receipt_id for entry in journal}:
        with pytest.raises(NotFound):
            here.undo(receipt)
        with pytest.raises(NotFound):
            here.restore(receipt=receipt)
    made = here.remember("Made from theirs", lineage=[one]).memory
    assert here.remember("thereword secret").outcome == "added"
    assert here.remember("A new text", key="k0").memory.text.startswith("shared hereword")
    here.apply(there.plan_forget(scope="/"))
    here.forget(scope="/")
    here.purge(scope="/", reason="asked")
    assert there.purge(ids=[one], reason="asked").derived == ()
    del held[one]
    assert {memory.id: memory for memory in there.list(state="all")} == held
    assert there.journal(limit=1000)[1:] == journal
    with pytest.raises(NotFound):
        there.get(made.id)
    assert here.list(state="all") == []


# --- S16: too large


def cost(act: str) -> tuple[float, int]:
    """(seconds, bytes of growth) of an act in a process of its own; the argument is built before the measurement."""
    code = textwrap.dedent(
        """
        import gc, resource, sys, time
        from remanence import Mind
        from remanence.errors import InvalidInput
        from remanence.settings import Settings
        mind = Mind(":memory:", namespace="test", settings=Settings())
        mind.remember("warm up")
        mind.recall("warm")
        {setup}
        gc.collect()
        def peak():
            return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        before = peak()
        start = time.perf_counter()
        try:
            {act}
        except InvalidInput:
            pass
        else:
            sys.exit("not refused")
        print(time.perf_counter() - start, peak() - before)
        assert mind.count(state="all") == 1 and mind.check().ok
        """
    )
    setup, _, verb = act.partition(";; ")
    done = subprocess.run(
        [sys.executable, "-c", code.format(setup=setup, act=verb)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    seconds, growth = done.stdout.split()
    return float(seconds), int(growth)


@pytest.mark.promise("S16", on="file")
@pytest.mark.parametrize(
    "act",
    [
        "x = 'x' * 10_000_000;; mind.remember(x)",
        "x = 'ü' * 5_000_000;; mind.remember(x)",
        "x = 'word ' * 2_000_000;; mind.remember(x)",
        "x = 'x' * 10_000_000;; mind.remember_many([x])",
        "x = 'x ' * 5_000_000;; mind.recall(x)",
        "x = 'x ' * 5_000_000;; mind.forget(query=x)",
        "x = '/' + 'x' * 10_000_000;; mind.remember('a', scope=x)",
        "x = '/x' * 5_000_000;; mind.recall('a', scope=x)",
        "x = 'x' * 10_000_000;; mind.remember('a', kind=x)",
        "x = 'x' * 10_000_000;; mind.remember('a', key=x)",
        "x = 'x' * 10_000_000;; mind.remember('a', categories=[x])",
        "x = [str(n) for n in range(1_000_000)];; mind.remember('a', categories=x)",
        "x = [str(n) for n in range(1_000_000)];; mind.remember('a', concepts=x)",
        "x = [str(n) for n in range(1_000_000)];; mind.remember('a', lineage=x)",
        "x = [str(n) for n in range(1_000_000)];; mind.recall('a', categories=x)",
        "x = ['/' + str(n) for n in range(1_000_000)];; mind.recall('a', scope=x)",
        "x = {str(n): n for n in range(1_000_000)};; mind.remember('a', metadata=x)",
        "x = {'a': 'x' * 10_000_000};; mind.remember('a', metadata=x)",
        "x = {'a': [0] * 5_000_000};; mind.remember('a', metadata=x)",
        "x = {}\nfor _ in range(100_000): x = {'a': x}\n;; mind.remember('a', metadata=x)",
        "x = []\nfor _ in range(100_000): x = [x]\n;; mind.remember('a', metadata={'a': x})",
        "x = []\nfor _ in range(7): x = [x] * 10\n;; mind.remember('a', metadata={'a': x})",
        "x = {}\nx['a'] = x\n;; mind.remember('a', metadata=x)",
        "x = [None] * 1_000_000;; mind.remember_many(x)",
        "x = list(range(1_000_000));; mind.forget(ids=x)",
    ],
)
def test_too_large_is_refused_fast_and_small(act: str, measured: Measured) -> None:
    seconds, growth = cost(act)
    limits = {"refused_after_s": 1, "grown_mb": 50}
    measured("by the library", at_most=limits, refused_after_s=seconds, grown_mb=growth / (1 << 20))
    assert seconds <= 1.0
    assert growth <= 50 << 20


def test_a_deep_line_is_refused_in_an_import(mind: Mind, tmp_path: Path) -> None:
    line = json.dumps(new_mind().remember("A good line").memory.to_dict())
    deep = line.replace('"metadata": {}', '"metadata": {"a": ' + "[" * 100_000 + "]" * 100_000 + "}")
    long = line.replace("A good line", "x" * 10_000_000)
    (tmp_path / "bad.jsonl").write_text(f"{deep}\n{long}\n")
    with pytest.raises(InvalidInput) as caught:
        mind.import_(tmp_path / "bad.jsonl")
    assert {problem.split(":")[0] for problem in caught.value.problems} == {"line 1", "line 2"}
    assert mind.count(state="all") == 0


def test_one_megabyte_is_kept(mind_file: Mind) -> None:
    for text in ("x" * (1 << 20), "ü" * (1 << 19), "word " * ((1 << 20) // 5), "東京" * (((1 << 20) - 6) // 6)):
        memory = mind_file.remember(text).memory
        assert mind_file.get(memory.id).text == text
    with pytest.raises(InvalidInput):
        mind_file.remember("ü" * (1 << 19) + "x")


# --- S18: hostile strings


def hostile_strings() -> list[str]:
    chance = random.Random(18)
    single = [chr(n) for n in (*range(32), *range(0x7F, 0xA1), 0xAD, 0x34F, 0x61C, 0x180E, 0xFFFD, 0xFFFE, 0xFFFF)]
    single += [chr(n) for n in (*range(0x200B, 0x2010), *range(0x2028, 0x2030), *range(0x2060, 0x2070), 0xFEFF, 0xFFF9)]
    single += [chr(n) for n in (0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xF8FF, 0x1F600, 0xE0001, 0xE0100, 0x10FFFF)]
    single += [chr(n) for n in (0x300, 0x3099, 0x20E3, 0x0E31, 0x1160, 0x115F, 0x3164, 0xFFA0, 0x2800, 0x1D159)]
    found = [*single, *(f"a{c}b" for c in single), *(f"word {c}" for c in single)]
    found += [f"{a}{b}x" for a, b in pairwise(single)]
    found += ["e" + "\u0301" * n for n in (1, 2, 50, 5000)] + ["\u202e" * n + "abc" for n in (1, 100)]
    found += ["Ａ１ﬁ½Ⅳ", "é", "e\u0301", "\u212b", "Å", "İıſß", "ΐǅ", "\u1e9b\u0323", "가", "\u1100\u1161", "ﷺ" * 50]
    found += ["👩‍👩‍👧‍👦", "🏳️‍🌈", "👍🏽" * 100, "🇩🇪" * 50, "\U000e0067" * 20, "Z̸̡̢͎͍a̵̛͚l̷̖͝g̶o̴" * 20]
    found += ["x" * n for n in (1, 200, 201, 10_000)] + ["x " * 5000, "\n" * 100 + "x", " " * 5000 + "x"]
    found += ["\r\n", "a\rb\nc\r\nd\u0085e\u2028f\u2029g\x0bh\x0ci", "\\", "\\n", "\\u0041", "&#x0;", "%00", "\\0"]
    found += ["\ud83d\ude00", "\ud83d", "ok \udc80 not", "\x00", "a\x00", "\x00a", "\uffff\x00"]
    found += [*PAYLOADS, "كيف", "שלום", "मौसम", "ก็", "ကျော်", "𝔘𝔫𝔦", "٣٤", "۱۲", "𝟘𝟙", "Ⅷ", "㋿", "㍿"]
    alphabet = [*single, *"aé東한ก😀\u0301\u200d'\"-_*().:", "word", " "]
    found += ["".join(chance.choices(alphabet, k=chance.randint(1, 30))) for _ in range(200)]
    return list(dict.fromkeys(found))


STRINGS = hostile_strings()


@pytest.mark.promise("S18")
def test_there_are_enough_hostile_strings() -> None:
    assert len(STRINGS) >= 500


def kept_or_refused(mind: Mind, write: Callable[[], Any], read: Callable[[Any], str], text: str) -> bool:
    """True when the text came back equal, False when it was refused and nothing changed."""
    before = mind.count(state="all")
    try:
        result = write()
    except InvalidInput as invalid:
        assert str(invalid).encode("utf-8")  # a message can always be shown
        assert mind.count(state="all") == before
        return False
    assert read(mind.get(result.memory.id)) == text
    return True


@pytest.mark.promise("S18")
@pytest.mark.timeout(900)  # thousands of writes, each of which is several times as long on a database
@pytest.mark.parametrize("part", range(4))
def test_hostile_strings_come_back_equal_or_are_refused(
    mind: Mind, tmp_path: Path, part: int, measured: Measured
) -> None:
    kept = 0
    texts = STRINGS[part::4]
    for number, text in enumerate(texts):
        place = {"scope": f"/n/{number}"}
        kept += kept_or_refused(mind, lambda: mind.remember(text, **place), lambda m: m.text, text)  # noqa: B023
        inside = f"in {text} it"
        kept_or_refused(mind, lambda: mind.remember(inside, **place), lambda m: m.text, inside)  # noqa: B023
        base = f"base {number}"
        for name, wrap, read in (
            ("kind", lambda v: v, lambda m: m.kind),
            ("origin", lambda v: v, lambda m: m.origin),
            ("categories", lambda v: [v], lambda m: m.categories[0]),
            ("concepts", lambda v: [v], lambda m: m.concepts[0]),
            ("files", lambda v: [v], lambda m: m.files[0]),
            ("metadata", lambda v: {v: v}, lambda m: m.metadata.popitem()[1]),
            ("scope", lambda v: "/" + v, lambda m: m.scope[1:]),
            ("key", lambda v: v, lambda m: text),  # noqa: B023
        ):
            fields = place | {name: wrap(text)}
            said = f"{base} {name} w{number}{name}"
            kept_or_refused(mind, lambda: mind.remember(said, **fields), read, text)  # noqa: B023
        for query in (lambda: mind.recall(text, limit=3), lambda: mind.plan_forget(query=text)):  # noqa: B023
            with contextlib.suppress(InvalidInput):
                query()
    measured(f"{len(STRINGS)} texts in every field, by the library", kept_as_they_were=kept, refused=len(texts) - kept)
    assert kept > len(texts) / 3
    mind.export(tmp_path / "all.jsonl")
    mind.export(tmp_path / "all.md")
    with new_mind() as other:
        other.import_(tmp_path / "all.jsonl")
        other.export(tmp_path / "again.jsonl")
        assert other.check().problems == ()
    assert (tmp_path / "again.jsonl").read_bytes() == (tmp_path / "all.jsonl").read_bytes()


@pytest.mark.parametrize(
    "text", [text for text in STRINGS if "\0" in text or (not text.isascii() and "\ud800" in text)]
)
def test_what_is_not_valid_text_is_named(mind: Mind, text: str) -> None:
    with pytest.raises(InvalidInput, match=r"NUL|surrogate"):
        mind.remember(text)


def test_valid_text_is_never_refused(mind: Mind) -> None:
    """Valid Unicode that shows something is kept as it is."""
    import unicodedata

    for number, text in enumerate(STRINGS):
        if any(c == "\0" or "\ud800" <= c <= "\udfff" for c in text):
            continue
        if all(c.isspace() or unicodedata.category(c) in ("Cc", "Cf") for c in text):
            continue
        assert mind.remember(text, scope=f"/{number}").memory.text == text


@pytest.mark.parametrize(("one", "other"), [("é", "e\u0301"), ("Å", "\u212b"), ("가", "\u1100\u1161")])
def test_unnormalised_texts_are_the_same_statement_and_kept_as_they_came(mind: Mind, one: str, other: str) -> None:
    first = mind.remember(f"word {one}").memory
    second = mind.remember(f"word {other}")
    assert (second.outcome, second.memory.text) == ("duplicate", first.text)
    assert [hit.memory.id for hit in mind.recall(other)] == [first.id]


def test_every_pair_of_bad_fields_is_reported_together(shared: Mind) -> None:
    bad = {"importance": NAN, "scope": "x", "ttl": "soon", "kind": "", "categories": "x", "created_at": 5}
    for one, two in product(bad, bad):
        if one < two:
            with pytest.raises(InvalidInput) as caught:
                shared.remember("fine", **{one: bad[one], two: bad[two]})
            assert len(caught.value.problems) == 2
