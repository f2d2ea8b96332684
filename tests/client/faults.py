"""A server that does what it is told to, however wrong: for what a real one does only when it is ill."""

from __future__ import annotations

import json
import socket
import struct
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Step = Callable[[socket.socket], None]


@dataclass(frozen=True)
class Seen:
    """A request as it came."""

    line: str
    headers: dict[str, str]
    body: bytes


def answer(status: int, body: object, **headers: str) -> Step:
    """A whole answer; a body that is no bytes is sent as JSON."""
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    told = {"content-type": "application/json", "content-length": str(len(raw))}
    told |= {name.replace("_", "-"): value for name, value in headers.items()}
    head = "".join(f"{name}: {value}\r\n" for name, value in told.items())

    def step(connection: socket.socket) -> None:
        connection.sendall(f"HTTP/1.1 {status} X\r\n{head}\r\n".encode() + raw)

    return step


def problem(status: int, code: str, detail: str = "because", **more: Any) -> Step:
    headers = more.pop("headers", {})
    return answer(
        status, {"type": "x", "title": "x", "status": status, "detail": detail, "code": code, **more}, **headers
    )


def said(raw: bytes) -> Step:
    """These bytes, and the end of the connection."""

    def step(connection: socket.socket) -> None:
        connection.sendall(raw)
        raise ConnectionError

    return step


def reset(connection: socket.socket) -> None:
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    raise ConnectionError


class Scripted:
    """Answers each request with the next step of its script; hangs where there is none."""

    def __init__(self, *script: Step) -> None:
        self._script = list(script)
        self.seen: list[Seen] = []
        self._ended = threading.Event()
        self._turn = threading.Lock()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> Scripted:
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._listening.close()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listening.accept()
            except OSError:
                return
            threading.Thread(target=self._talk, args=(connection,), daemon=True).start()

    def _talk(self, connection: socket.socket) -> None:
        with connection:
            try:
                while (request := _request(connection)) is not None:
                    with self._turn:
                        self.seen.append(request)
                        step = self._script.pop(0) if self._script else None
                    if step is None:
                        self._ended.wait(60)
                        return
                    step(connection)
            except OSError:
                return


def _request(connection: socket.socket) -> Seen | None:
    raw = b""
    while b"\r\n\r\n" not in raw:
        part = connection.recv(65536)
        if not part:
            return None
        raw += part
    head, _, body = raw.partition(b"\r\n\r\n")
    line, *rest = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (one.partition(":") for one in rest)}
    while len(body) < int(headers.get("content-length", 0)):
        part = connection.recv(65536)
        if not part:
            return None
        body += part
    return Seen(line, headers, body)
