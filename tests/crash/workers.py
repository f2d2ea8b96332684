"""The child processes of the crash tests: `workers.py JOB ARGUMENTS`, both in JSON.

A job says "held", "ready" or what it has done in JSON lines on its standard output, each after the call it speaks of
has returned, and waits for lines on its standard input where the test must decide when it goes on.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any


def tell(value: Any) -> None:
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


def wait() -> Any:
    return json.loads(sys.stdin.readline() or "null")


def hold_snapshot(path: str) -> None:
    """Read from one moment until told to stop."""
    import apsw

    connection = apsw.Connection(path)
    connection.execute("BEGIN")
    connection.execute("SELECT count(*) FROM memories").fetchall()
    tell("held")
    wait()
    connection.execute("COMMIT")
    connection.close()


def cut_off() -> None:
    """Run operations in forked processes that kill themselves at a statement; answer with how each ended.

    Each operation is run once here first, on a copy: else every child would import anew what it needs.
    """
    from tests.crash.operations import Cut, run

    known = set()
    while (asked := wait()) is not None:
        name, folder, at = asked
        if name not in known:
            known.add(name)
            with TemporaryDirectory() as other:
                run(name, Path(shutil.copytree(folder, Path(other, "copy"))), Cut())
        child = os.fork()
        if child == 0:
            run(name, Path(folder), Cut(at, kill=True))
            os._exit(0)
        _, status = os.waitpid(child, 0)
        tell(os.waitstatus_to_exitcode(status))


def write_until_killed(path: str, scope: str, seed: int, export: str) -> None:
    """Write groups of memories and change them as a whole, saying each step before and after it."""
    import numpy  # noqa: F401, forget needs it, and importing it takes longer than many a life here

    from tests.crash.stores import opened

    chance = random.Random(seed)
    groups: dict[str, dict[str, Any]] = {}
    with opened(Path(path), at=None) as mind:
        for number in count():
            step = _step(chance, groups, f"{scope}/{number}", export)
            tell({"try": step})
            done = _take(mind, step)
            group = groups.setdefault(step["group"], {"members": {}})
            group["state"] = step["state"]
            group["receipt"] = done.pop("receipt", None)
            group["members"].update(done.get("members", {}))
            tell({"done": step, **done})


def _step(chance: random.Random, groups: dict[str, dict[str, Any]], fresh: str, export: str) -> dict[str, Any]:
    """What to do next: something new, or the next thing in the life of a group."""
    back = ("restore", "undo", "purge")
    verbs = {"live": ("forget", "purge", "revise", "sweep"), "forgotten": back, "archived": back}
    changeable = [name for name, group in groups.items() if group["state"] in verbs and group["members"]]
    if not changeable or chance.random() < 0.45:
        verb = chance.choice(("remember", "remember", "remember_many", "remember_many", "import"))
        if verb == "import" and "imported" in groups:
            verb = "remember"
        group = "imported" if verb == "import" else fresh
        return {"verb": verb, "group": group, "state": "live", "export": export, "size": chance.randint(2, 60)}
    name = chance.choice(changeable)
    group = groups[name]
    choices = [verb for verb in verbs[group["state"]] if verb != "revise" or len(group["members"]) == 1]
    if name == "imported" or group["receipt"]:  # no sweep takes what came back before its month is over
        choices = [verb for verb in choices if verb != "sweep"]
    verb = chance.choice([verb for verb in choices if verb != "undo" or group["receipt"]])
    state = {"forget": "forgotten", "purge": "purged", "revise": "revised", "sweep": "archived"}.get(verb, "live")
    return {"verb": verb, "group": name, "state": state, "ids": list(group["members"]), "receipt": group["receipt"]}


def _take(mind: Any, step: dict[str, Any]) -> dict[str, Any]:
    """Take a step; what came of it, as the caller was told."""
    verb, group = step["verb"], step["group"]
    if verb == "remember":
        memory = mind.remember(f"One statement of {group}", categories=[group], scope=group).memory
        return {"members": {memory.id: memory.text}}
    if verb == "remember_many":
        texts = [
            {"text": f"Statement {n} of {group}", "categories": [group], "scope": group, "kind": f"kind{n}"}
            for n in range(step["size"])
        ]
        return {"members": {done.memory.id: done.memory.text for done in mind.remember_many(texts)}}
    if verb == "import":
        mind.import_(step["export"])
        lines = Path(step["export"]).read_text().splitlines()
        return {"members": {memory["id"]: memory["text"] for memory in map(json.loads, lines)}}
    if verb == "revise":
        return {"revised": mind.revise(step["ids"][0], text=f"Otherwise than {group}").memory.id}
    if verb == "forget":
        chosen = {"ids": step["ids"]} if group == "imported" else {"categories": [group]}
        return {"receipt": mind.forget(**chosen).id}
    if verb == "sweep":
        return {"receipt": mind.apply(_swept(mind, group), force=True).id}
    if verb == "restore":
        return {"receipt": mind.restore(ids=step["ids"]).id}
    if verb == "undo":
        return {"receipt": mind.undo(step["receipt"]).id}
    return {"receipt": mind.purge(ids=step["ids"], reason="tested").receipt_id}


def _swept(mind: Any, scope: str) -> Any:
    """A sweep under a policy that archives one scope: every memory is dated anew first."""
    from remanence.flows.sweep import sweep
    from remanence.policies.reading import read

    rule = f"{{name: tested, action: archive, when: {{scope: {scope}, age_days: '>= 0'}}}}"
    return sweep(mind._store, read(f"rules: [{rule}]", "tested.yml"), mind.clock())


def churn(path: str, seed: int, steps: int) -> None:
    """Random verbs on whatever the store holds, as many as asked for; each is told when it is done."""
    import numpy  # noqa: F401

    from remanence.errors import RemanenceError
    from tests.crash.stores import opened, statement, vocabulary

    chance = random.Random(seed)
    words = vocabulary(random.Random(17), 120)
    receipts: list[str] = []
    with opened(Path(path), at=None) as mind:

        def some(state: str = "all", most: int = 3) -> list[str]:
            there = [memory.id for memory in mind.list(state=state, limit=200)]
            return chance.sample(there, min(len(there), chance.randint(1, most)))

        def draft() -> dict[str, Any]:
            given = {"text": statement(chance, words, 3, 8), "scope": chance.choice(("/", "/a", "/a/b", "/c"))}
            return given | {
                "categories": chance.sample(words[:9], 2),
                "lineage": some() if chance.random() < 0.2 else (),
            }

        def remember() -> str | None:
            return mind.remember(**draft()).receipt_id

        def remember_many() -> str | None:
            return mind.remember_many([draft() for _ in range(chance.randint(1, 15))])[0].receipt_id

        def supersede() -> str | None:
            for old in map(mind.get, some("live", 1)):
                return mind.remember(f"{old.text} {chance.choice(words)}", scope=old.scope, kind=old.kind).receipt_id
            return None

        def revise() -> str | None:
            for id in some("live", 1):
                return mind.revise(id, **draft() | {"lineage": None}).receipt_id
            return None

        def forget() -> str:
            return mind.forget(categories=[chance.choice(words[:9])], scope=chance.choice(("/a/b", "/c"))).id

        def forget_some() -> str:
            return mind.forget(ids=some(most=8)).id

        def restore() -> str:
            return mind.restore(ids=some(most=8)).id

        def undo() -> str | None:
            return mind.undo(chance.choice(receipts[-20:])).id if receipts else None

        def purge() -> str | None:
            return mind.purge(ids=some(most=2), reason="tested").receipt_id

        def pin() -> None:
            for id in some(most=1):
                mind.pin(id)

        def recall() -> None:
            mind.recall(statement(chance, words, 1, 4))

        verbs = (remember, remember_many, supersede, supersede, revise, forget, forget_some, restore, undo, undo, purge)
        for _ in range(steps):
            verb = chance.choice((*verbs, pin, recall, recall))
            try:
                receipt = verb()
            except RemanenceError as refused:
                tell({"verb": verb.__name__, "refused": type(refused).__name__, "why": str(refused)[:200]})
                continue
            if receipt is not None:
                receipts.append(receipt)
            tell({"verb": verb.__name__})


def add_many(path: str, name: str, number: int) -> None:
    """Add so many memories one by one; tell their ids, then how long each took in milliseconds."""
    from tests.crash.stores import opened

    with opened(Path(path), at=None) as mind:
        tell("ready")
        wait()
        took = []
        for n in range(number):
            begun = perf_counter()
            memory = mind.remember(f"{name} said {n} {n * 7919} {name}{n}", scope=f"/{name}", categories=[name]).memory
            took.append((perf_counter() - begun) * 1000)
            tell(memory.id)
        tell(took)


def read_many(path: str, words: str, number: int) -> None:
    """Recall, get and list so often; tell how long each recall took in milliseconds."""
    from tests.crash.stores import opened

    with opened(Path(path), at=None) as mind:
        tell("ready")
        wait()
        took = []
        for _ in range(number):
            begun = perf_counter()
            hits = mind.recall(words, reinforce=False)
            took.append((perf_counter() - begun) * 1000)
            assert hits
            assert mind.get(hits[0].memory.id).text == hits[0].memory.text
            assert mind.list(limit=5)
        tell(took)


def recall_many(path: str, words: str, number: int) -> None:
    """Recall one memory so often, each time counted, and look that one's own accesses are seen at once."""
    from tests.crash.stores import opened

    with opened(Path(path), at=None) as mind:
        tell("ready")
        wait()
        for n in range(number):
            (hit,) = mind.recall(words, limit=1)
            assert mind.get(hit.memory.id).access_count > n
        tell(hit.memory.id)


