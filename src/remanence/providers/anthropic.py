"""The dialect of Anthropic's `/v1/messages`.

JSON is asked for by a tool that the model must call, whose input has the schema; else by the prompt alone.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any, ClassVar

from remanence.providers.answers import with_schema
from remanence.providers.posting import Posting, address, checked_key
from remanence.providers.protocol import Completion
from remanence.providers.wire import Ask, Refused, Wired

URL = "https://api.anthropic.com"
VERSION = "2023-06-01"
_TOOL = "answer"


def anthropic(
    model: str,
    *,
    key: str | None = None,
    url: str | None = None,
    timeout_seconds: float = 60.0,
    sleep: Callable[[float], None] = time.sleep,
) -> Wired:
    """An Llm behind Anthropic's messages API, or behind a server that speaks it."""
    full, host = address(url or URL, _path, whose="language model", example=URL)
    key = checked_key(key, whose="language model")
    posting = Posting(
        full,
        host,
        model=model,
        headers={"anthropic-version": VERSION, **({"x-api-key": key} if key else {})},
        keyed=key is not None,
        refused="the prompt, its length or the options",
        wanted="completion",
        timeout_seconds=timeout_seconds,
        sleep=sleep,
    )
    return Wired(Messages(), posting, model)


class Messages:
    forms = 2
    options: ClassVar = {"temperature": b"temperature"}

    def body(self, ask: Ask, form: int, without: frozenset[str]) -> dict[str, Any]:
        by_tool = ask.schema is not None and form == 0
        prompt = ask.prompt if ask.schema is None or by_tool else with_schema(ask.prompt, ask.schema)
        made: dict[str, Any] = {
            "model": ask.model,
            "max_tokens": ask.most_tokens,
            "messages": [{"role": "user", "content": prompt}],
        }
        if ask.system:
            made["system"] = ask.system
        if "temperature" not in without:
            made["temperature"] = 0
        if by_tool:
            made["tools"] = [{"name": _TOOL, "description": "Takes the answer.", "input_schema": ask.schema}]
            made["tool_choice"] = {"type": "tool", "name": _TOOL}
        return made

    def read(self, answer: Any) -> Completion:
        if answer["stop_reason"] == "refusal":
            raise Refused
        called = [block["input"] for block in answer["content"] if block["type"] == "tool_use"]
        texts = [block["text"] for block in answer["content"] if block["type"] == "text"]
        usage = answer.get("usage") or {}
        # What is read from the cache or written to it is counted apart.
        parts = [usage.get(f"{kind}input_tokens") or 0 for kind in ("", "cache_creation_", "cache_read_")]
        return Completion(
            json.dumps(called[0]) if called else "".join(texts),
            sum(parts) if usage else -1,
            usage.get("output_tokens", -1),
            cut=answer["stop_reason"] in ("max_tokens", "model_context_window_exceeded"),
        )


def _path(path: str) -> str:
    """A bare host is completed, and what stands before `/v1`."""
    if path.endswith("/messages"):
        return path
    return path + ("/messages" if path.endswith("/v1") else "/v1/messages")
