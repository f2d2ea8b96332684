"""Voices: as whose words what a client writes is kept.

Through a server words are an AI's unless the client says otherwise, and a person's only where its grant allows that:
what a person says is believed in full and is not screened. A new text for what a person said is an AI's too, where the
client may not speak for people, and what is quarantined waits for a client that may.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from remanence.errors import Forbidden
from remanence.interfaces.calls import READ, Call
from remanence.model.memory import Source

if TYPE_CHECKING:
    from remanence.interfaces.grants import Grant
    from remanence.mind import Mind

_ADVICE = "leave source out, or make a token that may with: rem token create NAME --human"


def spoken(mind: Mind, grant: Grant, call: Call, arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments with the source that this client's words have; Forbidden where it may not speak for a person."""
    if call.effect == READ:
        return arguments
    if call.name == "review.accept" and not grant.human:
        raise Forbidden(
            "This client may not speak for people, and what is quarantined waits for a person. Accept it with: "
            "rem review accept ID, or with a token made by: rem token create NAME --human"
        )
    if call.name == "remember_many":
        items = arguments.get("items")
        if isinstance(items, (str, bytes, Mapping)) or not isinstance(items, Iterable):
            return arguments
        drafts = [dict(item) if isinstance(item, Mapping) else {"text": item} for item in items]
        return arguments | {"items": [_voiced(grant, draft) for draft in drafts]}
    if not any(argument.name == "source" for argument in call.arguments):
        return arguments
    if call.name == "revise" and arguments.get("source") is None:
        return _revised(mind, grant, arguments)
    return _voiced(grant, arguments)


def must_speak_for_people(grant: Grant, what: str) -> None:
    """Forbidden where a call may bring a person's words in and the client may not."""
    if not grant.human:
        raise Forbidden(
            f"This client may not speak for people, and {what} may bring their words in. Make a token that may with: "
            "rem token create NAME --human"
        )


def _voiced(grant: Grant, arguments: dict[str, Any]) -> dict[str, Any]:
    source = arguments.get("source")
    if source == Source.HUMAN and not grant.human:
        raise Forbidden(f"This client may not speak for people, and source is human: {_ADVICE}")
    return arguments if source is not None else arguments | {"source": grant.source}


def _revised(mind: Mind, grant: Grant, arguments: dict[str, Any]) -> dict[str, Any]:
    """A revision keeps its source, but no new text gets a person's name for nothing."""
    if grant.human or arguments.get("text") is None or mind.get(arguments["id"]).source is not Source.HUMAN:
        return arguments
    return arguments | {"source": Source.AI.value}
