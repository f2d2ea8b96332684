"""Every command a person can type is on the reference page of the command line."""

from __future__ import annotations

import re
from collections.abc import Iterator

import click

from tests.architecture.sources import ROOT

PAGE = ROOT / "docs" / "reference" / "cli.md"


def commands(command: click.Command, name: str, parent: click.Context | None = None) -> Iterator[str]:
    """Full names of all commands below this one, through the group's own listing since a group may load them late."""
    context = click.Context(command, info_name=name, parent=parent)
    if isinstance(command, click.Group):
        for below in command.list_commands(context):
            found = command.get_command(context, below)
            assert found is not None, f"{name} lists {below} but does not have it"
            yield f"{name} {below}"
            yield from commands(found, f"{name} {below}", context)


def undocumented(names: Iterator[str], page: str) -> list[str]:
    return [name for name in names if not re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", page)]


def test_every_command_is_documented() -> None:
    from remanence.interfaces.cli.app import rem

    names = list(commands(rem, "rem"))
    assert names, "the group rem has no command"
    missing = undocumented(iter(names), PAGE.read_text("utf-8"))
    assert not missing, f"describe in {PAGE.relative_to(ROOT)}: {', '.join(missing)}"


def test_an_undocumented_command_is_seen() -> None:
    @click.group()
    def rem() -> None: ...

    @rem.group()
    def policy() -> None: ...

    for group, name in ((rem, "pin"), (rem, "re-embed"), (policy, "show"), (policy, "list")):
        group.command(name)(lambda: None)
    page = "`rem pin ID`, `rem policy show`, `rem re-embedded`, `tandem rem-policy`"
    assert undocumented(commands(rem, "rem"), page) == ["rem policy list", "rem re-embed"]
