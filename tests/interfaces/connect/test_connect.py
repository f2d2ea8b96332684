"""Connecting each agent: on files of every make, twice, with a moved rem, and out again to the byte."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from remanence.interfaces.connect.hosts import HOSTS, Host
from remanence.interfaces.connect.jsonc import parse
from tests.interfaces.connect.machine import BY_NAME, NAMES, Machine, commands, tree

OTHER = "/usr/bin/say 'done // not a comment'"


def with_others(host: Host) -> str:
    """A file with comments, a trailing comma and somebody else's hook in each event of ours, and in one that is not."""
    call = {"type": "command", "command": OTHER, "timeout": 9}
    entry = {"matcher": "Bash", "hooks": [call]} if host.grouped else call
    events = ",\n".join(f'    "{event}": [{json.dumps(entry)},]' for event in (*host.events, "Elsewhere"))
    return f'{{\n  // mine\n  "model": "big", /* and\n  so on */\n  "hooks": {{\n{events}\n  }},\n}}\n'


CONTENTS = {
    "nothing": "",
    "blank": "\n  \n",
    "bare": "{}",
    "empty hooks": '{"hooks": {}}\n',
    "empty events": '{"hooks": {"Stop": [], "stop": []}}\n',
    "one line": '{"model": "big", "env": {"A": "1"}}',
    "two spaces": '{\n  "model": "big"\n}\n',
    "tabs": '{\n\t"model": "big",\n\t"env": {\n\t\t"A": "1"\n\t}\n}',
    "odd": '{ "model"\n:"big"\n      ,"list":[1,\n2  ]   }   \n\n',
    "comments": '// first\n{\n    // before\n    "model": "big", // behind\n    /* last */\n}\n// end\n',
    "trailing commas": '{\n  "model": "big",\n  "list": [1, 2,],\n}\n',
    "crlf": '{\r\n  "model": "big", // x\r\n  "list": [\r\n    1\r\n  ]\r\n}\r\n',
    "mark": '\ufeff{\n  "model": "big"\n}\n',
    "mark alone": "\ufeff",
    "signs": '{"path": "C:\\\\a\\"b", "text": "ä // no /* no */ { [ \\u2028", "n": [-1.5e3, true, null]}\n',
    "others": "",
}


def content(name: str, host: Host) -> bytes:
    return (with_others(host) if name == "others" else CONTENTS[name]).encode()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", CONTENTS)
def test_in_twice_and_out(machine: Machine, name: str, kind: str) -> None:
    host = BY_NAME[name]
    before = content(kind, host)
    file = machine.holding(name, before)
    assert f"{host.title} is connected." in machine.rem(name, "--yes")
    after = file.read_bytes()
    value = parse(after.decode(), "f").value
    known = parse(before.decode(), "f").value if before.strip(b" \n\xef\xbb\xbf") else {}
    found = commands(file, host)
    for event in host.events:
        others = [OTHER] if kind == "others" else []
        assert found[event][:-1] == others
        assert shlex.split(found[event][-1])[1:] == ["hook", event, "--host", name]
    for event in known.get("hooks", {}).keys() - set(host.events):
        assert value["hooks"][event] == known["hooks"][event]
    if machine.tools(name) == file:
        assert list(value.pop("mcpServers")) == ["remanence"]
    rest = {key: inner for key, inner in value.items() if key not in ("hooks", *(host.opening or {}))}
    assert rest == {key: inner for key, inner in known.items() if key != "hooks"}
    if b"\r\n" in before:
        assert after.count(b"\n") == after.count(b"\r\n")

    shown = tree(machine.home.parent)
    assert "connected already: nothing to change" in machine.rem(name, "--yes")
    assert tree(machine.home.parent) == shown

    assert f"{host.title} is no longer connected." in machine.rem(name, "--remove", "--yes")
    assert file.read_bytes() == before
    assert not machine.config.exists()


@pytest.mark.parametrize("name", NAMES)
def test_without_a_file_one_is_made_and_goes_again(machine: Machine, name: str) -> None:
    host, file = BY_NAME[name], machine.file(name)
    assert "Backup" not in machine.rem(name, "--yes")
    read = json.loads(file.read_bytes())
    servers = ["mcpServers"] if machine.tools(name) == file else []
    assert list(read) == [*(host.opening or {}), "hooks", *servers] and list(read["hooks"]) == list(host.events)
    assert file.stat().st_mode & 0o777 == 0o644 and file.read_bytes().endswith(b"}\n")
    machine.rem(name, "--remove", "--yes")
    assert tree(machine.home) == {}
    assert "not connected: nothing to change" in machine.rem(name, "--remove", "--yes")


