"""Tables: Markdown, tab-separated, comma-separated and aligned by blanks. One statement a row, each value
with its name."""

from __future__ import annotations

import re

from remanence.extraction.patterns import pattern

_RULE = pattern(
    r"\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*$|\s*[+|][-=+|\s:]+[+|]\s*$|\s*-{3,}(?:\s+-{3,})+\s*$"
)
_WIDE = pattern(r"\s{2,}")
_EMPTY = frozenset({"", "-", "–", "—"})
_MOST_ROWS = 100_000


def table_at(lines: list[str], place: int) -> tuple[int, list[str]] | None:
    """Where the table that begins at this line ends, and its rows as statements."""
    line = lines[place]
    if "|" in line:
        return _piped(lines, place)
    if "\t" in line.strip():
        return _separated(lines, place, "\t", 2)
    if line.count(",") >= 2 and ", " not in line:
        return _separated(lines, place, ",", 3)
    if _WIDE.search(line.strip()):
        return _aligned(lines, place)
    return None


def _piped(lines: list[str], place: int) -> tuple[int, list[str]] | None:
    end = place
    while end < len(lines) and "|" in lines[end] and lines[end].strip() and end - place < _MOST_ROWS:
        end += 1
    ruled = end - place >= 2 and _RULE.match(lines[place + 1]) is not None
    framed = _RULE.match(lines[place]) is not None
    if not ruled and not framed and not (end - place >= 2 and lines[place].count("|") >= 2):
        return None
    rows = [_cells(line) for line in lines[place:end] if not _RULE.match(line)]
    if not ruled and not framed and len({len(row) for row in rows}) > 1:
        return None
    return end, _statements(rows)


def _separated(lines: list[str], place: int, sign: str, least: int) -> tuple[int, list[str]] | None:
    count = lines[place].strip("\n").count(sign)
    end = place
    while end < len(lines) and lines[end].strip() and lines[end].count(sign) == count and end - place < _MOST_ROWS:
        end += 1
    if end - place < least or count == 0:
        return None
    return end, _statements([[cell.strip().strip('"') for cell in line.split(sign)] for line in lines[place:end]])


def _aligned(lines: list[str], place: int) -> tuple[int, list[str]] | None:
    rows: list[list[str]] = []
    end = place
    while end < len(lines) and lines[end].strip() and end - place < _MOST_ROWS:
        line = lines[end].strip()
        if _RULE.match(lines[end]):
            end += 1
            continue
        cells = _WIDE.split(line)
        if rows and len(cells) != len(rows[0]):
            break
        if len(cells) < 2 or line.endswith((".", ":", "!")) or re.match(r"[-*•]\s|\d+[.)]\s", line):
            break
        rows.append(cells)
        end += 1
    if len(rows) < 3:
        return None
    return end, _statements(rows)


def _cells(line: str) -> list[str]:
    line = line.strip()
    line = line[1:] if line.startswith("|") else line
    line = line[:-1] if line.endswith("|") and not line.endswith("\\|") else line
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)]


def _statements(rows: list[list[str]]) -> list[str]:
    if not rows:
        return []
    header = rows[0]
    found: list[str] = []
    for row in rows[1:]:
        named = [
            f"{header[place]}: {cell}" if place < len(header) and header[place] else cell
            for place, cell in enumerate(row)
            if cell not in _EMPTY
        ]
        if named:
            found.append("; ".join(named))
    return found
