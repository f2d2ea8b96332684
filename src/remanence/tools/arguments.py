"""The actions of the memory tool and their arguments: one table, for the checks and for the description.

The names are those of the library where it has the argument too. A `null` counts as not given, since models that must
name every argument send it for those they do not mean.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from remanence.errors import InvalidInput
from remanence.model import checks
from remanence.model.duration import duration_problems
from remanence.model.scope import scope_problems

MOST_SHOWN = 50
MOST_IDS = 1000
SOURCES = ("ai", "ingest", "extracted")
STATES = ("live", "archived", "forgotten")


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument: what a schema says of it, and every reason why a value is none."""

    schema: Mapping[str, Any]
    problems: Callable[[Any], list[str]]


@dataclass(frozen=True, slots=True)
class Action:
    """What an action must have, may have, of what it must have at least one, and which text may be blank."""

    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    any_of: tuple[str, ...] = ()
    blank: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return (*self.required, *self.any_of, *self.optional)


def _text(help: str) -> dict[str, Any]:
    return {"type": "string", "description": help}


def _texts(help: str) -> dict[str, Any]:
    return {"type": "array", "items": {"type": "string"}, "description": help}


def _source_problems(value: Any) -> list[str]:
    if value == "human":
        return [f"source 'human' is for people, and what a tool is given comes from a model: use {', '.join(SOURCES)}"]
    return checks.choice_problems(value, "source", SOURCES)


def _tags(name: str) -> Callable[[Any], list[str]]:
    return lambda value: checks.tags_problems(value, name)


def _label(name: str) -> Callable[[Any], list[str]]:
    return lambda value: checks.string_problems(value, name)


def _ids_problems(value: Any) -> list[str]:
    """What is no list of texts, or too long; a text that is no memory's id is not found, as in the library."""
    if not isinstance(value, (list, tuple)):
        return [f"ids must be a list of ids, not {type(value).__name__}"]
    if len(value) > MOST_IDS:
        return [f"ids has {len(value)} entries; the limit is {MOST_IDS}"]
    return [problem for item in value for problem in checks.string_problems(item, "each of ids")][:20]


ARGUMENTS: dict[str, Argument] = {
    "content": Argument(
        _text("add: one statement. extract, absorb: a text."), lambda v: checks.text_problems(v, "content")
    ),
    "query": Argument(
        _text("recall: what to look for. forget: words they all hold."), lambda v: checks.text_problems(v, "query")
    ),
    "id": Argument(_text("A memory's id."), _label("id")),
    "ids": Argument(_texts("Memories' ids."), _ids_problems),
    "receipt": Argument(_text("restore: all that this receipt took out."), _label("receipt")),
    "scope": Argument(_text("A path such as /project/api; holds what is below it."), scope_problems),
    "kind": Argument(_text("add, list: fact, preference, decision, bug, …"), _label("kind")),
    "kinds": Argument(_texts("recall, forget: only these."), _tags("kinds")),
    "categories": Argument(_texts("Tags; as a filter, any of them."), _tags("categories")),
    "concepts": Argument(_texts("add, absorb: who or what it is about."), _tags("concepts")),
    "files": Argument(_texts("add, absorb: paths it refers to."), _tags("files")),
    "importance": Argument(
        {"type": "number", "minimum": 0, "maximum": 1}, lambda v: checks.number_problems(v, "importance", 0, 1)
    ),
    "ttl": Argument(_text("How long it holds: 12h, 30d, 6m (months)."), lambda v: duration_problems(v, "ttl")),
    "source": Argument({"type": "string", "enum": list(SOURCES)}, _source_problems),
    "older_than": Argument(_text("forget: 30d, 6m (months)."), lambda v: duration_problems(v, "older_than")),
    "since": Argument(_text("recall: 7d, last week, 2026-03-01."), _label("since")),
    "until": Argument(_text("recall: likewise."), _label("until")),
    "state": Argument({"type": "string", "enum": list(STATES)}, lambda v: checks.choice_problems(v, "state", STATES)),
    "limit": Argument(
        {"type": "integer", "minimum": 1, "maximum": MOST_SHOWN},
        lambda v: checks.integer_problems(v, "limit", 1, MOST_SHOWN),
    ),
    "offset": Argument({"type": "integer", "minimum": 0}, lambda v: checks.integer_problems(v, "offset", 0)),
}

_WRITING = ("scope", "kind", "categories", "concepts", "files", "importance", "ttl", "source")
ACTIONS: dict[str, Action] = {
    "add": Action(required=("content",), optional=_WRITING),
    "extract": Action(required=("content",), blank=("content",)),
    "absorb": Action(required=("content",), optional=_WRITING, blank=("content",)),
    "recall": Action(required=("query",), optional=("scope", "limit", "kinds", "categories", "since", "until")),
    "list": Action(optional=("scope", "state", "kind", "limit", "offset")),
    "explain": Action(required=("id",)),
    "forget": Action(any_of=("ids", "scope", "older_than", "categories", "kinds", "query")),
    "restore": Action(any_of=("ids", "receipt")),
}


def checked(
    action: object,
    arguments: Mapping[str, Any],
    actions: Mapping[str, Action] = ACTIONS,
    described: Mapping[str, Argument] = ARGUMENTS,
) -> dict[str, Any]:
    """The arguments that are given; InvalidInput with every problem."""
    known = actions.get(action) if isinstance(action, str) else None
    if known is None:
        raise InvalidInput(f"action {checks.shown(action)!r} is not one of {', '.join(actions)}")
    given = {name: _whole(value) for name, value in arguments.items() if value is not None}
    takes = ", ".join(known.names)
    problems = [
        f"{action} knows no argument {checks.shown(n)!r}; it takes {takes}" for n in given if n not in known.names
    ]
    problems += [f"{action} needs {name}" for name in known.required if name not in given]
    if known.any_of and not given.keys() & set(known.any_of):
        problems.append(f"{action} needs at least one of {', '.join(known.any_of[:-1])} or {known.any_of[-1]}")
    if action == "restore" and {"ids", "receipt"} <= given.keys():
        problems.append("restore takes ids or a receipt, not both")
    for name, value in given.items():
        if name in known.names and not (name in known.blank and isinstance(value, str) and not value.strip()):
            problems += described[name].problems(value)
    if problems:
        raise InvalidInput(problems)
    return given


def _whole(value: Any) -> Any:
    """5.0 as 5: to JSON they are the same number."""
    return int(value) if isinstance(value, float) and value.is_integer() else value
