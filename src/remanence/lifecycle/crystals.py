"""Crystals: which actions go into one, what it says of them, and what was learned.

A group is what has one parent, else one project, else neither, in one scope. The narrative names every action in the
order in which they ended, each in its own words with what came of it and its files, so that nothing is lost. A lesson
is a sentence of an outcome that says what to do another time or why something was so; one that leans on what was said
before ("it", "they", "so …") is told together with the action it belongs to.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from remanence.lifecycle.coverage import ended, lost, sentences
from remanence.lifecycle.grounding import unsaid
from remanence.model.action import CANCELLED, DONE, Action
from remanence.model.checks import METADATA_BYTES, TEXT_BYTES
from remanence.model.words import folded, words

MOST_ACTIONS = 500
MOST_LESSONS = 200
UNGROUPED = "_ungrouped"
_FEWEST_WORDS = 4
_LONGEST_LESSON = 600
_LONGEST_TOPIC = 160
_ROOM = 4_096  # for the lines around the actions
_OUTCOME_BYTES = METADATA_BYTES // 2

_CUE = re.compile(
    r"""(?ix)\b(?:
    learn(?:ed|t|ing)? | lessons? | next\ time | from\ now\ on | in\ (?:the\ )?future | never | always |
    turn(?:ed|s)\ out | because | must(?:n't)? | ha(?:s|ve)\ to | make\ sure | remember\ to | watch\ out | beware |
    avoid | do(?:n't|\ not) | gotchas? | caveats? | pitfalls? | root\ cause | caused\ by | due\ to |
    the\ (?:trick|fix|cause|reason|problem)\ (?:is|was) | should(?:n't)?\ have | instead\ of | only\ works? |
    needs?\ to\ be |
    gelernt | nächstes\ mal | niemals | immer | weil | muss | ursache | stellte\ sich\ heraus |
    appris | prochaine\ fois | jamais | toujours | parce\ que | il\ faut | à\ cause |
    aprendido | aprendimos | próxima\ vez | nunca | siempre | porque | hay\ que
    )\b | 学到 | 教训 | 教訓 | 下次 | 次回 | 永远 | 必须 | 必ず | 因为 | 原因 | 決して"""
)
_LABEL = re.compile(r"(?i)^(?:lessons?(?: learn(?:ed|t))?|learn(?:ed|ing)s?|gotchas?|note|tl;dr)\s*[:–—-]\s*")
_LEANING_WORDS = """
    it its it's this that these those they them their theirs he she his her him here there then so but and or because
    also which who such both neither otherwise therefore thus hence same es das dies diese sie er il elle cela ça ce
    ello eso esto
"""
_LEANING = frozenset(_LEANING_WORDS.split())
_POINTING = frozenset(("it", "them", "they", "he", "she", "him"))

_TOLD = """
    begin began begun, bind bound, break broke broken, bring brought, build built, buy bought, choose chose chosen,
    deal dealt, do did done, draw drew drawn, find found, freeze froze frozen, get got, give gave given, go went gone,
    hold held, keep kept, lead led, leave left, make made, meet met, pay paid, rebuild rebuilt, redo redid redone,
    rewrite rewrote rewritten, run ran, see saw seen, sell sold, send sent, show showed shown, shrink shrank shrunk,
    speak spoke spoken, spend spent, take took taken, teach taught, tell told, undo undid undone, win won,
    write wrote written
"""
_TOLD_AS = {forms[0]: frozenset(forms[1:]) for forms in (line.split() for line in _TOLD.split(","))}
"""Orders, and how they are told once they are carried out."""


@dataclass(frozen=True, slots=True)
class Learned:
    """A lesson, and the actions it was learned from."""

    text: str
    action_ids: tuple[str, ...]


def in_order(actions: Iterable[Action]) -> list[Action]:
    """The actions as they ended; those that ended together as they were made."""
    return sorted(actions, key=lambda one: (one.done_at or one.created_at, one.created_at, one.id))


def groups(
    actions: Iterable[Action], now: datetime, older_than_days: float, project: str | None = None
) -> list[list[Action]]:
    """The actions that are to become one crystal each: done longer ago than that."""
    ripe = timedelta(days=older_than_days)
    found: dict[tuple[str, str, str], list[Action]] = {}
    for action in actions:
        is_ripe = action.status == DONE and action.done_at is not None and now - action.done_at > ripe
        if is_ripe and action.crystal is None and project in (None, action.project):
            found.setdefault(_place(action), []).append(action)
    ordered = map(in_order, found.values())
    return sorted(ordered, key=lambda group: (group[0].done_at or group[0].created_at, group[0].id))


def _place(action: Action) -> tuple[str, str, str]:
    if action.parent is not None:
        return action.scope, "parent", action.parent
    if action.project is not None:
        return action.scope, "project", action.project
    return action.scope, "", UNGROUPED


def parts(actions: Sequence[Action]) -> Iterator[list[Action]]:
    """The actions in runs that fit into one text each; one that fits into none is left out."""
    part: list[Action] = []
    size = 0
    for action in actions:
        more = len(_line(action).encode()) + 1
        if more > TEXT_BYTES - _ROOM:
            continue
        if part and (size + more > TEXT_BYTES - _ROOM or len(part) >= MOST_ACTIONS):
            yield part
            part, size = [], 0
        part.append(action)
        size += more
    if part:
        yield part


def narrative(actions: Iterable[Action]) -> str:
    """What was done and cancelled, in order; every action in its own words."""
    ordered = in_order(actions)
    done = sum(action.status == DONE for action in ordered)
    counts = [f"{number} {word}" for number, word in ((done, "done"), (len(ordered) - done, "cancelled")) if number]
    project = project_of(ordered)
    of = f" of project {project}" if project else ""
    ends = [action.done_at for action in ordered if action.done_at is not None]
    days = list(dict.fromkeys(f"{end:%Y-%m-%d}" for end in (ends[:1] + ends[-1:])))
    when = f", {' to '.join(days)}" if days else ""
    what = "Action" if len(ordered) == 1 else f"{len(ordered)} actions"
    return "\n".join([f"{what}{of}, {' and '.join(counts)}{when}:", *map(_line, ordered)])


def _line(action: Action) -> str:
    said = f"- {action.status.capitalize()}: {ended(action.text.strip())}"
    if action.outcome:
        said += f" {'Why' if action.status == CANCELLED else 'Outcome'}: {ended(action.outcome.strip())}"
    return said + (f" Files: {', '.join(action.files)}" if action.files else "")


def project_of(actions: Iterable[Action]) -> str | None:
    """The project all of them belong to."""
    found = {action.project for action in actions}
    return found.pop() if len(found) == 1 else None


def outcomes(actions: Iterable[Action]) -> list[str]:
    """What came of them, in order, each once, as far as there is room."""
    return fitting(action.outcome for action in in_order(actions) if action.outcome)


def fitting(outcomes: Iterable[str]) -> list[str]:
    """The first of these, each once, as many as there is room for beside other metadata."""
    kept: list[str] = []
    size = 0
    for outcome in dict.fromkeys(outcomes):
        size += len(json.dumps(outcome, ensure_ascii=False).encode()) + 2
        if size > _OUTCOME_BYTES:
            break
        kept.append(outcome)
    return kept


def lessons(actions: Iterable[Action]) -> list[Learned]:
    """Sentences of outcomes that say what was learned, in their own words, each standing alone."""
    found: dict[str, Learned] = {}
    for action in in_order(actions):
        for sentence in sentences(action.outcome or ""):
            lesson = _lesson(sentence, action)
            if lesson is None:
                continue
            known = found.get(folded(lesson))
            ids = (*known.action_ids, action.id) if known else (action.id,)
            found[folded(lesson)] = Learned(known.text if known else lesson, tuple(dict.fromkeys(ids)))
    return list(found.values())


def _lesson(sentence: str, action: Action) -> str | None:
    if _CUE.search(sentence) is None or sentence.rstrip("\"'”’») ").endswith(("?", "？")):
        return None
    said = " ".join(_LABEL.sub("", sentence).split())
    if len(said) > _LONGEST_LESSON or len(words(said)) < _FEWEST_WORDS:
        return None
    if words(said)[0] in _LEANING or not _POINTING.isdisjoint(words(said)):
        topic = " ".join((sentences(action.text) or [action.text])[0].split()).rstrip(" .!?:…")
        if len(topic) > _LONGEST_TOPIC:
            return None
        return f"{topic}: {said}"
    return said


def is_covered(told: str, actions: Iterable[Action]) -> bool:
    """Whether a narrative in other words holds what every action and its outcome say."""
    said, held = words(told), sentences(told)
    return not any(
        unsaid(sentences(text), held) or lost(_as_told(text, said), told, in_full=False)
        for action in actions
        for text in (action.text, action.outcome)
        if text
    )


def _as_told(text: str, said: Sequence[str]) -> str:
    """The text with a small first letter where the narrative tells what it orders: "Move it" is told as "moved it".

    In a capital it would be taken for a name, which the narrative then had to hold as it is.
    """
    first = (words(text) or ("",))[0]
    if first in said or not text[:1].isupper() or not text[1:2].islower():
        return text
    stem = re.sub("[ey]$", "", first)
    is_told = any(word.startswith(stem) and word.endswith(("ed", "ing", "s")) for word in said if stem)
    is_told = is_told or not _TOLD_AS.get(first, frozenset()).isdisjoint(said)
    return text[0].lower() + text[1:] if is_told else text
