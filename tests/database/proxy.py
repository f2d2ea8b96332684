"""A proxy on loopback between a client and a server, that counts, and loses the connection when a transaction ends."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

COMMIT = b"COMMIT\0"


class Proxy:
    """Forwards until `lose` is set: then at the next COMMIT the connection is lost.

    Lost is the "question", the "answer", or the "cable": then the server is not told that the client is gone.
    `meanwhile` is called when the answer is in, and before the client learns that it is alone. `turns` is how often
    the client spoke after an answer.
    """

    def __init__(self, port: int) -> None:
        self._server = ("127.0.0.1", port)
        self._door = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._door.getsockname()[1])
        self.lose: str | None = None
        self.meanwhile: Callable[[], None] = lambda: None
        self.lost = self.turns = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._door.accept()
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with suppress(OSError), client, socket.create_connection(self._server) as server:
            answers = threading.Thread(target=self._answer, args=(server, client), daemon=True)
            answers.start()
            while said := client.recv(65536):
                self.turns += self._answered
                self._answered = False
                if self.lose is not None and COMMIT in said:
                    self._loses(server, client, said, answers)
                    return
                server.sendall(said)

    def _loses(self, server: socket.socket, client: socket.socket, said: bytes, answers: threading.Thread) -> None:
        when, self.lose = self.lose, None
        self.lost += 1
        if when == "question":
            server.shutdown(socket.SHUT_RDWR)
        elif when == "answer":
            self._silent = client
            server.sendall(said)
            server.shutdown(socket.SHUT_WR)
            answers.join(10)
            self.meanwhile()

    _silent: socket.socket | None = None
    _answered = True

    def _answer(self, server: socket.socket, client: socket.socket) -> None:
        with suppress(OSError):
            while said := server.recv(65536):
                self._answered = True
                if client is not self._silent:
                    client.sendall(said)

    def close(self) -> None:
        with suppress(OSError):
            self._door.shutdown(socket.SHUT_RDWR)
        self._door.close()


@contextmanager
def proxied(url: str) -> Iterator[tuple[Proxy, str]]:
    """A proxy, and the address by which it is asked."""
    host, _, rest = url.partition("@127.0.0.1:")
    port, _, name = rest.partition("/")
    proxy = Proxy(int(port))
    try:
        yield proxy, f"{host}@127.0.0.1:{proxy.port}/{name}"
    finally:
        proxy.close()
