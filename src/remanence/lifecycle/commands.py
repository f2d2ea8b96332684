"""Commands of an agent: which calls are commands or edits, when two are the same, and which change nothing.

The same command: its program and its first word, without what stands before (a change of folder, variables, sudo):
`cd api && CI=1 pnpm test checkout` and `pnpm test` are both `pnpm test`.
"""

from __future__ import annotations

import re

from remanence.model.session import TOOL, Observation

LONGEST = 160
_LONGEST_CALL = 1_000
_SHELLS = re.compile(r"bash|shell|exec|command|terminal|console|powershell|\brun\b", re.IGNORECASE)
_EDITORS = re.compile(r"edit|write|patch|replace|create_file|insert", re.IGNORECASE)
_BEFORE = re.compile(
    r"(?:cd\s+[^&;|]+(?:&&|;)\s*|(?:export\s+)?\w+=\S*\s+(?:&&\s*)?|sudo\s+(?:-\w+\s+)*|time\s+|env\s+(?=\w+=))+"
)
_LOOKING_TEXT = """
    ls cat cd pwd echo grep rg find head tail less more wc tree which type file stat du df ps env printenv date whoami
    jq sort uniq diff true sleep history man clear open fd bat awk printf test id uname
"""
_LOOKING_PAIRS_TEXT = (
    "git status|git diff|git log|git show|git branch|git add|git blame|git rev-parse|git ls-files|git remote|git fetch"
    "|sed -n|docker ps|docker logs|kubectl get|kubectl describe|kubectl logs|gh pr|gh issue|gh run|npm ls|pip list"
    "|pip show|pip freeze|cargo tree"
)
_LOOKING = frozenset(_LOOKING_TEXT.split())
_LOOKING_PAIRS = frozenset(_LOOKING_PAIRS_TEXT.split("|"))
_SPACES = re.compile(r"\s+")


def command_of(observation: Observation) -> str | None:
    """The command of a call, on one line and without what stands before it; None where it is none, or a script."""
    if observation.role != TOOL or observation.tool is None or not _SHELLS.search(observation.tool):
        return None
    call = observation.call.strip()
    if len(call) > _LONGEST_CALL or "\n" in call or "<<" in call:
        return None
    before = _BEFORE.match(call)
    command = _SPACES.sub(" ", call[before.end() :] if before else call).strip(" ;")
    is_plain = command[:1].isalnum() or command.startswith(("./", "~/", "/"))
    return command if is_plain and len(command) <= LONGEST else None


def edited(observation: Observation) -> tuple[str, ...]:
    """The files a call has changed; none where it failed or is no edit."""
    tool = observation.tool
    if observation.role != TOOL or tool is None or observation.failed or _SHELLS.search(tool):
        return ()
    if not _EDITORS.search(tool):
        return ()
    return tuple(path for line in observation.call.splitlines() if (path := line.strip()) and len(path) <= 300)[:20]


def key_of(command: str) -> str:
    """What a command goes by: its program and first word, of a longer chain the first of it."""
    words = re.split(r"\s*(?:&&|\|\||[|;])\s*", command, maxsplit=1)[0].split()
    return " ".join(words[:2])


def changes_nothing(command: str) -> bool:
    """Whether a command only looks."""
    words = command.split()
    return bool(words) and (words[0] in _LOOKING or " ".join(words[:2]) in _LOOKING_PAIRS)


def quoted(text: str) -> str:
    """A text between back quotes, which it may not hold itself."""
    return "`" + text.replace("`", "'").strip() + "`"