def test_each_host_gets_the_form_it_reads(machine: Machine) -> None:
    calls = {}
    for host in HOSTS:
        machine.rem(host.name, "--yes")
        event = host.events[0]
        (entry,) = json.loads(machine.file(host.name).read_bytes())["hooks"][event]
        if host.grouped:
            assert list(entry) == ["hooks"]
            (entry,) = entry["hooks"]
        calls[host.name] = {name: value for name, value in entry.items() if name != "command"}
    assert calls == {
        "claude-code": {"type": "command", "timeout": 5},  # seconds
        "codex": {"type": "command", "timeout": 3, "additionalContextLimit": 10_000},  # seconds, and at most so many
        "cursor": {"timeout": 5},  # seconds
        "gemini": {"type": "command", "name": "remanence", "timeout": 5_000},  # milliseconds
    }
    codex = json.loads(machine.file("codex").read_bytes())["hooks"]
    assert {group["hooks"][0]["timeout"] for groups in codex.values() for group in groups} == {3}
    assert "additionalContextLimit" not in codex["Stop"][0]["hooks"][0]
    assert "PostToolUseFailure" in BY_NAME["claude-code"].events and "PostToolUseFailure" not in codex


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", ["nothing", "comments", "others"])
def test_a_moved_rem_takes_the_place_of_the_old_one(
    machine: Machine, name: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = BY_NAME[name]
    file = machine.holding(name, content(kind, host))
    places = [machine.install("rem"), machine.home / "with space" / "rem"]
    for place in places:
        place.parent.mkdir(exist_ok=True)
        place.write_text("#!/bin/sh\n")
        place.chmod(0o755)
        monkeypatch.setattr("sys.argv", [str(place)])
        machine.rem(name, "--yes")
        found = commands(file, host)
        for event in host.events:
            *others, ours = found[event]
            assert others == ([OTHER] if kind == "others" else []) and shlex.split(ours)[0] == str(place)
    places[-1].unlink()
    (state,) = [one["connected"] for one in machine.told() if one["host"] == name]
    assert state == "moved"
    machine.rem(name, "--remove", "--yes")
    assert file.read_bytes() == content(kind, host)


def test_without_a_rem_python_itself_is_called(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    python = machine.install("python3")
    monkeypatch.setattr("sys.executable", str(python))
    machine.rem("codex", "--yes")
    module = ["-P", "-m", "remanence.interfaces.cli", "hook", "Stop", "--host", "codex"]
    assert shlex.split(commands(machine.file("codex"), BY_NAME["codex"])["Stop"][0]) == [str(python), *module]
    assert "connected already" in machine.rem("codex", "--yes")
    machine.rem("codex", "--remove", "--yes")
    assert not machine.file("codex").exists()


def test_another_store_replaces_the_first(machine: Machine, tmp_path: Path) -> None:
    machine.rem("codex", "--yes", "--db", "mine.db", "--namespace", "team a")
    file = machine.file("codex")
    stop = commands(file, BY_NAME["codex"])["Stop"]
    assert shlex.split(stop[0])[1:] == [
        *("hook", "Stop", "--host", "codex", "--db", str(machine.project / "mine.db"), "--namespace", "team a"),
    ]
    machine.rem("codex", "--yes")
    assert [len(calls) for calls in commands(file, BY_NAME["codex"]).values()] == [1] * 7
    assert b"mine.db" not in file.read_bytes()
    machine.rem("codex", "--remove", "--yes")
    assert not file.exists()


@pytest.mark.parametrize("name", NAMES)
def test_after_an_edit_in_between_only_ours_goes(machine: Machine, name: str) -> None:
    host = BY_NAME[name]
    file = machine.holding(name, content("others", host))
    machine.rem(name, "--yes")
    changed = file.read_text().replace('"big"', '"bigger"').replace("// mine", "// mine, too")
    file.write_text(changed)
    machine.rem(name, "--remove", "--yes")
    text = file.read_text()
    known = with_others(host).replace('"big"', '"bigger"')
    expected = parse(known, "f").value | dict(host.opening or {})
    assert parse(text, "f").value == expected
    assert "// mine, too" in text and "/* and\n  so on */" in text and " hook " not in text


def test_a_hook_that_was_put_among_others_goes_alone(machine: Machine) -> None:
    """What a user moved into a group of theirs, or below another event, is found there."""
    machine.rem("claude-code", "--yes")
    file = machine.file("claude-code")
    mine = {"type": "command", "command": OTHER}
    ours = json.loads(file.read_bytes())["hooks"]["Stop"][0]["hooks"][0]
    value = {
        "hooks": {
            "Stop": [{"matcher": "x", "hooks": [mine, ours, mine]}],
            "Notification": [{"matcher": "alone", "hooks": [ours]}, {"hooks": [mine]}],
            "PreCompact": [{"matcher": "alone", "hooks": [ours]}],
        }
    }
    file.write_text(json.dumps(value))
    machine.rem("claude-code", "--remove", "--yes")
    left = {"Stop": [{"matcher": "x", "hooks": [mine, mine]}], "Notification": [{"hooks": [mine]}]}
    assert json.loads(file.read_bytes()) == {"hooks": left}


def test_a_group_with_a_comment_keeps_its_list(machine: Machine) -> None:
    """A group without hooks is an error to Claude Code, which then reads nothing of the file."""
    file = machine.holding("claude-code", "")
    machine.rem("claude-code", "--yes", "--no-capture")
    ours = json.loads(file.read_bytes())["hooks"]["Stop"][0]["hooks"][0]
    file.write_text(f'{{"hooks": {{"Stop": [{{ // why\n "hooks": [{json.dumps(ours)}] }}]}}}}')
    machine.rem("claude-code", "--remove", "--yes")
    assert parse(file.read_text(), "f").value == {"hooks": {"Stop": [{"hooks": []}]}} and "// why" in file.read_text()


def test_commands_that_only_look_like_ours_stay(machine: Machine) -> None:
    alike = [
        "rem hook Stop --host cursor",
        "rem hook Stop",
        "remx hook Stop --host codex",
        "rem hook Stop --host codex && say",
        "rem hook Stop --host codex --db",
        "rem hook Stop --host codex --colour red",
        "rem 'hook",
        "say rem hook Stop --host codex",
    ]
    calls = [{"type": "command", "command": command} for command in alike]
    before = json.dumps({"hooks": {"Stop": [{"hooks": [*calls, {"type": "prompt"}, 7]}, "odd"], "Other": "odd"}})
    file = machine.holding("codex", before)
    assert "not connected" in machine.rem("codex", "--remove", "--yes")
    machine.rem("codex", "--yes")
    assert json.loads(file.read_bytes())["hooks"]["Stop"][:2] == json.loads(before)["hooks"]["Stop"]
    machine.rem("codex", "--remove", "--yes")
    assert file.read_text() == before


@pytest.mark.parametrize("name", NAMES)
def test_a_project_has_files_of_its_own(machine: Machine, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    below = machine.project / "src" / "deep"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    file = machine.file(name, project=True)
    said = machine.rem(name, "--project", "--yes")
    assert file.is_file() and tree(machine.home) == {}
    assert (
        "this machine: keep " in said
        and " out of what you share" in said
        and f"rem connect {name} --remove --project" in said
    )
    mine = [one for one in machine.told() if one["host"] == name]
    assert [(one["connected"], one["file"]) for one in mine] == [
        *(("no", str(machine.file(name))), ("yes", str(file))),
    ]
    assert "both would be called" in machine.rem(name, "--yes")
    assert f"Still connected: {BY_NAME[name].title} in {file}" in machine.rem(name, "--remove", "--yes")
    assert machine.config.exists()
    machine.rem(name, "--remove", "--project", "--yes")
    assert not file.exists() and not machine.config.exists()


@pytest.mark.parametrize(
    ("name", "variable", "below"),
    [
        ("claude-code", "CLAUDE_CONFIG_DIR", "settings.json"),
        ("codex", "CODEX_HOME", "hooks.json"),
        ("gemini", "GEMINI_CLI_HOME", ".gemini/settings.json"),
    ],
)
def test_hosts_folders_are_moved_by_their_own_variables(
    machine: Machine, name: str, variable: str, below: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for value, folder in (
        (str(machine.home / "moved"), machine.home / "moved"),
        ("~/tilde", machine.home / "tilde"),
        ("relative", machine.project / "relative"),
        ("  ", machine.home / BY_NAME[name].folder / ".." if below.startswith(".") else machine.file(name).parent),
    ):
        monkeypatch.setenv(variable, value)
        machine.rem(name, "--yes")
        assert (folder / below).is_file()
        machine.rem(name, "--remove", "--yes")
        assert not (folder / below).exists()


def test_every_variable_of_a_host_is_read() -> None:
    from remanence import settings

    variables = [host.variable for host in HOSTS if host.variable]
    assert settings.host_folders(dict.fromkeys(variables, "x") | {"OTHER": "x"}) == dict.fromkeys(variables, "x")
    assert settings.host_folders({variables[0]: "", "OTHER": "x"}) == {}
