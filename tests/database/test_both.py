"""The same things happen to a file and to a database, and both tell the same afterwards, case by case."""

import itertools
import random
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from remanence import Mind
from remanence.errors import RemanenceError
from remanence.model.checks import ORIGIN_BYTES, ORIGIN_CHARACTERS, TAG_CHARACTERS
from remanence.model.scope import LONGEST, MOST_BYTES, scope_problems
from tests.conftest import Clock, Entropy, new_mind
from tests.embedders import Toy
from tests.postgres import Cluster

WORDS = (
    *("heron", "lake", "nests", "deploy", "server", "port", "8080", "staging", "production", "cache", "redis", "Ada"),
    *("Bob", "Paris", "Berlin", "coffee", "tea", "never", "always", "prefers", "uses", "moved", "since", "Monday"),
    *("café", "naïve", "東京", "大阪", "サーバー", "部署", "запуск", "сервер"),
)
SCOPES = ("/", "/a", "/a/b", "/c")
KINDS = ("fact", "preference", "decision")
SEEDS = 12


class Both:
    """A file and a database, at the same moments, with the same chance."""

    def __init__(self, path: Path, url: str) -> None:
        self.clocks = Clock(), Clock()
        self.minds = tuple(
            new_mind(where, clock, entropy=Entropy(1), embedder=Toy())
            for where, clock in zip((path, url), self.clocks, strict=True)
        )

    def do(self, name: str, *given: Any, **named: Any) -> tuple[Any, Any]:
        """What both answer, or how both refuse."""
        answers = []
        for mind in self.minds:
            try:
                answers.append(getattr(mind, name)(*given, **named))
            except RemanenceError as error:
                answers.append(type(error).__name__)
        return answers[0], answers[1]

    def advance(self, **span: float) -> None:
        for clock in self.clocks:
            clock.advance(**span)

    def close(self) -> None:
        for mind in self.minds:
            assert mind.check().problems == ()
            mind.close()


def plain(answer: Any) -> Any:
    """An answer as it can be compared: numbers of receipts are a store's own."""
    if isinstance(answer, (list, tuple)):
        return [plain(one) for one in answer]
    if isinstance(answer, dict):
        return {name: plain(value) for name, value in answer.items() if name != "receipt_id"}
    if isinstance(answer, float):
        return pytest.approx(answer, abs=2e-3)
    return plain(answer.to_dict()) if hasattr(answer, "to_dict") else answer


def text(chance: random.Random) -> str:
    return " ".join(chance.choice(WORDS) for _ in range(chance.randint(2, 12)))


def step(chance: random.Random, both: Both, ids: list[str]) -> None:
    """Do one thing to both, and compare what they say of it."""
    what = chance.randrange(12)
    scope, kind = chance.choice(SCOPES), chance.choice(KINDS)
    if what <= 3:
        given = {"scope": scope, "kind": kind, "categories": chance.sample(WORDS[:4], chance.randint(0, 2))}
        answers = both.do("remember", text(chance), **given)
        ids += [answers[0].memory.id] if answers[0].memory is not None else []
    elif what == 4:
        answers = both.do("remember_many", [text(chance) for _ in range(chance.randint(1, 40))])
        for mind in both.minds:
            mind.meaning.reembed()
        ids += [one.memory.id for one in answers[0] if one.memory is not None]
        answers = tuple([(one.outcome, one.memory and one.memory.id) for one in told] for told in answers)
    elif what == 5 and ids:
        answers = both.do("revise", chance.choice(ids), text=text(chance))
    elif what == 6 and ids:
        answers = both.do(chance.choice(["pin", "unpin", "promote", "confirm", "challenge"]), chance.choice(ids))
    elif what == 7 and ids:
        answers = both.do("forget", ids=chance.sample(ids, min(3, len(ids))))
        answers = tuple(one if isinstance(one, str) else (one.applied, one.skipped) for one in answers)
    elif what == 8 and ids:
        answers = both.do("purge", ids=[ids.pop(chance.randrange(len(ids)))], reason="test")
        answers = tuple(one if isinstance(one, str) else (one.purged, one.derived) for one in answers)
    elif what == 9:
        both.advance(days=chance.choice([1, 10, 40]))
        answers = both.do("upkeep")
    elif what == 10:
        answers = tuple(sorted((c.memory_id, c.action) for c in plan) for plan in both.do("dedup"))
    else:
        asked = {"scope": chance.choice([None, *SCOPES]), "kinds": chance.choice([None, [kind]]), "reinforce": False}
        if chance.random() < 0.3:
            asked["as_of"] = both.clocks[0].now - timedelta(days=5)
        if chance.random() < 0.3:
            asked["include"] = "archived"
        hits = both.do("recall", text(chance), limit=chance.choice([3, 10, 50]), **asked)
        compare_hits(hits[0], hits[1])
        return
    assert plain(answers[0]) == plain(answers[1])


def compare_hits(file: list[Any], database: list[Any]) -> None:
    """The same are found with the same ranks; of those of equal rank the order, and at the end which, may differ."""
    if isinstance(file, str) or isinstance(database, str):
        assert file == database
        return
    assert [hit.rank for hit in file] == pytest.approx([hit.rank for hit in database], abs=2e-3)
    ranks = [{hit.memory.id: hit.rank for hit in hits} for hits in (file, database)]
    least = min((hit.rank for hit in file), default=0.0)
    for one, other in itertools.permutations(ranks):
        for id, rank in one.items():
            assert rank == pytest.approx(other.get(id, least), abs=4e-3)


