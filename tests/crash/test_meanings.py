"""R16, R17, R18 for what memories mean: kills, drift, many processes and migrations leave rows, words, meanings and
vectors in step, and what is held in memory equal to what a fresh process reads.

`python test_meanings.py JOB ARGUMENTS` is a child process of these tests.
"""

from __future__ import annotations

import json
import os
import random
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from pathlib import Path
from typing import Any

import apsw
import numpy as np
import pytest

from remanence import Mind
from remanence.errors import NotFound, RemanenceError
from remanence.flows.fade import fade
from remanence.model.selection import Selection
from remanence.settings import Settings
from remanence.store.protocol import Embedded
from remanence.store.sqlite import migrations
from tests.crash import conftest
from tests.crash.conftest import Child
from tests.crash.operations import Cut, CutOff
from tests.crash.steps import BACK_TO_3, BACK_TO_4, BACK_TO_5, BACK_TO_6, OF_SCHEMA_5, OF_SCHEMA_6, OF_SCHEMA_7
from tests.crash.stores import archive, drift, dump, everything
from tests.embedders import Toy
from tests.reliability.recording import Measured

START = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
FULL = [pytest.mark.full, pytest.mark.timeout(3600)]
WORDS = [f"word{n}" for n in range(80)]


def opened(path: Path, at: datetime | None = None, embedder: object = None, seed: int = 0, **settings: Any) -> Mind:
    """A mind with the toy embedder; by default its clock runs, and it embeds in the background."""
    chance = random.Random(seed)
    return Mind(
        path,
        namespace="main",
        clock=None if at is None else lambda: at,
        entropy=None if at is None else chance.randbytes,
        embedder=Toy() if embedder is None else embedder,
        settings=Settings(upkeep__on_open=False, **settings),
    )


def statement(chance: random.Random) -> str:
    return " ".join(chance.sample(WORDS, chance.randint(3, 7)))


# --- what a file says, read without the product


def astray(path: Path, models: dict[str, Toy] | None = None) -> list[str]:
    """Where meanings, vectors and paths are not what the memories say; vectors are made once more and compared."""
    models = models or {"toy": Toy()}
    connection = apsw.Connection(str(path))
    problems = []
    try:
        connection.execute("BEGIN")  # one moment: a mind held open may be embedding
        lives = {no: rest for no, *rest in connection.execute("SELECT no, space, shelf, state FROM lives")}
        texts = dict(connection.execute("SELECT no, text FROM memories"))
        codes: dict[int, list[bytes]] = {}
        for no, code in connection.execute("SELECT at >> 6, code FROM vectors ORDER BY at"):
            codes.setdefault(no, []).append(code)
        made = {no: (name, size) for no, name, size in connection.execute("SELECT no, name, dimension FROM models")}
        seen = set()
        for no, space, shelf, state, waits, model, bits, signs, hash_ in connection.execute(
            "SELECT no, space, shelf, state, waits, model, bits, signs, hash FROM meanings"
        ):
            seen.add(no)
            if lives.get(no) != [space, shelf, state]:
                problems.append(f"meaning {no} is not its memory's")
                continue
            if (model is None) != (no not in codes) or (model is None and not waits):
                problems.append(f"memory {no} has no vector and does not wait, or has one and no model")
                continue
            if model is None:
                continue
            name, size = made[model]
            code = b"".join(codes[no])
            if blake2b(b"%d %d %d " % (no, model, bits) + code, digest_size=8).digest() != hash_:
                problems.append(f"vector {no} has another hash")
            right = models[name].vector(texts[no], size)
            if bits == 32 and not np.allclose(np.frombuffer(code, "<f4"), right, atol=1e-6):
                problems.append(f"vector {no} is another text's")
            packed = np.packbits(right > 0, bitorder="little").tobytes()
            if not signs.startswith(packed):
                problems.append(f"signs of {no} are another text's")
        if seen != lives.keys():
            problems.append(f"{len(lives)} memories, {len(seen)} meanings")
        if codes.keys() - seen:
            problems.append(f"{len(codes.keys() - seen)} vectors without a meaning")
        paths = set(connection.execute("SELECT name, no FROM paths"))
        named = {
            (path.replace("\\", "/").rstrip("/").split("/")[-1], no)
            for no, files in connection.execute("SELECT no, files FROM memories WHERE files IS NOT NULL")
            for path in json.loads(files)
        }
        if paths != named:
            problems.append(f"paths: {len(paths)} kept, {len(named)} named")
        for table, column in (("recalled", "memory"), ("regrets", "no")):
            stray = connection.execute(f"SELECT count(*) FROM {table} WHERE {column} NOT IN (SELECT no FROM lives)").get
            if stray:
                problems.append(f"{table}: {stray} of no memory")
        return problems
    finally:
        connection.close()


