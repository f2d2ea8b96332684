"""A real, small language model reads a session: what it says stands in it, and what part it had is told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.sessions.host import Host
from tests.sessions.projects import frames
from tests.sessions.transcripts import CORRECTIONS


@pytest.mark.timeout(300)
def test_from_hooks_to_the_guidance_of_the_next_session(tmp_path: Path, real_model: None) -> None:
    more = {"REMANENCE_LLM__NAME": "local", "REMANENCE_LLM__TIMEOUT_SECONDS": "100", "REMANENCE_EMBEDDER": "none"}
    host = Host(tmp_path, "claude-code", 21, **more)
    host.work(told=21)
    run = host.rem("session", "run")
    (processed,), (written,) = run["processed"], run["written"]
    assert run["failed"] == []
    spent = host.rem("stats")["spent_today"]
    assert spent > 0, "it was asked"
    if not processed["llm"]:
        assert any("without a model" in note or "Dropped" in note for note in processed["notes"])
    if not written["llm"]:
        assert all("without a model" in note for note in written["notes"])
    shown = host.rem("session", "show", host.session)
    happened = set(re.findall(r"\w+", " ".join(f"{seen['call']} {seen['text']}" for seen in shown["observed"]).lower()))
    memories = [host.rem("show", id) for id in shown["learned"]]
    assert len(memories) >= 2
    for memory in memories:
        words = re.findall(r"\w+", memory["text"].lower())
        assert sum(word in happened for word in words) >= 0.6 * len(words), memory["text"]
        assert all(word in happened for word in words if any(sign.isdigit() for sign in word)), memory["text"]
        assert memory["source"] == "extracted"
    text = host.next()
    assert CORRECTIONS[0].removeprefix("No, ")[1:] in frames(text)[0]
    assert host.betrayed() == {}
