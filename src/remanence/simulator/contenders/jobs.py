"""Every job that a mind does unasked, done at once, so that a benchmark can look at what they leave.

Vectors made anew, sessions processed, everything swept and not only what is due, duplicates, consolidation where it is
enabled, a whole dream, and the upkeep that a timer calls.
"""

from __future__ import annotations

from typing import Any


def every_job(mind: Any) -> None:
    """Run all jobs of a mind, now by its clock, and apply what they propose."""
    if mind.meaning.model is not None:
        mind.meaning.reembed()
    mind.sessions.run()
    mind.apply(mind.sweep(full=True))
    mind.apply(mind.dedup())
    mind.apply(mind.consolidate())
    mind.dreams.run()
    mind.upkeep()
