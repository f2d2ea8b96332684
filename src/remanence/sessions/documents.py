"""Documents: what is remembered of a project as the texts of its files; the same memories give the same bytes.

MEMORY.md holds the most worthy thousand under headings, oldest first, so that it changes where a memory comes or goes
and not where ranks move; memory_summary.md those of them that fit the budget of an injection; guidance.md the block
that a hook prints, in the same order. Its boundary is made of what it holds: no text can hold the digest of itself.
Each line names its memory. `.cited` lists which memories the files tell of.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from typing import NamedTuple

from remanence.flows.context import doubt_of
from remanence.lifecycle.guidance import documented, week_of
from remanence.model.memory import Memory
from remanence.model.moment import to_micros
from remanence.model.policy import Policy
from remanence.model.scope import scope_problems
from remanence.model.words import estimate_tokens
from remanence.places import GUIDANCE
from remanence.providers.prompts import Prompts
from remanence.sessions.artifacts import CITED, MEMORY, SUMMARY, skill_file
from remanence.sessions.choosing import Gathered, gathered, of_these_kinds
from remanence.sessions.guidance import MOST_GENERAL, Told, block, lines_of, where_of
from remanence.sessions.skills import KINDS, Skill, document, line, shown_sources, skills_of
from remanence.store.protocol import Store

MOST_STATEMENTS = 1_000
MOST_SESSIONS = 50
MOST_SKILLS = 100
MOST_SKILL_SOURCES = 2_000
MOST_BYTES = 256 * 1024
"""Of the lines of MEMORY.md; what is left out is counted in it."""
_LONGEST_LINE = 600
_LONGEST_SUMMARY_LINE = 300
_SUMMARIZED = 5
_ADVICE = (
    "From memory, not from the repository: heuristic, not authority. The repository and the user win; memory that "
    "conflicts with them is stale."
)
_MADE = "Made from memories and written anew with them. Correct one with `rem revise ID`, not here."


class Cited(NamedTuple):
    """What the files of a project tell of: the ids of memories."""

    project: str
    told: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class View:
    """What is told of a project now."""

    project: str
    found: Gathered
    skills: tuple[Skill, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing is remembered of the project itself."""
        return not self.found.own and not self.found.sessions


def viewed(store: Store, policy: Policy, project: str, now: datetime) -> View:
    """What there is to tell of a project."""
    week = week_of(to_micros(now))
    found = gathered(
        store,
        policy,
        project,
        now,
        most=MOST_STATEMENTS,
        most_general=MOST_GENERAL,
        most_sessions=MOST_SESSIONS,
        ranked_at=week,
    )
    sources = of_these_kinds(store, policy, project, now, KINDS, MOST_SKILL_SOURCES, week)
    rank = {memory.id: place for place, memory in enumerate(sources)}
    by_worth = sorted(skills_of(sources), key=lambda skill: min(rank[one.id] for one in skill.sources))
    return View(project, found, tuple(sorted(by_worth[:MOST_SKILLS], key=lambda skill: skill.name)))


def files_of(
    view: View, folder: str, injection_tokens: int, prompts: Prompts, personal: Collection[str] = ()
) -> tuple[dict[str, str], Cited]:
    """The files of a project by name, and what they cite; `.cited` is among them, alone where there is nothing."""
    if view.is_empty:
        cited = Cited(view.project)
        return {CITED: text_of(cited)}, cited
    memory, listed = _memory(view, personal)
    summary = _summary(view, injection_tokens, personal)
    ready, shown = _ready(view, where_of(folder), injection_tokens, prompts)
    files = {MEMORY: memory} | {skill_file(skill.name): document(skill) for skill in view.skills}
    files |= {name: text for name, text in ((SUMMARY, summary), (GUIDANCE, ready)) if text}
    sources = (one for skill in view.skills for one in shown_sources(skill))
    cited = Cited(view.project, frozenset(one.id for one in (*listed, *shown, *sources)))
    return files | {CITED: text_of(cited)}, cited


def text_of(cited: Cited) -> str:
    return json.dumps({"project": cited.project, "told": sorted(cited.told)}, indent=0) + "\n"


def cited_in(text: str) -> Cited | None:
    """What `.cited` says; None where it is not as we wrote it."""
    try:
        held = json.loads(text)
        project, told = held["project"], held["told"]
        is_ours = not scope_problems(project) and all(isinstance(id, str) for id in told)
        return Cited(project, frozenset(told)) if is_ours else None
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


# --- MEMORY.md


