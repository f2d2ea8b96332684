"""Client and AsyncClient: a mind behind an address, as Mind and AsyncMind are minds over a file.

`Mind("http://…")` is a Client, `AsyncMind("http://…")` an AsyncClient. What a server decides (policy, clock, embedder,
language model) cannot be given here.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from pathlib import Path
from typing import Any

from remanence import settings as settings_
from remanence.aio import FACETS, AsyncMind
from remanence.client import surface
from remanence.client.address import Address, address_of
from remanence.client.events import events, one_by_one
from remanence.client.exchange import Exchange
from remanence.client.transport import Blocking, Waiting, at_once
from remanence.errors import InvalidInput
from remanence.mind import Mind, now_utc
from remanence.model.journal import Entry
from remanence.settings import Settings


class Client(Mind):
    """A mind that a server keeps. Threads may share one.

    location: the server's address. token: what lets this client in; else the setting client.token, else the one that
    `rem serve` left beside this user's store. namespace: None for the one the token is for, or the server's own.
    """

    def __init__(
        self,
        location: str | Path | None = None,
        *,
        token: str | None = None,
        namespace: str | None = None,
        timeout_seconds: float | None = None,
        settings: Settings | Mapping[str, Any] | None = None,
        **of_the_server: Any,
    ) -> None:
        self.settings, address = _opened(location, settings, token, namespace, timeout_seconds, of_the_server)
        self.clock = now_utc
        self._exchange = Exchange(address, Blocking(address))
        for name, facet in _FACETS.items():
            setattr(self, name, facet(self._exchange))

    def __enter__(self) -> Client:
        return self

    def close(self) -> None:
        """Close the connections; calling it again does nothing."""
        at_once(self._exchange.transport.close())

    @property
    def namespace(self) -> str:
        """The namespace this client asks for, or else the one that the server gives it."""
        given = self._exchange.address.namespace
        return at_once(self._exchange.stats()).namespace if given is None else given

    def events(self, after: str | None = None) -> Iterator[Entry]:
        """Lines of the journal as they are written, for ever; those after a place (`entry.place`) first."""
        return one_by_one(events(self._exchange, after))

    def __repr__(self) -> str:
        return f"Client({self._exchange.address.url!r})"


class AsyncClient(AsyncMind):
    """A mind that a server keeps, awaited. Tasks and event loops may share one; arguments as for Client."""

    def __init__(
        self,
        location: str | Path | None = None,
        *,
        token: str | None = None,
        namespace: str | None = None,
        timeout_seconds: float | None = None,
        settings: Settings | Mapping[str, Any] | None = None,
        **of_the_server: Any,
    ) -> None:
        self._settings, address = _opened(location, settings, token, namespace, timeout_seconds, of_the_server)
        self._exchange = Exchange(address, Waiting(address))
        for name, facet in _AWAITED_FACETS.items():
            setattr(self, name, facet(self._exchange))

    async def __aenter__(self) -> AsyncClient:
        return self

    async def close(self) -> None:
        """Close the connections; calling it again does nothing."""
        await self._exchange.transport.close()

    @property
    def settings(self) -> Settings:
        return self._settings

    @property
    def clock(self) -> Any:
        return now_utc

    @property
    def namespace(self) -> str:
        """The namespace this client asks for; where it asks for none, `(await client.stats()).namespace` tells it."""
        given = self._exchange.address.namespace
        if given is None:
            raise InvalidInput("the server chose the namespace: (await client.stats()).namespace tells it")
        return given

    def events(self, after: str | None = None) -> AsyncIterator[Entry]:
        """Lines of the journal as they are written, for ever; those after a place (`entry.place`) first."""
        return events(self._exchange, after)

    def __repr__(self) -> str:
        return f"AsyncClient({self._exchange.address.url!r})"


def _opened(
    location: object,
    settings: Settings | Mapping[str, Any] | None,
    token: object,
    namespace: object,
    timeout_seconds: object,
    of_the_server: Mapping[str, Any],
) -> tuple[Settings, Address]:
    if settings is not None and not isinstance(settings, (Settings, Mapping)):
        raise InvalidInput(f"settings must be Settings or a mapping, not {type(settings).__name__}")
    if given := [name for name, value in of_the_server.items() if value is not None]:
        raise InvalidInput([f"{name} cannot be given to a client: the server decides it" for name in given])
    loaded = settings if isinstance(settings, Settings) else settings_.load(settings)
    where = loaded.db if location is None else location
    return loaded, address_of(where, loaded, token=token, namespace=namespace, timeout_seconds=timeout_seconds)


surface.fill(Client, Mind, surface.blocking)
surface.fill(AsyncClient, Mind, surface.awaited)
_FACETS = {name: surface.facet_of(name, facet, surface.blocking) for name, facet in FACETS.items()}
_AWAITED_FACETS = {name: surface.facet_of(name, facet, surface.awaited) for name, facet in FACETS.items()}
