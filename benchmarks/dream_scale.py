"""What each step of a dream costs on large stores: process CPU, peak memory, and the size of the plan it makes.

Notes on tickets, "LED-1042: Marta raised the timeout of ledger-api to 30 seconds.", by 300 people on 100 services, over
a year. Vectors are made by hash, 384 numbers: notes of one ticket have cosines of about 0.85 to 0.9, others about 0.1.
A fifth of the notes are on tickets of 5 to 24 notes, the others on tickets of up to 4. `twenty scopes` and `one scope`
say where they are; `all alike` has tickets of 200 notes and no others; `one ticket` is a single one, so that every note
is like every other. Notes go straight into the store: what writing costs, and what
the door does with repetitions, is measured elsewhere.

Each step is a process of its own on the same file. `names` takes the names of all memories for the index of entities,
which cards and bridges would otherwise do first, once. The plan of `cluster` is applied too.
"""

from __future__ import annotations

import cProfile
import io
import json
import pstats
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from near_duplicates import peak_mb
from peers import HashEmbedder

from remanence import Mind
from remanence.flows.entities import name_all
from remanence.model.draft import draft_from
from remanence.model.plan import Change, Plan
from remanence.store.protocol import Embedded

NOW = datetime(2026, 6, 1, tzinfo=UTC)
YEAR_SECONDS = 365 * 86_400
NOTES = ("twenty scopes", "one scope", "all alike", "one ticket")
STEPS = ("names", "curve", "cluster", "cards", "bridges", "beliefs", "drift", "prune")
BULK = 2_000
TICKET_WEIGHT = 0.8
SHARE_CLUSTERED = 0.2
SETTINGS: dict[str, Any] = {"upkeep__on_open": False, "dream__seconds_per_run": None, "llm__name": "none"}
_SYLLABLES = ("ma", "ri", "to", "len", "sa", "vi", "dor", "ka", "mi", "ra", "no", "bel", "ju", "ta", "el", "hu", "go")
_AREAS = ("ledger", "billing", "search", "catalog", "auth", "mail", "media", "export", "metrics", "queue")
_PARTS = ("api", "worker", "gateway", "store", "proxy", "index", "sync", "batch", "cache", "front")
_DONE = (
    *("raised the timeout of {} to {} seconds", "moved {} to region {}", "found {} slow after release {}"),
    *("decided that {} keeps {} days of logs", "saw {} fail {} times overnight", "gave {} {} more workers"),
    *("rolled {} back to build {}", "wrote a test for {} with {} cases", "thinks {} may need {} GB more"),
    *("does not want {} on port {}", "measured {} at {} requests a second", "agreed to review {} on day {}"),
)
_WHY = ("since the load doubled", "after the outage", "for the audit", "before the launch", "as the client asked", "")


class TicketEmbedder(HashEmbedder):
    """Texts of one ticket are alike: most of a vector is its ticket's direction, the rest its words."""

    model = "ticket-384"

    def __init__(self) -> None:
        super().__init__(self.model)
        self._tickets: dict[str, Any] = {}

    def embed(self, texts: Sequence[str]) -> Any:
        import numpy as np

        words = super().embed(texts)
        rows = TICKET_WEIGHT**0.5 * np.array([self._direction(text.partition(":")[0]) for text in texts])
        rows += (1 - TICKET_WEIGHT) ** 0.5 * words
        return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)

    def _direction(self, ticket: str) -> Any:
        import numpy as np

        if ticket not in self._tickets:
            row = np.random.default_rng(int.from_bytes(ticket.encode()[:16], "big")).standard_normal(self.dimension)
            self._tickets[ticket] = (row / np.linalg.norm(row)).astype(np.float32)
        return self._tickets[ticket]


def people() -> list[str]:
    rng = Random(1)
    names: dict[str, None] = {}
    while len(names) < 300:
        names["".join(rng.choices(_SYLLABLES, k=2)).capitalize() + rng.choice(("", "n", "s"))] = None
    return list(names)


def tickets(notes: str, size: int, rng: Random) -> Iterator[int]:
    """How many notes each ticket has."""
    left = size
    while left > 0:
        if notes == "one ticket":
            number = left
        elif notes == "all alike":
            number = 200
        else:
            # 14.5 notes on average in a large ticket, 2.5 in a small one: so a fifth of the notes are in large ones.
            large = rng.random() < SHARE_CLUSTERED / 14.5 / (SHARE_CLUSTERED / 14.5 + (1 - SHARE_CLUSTERED) / 2.5)
            number = rng.randint(5, 24) if large else rng.randint(1, 4)
        yield min(number, left)
        left -= number


