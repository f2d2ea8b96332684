"""A connection of the server: what it cannot read, or what does not come, is told like any other problem.

Who has connected and not yet said what they want, or goes on sending after the answer, gets some seconds to come to an
end, however busily they send: connections cost whoever opens them little, and nobody has seen a token yet.
"""

from __future__ import annotations

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from remanence.interfaces.serve.problems import Problem, response

HEAD_BYTES = 196_608  # 16 scopes of 1,024 signs that take nine bytes each in an address, and the rest
HEAD_SECONDS = 20.0
_PHRASES = {400: b"Bad Request", 408: b"Request Timeout"}


class Http(H11Protocol):
    """HTTP/1.1 whose heads come within bounds of size and time."""

    _owed: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._stop_waiting()

    def send_400_response(self, msg: str) -> None:
        self._refuse(Problem(400, "malformed", f"That is no HTTP, or its head has more than {HEAD_BYTES:,} bytes"))

    def _wait(self) -> None:
        """Give the client until then, if it is the client who has to say more: nothing is asked, or all is answered."""
        idle = self.conn.our_state in (h11.IDLE, h11.DONE)
        if not idle or self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._stop_waiting()
        elif self._owed is None:
            self._owed = self.loop.call_later(HEAD_SECONDS, self._give_up)

    def _stop_waiting(self) -> None:
        if self._owed is not None:
            self._owed.cancel()
            self._owed = None

    def _give_up(self) -> None:
        self._owed = None
        if self.conn.our_state is h11.IDLE and self.conn.trailing_data[0]:
            self._refuse(Problem(408, "too_slow", f"The head of the request did not come in {HEAD_SECONDS:g} seconds"))
        else:
            self.transport.close()

    def _refuse(self, problem: Problem) -> None:
        told = response(problem)
        first = b"HTTP/1.1 %d %s" % (problem.status, _PHRASES[problem.status])
        lines = [first, *(name + b": " + value for name, value in told.raw_headers), b"connection: close"]
        self.transport.write(b"\r\n".join([*lines, b"", bytes(told.body)]))
        self.transport.close()
