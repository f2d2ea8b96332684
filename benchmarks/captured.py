"""What is found again of captured sessions: LongMemEval's chats, once as raw turns, once as what stage 1 learned.

Each question has a store of its own haystack. Raw: every turn a memory. Captured: every session observed turn by turn
through `mind.sessions`, processed without a language model, and asked as a user would ask. Evidence sessions among the
first five sessions (any of them, all of them), and how many characters are live in the store against those of the
turns.

    python benchmarks/captured.py --data DIR                    # all questions: an hour or two
    python benchmarks/captured.py --data DIR --questions 20     # a quick look
    python benchmarks/captured.py --data DIR --words            # by words alone, without an embedder: minutes
    python benchmarks/captured.py --data DIR --only captured    # one of the two stores
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

from remanence.mind import Mind
from remanence.providers.bundled.embedder import Bundled
from remanence.simulator.contenders import distinct
from remanence.simulator.contenders.encoder import Cached
from remanence.simulator.contenders.ours import Clock, Ours, make_mind
from remanence.simulator.datasets import files, longmemeval
from remanence.simulator.datasets.longmemeval import Question
from remanence.simulator.protocols import share
from remanence.simulator.protocols.longmemeval import pieces

RAW, CAPTURED = "raw turns", "captured"
DEEP = 400
FIRST = (5, 10)


def raw(question: Question, encoder: Any, settings: dict[str, Any]) -> tuple[list[str], int, int]:
    """The sessions found with every turn a memory; memories and characters."""
    items = [item for session in question.sessions for item in pieces(session, "turn")]
    haystack = Ours(embedder=encoder, settings=settings).filled(items)
    found = haystack.asked(question.text, question.at, DEEP)
    haystack.close()
    return found, len(items), sum(len(turn.text) for session in question.sessions for turn in session.turns)


def captured(question: Question, encoder: Any, settings: dict[str, Any]) -> tuple[list[str], int, int]:
    """The sessions found through what was learned of them; memories and characters that are live."""
    clock = Clock(question.sessions[0].at)
    with make_mind(clock, embedder=encoder, settings=settings) as mind:
        for session in question.sessions:
            known = mind.sessions.start("chat", id=session.id, at=session.at)
            for number, turn in enumerate(session.turns):
                mind.sessions.observe(known, turn.text, role=turn.role, at=session.at + timedelta(seconds=number))
            mind.sessions.end(known, at=session.at + timedelta(seconds=len(session.turns)))
        clock.at = max(question.at, question.sessions[-1].at + timedelta(days=1))
        mind.sessions.run(only=[session.id for session in question.sessions])
        if mind.meaning.model is not None:
            mind.meaning.reembed()
        hits = mind.recall(question.text, limit=DEEP, reinforce=False)
        found = distinct(str(hit.memory.origin).removeprefix("session:") for hit in hits)
        texts = list(_live(mind))
        return found, len(texts), sum(map(len, texts))


def _live(mind: Mind) -> Iterator[str]:
    offset = 0
    while page := mind.list(limit=1000, offset=offset):
        yield from (memory.text for memory in page)
        offset += len(page)


WAYS = {RAW: raw, CAPTURED: captured}


def measured(
    questions: Sequence[Question], names: Sequence[str], encoder: Any, settings: dict[str, Any]
) -> dict[str, Any]:
    """Shares of questions, in percent, for these stores."""
    ways = {name: WAYS[name] for name in names}
    rows: dict[str, dict[str, Any]] = {name: {"memories": 0, "characters": 0} for name in ways}
    for number, question in enumerate(questions, 1):
        for name, way in ways.items():
            found, memories, characters = way(question, encoder, settings)
            row = rows[name]
            row["memories"] += memories
            row["characters"] += characters
            for first in FIRST:
                part = share(found[:first], question.evidence)
                row[f"any@{first}"] = row.get(f"any@{first}", 0) + (part > 0)
                row[f"all@{first}"] = row.get(f"all@{first}", 0) + (part == 1)
        so_far = {name: round(100 * row["all@5"] / number, 1) for name, row in rows.items()}
        print(f"\r{number} of {len(questions)}: all@5 {so_far}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    for row in rows.values():
        for name in [name for name in row if "@" in name]:
            row[name] = round(100 * row[name] / len(questions), 1)
    said = sum(len(turn.text) for question in questions for session in question.sessions for turn in session.turns)
    return {"questions": len(questions), "said": said, "rows": rows}


def table(result: dict[str, Any]) -> str:
    names = [f"{way}@{first}" for first in FIRST for way in ("any", "all")]
    lines = [f"| store | {' | '.join(names)} | memories | characters, % |", "|---|" + "--:|" * (len(names) + 2)]
    for name, row in result["rows"].items():
        shown = " | ".join(f"{row[one]:.1f}" for one in names)
        lines.append(f"| {name} | {shown} | {row['memories']:,} | {100 * row['characters'] / result['said']:.1f} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the folder that holds longmemeval/")
    parser.add_argument("--questions", type=int, help="only so many")
    parser.add_argument("--only", choices=["raw", "captured"], help="one of the stores")
    parser.add_argument("--words", action="store_true", help="without an embedder")
    parser.add_argument("--json", type=Path, help="write the figures there")
    given = parser.parse_args()
    asked = [one for one in longmemeval.read(files.load(given.data, "longmemeval")) if one.answerable]
    encoder = None if given.words else Cached(Bundled())
    settings = {"embedder": "none"} if given.words else {}
    names = {"raw": (RAW,), "captured": (CAPTURED,), None: (RAW, CAPTURED)}[given.only]
    result = measured(asked[: given.questions], names, encoder, settings)
    print(table(result))
    if given.json:
        given.json.write_text(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
