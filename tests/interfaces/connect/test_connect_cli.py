"""rem connect at the command line: what is installed, what is shown, what is asked, and what it says to bad input."""

from __future__ import annotations

import json
import os
import pty
import select
import subprocess
import sys
from pathlib import Path

import pytest

from tests.interfaces.connect.machine import BY_NAME, NAMES, Machine, commands, connected_by_a_script, tree
from tests.interfaces.doors import typed


def states(machine: Machine) -> dict[str, tuple[bool, str]]:
    return {one["host"]: (one["installed"], one["connected"]) for one in machine.told()}


def test_alone_it_finds_what_is_installed(machine: Machine) -> None:
    assert states(machine) == dict.fromkeys(NAMES, (False, "no"))
    assert "No agent was found. Connect one all the same: rem connect claude-code" in machine.rem()
    machine.install("codex")
    machine.install("cursor-agent")
    (machine.home / ".gemini").mkdir()
    (machine.programs / "claude").write_text("no program: it cannot be run")
    found = {"claude-code": (False, "no"), "codex": (True, "no"), "cursor": (True, "no"), "gemini": (True, "no")}
    assert states(machine) == found
    machine.rem("codex", "--yes")
    machine.rem("gemini", "--yes")
    file = machine.file("gemini")
    file.write_text(file.read_text().replace(" hook AfterTool ", " hok AfterTool "))
    assert states(machine) == found | {"codex": (True, "yes"), "gemini": (True, "partly")}
    head, *rows = machine.rem().splitlines()
    assert head.split() == ["agent", "installed", "connected", "tools", "file"]
    assert [row.split()[:4] for row in rows[:4]] == [
        *(["claude-code", "no", "no", "no"], ["codex", "yes", "yes", "yes"]),
        *(["cursor", "yes", "no", "no"], ["gemini", "yes", "partly", "yes"]),
    ]
    assert rows[4:] == ["Connect with: rem connect cursor", "Connect with: rem connect gemini"]
    assert machine.rem("gemini", "--yes") and states(machine)["gemini"] == (True, "yes")
    assert machine.told()[1] == {
        **{"host": "codex", "title": "Codex", "installed": True, "connected": "yes", "tools": "yes"},
        **{"file": str(machine.file("codex")), "tools_file": str(machine.tools("codex"))},
        "command": "rem connect codex",
    }


@pytest.mark.parametrize("name", NAMES)
def test_an_agent_that_is_not_there_leaves_no_sign_of_itself(machine: Machine, name: str) -> None:
    before = tree(machine.home.parent)
    machine.rem(name, "--yes")
    machine.rem(name, "--remove", "--yes")
    assert tree(machine.home.parent) == before
    assert states(machine) == dict.fromkeys(NAMES, (False, "no"))
    machine.rem(name, "--yes")
    (kept := machine.file(name).parent / "theirs.txt").write_text("kept")
    machine.rem(name, "--remove", "--yes")
    assert kept.read_text() == "kept"


def test_looking_changes_nothing(machine: Machine) -> None:
    for name in NAMES:
        machine.holding(name, "{}")
    before = tree(machine.home.parent)
    machine.rem()
    for name in NAMES:
        said = machine.rem(name, "--dry-run", "--yes")
        assert "Nothing was changed: this was a dry run." in said and f"+++ {machine.file(name)}" in said
        assert "Nothing was changed. Add --yes to do it." in machine.rem(name)  # there is no terminal to ask
        told = machine.told(name)
        assert (told["host"], told["applied"], told["backups"]) == (name, False, [])
        files = dict.fromkeys((str(machine.file(name)), str(machine.tools(name)), str(machine.config)))
        assert [edit["path"] for edit in told["edits"]] == list(files)
        assert "rem hook " in told["edits"][0]["diff"] and "enabled: true" in told["edits"][-1]["diff"]
        assert '"mcp"' in told["edits"][-2]["diff"]
    assert tree(machine.home.parent) == before


def test_in_json_it_says_what_was_done(machine: Machine) -> None:
    file = machine.holding("codex", "{}")
    told = machine.told("codex", "--yes")
    assert told["applied"] is True and told["backups"] == [f"{file}.bak-remanence"] and told["notes"] == []
    assert machine.told("codex", "--yes") == {
        **{"host": "codex", "applied": False, "edits": [], "backups": [], "notes": []},
    }
    told = machine.told("codex", "--remove", "--yes")
    assert told["applied"] is True and len(told["edits"]) == 3 and told["notes"][0].startswith("No agent is connected")


