"""What captured sessions cost the store: telling, listing, finding what changed, letting go, erasing by text, bytes.

    python benchmarks/sessions.py [--rounds 5] [--observations 100000 1000000] [--markdown OUT]

CPU of this process, medians of interleaved rounds; what destroys is done once. An observation has 5 to 120 words.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

from remanence.model.session import TOOL, USER, Observation
from remanence.store.sqlite.store import SqliteStore

START = datetime(2026, 1, 5, 9, tzinfo=UTC)
LATER = START + timedelta(days=200)
IN_SESSION = 1_000
BATCHES = (1, 10, 100, 1_000)
TEXTS = (1, 100, 10_000)
_CHANCE = random.Random(7)
WORDS = ["".join(_CHANCE.choices("abcdefghijklmnopqrstuvwxyz", k=_CHANCE.randint(3, 9))) for _ in range(3_000)]


def observations(seed: int) -> Iterator[Observation]:
    """Said and called things without end, each with a key."""
    chance, number = random.Random(seed), 0
    while True:
        number += 1
        tool = chance.random() < 0.5
        yield Observation(
            role=TOOL if tool else USER,
            text=" ".join(chance.choices(WORDS, k=chance.choice((5, 20, 60, 120)))),
            at=START + timedelta(seconds=number),
            tool="Bash" if tool else None,
            call=" ".join(chance.choices(WORDS, k=8)) if tool else "",
            key=f"{seed}-{number}",
        )


def cpu(job: Callable[[], object]) -> float:
    begun = time.process_time()
    job()
    return time.process_time() - begun


def middle(times: list[float], scale: float) -> str:
    return f"{scale * statistics.median(times):.3g} ({scale * min(times):.3g} to {scale * max(times):.3g})"


def telling(rounds: int) -> list[str]:
    """One way tells, a second tells the same, the first tells once more; by size of batch."""
    lines = [
        "| observations at a time | told, µs each | told by a second way | told once more, by its keys |",
        "|--:|--:|--:|--:|",
    ]
    for batch in BATCHES:
        took: dict[str, list[float]] = defaultdict(list)
        number = 2_000 if batch == 1 else 10_000
        for seed in range(rounds):
            source = observations(seed)
            some = [[next(source) for _ in range(batch)] for _ in range(number // batch)]
            with tempfile.TemporaryDirectory() as folder:
                store = SqliteStore.open(Path(folder) / "memory.db", "main")
                store.sessions.begin("s", "/project/api", "agent", START)
                for name, via in (("first", "hook"), ("second", "transcript"), ("again", "hook")):
                    took[name].append(cpu(partial(told, store, some, via)) / number)
                store.close()
        lines.append(f"| {batch:,} | {' | '.join(middle(took[name], 1e6) for name in ('first', 'second', 'again'))} |")
    return lines


def told(store: SqliteStore, batches: list[list[Observation]], via: str) -> None:
    for one in batches:
        store.sessions.append("s", one, via)


def fill(store: SqliteStore, number: int) -> int:
    """So many observations, a thousand a session; the bytes they say."""
    source, said = observations(11), 0
    for session in range(number // IN_SESSION):
        id = f"session-{session}"
        store.sessions.begin(id, f"/project/p{session % 20}", "agent", START)
        some = [next(source) for _ in range(IN_SESSION)]
        said += sum(len(one.text) + len(one.call) for one in some)
        store.sessions.append(id, some, "transcript")
    return said


def large(number: int, rounds: int) -> list[str]:
    """What is done with many observations."""
    lines = [f"| {number:,} observations | |", "|---|--:|"]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.db"
        store = SqliteStore.open(path, "main")
        sizes: list[int] = []
        took = cpu(lambda: sizes.append(fill(store, number)))
        lines.append(f"| told in batches of {IN_SESSION:,}, µs each, with making them up | {1e6 * took / number:.3g} |")
        store.close()
        held = path.stat().st_size
        lines.append(f"| bytes each on disk | {held / number:.0f} |")
        lines.append(f"| of which what was said | {sizes[0] / number:.0f} |")
        store = SqliteStore.open(path, "main")
        sessions = store.sessions
        for count in TEXTS:
            texts = [f"Statement {n} that nobody made, of which there are {n * 7919} or more" for n in range(count)]
            took = cpu(partial(sessions.erase, [], LATER, texts=texts))
            lines.append(f"| erase what holds one of {count:,} texts (none does), s | {took:.3g} |")
        several = [cpu(store.check) for _ in range(min(rounds, 3))]
        lines.append(f"| check, s | {middle(several, 1)} |")
        lines.append(f"| how many are old, s | {cpu(lambda: sessions.prunable(LATER)):.3g} |")
        half = START + timedelta(seconds=number / 2)
        lines.append(f"| let go of the older half, s | {cpu(lambda: sessions.prune(half)):.3g} |")
        lines.append(f"| purge the rest, with the file written anew, s | {cpu(lambda: emptied(store)):.3g} |")
        store.close()
    return lines


def emptied(store: SqliteStore) -> None:
    from remanence.model.plan import Certificate

    store.sessions.erase([], LATER, scopes=["/"])
    store.erase(Certificate(receipt_id=None, at=LATER, reason="measured", purged=()), [], 1.0)


def registry(rounds: int) -> list[str]:
    """Many sessions, all read but 64."""
    lines = ["| sessions | list 100, ms | list 100 of a project, ms | list all, ms | changed, ms | projects, ms |"]
    lines.append("|--:|--:|--:|--:|--:|--:|")
    for number in (10_000, 100_000):
        with tempfile.TemporaryDirectory() as folder:
            store = SqliteStore.open(Path(folder) / "memory.db", "main")
            sessions = store.sessions
            source = observations(13)
            with store.transaction():
                for session in range(number):
                    at = START + timedelta(minutes=session)
                    sessions.begin(f"s{session}", f"/project/p{session % 200}", "agent", at)
                    sessions.append(f"s{session}", [next(source)], "hook")
                    if session >= 64:
                        sessions.processed(f"s{session}", 1, at, summary=f"memory {session}")
            assert len(sessions.changed()) == 64
            took: dict[str, list[float]] = defaultdict(list)
            for _ in range(rounds):
                took["list"].append(cpu(partial(sessions.listed, limit=100)))
                took["project"].append(cpu(partial(sessions.listed, ["/project/p7"], limit=100)))
                took["all"].append(cpu(sessions.listed))
                took["changed"].append(cpu(sessions.changed))
                took["projects"].append(cpu(sessions.projects))
            lines.append(f"| {number:,} | {' | '.join(middle(times, 1000) for times in took.values())} |")
            store.close()
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--observations", type=int, nargs="*", default=[100_000, 1_000_000])
    parser.add_argument("--markdown", type=Path)
    given = parser.parse_args()
    tables = [telling(given.rounds), registry(given.rounds)]
    tables += (large(number, given.rounds) for number in given.observations)
    said = "\n\n".join("\n".join(table) for table in tables) + "\n"
    sys.stdout.write(said)
    if given.markdown is not None:
        given.markdown.write_text(said)
    return 0


if __name__ == "__main__":
    sys.exit(main())
