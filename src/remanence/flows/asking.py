"""Asking a language model about memories: they are shown as data between boundaries, and the answer fits a schema."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from remanence.errors import InvalidInput, LlmFailed

if TYPE_CHECKING:
    from remanence.flows.extract import Model


def asked(
    model: Model,
    prompt: str,
    schema: Mapping[str, Any],
    memories: Iterable[str],
    most_tokens: int,
    **variables: str,
) -> Any:
    """The answer to the prompt `NAME_system` and `NAME_input` with these memories, a line each; or LlmFailed."""
    if not model.writer.available():
        raise LlmFailed("the language model is left alone for a while after failures.")
    boundary = model.boundary()
    lines = "\n".join(" ".join(text.split()).replace(boundary, "") for text in memories)
    try:
        system = model.prompts.render(f"{prompt}_system")
        given = model.prompts.render(f"{prompt}_input", memories=lines, boundary=boundary, **variables)
    except InvalidInput as wrong:
        raise LlmFailed(f"its prompts cannot be used: {wrong}.") from None
    return model.writer.json(given, schema, system=system, most_tokens=most_tokens)
