"""Skills: playbooks made of procedures, each with a name, when it is used, and its steps in order.

Procedures are skills as they stand; so are workflows, patterns, lessons, crystals and fixes whose words give steps.
What was noted in sessions alone must have been met in two of them. The name is made of the trigger, and is the same for
as long as no older skill has it.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b

from remanence.guard.framing import neutralised
from remanence.guard.secrets import redact
from remanence.lifecycle.procedures import is_same, place_of, procedure_of
from remanence.model.consolidation import Procedure
from remanence.model.memory import Memory
from remanence.model.session import SESSION
from remanence.sessions.artifacts import MADE_BY
from remanence.sessions.playbooks import PLAYBOOK

KINDS = ("procedure", "workflow", "pattern", "lesson", "crystal", "gotcha", "bug", "fix")
LEAST_SESSIONS = 2
SIGNAL = "signal"
"""The name in metadata for what stage 1 took something to be."""
_LONGEST_NAME = 48
_LONGEST_TRIGGER = 200
_LONGEST_STEP = 500
_MOST_STEPS = 50
_MOST_SOURCES = 10
_FIXED = re.compile(
    r"(?P<what>.{2,200}?)\s+(?:failed|fails|broke)(?:\s+(?:with|because of|on)\s+(?P<error>.{2,300}?))?"
    r"[;.,]?\s+(?:it\s+(?:was|is)\s+)?(?:fixed|solved|resolved)\s+by\s+(?P<fix>.{2,500}?)\.?",
    re.IGNORECASE | re.DOTALL,
)
_ADVICE = "From memory, not from this repository: check each step against what is there, and do as the user says."


@dataclass(frozen=True, slots=True)
class Skill:
    """One playbook, and the memories it stands in."""

    name: str
    procedure: Procedure
    sources: tuple[Memory, ...]

    @property
    def when(self) -> str:
        return line(self.procedure.trigger, _LONGEST_TRIGGER)


def skills_of(memories: Iterable[Memory]) -> list[Skill]:
    """The skills that these memories give, by name."""
    groups: dict[object, list[tuple[Procedure, list[Memory]]]] = {}
    ordered: list[tuple[Procedure, list[Memory]]] = []
    for memory in sorted(memories, key=lambda one: (one.created_at, one.id)):
        found = told_by(memory)
        if found is None:
            continue
        alike = groups.setdefault(place_of(found), [])
        for known, sources in alike:
            if is_same(known, found):
                sources.append(memory)
                break
        else:
            alike.append((found, [memory]))
            ordered.append(alike[-1])
    taken: set[str] = set()
    made = []
    for procedure, sources in ordered:
        if is_met(sources):
            name = _name(procedure, taken)
            taken.add(name)
            made.append(Skill(name, procedure, tuple(sources)))
    return sorted(made, key=lambda one: one.name)


def told_by(memory: Memory) -> Procedure | None:
    """The procedure a memory tells; None where it gives no steps."""
    if memory.kind not in KINDS:
        return None
    found = Procedure.of(memory) or procedure_of(memory.text) or _fix(memory.text)
    if found is None or not any(sign.isalnum() for sign in found.trigger):
        return None
    steps = tuple(step for step in found.steps[:_MOST_STEPS] if step.strip())
    return Procedure(found.trigger, steps) if steps else None


def document(skill: Skill) -> str:
    """SKILL.md: front matter, when it is used, the steps, and the memories it comes from."""
    steps = [f"{number}. {line(step, _LONGEST_STEP)}" for number, step in enumerate(skill.procedure.steps, 1)]
    sources = [f"- {one.created_at.date().isoformat()} memory://{one.id}" for one in shown_sources(skill)]
    parts = [
        "---",
        f"name: {skill.name}",
        f"description: {json.dumps(f'Use this for: {skill.when}', ensure_ascii=False)}",
        "metadata:",
        f"  {MADE_BY}",
        "---",
        "",
        f"# {skill.name}",
        "",
        _ADVICE,
        "",
        f"When: {skill.when}",
        "",
        *steps,
        "",
        "Comes from:",
        "",
        *sources,
    ]
    return "\n".join(parts) + "\n"


def shown_sources(skill: Skill) -> tuple[Memory, ...]:
    """The memories that a playbook names: the one in whose words it is, and the newest of those that tell the same."""
    return tuple(dict.fromkeys((skill.sources[0], *skill.sources[-_MOST_SOURCES:])))


def line(text: str, longest: int, personal: Collection[str] = ()) -> str:
    """A text on one line, without secrets and without what could be taken for markup around it."""
    whole = " ".join(neutralised(redact(text[: 4 * longest], personal=personal).text).split())
    plain = whole.replace("<", "‹").replace(">", "›")
    return plain if len(plain) <= longest else plain[: longest - 1].rstrip() + "…"


def slug(text: str) -> str:
    """The words of a text as a name of letters, digits and dashes; "" where it has no such letters."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    name = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")
    if len(name) <= _LONGEST_NAME:
        return name
    return name[:_LONGEST_NAME].rpartition("-")[0] or name[:_LONGEST_NAME]


def _name(procedure: Procedure, taken: set[str]) -> str:
    letters = sum(sign.isalpha() for sign in procedure.trigger)
    name = slug(redact(procedure.name.replace("-", " ")).text)
    # Of a script that has no such letters, what is left of it says nothing.
    is_telling = 2 * sum(sign.isalpha() for sign in name) >= min(letters, 2) and len(name) > 1
    digest = blake2b("\0".join(procedure.key).encode("utf-8", "replace"), digest_size=4).hexdigest()
    if is_telling and name not in taken:
        return name
    longer = f"{name}-{digest}" if is_telling else f"skill-{digest}"
    number = 2
    while longer in taken:
        longer, number = f"{longer.rpartition('-')[0]}-{digest}{number}", number + 1
    return longer


def is_met(sources: Sequence[Memory]) -> bool:
    """Whether this is a way of working: told by a person or an agent, or met in two sessions."""
    if any(one.metadata.get(SIGNAL, PLAYBOOK) == PLAYBOOK for one in sources):
        return True
    sessions = {one.origin for one in sources if one.origin is not None and one.origin.startswith(SESSION)}
    counted = [1]
    for one in sources:
        named = one.metadata.get("sessions")
        sessions |= {str(name) for name in named} if isinstance(named, list) else set()
        counted += [named] if isinstance(named, int) else []
    return max(len(sessions), *counted, *(one.confirmations + 1 for one in sources)) >= LEAST_SESSIONS


def _fix(text: str) -> Procedure | None:
    """ "The build failed with E; fixed by F." → when the build fails with E: F."""
    match = _FIXED.fullmatch(" ".join(text.split())) if len(text) <= 2_000 else None
    if match is None:
        return None
    error = f" with {match['error']}" if match["error"] else ""
    return Procedure(f"{match['what']} fails{error}"[:_LONGEST_TRIGGER], (match["fix"],))
