"""memory:// addresses, resolved by an allow-list: nothing that is not on it is looked for, on the disk or elsewhere.

memory://root is the summary of a project; below it stand MEMORY.md, memory_summary.md, skills (their addresses) and
skills/NAME/SKILL.md. memory://ID is a memory, by its id or by the last eight signs of it, which frames show; its text
stands in a frame. Addresses are taken as they are written: no decoding, no folding of case, no dots. What is forgotten
or quarantined is not shown, only what to do to see it: an agent reads this.
"""

from __future__ import annotations

import re
import shlex
from hashlib import blake2b

from remanence.errors import InvalidInput, NotFound
from remanence.flows.context import doubt_of
from remanence.guard.framing import Line, framed
from remanence.model import checks
from remanence.model.memory import Memory, State
from remanence.model.selection import EVERY_STATE, Selection
from remanence.sessions import artifacts
from remanence.sessions.artifacts import MEMORY, SKILL, SKILLS, SLUG, SUMMARY
from remanence.store.protocol import Store

SCHEME = "memory://"
ROOT = "root"
_LONGEST = 200
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.ASCII)
_END = re.compile(r"[0-9a-f]{8}", re.ASCII)
_THERE = (
    f"There are {SCHEME}{ROOT}, {SCHEME}{ROOT}/{MEMORY}, {SCHEME}{ROOT}/{SUMMARY}, {SCHEME}{ROOT}/{SKILLS}, "
    f"{SCHEME}{ROOT}/{SKILLS}/NAME/{SKILL} and {SCHEME}ID"
)
_MOST_NAMED = 5


def read(url: str, folder: str, store: Store, project: str) -> str:
    """What an address names; InvalidInput for what is none, NotFound for one of nothing, with what there is."""
    if not isinstance(url, str):
        raise InvalidInput(f"an address must be text such as {SCHEME}{ROOT}, not {type(url).__name__}")
    place = url.removeprefix(SCHEME)
    if len(url) > _LONGEST or place == url:
        raise InvalidInput(f"{checks.shown(url)!r} is no memory address. {_THERE}")
    if place == ROOT:
        return _file(folder, SUMMARY, project)
    if (memory := memory_of(url, store)) is not None:
        return _shown(memory)
    top, _, name = place.partition("/")
    if top == ROOT and name in (MEMORY, SUMMARY):
        return _file(folder, name, project)
    if top == ROOT and name == SKILLS:
        return _skills(folder, project)
    parts = name.split("/")
    if top == ROOT and len(parts) == 3 and parts[::2] == [SKILLS, SKILL] and SLUG.fullmatch(parts[1]):
        return _skill(folder, parts[1], project)
    raise InvalidInput(f"{checks.shown(url)!r} is no memory address. {_THERE}")


def memory_of(url: str, store: Store) -> Memory | None:
    """The memory that an address names by its id or the end of it; None where it has another form."""
    place = url.removeprefix(SCHEME)
    if _ID.fullmatch(place):
        return _by_id(store, place)
    return _by_end(store, place) if _END.fullmatch(place) else None


def _file(folder: str, name: str, project: str) -> str:
    text = artifacts.artifact(folder, name)
    if text is None:
        raise NotFound(
            f"{name} of {project} is not written yet. Write it with: rem memory rebuild {shlex.quote(project)}"
        )
    return text


def _skills(folder: str, project: str) -> str:
    names = artifacts.skills(folder)
    if not names:
        raise NotFound(f"{project} has no skills yet; they come from ways of working that are met again")
    return "".join(f"{_address(name)}\n" for name in names)


def _skill(folder: str, name: str, project: str) -> str:
    text = artifacts.artifact(folder, artifacts.skill_file(name))
    if text is None:
        there = ", ".join(artifacts.skills(folder)[:20]) or "none"
        raise NotFound(f"{project} has no skill {name!r}; there are: {there}")
    return text


def _address(name: str) -> str:
    return f"{SCHEME}{ROOT}/{artifacts.skill_file(name)}"


def _by_id(store: Store, id: str) -> Memory:
    memory = store.get([id]).get(id)
    if memory is None:
        raise NotFound(f"There is no memory {id[:60]!r} in namespace {store.namespace!r}. See: rem list")
    return memory


def _by_end(store: Store, end: str) -> Memory:
    """The memory whose id ends so; it is looked for among all of them, since ids are found by their beginning."""
    ids: list[str] = []
    for page in store.column_pages(Selection(states=EVERY_STATE)):
        ids += (id for id in store.ids(page.rows.tolist()) if id.endswith(end))
    if len(ids) > 1:
        named = ", ".join(f"{SCHEME}{id}" for id in sorted(ids)[:_MOST_NAMED])
        raise InvalidInput(f"{len(ids)} memories have an id that ends in {end[:60]!r}: {named}. Name one of them whole")
    if not ids:
        raise NotFound(
            f"There is no memory whose id ends in {end[:60]!r} in namespace {store.namespace!r}. See: rem list"
        )
    return _by_id(store, ids[0])


def _shown(memory: Memory) -> str:
    """The memory in a frame, and then what is to be known of it; both are data."""
    if memory.state is State.QUARANTINED:
        raise NotFound(f"Memory {memory.id} is quarantined, and only a review shows it. Run: rem review")
    if memory.state is State.FORGOTTEN:
        raise NotFound(f"Memory {memory.id} was forgotten. Bring it back with: rem restore {memory.id}")
    date, source = memory.created_at.date().isoformat(), memory.source.value
    notes = [memory.state.value, memory.kind, doubt_of(memory)]
    line = Line(memory.text, source, date, memory.trust, memory.id, " ".join(note for note in notes if note))
    about = Line("; ".join(_facts(memory)), "about it", "", 1.0, memory.id)
    lines = [line, about]
    # No text can hold the digest of itself, so the boundary need not be drawn.
    boundary = blake2b(repr(lines).encode("utf-8", "replace"), digest_size=12, person=b"memory").hexdigest()
    return framed(lines, boundary=boundary)


def _facts(memory: Memory) -> list[str]:
    """What else is known of a memory, in words."""
    facts = [f"memory://{memory.id}", f"scope {memory.scope}", f"layer {memory.layer.value}"]
    if memory.origin is not None:
        facts.append(f"from {memory.origin}")
    if memory.expires_at is not None:
        facts.append(f"until {memory.expires_at.isoformat()}")
    for what, ids in (("made from", memory.lineage), ("instead of", (memory.supersedes,))):
        if named := [f"{SCHEME}{id}" for id in ids if id is not None]:
            more = f" and {len(named) - _MOST_NAMED} more" if len(named) > _MOST_NAMED else ""
            facts.append(f"{what} {', '.join(named[:_MOST_NAMED])}{more}")
    if memory.superseded_by is not None:
        facts.append(f"replaced by {SCHEME}{memory.superseded_by}")
    if memory.files:
        facts.append(f"files {', '.join(memory.files[:_MOST_NAMED])}")
    return facts
