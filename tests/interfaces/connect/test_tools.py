"""The MCP server in each agent's configuration: put in beside the hooks or alone, mended, left to others, and out."""

from __future__ import annotations

import json
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from remanence.interfaces.connect.jsonc import parse
from remanence.interfaces.connect.servers import is_ours
from tests.interfaces.connect.machine import BY_NAME, NAMES, Machine, commands, connected_by_a_script, servers, tree

REM = str(Path(sys.executable).with_name("rem"))
JSON_NAMES = tuple(name for name in NAMES if name != "codex")
JSON = {
    "nothing": "",
    "bare": "{}",
    "no servers": '{"mcpServers": {}}\n',
    "one line": '{"model": "big", "mcpServers": {"other": {"command": "x"}}}',
    "others": '{\n  "mcpServers": {\n    // theirs\n    "other": {"command": "rem", "args": ["mcp"],},\n  },\n}\n',
    "tabs, crlf": '{\r\n\t"a": 1, // x\r\n\t"mcpServers": {\r\n\t\t"other": {}\r\n\t},\r\n\t"b": [\r\n\t]\r\n}',
    "mark": '\ufeff{\n  "projects": {"/x": {"mcpServers": {"remanence": {}}}}\n}\n',
    "comments": "// first\n{ // in\n}\n// end",
}
TOML = {
    "nothing": "",
    "no line end": 'model = "big"',
    "others": "# mine\n\n[mcp_servers.other] # theirs\ncommand = 'rem'\nargs = ['mcp']\n\n# end\n",
    "crlf": '[a]\r\nb = """\r\n[mcp_servers.remanence]\r\n"""\r\n',
    "mark": "\ufeffmodel = 'big'\n[mcp_servers]\n",
}
CASES = [(name, kind) for name in JSON_NAMES for kind in JSON] + [("codex", kind) for kind in TOML]


def state(machine: Machine, name: str, *, row: int = 0) -> tuple[str, str]:
    found = [one for one in machine.told() if one["host"] == name][row]
    return found["connected"], found["tools"]


@pytest.mark.parametrize(("name", "kind"), CASES)
def test_in_twice_and_out(machine: Machine, name: str, kind: str) -> None:
    before = (TOML if name == "codex" else JSON)[kind]
    file = machine.holding(name, before, tools=True)
    known = servers(file) if before.strip("\ufeff") else {}
    said = machine.rem(name, "--no-hooks", "--yes")
    assert f"{BY_NAME[name].title} has the tools." in said and f"rem connect {name} --remove --no-hooks" in said
    found = servers(file)
    ours = found.pop("remanence")
    assert (ours["command"], ours["args"]) == (REM, ["mcp"]) and found == known
    after = file.read_bytes()
    if b"\r\n" in before.encode():
        assert after.count(b"\n") == after.count(b"\r\n")
    assert state(machine, name) == ("no", "yes") and not machine.config.exists()

    shown = tree(machine.home.parent)
    assert "has the tools already: nothing to change" in machine.rem(name, "--no-hooks", "--yes")
    assert "is not connected: nothing to change" in machine.rem(name, "--remove", "--no-tools", "--yes")
    assert tree(machine.home.parent) == shown
    assert "has the tools no longer." in machine.rem(name, "--remove", "--no-hooks", "--yes")
    assert file.read_bytes() == before.encode()
    assert "has no tools from here: nothing to change" in machine.rem(name, "--remove", "--no-hooks", "--yes")


def test_each_host_gets_the_form_it_reads(machine: Machine) -> None:
    for name in NAMES:
        machine.rem(name, "--yes", "--db", "mine.db", "--namespace", "team a")
    call = {"command": REM, "args": ["mcp", "--db", str(machine.project / "mine.db"), "--namespace", "team a"]}
    assert servers(machine.home / ".claude.json") == {"remanence": {"type": "stdio", **call, "env": {}}}
    assert list(servers(machine.home / ".claude.json")["remanence"]) == ["type", "command", "args", "env"]
    for file in (".codex/config.toml", ".cursor/mcp.json", ".gemini/settings.json"):
        assert servers(machine.home / file) == {"remanence": call}
    assert {name: state(machine, name) for name in NAMES} == dict.fromkeys(NAMES, ("yes", "yes"))
    for name in NAMES:
        machine.rem(name, "--yes")
        assert servers(machine.tools(name))["remanence"]["args"] == ["mcp"]
        machine.rem(name, "--remove", "--yes")
    assert not [path for path in tree(machine.home.parent) if ".bak-" not in path]


