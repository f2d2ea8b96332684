"""Names of embedders and language models, those that other packages offer, and the options that both have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from remanence.errors import InvalidInput, RemanenceError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

LONGEST_TIMEOUT_SECONDS = 600.0
_LONGEST_NAME = 200


def name_of(brought: Any) -> str:
    """Its `model`, `model_name` or `name`; else where it is defined, which names code and not weights."""
    for owner in (brought, getattr(brought, "__self__", None)):
        for attribute in ("model", "model_name", "name"):
            name = getattr(owner, attribute, None)
            if isinstance(name, str) and is_name(name):
                return name
    home = brought if hasattr(brought, "__qualname__") else type(brought)
    return f"{home.__module__}.{home.__qualname__}"[:_LONGEST_NAME]


def is_name(name: str) -> bool:
    return bool(name.strip()) and len(name) <= _LONGEST_NAME and name.isprintable()


def shown(value: object) -> str:
    """A value as it may stand in a message: short, and of an object its type alone."""
    text = repr(value) if isinstance(value, str | int | float) else type(value).__name__
    return text if len(text) <= 60 else text[:57] + "..."


def entry_point(group: str, name: str, *, what: str, allowed: str) -> EntryPoint:
    """The entry point of that name, not yet loaded; InvalidInput lists those that are installed."""
    from importlib.metadata import entry_points

    known = entry_points(group=group)
    for entry in known:
        if entry.name == name:
            return entry
    others = ", ".join(sorted({entry.name for entry in known})) or "none"
    raise InvalidInput(f"{allowed}; no {what} is installed under the name {shown(name)} (installed: {others})")


def loaded(entry: EntryPoint, method: str, arguments: str, *, what: str, failure: type[RemanenceError]) -> Any:
    """What an entry point offers: a class or factory is called, what already has the method is taken as it is."""
    who = f"The {what} {entry.name!r} ({entry.value})"
    try:
        found: Any = entry.load()
        if isinstance(found, type) or not callable(getattr(found, method, None)):
            found = found()
    except Exception as error:  # code of others: whatever it raises, this is the one line about it
        raise failure(f"{who} cannot be loaded: {type(error).__name__}.") from error
    if not callable(getattr(found, method, None)) and not callable(found):
        raise failure(f"{who} has no method {method}({arguments}).")
    return found


def option_problems(model: object, timeout_seconds: object) -> list[str]:
    """What is wrong with the options that embedders and language models share."""
    problems = []
    if model is not None and not (isinstance(model, str) and is_name(model)):
        problems.append(f"model must be a name of 1 to {_LONGEST_NAME} printable characters")
    number = isinstance(timeout_seconds, int | float) and not isinstance(timeout_seconds, bool)
    if not number or not 0 < timeout_seconds <= LONGEST_TIMEOUT_SECONDS:  # type: ignore[operator]
        problems.append(
            f"timeout_seconds must be above 0 and at most {LONGEST_TIMEOUT_SECONDS:g}, not {shown(timeout_seconds)}"
        )
    return problems
