"""The table of our tools in Codex's config.toml: at the end, by itself, and every other byte as it was."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from hypothesis import given, settings

from remanence.errors import InvalidInput
from remanence.interfaces.connect.toml import connected, disconnected, found
from tests.interfaces.connect.tables import tables

CALL = {"command": "/opt/rem", "args": ["mcp"]}
BLOCK = '[mcp_servers.remanence]\ncommand = "/opt/rem"\nargs = ["mcp"]\n'
OTHER = '[mcp_servers.other]\ncommand = "rem"\nargs = ["mcp"]\n'
LOOKS_ALIKE = f"text = '''\n{BLOCK}'''\n\"[mcp_servers.remanence]\" = 1 # {BLOCK.splitlines()[0]}\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", BLOCK),
        ("\n\n", "\n\n" + BLOCK),
        ("\ufeff", "\ufeff" + BLOCK),
        ("# mine\n", "# mine\n\n" + BLOCK),
        ("a = 1", "a = 1\n\n" + BLOCK),
        ("a = 1\n", "a = 1\n\n" + BLOCK),
        ("a = 1\r\n", ("a = 1\n\n" + BLOCK).replace("\n", "\r\n")),
        ("[a]\nb = 1\n\n", "[a]\nb = 1\n\n\n" + BLOCK),
        ("\ufeffa = 1\n[mcp_servers]\n", "\ufeffa = 1\n[mcp_servers]\n\n" + BLOCK),
        (OTHER, f"{OTHER}\n{BLOCK}"),
        ("mcp_servers.other.url = 'x'\n[z]\n", f"mcp_servers.other.url = 'x'\n[z]\n\n{BLOCK}"),
        (LOOKS_ALIKE, f"{LOOKS_ALIKE}\n{BLOCK}"),
        ("[[hooks.Stop]]\nx = nan\n", f"[[hooks.Stop]]\nx = nan\n\n{BLOCK}"),
    ],
)
def test_a_table_at_the_end_and_gone_again(before: str, after: str) -> None:
    assert connected(before, CALL, "f") == after
    assert connected(after, CALL, "f") == after
    assert found(after, "f") == CALL and found(before, "f") is None
    left = disconnected(after, "f")
    assert left == (before if before.endswith("\n") or after.startswith(before + "[") else before + "\n")


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (f"{BLOCK}\n# of other\n{OTHER}", f"\n# of other\n{OTHER}"),
        (f"a = 1\n\n{BLOCK}\n{OTHER}", f"a = 1\n\n{OTHER}"),
        (f"a = 1\n# why\n{BLOCK}# more\n", "a = 1\n# why\n# more\n"),
        # What Codex adds for a tool that is always allowed would be a server without a command.
        (f'{BLOCK}\n[z]\n[mcp_servers.remanence.tools.recall]\napproval_mode = "approve"\n[y]\n', "\n[z]\n[y]\n"),
        (f"{BLOCK}startup_timeout_sec = 20 # slow\nenv.A = '''\n[b]\n'''\n[b]\nx = [\n 1, # one\n]\n", None),
        ('[mcp_servers]\nremanence.command = "rem"\nremanence.args = ["mcp"]\nb = {}\n', "[mcp_servers]\nb = {}\n"),
        ('[ "mcp_servers" . \'remanence\' ] # x\ncommand = "rem"\nargs = [\n  "mcp", # y\n]\n[b]\n', "[b]\n"),
        ('mcp_servers.remanence = { command = "rem", args = ["mcp"] }\na = 1', "a = 1"),
    ],
)
def test_our_table_goes_with_all_that_is_in_it(text: str, left: str | None) -> None:
    assert disconnected(text, "f") == (left or "[b]\nx = [\n 1, # one\n]\n")


@pytest.mark.parametrize(
    ("text", "mended"),
    [
        (BLOCK.replace("/opt", "/old"), BLOCK),
        (BLOCK.replace('["mcp"]', '["mcp", "--db", "x"] # mine') + "\n[b]\n", BLOCK[:-1] + " # mine\n\n[b]\n"),
        (
            "[mcp_servers.remanence]\r\nargs=[ # mine\r\n '-P','-m','remanence.interfaces.cli',\r\n 'mcp' ]\t# y\r\n"
            "enabled = false\r\ncommand='''python'''",
            '[mcp_servers.remanence]\r\nargs=["mcp"]\t# y\r\nenabled = false\r\ncommand="/opt/rem"',
        ),
    ],
)
def test_an_old_command_is_mended_in_its_place(text: str, mended: str) -> None:
    assert connected(text, CALL, "f") == mended


@pytest.mark.parametrize(
    "text",
    [
        "mcp_servers = {}\n",
        "mcp_servers = { other = { command = 'x' } }\n",
        "mcp_servers = 7\n",
        "[[mcp_servers]]\nname = 'x'\n",
        "mcp_servers = { remanence = { command = 'rem', args = ['mcp'] } }\n",
        "[mcp_servers]\nremanence = { command = '/old/rem', args = ['mcp'] }\n",
    ],
)
def test_what_cannot_be_edited_is_left_to_the_user(text: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        connected(text, CALL, "f")
    said = str(caught.value)
    line = said.partition("put ")[2].partition(" into it by hand")[0]
    assert tomllib.loads(line) == {"remanence": CALL} and said.endswith("Nothing was changed")


def test_what_cannot_be_taken_out_is_left_to_the_user() -> None:
    with pytest.raises(InvalidInput, match=r"f names mcp_servers\.remanence .* by hand\. Nothing was changed"):
        disconnected("mcp_servers = { remanence = { command = 'rem', args = ['mcp'] } }\n", "f")


@pytest.mark.parametrize("text", ["[a\n", "a = 1\na = 2\n", "a = \x00\n", "x = " + "[" * 5000])
def test_what_is_no_toml_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match=r"f is no TOML: .*\. Nothing was changed"):
        connected(text, CALL, "f")


def test_every_sign_of_a_path_is_read_back() -> None:
    path = '/it\'s "a" \\ \t\x7f \u2028 \x01 ä 😀/rem'
    wanted = {"command": path, "args": ["mcp", "--namespace", "]\n[x]\n#"]}
    assert found(connected("", wanted, "f"), "f") == wanted
    assert disconnected(connected("a = 1\n", wanted, "f"), "f") == "a = 1\n"


@settings(max_examples=150, deadline=None)
@given(tables(), tables())
def test_in_and_out(document: tuple[str, dict[str, Any]], more: tuple[str, dict[str, Any]]) -> None:
    text, value = document
    after = connected(text, CALL, "f")
    assert after.startswith(text) and connected(after, CALL, "f") == after
    assert repr(_rest(after)) == repr(value if value.get("mcp_servers") else {**value, "mcp_servers": {}})
    left = disconnected(after, "f")
    assert left.startswith(text) and not left.removeprefix(text).strip()

    wanted = {"command": "/new/rem", "args": ["mcp", "--db", "x"]}
    moved = connected(after, wanted, "f")
    assert found(moved, "f") == wanted and disconnected(moved, "f") == left

    newline = "\r\n" if "\r\n" in text else "\n"
    added = newline.join(["startup_timeout_sec = 9", "[mcp_servers.remanence.env]", "A = '''", "[b]", "'''", ""])
    tail = f"[zzz] # theirs{newline}"
    for behind in (tail, tail + more[0].removeprefix("\ufeff")):
        if _readable(after + added + behind):
            start = text if text.endswith("\n") or after.startswith(text + "[") else text + newline
            assert disconnected(after + added + behind, "f") == start + behind


def _rest(text: str) -> dict[str, Any]:
    read = tomllib.loads(text.removeprefix("\ufeff"))
    assert read["mcp_servers"].pop("remanence") == CALL
    return read


def _readable(text: str) -> bool:
    try:
        tomllib.loads(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError:
        return False
    return True
