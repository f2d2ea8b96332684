"""What a run found: one result for each data set, protocol and contender, and the files it was found on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The numbers of one contender under one protocol. Metrics are shares from 0 to 1, but for `passed`, a count."""

    dataset: str
    protocol: str
    contender: str
    metrics: Mapping[str, float]
    headline: str
    """The metric that counts."""
    questions: int
    seconds: float
    cpu_seconds: float
    """Of this process; on a shared machine only these are worth comparing."""
    memories: int = 0
    counts: Mapping[str, int] = field(default_factory=dict)
    """What became of the memories: added, superseded, duplicate …"""
    missed: Sequence[str] = ()
    """Questions whose headline is not full."""
    failures: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """For each missed case, why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    version: str
    data: str
    limit: int | None
    files: Sequence[Mapping[str, str]]
    notes: Sequence[str]
    results: Sequence[Result]
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