def _memory(view: View, personal: Collection[str]) -> tuple[str, list[Memory]]:
    """The document, and the memories in it."""
    found, room = view.found, MOST_BYTES
    lines: dict[str, str] = {}
    kept: list[Memory] = []
    for memory in (*found.sessions, *found.own):
        stated = f"- {line(memory.text, _LONGEST_LINE, personal)} ({_names(memory)}, memory://{memory.id})"
        room -= len(stated.encode("utf-8", "replace")) + 1
        if room < 0:
            break
        lines[memory.id] = stated
        kept.append(memory)
    more = found.more + len(found.own) + len(found.sessions) - len(kept)
    parts = [_title(view), "", _ADVICE, _MADE]
    for heading, some in documented(kept):
        parts += ("", f"## {heading}", "", *(lines[one.id] for one in some))
    if view.skills:
        parts += ("", "## Skills", "", *map(_skill_line, view.skills))
    if more:
        parts += ("", f"{more:,} more are remembered and not listed here. Find them with: rem recall QUERY")
    return "\n".join(parts) + "\n", kept


def _title(view: View) -> str:
    return f"# Memory of {line(view.project, 200)}"


def _names(memory: Memory) -> str:
    names = [memory.created_at.date().isoformat(), memory.source.value, doubt_of(memory)]
    if memory.expires_at is not None:
        names.append(f"until {memory.expires_at.date().isoformat()}")
    return ", ".join(name for name in names if name)


def _skill_line(skill: Skill) -> str:
    return f"- {skill.when}: memory://root/{skill_file(skill.name)}"


# --- memory_summary.md


def _summary(view: View, budget_tokens: int, personal: Collection[str]) -> str:
    """The most worthy that fit, under their headings; "" where not one does."""
    statements, sessions = view.found.own, view.found.sessions[:_SUMMARIZED]
    lines = {
        memory.id: f"- {line(memory.text, _LONGEST_SUMMARY_LINE, personal)} (memory://{memory.id[-8:]})"
        for memory in (*statements[: budget_tokens // 16 + 1], *sessions)
    }
    tail = [*map(_skill_line, view.skills), *(lines[memory.id] for memory in sessions)]
    tail = tail[: _most(len(tail), lambda number: estimate_tokens("\n".join(tail[:number])) <= budget_tokens // 5)]
    skills = tail[: len(view.skills)]
    recent = sessions[: max(0, len(tail) - len(view.skills))]

    def rendered(number: int) -> str:
        parts = [_title(view), "", _ADVICE]
        for heading, some in documented((*statements[:number], *recent)):
            parts += ("", f"## {heading}", "", *(lines[one.id] for one in some))
        if skills:
            parts += ("", "## Skills", "", *skills)
        more = view.found.more + len(statements) - number
        parts += ("", f"{more:,} more: memory://root/MEMORY.md") if more else ()
        return "\n".join(parts) + "\n"

    most = min(len(statements), budget_tokens // 16)
    number = _most(most, lambda number: estimate_tokens(rendered(number)) <= budget_tokens)
    text = rendered(number)
    return text if (number or recent) and estimate_tokens(text) <= budget_tokens else ""


def _most(number: int, fits: Callable[[int], bool]) -> int:
    """The largest number, up to this one, that fits; 0 where none does."""
    low, high = 0, number
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(middle) else (low, middle - 1)
    return low


# --- guidance.md


def _ready(view: View, where: str, budget_tokens: int, prompts: Prompts) -> tuple[str, list[Memory]]:
    """The block for a hook, and the memories it can show; "" where nothing fits."""
    told = lines_of(view.found, [skill.name for skill in view.skills], budget_tokens)
    ordered = [memory.id for _, some in documented(view.found.statements) for memory in some]
    place = {id: number for number, id in enumerate(ordered)}
    room = budget_tokens - 1  # the line end that follows; now and then it costs more than one token
    number = block(told, where, _marker(told), room, prompts)[1]
    while True:
        chosen = sorted(told.statements[:number], key=lambda one: place[one.id])
        fewer = Told(chosen, told.tail, told.more + len(told.statements) - number)
        text, shown = block(fewer, where, _marker(fewer), room, prompts)
        over = estimate_tokens(text + "\n") - budget_tokens if text else 0
        if over <= 0 and (shown >= number or not text):
            break
        room, number = room - max(0, over), min(number, shown)
    if not text:
        return "", []
    ids = {one.id for one in (*chosen, *told.tail)}
    return text + "\n", [one for one in (*view.found.statements, *view.found.sessions) if one.id in ids]


def _marker(told: Told) -> str:
    """The boundary of a frame with these lines: another one for other lines, and one that none of them can hold."""
    held = repr((told.statements, told.tail, told.more)).encode("utf-8", "replace")
    return blake2b(held, digest_size=12, person=b"guidance").hexdigest()
