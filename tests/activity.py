"""Somebody who is there: days that count for the activity clock, made by what anybody may do.

A session in which a word was said on a day makes it active, and touches no memory.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from remanence import Mind
from remanence.model.session import USER, Observation
from remanence.sessions.capture import keep
from tests.conftest import Clock

_DAY = timedelta(days=1)
_MANY = 1500 * _DAY


def be_there(mind: Mind, *moments: datetime) -> None:
    """Somebody is there at these moments."""
    said = [Observation(role=USER, text=f"Good day, it is {at:%d %B %Y}", at=at) for at in moments]
    if said:
        keep(mind._store, "somebody", "/somewhere", "tests", said, max(moments), via="tests")


def every_day(since: datetime, until: datetime) -> list[datetime]:
    """A moment of each day from one to another."""
    first = since.replace(hour=0, minute=0, second=0, microsecond=0)
    return [max(since, first + n * _DAY) for n in range((until - first) // _DAY + 1)]


def attend(mind: Mind, clock: Clock, **span: float) -> datetime:
    """Time passes, and where the policy asks for it somebody is there on each day, or on each of the last 1,500."""
    return attend_until(mind, clock, clock.now + timedelta(**span))


def attend_until(mind: Mind, clock: Clock, moment: datetime) -> datetime:
    """The same up to a moment."""
    since, clock.now = clock.now, moment
    if mind.policies.current.active_clock:
        be_there(mind, *every_day(max(since, moment - _MANY), moment))
    return moment
