"""Clients and servers for the tests of the MCP door: a raw speaker, the official client, an HTTP server in a thread."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx2
import psutil
import uvicorn
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from starlette.applications import Starlette
from starlette.routing import Route

from remanence.interfaces.grants import Grant
from remanence.interfaces.mcp.http import mount
from remanence.interfaces.minds import Minds

PATIENCE = 30.0
"""How long a test waits for what must come; nothing is promised by it."""
HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "tests", "version": "1"},
}
COMMAND = [sys.executable, "-m", "remanence.interfaces.cli", "mcp"]
ERAS = ("legacy", "auto")
"""By the handshake of 2025-11-25, and by whatever is newest: 2026-07-28."""


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "REMANENCE_EMBEDDER": "none", "REMANENCE_UPKEEP__ON_OPEN": "false", **more}


class Speaker:
    """A client that says exactly what it is told to, line by line."""

    def __init__(self, command: list[str], cwd: Path | None = None, **env: str) -> None:
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=cwd,
            env=environment(**env),
        )
        self.lines: queue.Queue[bytes | None] = queue.Queue()
        self.errors = bytearray()
        threading.Thread(target=self._read, daemon=True).start()
        threading.Thread(target=self._read_errors, daemon=True).start()
        self._id = 0

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        while data := self.process.stderr.read1(65536):  # type: ignore[attr-defined]
            self.errors += data

    def put(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def say(self, method: str, params: Mapping[str, Any] | None = None, **more: Any) -> None:
        message: dict[str, Any] = {"jsonrpc": "2.0", "method": method, **more}
        if params is not None:
            message["params"] = params
        self.put(json.dumps(message).encode() + b"\n")

    def request(self, method: str, params: Mapping[str, Any] | None = None) -> int:
        self._id += 1
        self.say(method, params, id=self._id)
        return self._id

    def heard(self) -> dict[str, Any]:
        """The next message, which is JSON-RPC."""
        line = self.lines.get(timeout=PATIENCE)
        assert line is not None, f"the server is gone: {bytes(self.errors).decode(errors='replace')}"
        message = json.loads(line)
        assert message["jsonrpc"] == "2.0"
        return message

    def answer(self, id: int) -> dict[str, Any]:
        """The answer to a request; others that come before are dropped."""
        while True:
            message = self.heard()
            if message.get("id") == id and ("result" in message or "error" in message):
                return message

    def ask(self, method: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
        return self.answer(self.request(method, params))

    def call(self, name: str, **arguments: Any) -> dict[str, Any]:
        return self.ask("tools/call", {"name": name, "arguments": arguments})["result"]

    def greet(self) -> Speaker:
        assert "result" in self.ask("initialize", HELLO)
        self.say("notifications/initialized")
        return self

    def close(self) -> int:
        """End of input; the exit code."""
        if self.process.stdin is not None:
            with contextlib.suppress(BrokenPipeError):
                self.process.stdin.close()
        try:
            return self.process.wait(PATIENCE)
        finally:
            self.process.kill()


@contextlib.contextmanager
def speaking(db: Path, *options: str, cwd: Path | None = None, **env: str) -> Iterator[Speaker]:
    speaker = Speaker([*COMMAND, "--db", str(db), *options], cwd, **env)
    try:
        yield speaker.greet()
    finally:
        speaker.close()


def client(db: Path, *options: str, mode: str = "legacy", cwd: Path | None = None, **more: Any) -> Client:
    """The official client, which starts the server itself."""
    command, *arguments = [*COMMAND, "--db", str(db), *options]
    server = StdioServerParameters(command=command, args=arguments, env=environment(), cwd=cwd)
    return Client(server, mode=mode, read_timeout_seconds=PATIENCE, **more)


def is_gone(pid: int) -> bool:
    """Whether a process has ended; one that nobody has buried yet has."""
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def waited(condition: Callable[[], bool], seconds: float = PATIENCE) -> float:
    """How long it took until this held."""
    start = time.monotonic()
    while not condition():
        assert time.monotonic() - start < seconds, f"not within {seconds} s"
        time.sleep(0.01)
    return time.monotonic() - start


class Served:
    """The door over HTTP on a free port; a token is the name of a grant."""

    def __init__(self, minds: Minds, grants: Mapping[str, Grant]) -> None:
        self.grants = grants
        self.door = mount(minds, 2_000_000, self._grant_of)

        @contextlib.asynccontextmanager
        async def lifespan(_: Starlette) -> AsyncIterator[None]:
            async with self.door.lifespan():
                yield

        app = Starlette(routes=[Route("/mcp", endpoint=self.door)], lifespan=lifespan)
        config = uvicorn.Config(app, host="127.0.0.1", port=0, log_level="warning", timeout_graceful_shutdown=1)
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run, daemon=True)

    def _grant_of(self, scope: Any) -> Grant:
        token = dict(scope["headers"])[b"authorization"].decode().removeprefix("Bearer ")
        return self.grants[token]

    def __enter__(self) -> Served:
        self.thread.start()
        waited(lambda: self.server.started)
        return self

    def __exit__(self, *_: object) -> None:
        self.server.should_exit = True
        self.thread.join(PATIENCE)

    @property
    def url(self) -> str:
        port = self.server.servers[0].sockets[0].getsockname()[1]
        return f"http://127.0.0.1:{port}/mcp"

    @contextlib.asynccontextmanager
    async def client(self, token: str, mode: str = "legacy", **more: Any) -> AsyncIterator[Client]:
        headers = {"Authorization": f"Bearer {token}"}
        async with httpx2.AsyncClient(headers=headers, timeout=PATIENCE, verify=False) as http:
            transport = streamable_http_client(self.url, http_client=http)
            async with Client(transport, mode=mode, read_timeout_seconds=PATIENCE, **more) as client:
                yield client