def sound(path: Path, models: dict[str, Toy] | None = None) -> None:
    with opened(path, embedder=False) as mind:
        assert mind.check().problems == ()
    assert drift(path) == []
    assert astray(path, models) == []


def by_meaning(mind: Mind, words: str, size: int = 40) -> list[tuple[int, float]]:
    """What meaning alone finds, with its cosines: nothing of it hangs on words."""
    embedded = Embedded("toy", Toy().vector(words))
    found = mind._store.candidates(None, embedded, Selection(), size)
    pairs = zip(found.rows.tolist(), found.vector.tolist(), strict=True)
    return sorted(pairs, key=lambda pair: (-pair[1], pair[0]))


def cosines(mind: Mind, words: str) -> dict[str, float | None]:
    return {hit.memory.id: hit.parts.get("vector") for hit in mind.recall(words, limit=15, reinforce=False)}


def as_fresh(held: Mind, path: Path, queries: list[str]) -> None:
    """A mind that was there all along finds by meaning what a fresh one finds, to the last digit."""
    with opened(path, START) as fresh:
        for words in queries:
            assert by_meaning(held, words) == by_meaning(fresh, words), words
            one, other = cosines(held, words), cosines(fresh, words)
            assert [id for id in one.keys() & other.keys() if one[id] != other[id]] == [], words


# --- child processes


@pytest.fixture
def start(monkeypatch: pytest.MonkeyPatch, start: Callable[..., Child]) -> Callable[..., Child]:
    """Starts jobs of this file."""
    monkeypatch.setattr(conftest, "_WORKERS", Path(__file__))
    return start


def tell(value: Any) -> None:
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


def wait() -> Any:
    return json.loads(sys.stdin.readline() or "null")


def churn(path: str, seed: int, steps: int) -> None:
    """Random verbs on whatever the store holds; each is told when it is done."""
    chance = random.Random(seed)
    receipts: list[str] = []
    clock = [datetime.now(UTC)]
    mind = Mind(
        Path(path),
        namespace="main",
        clock=None if chance.random() < 0.5 else lambda: clock[0],
        embedder=Toy(),
        settings=Settings(upkeep__on_open=False),
        policy="halflife",
    )

    def some(state: str = "all", most: int = 3) -> list[str]:
        there = [memory.id for memory in mind.list(state=state, limit=200)]
        return chance.sample(there, min(len(there), chance.randint(1, most)))

    def draft() -> dict[str, Any]:
        return {
            "text": statement(chance),
            "scope": chance.choice(("/", "/a", "/a/b")),
            "files": chance.sample(["src/app.py", "lib/app.py", "README.md", "C:\\x\\y.txt", "docs/"], 2),
            "importance": chance.choice((None, 0.7)),
        }

    def remember() -> str | None:
        return mind.remember(**draft()).receipt_id

    def remember_many() -> str | None:
        return mind.remember_many([draft() for _ in range(chance.choice((5, 40)))])[0].receipt_id

    def supersede() -> str | None:
        for old in map(mind.get, some("live", 1)):
            return mind.remember(f"{old.text} {chance.choice(WORDS)}", scope=old.scope, kind=old.kind).receipt_id
        return None

    def revise() -> str | None:
        for id in some("live", 1):
            return mind.revise(id, **draft()).receipt_id
        return None

    def forget() -> str | None:
        return mind.forget(ids=some(most=6)).id

    def restore() -> str | None:
        return mind.restore(ids=some(most=6)).id

    def undo() -> str | None:
        return mind.undo(chance.choice(receipts[-20:])).id if receipts else None

    def purge() -> str | None:
        return mind.purge(ids=some(most=2), reason="tested").receipt_id

    def faded() -> None:
        clock[0] += timedelta(days=chance.choice((1, 12, 40)))
        fade(mind._store, mind.policies.current, clock[0])

    def reembed() -> None:
        mind.meaning.reembed()

    def used() -> None:
        for id in some(most=1):
            mind.feedback(id, chance.random() < 0.5)

    def recall() -> None:
        for hit in mind.recall(statement(chance), limit=5):
            assert mind.get(hit.memory.id).state == "live"

    verbs = (remember, remember_many, supersede, revise, forget, restore, undo, purge, faded, reembed, used, recall)
    with mind:
        for _ in range(steps):
            verb = chance.choice((*verbs, remember, recall))
            try:
                receipt = verb()
            except RemanenceError as refused:
                tell({"verb": verb.__name__, "refused": type(refused).__name__, "why": str(refused)[:200]})
                continue
            if receipt is not None:
                receipts.append(receipt)
            tell({"verb": verb.__name__})


