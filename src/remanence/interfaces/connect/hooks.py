"""Our hooks in a host's configuration: put in, told apart from others, and taken out.

An entry is ours if its command is a `rem` that runs `hook EVENT --host HOST`. Everything here goes from text to text,
and leaves what is not ours as it is. One entry an event: one with another command (an old path of rem, another store)
is given the new one.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any

from remanence.errors import InvalidInput
from remanence.interfaces.connect.hosts import Host
from remanence.interfaces.connect.jsonc import Node, Part, appended, dropped, parse

_HOOKS = "hooks"
# -P: nothing is imported from the folder it runs in, which is somebody's project.
AS_MODULE = ("-P", "-m", "remanence.interfaces.cli")


def commands(program: Sequence[str], host: Host, db: str | None = None, namespace: str | None = None) -> dict[str, str]:
    """What the host is to call for each of its events, quoted for a shell."""
    more = store_options(db, namespace)
    return {event: shlex.join([*program, "hook", event, "--host", host.name, *more]) for event in host.events}


def event_of(command: object, host: Host) -> str | None:
    """The event for which this command is our hook; None if it is not ours."""
    try:
        words = shlex.split(command) if isinstance(command, str) else []
    except ValueError:
        return None
    rest = said_to_rem(words)
    if len(rest) < 4 or rest[0] != "hook" or rest[2:4] != ["--host", host.name] or not only_a_store(rest[4:]):
        return None
    return rest[1]


def said_to_rem(words: Sequence[str]) -> list[str]:
    """The words after the program, if that is a rem; else none."""
    if tuple(words[1:4]) == AS_MODULE:
        return [*words[4:]]
    return [*words[1:]] if words and PurePath(words[0]).name == "rem" else []


def only_a_store(options: Sequence[str]) -> bool:
    """Whether the options are such as are written here: they name a store, and nothing else."""
    return len(options) % 2 == 0 and all(name in ("--db", "--namespace") for name in options[::2])


def store_options(db: str | None, namespace: str | None) -> list[str]:
    """The options that name a store."""
    return [*(("--db", db) if db else ()), *(("--namespace", namespace) if namespace else ())]


def present(text: str, host: Host, name: str) -> dict[str, str]:
    """Our commands in a configuration, by event."""
    return {event: command for event, command, _ in _ours(_root(filled(text), host, name), host)}


def connected(text: str, host: Host, wanted: Mapping[str, str], name: str) -> str:
    """The configuration with exactly the wanted commands as ours; the same text where it has them."""
    text = filled(text)
    while stale := next(_stale(_root(text, host, name), host, wanted), None):
        right, chain = stale
        text = without(text, chain) if right is None else _mended(text, right, chain)
    have = present(text, host, name)
    missing = {event: _entry(host, event, command) for event, command in wanted.items() if event not in have}
    return with_entries(text, host, missing.items(), name)


def with_entries(text: str, host: Host, entries: Iterable[tuple[str, Any]], name: str) -> str:
    """The configuration with these entries more, each at the end of its event."""
    entries, text = list(entries), filled(text)
    for key, value in (host.opening or {}).items() if entries else ():
        root = _root(text, host, name)
        text = text if root.get(key) else appended(text, root, value, key)
    for event, entry in entries:
        root = _root(text, host, name)
        hooks = root.get(_HOOKS)
        if hooks is None:
            text = appended(text, root, {event: [entry]}, _HOOKS)
        elif (here := hooks.node.get(event)) is None:
            text = appended(text, hooks.node, [entry], event)
        else:
            text = appended(text, here.node, entry)
    return text


def entries_of(text: str, host: Host, name: str) -> list[tuple[str, Any]]:
    """Our entries where each stands alone, in the order in which they were put in; others could not be put back."""
    found = []
    for _, _, chain in _ours(_root(text, host, name), host):
        if len(chain[-1][0].parts) == 1 or not host.grouped:
            found.append((str(chain[1][1].key), chain[2][1].node.value))
    return sorted(found, key=lambda one: host.events.index(one[0]) if one[0] in host.events else len(host.events))


def disconnected(text: str, host: Host, name: str) -> str:
    """The configuration without our entries, and without what is empty for want of them."""
    while ours := next(_ours(_root(text, host, name), host), None):
        text = without(text, ours[2])
    return text


def switched_off(text: str, host: Host, name: str) -> str | None:
    """The setting by which the user has switched all hooks of the host off, if there is one."""
    value = _root(filled(text), host, name).value
    for path, off in host.off:
        found: Any = value
        for key in path:
            found = found.get(key) if isinstance(found, dict) else None
        if found is off:
            return ".".join(path)
    return None


def refused(text: str, host: Host) -> str | None:
    """Why the host would read nothing of a configuration that is right otherwise, if that is so."""
    if not host.members:
        return None
    try:
        read = json.loads(text)
    except json.JSONDecodeError as reason:
        return f"it takes plain JSON alone ({reason.msg} in line {reason.lineno})"
    return next((f"it knows no {name!r} there" for name in read if name not in host.members), None)


def _entry(host: Host, event: str, command: str) -> dict[str, Any]:
    call = {"command": command, "timeout": host.timeout, **host.more.get(event, {})}
    if not host.grouped:
        return call
    label = {"name": host.label} if host.label else {}
    return {_HOOKS: [{"type": "command", **label, **call}]}


Chain = list[tuple[Node, Part]]
"""The way from the root to an entry: each container, and the part of it that leads on."""
_COMMENT = re.compile(r"//|/\*")
_IN_GROUP = 3
"""Where in a chain a group leads on to its hooks."""


def _ours(root: Node, host: Host) -> Iterator[tuple[str, str, Chain]]:
    hooks = root.get(_HOOKS)
    for event in hooks.node.parts if hooks else ():
        for group in event.node.parts if isinstance(event.node.value, list) else ():
            chain = [(root, hooks), (hooks.node, event), (event.node, group)] if hooks else []
            inner = group.node.get(_HOOKS)
            if not host.grouped:
                yield from _one(group.node, chain, host)
            elif inner is not None and isinstance(inner.node.value, list):
                for call in inner.node.parts:
                    yield from _one(call.node, [*chain, (group.node, inner), (inner.node, call)], host)


def _one(call: Node, chain: Chain, host: Host) -> Iterator[tuple[str, str, Chain]]:
    command = call.value.get("command") if isinstance(call.value, dict) else None
    # An entry that somebody moved below another event is ours still.
    if event_of(command, host) is not None:
        yield str(chain[1][1].key), str(command), chain


def _stale(root: Node, host: Host, wanted: Mapping[str, str]) -> Iterator[tuple[str | None, Chain]]:
    """Entries of ours that are not right as they are: with the command each is to have, or None for one too many."""
    kept: set[str] = set()
    for event, command, chain in _ours(root, host):
        right = wanted.get(event) if event not in kept else None
        if right != command:
            yield right, chain
        kept.add(event)


def _mended(text: str, command: str, chain: Chain) -> str:
    """With another command in the entry at the end of a chain; what else it says, and where it stands, is kept."""
    here = chain[-1][1].node.get("command")
    return text if here is None else text[: here.node.start] + json.dumps(command) + text[here.node.end :]


def without(text: str, chain: Chain) -> str:
    """Without the entry at the end of a chain, or the outermost part that holds nothing but it."""
    at = len(chain) - 1
    while at and _alone(text, chain, at):
        if at - 1 != _IN_GROUP:
            at -= 1
        # A group says more than its hooks (a matcher), which means nothing without them. Comments keep it, and then it
        # keeps its list: a group without one is an error to the host.
        elif _COMMENT.search(_beside(text, *chain[_IN_GROUP])):
            break
        else:
            at = _IN_GROUP - 1
    return dropped(text, *chain[at])


def _alone(text: str, chain: Chain, at: int) -> bool:
    """Whether what holds a step of the chain would be empty without it, and says nothing in comments."""
    outer, (inside, part) = chain[at - 1][1], chain[at]
    blank = not _beside(text, inside, part).strip(" \t\r\n,")
    return blank and not _COMMENT.search(text, outer.start, outer.node.start)


def _beside(text: str, inside: Node, part: Part) -> str:
    """What stands in a container besides one part of it: its other parts, and comments."""
    return text[inside.start + 1 : part.start] + text[part.node.end : inside.end - 1]


def filled(text: str) -> str:
    """The text, or an empty object in the place of an empty text."""
    return text if text.strip(" \t\r\n\ufeff") else text.rstrip(" \t\r\n") + "{}\n"


def _root(text: str, host: Host, name: str) -> Node:
    """The configuration's root, with hooks of the right form or none; InvalidInput else."""
    root = parse(text, name)
    if not isinstance(root.value, dict):
        raise InvalidInput(f"{name} must hold an object, not a {type(root.value).__name__}. Nothing was changed")
    hooks = root.get(_HOOKS)
    if hooks is not None and not isinstance(hooks.node.value, dict):
        raise InvalidInput(f"{name}: hooks must be an object of events. Nothing was changed")
    for event in hooks.node.parts if hooks else ():
        if event.key in host.events and not isinstance(event.node.value, list):
            raise InvalidInput(f"{name}: hooks.{event.key} must be a list. Nothing was changed")
    return root
