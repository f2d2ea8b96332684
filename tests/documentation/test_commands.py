"""Every `rem` command on a page exists with its options; those that can, run on a store of their own."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest

from tests.documentation.pages import ROOT, name_of, pages, typed_lines
from tests.interfaces.doors import told, typed

WITH_COMMANDS = [page for page in pages() if any("rem " in line for line in typed_lines(page.read_text("utf-8")))]
RUN = [page for page in WITH_COMMANDS if page.parent.name == "concepts" or page.name == "tutorial.md"]
"""Pages whose commands are run from top to bottom; those of others want agents, servers or databases."""
NOT_RUN = ("serve", "page", "connect", "import", "demo", "session run", "work", "read")
ABOUT_FILES = ("crystallize", "--only", "--file", "mine.yml", "--out", "ingest", "--salvage", "backtest", "learn")


def commands(page: Path) -> list[list[str]]:
    """The words of each call of rem, wherever it stands in a line."""
    found = []
    for line in typed_lines(page.read_text("utf-8")):
        words = shlex.split(line.replace("…", ""), comments=True)
        for at, word in enumerate(words):
            if Path(word).name == "rem" and (at == 0 or words[0] in ("docker", "sudo", "export")):
                found.append(words[at + 1 :])
                break
    return found


def understood(words: list[str]) -> None:
    """Parses the words as rem would, and calls nothing."""
    from remanence.interfaces.cli.app import rem

    command: click.Command = rem
    context = rem.make_context("rem", list(words), resilient_parsing=False)
    rest = [*context._protected_args, *context.args]
    while isinstance(command, click.Group) and rest:
        name, command, rest = command.resolve_command(context, rest)
        assert command is not None, words
        context = command.make_context(name, rest, parent=context)
        rest = [*context._protected_args, *context.args]


@pytest.mark.parametrize("page", WITH_COMMANDS, ids=name_of)
def test_commands_and_options_are_there(page: Path) -> None:
    for words in commands(page):
        try:
            understood(words)
        except click.exceptions.Exit:
            pass
        except click.ClickException as error:
            pytest.fail(f"rem {' '.join(words)}: {error.format_message()}")


def test_commands_named_in_passing_are_there() -> None:
    """On pages in running text, and in what the program says to people and writes for agents."""
    from remanence.interfaces.cli.app import rem

    pattern = re.compile(r"(?:`|'|: |[Rr]un |with )rem ([a-z]+)(?= [a-z<{/$-]| [A-Z]{2}|[`'\"])")
    files = [*pages(), *(ROOT / "src").rglob("*.py"), *(ROOT / "src").rglob("*.js"), *(ROOT / "src").rglob("*.md")]
    found = {(name_of(file), name) for file in files for name in pattern.findall(file.read_text("utf-8"))}
    assert len({name for _, name in found}) > 40
    assert [(place, name) for place, name in sorted(found) if name not in rem.commands] == []


@pytest.mark.parametrize("page", RUN, ids=name_of)
def test_commands_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setenv("REMANENCE_DB", str(tmp_path / "own.db"))
    monkeypatch.setenv("REMANENCE_CONFIG", str(tmp_path / "config.yml"))
    if page.name != "tutorial.md":
        told("remember", "Deploys need a green build", "--scope", "/project/old")
        told("remember", "Anna Berg leads the API team")
    for words in commands(page):
        shown = " ".join(words)
        if shown.startswith(NOT_RUN) or any(word in shown for word in ABOUT_FILES) or shown == "undo r42":
            continue
        if "ID" in words:
            words = [told("list")[0]["id"] if word == "ID" else word for word in words]
        code, _, err = typed(words)
        assert code == 0, f"rem {shown}: {err}"


def test_a_wrong_option_is_seen() -> None:
    for words in (["recall", "x", "--lmit", "3"], ["recal", "x"], ["policy", "shwo"]):
        with pytest.raises(click.UsageError):
            understood(words)
    understood(["--namespace", "demo", "policy", "show", "tiered"])
