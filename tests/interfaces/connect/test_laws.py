"""Laws of connecting, on documents made by chance: out gives back what was there, and the rest never changes."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remanence.interfaces.connect import edits, hooks, proposal, servers
from remanence.interfaces.connect.hosts import HOSTS, Host, Places
from remanence.interfaces.connect.jsonc import appended, parse
from tests.interfaces.connect.tables import tables

GAPS = ["", "", "", " ", "\n", "\n  ", "\t", "\r\n", " // line\n", "//\r\n", "/* block */", " /* two\n lines */ "]
TEXTS = st.text(st.characters(exclude_categories=("Cs",)), max_size=8) | st.sampled_from(
    ["//", "/*", "*/", '"', "\\", "{", "]", ",", "rem hook Stop"]
)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3), max_leaves=6
)


@st.composite
def documents(draw: Callable[..., Any], host: Host) -> tuple[str, dict[str, Any]]:
    """A configuration of a host as a text with comments, commas and space at will, and what it says."""
    call = st.fixed_dictionaries({"command": TEXTS}, optional={"timeout": st.integers(1, 9)})
    group = st.fixed_dictionaries({"hooks": st.lists(call, max_size=2)}, optional={"matcher": TEXTS})
    entries = st.lists(group if host.grouped else call, max_size=2)
    events = st.sampled_from((*host.events, "Elsewhere"))
    value = draw(
        st.dictionaries(TEXTS.filter(lambda key: key not in ("hooks", "version", "mcpServers")), VALUES, max_size=3)
    )
    if draw(st.booleans()):
        value["hooks"] = draw(st.dictionaries(events, entries, max_size=3))
    if draw(st.booleans()):
        value["mcpServers"] = draw(st.dictionaries(TEXTS, VALUES, max_size=2))
    if draw(st.booleans()):
        value = dict(reversed(value.items()))
    mark = draw(st.sampled_from(["", "", "\ufeff"]))
    return mark + _written(draw, value), value


def _written(draw: Callable[..., Any], value: Any) -> str:
    def gap() -> str:
        return str(draw(st.sampled_from(GAPS)))

    if isinstance(value, dict):
        inside = [f"{gap()}{json.dumps(key)}{gap()}:{gap()}{_written(draw, one)}{gap()}" for key, one in value.items()]
    elif isinstance(value, list):
        inside = [f"{gap()}{_written(draw, one)}{gap()}" for one in value]
    else:
        return json.dumps(value, ensure_ascii=draw(st.booleans()))
    comma = "," if inside and draw(st.booleans()) else ""
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return f"{opening}{gap()}{','.join(inside)}{comma}{gap()}{closing}"


def comments(text: str) -> list[str]:
    found = re.findall(r'"(?:[^"\\]|\\.)*"|(//[^\r\n]*|/\*.*?\*/)', text, re.DOTALL)
    return sorted(one.strip() for one in found if one)


def wanted(host: Host, program: str = "/opt/rem") -> dict[str, str]:
    return hooks.commands([program], host)


def served(host: Host, program: str = "/opt/rem") -> dict[str, Any]:
    return servers.entry([program], host)


def bare(value: dict[str, Any], host: Host) -> dict[str, Any]:
    """A configuration without hooks and servers that hold nothing, and without what our hooks need besides."""
    said = {event: entries for event, entries in value.get("hooks", {}).items() if entries}
    rest = {key: one for key, one in value.items() if key not in ("hooks", *(host.opening or {}))}
    return {key: one for key, one in {**rest, "hooks": said}.items() if one or key not in ("hooks", "mcpServers")}


@pytest.mark.parametrize("host", HOSTS, ids=lambda host: host.name)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_in_and_out(host: Host, data: st.DataObject) -> None:
    text, value = data.draw(documents(host))
    assert parse(text, "f").value == value

    connected = hooks.connected(text, host, wanted(host), "f")
    after = parse(connected, "f").value
    assert hooks.present(connected, host, "f") == wanted(host)
    for event, entries in after["hooks"].items():
        assert entries[: len(entries) - (event in host.events)] == value.get("hooks", {}).get(event, [])
    assert {key: one for key, one in after.items() if key != "hooks"} == {
        **{key: one for key, one in value.items() if key != "hooks"},
        **(host.opening or {}),
    }
    assert comments(connected) == comments(text)
    assert hooks.connected(connected, host, wanted(host), "f") == connected

    moved = hooks.connected(connected, host, wanted(host, "/opt/new/rem"), "f")
    assert hooks.present(moved, host, "f") == wanted(host, "/opt/new/rem")

    for entered in (connected, moved):
        left = hooks.disconnected(entered, host, "f")
        assert bare(parse(left, "f").value, host) == bare(value, host)
        assert comments(left) == comments(text)
        assert hooks.disconnected(left, host, "f") == left


@pytest.mark.parametrize("host", [host for host in HOSTS if host.name != "codex"], ids=lambda host: host.name)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_tools_in_and_out(host: Host, data: st.DataObject) -> None:
    text, value = data.draw(documents(host))
    connected = servers.connected(text, served(host), "f")
    after = parse(connected, "f").value
    assert after == {**value, "mcpServers": {**value.get("mcpServers", {}), "remanence": served(host)}}
    assert comments(connected) == comments(text)
    assert servers.connected(connected, served(host), "f") == connected

    moved = servers.connected(connected, served(host, "/opt/new/rem"), "f")
    assert servers.found(moved, "f") == served(host, "/opt/new/rem") and comments(moved) == comments(text)
    for entered in (connected, moved):
        left = servers.disconnected(entered, "f")
        assert bare(parse(left, "f").value, host) == bare(value, host)
        assert comments(left) == comments(text)
        assert servers.disconnected(left, "f") == left


@pytest.mark.parametrize("host", HOSTS, ids=lambda host: host.name)
@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_on_disk_out_is_the_byte_before_in(host: Host, data: st.DataObject) -> None:
    text, value = data.draw(documents(host))
    config = data.draw(st.sampled_from([None, "", "db: x\n", "memories:\n  enabled: false # no\n", "{db: x}\n"]))
    yours = "theirs, in between"
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        places = Places(home=home, project=home / "project", config=home / "config.yml", variables={})
        file, tools = places.file(host), places.tools_file(host)
        file.parent.mkdir(parents=True)
        if tools != file and data.draw(st.booleans()):
            tools.write_bytes(data.draw(tables() if host.name == "codex" else documents(host))[0].encode())
        file.write_bytes(text.encode())
        if config is not None:
            places.config.write_text(config)

        def state() -> list[bytes | None]:
            return [one.read_bytes() if one.exists() else None for one in (file, tools, places.config)]

        def connect(program: str = "/opt/rem", *, parts: int = 3) -> proposal.Proposal:
            commands, server = wanted(host, program), served(host, program)
            return proposal.connect(host, places, commands if parts & 1 else None, server if parts & 2 else None)

        before = state()
        edits.write(connect(parts=data.draw(st.integers(1, 3))).edits)
        assert state() != before
        edits.write(connect().edits)
        assert not connect().changes
        if data.draw(st.booleans()):
            edits.write(connect("/opt/new/rem").edits)
        edits.write(proposal.remove(host, places).edits)
        assert state() == before

        edits.write(connect().edits)
        now = file.read_bytes().decode()
        file.write_bytes(appended(now, parse(now, "f"), [1], yours).encode())
        edits.write(proposal.remove(host, places).edits)
        left = file.read_bytes().decode()
        assert bare(parse(left, "f").value, host) == bare({**value, yours: [1]}, host)
        assert comments(left) == comments(text) and state()[1:] == [
            before[1] if tools != file else left.encode(),
            before[2],
        ]
