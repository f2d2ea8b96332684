"""The dialect of OpenAI-compatible `/v1/chat/completions` (OpenAI, Ollama, vLLM, llama.cpp, LM Studio and most others).

JSON is asked for by `json_schema`, else by `json_object` with the schema in the prompt, else by the prompt alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, ClassVar

from remanence.providers.answers import with_schema
from remanence.providers.posting import Posting, address, checked_key
from remanence.providers.protocol import Completion
from remanence.providers.schemas import complete
from remanence.providers.wire import Ask, Refused, Wired


def chat(
    url: str,
    model: str,
    *,
    key: str | None = None,
    timeout_seconds: float = 60.0,
    sleep: Callable[[float], None] = time.sleep,
) -> Wired:
    """An Llm behind an OpenAI-compatible endpoint."""
    full, host = address(url, _path, whose="language model", example="http://localhost:11434/v1")
    key = checked_key(key, whose="language model")
    posting = Posting(
        full,
        host,
        model=model,
        headers={"Authorization": f"Bearer {key}"} if key else {},
        keyed=key is not None,
        refused="the prompt, its length or the options",
        wanted="completion",
        timeout_seconds=timeout_seconds,
        sleep=sleep,
    )
    return Wired(Chat(), posting, model)


class Chat:
    forms = 3
    options: ClassVar = {"temperature": b"temperature", "max_tokens": b"max_completion_tokens"}

    def body(self, ask: Ask, form: int, without: frozenset[str]) -> dict[str, Any]:
        prompt = ask.prompt if ask.schema is None or form == 0 else with_schema(ask.prompt, ask.schema)
        system = [{"role": "system", "content": ask.system}] if ask.system else []
        made: dict[str, Any] = {
            "model": ask.model,
            "messages": [*system, {"role": "user", "content": prompt}],
            # The newer name is one that older servers silently ignore, so it is no first choice.
            "max_completion_tokens" if "max_tokens" in without else "max_tokens": ask.most_tokens,
            "stream": False,
        }
        if "temperature" not in without:
            made["temperature"] = 0
        if ask.schema is not None and form == 0:
            wanted = {"name": "answer", "schema": ask.schema, "strict": complete(ask.schema)}
            made["response_format"] = {"type": "json_schema", "json_schema": wanted}
        elif ask.schema is not None and form == 1:
            made["response_format"] = {"type": "json_object"}
        return made

    def read(self, answer: Any) -> Completion:
        choice = answer["choices"][0]
        message, ended = choice["message"], choice.get("finish_reason")
        if message.get("refusal") or ended == "content_filter":
            raise Refused
        usage = answer.get("usage") or {}
        return Completion(
            _text(message["content"]),
            usage.get("prompt_tokens", -1),
            usage.get("completion_tokens", -1),
            cut=ended == "length",
        )


def _text(content: Any) -> str:
    """The content of a message: text, parts that hold text, or nothing where a limit ended it before the first word."""
    if isinstance(content, list):
        content = "".join(part["text"] for part in content if part.get("type") == "text")
    if content is not None and not isinstance(content, str):
        raise TypeError
    return content or ""


def _path(path: str) -> str:
    """A bare host or `.../v1` is completed."""
    return path if path.endswith("/chat/completions") else (path or "/v1") + "/chat/completions"
