"""Observations of a session, written short."""

from datetime import UTC, datetime, timedelta
from itertools import count

from remanence.model.session import ASSISTANT, TOOL, USER, Observation

START = datetime(2026, 2, 20, 9, tzinfo=UTC)


def session(*steps: Observation) -> list[Observation]:
    """The steps as one session: a minute apart, in their places."""
    numbers = count(1)
    return [
        Observation(
            role=one.role,
            text=one.text,
            at=START + timedelta(minutes=number),
            tool=one.tool,
            call=one.call,
            failed=one.failed,
            seq=number,
        )
        for one, number in zip(steps, numbers, strict=False)
    ]


def user(text: str) -> Observation:
    return Observation(role=USER, text=text, at=START)


def agent(text: str) -> Observation:
    return Observation(role=ASSISTANT, text=text, at=START)


def ran(command: str, output: str = "ok", *, failed: bool = False, tool: str = "Bash") -> Observation:
    return Observation(role=TOOL, text=output, at=START, tool=tool, call=command, failed=failed)


def edit(path: str, *, failed: bool = False) -> Observation:
    return Observation(role=TOOL, text="updated", at=START, tool="Edit", call=path, failed=failed)
