"""Guidance: what the next session of a project is told, as one block for its prompt.

Made of what is remembered now, most worthy first, in a frame that marks it as data; around it stands how far memory is
to be believed and how it is cited. What holds for every project may take a quarter of the budget, playbooks and
synopses of sessions a fifth, and more where the rest leaves room. A long memory is shown by its beginning. The block
never has more tokens than its budget: where not even the beginning of one memory fits, there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from remanence.errors import RemanenceError
from remanence.flows.context import doubt_of
from remanence.guard.framing import FIRST, Line, fitting, framed, neutralised
from remanence.model.memory import Memory
from remanence.model.policy import Policy
from remanence.model.words import estimate_tokens
from remanence.providers.prompts import Prompts
from remanence.sessions import artifacts
from remanence.sessions.choosing import Gathered, gathered
from remanence.store.protocol import Store

PROMPT = "read_path"
LONGEST_STATEMENT = 500
LONGEST_SYNOPSIS = 400
MOST_GENERAL = 100
MOST_SESSIONS = 10
MOST_SKILLS = 30
_GENERAL_SHARE = 4
_TAIL_SHARE = 5
_WHERE_SHARE = 4
_LEAST_TOKENS_OF_LINE = 16
_NAMES_TOKENS = 24
_MOST_STATEMENTS = 5_000


class Told(NamedTuple):
    """The lines of a block: statements, most worthy first, what follows them, and how many more there are."""

    statements: Sequence[Line]
    tail: Sequence[Line]
    more: int


def guidance(
    store: Store,
    policy: Policy,
    scope: str,
    now: datetime,
    budget_tokens: int,
    boundary: str,
    folder: str,
    prompts: Prompts,
) -> str:
    """The block of at most so many tokens; "" where nothing is remembered, or nothing of it fits."""
    most = min(_MOST_STATEMENTS, budget_tokens // _LEAST_TOKENS_OF_LINE)
    if most < 1:
        return ""
    found = gathered(
        store, policy, scope, now, most=most, most_general=min(most, MOST_GENERAL), most_sessions=MOST_SESSIONS
    )
    documents, skills = _on_disk(folder)
    told = lines_of(found, skills, budget_tokens)
    return block(told, where_of(folder) if documents else "", boundary, budget_tokens, prompts)[0]


def lines_of(found: Gathered, skills: Iterable[str], budget_tokens: int) -> Told:
    """What was gathered as lines of a frame; what is not the project's own in its share of the budget."""
    room = budget_tokens // _GENERAL_SHARE
    statements, left_out = [], 0
    for memory in found.statements:
        line = _line(memory, LONGEST_STATEMENT)
        if memory.id in found.general:
            room -= estimate_tokens(line.text) + _NAMES_TOKENS
            if room < 0:
                left_out += 1
                continue
        statements.append(line)
    playbooks = [
        Line(f"memory://root/{artifacts.skill_file(name)}", source="skill", date="", trust=1.0, id="")
        for name in list(skills)[:MOST_SKILLS]
    ]
    synopses = [_line(memory, LONGEST_SYNOPSIS) for memory in found.sessions[:MOST_SESSIONS]]
    return Told(statements, [*playbooks, *synopses], found.more + left_out)


def where_of(folder: str) -> str:
    """Where more is to be read, and how."""
    path = " ".join(neutralised(str(Path(folder) / artifacts.MEMORY)).split())
    return f"More stands in memory://root/MEMORY.md ({path}). Read an address with: rem read ADDRESS"


def block(told: Told, where: str, boundary: str, budget_tokens: int, prompts: Prompts) -> tuple[str, int]:
    """The block, and how many of the statements it shows; playbooks and synopses follow them."""
    if not told.statements and not told.tail:
        return "", 0
    if _WHERE_SHARE * estimate_tokens(where) > budget_tokens:
        where = ""

    def rendered(frame: str) -> str:
        return prompts.render(PROMPT, memory_summary=f"{where}\n\n{frame}" if where else frame).strip()

    room = budget_tokens - estimate_tokens(rendered(""))
    reserved = 0
    for line in told.tail:
        tokens = estimate_tokens(line.text) + _NAMES_TOKENS
        if reserved + tokens > budget_tokens // _TAIL_SHARE:
            break
        reserved += tokens
    number = 0
    if told.statements and room > 0:
        number = max(1, fitting(told.statements, boundary=boundary, budget_tokens=max(1, room - reserved)))
    lines = [*told.statements[:number], *told.tail]
    text, shown = _fitted(lines, boundary, budget_tokens, room, told.more + len(told.statements) - number, rendered)
    return text, min(shown, number)


def _fitted(
    lines: Sequence[Line],
    boundary: str,
    budget_tokens: int,
    room: int,
    left_out: int,
    rendered: Callable[[str], str],
) -> tuple[str, int]:
    """As many of the lines as fit, from the first, and how many that are; ("", 0) where that is none.

    The estimate of a whole is not the sum of its parts', so what is too much is taken off until the whole fits.
    """
    while room > 0:
        frame = framed(lines, boundary=boundary, budget_tokens=room, left_out=left_out)
        number = frame.count("\n" + FIRST)
        if not number:
            break
        text = rendered(frame)
        over = estimate_tokens(text) - budget_tokens
        if over <= 0:
            return text, number
        room = min(room, estimate_tokens(frame)) - over
    return "", 0


def _line(memory: Memory, longest: int) -> Line:
    notes = [memory.kind, doubt_of(memory)]
    if memory.expires_at is not None:
        notes.append(f"until {memory.expires_at.date().isoformat()}")
    return Line(
        text=shortened(memory.text, longest),
        source=memory.source.value,
        date=memory.created_at.date().isoformat(),
        trust=memory.trust,
        id=memory.id,
        note=" ".join(note for note in notes if note),
    )


def shortened(text: str, longest: int) -> str:
    """The text, or its beginning."""
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"


def _on_disk(folder: str) -> tuple[bool, list[str]]:
    """Whether there are documents, and the names of the skills; what cannot be read is not told of."""
    try:
        return artifacts.artifact(folder, artifacts.MEMORY) is not None, artifacts.skills(folder)
    except RemanenceError:
        return False, []
