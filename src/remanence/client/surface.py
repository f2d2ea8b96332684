"""The surface of a client, made of Mind's own methods: the same names, signatures and docstrings.

Each public method of Mind and of its facets becomes the operation that asks the server: the row of the table of calls,
or one of a few written by hand. What the table does not have is refused when it is called, with the command that does
it where the store is; so nothing of Mind's own code ever runs on a client.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine
from functools import wraps
from inspect import BoundArguments
from typing import Any

from remanence.client.arguments import travelling
from remanence.client.exchange import Exchange, key_of
from remanence.client.files import export, import_
from remanence.client.transport import at_once
from remanence.errors import InvalidInput
from remanence.facets.artifacts import project_scope
from remanence.interfaces.calls import CALLS, LOCAL
from remanence.interfaces.calls.call import answer_type
from remanence.model.plan import Certificate
from remanence.model.policy import Policy

Operation = Callable[[Exchange, BoundArguments], Coroutine[Any, Any, Any]]
Maker = Callable[[Callable[..., Any], Operation], Callable[..., Any]]


def public_functions(owner: type) -> dict[str, Callable[..., Any]]:
    """The public methods of a class by name."""
    return {name: one for name, one in inspect.getmembers(owner, inspect.isfunction) if not name.startswith("_")}


def operation_of(full: str, function: Callable[..., Any]) -> Operation:
    """What a client does for a method of Mind: "recall", or "review.accept"."""
    if full in _BY_HAND:
        return _BY_HAND[full]
    call = CALLS.get(full)
    if call is None:
        return _refused(full)
    kind = answer_type(function)

    async def ask(exchange: Exchange, bound: BoundArguments) -> Any:
        return await exchange.call(call, kind, travelling(call, bound))

    return ask


def blocking(function: Callable[..., Any], operation: Operation) -> Callable[..., Any]:
    """A method that comes back with the answer."""
    signature = inspect.signature(function)

    @wraps(function)
    def method(self: Any, *positional: Any, **named: Any) -> Any:
        return at_once(operation(self._exchange, signature.bind(self, *positional, **named)))

    return method


def awaited(function: Callable[..., Any], operation: Operation) -> Callable[..., Any]:
    """A method that is awaited."""
    signature = inspect.signature(function)

    @wraps(function)
    async def method(self: Any, *positional: Any, **named: Any) -> Any:
        return await operation(self._exchange, signature.bind(self, *positional, **named))

    return method


def fill(client: type, mind: type, make: Maker) -> None:
    """Give a client every method of Mind that it has not itself."""
    for name, function in public_functions(mind).items():
        if name not in vars(client):
            setattr(client, name, make(function, operation_of(name, function)))


def facet_of(name: str, facet: type, make: Maker) -> type:
    """A facet of a client."""
    members: dict[str, Any] = {
        one: make(function, operation_of(f"{name}.{one}", function))
        for one, function in public_functions(facet).items()
    }
    for full, read in _PROPERTIES.items():
        if full.startswith(name + "."):
            members[full.partition(".")[2]] = _property(read, make)

    def __init__(self: Any, exchange: Exchange) -> None:
        self._exchange = exchange

    own = {"__slots__": ("_exchange",), "__init__": __init__, "__doc__": facet.__doc__, "__module__": __name__}
    return type(facet.__name__, (), members | own)


def _property(read: Callable[[Exchange], Coroutine[Any, Any, Any]], make: Maker) -> property:
    if make is blocking:
        return property(lambda self: at_once(read(self._exchange)))
    return property(lambda self: read(self._exchange))


def _refused(full: str) -> Operation:
    async def refuse(exchange: Exchange, bound: BoundArguments) -> Any:
        if full in LOCAL:
            raise InvalidInput(
                f"{full} reads or writes files of the machine that the store is on. Run there: {LOCAL[full]}"
            )
        raise InvalidInput(
            f"{full} works on a store of its own process, and this one is kept by {exchange.address.url}"
        )

    return refuse


async def _remember_many(exchange: Exchange, bound: BoundArguments) -> Any:
    return await exchange.remember_many(bound.arguments["items"])


async def _apply(exchange: Exchange, bound: BoundArguments) -> Any:
    bound.apply_defaults()
    given = bound.arguments
    return await exchange.apply(given["plan"], given["strict"], given["force"])


async def _purge(exchange: Exchange, bound: BoundArguments) -> Any:
    if (plan := bound.arguments.get("plan")) is not None:
        bound.arguments["plan"] = key_of(plan, "purge")
    return await exchange.call(CALLS["purge"], Certificate, travelling(CALLS["purge"], bound))


async def _export(exchange: Exchange, bound: BoundArguments) -> Any:
    return await export(exchange, bound.arguments["path"], bound.arguments.get("format"))


async def _import(exchange: Exchange, bound: BoundArguments) -> Any:
    return await import_(exchange, bound.arguments["path"])


async def _guidance(exchange: Exchange, bound: BoundArguments) -> Any:
    return await exchange.call(CALLS["guidance"], str, travelling(CALLS["guidance"], bound))


async def _scope(exchange: Exchange, bound: BoundArguments) -> Any:
    return project_scope(bound.arguments["project"])  # a folder is one of the client's own machine


async def _settle(exchange: Exchange, bound: BoundArguments) -> None:
    """What waits is embedded where the store is."""


_BY_HAND: dict[str, Operation] = {
    "artifacts.guidance": _guidance,
    "artifacts.scope": _scope,
    "meaning.settle": _settle,
    "remember_many": _remember_many,
    "apply": _apply,
    "purge": _purge,
    "export": _export,
    "import_": _import,
}


async def _current(exchange: Exchange) -> Any:
    return await exchange.call(CALLS["policies.show"], Policy, {})


async def _embedder(exchange: Exchange) -> Any:
    return (await exchange.stats()).embedder


async def _waiting(exchange: Exchange) -> Any:
    return (await exchange.stats()).waiting


async def _llm(exchange: Exchange) -> Any:
    return (await exchange.stats()).llm


_PROPERTIES: dict[str, Callable[[Exchange], Coroutine[Any, Any, Any]]] = {
    "policies.current": _current,
    "meaning.model": _embedder,
    "meaning.waiting": _waiting,
    "absorbing.model": _llm,
}
