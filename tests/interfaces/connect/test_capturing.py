"""memories.enabled in config.yml: on with the first connection, off with the last, and every other word as it was."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from remanence import settings
from remanence.errors import InvalidInput
from remanence.interfaces.connect.capturing import enabled, switched_off, switched_on
from tests.interfaces.connect.machine import Machine

MARK = "# set by rem connect"
EDITED = {
    "nothing": ("", f"memories:\n  enabled: true  {MARK}\n"),
    "a comment": ("# mine\n", f"# mine\nmemories:\n  enabled: true  {MARK}\n"),
    "a mark": ("\ufeff", f"\ufeffmemories:\n  enabled: true  {MARK}\n"),
    "others": (
        "db: ~/m.db # here\nllm:\n    name: none\n",
        f"db: ~/m.db # here\nllm:\n    name: none\nmemories:\n  enabled: true  {MARK}\n",
    ),
    "no line end": ("db: x", f"db: x\nmemories:\n  enabled: true  {MARK}\n"),
    "crlf": ("db: x\r\n", f"db: x\r\nmemories:\r\n  enabled: true  {MARK}\r\n"),
    "a block": (
        "memories:\n    # how long\n    maxTries: 3\ndb: x\n",
        f"memories:\n    # how long\n    enabled: true  {MARK}\n    maxTries: 3\ndb: x\n",
    ),
    "an empty block": (
        "memories: # later\ndb: x\n",
        f"memories: # later\n  enabled: true  {MARK}\ndb: x\n",
    ),
    "an empty block at the end": ("db: x\nmemories:", f"db: x\nmemories:\n  enabled: true  {MARK}\n"),
    "off": (
        "memories:\n  enabled: false\n  maxTries: 3\n",
        f"memories:\n  enabled: true  {MARK}, was false\n  maxTries: 3\n",
    ),
    "off, with a reason": (
        "memories:\n  enabled: no # not yet\n",
        f"memories:\n  enabled: true # not yet  {MARK}, was no\n",
    ),
    "off, dotted": ("memories.enabled: false\n", f"memories.enabled: true  {MARK}, was false\n"),
    "null": ("memories:\n  enabled:\n", "memories:\n  enabled: true\n"),
    "flow": ("memories: {maxTries: 3}\n", "memories: {enabled: true, maxTries: 3}\n"),
    "flow, off": ("memories: {enabled: false} # x\n", "memories: {enabled: true} # x\n"),
    "all flow": ("{db: x}\n", "{memories: {enabled: true}, db: x}\n"),
    "all flow, nothing": ("{}\n", "{memories: {enabled: true}}\n"),
}


@pytest.mark.parametrize("kind", EDITED)
def test_on_and_off_again(machine: Machine, kind: str) -> None:
    before, after = EDITED[kind]
    machine.config.write_bytes(before.encode())
    machine.rem("codex", "--yes")
    assert machine.config.read_bytes() == after.encode()
    assert settings.load().memories__enabled is True
    machine.rem("codex", "--remove", "--yes")
    assert machine.config.read_bytes() == before.encode()
    assert settings.load().memories__enabled is False


def test_on_already_stays_as_it_is(machine: Machine) -> None:
    for text in ("memories: {enabled: true}\n", "memories:\n  enabled: yes\n", "memories.enabled: on\n"):
        machine.config.write_text(text)
        machine.rem("codex", "--yes")
        assert machine.config.read_text() == text
        assert "memories.enabled stays true" in machine.rem("codex", "--remove", "--yes")
        assert machine.config.read_text() == text


@pytest.mark.parametrize("kind", [kind for kind, (_, after) in EDITED.items() if MARK in after])
def test_off_again_after_an_edit_in_between(machine: Machine, kind: str) -> None:
    before, _ = EDITED[kind]
    machine.config.write_bytes(before.encode())
    machine.rem("codex", "--yes")
    more = "guard:\n  personal: [email]\n"
    machine.config.write_bytes(machine.config.read_bytes() + more.encode())
    machine.rem("codex", "--remove", "--yes")
    text = machine.config.read_bytes().decode()
    assert settings.load().memories__enabled is False and text.endswith(more)
    known: dict[str, Any] = yaml.safe_load(before) or {}
    left = yaml.safe_load(text)
    assert left.pop("guard") == {"personal": ["email"]}
    assert {key: value for key, value in left.items() if value} == {key: value for key, value in known.items() if value}
    assert [line for line in before.split("\n") if "#" in line] == [
        *(line.rstrip("\r") for line in text.split("\n") if "#" in line),
    ]


def test_it_stays_on_while_another_agent_is_connected(machine: Machine) -> None:
    machine.rem("codex", "--yes")
    machine.rem("cursor", "--yes")
    assert "Still connected: Cursor in" in machine.rem("codex", "--remove", "--yes")
    assert settings.load().memories__enabled is True
    assert "nothing is captured" in machine.rem("cursor", "--remove", "--yes")
    assert not machine.config.exists()


def test_no_capture_leaves_the_setting(machine: Machine) -> None:
    assert "nothing is captured until it is" in machine.rem("codex", "--no-capture", "--yes")
    assert not machine.config.exists()
    machine.rem("codex", "--yes")
    assert "nothing is captured until it is" not in machine.rem("codex", "--no-capture", "--yes")
    machine.rem("codex", "--remove", "--no-capture", "--yes")
    assert settings.load().memories__enabled is True


@pytest.mark.parametrize(
    "text",
    [
        "memories: 7\n",
        "memories: []\n",
        "memories: null\n",
        "base: &base {maxTries: 3}\nmemories: *base\n",
        "base: &off false\nmemories:\n  enabled: *off\n",
        "memories: ''\n",
    ],
)
def test_what_cannot_be_edited_is_left_to_the_user(machine: Machine, text: str) -> None:
    machine.config.write_text(text)
    said = machine.refused("codex", "--yes")
    assert "by hand, or connect with --no-capture. Nothing was changed" in said
    assert machine.config.read_text() == text and not machine.file("codex").exists()
    machine.rem("codex", "--no-capture", "--yes")
    assert machine.config.read_text() == text and machine.file("codex").exists()


@pytest.mark.parametrize("text", ["a: [\n", "- a\n", "a: 1\n---\nb: 2\n", "\tx: 1\n"])
def test_what_is_no_configuration_is_refused(machine: Machine, text: str) -> None:
    machine.config.write_text(text)
    assert "Nothing was changed" in machine.refused("codex", "--yes")
    assert machine.config.read_text() == text and not machine.file("codex").exists()


def test_a_mark_in_the_wrong_place_switches_nothing() -> None:
    for text in (f"db: 'true'  {MARK}\nmemories:\n  enabled: true\n", f"memories: {{enabled: true}} # true {MARK} x\n"):
        assert switched_off(text, "f") is None
    assert switched_off(f"memories:\n  enabled: false\n# true {MARK}\n", "f") is None
    with pytest.raises(InvalidInput, match="f is no YAML"):
        enabled("a: [", "f")
    assert switched_on("memories.enabled: true\n", "f") == "memories.enabled: true\n"
