"""The table of calls: all that a served mind can do, each with its place in the REST API. Doors and clients read it.

`effect` says what a call may change: read, write or destroy. `reach` says how a client that is kept to a scope is held
there: new (what it writes goes into the scope), within (a filter is narrowed), project, session, receipt, plan, open
(nothing of anybody's is read) or whole (such a client may not). Ids are looked at in every call. An argument's shape
goes by its name, or by the name after a colon; a star marks those that must be given.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from remanence.interfaces.shapes import SHAPES, Shape
from remanence.interfaces.verbs import VERBS

if TYPE_CHECKING:
    from remanence.mind import Mind

READ, WRITE, DESTROY = "read", "write", "destroy"
_IN_PATH = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a call: its name in Mind's own signature, and its shape."""

    name: str
    shape: Shape
    required: bool = False
    shape_name: str = ""

    @property
    def holds_ids(self) -> bool:
        """Whether it names memories by id."""
        return self.shape_name in ("id", "ids", "lineage", "like", "by", "parent", "action_ids")

    @property
    def is_many(self) -> bool:
        """Whether it may be one or a list, and so may stand in a query several times."""
        return any(one.get("type") == "array" for one in self.shape.get("anyOf", ()))


Rule = tuple[Shape, str]
"""What must hold between arguments, and the same in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call: its name on Mind ("review.accept"), what it is given, what it answers with, and where REST has it."""

    name: str
    method: str
    path: str
    arguments: tuple[Argument, ...]
    answer: str
    effect: str = READ
    reach: str = "within"
    paged: str = ""
    """How REST pages through it: place, journal, receipts or offset; empty where it does not."""
    long: bool = False
    """It may take as long as it takes: no time limit holds for it."""
    help: str = ""
    rules: tuple[Rule, ...] = ()
    """What holds between arguments, besides the shape of each."""

    @property
    def schema(self) -> Shape | None:
        """All of its rules as one."""
        schemas = [schema for schema, _ in self.rules]
        return {"allOf": schemas} if len(schemas) > 1 else next(iter(schemas), None)

    @property
    def in_path(self) -> tuple[str, ...]:
        return tuple(_IN_PATH.findall(self.path))

    def on(self, mind: Mind) -> Any:
        """The method of a mind."""
        found: Any = mind
        for part in self.name.split("."):
            found = getattr(found, part)
        return found


_HELP = {verb.method: verb.help for verb in VERBS}


def answer_type(method: Callable[..., Any]) -> Any:
    """The type that a method of Mind answers with, as it says itself."""
    from remanence.model.entity import Entity, Portrait

    # What modules import for type checkers alone is not in their globals.
    known = {"Entity": Entity, "Portrait": Portrait}
    # A text of our own source, never of a caller.
    return eval(inspect.get_annotations(method)["return"] or "None", {**known, **method.__globals__})  # nosec B307


def arguments_of(spec: str) -> Iterator[Argument]:
    for word in spec.split():
        name, _, shape = word.removesuffix("*").partition(":")
        yield Argument(name, SHAPES[shape or name], word.endswith("*"), shape or name)


def call_of(
    name: str, route: str, spec: str, answer: str, effect: str = READ, reach: str = "within", **rest: Any
) -> Call:
    method, path = route.split()
    rest.setdefault("help", _HELP.get(name, ""))
    return Call(
        name=name,
        method=method,
        path=path,
        arguments=tuple(arguments_of(spec)),
        answer=answer,
        effect=effect,
        reach=reach,
        **rest,
    )
