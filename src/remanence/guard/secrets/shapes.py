"""Keys of known makers in a text, also with a line end inside.

Only runs of 16 and more signs without a space are looked at, and only for shapes whose marks they hold.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from remanence.guard.secrets.judging import random_looking, wordy
from remanence.guard.secrets.lazy import lazy
from remanence.guard.secrets.patterns import SHAPES, compiled, compiled_lead
from remanence.guard.secrets.reading import one_of

_ESCAPED = lazy(r"(?:\\[nrtbfx]|%[0-9A-Fa-f]{2}|\\u[0-9a-f]{4}|\x1b\[[\d;]{1,8}m)$")
_RUN = lazy(r"[!-~]{16,}")
_LONG = 20_000
_WITHIN = lazy(r"[A-Za-z0-9]")
_LONGEST_LEAD = 90
_REST = lazy(r"[A-Za-z0-9]{0,4000}")
_BROKEN = lazy(  # what must stand before is looked at behind the first sign, so that only few places are tried
    r"(?:[ \t](?<=[!-~].)[ \t]{0,3}\\?\r?\n|\\(?<=[!-~].)\r?\n|\r(?<=[!-~].)\n|\n(?<=[!-~]\n))[ \t>|]{0,40}(?=[!-~])"
)
_NEXT_PART = lazy(r"[ \t]{0,4}\\?\r?\n[ \t>|]{0,40}([A-Za-z0-9+/_=.-]{6,4000})(?=[\s\"'`,;)]|$)")
_DIGIT = lazy(r"\d")
_YOURS = lazy(r"(?:^|[-_])(?:your|placeholder|insert|replace)(?:[-_]|$)|xxxx|\*\*\*\*|\.\.\.", re.IGNORECASE)


# Most runs are addresses and paths, which hold no mark but the shortest.
_SHORTEST = 3
_OF_SHORT_MARKS = tuple(shape for shape in SHAPES if min(map(len, shape.marks)) < _SHORTEST)
_MARKED = one_of(mark for shape in SHAPES for mark in shape.marks if len(mark) >= _SHORTEST)


def shapes(text: str) -> Iterator[tuple[str, int, int]]:
    """Keys of known makers."""
    runs = " ".join(_RUN.findall(text))
    if not runs:
        return
    sparse = len(runs) * 4 < len(text) > _LONG  # most of a long text need not be looked at for each shape
    around = ""
    for kind, marks, source, lead in SHAPES if _MARKED(runs) else _OF_SHORT_MARKS:
        for one in marks:
            if one in runs:
                break
        else:
            continue
        pattern = compiled(source)
        if sparse:
            around = around or "\n".join(text[max(0, run.start() - 40) : run.end() + 2] for run in _RUN.finditer(text))
            if not pattern.search(around):
                continue
        group = "v" if "v" in pattern.groupindex else 0
        at = 0
        while match := pattern.search(text, at):
            at = match.end()
            begins = match.start()
            start, end = match.span(group)
            if lead:
                before = compiled_lead(lead).search(text, max(0, begins - _LONGEST_LEAD), begins)
                if before is None:
                    at = begins + 1
                    continue
                start = before.start()
            elif begins and _WITHIN.match(text, begins - 1) and not _ESCAPED.search(text, max(0, begins - 10), begins):
                at = begins + 1
                continue
            end = _REST.match(text, end).end()  # type: ignore[union-attr]
            while text[end - 1] == ".":
                end -= 1
            if _drawn(kind, text[start:end]):
                end = _with_next_line(text, end)
                yield kind, start, end
                at = max(at, end)


def _drawn(kind: str, value: str) -> bool:
    if len(set(value)) < 8 or _YOURS.search(value):
        return False
    digit = bool(_DIGIT.search(value))
    if kind in ("discord-token", "vault-token", "crates-token") and (wordy(value) or not digit):
        return False
    if kind == "x-token" and "%" not in value:
        return False
    return digit or kind in ("otp-seed", "slack-webhook") or (value.lower() != value and value.upper() != value)


def _with_next_line(text: str, end: int) -> int:
    """A key that fills its line may go on in the next."""
    if text[end : end + 1] in ("\n", "\r", "\\", " "):
        after = _NEXT_PART.match(text, end)
        if after and random_looking(after[1]) and not wordy(after[1]):
            return after.end()
    return end


def broken_shapes(text: str) -> Iterator[tuple[str, int, int]]:
    """Keys of known makers with a line end inside, where neither part is a key."""
    joined = _BROKEN.sub("", text)
    found = list(shapes(joined)) if joined != text else []
    if not found:
        return
    seams: list[int] = []  # in the joined text
    resumes: list[int] = []  # in the text
    dropped = 0
    for cut in _BROKEN.finditer(text):
        seams.append(cut.start() - dropped)
        resumes.append(cut.end())
        dropped += cut.end() - cut.start()
    for kind, start, end in found:
        first, last = bisect_right(seams, start), bisect_left(seams, end)
        if not 0 < last - first <= 6:
            continue
        rest = joined[seams[first] : end]
        if _DIGIT.search(rest) and not wordy(rest):
            begins = resumes[first - 1] + start - seams[first - 1] if first else start
            yield kind, begins, resumes[last - 1] + end - seams[last - 1]