def hold_write(path: str) -> None:
    """Keep a write under way until told to stop; it is then taken back."""
    from tests.crash.stores import opened

    with opened(Path(path), at=None) as mind:
        try:
            with mind._store.transaction():
                mind.remember("Written but never committed")
                tell("held")
                wait()
                raise KeyboardInterrupt
        except KeyboardInterrupt:
            tell("taken back")


def migrate_cut_off(step: str) -> None:
    """Open files that a step takes to the next schema, in forked processes that kill themselves at a statement."""
    from tests.crash.operations import Cut
    from tests.crash.steps import STEPS
    from tests.crash.stores import opened

    opened(Path(":memory:")).close()  # imports here what every child would import anew
    while (asked := wait()) is not None:
        path, at = asked
        child = os.fork()
        if child == 0:
            with STEPS[step].taking(), Cut(at, kill=True):
                opened(Path(path)).close()
            os._exit(0)
        _, status = os.waitpid(child, 0)
        tell(os.waitstatus_to_exitcode(status))


def migrate(step: str, path: str) -> None:
    """Open a file that a step takes to the next schema; tell how often this process took it."""
    from tests.crash.operations import Cut
    from tests.crash.steps import STEPS
    from tests.crash.stores import opened

    with STEPS[step].taking(), Cut() as cut:
        tell("ready")
        wait()
        opened(Path(path)).close()
        tell(sum(STEPS[step].marker in sql for sql in cut.statements))


