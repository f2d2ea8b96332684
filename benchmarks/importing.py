"""Importers: megabytes a second of each kind's reader alone, of the look before, and of the whole import.

    python benchmarks/importing.py [--megabytes 8] [--rounds 5] [--markdown OUT]

CPU of this process, medians of interleaved rounds. The files are invented: coding sessions with tool output for the
agents, short talks for the chats. json.loads of every line, or of the document, is beside them: no reader can be
quicker. What an import costs goes by what is said, so pieces (observations or memories) a second stand beside it;
memories are looked at and compared one by one, so of them there is an eighth.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from remanence import Mind
from remanence.sessions.importers import Skipped
from remanence.sessions.importers.kinds import KINDS
from remanence.settings import Settings
from tests.sessions import exports, transcripts

NOW = datetime(2026, 3, 1, tzinfo=UTC)
ENDINGS = {"claude-code": ".jsonl", "codex": ".jsonl", "markdown": ".md"}
_PARTS = (("bil", "sea", "har", "kit", "led", "orc", "sig"), ("ling", "rch", "bour", "chen", "ger", "nal"))
WORDS = [*map("".join, product(*_PARTS)), "prefers", "uses", "dislikes", "paper", "tea", "Fridays", "Lisbon"]
ANSWER = "The handler loads every row, so it is slow with many; I would page it by 200 and add an index. " * 6


def _agent(lines: Callable[..., Any]) -> Callable[[int], str]:
    return lambda number: "".join(lines(seed=number, events=500))


def _talk(number: int) -> list[dict[str, str]]:
    said = [f"How does part {number}.{turn} of the shop work, and who looks after it?" for turn in range(10)]
    return [{"role": role, "content": text} for one in said for role, text in (("user", one), ("assistant", ANSWER))]


def _chatgpt(number: int) -> dict[str, Any]:
    talk = exports.chatgpt(f"00000000-0000-4000-8000-{number:012d}")
    last = talk["current_node"]
    for turn, message in enumerate(_talk(number)):
        talk["mapping"][f"{number}-{turn}"] = exports.node(
            f"{number}-{turn}", last, message["role"], message["content"]
        )
        last = f"{number}-{turn}"
    return {**talk, "current_node": last}


def _claude(number: int) -> dict[str, Any]:
    return exports.claude(f"10000000-0000-4000-8000-{number:012d}", turns=20)


def _markdown(number: int) -> str:
    return "".join(f"## {message['role'].title()}\n\n{message['content']}\n\n" for message in _talk(number))


def _mem0(number: int) -> dict[str, Any]:
    words = random.Random(number).sample(WORDS, 5)
    return {**exports.mem0(1)[0], "id": f"m-{number}", "memory": f"{words[0].title()} {number}: {' '.join(words[1:])}"}


MAKERS: dict[str, Callable[[int], Any]] = {
    "claude-code": _agent(transcripts.claude_code_lines),
    "codex": _agent(transcripts.codex_lines),
    "chatgpt": _chatgpt,
    "claude": _claude,
    "mem0": _mem0,
    "chat": lambda number: {"id": f"20000000-0000-4000-8000-{number:012d}", "messages": _talk(number)},
    "markdown": _markdown,
}


def made(folder: Path, kind: str, size: int) -> Path:
    """A file of a kind and about a size."""
    path = folder / f"{kind}{ENDINGS.get(kind, '.json')}"
    number, is_document = 0, path.suffix == ".json"
    with path.open("w", encoding="utf-8") as file:
        file.write("[" if is_document else "")
        while file.tell() < size:
            one = MAKERS[kind](number)
            file.write(one if isinstance(one, str) else "," * (number > 0) + json.dumps(one))
            number += 1
        file.write("]" if is_document else "")
    return path


def parsed(path: Path) -> None:
    """The least that reading can cost."""
    if path.suffix == ".jsonl":
        with path.open("rb") as file:
            for line in file:
                json.loads(line)
    elif path.suffix == ".json":
        json.loads(path.read_bytes())
    else:
        path.read_text("utf-8").splitlines()


def _read(kind: str, path: Path) -> int:
    return sum(not isinstance(one, Skipped) for one in KINDS[kind].read(path, 0, NOW))


def _import(folder: Path, kind: str, path: Path) -> None:
    with tempfile.TemporaryDirectory(dir=folder) as place:
        settings = Settings(upkeep__on_open=False)
        with Mind(Path(place) / "memory.db", settings=settings, embedder=False) as mind:
            mind.sessions.import_(path, kind)


def _look(kind: str, path: Path) -> None:
    with Mind(":memory:", settings=Settings(upkeep__on_open=False), embedder=False) as mind:
        mind.sessions.look(path, kind)


def cpu(job: Callable[[], object]) -> float:
    begun = time.process_time()
    job()
    return time.process_time() - begun


def measured(megabytes: float, rounds: int) -> list[str]:
    took: dict[tuple[str, str], list[float]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = {kind: made(folder, kind, int(megabytes * 1e6 / (8 if kind == "mem0" else 1))) for kind in KINDS}
        numbers = {kind: _read(kind, path) for kind, path in files.items()}
        sizes = {kind: path.stat().st_size / 1e6 for kind, path in files.items()}
        for _ in range(rounds):
            for kind, path in files.items():
                took[kind, "parse"].append(cpu(lambda path=path: parsed(path)))
                took[kind, "read"].append(cpu(lambda kind=kind, path=path: _read(kind, path)))
                took[kind, "look"].append(cpu(lambda kind=kind, path=path: _look(kind, path)))
                took[kind, "import"].append(cpu(lambda kind=kind, path=path: _import(folder, kind, path)))
    lines = [
        "| kind | MB | pieces | parse alone, MB/s | reader, MB/s | look, MB/s | import, MB/s | import, pieces/s |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for kind in KINDS:
        middle = {step: statistics.median(took[kind, step]) for step in ("parse", "read", "look", "import")}
        speeds = [f"{sizes[kind] / seconds:,.3g}" for seconds in middle.values()]
        a_second = f"{numbers[kind] / middle['import']:,.0f}"
        lines.append(f"| {kind} | {sizes[kind]:.1f} | {numbers[kind]:,} | {' | '.join(speeds)} | {a_second} |")
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--megabytes", type=float, default=8)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--markdown", type=Path)
    given = parser.parse_args()
    said = "\n".join(measured(given.megabytes, given.rounds)) + "\n"
    sys.stdout.write(said)
    if given.markdown is not None:
        given.markdown.write_text(said)
    return 0


if __name__ == "__main__":
    sys.exit(main())
