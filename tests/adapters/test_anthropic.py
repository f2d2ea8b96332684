"""The memory tool in the tool runners of Anthropic's SDK, which talks to a server of ours on this machine."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import anthropic
import pytest
from anthropic.lib.tools import ToolError
from anthropic.types.beta import (
    BetaMemoryTool20250818CreateCommand,
    BetaMemoryTool20250818StrReplaceCommand,
    BetaMemoryTool20250818ViewCommand,
)

from remanence import Mind
from remanence.adapters.anthropic import AsyncRemanenceMemoryTool, RemanenceMemoryTool

CALLS = [
    {"command": "create", "path": "/memories/tea.md", "file_text": "Anna drinks green tea.\n"},
    {"command": "view", "path": "/memories/coffee.md"},
    {"command": "view", "path": "/memories/tea.md"},
]


class Model:
    """Answers like the messages endpoint: one call of the memory tool after the other, then a word."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []

    def reply(self, request: dict[str, Any]) -> dict[str, Any]:
        self.requests.append(request)
        turn = len(self.requests) - 1
        if turn < len(CALLS):
            content = [{"type": "tool_use", "id": f"toolu_{turn}", "name": "memory", "input": CALLS[turn]}]
        else:
            content = [{"type": "text", "text": "Green tea."}]
        return {
            "id": f"msg_{turn}",
            "type": "message",
            "role": "assistant",
            "model": "claude-test",
            "content": content,
            "stop_reason": "tool_use" if turn < len(CALLS) else "end_turn",
            "stop_sequence": None,
            "usage": {"input_tokens": 1, "output_tokens": 1},
        }

    def results(self) -> list[dict[str, Any]]:
        """What each call was answered; a runner may send the whole conversation, or what is new of it."""
        return [request["messages"][-1]["content"][0] for request in self.requests[1:]]


@pytest.fixture
def model() -> Iterator[tuple[Model, str]]:
    model = Model()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["content-length"])))
            body = json.dumps(model.reply(request)).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield model, f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def asked(tool: Any) -> dict[str, Any]:
    messages = [{"role": "user", "content": "What does Anna drink?"}]
    return {"model": "claude-test", "max_tokens": 100, "messages": messages, "tools": [tool]}


def check(model: Model, mind: Mind, said: Any) -> None:
    assert said.content[0].text == "Green tea."
    assert model.requests[0]["tools"] == [{"type": "memory_20250818", "name": "memory"}]
    created, missing, seen = model.results()
    assert "was created" in str(created["content"]) and not created.get("is_error")
    assert missing["is_error"] and "does not exist" in str(missing["content"])
    assert "Anna drinks green tea." in str(seen["content"]) and not seen.get("is_error")
    (memory,) = mind.list(kind="file")
    assert (memory.scope, memory.source) == ("/memories/tea.md", "ai")


def test_a_tool_runner_uses_it(mind: Mind, model: tuple[Model, str]) -> None:
    client = anthropic.Anthropic(api_key="none", base_url=model[1], max_retries=0)
    said = client.beta.messages.tool_runner(**asked(RemanenceMemoryTool(mind))).until_done()
    check(model[0], mind, said)


def test_an_async_tool_runner_uses_it(mind: Mind, model: tuple[Model, str]) -> None:
    async def run() -> Any:
        async with anthropic.AsyncAnthropic(api_key="none", base_url=model[1], max_retries=0) as client:
            return await client.beta.messages.tool_runner(**asked(AsyncRemanenceMemoryTool(mind))).until_done()

    check(model[0], mind, asyncio.run(run()))


def test_the_sdks_own_commands_do_as_well(mind: Mind) -> None:
    tool = RemanenceMemoryTool(mind, "/project/notes")
    path = "/project/notes/plan.md"
    tool.create(BetaMemoryTool20250818CreateCommand(command="create", path=path, file_text="Ship on Monday\n"))
    replace = {"command": "str_replace", "path": path, "old_str": "Monday", "new_str": "Tuesday"}
    tool.str_replace(BetaMemoryTool20250818StrReplaceCommand(**replace))
    view = BetaMemoryTool20250818ViewCommand(command="view", path=path, view_range=[1, 1])
    assert "Ship on Tuesday" in str(tool.execute(view))
    assert mind.list(kind="file")[0].version == 2
    tool.call({"command": "insert", "path": path, "insert_line": 0, "insert_text": "Plan\n"})
    tool.call({"command": "rename", "old_path": path, "new_path": "/project/notes/old.md"})
    tool.call({"command": "delete", "path": "/project/notes/old.md"})
    assert mind.count(kind="file") == 0


@pytest.mark.parametrize(
    "input", [None, "view", 3, [], {}, {"command": "format"}, {"command": "view"}, {"command": "view", "path": "/etc"}]
)
def test_nonsense_is_a_failed_call(mind: Mind, input: object) -> None:
    with pytest.raises(ToolError, match="Error: "):
        RemanenceMemoryTool(mind).call(input)


def test_clearing_can_be_undone(mind: Mind) -> None:
    tool = RemanenceMemoryTool(mind)
    tool.call(CALLS[0])
    mind.remember("Not a file", scope="/memories")
    assert str(tool.clear_all_memory()).startswith("1 files were forgotten")
    assert [memory.text for memory in mind.list()] == ["Not a file"]
    assert str(asyncio.run(AsyncRemanenceMemoryTool(mind).clear_all_memory())).startswith("0 files")


def test_the_page_runs(page: Callable[[str], str]) -> None:
    out = page("anthropic-memory-tool.md")
    assert "tea.md" in out and out.endswith("/memories/tea.md\n")
