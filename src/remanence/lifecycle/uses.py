"""Uses: what a host's word that a memory was of use counts for, beside the counter of uses itself.

A use is an access, too. Where a recall came shortly before, that access was counted already: the use confirms it and
adds none, so that one event never counts twice. Times are those of the clock that is given; one that went backwards
counts as no time.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from remanence.model.memory import Memory, State

CONFIRMS_WITHIN = timedelta(hours=1)
"""An answer that a recall served is written within it; the next recall of the same is seldom as soon."""


def is_access(memory: Memory, at: datetime) -> bool:
    """Whether a use is an access of its own: recalled at 9:00, used at 10:00 confirms that, used at 10:01 is another.

    Never of what is out of recall: that it was of use says that it was missed.
    """
    if memory.state is not State.LIVE:
        return False
    return memory.access_count == 0 or at - memory.last_accessed_at > CONFIRMS_WITHIN


def is_missed(memory: Memory) -> bool:
    """Whether a use tells that the memory should not have left recall: it is archived."""
    return memory.state is State.ARCHIVED
