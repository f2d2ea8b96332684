"""The doors of a server, asked in the words of the table of verbs: REST, the client, MCP over stdio and over HTTP.

Each answers (0, answer) or (exit code, error code), as the library and the command line do. `brief` is what a case for
all doors looks at: (code, outcome, id).
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx
import httpx2
from mcp import Client as McpClient
from mcp import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from remanence import Mind
from remanence.interfaces.calls import CALLS, Call
from tests.interfaces.doors import TABLE, Library

REM = [sys.executable, "-m", "remanence.interfaces.cli"]
_EXIT = {404: 3, 422: 2, 400: 2, 413: 2}


class Server:
    """`rem serve` on a store of its own; a case has a namespace of its own in it."""

    def __init__(self, folder: Path, name: str = "served.db") -> None:
        self.db = folder / name
        self.process = subprocess.Popen(
            [*REM, "--db", str(self.db), "serve", "--port", "0", "--no-upkeep"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "REMANENCE_EMBEDDER": "none", "HOME": str(folder)},
        )
        assert self.process.stdout is not None
        found = re.search(r"http://[0-9.:]+", self.process.stdout.readline())
        assert found is not None
        self.url = found[0]
        self.token = json.loads(Path(f"{self.db}.serve.json").read_text("utf-8"))["token"]

    def headers(self, namespace: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}", "Remanence-Namespace": namespace}

    def close(self) -> None:
        self.process.terminate()
        assert self.process.wait(30) == 0


class Rest:
    """Plain requests."""

    def __init__(self, server: Server, namespace: str) -> None:
        self.http = httpx.Client(base_url=server.url, headers=server.headers(namespace), timeout=60, verify=False)
        self.http.headers["Remanence-Source"] = "human"  # what the library takes words for

    def __call__(self, name: str, **arguments: Any) -> tuple[int, Any]:
        call = CALLS[TABLE[name].method]
        response = self._send(call, {name: _as_json(value) for name, value in arguments.items()})
        if response.status_code == 204:
            return 0, None
        body = response.json()
        if response.is_success:
            return 0, _unpacked(body)
        # What JSON cannot say at all is malformed; every other door refuses it as a value.
        code = "invalid_input" if body["code"] == "malformed" else body["code"]
        return _EXIT.get(response.status_code, 1), code

    def _send(self, call: Call, given: dict[str, Any]) -> httpx.Response:
        path = "/v1" + call.path.format(**{name: given.pop(name) for name in call.in_path})
        if call.method == "GET":
            return self.http.get(path, params=given)
        return self.http.request(
            call.method, path, content=json.dumps(given), headers={"content-type": "application/json"}
        )

    def close(self) -> None:
        self.http.close()


def _as_json(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value


def _unpacked(body: dict[str, Any]) -> Any:
    """An answer as the command line gives it: lists and numbers bare."""
    for name in ("hits", "items", "count", "text"):
        if name in body and body.keys() <= {name, "next", "missed", "notes"}:
            return body[name]
    return body


class Served(Library):
    """Mind("http://…"), called through the table of verbs."""

    def __init__(self, server: Server, namespace: str) -> None:
        self.mind = Mind(server.url, namespace=namespace, settings={"client": {"token": server.token}})


class _Tools:
    """The official MCP client on a thread of its own."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._ready, self._end = threading.Event(), asyncio.Event()
        self._client: McpClient | None = None
        self._running = asyncio.run_coroutine_threadsafe(self._live(), self._loop)
        assert self._ready.wait(60), self._running.exception(1)

    def _target(self) -> Any:
        raise NotImplementedError

    async def _live(self) -> None:
        async with McpClient(self._target()) as client:
            self._client = client
            self._ready.set()
            await self._end.wait()

    def __call__(self, name: str, **arguments: Any) -> tuple[int, Any]:
        assert self._client is not None
        tool, given = _as_tool(name, {name: _as_json(value) for name, value in arguments.items()})
        asked = asyncio.run_coroutine_threadsafe(self._client.call_tool(tool, given), self._loop)
        result = asked.result(60)
        if not result.is_error:
            return 0, result.structured_content
        code = result.structured_content["error"]
        return {"not_found": 3, "invalid_input": 2}.get(code, 1), code

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._end.set)
        self._running.result(30)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(30)


def _as_tool(name: str, given: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    if name == "unpin":
        return "pin", {**given, "pinned": False}
    return name, given


class OverStdio(_Tools):
    """rem mcp."""

    def __init__(self, server: Server, namespace: str) -> None:
        self._arguments = ["--db", str(server.db.with_name("stdio.db")), "--namespace", namespace, "mcp"]
        self._folder = str(server.db.parent)
        super().__init__()

    def _target(self) -> Any:
        env = {**os.environ, "REMANENCE_EMBEDDER": "none"}
        return StdioServerParameters(command=REM[0], args=[*REM[1:], *self._arguments], env=env, cwd=self._folder)


class OverHttp(_Tools):
    """/mcp of rem serve."""

    def __init__(self, server: Server, namespace: str) -> None:
        self._server, self._namespace = server, namespace
        super().__init__()

    def _target(self) -> Any:
        http = httpx2.AsyncClient(headers=self._server.headers(self._namespace), timeout=60, verify=False)
        return streamable_http_client(f"{self._server.url}/mcp", http_client=http)


def brief(ask: Callable[..., tuple[int, Any]]) -> Callable[..., tuple[int, Any, Any]]:
    """A door that tells the outcome alone: (0, outcome, the id of what was made), or (exit code, error code, None)."""

    def asked(name: str, **arguments: Any) -> tuple[int, Any, Any]:
        code, answer = ask(name, **arguments)
        return (code, answer, None) if code else (0, *_OUTCOMES[name](answer))

    return asked


def _remembered(answer: dict[str, Any]) -> tuple[Any, Any]:
    memory = answer.get("memory") or {}
    return answer["outcome"], answer.get("id") or memory.get("id")


def _recalled(answer: Any) -> tuple[Any, Any]:
    hits = answer["memories"] if isinstance(answer, dict) else [hit["memory"] for hit in answer]
    return [(hit["text"], hit["scope"], hit["kind"]) for hit in hits], None


def _receipt(answer: dict[str, Any]) -> tuple[Any, Any]:
    return len(answer.get("applied", answer.get("ids", ()))), answer.get("receipt_id") or answer["id"]


def _extracted(answer: dict[str, Any]) -> tuple[Any, Any]:
    facts = answer.get("extracted")
    return facts if facts is not None else [fact["text"] for fact in answer["facts"]], None


def _planned(answer: dict[str, Any]) -> tuple[Any, Any]:
    changes = answer["changes"]
    return changes if isinstance(changes, int) else len(changes), None


_OUTCOMES: dict[str, Callable[[Any], tuple[Any, Any]]] = {
    "remember": _remembered,
    "recall": _recalled,
    "forget": _receipt,
    "restore": _receipt,
    "undo": _receipt,
    "extract": _extracted,
    "sweep": _planned,
    **{
        verb: lambda answer: ((answer["layer"], answer["pinned"]), None)
        for verb in ("promote", "demote", "pin", "unpin")
    },
    "explain": lambda answer: (round(answer["worth"], 3), None),
}
