"""A real server on loopback that behaves as badly as it is told to."""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

# What a server does with a request: (status, headers, body). A list is worked off, its last item repeats.
Answer = tuple[int, dict[str, str], bytes] | Callable[[BaseHTTPRequestHandler], None]


class Server:
    """Answers in turn, and keeps what it was asked."""

    def __init__(self) -> None:
        self.answers: list[Answer] = []
        self.asked: list[tuple[str, dict[str, str], Any]] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.asked.append((self.path, {k.lower(): v for k, v in self.headers.items()}, body))
                answer = outer.answers.pop(0) if len(outer.answers) > 1 else outer.answers[0]
                if callable(answer):
                    answer(self)
                    return
                status, headers, content = answer
                self.send_response(status)
                for name, value in {"Content-Length": str(len(content)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, format: str, *args: Any) -> None:
                pass

        class Quiet(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, request: Any, client_address: Any) -> None:
                # Clients of these tests leave early on purpose.
                pass

        self.http = Quiet(("127.0.0.1", 0), Handler)
        self.host = f"127.0.0.1:{self.http.server_address[1]}"
        self.url = f"http://{self.host}/v1"
        threading.Thread(target=self.http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()


def hang(request: BaseHTTPRequestHandler) -> None:
    time.sleep(30)


def break_off(request: BaseHTTPRequestHandler) -> None:
    """Half an answer."""
    request.send_response(200)
    request.send_header("Content-Length", "100000")
    request.end_headers()
    request.wfile.write(b'{"choices": [')
    request.close_connection = True


def reset(request: BaseHTTPRequestHandler) -> None:
    """The connection is reset without an answer."""
    request.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    request.close_connection = True
    for one in (request.rfile, request.wfile, request.connection):
        one.close()


def drip(request: BaseHTTPRequestHandler) -> None:
    """An answer that never ends, and never pauses for long."""
    request.send_response(200)
    request.send_header("Content-Length", "100000")
    request.end_headers()
    for _ in range(200):
        request.wfile.write(b" ")
        request.wfile.flush()
        time.sleep(0.05)
