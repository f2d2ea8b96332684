"""Texts as numbered lines, and directories as listings, the way a file memory shows them.

Lines end at "\\n" alone, so that a number means the same to every command. A last line without an end is a line.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

LEVELS = 2
MOST_ENTRIES = 500
MOST_PLACES = 100
MOST_NUMBERS = 20
AROUND = 3


def split(text: str) -> list[str]:
    """The lines of a text, without their ends."""
    found = text.split("\n")
    return found[:-1] if not found[-1] else found


def number(text: str) -> int:
    return text.count("\n") + (text[-1:] not in ("", "\n"))


def counted(text: str) -> str:
    """How much it is: "3 lines, 120 bytes"."""
    many, size = number(text), len(text.encode())
    return f"{many} {'line' if many == 1 else 'lines'}, {size} {'byte' if size == 1 else 'bytes'}"


def numbered(text: str, first: int = 1, last: int | None = None) -> str:
    """The lines from `first` to `last`, each after its number and a tab."""
    chosen = split(text)[first - 1 : last]
    return "\n".join(f"{at:6}\t{line}" for at, line in enumerate(chosen, first))


def around(text: str, line: int, more: int) -> str:
    """The lines near those that begin behind `line` and are `more` in number."""
    return numbered(text, max(1, line + 1 - AROUND), line + more + AROUND)


def places(text: str, part: str) -> list[int]:
    """Where the part begins, overlaps included: in "aaa", "aa" begins twice. At most `MOST_PLACES` are looked for."""
    found: list[int] = []
    at = text.find(part)
    while at >= 0 and len(found) < MOST_PLACES:
        found.append(at)
        at = text.find(part, at + 1)
    return found


def numbers(text: str, at: Sequence[int]) -> str:
    """The numbers of the lines that hold these places."""
    found, line, done = [], 1, 0
    for place in at:
        line += text.count("\n", done, place)
        done = place
        found.append(line)
    distinct = list(dict.fromkeys(found))
    return ", ".join(map(str, distinct[:MOST_NUMBERS])) + (" …" if len(distinct) > MOST_NUMBERS else "")


def inserted(text: str, line: int, new: str) -> str:
    """The text with `new` as lines of its own behind this many lines."""
    before = split(text)[:line]
    head = "".join(one + "\n" for one in before)
    tail = text[len(head) :]
    return head + (new if not tail or new.endswith("\n") or not new else new + "\n") + tail


def listing(directory: str, files: Iterable[tuple[str, int]]) -> str:
    """A directory's files and directories down to two levels, each with its size in bytes."""
    sizes: dict[str, int] = {}
    total = many = 0
    for path, size in files:
        total, many = total + size, many + 1
        names = path[len(directory) + 1 :].split("/")
        for depth in range(1, min(len(names), LEVELS) + 1):
            is_file = depth == len(names)
            entry = "/".join(names[:depth]) + ("" if is_file else "/")
            sizes[entry] = sizes.get(entry, 0) + size
    shown = sorted(sizes)[:MOST_ENTRIES]
    rows = [f"{amount(sizes[entry]):>8}\t{directory}/{entry}" for entry in shown]
    left_out = [f"and {len(sizes) - len(shown)} more: view a directory below."] if len(sizes) > len(shown) else []
    what = "empty" if not many else f"{many} {'file' if many == 1 else 'files'}, two levels shown"
    return "\n".join(
        [f"{directory} is a directory, {what}:" if many else f"{directory} is a directory, {what}.", *rows, *left_out]
    )


def amount(size: int) -> str:
    """120, 1.5K, 12.0K, 1.0M."""
    if size < 1024:
        return str(size)
    return f"{size / 1024:.1f}K" if size < 1024 * 1024 else f"{size / 1024 / 1024:.1f}M"
