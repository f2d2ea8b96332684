"""What connecting a host, or taking it out, would change: a list of edits and what the user should know besides.

Nothing is written here. A host has two parts of ours, hooks and tools, in one file or in two; capturing goes with the
hooks. Tools that cannot be written are told in a note, and do not keep the hooks from being connected.
"""

from __future__ import annotations

import os
import shlex
import shutil
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from remanence.errors import InvalidInput
from remanence.interfaces.connect import capturing, edits, hooks, servers
from remanence.interfaces.connect.edits import Edit
from remanence.interfaces.connect.hosts import HOSTS, Host, Places
from remanence.interfaces.connect.ours import Hooks, Part, Tools, put_in, taken_out

_CONNECTED = ("yes", "partly", "moved")


@dataclass(frozen=True, slots=True)
class Proposal:
    """The edits, and notes on them."""

    edits: tuple[Edit, ...]
    notes: tuple[str, ...] = ()
    tools: bool = False
    """Whether the host has the tools then."""

    @property
    def changes(self) -> tuple[Edit, ...]:
        return tuple(edit for edit in self.edits if edit.changes)


@dataclass(frozen=True, slots=True)
class Status:
    """How things stand with one host."""

    host: Host
    installed: bool
    connected: str
    """Its hooks: yes, no, partly (events are missing), moved (it calls a rem that is not there), or unreadable."""
    tools: str
    """Its tools: yes, no, moved, unreadable, or other (somebody else's server has the name)."""
    file: Path
    tools_file: Path

    def to_dict(self) -> dict[str, Any]:
        return {
            **{"host": self.host.name, "title": self.host.title, "installed": self.installed},
            **{"connected": self.connected, "tools": self.tools},
            **{"file": str(self.file), "tools_file": str(self.tools_file)},
            "command": f"rem connect {self.host.name}",
        }


def program(called_as: str, python: str) -> list[str]:
    """The words that run this `rem` from anywhere: its own path, the one beside Python, or Python itself."""
    own = Path(called_as).absolute()
    for place in (own, Path(python).parent / "rem"):
        if place.name == "rem" and place.is_file() and os.access(place, os.X_OK):
            return [str(place)]
    return [python, *hooks.AS_MODULE]


def connect(
    host: Host,
    places: Places,
    commands: Mapping[str, str] | None,
    server: Mapping[str, Any] | None,
    *,
    project: bool = False,
    capture: bool = True,
) -> Proposal:
    """What is to be written for a host to call us: hooks with these commands, tools by this server; None leaves out."""
    parts: list[tuple[Path, Part]] = []
    notes = []
    if commands is not None:
        parts.append((places.file(host, project=project), Hooks(host, commands)))
    if server is not None:
        file, tools = places.tools_file(host, project=project), Tools(host, server)
        if (why := _hindered(lambda: put_in(file, [tools]), alone=commands is None)) is None:
            parts.append((file, tools))
        else:
            notes.append(f"The tools are not connected: {why}.")
    has_tools = any(isinstance(part, Tools) for _, part in parts)
    made = [put_in(file, group) for file, group in _by_file(parts)]
    notes += _notes(host, places, project, made, parts)
    if commands is not None and capture:
        made.append(_captured(places.config))
    elif commands is not None and not _captures(places.config):
        notes.append(f"memories.enabled is not true in {places.config}: nothing is captured until it is.")
    return Proposal(tuple(made), tuple(notes), has_tools)


def remove(
    host: Host, places: Places, *, project: bool = False, capture: bool = True, hooks: bool = True, tools: bool = True
) -> Proposal:
    """What is to be written for a host to call us no more."""
    hooks_file, tools_file = places.file(host, project=project), places.tools_file(host, project=project)
    parts: list[tuple[Path, Part]] = [(hooks_file, Hooks(host))] if hooks else []
    notes = []
    if tools:
        if (why := _hindered(lambda: taken_out(tools_file, [Tools(host)]), alone=not hooks)) is None:
            parts.append((tools_file, Tools(host)))
        else:
            notes.append(f"The tools stay as they are: {why}.")
    made = [taken_out(file, group) for file, group in _by_file(parts)]
    if not hooks:
        return Proposal(tuple(made), tuple(notes))
    if elsewhere := _others(places, hooks_file):
        notes.append(f"Still connected: {', '.join(elsewhere)}.")
    elif capture and (off := _not_captured(places.config)) is not None:
        made.append(off)
        notes.append(
            "No agent is connected any more, so nothing is captured. If a project elsewhere was connected with "
            "--project, take --no-capture to keep it on."
        )
    elif capture and _captures(places.config):
        notes.append(f"memories.enabled stays true in {places.config}: it was not set by rem connect.")
    return Proposal(tuple(made), tuple(notes))


def status(places: Places) -> list[Status]:
    """All hosts: whether they are there, and what of ours they have; a project's own files after the user's."""
    found = []
    for host in HOSTS:
        found.append(_status(host, places, project=False))
        own = _status(host, places, project=True)
        files = (own.file != found[-1].file, own.tools_file != found[-1].tools_file)
        if any(files) and (own.connected in _CONNECTED or own.tools in _CONNECTED):
            found.append(own)
    return found


def _status(host: Host, places: Places, *, project: bool) -> Status:
    file, tools_file = places.file(host, project=project), places.tools_file(host, project=project)
    states = _state(host, file), _tools_state(host, tools_file)
    return Status(host, places.installed(host), *states, file, tools_file)


