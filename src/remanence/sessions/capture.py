"""Capture: whatever tells of a session, its observations come in here: legible, without secrets, cut to size.

An observation that says nothing, or nothing but a text that was purged, is left out. The session is made where there is
none yet, and goes on where it had ended.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from remanence.flows.door import secret_problems
from remanence.guard.legible import legible
from remanence.guard.secrets import redact
from remanence.model import checks
from remanence.model.moment import moment_problems
from remanence.model.scope import scope_problems
from remanence.model.session import (
    LONGEST_NAME,
    MOST_RETURNED,
    MOST_SAID,
    ROLES,
    TOOL,
    Observation,
    fitted,
    id_problems,
)
from remanence.sessions.envelope import cut
from remanence.store.protocol import Store

_MARK = 100
"""Room for the words that say how much was left out."""


def capture(
    store: Store,
    id: str,
    project: str,
    agent: str,
    observations: Iterable[Observation],
    at: datetime,
    *,
    via: str,
    transcript: str | None = None,
    personal: Collection[str] = (),
) -> int:
    """Keep what was observed in a session that there is; how many observations were new."""
    said = [kept for one in observations if (kept := cleaned(one, personal)) is not None]
    return keep(store, id, project, agent, said, at, via=via, transcript=transcript)


def keep(
    store: Store,
    id: str,
    project: str,
    agent: str,
    said: Sequence[Observation],
    at: datetime,
    *,
    via: str,
    transcript: str | None = None,
) -> int:
    """The same, of observations that are clean; how many were new."""
    with store.transaction(memories=False):
        store.sessions.begin(id, project, agent, at, transcript=transcript)
        purged = store.tombstones([one.text for one in said if one.text])
        return store.sessions.append(id, [one for one in said if one.text not in purged], via)


def cleaned(observation: Observation, personal: Collection[str] = ()) -> Observation | None:
    """The observation as it may be stored; None where it says nothing."""
    return sifted(observation, personal)[0]


def sifted(observation: Observation, personal: Collection[str] = ()) -> tuple[Observation | None, Mapping[str, int]]:
    """The same, with how many secrets of each kind were taken out."""
    most = MOST_RETURNED if observation.role == TOOL else MOST_SAID
    # Cut before and after: no detector reads megabytes, and no cut halves a secret that it has not seen.
    text = redact(cut(legible(observation.text), most - _MARK), personal=personal)
    call = redact(cut(legible(observation.call), MOST_RETURNED - _MARK), personal=personal)
    counts = Counter(text.counts) + Counter(call.counts) if text.counts or call.counts else {}
    if not text.text.strip() and not call.text.strip():
        return None, counts
    return fitted(replace(observation, text=text.text, call=call.text)), counts


def session_problems(id: object, project: object, agent: object) -> list[str]:
    """Why a session cannot be called so."""
    problems = id_problems(id) + scope_problems(project, "project")
    problems += checks.string_problems(agent, "agent", LONGEST_NAME)
    # An id is whatever its host drew, and luck may look like a secret.
    return problems or secret_problems(project=str(project), agent=str(agent))


def observation_problems(observations: Sequence[Observation]) -> list[str]:
    """Why these cannot be observations of a session."""
    problems: list[str] = []
    for one in observations:
        problems += checks.choice_problems(one.role, "role", ROLES)
        problems += moment_problems(one.at, "at")
        problems += [
            f"{name} must be text, not {type(value).__name__}"
            for name, value in (("text", one.text), ("call", one.call))
            if not isinstance(value, str)
        ]
        for name, value in (("tool", one.tool), ("key", one.key)):
            problems += [] if value is None else checks.string_problems(value, name, LONGEST_NAME)
        problems += secret_problems(tool=one.tool) if isinstance(one.tool, str) else []
    return problems
