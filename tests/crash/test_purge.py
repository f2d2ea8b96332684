"""S7: what was purged stands in no byte of any file, whatever the pages went through before."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from remanence import Mind
from tests.crash.stores import START, archive, dump, holders, ledger, opened, sound, statement, vocabulary

pytestmark = pytest.mark.promise("S7")

FIELDS = ("text", "category", "concept", "file", "origin", "name", "value", "key")


def marker(chance: random.Random, size: int = 24) -> str:
    return "zq" + "".join(chance.choices("abcdefghijklmnopqrstuvwxyz0123456789", k=size))


def marked(text: str, marks: dict[str, str]) -> dict[str, Any]:
    """A draft with a marker in every field that takes words."""
    return {
        "text": f"{text} {marks['text']}",
        "categories": [marks["category"]],
        "concepts": [marks["concept"]],
        "files": [marks["file"]],
        "origin": marks["origin"],
        "metadata": {marks["name"]: {"deep": [marks["value"]]}},
        "key": marks["key"],
    }


def fill(mind: Mind, chance: random.Random, number: int, batch: int = 40) -> None:
    """Other memories, in many small transactions, so that the full-text index has segments and merges them."""
    words = vocabulary(chance, 2000)
    for _ in range(0, number, batch):
        mind.remember_many(
            [
                {"text": statement(chance, words, 6, 60), "categories": chance.sample(words, 2), "key": marker(chance)}
                for _ in range(batch)
            ]
        )


def test_every_field_version_and_descendant_is_gone(path: Path, seeded: Callable[[int], random.Random]) -> None:
    chance = seeded(71)
    marks = {f"{place} {name}": marker(chance) for place in ("old", "new", "child", "grandchild") for name in FIELDS}
    others = {f"{place} {name}": marker(chance) for place in ("archived", "forgotten", "superseded") for name in FIELDS}

    def of(place: str) -> dict[str, str]:
        return {name: (marks | others)[f"{place} {name}"] for name in FIELDS}

    with opened(path, at=None) as mind:
        fill(mind, chance, 400)
        old = mind.remember(**marked("The harbour opens at dawn", of("old"))).memory
        mind.recall(of("old")["text"])
        draft = marked("Nothing opens before noon on holidays", of("new"))
        del draft["key"]
        new = mind.revise(old.id, **draft).memory
        child = mind.remember(**marked("Ships wait outside", of("child")), lineage=[new.id]).memory
        mind.remember(**marked("Waiting costs money", of("grandchild")), lineage=[child.id])
        fill(mind, chance, 400)
        mind.forget(ids=[child.id])
        mind.restore(ids=[child.id])
        mind.pin(new.id)
        lone = {
            place: mind.remember(**marked(f"It was {place}", of(place))).memory for place in ("archived", "forgotten")
        }
        gone = mind.remember(**marked("Superseded by other words", of("superseded"))).memory
        kept = mind.revise(gone.id, text="Other words, none of them marked", **unmarked()).memory
        archive(mind, lone["archived"])
        mind.forget(ids=[lone["forgotten"].id])
        fill(mind, chance, 400)
        certificate = mind.purge(ids=[new.id], reason="asked to")
        assert len(certificate.purged) == 4
        assert certificate.older_versions == (old.id,)
        assert certificate.verified
        del marks["new key"]
        assert holders(path.parent, marks.values()) == {}
        second = mind.purge(ids=[lone["archived"].id, lone["forgotten"].id, gone.id], reason="asked to")
        assert second.verified
        assert second.kept_newer_versions == (kept.id,)
        assert holders(path.parent, others.values()) == {}
        assert mind.get(kept.id).text == "Other words, none of them marked"
    assert holders(path.parent, [*marks.values(), *others.values()]) == {}
    assert ledger(path).keys() == {id.replace("-", "") for id in (*certificate.purged, *second.purged)}
    sound(path)


def unmarked() -> dict[str, Any]:
    return {"categories": ["plain"], "concepts": ["plain"], "files": ["plain"], "origin": "plain", "metadata": {"a": 1}}


def suspects(path: Path, marks: dict[int, list[str]]) -> list[int]:
    """The rows whose markers stand in the file more often than is usual: a page may hold a copy left behind."""
    content = path.read_bytes()
    counts = {number: [content.count(mark.encode()) for mark in marks_] for number, marks_ in marks.items()}
    usual = [Counter(column).most_common(1)[0][0] for column in zip(*counts.values(), strict=True)]
    return [number for number, found in counts.items() if any(n > u for n, u in zip(found, usual, strict=True))]


@pytest.mark.parametrize(
    ("rows", "purges"), [(1500, 40), pytest.param(5000, 400, marks=[pytest.mark.full, pytest.mark.timeout(1200)])]
)
def test_no_page_keeps_a_copy_that_rows_left_when_they_moved(
    path: Path, seeded: Callable[[int], random.Random], rows: int, purges: int
) -> None:
    """Tags and keys arrive in random order, so that their pages split; a split moves rows and may leave copies."""
    chance = seeded(2)
    words = vocabulary(chance, 2000)
    marks = {number: [marker(chance, chance.choice((14, 24))) for _ in FIELDS] for number in range(rows)}
    drafts = [
        marked(statement(chance, words, 6, 60), dict(zip(FIELDS, marks[number], strict=True))) for number in range(rows)
    ]
    with opened(path, at=None) as mind:
        ids = []
        for start in range(0, rows, 100):
            ids += [done.memory.id for done in mind.remember_many(drafts[start : start + 100])]
    likely = suspects(path, marks)
    print(f"{len(likely)} rows with more copies than usual")
    chosen = list(dict.fromkeys([*likely[:purges], *chance.sample(range(rows), purges)]))
    gone = [mark for number in chosen for mark in marks[number]]
    with opened(path, at=None) as mind:
        for number in chosen:
            assert mind.purge(ids=[ids[number]], reason="asked to").verified
        assert holders(path.parent, gone) == {}
    assert holders(path.parent, gone) == {}
    sound(path)


@pytest.mark.parametrize(
    ("rows", "left"), [(600, 100), pytest.param(2500, 200, marks=[pytest.mark.full, pytest.mark.timeout(1200)])]
)
def test_no_text_stays_when_most_of_a_store_is_purged(
    path: Path, seeded: Callable[[int], random.Random], rows: int, left: int
) -> None:
    """Purging many neighbours empties pages, whose rows then move together; rows that left copies go next."""
    chance = seeded(73)
    words = vocabulary(chance, 300)
    starts = ("zqsharedbeginning", "zqsharedbeginningabc", "zq", "")
    marks = {
        number: [chance.choice(starts) + "".join(chance.choices("abcdef", k=16)) + " " + chance.choice(words)]
        for number in range(rows)
    }
    texts = [f"{marks[number][0]} {statement(chance, words, 1, chance.choice((3, 30, 200)))}" for number in range(rows)]
    with opened(path, at=None) as mind:
        ids = []
        for start in range(0, rows, 25):
            batch = [{"text": text, "kind": chance.choice("ab")} for text in texts[start : start + 25]]
            ids += [done.memory.id for done in mind.remember_many(batch)]
        there = dict(marks)
        gone: list[str] = []
        while len(there) > left:
            chosen = set(chance.sample(sorted(there), min(len(there), chance.choice((1, 2, 5, 20, 60)))))
            chosen |= set(suspects(path, there))
            certificate = mind.purge(ids=[ids[number] for number in chosen], reason="asked to")
            assert certificate.verified
            gone += (marks[number][0] for number in chosen)
            there = {number: mark for number, mark in there.items() if number not in chosen}
            assert holders(path.parent, gone) == {}, f"after {len(gone)} of {rows}"
            if chance.random() < 0.3:
                mind.remember(statement(chance, words, 30, 200))
    sound(path)


def test_no_word_is_left_as_a_signpost_of_the_full_text_index(
    path: Path, seeded: Callable[[int], random.Random]
) -> None:
    """The index keeps the first word of each of its pages, as far as it differs from the word before, once more."""
    chance = seeded(74)
    marks = [f"zqsharedbeginning{number:06d}" for number in range(3000)]
    chance.shuffle(marks)
    with opened(path, at=None) as mind:
        ids = [done.memory.id for done in mind.remember_many([{"text": mark, "kind": mark[-2:]} for mark in marks])]
        chosen = chance.sample(range(3000), 2000)
        assert mind.purge(ids=[ids[number] for number in chosen], reason="asked to").verified
        gone = [marks[number] for number in chosen]
        assert holders(path.parent, gone) == {}
    assert holders(path.parent, gone) == {}
    sound(path)


def test_a_scope_is_purged_whole(path: Path, seeded: Callable[[int], random.Random]) -> None:
    chance = seeded(75)
    words = vocabulary(chance, 2000)
    marks = [marker(chance) for _ in range(200)]
    with opened(path, at=None) as mind:
        fill(mind, chance, 200)
        mind.remember_many(
            [{"text": f"{mark} {statement(chance, words)}", "scope": "/client/acme", "kind": "note"} for mark in marks]
        )
        mind.remember(f"{marks[0]} belongs to another client", scope="/client/acmeplus")
        certificate = mind.purge(scope="/client/acme", reason="contract ended")
        assert len(certificate.purged) == 200
        assert holders(path.parent, marks[1:]) == {}
        assert mind.count(scope="/client/acmeplus") == 1
    sound(path)


def test_no_counter_tells_of_the_day_or_scope_of_what_is_gone(path: Path) -> None:
    with opened(path) as mind:
        mind.remember("It stays", scope="/stays")
    with opened(path, seed=1, at=START + timedelta(days=3)) as mind:
        gone = mind.remember("It goes", scope="/goes").memory
        before = dump(path)
        mind.purge(ids=[gone.id], reason="tested")
    after = dump(path)
    assert [len(before[table]) for table in ("days", "counts", "shelves")] == [2, 2, 2]
    assert [len(after[table]) for table in ("days", "counts", "shelves")] == [1, 1, 1]
    sound(path)


def test_a_reader_keeps_the_log_and_the_certificate_says_so(
    path: Path, seeded: Callable[[int], random.Random], start: Callable[..., Any]
) -> None:
    chance = seeded(76)
    secret, second = marker(chance), marker(chance)
    with opened(path, at=None, wait_seconds=0.2) as mind:
        fill(mind, chance, 80)
        id = mind.remember(f"The code is {secret}", categories=[secret]).memory.id
        reader = start("hold_snapshot", path)
        assert reader.next() == "held"
        certificate = mind.purge(ids=[id], reason="asked to")
        assert certificate.pending
        assert not certificate.verified
        assert mind.stats().purge_pending
        assert mind.recall(secret) == []
        mind.remember("Life goes on while a purge is pending")
        reader.say()
        reader.finish()
        assert mind.check().ok
        assert not mind.stats().purge_pending
        assert holders(path.parent, [secret]) == {}

        id = mind.remember(f"The code is {second}", categories=[second]).memory.id
        reader = start("hold_snapshot", path)
        assert reader.next() == "held"
        assert mind.purge(ids=[id], reason="asked to").pending
    assert holders(path.parent, [second]) != {}, "the reader was to keep the log from being cut"
    reader.say()
    reader.finish()
    with opened(path, at=None) as mind:
        assert not mind.stats().purge_pending
        assert holders(path.parent, [second]) == {}
    assert holders(path.parent, [second]) == {}
    sound(path)


def test_a_reader_that_stays_open_does_not_make_a_pending_purge_look_done(
    path: Path, seeded: Callable[[int], random.Random], start: Callable[..., Any]
) -> None:
    secret = marker(seeded(77))
    with opened(path, at=None, wait_seconds=0.1) as mind:
        id = mind.remember(f"The code is {secret}").memory.id
        reader = start("hold_snapshot", path)
        assert reader.next() == "held"
        assert mind.purge(ids=[id], reason="asked to").pending
    with opened(path, at=None) as mind:
        assert mind.stats().purge_pending
        mind.check()
        assert mind.stats().purge_pending
        reader.say()
        reader.finish()
        assert mind.check().ok
        assert holders(path.parent, [secret]) == {}


def test_backups_that_still_hold_it_are_listed(path: Path, seeded: Callable[[int], random.Random]) -> None:
    """A copy made by a migration lies beside the file; the certificate names it or it is gone."""
    secret = marker(seeded(78))
    with opened(path, at=None) as mind:
        id = mind.remember(f"The code is {secret}").memory.id
        copy = mind.backup(path.with_name(f"{path.name}.before-schema-2"))
        certificate = mind.purge(ids=[id], reason="asked to")
    assert set(holders(path.parent, [secret]).get(secret, [])) <= {copy.name}
    assert not copy.exists() or str(copy) in certificate.backups