@pytest.mark.parametrize("name", NAMES)
def test_what_is_started_gets_every_word_whole(machine: Machine, name: str, tmp_path: Path) -> None:
    """The entry is started as a host starts it, without a shell; in the place of rem is a script."""
    db = connected_by_a_script(name, tmp_path)
    ours = servers(machine.tools(name))["remanence"]
    ran = subprocess.run([ours["command"], *ours["args"]], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines() == ["mcp", "--db", db]


@pytest.mark.parametrize(("name", "kind"), CASES)
def test_a_moved_rem_is_mended_in_its_place(
    machine: Machine, name: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = (TOML if name == "codex" else JSON)[kind]
    file = machine.holding(name, before, tools=True)
    place = machine.install("rem")
    monkeypatch.setattr("sys.argv", [str(place)])
    machine.rem(name, "--yes", "--namespace", "mine")
    assert servers(file)["remanence"]["command"] == str(place)
    place.unlink()
    assert state(machine, name) == ("moved", "moved")
    assert f"Connect with: rem connect {name}" in machine.rem()

    python = machine.install("python3")
    monkeypatch.setattr("sys.executable", str(python))
    machine.rem(name, "--yes")
    module = ["-P", "-m", "remanence.interfaces.cli", "mcp"]
    assert (servers(file)["remanence"]["command"], servers(file)["remanence"]["args"]) == (str(python), module)
    assert state(machine, name) == ("yes", "yes")
    machine.rem(name, "--remove", "--yes")
    assert file.read_bytes() == before.encode()


@pytest.mark.parametrize("name", NAMES)
def test_what_the_user_added_stays_when_it_is_mended_and_goes_with_it(machine: Machine, name: str) -> None:
    file = machine.holding(name, TOML["others"] if name == "codex" else JSON["others"], tools=True)
    machine.rem(name, "--no-hooks", "--yes", "--db", "old.db")
    if name == "codex":
        file.write_text(file.read_text() + "tool_timeout_sec = 9\n\n[mcp_servers.remanence.env]\nA = 'b'\n")
        more: dict[str, Any] = {"tool_timeout_sec": 9, "env": {"A": "b"}}
    else:
        file.write_text(file.read_text().replace('"args": [\n', '"trust": true,\n "args": [\n'))
        more = {"trust": True}
    machine.rem(name, "--no-hooks", "--yes")
    ours = servers(file)["remanence"]
    assert ours["args"] == ["mcp"] and more.items() <= ours.items()
    machine.rem(name, "--remove", "--yes")
    assert servers(file) == {"other": {"command": "rem", "args": ["mcp"]}} and "theirs" in file.read_text()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "entry",
    [
        {"command": "npx", "args": ["mcp"]},
        {"command": "rem", "args": ["mcp", "--read-only"]},
        {"command": "rem", "args": ["serve"]},
        {"command": "rem"},
        {"url": "http://127.0.0.1:7411/mcp"},
        {},
    ],
)
def test_a_server_of_somebody_else_is_left_alone(machine: Machine, name: str, entry: dict[str, Any]) -> None:
    if name == "codex":
        lines = "".join(f"{key} = {json.dumps(value)}\n" for key, value in entry.items())
        text = f"[mcp_servers.remanence]\n{lines}"
    else:
        text = json.dumps({"mcpServers": {"remanence": entry}})
    file = machine.holding(name, text, tools=True)
    assert "remanence that was not written here" in machine.refused(name, "--no-hooks", "--yes")
    assert state(machine, name) == ("no", "other")
    (note, *_) = machine.told(name, "--yes")["notes"]
    assert note.startswith("The tools are not connected: ") and "it stays as it is" in note
    assert (repr(entry["command"]) if "command" in entry else "runs no command") in note
    assert servers(file) == {"remanence": entry} and state(machine, name) == ("yes", "other")
    machine.rem(name, "--remove", "--yes")
    assert file.read_text() == text


def test_entries_that_only_look_like_ours_are_not() -> None:
    for odd in (None, 7, [], {"command": 7, "args": ["mcp"]}, {"command": "rem", "args": "mcp"}):
        assert not is_ours(odd)
    for args in ([], ["mcp", 7], ["mcp", "--db"], ["mcp", "--colour", "red"], ["hook"]):
        assert not is_ours({"command": "rem", "args": args})
    assert not is_ours({"command": "remx", "args": ["mcp"]})
    assert is_ours({"command": "/a/rem", "args": ["mcp", "--namespace", "x"], "env": {"A": "b"}})


@pytest.mark.parametrize("name", NAMES)
def test_hooks_and_tools_are_chosen_apart(machine: Machine, name: str) -> None:
    machine.rem(name, "--no-tools", "--yes")
    assert state(machine, name) == ("yes", "no") and machine.config.exists()
    hooks_alone = tree(machine.home)
    machine.rem(name, "--no-hooks", "--yes")
    assert state(machine, name) == ("yes", "yes")
    machine.rem(name, "--remove", "--no-hooks", "--yes")
    assert state(machine, name) == ("yes", "no") and machine.config.exists()
    assert {path: data for path, data in tree(machine.home).items() if ".bak-" not in path} == hooks_alone
    machine.rem(name, "--yes")
    machine.rem(name, "--remove", "--no-tools", "--yes")
    assert state(machine, name) == ("no", "yes") and not machine.config.exists()
    machine.rem(name, "--remove", "--yes")
    assert state(machine, name) == ("no", "no")


@pytest.mark.parametrize("first", ["--no-hooks", "--no-tools"])
@pytest.mark.parametrize("kind", JSON)
def test_two_in_one_file_are_one_edit_and_go_in_any_order(machine: Machine, kind: str, first: str) -> None:
    file = machine.holding("gemini", JSON[kind])
    (edit, config) = machine.told("gemini", "--dry-run")["edits"]
    assert (edit["path"], config["path"]) == (str(file), str(machine.config))
    assert "rem hook " in edit["diff"] and '"mcp"' in edit["diff"]
    machine.rem("gemini", first, "--yes")
    machine.rem("gemini", "--yes")
    assert state(machine, "gemini") == ("yes", "yes")
    machine.rem("gemini", "--remove", "--yes")
    assert file.read_bytes() == JSON[kind].encode()


@pytest.mark.parametrize("name", NAMES)
def test_without_the_package_there_are_hooks_alone(
    machine: Machine, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "mcp", None)
    advice = 'pip install "remanence[serve]", then again: rem connect ' + name
    said = machine.rem(name, "--yes")
    assert advice in said and "is connected." in said and state(machine, name) == ("yes", "no")
    assert advice not in machine.rem(name, "--no-tools", "--yes")
    assert f"{advice} --no-hooks" in machine.refused(name, "--no-hooks", "--yes")
    monkeypatch.undo()


def test_a_file_that_cannot_be_edited_does_not_keep_the_hooks_away(machine: Machine) -> None:
    for name, text, why in (
        ("claude-code", '{"a": }', "is no JSON"),
        ("claude-code", '{"mcpServers": []}', "mcpServers must be an object"),
        ("claude-code", "[]", "must hold an object"),
        ("claude-code", "{}" + " " * 8_000_000, "more than 8,000,000 bytes"),
        ("cursor", '{"mcpServers": null}', "mcpServers must be an object"),
        ("gemini", '{"mcpServers": 7}', "mcpServers must be an object"),
        ("codex", "mcp_servers = {}\n", f'put remanence = {{ command = "{REM}", args = ["mcp"] }} into it by hand'),
        ("codex", "[oops\n", "is no TOML"),
    ):
        file = machine.holding(name, text, tools=True)
        assert why in machine.refused(name, "--no-hooks", "--yes")
        assert file.read_text() == text
        said = machine.rem(name, "--yes")
        assert "The tools are not connected: " in said and why in said and "Nothing was changed" not in said
        assert BY_NAME[name].tools_advice not in said
        assert list(commands(machine.file(name), BY_NAME[name])) == list(BY_NAME[name].events)
        machine.rem(name, "--remove", "--yes")
        assert state(machine, name)[0] == "no" and file.read_text() == text
        file.unlink()


def test_a_table_that_cannot_be_taken_out_is_told(machine: Machine) -> None:
    text = "mcp_servers = { remanence = { command = 'rem', args = ['mcp'] } }\n"
    machine.holding("codex", text, tools=True)
    assert "take it out by hand. Nothing was changed" in machine.refused("codex", "--remove", "--no-hooks", "--yes")
    machine.rem("codex", "--no-tools", "--yes")
    assert "The tools stay as they are: " in machine.rem("codex", "--remove", "--yes")
    assert not machine.file("codex").exists() and machine.tools("codex").read_text() == text


def test_settings_that_switch_tools_off_are_told(machine: Machine) -> None:
    ours = {"command": REM, "args": ["mcp"]}
    for name, text, setting in (
        ("gemini", '{"mcp": {"excluded": ["remanence"]}}', "mcp.excluded"),
        ("gemini", '{"mcp": {"allowed": ["x"]}}', "mcp.allowed"),
        ("cursor", json.dumps({"mcpServers": {"remanence": {**ours, "disabled": True}}}), "remanence.disabled"),
        (
            "codex",
            f"[mcp_servers.remanence]\ncommand = '{REM}'\nargs = ['mcp']\nenabled = false\n",
            "remanence.enabled",
        ),
        ("gemini", '{"mcp": {"excluded": ["x"], "allowed": ["remanence"]}}', None),
        ("gemini", '{"mcp": {"excluded": [], "allowed": []}}', None),
        ("gemini", '{"mcp": 7}', None),
    ):
        machine.holding(name, text, tools=True)
        said = machine.rem(name, "--dry-run", "--no-hooks")
        assert ("switches the tools off" in said) == (setting is not None) and (setting or "") in said


@pytest.mark.parametrize("name", NAMES)
def test_a_project_has_tools_of_its_own(machine: Machine, name: str) -> None:
    file = machine.tools(name, project=True)
    said = machine.rem(name, "--project", "--no-hooks", "--yes")
    assert tree(machine.home) == {} and list(servers(file)) == ["remanence"]
    assert f"{file} names a path of this machine" in said
    assert state(machine, name) == ("no", "no") and state(machine, name, row=1) == ("no", "yes")
    machine.rem(name, "--project", "--yes")
    assert state(machine, name, row=1) == ("yes", "yes")
    machine.rem(name, "--remove", "--project", "--yes")
    assert not [path for path in tree(machine.project) if ".bak-" not in path]


def test_a_variable_takes_the_tools_along(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, variable, below in (
        ("claude-code", "CLAUDE_CONFIG_DIR", ".claude.json"),
        ("codex", "CODEX_HOME", "config.toml"),
        ("gemini", "GEMINI_CLI_HOME", ".gemini/settings.json"),
    ):
        for folder in (machine.home / "moved", machine.home / BY_NAME[name].folder):
            monkeypatch.setenv(variable, str(folder))
            machine.rem(name, "--no-hooks", "--yes")
            assert list(tree(machine.home)) == [str((folder / below).relative_to(machine.home))]
            machine.rem(name, "--remove", "--yes")


def test_a_big_file_that_its_host_rewrites_in_between(machine: Machine) -> None:
    """Claude Code keeps its state there, writes it anew all the time, and has it for the user's eyes only."""
    value = {"projects": {f"/p{number}": {"history": ["x" * 90] * 20} for number in range(500)}, "mcpServers": {}}
    file = machine.holding("claude-code", json.dumps(value, indent=2), tools=True)
    file.chmod(0o600)
    machine.rem("claude-code", "--yes")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    kept = json.loads(file.read_text())
    assert kept.pop("mcpServers").keys() == {"remanence"} and kept["projects"] == value["projects"]
    file.write_text(json.dumps({**json.loads(file.read_text()), "numStartups": 8}, indent=2))
    said = machine.rem("claude-code", "--remove", "--yes")
    assert "no longer connected" in said and len(said.splitlines()) < 200
    left = {"projects": value["projects"], "numStartups": 8}
    assert file.read_text() == json.dumps(left, indent=2) and parse(file.read_text(), "f").value == left


def test_a_shown_diff_holds_no_secret(machine: Machine) -> None:
    secrets = ("hunter2", "tok3n", "p4ss")
    toml = (
        f"[mcp_servers.x.env]\nPLAIN = 'shown'\nAPI_KEY = '{secrets[0]}'\nx = {{ \"GH_TOKEN\" = \"{secrets[1]}\" }}\n"
    )
    env = {"PLAIN": "shown", "API_KEY": secrets[0], "U": f"https://me:{secrets[2]}@host", "A": f"Bearer {secrets[1]}"}
    machine.holding("codex", toml, tools=True)
    machine.holding("claude-code", json.dumps({"mcpServers": {"x": {"env": env}}}), tools=True)
    for name in ("codex", "claude-code"):
        said = machine.rem(name, "--no-hooks", "--dry-run")
        assert "shown" in said and not [secret for secret in secrets if secret in said]
