"""What connecting a host, or taking it out, would change: a list of edits and what the user should know besides.

Nothing is written here. A host's part is a list of edits, since more than its hooks may have to be written one day.
"""

from __future__ import annotations

import os
import shlex
import shutil
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from remanence.errors import InvalidInput
from remanence.interfaces.connect import capturing, edits, hooks
from remanence.interfaces.connect.edits import Edit
from remanence.interfaces.connect.hosts import HOSTS, Host, Places

_CONNECTED = ("yes", "partly", "moved")


@dataclass(frozen=True, slots=True)
class Proposal:
    """The edits, and notes on them."""

    edits: tuple[Edit, ...]
    notes: tuple[str, ...] = ()

    @property
    def changes(self) -> tuple[Edit, ...]:
        return tuple(edit for edit in self.edits if edit.changes)


@dataclass(frozen=True, slots=True)
class Status:
    """How things stand with one host."""

    host: Host
    installed: bool
    connected: str
    """yes, no, partly (events are missing), moved (it calls a rem that is not there), or unreadable."""
    file: Path

    def to_dict(self) -> dict[str, Any]:
        return {
            **{"host": self.host.name, "title": self.host.title, "installed": self.installed},
            **{"connected": self.connected, "file": str(self.file), "command": f"rem connect {self.host.name}"},
        }


def program(called_as: str, python: str) -> list[str]:
    """The words that run this `rem` from anywhere: its own path, the one beside Python, or Python itself."""
    own = Path(called_as).absolute()
    for place in (own, Path(python).parent / "rem"):
        if place.name == "rem" and place.is_file() and os.access(place, os.X_OK):
            return [str(place)]
    return [python, *hooks.AS_MODULE]


def connect(
    host: Host, places: Places, commands: Mapping[str, str], *, project: bool = False, capture: bool = True
) -> Proposal:
    """What is to be written for a host to call us."""
    made = _connected(host, places.file(host, project=project), commands)
    notes = _notes(host, places, project, edits.text(made[0].after, made[0].path))
    if capture:
        made.append(_captured(places.config))
    elif not _captures(places.config):
        notes.append(f"memories.enabled is not true in {places.config}: nothing is captured until it is.")
    return Proposal(tuple(made), tuple(notes))


def remove(host: Host, places: Places, *, project: bool = False, capture: bool = True) -> Proposal:
    """What is to be written for a host to call us no more."""
    file = places.file(host, project=project)
    made, notes = _removed(host, file), []
    if elsewhere := _others(places, file):
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
    """All hosts: whether they are there, and whether they are connected; a project's own file after the user's."""
    found = []
    for host in HOSTS:
        found.append(Status(host, places.installed(host), _state(host, places.file(host)), places.file(host)))
        own = places.file(host, project=True)
        if own != places.file(host) and (state := _state(host, own)) in _CONNECTED:
            found.append(Status(host, found[-1].installed, state, own))
    return found


def _connected(host: Host, file: Path, commands: Mapping[str, str]) -> list[Edit]:
    before = edits.read(file)
    after = hooks.connected(edits.text(before, file), host, commands, str(file)).encode()
    return [Edit(file, before, after)]


def _removed(host: Host, file: Path) -> list[Edit]:
    before = edits.read(file)
    if before is None or not hooks.present(edits.text(before, file), host, str(file)):
        return [Edit(file, before, before)]
    now = edits.text(before, file)
    ours = hooks.entries_of(now, host, str(file))

    def again(earlier: bytes | None) -> bytes:
        text = edits.text(earlier, file)
        if hooks.present(text, host, str(file)):
            raise InvalidInput("a backup from between two connections")
        return hooks.with_entries(text, host, ours, str(file)).encode("utf-8", "surrogatepass")

    if (was := edits.original(file, before, again)) is not None:
        return [Edit(file, before, was[0], undoes=True)]
    return [Edit(file, before, hooks.disconnected(now, host, str(file)).encode())]


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


def _others(places: Places, file: Path) -> list[str]:
    """Files, but this one, in which a host is connected."""
    seen = {str(places.file(host, project=own)): host for host in HOSTS for own in (False, True)}
    return [
        f"{host.title} in {place}"
        for place, host in seen.items()
        if Path(place) != file and _state(host, Path(place)) in _CONNECTED
    ]


def _notes(host: Host, places: Places, project: bool, after: str) -> list[str]:
    file, other = places.file(host, project=project), places.file(host, project=not project)
    notes = []
    if file != other and _state(host, other) in _CONNECTED:
        notes.append(
            f"{host.title} is connected in {other} too: both would be called, and prompts captured twice. To take that "
            f"one out: rem connect {host.name} --remove{'' if project else ' --project'}"
        )
    if project:
        notes.append(f"{file} names a path of this machine: keep it out of what you share.")
    if (why := hooks.refused(after, host)) is not None:
        notes.append(f"{host.title} reads nothing of {file}: {why}. Mend that, or nothing is called.")
    if (setting := hooks.switched_off(after, host, str(file))) is not None:
        notes.append(f"{file} switches all hooks off ({setting}); nothing is called until that is changed.")
    if host.name == "codex":
        notes += _codex_notes(places.folder(host) / "config.toml")
    return notes


def _codex_notes(file: Path) -> list[str]:
    """What Codex's own config.toml says about hooks; it is read, never written."""
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