def _by_file(parts: Iterable[tuple[Path, Part]]) -> list[tuple[Path, list[Part]]]:
    files: dict[Path, list[Part]] = {}
    for file, part in parts:
        files.setdefault(file, []).append(part)
    return [*files.items()]


def _hindered(attempt: Callable[[], object], *, alone: bool) -> str | None:
    """Why tools cannot be edited; alone that is an error, beside hooks a note, for hooks work without them."""
    try:
        attempt()
    except InvalidInput as reason:
        why = str(reason).removesuffix(". Nothing was changed")
        if alone:
            raise InvalidInput(f"{why}. Nothing was changed") from None
        return why
    return None


def _captures(config: Path) -> bool:
    return capturing.enabled(edits.text(edits.read(config), config), str(config))


def _captured(config: Path) -> Edit:
    before = edits.read(config)
    text = edits.text(before, config)
    after = capturing.switched_on(text, str(config))
    return Edit(config, before, before if after == text else after.encode())


def _not_captured(config: Path) -> Edit | None:
    """The edit that switches capturing off again, where connecting has switched it on."""
    before = edits.read(config)
    if before is None or not capturing.enabled(edits.text(before, config), str(config)):
        return None

    def again(earlier: bytes | None) -> bytes:
        text = edits.text(earlier, config)
        if capturing.enabled(text, str(config)):
            raise InvalidInput("it was on before")
        return capturing.switched_on(text, str(config)).encode()

    if (was := edits.original(config, before, again)) is not None:
        return Edit(config, before, was[0], undoes=True)
    after = capturing.switched_off(edits.text(before, config), str(config))
    return None if after is None else Edit(config, before, after.encode())


def _state(host: Host, file: Path) -> str:
    try:
        data = edits.read(file)
        have = hooks.present(edits.text(data, file), host, str(file)) if data is not None else {}
    except InvalidInput:
        return "unreadable"
    if not have:
        return "no"
    if not all(shutil.which(shlex.split(command)[0]) for command in have.values()):
        return "moved"
    return "yes" if set(host.events) <= have.keys() else "partly"


def _tools_state(host: Host, file: Path) -> str:
    try:
        data = edits.read(file)
        found = Tools(host).form.found(edits.text(data, file), str(file)) if data is not None else None
    except InvalidInput:
        return "unreadable"
    if found is None:
        return "no"
    if not servers.is_ours(found):
        return "other"
    return "yes" if shutil.which(found["command"]) else "moved"


def _others(places: Places, file: Path) -> list[str]:
    """Files, but this one, in which a host is connected."""
    seen = {str(places.file(host, project=own)): host for host in HOSTS for own in (False, True)}
    return [
        f"{host.title} in {place}"
        for place, host in seen.items()
        if Path(place) != file and _state(host, Path(place)) in _CONNECTED
    ]


def _notes(
    host: Host, places: Places, project: bool, made: Sequence[Edit], parts: Sequence[tuple[Path, Part]]
) -> list[str]:
    after = {edit.path: edits.text(edit.after, edit.path) for edit in made}
    notes = []
    for file, part in parts:
        if isinstance(part, Hooks):
            notes += _hooks_notes(host, file, places.file(host, project=not project), project, after[file])
        elif isinstance(part, Tools) and (setting := part.switched_off(after[file], str(file))) is not None:
            notes.append(f"{file} switches the tools off ({setting}); they are not there until that is changed.")
    if project and after:
        names = " and ".join(map(str, after))
        name, keep = ("names", "keep it") if len(after) == 1 else ("name", "keep them")
        notes.append(f"{names} {name} a path of this machine: {keep} out of what you share.")
    if host.name == "codex" and any(isinstance(part, Hooks) for _, part in parts):
        notes += _codex_notes(places.folder(host) / "config.toml")
    return notes


def _hooks_notes(host: Host, file: Path, other: Path, project: bool, after: str) -> list[str]:
    notes = []
    if file != other and _state(host, other) in _CONNECTED:
        notes.append(
            f"{host.title} is connected in {other} too: both would be called, and prompts captured twice. To take that "
            f"one out: rem connect {host.name} --remove{'' if project else ' --project'}"
        )
    if (why := hooks.refused(after, host)) is not None:
        notes.append(f"{host.title} reads nothing of {file}: {why}. Mend that, or nothing is called.")
    if (setting := hooks.switched_off(after, host, str(file))) is not None:
        notes.append(f"{file} switches all hooks off ({setting}); nothing is called until that is changed.")
    return notes


def _codex_notes(file: Path) -> list[str]:
    """What Codex's own config.toml says about hooks; of them, it is only read."""
    try:
        said = tomllib.loads(edits.text(edits.read(file), file))
    except (tomllib.TOMLDecodeError, InvalidInput) as reason:
        return [f"{file} cannot be read ({reason}); Codex may not start until it is mended."]
    features = said.get("features")
    off = [name for name in ("hooks", "codex_hooks") if isinstance(features, dict) and features.get(name) is False]
    notes = [f"{file} switches hooks off (features.{name}); nothing is called until that is changed." for name in off]
    if isinstance(own := said.get("hooks"), dict) and own.keys() - {"state"}:
        notes.append(f"{file} has hooks too: Codex calls both, and mentions it at every start.")
    return notes
