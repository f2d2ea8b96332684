"""A real, small language model in stage 2: whatever it answers, the files hold what is remembered and nothing else."""

from __future__ import annotations

import pytest

from remanence.settings import Settings
from tests.conftest import Clock, new_mind
from tests.sessions.projects import API, folder_of, put

POOL = (
    "The connection pool of billing holds at most 20 connections.",
    "Each of the four workers of billing opens its own connection pool.",
    "Billing was slow on Monday, as its connection pool was empty.",
)


@pytest.mark.full
def test_what_it_adds_stands_in_the_memories(model_server: str, clock: Clock) -> None:
    told = {"llm__name": "openai", "llm__url": model_server, "llm__model": "smollm2", "llm__timeout_seconds": 90}
    with new_mind(clock=clock, settings=Settings(upkeep__on_open=False, **told)) as mind:
        sources = {put(mind, text, source="human").id for text in POOL}
        written = mind.sessions.rebuild(API)
        assert written is not None and mind.stats().spent_today > 0, "the model was asked"
        assert written.llm or any("without a model" in note for note in written.notes)
        made = [memory for memory in mind.list(scope=API) if memory.source == "dream"]
        assert all(set(memory.lineage) <= sources for memory in made)
        assert bool(made) == (written.receipt_id is not None)
        document = (folder_of(mind) / "MEMORY.md").read_text()
        assert all(text in document for text in POOL)
        spent = mind.stats().spent_today
        again = mind.sessions.rebuild(API)
        assert again is not None and again.written == ()
        assert mind.stats().spent_today == spent or not written.llm, "what it answered is not asked again"
        assert mind.check().problems == ()
