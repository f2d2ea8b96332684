"""Commands of an agent: which calls are commands or edits, when two are the same, and which change nothing.

The same command: its program and its first word, without what stands before (a change of folder, variables, sudo):
`cd api && CI=1 pnpm test checkout` and `pnpm test` are both `pnpm test`. Of a runner it is what it runs: `uv run
pytest`.
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
_RUNNER = re.compile(
    r"(?:(?:uv|poetry|pipenv|hatch|rye|pdm|pixi|conda) run|(?:npm|pnpm|yarn|bun|deno) (?:run|exec|dlx)|npx|bunx|"
    r"bundle exec|python3? -m|python3? \S+\.py|php artisan|docker compose|docker-compose|make -C \S+|kubectl -n \S+)"
    r"\s+"
)
_KEEPING = re.compile(
    r"git (?!checkout|stash pop|stash apply|reset|revert|merge|rebase|pull|submodule|lfs|cherry-pick|clean|config)"
    r"|gh |docker(?:-| )compose (?:ps|logs|config)|helm (?:history|list|status|get)"
    r"|kubectl (?:rollout status|top|explain)|terraform (?:plan|show|validate|output)"
    r"|(?:\S+ ){0,2}(?:prettier|black|gofmt|rustfmt|fmt|format)\b"
)
_SENDING = re.compile(r"\s(?:-X|-d|-F|-T|-o|-O|--data|--request|--output|--form|--upload)")
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
    first = re.split(r"\s*(?:&&|\|\||[|;])\s*", command, maxsplit=1)[0]
    runner = _RUNNER.match(first)
    head, rest = (
        (runner[0].split(), first[runner.end() :].split()) if runner else (first.split()[:1], first.split()[1:])
    )
    named = next((word for word in rest if not word.startswith("-")), None) if runner else next(iter(rest), None)
    if named is None or (not runner and re.search(r"^-|[/.=]", named)):
        return " ".join(head)
    return " ".join([*head, named])


def changes_nothing(command: str) -> bool:
    """Whether a command only looks."""
    words = command.split()
    return bool(words) and (words[0] in _LOOKING or " ".join(words[:2]) in _LOOKING_PAIRS)


def mends_nothing(command: str) -> bool:
    """Whether a command cannot be what resolved a failure: it only looks, keeps or prettifies."""
    if changes_nothing(command) or _KEEPING.match(command):
        return True
    return command.startswith("curl") and _SENDING.search(command) is None


def quoted(text: str) -> str:
    """A text between back quotes, which it may not hold itself."""
    return "`" + text.replace("`", "'").strip() + "`"
