"""Once a password is known, the same again, and its other spellings near it: "Blackcurrant9 — no, blackCurrant9"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from remanence.guard.secrets.judging import chosen, placeholder, said
from remanence.guard.secrets.lazy import lazy

_KINDS = ("password", "passphrase")
_NEAR, _MOST, _MOST_AGAIN = 120, 40, 20
_RUN = lazy(r"(?<![^\s\"'`“”«»„(\[:=/>,])[A-Za-z][!-~]{5,40}")
_LOOSE = ".,:;!?)]}\"'`*"
_SPELLED = str.maketrans("013457$@!", "oleastsai")
_BESIDE = lazy(r"[A-Za-z0-9_-]")


def alike(text: str, found: Iterable[tuple[int, str, int, int]]) -> Iterator[tuple[int, str, int, int]]:
    """(rank, kind, start, end) of more of what was found."""
    values: dict[str, tuple[int, str, int, int]] = {}
    for one in found:
        if one[1] in _KINDS and 5 < one[3] - one[2] < 41:
            values.setdefault(text[one[2] : one[3]], one)
        if len(values) > _MOST:
            return
    for value, (rank, kind, start, end) in values.items():
        if " " in value or "\n" in value:
            continue
        if len(value) > 7 and (said(value, True) or chosen(value)):
            yield from _again(text, value, rank, kind)
        bones = _bones(value)
        if len(bones) < 6:
            continue
        begins, ends = max(0, start - _NEAR), end + _NEAR
        for run in _RUN.finditer(text, begins, ends):
            other = run[0].rstrip(_LOOSE)
            if (
                run[0][0].lower() != bones[0]
                or run.start() == start
                or abs(len(other) - len(value)) > 3
                or other == value
            ):
                continue
            if _bones(other) == bones and not placeholder(other) and not (other.isalpha() and other.istitle()):
                yield rank, kind, run.start(), run.start() + len(other)


def _again(text: str, value: str, rank: int, kind: str) -> Iterator[tuple[int, str, int, int]]:
    at = -1
    for _ in range(_MOST_AGAIN):
        at = text.find(value, at + 1)
        if at < 0:
            return
        end = at + len(value)
        if not (at and _BESIDE.match(text, at - 1)) and not _BESIDE.match(text, end):
            yield rank, kind, at, end


def _bones(value: str) -> str:
    """What is the same in every spelling of a password."""
    plain = value.rstrip("!?.0123456789").lower().translate(_SPELLED)
    return "".join(c for c in plain if c.isalnum())
