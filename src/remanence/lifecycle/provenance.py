"""Provenance: how far a memory may be believed by what it was made from, and what becomes of a suspicious one.

Trust is never above the least trusted source. What is made from something that waits for review, or was rejected, waits
for review itself. What a person vouches for is not held back for how it reads.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from remanence.model.memory import ACCEPTED, SCREENED, Memory, State, is_untried

FROM_QUARANTINE = "it was made from a quarantined memory"


def limited(memory: Memory, sources: Iterable[Memory]) -> tuple[Memory, bool]:
    """The memory trusted no more than these sources of it; and whether one of them is quarantined, or was rejected."""
    limit, poisoned = memory.trust_limit, False
    for source in sources:
        limit = min(limit, source.trust)
        poisoned = poisoned or source.state is State.QUARANTINED or is_untried(source)
    return memory if limit == memory.trust_limit else memory.but(trust_limit=limit), poisoned


def held_for(memory: Memory, suspicions: Sequence[str], poisoned: bool) -> tuple[str, ...]:
    """Why a memory is to be quarantined, given why it reads suspicious; empty where it is not."""
    return (*(suspicions if memory.trust < 1.0 else ()), *((FROM_QUARANTINE,) if poisoned else ()))


def admitted(memory: Memory, suspicions: Sequence[str], poisoned: bool) -> Memory:
    """A memory that comes as it was elsewhere: quarantined where it must be and no person had accepted it.

    One that was held back there keeps the reasons of then.
    """
    was_held = memory.state is State.QUARANTINED or (memory.state is State.FORGOTTEN and is_untried(memory))
    if was_held or ACCEPTED in memory.metadata:
        return memory
    reasons = held_for(memory, suspicions, poisoned)
    return quarantined(memory, reasons) if reasons else memory


def quarantined(memory: Memory, reasons: Sequence[str]) -> Memory:
    """The memory as it waits for review; one that was forgotten stays so, and is known as never tried."""
    state = State.FORGOTTEN if memory.state is State.FORGOTTEN else State.QUARANTINED
    return memory.but(state=state, metadata=unreviewed(memory.metadata) | {SCREENED: list(reasons)})


def unreviewed(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Metadata without what a screening and its review left there, which is theirs alone to say."""
    return {name: value for name, value in metadata.items() if name not in (SCREENED, ACCEPTED)}


def says_the_same(old: Memory, new: Memory) -> bool:
    """Whether a version changed nothing of what is screened."""
    if unreviewed(old.metadata) != unreviewed(new.metadata) or old.text != new.text:
        return False
    names = ("categories", "concepts", "files", "origin")
    return all(getattr(old, name) == getattr(new, name) for name in names)
