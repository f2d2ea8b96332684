"""Orders: which parts, standing together, make a text suspicious, and by how much.

A line is a weight and the parts of one order; a text is suspicious where weights near one another come to `ENOUGH`.
Parts stand in this order with at most four words between two of them, or as many as `~n` says for those after it; `&n`
means any order within n words of the first. Of parts with `|` between them one is enough. `start` is where a clause
begins, so `~0 start send` is "send" as an order.
"""

from __future__ import annotations

from typing import NamedTuple

from remanence.guard.screening.harms import HARMS
from remanence.guard.screening.takeovers import TAKEOVERS

ENOUGH = 3


class Rule(NamedTuple):
    """Parts that make a suspicion together; `steps` are the words allowed up to each of them, None is any order."""

    reason: str
    weight: int
    parts: tuple[tuple[str, ...], ...]
    steps: tuple[int, ...] | None
    within: int


def _rule(reason: str, line: str) -> Rule:
    weight, *rest = line.split()
    parts: list[tuple[str, ...]] = []
    steps: list[int] = []
    step, within = 4, 0
    for piece in rest:
        if piece[0] == "~":
            step = int(piece[1:])
        elif piece[0] == "&":
            within = int(piece[1:])
        else:
            parts.append(tuple(piece.split("|")))
            steps.append(step)
    return Rule(reason, int(weight), tuple(parts), None if within else tuple(steps), within)


RULES = tuple(
    _rule(reason, line) for reason, lines in {**TAKEOVERS, **HARMS}.items() for line in lines.strip().splitlines()
)