def rows(notes: str, size: int) -> Iterator[dict[str, Any]]:
    """The drafts, tickets mixed in time as they would be."""
    rng = Random(f"{notes} {size}")
    names = people()
    made: list[tuple[float, str, str]] = []
    for number, count in enumerate(tickets(notes, size, rng)):
        ticket = f"{rng.choice(_AREAS)[:3].upper()}-{1000 + number}"
        scope = f"/team/{number % 20:02d}" if notes == "twenty scopes" else "/team"
        begun = rng.random() * YEAR_SECONDS
        service = f"{rng.choice(_AREAS)}-{rng.choice(_PARTS)}"
        for _ in range(count):
            done = rng.choice(_DONE).format(service, rng.randint(2, 9_999))
            text = " ".join(f"{ticket}: {rng.choice(names)} {done} {rng.choice(_WHY)}".split()) + "."
            made.append((min(begun + rng.random() * 14 * 86_400, YEAR_SECONDS), text, scope))
    made.sort()
    for at, text, scope in made:
        yield {
            "text": text,
            "scope": scope,
            "kind": rng.choice(("fact", "decision", "observation", "bug")),
            "layer": rng.choice(("episodic", "episodic", "episodic", "semantic")),
            "importance": round(rng.uniform(0.2, 0.9), 2),
            "created_at": NOW - timedelta(seconds=YEAR_SECONDS - at + 60),
        }


def opened(path: Path) -> Mind:
    return Mind(path, clock=lambda: NOW, embedder=TicketEmbedder(), settings=SETTINGS)


# --- one figure, in a process of its own


def work(order: str) -> dict[str, Any]:
    """What one process does: fill a store, or run a step on it."""
    asked = json.loads(order)
    path = Path(asked["path"])
    if asked["step"] == "fill":
        fill(path, asked["notes"], asked["size"])
        return {}
    with opened(path) as mind:
        mind.dreams.night()  # the backlog of vectors, of which there is none
        plan, spent, profile = measured(mind, asked["step"], asked["profile"])
        found: dict[str, Any] = {
            "cpu": spent,
            "peak_mb": peak_mb(),
            "claims": len(plan.claims),
            "changes": len(plan.changes),
            "plan_bytes": len(json.dumps(plan.to_dict(), ensure_ascii=False).encode()) if plan.changes else 0,
            "warnings": list(plan.warnings),
            "profile": profile,
        }
        if asked["step"] == "cluster" and plan.changes:
            start = time.process_time()
            receipt = mind.apply(plan)
            found |= {"apply_cpu": time.process_time() - start, "applied": len(receipt.applied)}
            start = time.process_time()
            mind.undo(receipt.id)
            found["undo_cpu"] = time.process_time() - start
        return found


def measured(mind: Mind, step: str, profiled: bool) -> tuple[Plan, float, str]:
    """The plan of a step, its CPU, and where the time went."""
    if step == "names":
        do: Callable[[], Any] = lambda: name_all(mind._store)  # noqa: E731
    else:
        do = lambda: mind.dream(steps=step)  # noqa: E731
    profile = cProfile.Profile()
    start = time.process_time()
    plan = profile.runcall(do) if profiled else do()
    spent = time.process_time() - start
    text = io.StringIO()
    if profiled:
        pstats.Stats(profile, stream=text).sort_stats("tottime").print_stats(25)
    return plan if isinstance(plan, Plan) else Plan((), verb="names"), spent, text.getvalue()


def fill(path: Path, notes: str, size: int) -> None:
    """Straight into the store, with vectors."""
    stream = rows(notes, size)
    embedder = TicketEmbedder()
    with opened(path) as mind:
        while batch := list(islice(stream, BULK)):
            made = [draft_from(row).memory(mind._new_id(row["created_at"]), mind.namespace, NOW) for row in batch]
            vectors = embedder.embed([memory.text for memory in made])
            held = {one.id: Embedded(embedder.model, row) for one, row in zip(made, vectors, strict=True)}
            mind._store.apply(Plan(tuple(map(Change.add, made)), verb="add"), NOW, embedded=held)


# --- all figures


def measure(
    notes: str,
    size: int,
    folder: Path,
    steps: list[str],
    minutes: float,
    profile: str | None,
    tell: Callable[[str], None],
) -> list[dict[str, Any]]:
    """A store of that size, and each step on it."""
    path = folder / f"{notes.replace(' ', '-')}-{size}.db"
    tell(f"{size:,} notes, {notes}: filling")
    _worker({"step": "fill", "path": str(path), "notes": notes, "size": size}, 3_600)
    found = []
    for step in [profile] if profile else steps:
        tell(f"{size:,} notes, {notes}: {step}")
        order = {"step": step, "path": str(path), "profile": bool(profile)}
        row = {"notes": notes, "size": size, "step": step, **_worker(order, 60 * minutes)}
        found.append(row)
        if row.get("profile"):
            print(row["profile"])
    for left in folder.glob(f"{path.name}*"):
        left.unlink()
    return found


def _worker(order: dict[str, Any], seconds: float) -> dict[str, Any]:
    command = [sys.executable, str(Path(__file__).with_name("dream.py")), "--work", json.dumps(order)]
    try:
        run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=seconds)
    except subprocess.TimeoutExpired:
        return {"failed": f"stopped after {seconds / 60:.0f} minutes"}
    if run.returncode:
        return {"failed": f"ended with {run.returncode}: {run.stderr.strip().splitlines()[-1:]}"}
    result: dict[str, Any] = json.loads(run.stdout)
    return result
