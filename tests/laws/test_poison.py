"""S1: poison through each door and extraction. None is returned as trusted, none leaves quarantine by itself."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import timedelta
from hashlib import blake2b
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from remanence import Mind
from remanence.compaction import before_cut
from remanence.guard.screening import screen
from remanence.tools import FileMemory, run
from tests.conftest import Clock, new_mind, only_files
from tests.guard.poison import POISON
from tests.interfaces.cases.doors import OverHttp, Rest, Server
from tests.interfaces.doors import typed
from tests.reliability.recording import Measured

pytestmark = pytest.mark.promise("S1")

TEXTS = [text for _, text in POISON]
Door = Callable[[Mind, Path], None]


def one_by_one(mind: Mind, folder: Path) -> None:
    for text in TEXTS:
        mind.remember(text, source="ai")


def many(mind: Mind, folder: Path) -> None:
    mind.remember_many([{"text": text, "source": "ingest"} for text in TEXTS])


def absorbed(mind: Mind, folder: Path) -> None:
    for text in TEXTS:
        mind.absorb(text, source="ai")


def derived(mind: Mind, folder: Path) -> None:
    """A person's words, made from a page that nobody vouches for."""
    page = mind.remember("A page of the web", source="ingest").memory
    for text in TEXTS:
        mind.remember(text, lineage=[page.id])


def tool(mind: Mind, folder: Path) -> None:
    for text in TEXTS:
        assert "error" not in run(mind, {"action": "add", "content": text})


def files(mind: Mind, folder: Path) -> None:
    kept = FileMemory(mind)
    for number, text in enumerate(TEXTS):
        kept.run("create", path=f"/memories/{number}.md", file_text=text)


def compaction(mind: Mind, folder: Path) -> None:
    before_cut([{"role": "assistant", "content": text} for text in TEXTS], mind=mind)


