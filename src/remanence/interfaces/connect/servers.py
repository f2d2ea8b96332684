"""Our tools in a host's configuration: the entry of an MCP server called `remanence`, in JSON.

An entry is ours if its command is a `rem` that runs `mcp` on a store and nothing else; one of the name that is not ours
belongs to somebody, and is never touched. Everything here goes from text to text. Of an entry with another command (an
old path of rem, another store) only command and args are replaced: what a user has added to it stays.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import Any

from remanence.errors import InvalidInput
from remanence.interfaces.connect import hooks
from remanence.interfaces.connect.hosts import Host
from remanence.interfaces.connect.jsonc import Node, Part, appended, parse, replaced

NAME = "remanence"
CALL = ("command", "args")
_SERVERS = "mcpServers"


def servable() -> bool:
    """Whether `rem mcp` could run here: its package is an extra."""
    return find_spec("mcp") is not None


def entry(program: Sequence[str], host: Host, db: str | None = None, namespace: str | None = None) -> dict[str, Any]:
    """What the host is to start for its tools."""
    args = [*program[1:], "mcp", *hooks.store_options(db, namespace)]
    return {**host.server, "command": program[0], "args": args}


def is_ours(found: object) -> bool:
    """Whether an entry is one that was written here, of whichever rem and store."""
    if not isinstance(found, dict) or not isinstance(found.get("command"), str):
        return False
    args = found.get("args")
    if not isinstance(args, list) or not all(isinstance(word, str) for word in args):
        return False
    said = hooks.said_to_rem([found["command"], *args])
    return said[:1] == ["mcp"] and hooks.only_a_store(said[1:])


def found(text: str, name: str) -> Any:
    """The entry of our name in a configuration, whosever it is; None if there is none."""
    try:
        value = json.loads(hooks.filled(text))  # quick: a host's file can have megabytes, and is plain JSON mostly
    except (ValueError, RecursionError):
        value = parse(hooks.filled(text), name).value
    return _checked(value, name).get(NAME)


def connected(text: str, wanted: Mapping[str, Any], name: str) -> str:
    """The configuration with an entry that calls what is wanted; the same text where it has one."""
    if found(text, name) is None:
        return with_entry(text, wanted, name)
    for key in CALL:
        part = _chain(parse(text, name), name)[-1][1].node.get(key)
        if part is not None and part.node.value != wanted[key]:
            text = replaced(text, part.node, wanted[key])
    return text


def with_entry(text: str, value: Mapping[str, Any], name: str) -> str:
    """The configuration with this entry more, at the end of its servers."""
    text = hooks.filled(text)
    root = parse(text, name)
    _checked(root.value, name)
    if (servers := root.get(_SERVERS)) is None:
        return appended(text, root, {NAME: value}, _SERVERS)
    return appended(text, servers.node, value, NAME)


def disconnected(text: str, name: str) -> str:
    """The configuration without our entry, and without what is empty for want of it."""
    while is_ours(found(text, name)):
        text = hooks.without(text, _chain(parse(text, name), name))
    return text


def switched_off(text: str, host: Host, name: str) -> str | None:
    """The setting by which the user has switched off a server of our name, if there is one."""
    ours = found(text, name)
    if isinstance(ours, dict) and ours.get("disabled") is True:
        return f"{_SERVERS}.{NAME}.disabled"
    listed = parse(hooks.filled(text), name).value.get("mcp") if host.name == "gemini" else None
    allowed, excluded = (
        (listed.get(key) for key in ("allowed", "excluded")) if isinstance(listed, dict) else (None, None)
    )
    if isinstance(allowed, list) and allowed and NAME not in allowed:
        return "mcp.allowed"
    return "mcp.excluded" if isinstance(excluded, list) and NAME in excluded else None


def _chain(root: Node, name: str) -> list[tuple[Node, Part]]:
    """The way from the root to the entry of our name."""
    _checked(root.value, name)
    servers = root.get(_SERVERS)
    ours = servers.node.get(NAME) if servers else None
    if servers is None or ours is None:
        raise InvalidInput(f"{name} has no {_SERVERS}.{NAME}. Nothing was changed")
    return [(root, servers), (servers.node, ours)]


def _checked(value: object, name: str) -> dict[str, Any]:
    """The servers in a configuration, none where it names none; InvalidInput for one of another form."""
    if not isinstance(value, dict):
        raise InvalidInput(f"{name} must hold an object, not a {type(value).__name__}. Nothing was changed")
    servers = value.get(_SERVERS, {})
    if not isinstance(servers, dict):
        raise InvalidInput(f"{name}: {_SERVERS} must be an object of servers. Nothing was changed")
    return servers
