"""R22: the same clock, the same chance and the same operations, twice, make the same memories to the last byte."""

import random
from pathlib import Path

import pytest

from remanence import Mind
from remanence.policies.reading import read
from tests.conftest import Clock, Entropy, new_mind
from tests.reliability.recording import Measured

POLICY = read("extends: halflife\nhalf_life_days: 3\nprune_after_days: 3\nprune_threshold: 0.2", "short.yml")
WORDS = [
    "amber",
    "birch",
    "cedar",
    "daisy",
    "elder",
    "fern",
    "grape",
    "hazel",
    "iris",
    "juniper",
    "8",
    "12",
    "not",
    "東京都",
    "北京市",
]


def lived(mind: Mind, clock: Clock, seed: int, steps: int) -> None:
    """A life of its own: every writing verb, chosen by the seed."""
    chance = random.Random(seed)
    receipts: list[str] = []

    def any_id(state: str = "live") -> str | None:
        found = mind.list(state=state, limit=1000)
        return chance.choice(found).id if found else None

    for _ in range(steps):
        clock.advance(seconds=chance.choice([0, 1, 3600, 86_400, -5]))
        act, id = chance.random(), any_id()
        text = " ".join(chance.sample(WORDS, chance.randint(1, 7)))
        if act < 0.5 or id is None:
            result = mind.remember(
                text,
                scope=chance.choice(["/", "/a", "/a/b"]),
                source=chance.choice(["human", "ai"]),
                categories=set(chance.sample(WORDS, 2)),
                metadata={"n": chance.random()},
                origin=chance.choice([None, "chat"]),
            )
            receipts += [result.receipt_id] if result.receipt_id else []
        elif act < 0.58:
            mind.recall(text, limit=3)
        elif act < 0.59:
            receipts.append(mind.apply(mind.sweep(), force=True).id)
        elif act < 0.6:
            receipts.append(mind.apply(mind.dream()).id)
        elif act < 0.68:
            receipts.append(mind.forget(ids=[id]).id)
        elif act < 0.74 and (gone := any_id("all")):
            mind.restore(ids=[gone])
        elif act < 0.8:
            mind.revise(id, importance=chance.random())
        elif act < 0.86 and receipts:
            try:
                mind.undo(chance.choice(receipts))
            except ValueError:  # everything it changed was purged
                receipts.clear()
        elif act < 0.94:
            chance.choice([mind.pin, mind.unpin, mind.confirm, mind.challenge])(id)
        elif act < 0.97:
            mind.remember_many([f"{text} {number}" for number in range(3)])
        else:
            mind.purge(ids=[id], reason="asked")


def exported(path: Path, location: str | Path, seed: int, steps: int, chance: int) -> tuple[bytes, list[dict]]:
    clock = Clock()
    with new_mind(location, clock, entropy=Entropy(chance), policy=POLICY) as mind:
        lived(mind, clock, seed, steps)
        mind.export(path)
        assert mind.check().problems == ()
        return path.read_bytes(), [entry.to_dict() for entry in mind.journal(limit=1000)]


@pytest.mark.promise("R22")
@pytest.mark.parametrize("seed", range(3))
def test_a_run_can_be_replayed(tmp_path: Path, seed: int) -> None:
    in_memory = exported(tmp_path / "a.jsonl", ":memory:", seed, 150, seed)
    on_file = exported(tmp_path / "b.jsonl", tmp_path / "memory.db", seed, 150, seed)
    assert in_memory == on_file
    assert len(in_memory[0].splitlines()) > 50


def test_another_chance_gives_other_ids_and_the_same_story(tmp_path: Path) -> None:
    """Only ids come by chance."""
    one, _ = exported(tmp_path / "a.jsonl", ":memory:", 7, 40, 1)
    two, _ = exported(tmp_path / "b.jsonl", ":memory:", 7, 40, 2)
    assert one != two


@pytest.mark.promise("R22")
@pytest.mark.full
@pytest.mark.parametrize("seed", range(100, 110))
def test_a_long_run_can_be_replayed(tmp_path: Path, seed: int, measured: Measured) -> None:
    first = exported(tmp_path / "a.jsonl", tmp_path / "a.db", seed, 2000, seed)
    measured("2,000 operations, twice", seed=seed, memories=len(first[0].splitlines()))
    assert exported(tmp_path / "b.jsonl", tmp_path / "b.db", seed, 2000, seed) == first
