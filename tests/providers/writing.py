"""What the tests of language models share: writers over anything, with a purse that can be looked into."""

from __future__ import annotations

import json
from typing import Any

from remanence.providers.choose_llm import Writers, writers_for
from remanence.providers.spending import Pocket
from tests.providers.scripted import Answer

DAY = "2026-03-01"
KEY = "sk-very-secret"
SECRET = "hunter2"
SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "year": {"type": "integer"}},
    "required": ["city", "year"],
}
VALID = '{"city": "Berlin", "year": 2024}'


class Purse(Pocket):
    """Keeps the rows it was given."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[tuple[int, int, bool]] = []

    def spend(self, day: str, model: str, *, tokens_in: int, tokens_out: int, failed: bool) -> None:
        super().spend(day, model, tokens_in=tokens_in, tokens_out=tokens_out, failed=failed)
        self.rows.append((tokens_in, tokens_out, failed))


def clean(text: str) -> str:
    return text.replace(SECRET, "[redacted]")


def writers(
    llm: object,
    smol: object = None,
    *,
    purse: Purse | None = None,
    run: int | None = None,
    day: int | None = None,
    **options: Any,
) -> Writers:
    found = writers_for(
        llm,
        smol,
        purse=purse,
        clean=clean,
        today=lambda: DAY,
        tokens_per_run=run,
        tokens_per_day=day,
        **options,
    )
    assert found is not None
    return found


def chat_answer(content: Any, *, ended: str = "stop", usage: Any = (7, 3), **message: Any) -> Answer:
    """An answer of an OpenAI-compatible server."""
    made = {"choices": [{"finish_reason": ended, "message": {"role": "assistant", "content": content, **message}}]}
    if usage:
        made["usage"] = {"prompt_tokens": usage[0], "completion_tokens": usage[1]}  # type: ignore[assignment]
    return 200, {}, json.dumps(made).encode()


def failure(status: int, said: str = "", **headers: str) -> Answer:
    content = f"no: {SECRET} {KEY} {said}".encode()
    return status, {name.replace("_", "-"): value for name, value in headers.items()}, content
