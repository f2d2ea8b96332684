"""Playbooks that a user tells: a lead that says when, and a list of steps, in a line or below each other.

"To deploy: 1. Run `make build`. 2. Run `make push`." Each step reads like a request of the moment, so they are taken
out of a turn before it is read sentence by sentence. A list without such a lead ("Please do this: 1. …") is a request.
"""

from __future__ import annotations

import re

from remanence.lifecycle.procedures import procedure_of, text_of
from remanence.model.consolidation import Procedure

PLAYBOOK = "playbook"
"""What stage 1 takes them to be."""
LEAST_STEPS = 2
_LEAD = (
    r"(?!(?:steps )?to repro)(?:(?:always|immer),? )?"
    r"(?:to|before|after|when(?:ever)?|every time|each time|for (?:a|an|every|each)|how (?:to|we|you)|steps (?:to|for)"
    r"|(?:our|the) [^:\n]{0,60}?(?:process|procedure|steps|workflow|checklist|routine|order)\b"
    r"|um|bevor|vor (?:dem|der|jedem|jeder)|wenn|pour|avant|quand|para|antes de|cuando)\b[^:：\n.?!]{0,100}[:：]"
)
_ITEM = r"(?:\d{1,2}[.)]|[-*•])[ \t]+\S[^\n]*"
_PLAYBOOK = re.compile(
    rf"(?:(?<=[.!?] )|^[ \t]*)(?P<lead>{_LEAD})"
    rf"(?:[ \t]*\(?1[.)][ \t][^\n]{{1,400}}?\b2[.)][ \t][^\n]*|[ \t]*(?:\n[ \t]*{_ITEM}){{{LEAST_STEPS},20}})",
    re.IGNORECASE | re.MULTILINE,
)
_NUMBER = re.compile(r"\b\d{1,2}[.)][ \t]")
_ENDED = re.compile(r"(?<=[.!?])[ \t]+(?=[A-ZÄÖÜÉÀ])")


def playbooks_of(turn: str) -> tuple[list[tuple[str, Procedure]], str]:
    """The playbooks of a turn, each in one line with its steps, and the turn without them."""
    found: list[tuple[str, Procedure]] = []

    def taken(match: re.Match[str]) -> str:
        whole, rest = match[0], ""
        if "\n" not in whole:  # what follows the last step in the same line is no step
            last = max(number.end() for number in _NUMBER.finditer(whole))
            if (end := _ENDED.search(whole, last)) is not None:
                whole, rest = whole[: end.start()], whole[end.start() :]
        procedure = procedure_of(whole.strip())
        if procedure is None or len(procedure.steps) < LEAST_STEPS:
            return match[0]
        found.append((text_of(procedure), procedure))
        return f" {rest}"

    return found, _PLAYBOOK.sub(taken, turn)