def imported(mind: Mind, folder: Path) -> None:
    with new_mind() as other:
        for text in TEXTS:
            other.remember(text)
        other.export(folder / "in.jsonl")
    lines = [json.loads(line) | {"source": "ai"} for line in (folder / "in.jsonl").read_text().split("\n")[:-1]]
    (folder / "in.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    mind.import_(folder / "in.jsonl")


def command_line(mind: Mind, folder: Path) -> None:
    path = folder / "many.jsonl"
    path.write_text("".join(json.dumps({"text": text}) + "\n" for text in TEXTS))
    words = [
        "--db",
        str(folder / "memory.db"),
        "--namespace",
        "test",
        "remember",
        "--many",
        str(path),
        "--source",
        "ai",
    ]
    code, _, err = typed(words)
    assert code == 0, err


def rest(mind: Mind, folder: Path) -> None:
    server = Server(folder, "memory.db")
    ask = Rest(server, "test")
    for text in TEXTS[::2]:
        assert ask("remember", text=text, source="ai")[0] == 0
    lines = "".join(json.dumps({"text": text, "source": "ingest"}) + "\n" for text in TEXTS[1::2])
    told = ask.http.post("/v1/memories/bulk", content=lines, headers={"content-type": "application/x-ndjson"}).json()
    assert told["rejected"] == 0 and told["read"] == len(TEXTS[1::2])
    ask.close()
    server.close()


def tools_over_http(mind: Mind, folder: Path) -> None:
    server = Server(folder, "memory.db")
    ask = OverHttp(server, "test")
    for text in TEXTS:
        assert ask("remember", text=text)[0] == 0
    ask.close()
    server.close()


@pytest.mark.parametrize(
    "door",
    [
        *(pytest.param(door, marks=only_files) for door in (rest, tools_over_http, command_line)),
        *(one_by_one, many, absorbed, derived, tool, files, compaction, imported),
    ],
    ids=lambda door: door.__name__,
)
def test_poison_stays_untrusted_and_apart(
    door: Door, tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch, measured: Measured
) -> None:
    monkeypatch.setenv("REMANENCE_EMBEDDER", "none")
    monkeypatch.setenv("REMANENCE_CONFIG", str(tmp_path / "config.yml"))
    with new_mind(tmp_path / "memory.db", clock) as mind:
        door(mind, tmp_path)
        apart = {memory.id for memory in mind.review.list(limit=1000)}
        assert len(apart) >= 0.8 * len(TEXTS)
        assert all(memory.trust < 1.0 for memory in mind.list(state="all", limit=1000))
        for text in TEXTS:
            found = mind.recall(text[:400], include="archived", reinforce=False, limit=5)
            assert not apart & {hit.memory.id for hit in found}
            assert all(hit.memory.trust < 1.0 for hit in found)
        for _ in range(3):
            mind.upkeep()
            mind.apply(mind.sweep(full=True), force=True)
            mind.apply(mind.dedup(), force=True)
            clock.now += timedelta(days=100)
        assert {memory.id for memory in mind.review.list(limit=1000)} == apart
    kept = 100 * len(apart) / len(TEXTS)
    measured(f"{len(TEXTS)} texts a door", least_quarantined_percent=kept, as_trusted=0, left_quarantine=0)


class Alike:
    """An embedder to which all texts are much alike, so that a dream would merge whatever it may."""

    local, model = True, "alike"

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        seeds = [int.from_bytes(blake2b(text.encode(), digest_size=4).digest(), "little") for text in texts]
        own = np.stack([np.random.default_rng(seed).standard_normal(32) for seed in seeds])
        own /= np.linalg.norm(own, axis=1, keepdims=True)
        return (np.ones(32) / 32**0.5 * 0.93 + own * 0.37).astype(np.float32)


def test_poison_stays_untrusted_and_apart_in_dreams(clock: Clock, measured: Measured) -> None:
    """What the detector misses may be merged with notes of people: the summary is trusted no more than it."""
    dreams = made = 0
    with new_mind(clock=clock, embedder=Alike()) as mind:
        for number, text in enumerate(TEXTS):
            mind.remember(text, source="ai", scope=f"/project{number % 5}")
        for number in range(60):
            mind.remember(f"Note {number} of the harbour: {number * 7919} boats", scope=f"/project{number % 5}")
        apart = {memory.id: memory.text for memory in mind.review.list(limit=1000)}
        for _ in range(6):
            clock.advance(days=31)
            done = mind.dreams.run()
            dreams, made = dreams + done.ran, made + done.made
        assert {memory.id: memory.text for memory in mind.review.list(limit=1000)} == apart
        memories = {memory.id: memory for memory in mind.list(state="all", limit=1000)}
        derived = [memory for memory in memories.values() if memory.lineage]
        risen = [m for m in derived if m.trust > min(memories[id].trust for id in m.lineage)]
        holding = [m for m in derived if any(text in m.text for text in apart.values())]
        measured(f"{len(TEXTS)} texts, {dreams} dreams", made=made, risen_in_trust=len(risen), quoting=len(holding))
        assert dreams == 6 and made > 0 and risen == [] and holding == []


@pytest.mark.parametrize("role", ["user", "assistant", "tool", "system"])
def test_poison_in_sessions_is_never_believed_and_reaches_no_file(role: str, tmp_path: Path, clock: Clock) -> None:
    with new_mind(tmp_path / "memory.db", clock) as mind:
        for number in range(0, len(TEXTS), 30):
            session = mind.sessions.start("shop", id=f"s{number}")
            for text in TEXTS[number : number + 30]:
                shown = {"tool": "WebFetch", "call": "page", "role": "user"} if role == "tool" else {"role": role}
                mind.sessions.observe(session, text, **shown)
            mind.sessions.observe(session, "We decided to keep prices in integer cents.")
        clock.advance(hours=13)
        run = mind.sessions.run()
        assert run.failed == () and len(run.processed) == len(range(0, len(TEXTS), 30))
        stored = mind.list(state="all", limit=1000)
        assert all(memory.trust < 1.0 for memory in stored)
        live = [memory for memory in stored if memory.state == "live"]
        assert "We decided to keep prices in integer cents." in {memory.text for memory in live}
        assert [memory.text for memory in live if screen(memory.text)] == []
        apart = [memory.text for memory in mind.review.list(limit=1000)]
        told = mind.guidance("shop", budget_tokens=50_000)
        told += "".join(file.read_text() for file in tmp_path.rglob("*.md"))
        assert [text for text in apart if text in told] == []
        if role == "tool":
            assert {memory.kind for memory in stored} <= {"decision", "session_summary", "workflow", "gotcha"}
