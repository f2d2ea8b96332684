"""Near-equal statements that contradict each other by a negation, number, date or opposite stay, and are challenged."""

import pytest

from remanence import Mind

PAIRS = [
    ("The billing service is deployed in the cluster", "The billing service is not deployed in the cluster"),
    ("The nightly job keeps backups for 30 days", "The nightly job keeps backups for 90 days"),
    ("The release of the new client is on Friday", "The release of the new client is on Monday"),
    ("The contract with the vendor ends on March 3", "The contract with the vendor ends on April 3"),
    ("The review of the design is on 2026-03-01", "The review of the design is on 2026-04-01"),
    ("Two factor login is enabled for all admins", "Two factor login is disabled for all admins"),
    ("The cache must be flushed before the deploy starts", "The cache must be flushed after the deploy starts"),
    ("Memory use has increased since the last release", "Memory use has decreased since the last release"),
    ("The repository of the data team is public now", "The repository of the data team is private now"),
    ("Die Sicherung der Datenbank ist am Montag fällig", "Die Sicherung der Datenbank ist am Freitag fällig"),
]


@pytest.mark.parametrize(("old", "new"), PAIRS)
def test_both_stay_and_are_challenged(old: str, new: str, mind: Mind) -> None:
    first = mind.remember(old).memory
    second = mind.remember(new)
    assert second.outcome == "added"
    assert mind.get(first.id).challenged_by == second.memory.id
    assert mind.get(second.memory.id).challenged_by == first.id
    assert mind.get(first.id).state == "live"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The release of the new client is on Friday", "The release of the new client is on Fri"),
        ("The deploy server of the team stands in Frankfurt", "The deploy server of the team stands in Dublin"),
        ("We may ship the new client in the next cycle", "We may ship the new client in the next sprint"),
    ],
)
def test_a_new_value_alone_is_a_new_version(old: str, new: str, mind: Mind) -> None:
    mind.remember(old)
    assert mind.remember(new).outcome == "superseded"
