"""The commands that a page shows, read by the program itself: each would run if somebody typed it.

A command stands in the attribute data-command, as a shell takes it. It is parsed down to its last word by the real
commands, options and types; nothing is run. Several may be joined by "&&"; the name of a file after a last ">" is the
shell's.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence

import click
from playwright.sync_api import Page

_SHOWN = "() => [...document.querySelectorAll('[data-command]')].map((one) => one.getAttribute('data-command'))"


def shown(page: Page) -> list[str]:
    """The commands on the page, in its order."""
    return [str(one) for one in page.evaluate(_SHOWN)]


def check_commands(page: Page) -> list[str]:
    """Every command on the page is one, and there is at least one; answers them."""
    found = shown(page)
    assert found, "The page shows no command"
    wrong = {one: why for one in found if (why := problem(one)) is not None}
    assert not wrong, "\n".join(f"{one}\n    {why}" for one, why in wrong.items())
    return found


def problem(command: str) -> str | None:
    """What the program would say against a command before it does anything; None where it would begin."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        return f"no shell takes this: {error}"
    while "&&" in words:
        at = words.index("&&")
        if (why := _said_of(words[:at])) is not None:
            return why
        words = words[at + 1 :]
    return _said_of(words)


def _said_of(words: list[str]) -> str | None:
    from remanence.interfaces.cli.app import rem

    if words[-2:-1] == [">"]:
        words = words[:-2]
    if words[:1] != ["rem"]:
        return f"it begins with {words[:1]}, not with rem"
    try:
        _parsed(rem, "rem", words[1:], None)
    except click.ClickException as error:
        return error.format_message()
    except click.exceptions.Exit:
        return None  # --help and --version answer and are done
    return None


def _parsed(command: click.Command, name: str, words: Sequence[str], parent: click.Context | None) -> None:
    context = command.make_context(name, list(words), parent=parent)
    if not isinstance(command, click.Group):
        return
    rest = [*context._protected_args, *context.args]
    if not rest:
        if not command.invoke_without_command:
            raise click.UsageError(f"{context.command_path} lacks the name of a command", context)
        return
    below, found, left = command.resolve_command(context, rest)
    assert found is not None and below is not None
    _parsed(found, below, left, context)