def hold_job(path: str, holder: str, seconds: float) -> None:
    """Claim a job and tell the token; when told to, write under its lease, beat, finish, and tell what came of each."""
    from remanence.model.lease import Lease
    from remanence.model.plan import Change, Plan
    from tests.crash.stores import opened

    with opened(Path(path), at=None) as mind:
        store = mind._store
        lease = store.claim("sweep", holder, mind.clock(), seconds)
        assert isinstance(lease, Lease)
        tell(lease.token)
        wait()
        memory = mind.list()[0]
        plan = Plan((Change.of(memory, "tested", importance=0.01),), verb="sweep")
        tell(_tried(lambda: store.apply(plan, mind.clock(), lease=lease).id))
        tell(_tried(lambda: store.beat(lease, mind.clock(), seconds).token))
        tell(_tried(lambda: store.finish(lease, mind.clock())))


def dream_until_killed(path: str, scope: str, seed: int) -> None:
    """Add facts that are alike, dream of them, now and then take a dream back; each is said before and after."""
    from tests.crash.operations import dreaming
    from tests.facts import TOPICS, facts, remembered

    chance = random.Random(seed)
    with dreaming(Path(path), at=None) as mind:
        for number in count():
            group, topic = f"{scope}/{number}", chance.choice(TOPICS)
            texts = facts(topic, chance.randint(5, 9), start=chance.randint(0, 150))
            tell({"doing": "add", "group": group})
            added = remembered(mind, texts, scope=group)
            tell({"done": "add", "group": group, "facts": {memory.id: memory.text for memory in added}})
            tell({"doing": "dream", "group": group})
            if chance.random() < 0.5:
                receipt = mind.dreams.run("cluster", group).receipts["cluster"]
            else:
                receipt = mind.apply(mind.dream(group, "cluster")).id
            tell({"done": "dream", "group": group})
            if chance.random() < 0.3:
                tell({"doing": "undo", "group": group})
                mind.undo(receipt)
                tell({"done": "undo", "group": group})


