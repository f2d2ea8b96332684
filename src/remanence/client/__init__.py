"""remanence.client: a mind that a server keeps, with Mind's own surface; Client blocks, AsyncClient is awaited.

Client, AsyncClient   `clients.py`: made of Mind's signatures by `surface.py`
Exchange              `exchange.py`: every operation once, as a coroutine, for both
arguments, requests   what is called, as a request; answers: what was answered, as a value or an error
transport             httpx, blocking or on an event loop
"""

from __future__ import annotations

from remanence.client.clients import AsyncClient, Client

__all__ = ["AsyncClient", "Client"]
