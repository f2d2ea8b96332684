"""Routines: commands that are run again and again, and what is always run before a commit.

A command counts when it went through three times, in a session or in it and the ones before; `pnpm test login` and
`pnpm test cart` count for `pnpm test`. What went before two commits, and before at least half of them, is a procedure
with steps. A session tells only the routines that it had a part in.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from remanence.lifecycle.commands import changes_nothing, command_of, key_of, quoted
from remanence.lifecycle.failures import has_failed
from remanence.model.session import Observation

LEAST_TIMES = 3
LEAST_COMMITS = 2
MOST = 8
_MOST_STEPS = 6
_COMMITS = re.compile(r"(?:git (?:commit|push)|gh pr create|hg commit|jj (?:commit|git push))\b")
_USES = (
    (re.compile(r"\b(?:tests?|pytest|jest|vitest|rspec|phpunit|mocha|tox|nox|playwright|cypress)\b"), "Tests are run"),
    (re.compile(r"\b(?:lint|eslint|ruff|flake8|clippy|rubocop|mypy|tsc|typecheck|type-check)\b"), "Code is checked"),
    (re.compile(r"\b(?:format|fmt|prettier|black|gofmt|rustfmt)\b"), "Code is formatted"),
    (re.compile(r"\b(?:build|compile|bundle|make|cmake|gradle|mvn)\b"), "It is built"),
    (re.compile(r"\b(?:deploy|release|publish|rollout|terraform apply)\b"), "It is released"),
    (re.compile(r"\b(?:migrate|migration|migrations|alembic)\b"), "The database is migrated"),
    (re.compile(r"\b(?:codegen|generate|protoc)\b"), "Code is generated"),
    (re.compile(r"\b(?:dev|serve|start|up|run)\b"), "It is started"),
    (re.compile(r"\b(?:install|sync|add)\b"), "Packages are installed"),
)


@dataclass(frozen=True, slots=True)
class Routine:
    """One command, or the steps before a commit, and how often that was seen; steps also in how many sessions."""

    text: str
    times: int
    steps: tuple[str, ...] = ()
    sessions: int = 1


def routines(observations: Iterable[Observation], earlier: Iterable[Iterable[Observation]] = ()) -> list[Routine]:
    """The routines of a session, steps first, then the most frequent commands; `earlier` are sessions before it."""
    whole: Counter[str] = Counter()
    keyed: Counter[str] = Counter()
    rounds: list[tuple[int, dict[str, str]]] = []
    mine: set[str] = set()
    for number, session in enumerate(sessions := (*earlier, observations)):
        now: dict[str, str] = {}
        mine = set()
        for one in session:
            command = command_of(one)
            if command is None or changes_nothing(command) or has_failed(one):
                continue
            if _COMMITS.match(command):
                if now:
                    rounds.append((number, now))
                now = {}
                continue
            key = key_of(command)
            whole[command] += 1
            keyed[key] += 1
            mine.add(key)
            now.pop(key, None)
            now[key] = command
    is_mine = bool(rounds) and rounds[-1][0] == len(sessions) - 1
    found = _before_commits(rounds, whole) if is_mine else []
    chosen: dict[str, int] = {}
    for key, times in keyed.items():
        if times < LEAST_TIMES or key not in mine:
            continue
        alike = {command: number for command, number in whole.items() if key_of(command) == key}
        # Run with ever other words, it is the program that is usual, not one of its calls.
        often = [command for command, number in alike.items() if 2 * number > times and number >= LEAST_TIMES]
        chosen[often[0] if often else key] = times
    ranked = sorted(chosen.items(), key=lambda pair: (-pair[1], pair[0]))[:MOST]
    return found + [Routine(_told(command), times) for command, times in ranked]


def _before_commits(rounds: Sequence[tuple[int, dict[str, str]]], whole: Counter[str]) -> list[Routine]:
    """What was run before most commits, in the order of the last one that had all of it."""
    seen = Counter(key for _, one in rounds for key in one)
    usual = {key for key, times in seen.items() if times >= LEAST_COMMITS and 2 * times >= len(rounds)}
    full = [(session, one) for session, one in rounds if usual <= one.keys()]
    if len(usual) < 2 or not full:
        return []
    steps = tuple(
        command if whole[command] >= LEAST_COMMITS else key for key, command in full[-1][1].items() if key in usual
    )[-_MOST_STEPS:]
    told = " ".join(f"{number}. Run {quoted(step)}." for number, step in enumerate(steps, 1))
    said = tuple(f"Run {quoted(step)}" for step in steps)
    return [Routine(f"Before a commit: {told}", len(full), said, len({session for session, _ in full}))]


def _told(command: str) -> str:
    for use, words in _USES:
        if use.search(command):
            return f"{words} with {quoted(command)}."
    return f"The command {quoted(command)} is used again and again."
