"""past: how many memories there were on each of the last days, from the counts of now and the journal of those days.

Nothing is counted day by day: who knows how many there are now, and what has moved since, knows how many there were.
A day is one of UTC. What a clock that ran ahead has journalled for days to come belongs to today.
"""

from __future__ import annotations

from collections import Counter
from datetime import UTC, date, datetime, time, timedelta

from remanence.errors import InvalidInput
from remanence.model import checks
from remanence.model.journal import Past
from remanence.model.memory import State
from remanence.store.protocol import Store

MOST_DAYS = 3650


def past(store: Store, now: datetime, days: int) -> Past:
    """The last days and today, oldest first."""
    if problems := checks.integer_problems(days, "days", 1, MOST_DAYS):
        raise InvalidInput(problems)
    today = now.astimezone(UTC).date()
    if (today - date.min).days < days:
        raise InvalidInput(f"days {days} reaches back beyond the calendar")
    first = today - timedelta(days=days)
    held, moves = store.moves(datetime.combine(first, time(), UTC))
    moved: dict[State, Counter[int]] = {state: Counter() for state in State}
    learned: Counter[int] = Counter()
    left: Counter[int] = Counter()
    for move in moves:
        day = min((move.day - first).days, days)
        if move.before is None:
            learned[day] += move.number
        else:
            moved[move.before][day] -= move.number
        if move.after is not None:
            moved[move.after][day] += move.number
        if move.before is State.LIVE:
            left[day] += move.number

    def series(state: State) -> tuple[int, ...]:
        numbers = [held.get(state, 0)]
        for day in range(days, 0, -1):
            numbers.append(max(0, numbers[-1] - moved[state][day]))
        return tuple(reversed(numbers))

    return Past(
        at=now,
        days=days,
        first=first.isoformat(),
        live=series(State.LIVE),
        archived=series(State.ARCHIVED),
        forgotten=series(State.FORGOTTEN),
        learned=tuple(learned[day] for day in range(days + 1)),
        left=tuple(left[day] for day in range(days + 1)),
    )