def dream_when_told(path: str) -> None:
    """Dream unattended with a language model that says it was asked, and answers when told to; tell what came of it."""
    from tests.crash.operations import dreaming
    from tests.facts import Author

    def answer(*_: Any) -> str:
        tell("asked")
        wait()
        return "no JSON"

    with dreaming(Path(path), at=None, llm=Author(answer)) as mind:
        run = mind.dreams.run("cluster")
        tell(run.to_dict())


def recall_until_told(path: str, stop: str) -> None:
    """Recall every fact of a store over and over until a file is there; tell those that were not found, and rounds."""
    from tests.crash.operations import dreaming
    from tests.facts import reaches

    with dreaming(Path(path), at=None) as mind:
        asked = [memory for memory in mind.list(state="all", limit=1000) if memory.kind == "fact"]
        tell("ready")
        wait()
        missing: list[str] = []
        rounds = 0
        while not Path(stop).exists():
            missing += [memory.text for memory in asked if reaches(mind, memory) is None]
            rounds += 1
        tell({"missing": missing, "rounds": rounds})


def take_turns(path: str, name: str, number: int) -> None:
    """Claim a job so often, add a memory under its lease and finish; tell the tokens."""
    from remanence.model.memory import Memory
    from remanence.model.plan import Change, Plan
    from tests.crash.stores import opened

    with opened(Path(path), at=None) as mind:
        tell("ready")
        wait()
        done: list[int] = []
        while len(done) < number:
            lease = mind._store.claim("sweep", name, mind.clock(), 30.0)
            if lease is None:
                continue
            memory = Memory(
                id=mind._new_id(mind.clock()),
                namespace="main",
                scope="/",
                layer="episodic",
                kind="fact",
                text=f"Turn {lease.token} was {name}'s",
                source="human",
                importance=0.5,
                created_at=mind.clock(),
                last_accessed_at=mind.clock(),
            )
            mind._store.apply(Plan((Change.add(memory),), verb="sweep"), mind.clock(), lease=lease)
            mind._store.finish(lease, mind.clock())
            done.append(lease.token)
        tell(done)


def fill(path: str, limit_bytes: int) -> None:
    """Write until there is no room; tell each id, then how that was said, and what still works."""
    from tests.crash.stores import opened

    if limit_bytes:
        import resource

        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit_bytes, limit_bytes))
    mind = opened(Path(path), at=None)
    first = None
    for number in range(100_000):
        done = _tried(lambda n=number: mind.remember(f"Number {n} {'filling ' * 40} {n * 31}", kind=f"k{n}").memory.id)
        if "error" in done:
            tell(done)
            break
        first = first or done["done"]
        tell(done["done"])
    tell(_tried(lambda: len(mind.recall("filling number", reinforce=False))))
    tell(_tried(lambda: bool(mind.purge(ids=[first], reason="to make room").purged)))
    tell(_tried(lambda: str(mind.backup(Path(path).with_name("copy.db")))))
    tell(_tried(lambda: mind.close() or "closed"))


def _tried(use: Callable[[], Any]) -> dict[str, Any]:
    from remanence.errors import StoreError

    try:
        return {"done": use()}
    except Exception as error:
        return {"error": type(error).__name__, "typed": isinstance(error, StoreError), "message": str(error)}


def use_as(user: int, path: str) -> None:
    """Open a file and write to it as another user; tell what happened."""
    from tests.crash.stores import opened

    with opened(Path(":memory:")) as warm:
        warm.remember("Everything is imported now, while the source can be read")
        warm.recall("imported")
    os.setgid(user)
    os.setuid(user)

    def write() -> str:
        with opened(Path(path), at=None) as mind:
            return mind.remember("Written in spite of everything").memory.id

    tell(_tried(write))


if __name__ == "__main__":
    globals()[sys.argv[1]](*json.loads(sys.argv[2]))
