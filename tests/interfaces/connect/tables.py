"""TOML made by chance: tables and keys of every make, comments, space, and strings that look like our table."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

ALIKE = '[mcp_servers.remanence]\ncommand = "rem"\nargs = ["mcp"]\n# no comment\n'
WORDS = st.text(st.characters(exclude_categories=("Cs",)), max_size=6) | st.sampled_from(
    ["mcp_servers", "mcp_servers.remanence", "remanence", "[x]", "#", '"', "'", "\\", "=", "a.b", "]\n[b]\n"]
)
VALUES = st.sampled_from(
    [
        *("1", "-0.5e3", "nan", "+inf", "true", "1979-05-27T07:32:00Z", "07:32:00", "0xff", "[]", "{}"),
        *("[ 1, # comment in\n  2,\n  ]", "[\n]", '[ "]", \'#\', { a = [ "}" ] } ]', '{ a.b = "x", "c d" = {} }'),
        *("'it is # no comment'", "''", '""', '""""""', "''''''", '"\\"]\\\\"', '"""a "quoted" \\\n  "one\\""""""'),
        *(f"'''\n{ALIKE}'''", f'"""{ALIKE.replace("#", " #")}"""', "'''x'''''"),
    ]
) | WORDS.map(lambda text: json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f"))
GAPS = st.sampled_from(["", "", "", "\n", " \t\n", "# comment\n", "  # [mcp_servers.remanence]\n", "\n\n# a = 1\n"])
BEHIND = st.sampled_from(["", "", " ", "# comment", " # '''", '\t# """'])
BESIDE = st.sampled_from(["", " ", "\t"])


@st.composite
def tables(draw: Callable[..., Any]) -> tuple[str, dict[str, Any]]:
    """A config.toml and what it says, without a server of our name."""

    def written(key: str) -> str:
        quoted = json.dumps(key, ensure_ascii=False).replace("\x7f", "\\u007f")
        plain = key.isascii() and key.replace("_", "").isalnum()
        return draw(BESIDE) + (key if plain and draw(st.booleans()) else quoted) + draw(BESIDE)

    def members(keys: list[str]) -> str:
        lines = [f"{draw(GAPS)}{written(key)}={draw(BESIDE)}{draw(VALUES)}{draw(BEHIND)}\n" for key in keys]
        return "".join(lines)

    names = st.lists(WORDS, max_size=3, unique=True)
    text = members([name for name in draw(names) if name != "mcp_servers"])
    heads: list[tuple[str, ...]] = [(name, "x") for name in draw(names) if name != "mcp_servers"]
    heads += [("mcp_servers", name) for name in draw(names) if name != "remanence"]
    for head in draw(st.permutations(heads)):
        opening, closing = draw(st.sampled_from(["[]", "[]", ("[[", "]]")])) if head[0] != "mcp_servers" else "[]"
        text += f"{draw(GAPS)}{draw(BESIDE)}{opening}{'.'.join(map(written, head))}{closing}{draw(BEHIND)}\n"
        text += members(draw(names))
    text += draw(GAPS)
    if draw(st.booleans()):
        text = text.removesuffix("\n")
    if draw(st.booleans()):
        text = text.replace("\n", "\r\n")
    text = draw(st.sampled_from(["", "", "\ufeff"])) + text
    try:
        return text, tomllib.loads(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError:  # a table and a key of the same name
        return draw(st.sampled_from([("", {}), ("a = 1", {"a": 1})]))