def write_in_bulk(path: str, seed: int) -> None:
    """Bulk after bulk, embedded in the background and by recalls; each is told when it is acknowledged."""
    chance = random.Random(seed)
    toy = Toy()
    toy.before = lambda texts: time.sleep(0.005)
    with opened(Path(path), embedder=toy) as mind:
        while True:
            done = mind.remember_many([f"{statement(chance)} {n}" for n in range(chance.randint(33, 90))])
            tell([result.memory.id for result in done])
            mind.recall(statement(chance))


def embed_anew(path: str, model: str) -> None:
    """Give every memory a vector of this model, slowly; how far it is, is told."""
    toy = Toy(model)
    toy.before = lambda texts: time.sleep(0.02)
    with opened(Path(path), START, toy) as mind:
        tell("ready")
        done = mind.meaning.reembed(lambda at, total: tell(at))
        tell(done.to_dict())


def write_some(path: str, name: str, number: int) -> None:
    """Write so many; each is told when it is acknowledged."""
    with opened(Path(path), START, seed=len(name)) as mind:
        tell("ready")
        wait()
        _write(mind, name, number, tell)
        tell("done")


def _write(mind: Mind, name: str, number: int, tell: Callable[[Any], None]) -> None:
    chance = random.Random(name)
    for n in range(number):
        if n % 10 == 9:
            done = mind.remember_many([f"{statement(chance)} {name} {n} {m}" for m in range(35)])
            tell([result.memory.id for result in done])
        else:
            tell([mind.remember(f"{statement(chance)} {name} {n}").memory.id])
        if n % 7 == 6:
            mind.forget(ids=[mind.list(limit=50)[-1].id])


def together(path: str, readers: int, writers: int, number: int, seconds: float) -> None:
    """So many processes that recall, and others that write, all at once; what each has done is told."""
    children = []
    for n in range(readers + writers):
        receiving, sending = os.pipe()
        if (child := os.fork()) == 0:
            os.close(receiving)
            done = _recalled(Path(path), seconds, n) if n < readers else _written(Path(path), f"writer{n}", number)
            os.write(sending, json.dumps(done).encode())
            os._exit(0)
        os.close(sending)
        children.append((child, receiving))
    for child, receiving in children:
        said = b""
        while part := os.read(receiving, 65_536):
            said += part
        _, status = os.waitpid(child, 0)
        tell(json.loads(said) if status == 0 and said else {"ended": status})


def _written(path: Path, name: str, number: int) -> list[str]:
    acknowledged: list[str] = []
    with opened(path) as mind:
        _write(mind, name, number, acknowledged.extend)
    return acknowledged


def _recalled(path: Path, seconds: float, seed: int) -> dict[str, int]:
    """Recall by words and meaning for so long; every hit must be there, and as near as it says."""
    with opened(path) as mind:
        chance = random.Random(seed)
        until = time.monotonic() + seconds
        recalls = hits = 0
        while time.monotonic() < until:
            words = statement(chance)
            found = mind.recall(words, limit=10, reinforce=seed % 2 == 0)
            assert [hit.rank for hit in found] == sorted((hit.rank for hit in found), reverse=True)
            for hit in found:
                assert mind.get(hit.memory.id).text == hit.memory.text
                if "vector" in hit.parts:
                    true = float(Toy().vector(hit.memory.text) @ Toy().vector(words))
                    assert abs(true - hit.parts["vector"]) < 0.02, (true, hit)
            recalls += 1
            hits += len(found)
        return {"recalls": recalls, "hits": hits}


# --- kills


@pytest.mark.promise("R1")
@pytest.mark.parametrize("kills", [2, pytest.param(40, marks=FULL)])
def test_a_process_killed_amid_its_backlog_loses_nothing(
    path: Path, seeded: Callable[[int], random.Random], start: Callable[..., Child], kills: int
) -> None:
    chance = seeded(290)
    acknowledged: set[str] = set()
    for _ in range(kills):
        child = start("write_in_bulk", path, chance.randrange(2**32))
        for _ in range(chance.randint(1, 4)):
            acknowledged.update(child.next() or ())
        time.sleep(chance.random() / 20)
        for told in child.kill():
            acknowledged.update(told)
        sound(path)
    with opened(path, START) as mind:
        held = everything(mind)
        assert acknowledged <= held.keys()
        waiting = mind.meaning.waiting
        done = mind.meaning.reembed()
        assert (done.embedded, mind.meaning.waiting) == (waiting, 0)
        judged = [memory for memory in map(mind.get, held) if memory.surprise is not None]
        assert len(judged) >= len(held) - 1, "each gets its surprise, but for the first, which has nobody beside it"
        entries = Counter(entry.memory_id for entry in mind.journal(1000) if entry.verb == "surprise")
        assert not entries or max(entries.values()) == 1, "nobody is judged twice"
    sound(path)


