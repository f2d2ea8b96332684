"""S6: a secret that was said is in no file, log, embedder's or model's call, in whatever way it came in."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from remanence import Mind
from remanence.settings import Settings
from tests.conftest import Clock, Entropy
from tests.embedders import Toy
from tests.guard.secret_texts import with_secrets
from tests.reliability.recording import Measured

PIECE = 12


class Listening(Toy):
    """An embedder and a language model that keep all they are given."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[str] = []

    def embed(self, texts: Any) -> Any:
        self.heard.extend(texts)
        return super().embed(texts)

    def complete(self, prompt: str, *, system: str = "", schema: Any = None, most_tokens: int = 1024) -> str:
        self.heard += (prompt, system)
        answers = {"facts": [], "synopsis": "", "memories": [], "skills": []}
        return json.dumps({name: answers[name] for name in (schema or {}).get("properties", answers)})


def pieces(value: str) -> set[str]:
    """The ends of a value's lines: a part of a key is a leak too, where the beginning may be an address."""
    lines = [line.strip() for line in value.splitlines() if len(line.strip()) >= 6 and "PRIVATE KEY" not in line]
    return {line[-PIECE:] for line in lines}


OTHER_WAYS: list[Callable[[Mind, str, int], object]] = [
    lambda mind, text, number: mind.absorb(text, scope=f"/absorbed/{number}"),
    lambda mind, text, number: mind.remember(f"Note {number}", metadata={"note": text}, origin="mail"),
    lambda mind, text, number: mind.recall(text[:2000]),
    lambda mind, text, number: mind.memory_tool("add", content=text),
    lambda mind, text, number: mind.sessions.observe(mind.sessions.start("shop", id=f"s{number}"), text),
    lambda mind, text, number: mind.sessions.observe(
        mind.sessions.start("shop", id=f"s{number}"), text, tool="Bash", call=text[:2000], failed=True
    ),
]


@pytest.mark.promise("S6")
def test_nowhere(tmp_path: Path, clock: Clock, caplog: pytest.LogCaptureFixture, measured: Measured) -> None:
    caplog.set_level(logging.DEBUG)
    cases = with_secrets(seed=77, each=2)
    listening = Listening()
    settings = Settings(upkeep__on_open=False, llm__tokens_per_run=None, llm__tokens_per_day=None)
    options: dict[str, Any] = {"embedder": listening, "llm": listening, "settings": settings, "entropy": Entropy()}
    said: list[str] = []
    with Mind(tmp_path / "memory.db", clock=clock, **options) as mind:
        for number, case in enumerate(cases):
            said.append(json.dumps(mind.remember(case.text).to_dict(), default=str))
            OTHER_WAYS[number % len(OTHER_WAYS)](mind, case.text, number)
        clock.advance(hours=13)
        assert mind.sessions.run().failed == ()
        said.append(mind.guidance("shop"))
        mind.export(tmp_path / "out.jsonl")
        mind.export(tmp_path / "out.md")
        mind.backup(tmp_path / "copy.db")
        told = json.dumps([entry.to_dict() for entry in mind.journal(limit=1000)])
    files = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()).decode("utf-8", "replace")
    places = {"files": files, "heard": "\n".join(listening.heard), "log": caplog.text, "journal": told}
    places["answers"] = "\n".join(said)
    leaked = [
        (case.kind, name, case.text)
        for case in cases
        for name, place in places.items()
        if any(piece in place for piece in pieces(case.value))
    ]
    found = len({text for _, _, text in leaked})
    measured(f"{len(cases)} secrets by seven ways; files, log, journal, answers, models", found_somewhere=found)
    assert found <= 0.02 * len(cases), leaked
