"""Grants: what one client may do, and a mind that keeps to it.

A grant names a namespace, may keep its client to a scope and to reading, and says as whose words it writes (`voices`).
The fenced mind has Mind's own surface;
each call is looked at by its row in the table of calls: what is written goes into the scope, filters are narrowed to
it, and what is named by id must be inside: anything else is not found, as if it were not there. Calls that reach over
the whole namespace are refused to a client that is kept to a scope.
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from remanence.errors import Conflict, Forbidden, InvalidInput, NotFound
from remanence.interfaces.calls import CALLS, FACETS, LOCAL, READ, Call
from remanence.interfaces.voices import spoken
from remanence.model.checks import string_problems
from remanence.model.journal import POLICY, Event
from remanence.model.lineage import Lineage
from remanence.model.memory import Memory
from remanence.model.plan import Plan
from remanence.model.scope import ROOT, Project, holds, scope_problems

if TYPE_CHECKING:
    from remanence.mind import Mind

_PLAIN = ("namespace", "clock", "settings")
_SESSION = ("session", "id")


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """What one client may do; `name` is what logs call it."""

    namespace: str
    scope: str | None = None
    read_only: bool = False
    human: bool = False
    """Whether its words may be kept as a person's."""
    source: str = "ai"
    """As whose they are kept when it does not say."""
    name: str = ""

    @property
    def is_scoped(self) -> bool:
        """Whether it is kept to a part of its namespace."""
        return self.scope not in (None, ROOT)

    def must_write(self, what: str) -> None:
        """Forbidden where the client may only read."""
        if self.read_only:
            raise Forbidden(f"This client may only read, and {what} writes")

    def must_reach_all(self, what: str) -> None:
        """Forbidden where the client is kept to a scope."""
        if self.is_scoped:
            raise Forbidden(f"This client is kept to {self.scope}, and {what} is about the whole namespace")


def fenced(mind: Mind, grant: Grant) -> Mind:
    """The mind as this client may use it: the same surface, kept to the grant."""
    return Fenced(mind, grant)  # type: ignore[return-value]


class Fenced:
    """A mind behind a grant."""

    __slots__ = ("_grant", "_mind", "_stem")

    def __init__(self, mind: Mind, grant: Grant, stem: str = "") -> None:
        self._mind = mind
        self._grant = grant
        self._stem = stem

    def __getattr__(self, name: str) -> Any:
        full = self._stem + name
        if (call := CALLS.get(full)) is not None:
            return partial(self._perform, call)
        if not self._stem and name in FACETS:
            return Fenced(self._mind, self._grant, name + ".")
        if not self._stem and name in _PLAIN:
            return getattr(self._mind, name)
        if full in LOCAL:
            raise InvalidInput(f"{full} reads files of the machine the store is on. Run there: {LOCAL[full]}")
        raise AttributeError(full)

    def _perform(self, call: Call, /, *positional: Any, **named: Any) -> Any:
        method = call.on(self._mind)
        try:
            bound = _signature(method).bind(*positional, **named)
        except TypeError as reason:
            raise InvalidInput(f"{call.name}: {reason}") from None
        arguments = _flat(bound)
        answer = method(**admitted(self._mind, self._grant, call, arguments))
        return _seen(self._grant, answer)


_SIGNATURES: dict[Any, inspect.Signature] = {}


def _signature(method: Any) -> inspect.Signature:
    """What a method takes; made once of each, since it takes as long as a small call."""
    if not inspect.ismethod(method):
        return inspect.signature(method)
    if (known := _SIGNATURES.get(method.__func__)) is None:
        known = _SIGNATURES[method.__func__] = inspect.signature(method)
    return known


def _flat(bound: inspect.BoundArguments) -> dict[str, Any]:
    arguments: dict[str, Any] = {}
    for name, value in bound.arguments.items():
        if bound.signature.parameters[name].kind is inspect.Parameter.VAR_KEYWORD:
            arguments |= value
        elif bound.signature.parameters[name].kind is not inspect.Parameter.VAR_POSITIONAL:
            arguments[name] = value
    return arguments