@pytest.mark.promise("R18")
@pytest.mark.parametrize("kills", [1, pytest.param(5, marks=FULL)])
def test_a_killed_reembed_goes_on_where_it_stopped(path: Path, start: Callable[..., Child], kills: int) -> None:
    with opened(path, START) as mind:
        mind.remember_many([f"{statement(random.Random(n))} {n}" for n in range(300)])
        mind.meaning.reembed()
    models = {"toy": Toy(), "other": Toy("other")}
    done = 0
    for _ in range(kills):
        child = start("embed_anew", path, "other")
        assert child.next() == "ready"
        told = [child.next()]
        told += [at for at in child.kill() if isinstance(at, int)]
        done += max(told)
        sound(path, models)
        with opened(path, START, Toy("other")) as mind:
            vectors = mind.stats().vectors
            assert vectors["other"] >= done, "what was told is done"
            assert vectors["other"] + vectors["toy"] == 300
            assert mind.recall("word3")
    child = start("embed_anew", path, "other")
    left = child.finish()[-1]
    assert left == {"embedded": 300 - vectors["other"], "left": 0, "why": ""}
    sound(path, {"other": Toy("other")})


@pytest.mark.promise("R17")
@pytest.mark.parametrize(("steps", "kills"), [(60, 2), pytest.param(10_000, 60, marks=FULL)])
def test_random_verbs_with_kills_leave_everything_in_step(
    path: Path,
    seeded: Callable[[int], random.Random],
    start: Callable[..., Child],
    steps: int,
    kills: int,
    measured: Measured,
) -> None:
    """A mind that holds vectors in memory all the while follows what the others did and did not do."""
    chance, killed = seeded(172), kills
    verbs: Counter[str] = Counter()
    with opened(path, START, seed=7) as held:
        held.remember("word1 word2 word3 to begin with")
        while verbs.total() < steps or kills > 0:
            child = start("churn", path, chance.randrange(2**32), max(30, steps // 4))
            answers = [child.next()]
            if kills > 0:
                kills -= 1
                answers += [child.next() for _ in range(chance.randrange(max(20, steps // 10)))]
                answers += child.kill()
            else:
                answers += child.finish()
            refused = [a for a in answers if a and a.get("refused") not in (None, "InvalidInput", "NotFound")]
            assert refused == []
            verbs.update(answer["verb"] for answer in answers if answer)
            sound(path)
            held.recall("word1")
            as_fresh(held, path, [statement(chance) for _ in range(5)])
    measured(f"{verbs.total():,} operations with vectors, {killed} kills", seed=172, differences=0)


@pytest.mark.promise("R17")
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=FULL), pytest.param(3, marks=FULL)])
def test_a_mind_held_open_equals_a_fresh_one_after_every_verb(path: Path, seed: int) -> None:
    """Two minds take turns; after each verb what one holds in memory is what a third reads from the file."""
    print(f"seed {seed}")
    chance = random.Random(seed)
    one, two = opened(path, START, seed=1), opened(path, START + timedelta(days=1), seed=2)
    receipts: list[str] = []
    with one, two:
        for step in range(60):
            mind = chance.choice((one, two))
            live, every = mind.list(limit=500), mind.list(state="all", limit=500)
            verb = chance.choice(
                ("remember", "remember", "many", "forget", "restore", "revise", "purge", "undo", "fade", "archive")
            )
            if verb == "remember" or not live:
                receipts.append(mind.remember(f"{statement(chance)} {step}").receipt_id or "r1")
            elif verb == "many":
                receipts.append(
                    mind.remember_many([f"{statement(chance)} {step} {n}" for n in range(36)])[0].receipt_id
                )
            elif verb == "forget":
                receipts.append(mind.forget(ids=[chance.choice(live).id]).id)
            elif verb == "restore":
                mind.restore(ids=[chance.choice(every).id])
            elif verb == "revise":
                mind.revise(chance.choice(live).id, text=f"{statement(chance)} revised {step}")
            elif verb == "purge":
                mind.purge(ids=[chance.choice(every).id], reason="tested")
            elif verb == "undo":
                try:
                    receipts.append(mind.undo(chance.choice(receipts)).id)
                except RemanenceError:
                    receipts.clear()
                    receipts.append(mind.remember(f"after all {step}").receipt_id or "r1")
            elif verb == "fade":
                fade(mind._store, mind.policies.current, START + timedelta(days=step))
            else:
                archive(mind, chance.choice(live))
            words = statement(chance)
            expected = by_meaning(one, words)
            assert by_meaning(two, words) == expected, (seed, step, verb)
            if step % 6 == 5:
                as_fresh(chance.choice((one, two)), path, [words])
    sound(path)


# --- cut off at a statement (R2)


def _fill(path: Path, number: int = 40) -> None:
    with opened(path, START, seed=3) as mind:
        mind.remember("word1 word2 word3 known", files=["src/app.py"])
        mind.remember_many([f"{statement(random.Random(n))} {n}" for n in range(number)])


def _remember(mind: Mind) -> None:
    mind.remember("word1 word2 word3 quite new", files=["src/app.py", "README.md"])


def _drain(mind: Mind) -> None:
    mind.meaning.reembed()


def _fade(mind: Mind) -> None:
    mind.meaning.reembed()
    fade(mind._store, mind.policies.current, START + timedelta(days=400))


def _purge(mind: Mind) -> None:
    mind.recall("word1 known")
    mind.purge(ids=[mind.list(limit=1000)[-1].id], reason="tested")


def _feedback(mind: Mind) -> None:
    mind.used(mind.list(limit=1)[0].id)


OPERATIONS = {"remember": _remember, "drain": _drain, "fade": _fade, "purge": _purge, "feedback": _feedback}


def _run(path: Path, name: str, cut: Cut) -> None:
    with cut:
        mind = opened(path, START + timedelta(days=2), seed=4)
        try:
            cut.seen, cut.statements = 0, []
            OPERATIONS[name](mind)
        finally:
            cut.ended = True
            mind.close()


@pytest.mark.promise("R2")
@pytest.mark.parametrize("name", OPERATIONS)
@pytest.mark.parametrize("tries", [5, pytest.param(10_000, marks=FULL)])
def test_cut_off_at_a_statement_it_is_done_or_not(
    path: Path, tmp_path: Path, seeded: Callable[[int], random.Random], name: str, tries: int, measured: Measured
) -> None:
    chance = seeded(22)
    _fill(path)
    original = path.read_bytes()
    _run(path, name, cut := Cut())
    number = cut.seen
    assert number > 3
    measured("each statement", cut_at=min(tries, number))
    for at in sorted(chance.sample(range(1, number + 1), min(tries, number))):
        for file in path.parent.iterdir():
            file.unlink()
        path.write_bytes(original)
        with suppress(CutOff, RemanenceError):
            _run(path, name, Cut(at))
        with opened(path, START, embedder=False) as mind:
            assert mind.check().problems == (), f"at statement {at} of {number}"
        assert astray(path) == [], f"at statement {at} of {number}"
        try:
            _run(path, name, Cut())
        except RemanenceError as refused:
            pytest.fail(f"a second run after a cut at {at}: {refused}")
        assert astray(path) == []


# --- drift (R17)

ONE = "(SELECT min(no) FROM meanings WHERE bits = 32)"
SMALL = "(SELECT min(no) FROM meanings WHERE bits = 2)"
DRIFT = {
    "code flipped": f"UPDATE vectors SET code = CAST(x'ff' || substr(code, 2) AS BLOB) WHERE at = 64 * {ONE}",
    "coarse code flipped": (
        f"UPDATE vectors SET code = CAST(substr(code, 1, length(code) - 1) || x'5a' AS BLOB) WHERE at = 64 * {SMALL}"
    ),
    "code cut": f"UPDATE vectors SET code = substr(code, 1, length(code) - 4) WHERE at >> 6 = {ONE}",
    "code of another": (
        f"UPDATE vectors SET code = (SELECT code FROM vectors v WHERE v.at >> 6 <> {ONE} AND length(v.code) = 128) "
        f"WHERE at >> 6 = {ONE}"
    ),
    "part lost": f"DELETE FROM vectors WHERE at >> 6 = {ONE}",
    "part too many": f"INSERT INTO vectors(at, code) VALUES(64 * {ONE} + 7, x'00')",
    "sign flipped": f"UPDATE meanings SET signs = CAST(x'ff00ff00' || substr(signs, 5) AS BLOB) WHERE no = {ONE}",
    "coarse sign flipped": (
        f"UPDATE meanings SET signs = CAST(x'ff00ff00' || substr(signs, 5) AS BLOB) WHERE no = {SMALL}"
    ),
    "signs cut": f"UPDATE meanings SET signs = x'00' WHERE no = {ONE}",
    "signs lost": f"UPDATE meanings SET signs = NULL WHERE no = {ONE}",
    "hash changed": f"UPDATE meanings SET hash = zeroblob(8) WHERE no = {ONE}",
    "hash lost": f"UPDATE meanings SET hash = NULL WHERE no = {ONE}",
    "bits changed": f"UPDATE meanings SET bits = 8 WHERE no = {ONE}",
    "bits that are none": f"UPDATE meanings SET bits = 5 WHERE no = {ONE}",
    "model lost": f"UPDATE meanings SET model = NULL WHERE no = {ONE}",
    "model that is none": f"UPDATE meanings SET model = 77 WHERE no = {ONE}",
    "models lost": "DELETE FROM models",
    "length of a model": "UPDATE models SET dimension = dimension + 1",
    "state copied wrong": f"UPDATE meanings SET state = 2 WHERE no = {ONE}",
    "state of what is gone": "UPDATE meanings SET state = 0 WHERE state <> 0",
    "shelf copied wrong": f"UPDATE meanings SET shelf = shelf + 100 WHERE no = {ONE}",
    "meaning lost": f"DELETE FROM meanings WHERE no = {ONE}",
    "meanings lost": "DELETE FROM meanings",
    "meaning of no memory": (
        "INSERT INTO meanings SELECT space, 999999, shelf, state, waits, model, bits, signs, hash, NULL "
        f"FROM meanings WHERE no = {ONE}"
    ),
    "meaning of no namespace": (
        "INSERT INTO meanings SELECT 77, no, shelf, state, 1, NULL, NULL, NULL, NULL, NULL "
        f"FROM meanings WHERE no = {ONE}"
    ),
    "vector of no memory": "INSERT INTO vectors(at, code) VALUES(64 * 999999, zeroblob(128))",
    "vector of one that waits": "UPDATE meanings SET model = NULL, bits = NULL, signs = NULL, hash = NULL, waits = 1 "
    f"WHERE no = {ONE}",
    "neither a vector nor waiting": f"UPDATE meanings SET model = NULL, bits = NULL, signs = NULL, hash = NULL, "
    f"waits = 0, fades_at = NULL WHERE no = {ONE}",
    "waiting forgotten": "UPDATE meanings SET waits = 0 WHERE waits > 0",
    "path lost": "DELETE FROM paths WHERE name = 'app.py'",
    "path invented": f"INSERT INTO paths SELECT 'invented.py', {ONE}",
    "path of no memory": "INSERT INTO paths VALUES('app.py', 999999)",
    "recalled by nobody": "INSERT INTO recalled VALUES(1, 999999, 0)",
    "recalled what is gone": "INSERT INTO recalled SELECT 999999, min(no), 0 FROM recalls",
    "regret of no memory": "INSERT INTO regrets VALUES(999999, 1, 3, 0)",
}


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A store with vectors of every precision, states, files, recalls, and some that wait."""
    path = tmp_path_factory.mktemp("template") / "memory.db"
    with opened(path, START, seed=5) as mind:
        made = [
            mind.remember(f"{statement(random.Random(n))} {n}", files=["src/app.py", f"lib/{n}.py"]).memory.id
            for n in range(12)
        ]
        mind.recall("word1 word2")
        archive(mind, mind.get(made[0]))
        mind.forget(ids=[made[1]])
        mind.recall(mind.get(made[0]).text)
        fade(mind._store, mind.policies.current, START)
        mind.meaning.encoder = None
        mind.remember("This one waits")
    connection = apsw.Connection(str(path))
    connection.execute("PRAGMA journal_mode=DELETE")
    connection.close()
    return path.read_bytes()


@pytest.mark.promise("R17")
@pytest.mark.parametrize("kind", DRIFT)
def test_seeded_drift_is_found_and_mended(path: Path, template: bytes, kind: str) -> None:
    path.write_bytes(template)
    with opened(path, START, seed=6) as held:
        memories = everything(held)
        expected = by_meaning(held, "word1 word2 word3")
        connection = apsw.Connection(str(path))
        before = connection.total_changes()
        connection.execute(DRIFT[kind])
        assert connection.total_changes() > before, "this test was to change something"
        connection.close()
        found = held.check()
        assert not found.ok, "drift was not noticed"
        assert all(problem.repairable for problem in found.problems), found.problems
        mended = held.check(repair=True)
        assert mended.ok and mended.repaired, mended.problems
        assert everything(held) == memories
        held.meaning.reembed()
        assert astray(path) == []
        assert held.meaning.waiting == 0
        now = by_meaning(held, "word1 word2 word3")
        assert {no for no, _ in now} >= {no for no, _ in expected}, "each is found by meaning again"
        as_fresh(held, path, ["word1 word2 word3"])
    assert drift(path) == []


@pytest.mark.promise("R17")
def test_a_bit_of_a_vector_that_flips_in_the_file_is_found(path: Path) -> None:
    with opened(path, START) as mind:
        mind.remember("word1 word2 word3 of a vector that no other has")
    raw = Toy().vector("word1 word2 word3 of a vector that no other has").tobytes()
    content = bytearray(path.read_bytes())
    place = content.index(raw)
    content[place + 50] ^= 1
    path.write_bytes(content)
    with opened(path, START) as mind:
        assert [problem.kind for problem in mind.check().problems] == ["vectors"]
        assert mind.check(repair=True).ok
        assert mind.recall("word1 word2 word3")[0].parts["vector"] > 0.3
    sound(path)


def test_others_notice_a_repair(path: Path, template: bytes) -> None:
    """Who holds vectors in memory reads them anew, though it did not write."""
    path.write_bytes(template)
    with opened(path, START, seed=6) as held, opened(path, START, seed=7) as other:
        by_meaning(held, "word1")
        connection = apsw.Connection(str(path))
        connection.execute(f"UPDATE meanings SET signs = zeroblob(length(signs)), hash = zeroblob(8) WHERE no = {ONE}")
        connection.close()
        assert other.check(repair=True).ok
        other.meaning.reembed()
        as_fresh(held, path, ["word1 word2 word3"])
        held.remember("word1 word2 word3 and more")
        as_fresh(other, path, ["word1 word2 word3"])


# --- many processes


@pytest.mark.promise("R4")
@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    ("readers", "writers", "number", "seconds"), [(8, 2, 15, 2.5), pytest.param(8, 2, 500, 60.0, marks=FULL)]
)
def test_recalling_while_others_write(
    path: Path,
    start: Callable[..., Child],
    readers: int,
    writers: int,
    number: int,
    seconds: float,
    measured: Measured,
) -> None:
    with opened(path, START, seed=9) as mind:
        mind.remember("word1 word2 word3 to begin with")
    child = start("together", path, readers, writers, number, seconds)
    told = child.finish()
    reading, writing = told[:readers], told[readers:]
    assert all("recalls" in one for one in reading) and all(isinstance(one, list) for one in writing), child.errors
    recalls = sum(one["recalls"] for one in reading)
    measured(f"{readers} readers by meaning, {writers} writers, {seconds:.0f} s", recalls=recalls, errors=0)
    assert all(one["recalls"] > 3 for one in reading)
    assert sum(one["hits"] for one in reading) > 0
    acknowledged = {id for some in writing for id in some}
    assert len(acknowledged) == sum(map(len, writing))
    with opened(path, START) as mind:
        assert acknowledged <= everything(mind).keys()
        mind.meaning.reembed()
        assert mind.meaning.waiting == 0
    judged = [no for _, _, no, _, reason, *_ in dump(path)["journal"] if reason == "surprise"]
    assert len(judged) == len(set(judged)), "who is embedded by several processes is judged once"
    sound(path)


def test_another_process_sees_a_write_in_its_next_recall(path: Path, start: Callable[..., Child]) -> None:
    with opened(path, START, seed=8) as held:
        held.remember("word1 word2 word3 to begin with")
        child = start("write_some", path, "other", 12)
        assert child.next() == "ready"
        child.say()
        for _ in range(12):
            (id, *_) = child.next()
            text = held.get(id).text
            hits = held.recall(text, limit=40, reinforce=False)
            assert id in [hit.memory.id for hit in hits]
            assert {hit.memory.id: hit.parts for hit in hits}[id]["vector"] == pytest.approx(1.0, abs=1e-5)
        child.finish()


def test_threads_recall_while_one_writes(path: Path) -> None:
    errors: list[BaseException] = []
    missing: set[str] = set()
    purged: set[str] = set()
    ended = threading.Event()
    with opened(path) as mind:
        mind.remember("word1 word2 word3 to begin with")

        def recall(seed: int) -> None:
            chance = random.Random(seed)
            try:
                while not ended.is_set():
                    for hit in mind.recall(statement(chance), limit=5):
                        try:
                            assert mind.get(hit.memory.id).text == hit.memory.text
                        except NotFound:  # purged since it was found
                            missing.add(hit.memory.id)
            except BaseException as error:
                errors.append(error)

        threads = [threading.Thread(target=recall, args=(n,)) for n in range(2)]
        for thread in threads:
            thread.start()
        try:
            chance = random.Random(5)
            for n in range(8):
                done = mind.remember_many([f"{statement(chance)} {n} {m}" for m in range(chance.choice((1, 40)))])
                if n % 3 == 0:
                    mind.forget(ids=[done[0].memory.id])
                if n % 4 == 3:
                    mind.purge(ids=[done[0].memory.id], reason="tested")
                    purged.add(done[0].memory.id)
        finally:
            ended.set()
            for thread in threads:
                thread.join()
        assert errors == [] and missing <= purged
        mind.meaning.settle(10)
        as_fresh(mind, path, ["word1 word2", "word5 word7 word9"])
    sound(path)


# --- from schema 2 (R16)

BACK_TO_2 = f"""{BACK_TO_6}{BACK_TO_5}{BACK_TO_4}{BACK_TO_3}
DROP TABLE regrets; DROP TABLE recalled; DROP TABLE recalls; DROP INDEX memories_session; DROP TABLE paths;
DROP TABLE meaning_news; DROP TABLE vectors; DROP TABLE meanings; DROP TABLE models;
ALTER TABLE lives DROP COLUMN uses; ALTER TABLE lives DROP COLUMN rejections;
PRAGMA user_version = 2;
"""
PATHS = ["src/app.py", "app.py", "C:\\dir\\x.txt", "docs/", "/", "//", "a/b/c/", "über/größe.md", "日本/語.txt", "a.b"]


def schema_2(path: Path) -> None:
    """A store as the last version before meanings left it: what is new is taken off one of today."""
    with opened(path, START, embedder=False, seed=5) as mind:
        made = [
            mind.remember(
                f"{statement(random.Random(n))} {n}",
                files=[PATHS[n % len(PATHS)], PATHS[(n * 3 + 1) % len(PATHS)]] if n % 4 else (),
                origin=f"session:{n % 3}" if n % 2 else None,
            ).memory.id
            for n in range(40)
        ]
        archive(mind, mind.get(made[0]))
        mind.forget(ids=made[1:3])
        mind.revise(made[4], text="word1 word2 otherwise")
        mind.purge(ids=[made[6]], reason="tested")
        mind.pin(made[7])
        with Mind(path, namespace="other", clock=lambda: START, embedder=False) as other:
            other.remember("Of another namespace", files=["src/app.py"])
    connection = apsw.Connection(str(path))
    connection.execute(BACK_TO_2)
    connection.close()


NEW = (
    "models",
    "meanings",
    "vectors",
    "meaning_news",
    "paths",
    "recalls",
    "recalled",
    "regrets",
    "spending",
    *OF_SCHEMA_5,
    *OF_SCHEMA_6,
    *OF_SCHEMA_7,
)


@pytest.mark.promise("R16")
def test_schema_2_opens_with_its_contents_and_everything_is_then_embedded(path: Path) -> None:
    schema_2(path)
    before = dump(path)
    assert before["schema"] == [(2,)] and not set(NEW) & before.keys()
    with opened(path, START, seed=6) as mind:
        assert mind.stats().schema == migrations.current_schema() >= 3
        held = everything(mind)
        after = dump(path)
        assert {(m["uses"], m["rejections"], m["surprise"]) for m in held.values()} == {(0, 0, None)}
        kept = {name: rows for name, rows in before.items() if name not in ("lives", "policies", "schema")}
        assert {name: after[name] for name in kept} == kept
        assert [row[:5] for row in after["policies"]] == before["policies"]
        assert len(after["lives"]) == len(before["lives"])
        assert astray(path) == []
        assert mind.meaning.waiting == len(held)
        assert mind.recall("word1 otherwise")
        assert mind.meaning.waiting == 0, "a recall embeds what waits"
        now = everything(mind)
        assert {id: (m["importance"], m["surprise"]) for id, m in now.items()} == {
            id: (m["importance"], None) for id, m in held.items()
        }, "nobody is judged after the fact"
        assert mind.check().problems == ()
        named = [hit.memory.id for hit in mind.recall(files="app.py", limit=100)]
        assert len(named) == sum("app.py" in str(m["files"]) and m["state"] == "live" for m in held.values())
        assert not any(entry.verb == "surprise" for entry in mind.journal(1000))
    (copy,) = migrations.backups_of(path)
    assert dump(copy) == before
    sound(path)


@pytest.mark.promise("R16")
def test_schema_2_is_migrated_once_by_many(path: Path, start: Callable[..., Child]) -> None:
    schema_2(path)
    before = dump(path)["memories"]
    children = [start("write_some", path, f"writer{n}", 3) for n in range(2)]
    for child in children:
        assert child.next() == "ready", child.errors
    for child in children:
        child.say()
    for child in children:
        child.finish()
    after = dump(path)["memories"]
    assert [row for row in after if row in before] == before
    assert len(migrations.backups_of(path)) == 1
    sound(path)


if __name__ == "__main__":
    globals()[sys.argv[1]](*json.loads(sys.argv[2]))
