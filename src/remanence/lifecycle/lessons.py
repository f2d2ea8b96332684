"""Lessons: how sure one is by now, and what meeting it again makes of it.

Confidence falls by 0.05 for every full week since the lesson was last reinforced, or else written; a recall is no
reinforcement. Meeting the same text again adds a tenth of what lacks to what is left by then: 0.6 after two weeks is
0.5, and 0.55 once met again. When that was stands in the metadata as `reinforced_at`, beside the new confidence.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from remanence.lifecycle.retention import lesson_confidence, reinforced_confidence
from remanence.model.memory import Memory
from remanence.model.moment import moment_in
from remanence.model.plan import Change, Reason

REINFORCED_AT = "reinforced_at"


def confident_since(lesson: Memory) -> datetime:
    """When its stored confidence was true: at its last reinforcement, or else its birth."""
    told = moment_in(lesson.metadata, REINFORCED_AT) if lesson.confirmations > 0 else None
    return lesson.created_at if told is None else max(lesson.created_at, told)


def confidence_now(lesson: Memory, now: datetime) -> float:
    """What is left of a lesson's confidence: 0.6 after 20 days → 0.5."""
    return float(lesson_confidence(lesson.confidence, (now - confident_since(lesson)) / timedelta(days=1)))


def reinforced(lesson: Memory, now: datetime) -> Change:
    """The change of a lesson that is met again: c + 0.1·(1-c) of what is left by now, from now on."""
    return Change.of(
        lesson,
        Reason.CONFIRMED,
        confidence=float(reinforced_confidence(confidence_now(lesson, now))),
        confirmations=lesson.confirmations + 1,
        metadata={**lesson.metadata, REINFORCED_AT: now.isoformat()},
    )