def test_bad_input_is_refused_in_words(machine: Machine) -> None:
    for words, message in (
        (["emacs"], "no agent is called 'emacs'; known are claude-code, codex, cursor, gemini"),
        (["--remove"], "name the agent: one of claude-code, codex, cursor, gemini"),
        (["--db", "x"], "name the agent"),
        (["--no-tools"], "name the agent"),
        (["codex", "--no-hooks", "--no-tools"], "nothing is left to do"),
        (["codex", "--yes", "--db", ":memory:"], "db must be a file that hooks can share, not ':memory:'"),
        (["codex", "--yes", "--db", "file:x?mode=memory"], "db must be a file"),
        (["codex", "--yes", "--db", "", "--namespace", "a\x00b"], "namespace"),
        (["codex", "cursor"], "unexpected extra argument"),
        (["codex", "--colour"], "--colour"),
    ):
        assert message in machine.refused(*words)
    code, out, err = typed(["--json", "connect", "emacs"])
    assert (code, out, json.loads(err)["error"]) == (2, "", "invalid_input")
    assert tree(machine.home.parent) == {}


def test_settings_that_switch_hooks_off_are_told(machine: Machine) -> None:
    for name, text, setting in (
        ("claude-code", '{"disableAllHooks": true}', "disableAllHooks"),
        ("gemini", '{"hooksConfig": {"enabled": false}}', "hooksConfig.enabled"),
        ("gemini", '{"tools": {"enableHooks": false}}', "tools.enableHooks"),
    ):
        machine.holding(name, text)
        assert f"switches all hooks off ({setting})" in machine.rem(name, "--dry-run")
        machine.holding(name, text.replace("true", "0").replace("false", "0"))
        assert "switches" not in machine.rem(name, "--dry-run")


def test_what_codex_itself_would_not_read_is_told(machine: Machine) -> None:
    for text, why in (
        ('{"version": 1}', "it knows no 'version' there"),
        ("{} // mine", "it takes plain JSON alone"),
        ('{"hooks": {},}', "it takes plain JSON alone"),
        ("\ufeff{}", "it takes plain JSON alone"),
        ('{"description": "mine", "hooks": {}}', None),
    ):
        machine.holding("codex", text)
        said = machine.rem("codex", "--dry-run")
        assert ("reads nothing of" in said) == (why is not None) and (why or "") in said
    machine.holding("claude-code", '{"version": 1} // mine')
    assert "reads nothing" not in machine.rem("claude-code", "--dry-run")


def test_what_codex_says_in_its_own_settings_is_told(machine: Machine) -> None:
    toml = machine.holding("codex", "{}").with_name("config.toml")
    for text, said in (
        ("[features]\nhooks = false\n", "switches hooks off (features.hooks)"),
        ("[features]\ncodex_hooks = false\n", "switches hooks off (features.codex_hooks)"),
        ("[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = 'command'\n", "has hooks too"),
        ("[features\n", "cannot be read"),
    ):
        toml.write_text(text)
        assert said in machine.rem("codex", "--dry-run")
        assert toml.read_text() == text
    toml.write_text("[features]\nhooks = true\n[hooks.state.x]\ntrusted_hash = 'y'\n")
    assert machine.told("codex", "--dry-run")["notes"] == []


def asked(machine: Machine, answer: bytes, *words: str) -> tuple[int, str]:
    """What a real rem at a real terminal says, and how it ends."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "COLUMNS": "200", "TERM": "dumb"}
    command = [str(Path(sys.executable).with_name("rem")), "connect", *words]
    streams = dict.fromkeys(("stdin", "stdout", "stderr"), theirs)
    with subprocess.Popen(command, cwd=machine.project, env=environment, start_new_session=True, **streams) as process:
        os.close(theirs)
        said, answered = b"", False
        while select.select([ours], [], [], 30)[0]:
            try:
                part = os.read(ours, 65536)
            except OSError:  # the other side is closed
                break
            if not part:
                break
            said += part
            if b"[y/N]" in said and not answered:
                os.write(ours, answer)
                answered = True
        code = process.wait(30)
    os.close(ours)
    return code, said.decode().replace("\r\n", "\n")


def test_at_a_terminal_it_asks(machine: Machine) -> None:
    file = machine.holding("codex", "{}")
    before = tree(machine.home.parent)
    code, said = asked(machine, b"n\n", "codex")
    assert code == 0 and "Change these 3 files? [y/N]" in said and said.rstrip().endswith("Nothing was changed.")
    assert said.index("rem hook SessionStart") < said.index("[y/N]")
    assert tree(machine.home.parent) == before
    code, said = asked(machine, b"y\n", "codex")
    assert code == 0 and "Codex is connected." in said and "/hooks" in said
    assert list(commands(file, BY_NAME["codex"])) == list(BY_NAME["codex"].events)
    code, said = asked(machine, b"", "codex")
    assert code == 0 and "[y/N]" not in said and "nothing to change" in said


@pytest.mark.parametrize("name", NAMES)
def test_a_path_with_spaces_and_quotes_reaches_the_shell_whole(machine: Machine, name: str, tmp_path: Path) -> None:
    """The command is run as a host runs it, by a shell; in the place of rem is a script that says how it was called."""
    db = connected_by_a_script(name, tmp_path)
    host = BY_NAME[name]
    for event, (command,) in commands(machine.file(name), host).items():
        ran = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True, check=True)
        assert ran.stdout.splitlines() == ["hook", event, "--host", name, "--db", db]
    assert states(machine)[name][1] == "yes"
