"""Files that belong to others: backed up once, links followed, nothing half written, nothing overwritten unseen."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from remanence.errors import InvalidInput, RemanenceError
from remanence.interfaces.connect import edits
from remanence.interfaces.connect.edits import Edit
from tests.interfaces.connect.machine import Machine, tree
from tests.interfaces.doors import typed

MINE = '{"model": "big"}\n'


def test_a_backup_is_made_once_for_each_state_of_the_file(machine: Machine) -> None:
    file = machine.holding("claude-code", MINE)
    backup = file.with_name("settings.json.bak-remanence")
    assert f"Backup: {backup}\n" in machine.rem("claude-code", "--yes")
    for _ in range(3):
        machine.rem("claude-code", "--remove", "--yes")
        machine.rem("claude-code", "--yes")
    assert {path.name for path in file.parent.iterdir()} == {file.name, backup.name}
    assert backup.read_text() == MINE

    machine.rem("claude-code", "--remove", "--yes")
    file.write_text('{"model": "small"}\n')
    machine.rem("claude-code", "--yes")
    assert file.with_name(backup.name + ".1").read_text() == '{"model": "small"}\n' and backup.read_text() == MINE
    file.write_text(file.read_text().replace("small", "tiny"))
    assert f"Backup: {backup}.2" in machine.rem("claude-code", "--remove", "--yes")


def test_a_backup_has_the_mode_of_the_file_and_so_has_what_takes_its_place(machine: Machine) -> None:
    file = machine.holding("gemini", MINE)
    file.chmod(0o600)
    machine.rem("gemini", "--yes")
    for path in (file, file.with_name("settings.json.bak-remanence")):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_link_is_followed_and_stays_one(machine: Machine) -> None:
    real = machine.home / "dotfiles" / "claude.json"
    real.parent.mkdir()
    real.write_text(MINE)
    file = machine.file("claude-code")
    file.parent.mkdir()
    file.symlink_to("../dotfiles/claude.json")
    machine.rem("claude-code", "--yes")
    assert file.is_symlink() and not real.is_symlink() and " hook " in real.read_text()
    assert [path.name for path in real.parent.iterdir()] == ["claude.json"]
    machine.rem("claude-code", "--remove", "--yes")
    assert file.is_symlink() and real.read_text() == MINE


def test_a_link_to_nothing_yet_is_followed_too(machine: Machine) -> None:
    file, real = machine.file("codex"), machine.home / "later" / "hooks.json"
    file.parent.mkdir()
    file.symlink_to(real)
    machine.rem("codex", "--yes")
    assert file.is_symlink() and real.is_file()


def test_a_link_to_itself_a_folder_and_what_is_no_text_are_refused(machine: Machine) -> None:
    loop, folder, latin, pipe = (machine.file(name) for name in ("claude-code", "codex", "cursor", "gemini"))
    for file in (loop, folder, latin, pipe):
        file.parent.mkdir()
    loop.symlink_to(loop)
    folder.mkdir()
    latin.write_bytes(b'{"a": "\xe4"}')
    os.mkfifo(pipe)
    assert "leads to itself" in machine.refused("claude-code", "--yes")
    assert "is no file. Nothing was changed" in machine.refused("codex", "--yes")
    assert "is not UTF-8 (byte 7). Nothing was changed" in machine.refused("cursor", "--yes")
    assert "is no file. Nothing was changed" in machine.refused("gemini", "--yes")
    assert not machine.config.exists()


def test_a_file_in_the_place_of_a_folder_is_refused(machine: Machine) -> None:
    (machine.home / ".codex").write_text("odd")
    assert f"{machine.home / '.codex'} is no folder; nothing was changed" in machine.refused("codex", "--yes")
    assert (machine.home / ".codex").read_text() == "odd" and not machine.config.exists()


def test_a_file_that_is_read_only_is_refused(machine: Machine) -> None:
    file = machine.holding("claude-code", MINE)
    file.chmod(0o444)
    said = machine.refused("claude-code", "--yes")
    assert f"{file} is read-only" in said and "nothing was changed" in said
    assert tree(machine.home.parent) == {"home/.claude/settings.json": MINE.encode()}


def test_a_huge_file_is_refused(machine: Machine) -> None:
    machine.holding("codex", b"{}" + b" " * 8_000_000)
    assert "more than 8,000,000 bytes" in machine.refused("codex", "--yes")


def test_broken_json_is_refused_with_its_place(machine: Machine) -> None:
    file = machine.holding("codex", '{\n  "hooks": {,}\n}\n')
    for words in (["--yes"], ["--remove", "--yes"], ["--dry-run"]):
        said = machine.refused("codex", *words)
        assert f"{file} is no JSON" in said and "line 2, column 13" in said and "Nothing was changed" in said
    assert tree(machine.home.parent) == {"home/.codex/hooks.json": b'{\n  "hooks": {,}\n}\n'}
    (state,) = [one["connected"] for one in machine.told() if one["host"] == "codex"]
    assert state == "unreadable"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[]", "must hold an object, not a list"),
        ('{"hooks": []}', "hooks must be an object"),
        ('{"hooks": null}', "hooks must be an object"),
        ('{"hooks": {"Stop": {}}}', "hooks.Stop must be a list"),
    ],
)
def test_json_of_another_form_is_refused(machine: Machine, text: str, said: str) -> None:
    file = machine.holding("claude-code", text)
    assert said in machine.refused("claude-code", "--yes") and file.read_text() == text
    assert not machine.config.exists()


def test_what_changed_since_it_was_shown_is_not_overwritten(tmp_path: Path) -> None:
    changed, other, gone, new = (tmp_path / name for name in ("changed", "other", "gone", "new"))
    for file in (changed, other, gone):
        file.write_text("as shown")
    proposed = [Edit(file, b"as shown", b"ours") for file in (changed, other, gone)] + [Edit(new, None, b"ours")]
    changed.write_text("theirs")
    gone.unlink()
    new.write_text("theirs")
    with pytest.raises(InvalidInput) as caught:
        edits.write(proposed)
    *problems, last = caught.value.problems
    assert [problem.split(" ")[0] for problem in problems] == [str(changed), str(gone), str(new)]
    assert last == "nothing was changed"
    assert "has changed since it was shown; run the command again" in str(caught.value)
    assert tree(tmp_path) == {"changed": b"theirs", "new": b"theirs", "other": b"as shown"}


def test_a_write_that_fails_leaves_the_file_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for file in (first, second):
        file.write_text("mine")
    real = os.fsync
    calls = 0

    def full(handle: int) -> None:
        nonlocal calls
        calls += 1
        if calls > 3:  # a backup and a file each
            raise OSError(28, "No space left on device")
        real(handle)

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(RemanenceError, match=f"{second} cannot be written: No space left.*{first} was written before"):
        edits.write([Edit(first, b"mine", b"ours"), Edit(second, b"mine", b"ours")])
    assert tree(tmp_path) == {
        **{"first": b"ours", "first.bak-remanence": b"mine"},
        **{"second": b"mine", "second.bak-remanence": b"mine"},
    }


def test_a_shown_diff_holds_no_secret(machine: Machine) -> None:
    keys = ("sk-ant-api03-aaaaaaaaaaaaaaaa", "ghp_bbbbbbbbbbbbbbbbbbbb", "AIzaccccccccccccccc")
    secrets = (keys[0], "hunter2", keys[1], "tok3n", "p4ss", keys[2])
    text = f"""{{
  "env": {{
    "ANTHROPIC_API_KEY": "{secrets[0]}", "DB": "postgres://me:{secrets[1]}@host/db",
    "ODD": "{secrets[2]}", "PLAIN": "shown", "GH_TOKEN": "{secrets[3]}", "password" : "{secrets[4]}"
  }}, "say": "curl -H 'Authorization: Bearer {secrets[3]}'; curl -H 'X: Bearer {secrets[3]}' -k {secrets[5]}"
}}"""
    file = machine.holding("claude-code", text)
    for words in (("--dry-run",), ("--json", "--dry-run")):
        code, out, err = typed(["connect", "claude-code", *words])
        assert code == 0 and "shown" in out and '"PLAIN"' in out.replace('\\"', '"')
        assert not [secret for secret in secrets if secret in out + err]
    machine.rem("claude-code", "--yes")
    assert all(secret in file.read_text() for secret in secrets)


def test_a_diff_steers_no_terminal(machine: Machine) -> None:
    file = machine.holding("claude-code", '{"title": "\u202e\x7f"}')
    said = machine.rem("claude-code", "--dry-run")
    assert "\u202e" not in said and "\\u202e" in said and "\\u007f" in said
    assert f"--- {file}\n" in said