def told(mind: Mind) -> dict[str, Any]:
    memories = mind.list(state="all", limit=1000)
    return {
        "memories": [memory.to_dict() for memory in memories],
        "journal": [plain(entry.to_dict()) for entry in mind.journal(limit=1000)],
        "entities": sorted((one.name, one.memories) for one in mind.entities.list()),
        "explained": [plain(mind.explain(memory.id)) for memory in memories[:3]],
        "stats": {name: plain(mind.stats().to_dict()[name]) for name in ("memories", "tokens", "scopes", "kinds")},
        "vectors": mind._store.meanings.models(),
    }


@pytest.mark.parametrize("seed", range(SEEDS))
def test_a_file_and_a_database_tell_the_same(seed: int, cluster: Cluster, template: str, tmp_path: Path) -> None:
    number = random.SystemRandom().randrange(2**32)
    print(f"seed {number}")
    chance = random.Random(number)
    name = cluster.new_database(template)
    both = Both(tmp_path / "memory.db", cluster.url(name))
    ids: list[str] = []
    try:
        for _ in range(40):
            step(chance, both, ids)
        file, database = (told(mind) for mind in both.minds)
        for part in file:
            assert plain(file[part]) == plain(database[part]), part
    finally:
        both.close()
        cluster.execute(f"DROP DATABASE {name} WITH (FORCE)")


def strange(number: int, bytes_: int) -> str:
    """So many letters of four bytes, which no index can make shorter; as many as fit into this many bytes."""
    chance = random.Random(number)
    return "".join(chr(chance.randrange(0x20000, 0x2A6D0)) for _ in range(min(number, bytes_ // 4)))


def test_the_longest_that_is_taken_has_room(partitioned_url: str, tmp_path: Path) -> None:
    longest = "/" + strange(LONGEST, MOST_BYTES - 1)
    label = strange(TAG_CHARACTERS, 4 * TAG_CHARACTERS)
    assert scope_problems(longest + "x" * 4) and not scope_problems(longest)
    for where in (tmp_path / "memory.db", partitioned_url):
        with new_mind(where, namespace=label) as mind:
            kept = mind.remember(
                f"Everything of {label} is long",
                scope=longest,
                kind=label,
                categories=[label],
                concepts=[label],
                files=[label],
                key=label,
                origin="session:" + strange(ORIGIN_CHARACTERS, ORIGIN_BYTES - 8),
            )
            assert mind.count(scope=longest, kind=label) == 1
            (hit,) = mind.recall("everything", scope=longest, files=[label])
            assert hit.memory.id == kept.memory.id
            session = mind.sessions.start(longest, agent="codex")
            mind.sessions.observe(session, "Always run the linter before you commit anything.", role="user")
            mind.sessions.end(session)
            mind.sessions.run()
            mind.purge(scope=longest, reason="it is over")
            assert mind.count(state="all") == 0 and mind.check().problems == ()


THINGS = (
    *("router", "switch", "cable", "battery", "engine", "window", "garden", "kettle", "bridge", "planet", "forest"),
    *("river", "castle", "doctor"),
)
ASKED = (
    *("rack 5 customer c12", "rack 5", "customer c12 hall 3", "which machine serves customer c44", "kettle team"),
    *("where is the bridge", "room 12 garden", "team 3 room 7", "the castle next to the river"),
)


def test_words_rank_alike(url: str, tmp_path: Path, clock: Clock) -> None:
    """Some words of a question tell much, some are common and count together: the same hits in the same order."""
    chance = random.Random(5)
    notes = [f"Machine m{i} serves customer c{i % 97} from rack {i % 13} in hall {i % 7}" for i in range(1200)]
    notes += [
        f"The {chance.choice(THINGS)} next to the {chance.choice(THINGS)} in room {chance.randrange(90)} "
        f"belongs to {chance.choice(THINGS)} team {chance.randrange(9)}"
        for _ in range(1200)
    ]
    chance.shuffle(notes)
    with new_mind(tmp_path / "memory.db", clock) as file, new_mind(url, clock) as database:
        for mind in (file, database):
            mind.remember_many(notes)
        for query in ASKED:
            for limit in (5, 10, 50, 100):
                (ours, theirs) = (
                    [(hit.memory.text, round(hit.rank, 4)) for hit in mind.recall(query, limit=limit, reinforce=False)]
                    for mind in (database, file)
                )
                assert ours[:1] == theirs[:1], (query, limit)
                assert [rank for _, rank in ours] == pytest.approx([rank for _, rank in theirs], abs=2e-3), (
                    query,
                    limit,
                )


def test_a_mark_that_stands_alone_is_kept_and_asked_for(url: str, tmp_path: Path, clock: Clock) -> None:
    """The tokeniser makes a word without letters of it."""
    texts = ["maple \u0300 cedar", "\u0300", "\u0301\u0302 birch"]
    for place in (url, tmp_path / "memory.db"):
        with new_mind(place, clock) as mind:
            for number, text in enumerate(texts):
                assert mind.remember(text, scope=f"/{number}").memory.text == text
            for word, text in (("maple", texts[0]), ("birch \u0300", texts[2])):
                assert next(hit.memory.text for hit in mind.recall(word)) == text
            mind.recall("\u0300")
            assert mind.check().problems == ()
