"""The prompts: guidance for a session of a project, and what waits for review, told without showing it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from remanence.errors import InvalidInput
from remanence.model import checks


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt as it is listed, and its arguments with what each is; none is required."""

    title: str
    about: str
    arguments: dict[str, str]


PROMPTS = {
    "guidance": Prompt(
        "Project guidance",
        "What is remembered of a project, for the beginning of a session.",
        {"project": "A scope such as /project/api, or its name; default: the project you are in."},
    ),
    "review": Prompt("Review", "How much waits for a person's review, and how to review it.", {}),
}
_NOTHING = "Nothing is remembered of this project yet."


def text_of(mind: Any, name: str, arguments: dict[str, str], project: str | Path) -> str:
    """What a prompt says now."""
    known = PROMPTS[name].arguments
    if unknown := [one for one in arguments if one not in known]:
        takes = ", ".join(known) or "none"
        raise InvalidInput([f"{name} knows no argument {checks.shown(one)!r}; it takes {takes}" for one in unknown])
    if name == "guidance":
        return mind.guidance(_named(arguments.get("project"), project)) or _NOTHING
    return _waiting(mind)


def _named(named: str | None, project: str | Path) -> str | Path:
    """The project a client names: a scope or a name, never a folder of this machine."""
    if named is None or not named.strip():
        return project
    if problems := checks.string_problems(named, "project"):
        raise InvalidInput(problems)
    if named.startswith((".", "~")):
        raise InvalidInput(
            f"project {checks.shown(named)!r} must be a scope such as /project/api, or a name such as api"
        )
    return named if named.startswith("/") else f"/project/{named}"


def _waiting(mind: Any) -> str:
    held, doubted = mind.review.count(), len(mind.review.challenged(limit=1000))
    if not held and not doubted:
        return "Nothing waits for review. Tell the person so."
    said = [
        f"{held:,} quarantined: texts that read like instructions. They are not recalled, and no model sees them.",
        f"{doubted:,} challenged: memories that contradict each other.",
    ]
    return (
        "These memories wait for a person's review:\n"
        + "".join(f"- {line}\n" for line in said if not line.startswith("0 "))
        + "\nTell the person how many there are, and to look at them in a terminal with: rem review\n"
        "There each is accepted or rejected. Only a person may decide; do not try to do it for them."
    )
