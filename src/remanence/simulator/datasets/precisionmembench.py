"""PrecisionMemBench: 35 beliefs of two users, and cases that say what must come back and what must not.

A case names a user, scopes, a query and perhaps a budget of beliefs, and expects of four tiers of context: the persona
prelude (text), pinned facts, open questions, and relevant beliefs. `shouldOnlyInclude` means exactly these; for
`relevantBeliefs`, `mustInclude` and `mustExclude` look at pinned and relevant together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from remanence.errors import InvalidInput
from remanence.model.moment import parse_moment
from remanence.simulator.datasets.files import File, Problems, rows

DEFAULT_USER = "test-user"
DEFAULT_BELIEFS = 20
QUESTION = "open_question"
TIERS = ("personaPrelude", "pinnedFacts", "relevantBeliefs", "openQuestions")


@dataclass(frozen=True, slots=True, kw_only=True)
class Belief:
    id: str
    user: str
    kind: str
    name: str
    aliases: tuple[str, ...]
    content: str
    why: str
    scopes: tuple[str, ...]
    pinned: bool
    confidence: float
    created_at: datetime
    resolved_at: datetime | None
    superseded_by: str | None
    participants: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    id: str
    category: str
    user: str
    scopes: tuple[str, ...]
    query: str
    most: int
    """How many beliefs fit, pinned ones first."""
    expect: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def wanted(self) -> tuple[str, ...]:
        """The relevant beliefs that must come back; with none of them, an empty answer is right."""
        return tuple(self.expect.get("relevantBeliefs", {}).get("shouldOnlyInclude", ()))


def read(files: Sequence[File]) -> tuple[list[Belief], list[Case]]:
    """The beliefs and the cases of all files; which a file holds is seen by its rows."""
    beliefs: dict[str, Belief] = {}
    cases: dict[str, Case] = {}
    for file in files:
        problems = Problems(file.name)
        for number, row in enumerate(rows(file)):
            if "caseId" in row:
                if (case := _case(row, problems, f"case {row['caseId']}")) is not None:
                    cases.setdefault(case.id, case)
            elif (belief := _belief(row, problems, f"belief {row.get('_id', number)}")) is not None:
                beliefs.setdefault(belief.id, belief)
        problems.raise_any()
    if not beliefs or not cases:
        missing = "beliefs" if not beliefs else "cases"
        raise InvalidInput(f"{', '.join(file.name for file in files)}: no {missing} in these files")
    return list(beliefs.values()), list(cases.values())


def _belief(row: dict[str, Any], problems: Problems, where: str) -> Belief | None:
    id, user, kind, name, content = (
        problems.field(where, row, name, str) for name in ("_id", "user_id", "type", "canonical_name", "content")
    )
    scopes = problems.field(where, row, "scope", list)
    created = _moment(row.get("created_at"), problems, where)
    resolved = None if row.get("resolved_at") is None else _moment(row["resolved_at"], problems, where)
    confidence = problems.field(where, {"confidence": 1.0, **row}, "confidence", (int, float))
    if None in (id, user, kind, name, content, confidence) or not scopes or created is None:
        return None
    return Belief(
        id=id,
        user=user,
        kind=kind,
        name=name,
        aliases=tuple(map(str, row.get("aliases") or ())),
        content=content,
        why=str(row.get("why_it_matters") or ""),
        scopes=tuple(map(str, scopes)),
        pinned=row.get("pinned") is True,
        confidence=float(confidence),
        created_at=created,
        resolved_at=resolved,
        superseded_by=row.get("superseded_by"),
        participants=tuple(map(str, row.get("participants") or ())),
    )


def _case(row: dict[str, Any], problems: Problems, where: str) -> Case | None:
    query = problems.field(where, row, "query", str)
    scopes = problems.field(where, row, "scope", list)
    expect = problems.field(where, row, "expect", dict)
    most = problems.field(where, {"maxBeliefs": DEFAULT_BELIEFS, **(row.get("budget") or {})}, "maxBeliefs", int)
    if query is None or scopes is None or expect is None or most is None:
        return None
    for tier in expect:
        if tier not in TIERS:
            problems.add(where, f"expects of {tier!r}, which is none of {', '.join(TIERS)}")
        problems.field(where, expect, tier, dict)
    return Case(
        id=str(row["caseId"]),
        category=str(row.get("category", "")),
        user=str(row.get("userId", DEFAULT_USER)),
        scopes=tuple(map(str, scopes)),
        query=query,
        most=most,
        expect=expect,
    )


def _moment(text: object, problems: Problems, where: str) -> datetime | None:
    try:
        return parse_moment(str(text))
    except ValueError as reason:
        problems.add(where, str(reason))
        return None
