"""Screening: why a text might be meant to direct the agent that recalls it, rather than to tell it something.

No language model is asked. Words are read by the part they play in an order (`parts`), orders and signs have weights
(`orders`, `signs`), and a text is suspicious where those within 300 characters come to `ENOUGH`. What others are said
to have written counts less: quoted, reported, denied, or with another subject than the reader. What is disguised
(`disguises`) is read twice. Where the vector of a text is at hand, what it is like as a whole decides what rules leave
open (`leaning`). A finding is a reason to ask a person, no proof; none is no clearance.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from remanence.guard.screening.disguises import DELIBERATE, INVISIBLE, MARKUP, hidden, plain
from remanence.guard.screening.leaning import FAR_ENOUGH, lean
from remanence.guard.screening.orders import ENOUGH, RULES, Rule
from remanence.guard.screening.parts import Reading
from remanence.guard.screening.phrases import PHRASES
from remanence.guard.screening.reasons import PAYMENT, TOOL
from remanence.guard.screening.signs import SIGNS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ORDERING = "reads as a whole like an order to an agent"
_NEAR_CHARACTERS = 300
_ORDERED = ("ordered",)
_GRANTED = ("approved",)
_RECKLESS = frozenset({"account", "nocheck", "withouttelling", "silent"})  # never a part of paying with care
_DEEPEST = 2
_LONGEST_DECODED = 20_000
_KEYS: dict[str, list[tuple[str, int]]] = {}  # by a mark that each of them has, "" where it has letters alone
for _number, _sign in enumerate(SIGNS):
    for _key in _sign.keys:
        _mark = next((mark for mark in _key if not mark.isalpha() and mark != " "), "")
        _KEYS.setdefault(_mark, []).append((_key, _number))
_BITS: dict[str, int] = {}  # of each part, so that rules with absent parts are passed over quickly
_BY_FIRST: dict[str, list[tuple[int, tuple[int, ...]]]] = {}
for _number, _rule in enumerate(RULES):
    _masks = tuple(sum({_BITS.setdefault(part, 1 << len(_BITS)) for part in parts}) for parts in _rule.parts)
    for _part in _rule.parts[0]:
        _BY_FIRST.setdefault(_part, []).append((_number, _masks[1:]))
_QUOTED = re.compile(
    r"\"[^\"\n]{1,160}\"|“[^”\n]{1,160}”|„[^“”\n]{1,160}[“”]|«[^»\n]{1,160}»|「[^」\n]{1,160}」|`[^`\n]{1,160}`"
    r"|(?<![\w'])'[^'\n]{1,160}'(?!\w)|(?<!\w)‘[^’\n]{1,160}’"
)
_DENIED = re.compile(r"\b(?:do not|don't|don’t|never|avoid|instead of|rather than|without|nicht|nie|ne|jamais|nunca)\b")
_DENIED_BEFORE = 24
_DISCUSSED = re.compile(
    "|".join(rf"\b{word}\b" for word in PHRASES["discussed"].split() if word.isascii() and word.isalpha())
)


class _Found(NamedTuple):
    """Where a suspicion stands, in characters."""

    start: int
    end: int
    weight: int
    reason: str


def screen(text: str, *, model: str | None = None, vector: NDArray[np.float32] | None = None) -> tuple[str, ...]:
    """Why the text is suspicious, in words for its user; () where it is not.

    With its vector and the model that made it, also what words alone do not say plainly enough (`leaning`).
    """
    reasons = _screened(text, 0, ENOUGH)
    if reasons or model is None or vector is None:
        return reasons
    leaning = lean(model, vector, text)
    for weight, far_enough in FAR_ENOUGH.items():
        if leaning is not None and leaning > far_enough:
            reasons = _screened(text, 0, weight) if weight else (ORDERING,)
        if reasons:
            return reasons
    return ()


def _screened(text: str, depth: int, enough: int) -> tuple[str, ...]:
    if reasons := _judged(text, enough):
        return reasons
    if depth < _DEEPEST:
        for how, view in hidden(text):
            # Who hides a text has a reason; markup is found everywhere.
            enough_there = enough if how == MARKUP else 1 if how in DELIBERATE else ENOUGH - 1
            if reasons := _screened(view[: max(len(text), _LONGEST_DECODED)], depth + 1, enough_there):
                return reasons if how in reasons else (*reasons, how)
    return ()


def _judged(text: str, enough: int) -> tuple[str, ...]:
    if not text.isascii():
        text = INVISIBLE.sub("", text)
    found = [*_signs(text), *_orders(plain(text))]
    found.sort()
    first = 0
    for one in found:
        while found[first].start < one.start - _NEAR_CHARACTERS:
            first += 1
        weights: dict[str, int] = {}
        for near in found[first:]:
            if near.start > found[first].start + _NEAR_CHARACTERS:
                break
            weights[near.reason] = max(near.weight, weights.get(near.reason, 0))
        if sum(weights.values()) >= enough:
            return tuple(sorted(weights, key=lambda reason: -weights[reason]))
    return ()


def _signs(text: str) -> Iterator[_Found]:
    lower = text.lower()
    quotes: list[tuple[int, int]] | None = None
    for number in sorted(
        {number for mark, keys in _KEYS.items() if mark in lower for key, number in keys if key in lower}
    ):
        for match in SIGNS[number].shape.finditer(text):
            if quotes is None:
                quotes = [quote.span() for quote in _QUOTED.finditer(text)]
            start, end = match.span()
            if SIGNS[number].reason == TOOL and _DENIED.search(lower, max(0, start - _DENIED_BEFORE), start):
                continue
            if not (_inside(start, end, quotes) and _DISCUSSED.search(lower)):
                yield _Found(start, end, SIGNS[number].weight, SIGNS[number].reason)
                break


def _orders(text: str, turned: bool = False) -> Iterator[_Found]:
    read = Reading(text)
    if read.backwards > 1 and not turned:
        yield from _orders(text[::-1], turned=True)
    quotes: list[tuple[int, int]] | None = None
    for rule in _possible(read):
        columns = [read.of(parts) for parts in rule.parts]
        best = 0
        where = (0, 0)
        for first, last in _in_order(columns, rule.steps) if rule.steps else _in_reach(columns, rule.within):
            if quotes is None:
                quotes = [quote.span() for quote in _QUOTED.finditer(text)]
            start, end = read.spans[first][0], read.spans[last][1]
            weight = rule.weight - _doubt(read, rule, (first, last), (start, end), quotes)
            if weight > best:
                best, where = weight, (start, end)
                if best == rule.weight:
                    break
        if best:
            yield _Found(*where, best, rule.reason)


def _possible(read: Reading) -> list[Rule]:
    """The rules of which every part is in the text."""
    present = 0
    for part in read.positions:
        present |= _BITS.get(part, 0)
    numbers = set()
    for part in read.positions:
        for number, masks in _BY_FIRST.get(part, ()):
            for mask in masks:
                if not mask & present:
                    break
            else:
                numbers.add(number)
    return [RULES[number] for number in sorted(numbers)]


def _in_order(columns: list[list[int]], steps: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    """Where the parts stand one after the other, each as near to the one before as its step allows."""
    reached = {position: position for position in columns[0]}  # where each chain has come to, and where it began
    for column, step in zip(columns[1:], steps[1:], strict=True):
        came = list(reached)
        further: dict[int, int] = {}
        for position in column:
            before = bisect_left(came, position) - 1
            if before >= 0 and position - came[before] <= step + 1:
                further[position] = reached[came[before]]
        if not further:
            return
        reached = further
    for last, first in reached.items():
        yield first, last


def _in_reach(columns: list[list[int]], within: int) -> Iterator[tuple[int, int]]:
    """Where all other parts stand within so many words of the first."""
    for position in columns[0]:
        low = high = position
        for column in columns[1:]:
            at = bisect_left(column, position - within)
            while at < len(column) and column[at] == position:
                at += 1
            if at == len(column) or column[at] > position + within:
                break
            low, high = min(low, column[at]), max(high, column[at])
        else:
            yield low, high


def _doubt(
    read: Reading, rule: Rule, words: tuple[int, int], span: tuple[int, int], quotes: list[tuple[int, int]]
) -> int:
    """How much less an order counts, because it is not given but told of."""
    first, last = read.began.get(words[0], words[0]), words[1]
    if "discussed" in read.positions:
        if _inside(*span, quotes):
            return ENOUGH
        reported = _between(read, "discussed", first - 15, first + 1) and _between(
            read, "reported", first - 12, first + 3
        )
    else:
        reported = _inside(*span, quotes) and _between(read, "reported", first - 8, last + 9)
    if _GRANTED in rule.parts and _denied(read, first, last):
        return ENOUGH
    if rule.parts[0] == ("user",) and _between(read, "reported", first + 1, first + 3):
        reported = True
    if rule.reason == PAYMENT and "cautious" in read.positions and not _RECKLESS & read.positions.keys():
        reported = True
    if "not" not in rule.parts[0] and _between(read, "not", first - 2, first):
        return ENOUGH
    if _ORDERED in rule.parts and (_between(read, "not", first, last) or _between(read, "subject", first, last)):
        return ENOUGH
    other = _between(read, "subject", first - 2, first) and not _between(read, "aiproper", first - 4, first)
    return 2 if reported or other else 0


def _denied(read: Reading, first: int, last: int) -> bool:
    """Whether what is said to be granted is not: "you do not have permission"."""
    granted = [at for at in read.positions["approved"] if first <= at <= last]
    return bool(granted) and all(_between(read, "not", at - 2, at) for at in granted[:1])


def _between(read: Reading, part: str, low: int, high: int) -> bool:
    column = read.positions.get(part, [])
    at = bisect_left(column, low)
    return at < len(column) and column[at] < high


def _inside(start: int, end: int, spans: list[tuple[int, int]]) -> bool:
    at = bisect_right(spans, (start, 1 << 60)) - 1
    return at >= 0 and spans[at][0] <= start and end <= spans[at][1]
