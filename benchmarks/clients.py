"""Clients of a server, many in one process: each keeps a connection and sends its next request when it is answered.

Runs as a process of its own: `python benchmarks/clients.py HOST PORT`, then jobs on standard input, a JSON object a
line ({"clients", "head", "bodies", "calls", "seconds", "wrong"}), each answered by a line of figures. Requests are made
beforehand, and of an answer only its status and length are read, so that a call costs this process little; its own CPU
is among the figures, to show that it was not what was waited for.
"""

from __future__ import annotations

import json
import selectors
import socket
import sys
import time
from dataclasses import dataclass, field
from itertools import count
from typing import Any

PATIENCE_SECONDS = 120.0
_LENGTH = b"content-length:"


@dataclass(slots=True)
class Client:
    """One connection; what it has heard so far of the answer it waits for."""

    socket: socket.socket
    began: float = 0.0
    heard: bytearray = field(default_factory=bytearray)
    wanted: int = 0


def connected(host: str, port: int) -> Client:
    made = socket.create_connection((host, port))
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return Client(made)


def requests(head: str, bodies: list[str]) -> list[bytes]:
    """Whole requests; a head ends where its Content-Length goes."""
    return [f"{head}\r\ncontent-length: {len(body.encode())}\r\n\r\n{body}".encode() for body in bodies]


def whole(client: Client) -> bool:
    """Whether the answer is there; an answer in chunks ends with an empty one."""
    heard = client.heard
    if not client.wanted:
        end = heard.find(b"\r\n\r\n")
        if end < 0:
            return False
        head = bytes(heard[:end]).lower()
        at = head.find(_LENGTH)
        if at < 0:
            return heard.endswith(b"\r\n0\r\n\r\n") or b" 204 " in head[:16] or b" 304 " in head[:16]
        client.wanted = end + 4 + int(head[at + len(_LENGTH) :].split(b"\r\n", 1)[0])
    return len(heard) >= client.wanted


def load(host: str, port: int, job: dict[str, Any]) -> dict[str, Any]:
    """Send until the calls are done or the seconds over; what came of it."""
    said = requests(job["head"], job["bodies"])
    most, ends = job.get("calls") or sys.maxsize, time.perf_counter() + (job.get("seconds") or PATIENCE_SECONDS)
    numbers, took, statuses, sample, good = count(), [], {}, "", 0
    wrong = job.get("wrong", "").encode()
    waiting = selectors.DefaultSelector()
    clients = [connected(host, port) for _ in range(job["clients"])]
    cpu, began = time.process_time(), time.perf_counter()

    def send(client: Client) -> None:
        if (number := next(numbers)) >= most or time.perf_counter() > ends:
            waiting.unregister(client.socket)
            return
        client.heard.clear()
        client.wanted = 0
        client.began = time.perf_counter()
        client.socket.sendall(said[number % len(said)])

    for client in clients:
        waiting.register(client.socket, selectors.EVENT_READ, client)
    for client in clients:
        send(client)
    while waiting.get_map():
        ready = waiting.select(PATIENCE_SECONDS)
        if not ready:
            statuses["silent"] = len(waiting.get_map())
            break
        for key, _ in ready:
            client = key.data
            part = client.socket.recv(262_144)
            client.heard += part
            if not part:
                statuses["cut off"] = statuses.get("cut off", 0) + 1
                waiting.unregister(client.socket)
            elif whole(client):
                took.append(round((time.perf_counter() - client.began) * 1e3, 3))
                status = bytes(client.heard[9:12]).decode()
                statuses[status] = statuses.get(status, 0) + 1
                if status.startswith("2") and (not wrong or wrong not in client.heard):
                    good += 1
                else:
                    sample = bytes(client.heard).partition(b"\r\n\r\n")[2][:400].decode(errors="replace")
                send(client)
    seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
    for client in clients:
        client.socket.close()
    return {"ms": took, "seconds": seconds, "cpu": cpu, "good": good, "statuses": statuses, "sample": sample}


def main() -> int:
    host, port = sys.argv[1], int(sys.argv[2])
    for line in sys.stdin:
        sys.stdout.write(json.dumps(load(host, port, json.loads(line))) + "\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