def admitted(mind: Mind, grant: Grant, call: Call, arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments as this client may give them; Forbidden or NotFound where it may not."""
    if call.effect != READ:
        grant.must_write(call.name)
    if call.reach == "whole":
        grant.must_reach_all(call.name)
    if grant.read_only and any(argument.name == "reinforce" for argument in call.arguments):
        arguments = arguments | {"reinforce": False}
    if not grant.is_scoped:
        return spoken(mind, grant, call, arguments)
    _look_at_ids(mind, grant, call, arguments)
    return spoken(mind, grant, call, _REACHES[call.reach](mind, grant, call, arguments))


def _look_at_ids(mind: Mind, grant: Grant, call: Call, arguments: Mapping[str, Any]) -> None:
    for argument in call.arguments:
        value = arguments.get(argument.name)
        if not argument.holds_ids or value is None:
            continue
        for id in [value] if isinstance(value, str) or not isinstance(value, Iterable) else value:
            _inside(grant, mind.get(id))


def _inside(grant: Grant, memory: Memory) -> None:
    """NotFound in the words for an id that nobody has: others would tell that it is somebody's."""
    if not holds(str(grant.scope), memory.scope):
        raise NotFound(f"There is no memory {memory.id!r} in namespace {memory.namespace!r}. See: rem list")


def _new(mind: Mind, grant: Grant, call: Call, arguments: dict[str, Any]) -> dict[str, Any]:
    if call.name == "remember_many":
        items = arguments.get("items")
        if isinstance(items, (str, bytes, Mapping)) or not isinstance(items, Iterable):
            return arguments
        drafts = [dict(item) if isinstance(item, Mapping) else {"text": item} for item in items]
        for draft in drafts:
            _look_at_ids(mind, grant, CALLS["remember"], draft)
        return arguments | {"items": [_own(_placed(grant, draft), grant) for draft in drafts]}
    if call.name == "revise" and arguments.get("scope") is None:
        return arguments
    return _own(_placed(grant, arguments), grant)


def _own(arguments: dict[str, Any], grant: Grant) -> dict[str, Any]:
    """The arguments with a key that no other scope has, and without a say in what others had purged."""
    if arguments.get("relearn"):
        raise Forbidden(
            f"This client is kept to {grant.scope}, and cannot relearn what was purged: it may be another's"
        )
    key = arguments.get("key")
    if isinstance(key, str) and key.strip():
        digest = hashlib.sha256(f"{grant.scope}\0{key}".encode(errors="surrogatepass")).hexdigest()
        return arguments | {"key": key if string_problems(key, "key") else f"scoped:{digest}"}
    return arguments


def _placed(grant: Grant, arguments: dict[str, Any]) -> dict[str, Any]:
    scope = arguments.get("scope")
    if scope is None:
        return arguments | {"scope": grant.scope}
    if not scope_problems(scope):
        _allowed(grant, scope)
    return arguments


def _allowed(grant: Grant, scope: str) -> None:
    if not holds(str(grant.scope), scope):
        raise Forbidden(f"This client is kept to {grant.scope}, and {scope[:80]} is outside of it")


def _within(mind: Mind, grant: Grant, call: Call, arguments: dict[str, Any]) -> dict[str, Any]:
    if not any(argument.name == "scope" for argument in call.arguments):
        return arguments
    scope = arguments.get("scope")
    if scope is None:
        # By ids alone nothing is narrowed: all of them were looked at, and a filter more would say another thing.
        named = arguments.get("ids") is not None and any(one.name == "ids" and one.holds_ids for one in call.arguments)
        return arguments if named else _every(arguments) | {"scope": [grant.scope]}
    asked = [scope] if isinstance(scope, str) else list(scope) if isinstance(scope, Iterable) else [scope]
    if any(scope_problems(one) for one in asked):
        return arguments
    narrowed = [grant.scope if holds(one, str(grant.scope)) else one for one in asked]
    for one in narrowed:
        _allowed(grant, str(one))
    return _every(arguments) | {"scope": narrowed}


def _every(arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments without "everything", where that is all of the scope."""
    return {name: value for name, value in arguments.items() if name != "everything" or not value}


def _project(mind: Mind, grant: Grant, call: Call, arguments: dict[str, Any]) -> dict[str, Any]:
    project = arguments.get("project")
    if project is None or project == grant.scope:
        # The grant's own scope is that, though a folder of this machine may have the same name.
        arguments = arguments | {"project": Project(grant.scope)}
    else:
        _allowed(grant, mind.artifacts.scope(project))
    if call.name == "artifacts.read":
        _look_at_address(mind, grant, str(arguments.get("url", "")))
    if call.name == "sessions.start" and arguments.get("id") is not None:
        with suppress(NotFound, InvalidInput):
            if not holds(str(grant.scope), mind.sessions.show(arguments["id"]).session.project):
                raise Conflict(f"The id {str(arguments['id'])[:80]!r} cannot be used here. Take another one")
    return arguments


def _look_at_address(mind: Mind, grant: Grant, url: str) -> None:
    """NotFound, in the same words, for an address of no memory, of one outside, and of several."""
    try:
        memory = mind.artifacts.named(url)
        if memory is None or holds(str(grant.scope), memory.scope):
            return
    except (InvalidInput, NotFound):
        pass
    raise NotFound(f"There is no memory {url[:60]!r} here. See: rem list")


def _session(mind: Mind, grant: Grant, call: Call, arguments: dict[str, Any]) -> dict[str, Any]:
    for name in _SESSION:
        if (id := arguments.get(name)) is not None:
            session = mind.sessions.show(id).session
            if not holds(str(grant.scope), session.project):
                raise NotFound(f"No session {session.id!r} here. See: rem session list")
    return arguments


def _receipt(mind: Mind, grant: Grant, call: Call, arguments: dict[str, Any]) -> dict[str, Any]:
    if call.name == "restore":
        _look_at_successors(mind, grant, arguments)
    for name in ("receipt", "receipt_id"):
        if (id := arguments.get(name)) is None:
            continue
        receipt = mind.receipt(id)
        if receipt.verb == POLICY and not receipt.applied:
            raise NotFound(f"There is no receipt {str(id)[:40]!r} in this namespace. See: rem receipts")
        for memory_id in receipt.applied:
            with suppress(NotFound):
                memory = mind.get(memory_id)
                if holds(str(grant.scope), memory.scope):
                    continue
            raise NotFound(f"There is no receipt {str(id)[:40]!r} in this namespace. See: rem receipts")
    return arguments


def _look_at_successors(mind: Mind, grant: Grant, arguments: dict[str, Any]) -> None:
    """Bringing an older version back supersedes the newer one, which may have moved out of the scope."""
    ids = list(arguments.get("ids") or ())
    if (receipt := arguments.get("receipt")) is not None:
        ids += mind.receipt(receipt).applied
    for id in ids:
        with suppress(NotFound):
            newer = mind.get(id).superseded_by
            if newer is not None and not holds(str(grant.scope), mind.get(newer).scope):
                raise Forbidden(f"Memory {id} has a newer version outside of {grant.scope}, which it would supersede")


def _plan(mind: Mind, grant: Grant, call: Call, arguments: dict[str, Any]) -> dict[str, Any]:
    plan = arguments.get("plan")
    for change in plan if isinstance(plan, Plan) else ():
        if change.memory is not None:
            _inside(grant, change.memory)
        else:
            _inside(grant, mind.get(change.memory_id))
    return arguments


def _open(mind: Mind, grant: Grant, call: Call, arguments: dict[str, Any]) -> dict[str, Any]:
    return arguments


_REACHES = {
    "new": _new,
    "within": _within,
    "project": _project,
    "session": _session,
    "receipt": _receipt,
    "plan": _plan,
    "open": _open,
}
"""How each reach but "whole", which is refused, is kept to the scope."""


def _seen(grant: Grant, answer: Any) -> Any:
    """The answer without earlier versions of a memory that stood outside of the scope, or what it is tied to there."""
    scope = str(grant.scope)
    if grant.is_scoped and isinstance(answer, Lineage):
        return answer.within(scope)
    if not grant.is_scoped or not isinstance(answer, (list, tuple)):
        return answer
    if any(isinstance(one, Event) for one in answer):
        return [one for one in answer if one.memory is None or holds(scope, one.memory.scope)]
    if any(isinstance(one, tuple) for one in answer):  # pairs that contradict each other
        return [(one, by if by is not None and holds(scope, by.scope) else None) for one, by in answer]
    return answer
