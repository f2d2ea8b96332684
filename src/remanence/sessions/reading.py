"""What stage 1 reads of a session: everything in order, within a cap of tokens; of more, its head and its tail.

Of a session above the cap the first 60 % and the last 40 % of the tokens are read: it begins with what was wanted and
ends with what came of it. Of what tools gave back a beginning and an end are enough, more of a failure.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from remanence.model.session import TOOL, Observation
from remanence.model.words import estimate_tokens

HEAD_SHARE = 0.6
MOST_CALLED = 400
MOST_RETURNED = 240
MOST_OF_FAILURE = 1_200
_OVERHEAD_TOKENS = 12
"""What the names around an observation cost in a prompt."""


class Reading:
    """The observations that are read, how many were left out of the middle, and the place of the last one."""

    def __init__(self, observations: Iterable[Observation], token_limit: int) -> None:
        head_tokens = int(token_limit * HEAD_SHARE)
        head: list[Observation] = []
        tail: deque[tuple[int, Observation]] = deque()
        in_head = in_tail = 0
        self.left_out = self.last = 0
        begun = False
        for one in observations:
            self.last = one.seq
            short = shortened(one)
            size = tokens_of(short)
            if not begun and in_head + size <= head_tokens:
                head.append(short)
                in_head += size
                continue
            begun = True  # a small one that would still fit is not taken out of its order
            tail.append((size, short))
            in_tail += size
            while len(tail) > 1 and in_head + in_tail > token_limit:
                in_tail -= tail.popleft()[0]
                self.left_out += 1
        if tail and in_head + in_tail > token_limit:
            _, last = tail.pop()
            tail.append((0, _fitted(last, max(1, token_limit - in_head))))
        self.observations = [*head, *(one for _, one in tail)]

    def __iter__(self) -> Iterator[Observation]:
        return iter(self.observations)


def shortened(one: Observation) -> Observation:
    """What of an observation is read: all that was said; of a call its beginning, of its result both ends."""
    if one.role != TOOL:
        return one
    text = _both_ends(one.text, MOST_OF_FAILURE if one.failed else MOST_RETURNED)
    return replace(one, text=text, call=one.call[:MOST_CALLED])


def tokens_of(one: Observation) -> int:
    return estimate_tokens(one.text) + estimate_tokens(one.call) + _OVERHEAD_TOKENS


def item_of(one: Observation) -> dict[str, Any]:
    """An observation as a prompt shows it."""
    if one.role != TOOL:
        return {"role": one.role, "text": one.text}
    shown: dict[str, Any] = {"role": one.role, "tool": one.tool or "tool", "call": one.call, "output": one.text}
    return shown | {"failed": True} if one.failed else shown


def _fitted(one: Observation, most_tokens: int) -> Observation:
    """One that alone is more than may be read: its head and tail."""
    size = len(one.text)
    while size > 40 and tokens_of(replace(one, text=_both_ends(one.text, size))) > most_tokens:
        size = size * 2 // 3
    return replace(one, text=_both_ends(one.text, size))


def _both_ends(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    head = int(most * HEAD_SHARE)
    return f"{text[:head]} … {text[len(text) - (most - head) :]}"
