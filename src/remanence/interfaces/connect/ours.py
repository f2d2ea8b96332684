"""What of ours stands in one file of a host: its hooks, its tools, or both, as with Gemini CLI.

Several parts in a file make one edit. Taking out gives back the bytes from before, if putting the same parts into a
backup, or into no file, gives what is there now; else the parts alone are taken out, and the rest stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from pathlib import Path
from typing import Any, Protocol

from remanence.errors import InvalidInput
from remanence.interfaces.connect import edits, hooks, servers, toml
from remanence.interfaces.connect.edits import Edit
from remanence.interfaces.connect.hosts import Host

Again = Callable[[str], str]


class Part(Protocol):
    """One thing of ours in a configuration; `name` is the file's, for messages."""

    def present(self, text: str, name: str) -> bool: ...
    def put(self, text: str, name: str) -> str: ...
    def taken(self, text: str, name: str) -> str: ...
    def again(self, text: str, name: str) -> Again:
        """What puts the same as there is into an earlier text."""
        ...


@dataclass(frozen=True, slots=True)
class Hooks:
    """The hooks of a host: what is to be called, by event."""

    host: Host
    wanted: Mapping[str, str] = field(default_factory=dict)

    def present(self, text: str, name: str) -> bool:
        return bool(hooks.present(text, self.host, name))

    def put(self, text: str, name: str) -> str:
        return hooks.connected(text, self.host, self.wanted, name)

    def taken(self, text: str, name: str) -> str:
        return hooks.disconnected(text, self.host, name)

    def again(self, text: str, name: str) -> Again:
        entries = hooks.entries_of(text, self.host, name)
        return lambda earlier: hooks.with_entries(earlier, self.host, entries, name)


class _Form(Protocol):
    def found(self, text: str, name: str) -> Any: ...
    def connected(self, text: str, wanted: Mapping[str, Any], name: str) -> str: ...
    def with_entry(self, text: str, value: Mapping[str, Any], name: str) -> str: ...
    def disconnected(self, text: str, name: str) -> str: ...
    def switched_off(self, text: str, host: Host, name: str) -> str | None: ...


@dataclass(frozen=True, slots=True)
class Tools:
    """The tools of a host: the entry of the MCP server it is to start."""

    host: Host
    wanted: Mapping[str, Any] = field(default_factory=dict)

    @property
    def form(self) -> _Form:
        return toml if self.host.tools_file.endswith(".toml") else servers

    def present(self, text: str, name: str) -> bool:
        return servers.is_ours(self.form.found(text, name))

    def put(self, text: str, name: str) -> str:
        """With the entry; InvalidInput where somebody else has one of the name."""
        found = self.form.found(text, name)
        if found is not None and not servers.is_ours(found):
            command = found.get("command") if isinstance(found, dict) else None
            runs = repr(command) if isinstance(command, str) else "no command"
            runs += " with other words" if hooks.said_to_rem([str(command), ""]) else ""
            raise InvalidInput(
                f"{name} has an MCP server called {servers.NAME} that was not written here (it runs {runs}); it stays "
                "as it is. To have ours, give that one another name and connect again"
            )
        return self.form.connected(text, self.wanted, name)

    def taken(self, text: str, name: str) -> str:
        return self.form.disconnected(text, name)

    def again(self, text: str, name: str) -> Again:
        entry = self.form.found(text, name)
        return lambda earlier: self.form.with_entry(earlier, entry, name)

    def switched_off(self, text: str, name: str) -> str | None:
        return self.form.switched_off(text, self.host, name)


def put_in(file: Path, parts: Sequence[Part]) -> Edit:
    """The edit after which a file has these parts as they are wanted."""
    before = edits.read(file)
    text = edits.text(before, file)
    for part in parts:
        text = part.put(text, str(file))
    return Edit(file, before, text.encode())


def taken_out(file: Path, parts: Sequence[Part]) -> Edit:
    """The edit after which a file has these parts no more."""
    before, name = edits.read(file), str(file)
    now = edits.text(before, file)
    parts = [part for part in parts if before is not None and part.present(now, name)]
    if before is None or not parts:
        return Edit(file, before, before)
    # Parts may have been put in one by one, and in any order.
    for order in permutations(parts):
        steps = [part.again(now, name) for part in order]

        def again(earlier: bytes | None, steps: Sequence[Again] = steps) -> bytes:
            text = edits.text(earlier, file)
            if any(part.present(text, name) for part in parts):
                raise InvalidInput("a backup from between two connections")
            for step in steps:
                text = step(text)
            return text.encode("utf-8", "surrogatepass")

        if (was := edits.original(file, before, again)) is not None:
            return Edit(file, before, was[0], undoes=True)
    for part in parts:
        now = part.taken(now, name)
    return Edit(file, before, now.encode())
