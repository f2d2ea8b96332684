"""What PostgreSQL words differently: the shared statements, as it understands them.

A statement is looked at once and kept. Values are numbered, the namespace's first; what is meant by the comments in a
statement is said in `sql/connection.py`.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

HERE = "?0"
_REWORDED = (
    (r"/\*(\w+\.)?here\*/", rf"\1space = {HERE} AND"),
    (r"/\*space,\*/", "space,"),
    (r"/\*\?,\*/", f"{HERE},"),
    (r" INDEXED BY \w+", ""),
    # Only SQLite takes the order of joins from the statement.
    (r"CROSS JOIN (\w+ \w+) ON", r"JOIN \1 ON"),
    (r"\+space\s*=", "space ="),
    (r"NOT IN \(SELECT value FROM json_each\((\?\d*)\)\)", r"<> ALL(translate(\1::text, '[]', '{}')::bigint[])"),
    (r"IN \(SELECT value FROM json_each\((\?\d*)\)\)", r"= ANY(translate(\1::text, '[]', '{}')::bigint[])"),
    (
        r"SELECT unhex\(value\) FROM json_each\((\?\d*)\)",
        r"SELECT decode(a.value, 'hex') FROM jsonb_array_elements_text(\1::jsonb) a(value)",
    ),
    (r"json_each\((\?\d*)\) a\b", r"jsonb_array_elements_text(\1::jsonb) a(value)"),
    (r"IN \(\)", "IN (NULL)"),
    (r"LIMIT (\?\d*)", r"LIMIT nullif(\1::bigint, -1)"),
    (r"(\w+\.)?due_at >> 37", r"\1due_span"),
    (r"(\w+\.)?fades_at >> 37", r"\1fade_span"),
    # Only SQLite holds what is no number in a column of numbers.
    (r"typeof\(\w+\) <> 'integer'", "false"),
    (r"CAST\((\w+(?:\.\w+)?) AS BLOB\)", r"convert_to(\1, 'UTF8')"),
)
_PARAMETER = re.compile(r"\?(\d*)")
_CHANGES = re.compile(r"\b(INSERT INTO|UPDATE|DELETE FROM)\b")
_EXTREME = re.compile(r"\b(max|min)\(")


class Statement(NamedTuple):
    """As the server reads it; whether its first value is the namespace's number, it changes nothing, it gives rows."""

    text: str
    takes_space: bool
    only_reads: bool
    gives_rows: bool


@cache
def reworded(sql: str) -> Statement:
    for pattern, words in _REWORDED:
        sql = re.sub(pattern, words, sql)
    sql = _scalars(sql)
    takes_space = HERE in sql
    last = 0

    def numbered(found: re.Match[str]) -> str:
        nonlocal last
        number = int(found[1]) if found[1] else last + 1
        last = max(last, number)
        return f"${number + takes_space}"

    only_reads = sql.startswith("SELECT") or (sql.startswith("WITH") and not _CHANGES.search(sql))
    gives_rows = only_reads or "RETURNING" in sql
    return Statement(_PARAMETER.sub(numbered, sql), takes_space, only_reads, gives_rows)


def _scalars(sql: str) -> str:
    """`max` and `min` of several values, which are functions of another name."""
    at = 0
    while found := _EXTREME.search(sql, at):
        at = found.end()
        if _has_comma(sql, at):
            name = "greatest" if found[1] == "max" else "least"
            sql = sql[: found.start()] + name + sql[at - 1 :]
            at = found.start() + len(name)
    return sql


def _has_comma(sql: str, at: int) -> bool:
    """Whether the parenthesis that was opened before this place has a comma of its own."""
    depth = 1
    for character in sql[at:]:
        depth += (character == "(") - (character == ")")
        if depth == 0 or (depth == 1 and character == ","):
            return depth == 1
    return False
