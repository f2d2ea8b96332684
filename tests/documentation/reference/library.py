"""The reference pages of the library: Mind and its parts by signature and docstring; the values they answer with."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
import textwrap
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import StrEnum
from typing import Any

import remanence.model
from remanence import Mind
from remanence.aio import FACETS, NOT_AWAITED, AsyncMind
from remanence.facets.policies import Used
from remanence.flows.meaning import Drained
from remanence.interfaces.verbs import VERBS

HEAD = """# Library

{written}

```python
from remanence import AsyncMind, Mind, errors

with Mind(":memory:") as mind:
    print(mind.remember("Deploys need a green build", kind="decision").outcome)
```

What verbs answer with has a [page of its own](values.md). Everything here holds for a store of your own, for one in
PostgreSQL, and for one behind a server ([what differs there](../howto/client.md#what-is-different)). What can go wrong:
[errors](errors.md). What the words mean: [concepts](../concepts/README.md).
"""
GROUPS = {
    "Mind": "Writing, reading, applying",
    "ByHand": "By hand",
    "Ageing": "Ageing",
    "Dreaming": "Dreaming",
    "Working": "Actions and crystals",
    "Guiding": "Guidance",
    "OnRequest": "Forgetting and erasing",
    "Chronicle": "What happened",
    "Care": "Care",
}
"""Mind's classes and what their verbs are for."""
AMONG_THEMSELVES = {
    "absorbing": {"asking", "boundary"},
    "actions": {"auto_crystallize", "crystallize"},
    "artifacts": {"guidance", "named", "refresh", "remove", "scope"},
    "dreams": {"is_overdue", "night"},
    "meaning": {"close", "complete", "settle", "want_reembedded", "work_off"},
    "policies": {"past", "stats", "take_back"},
    "sessions": {"drain", "drain_all", "pipeline"},
}
"""What the parts of a mind and its doors use among themselves: no promise to anybody."""


ARGUMENTS = {verb.method: verb.parameters for verb in VERBS if verb.parameters}


def page(written: str) -> str:
    seen: list[str] = []
    lines = [HEAD.format(written=written), "## Mind", "", *_constructor(), ""]
    for cls in Mind.__mro__:
        if cls.__name__ not in GROUPS:
            continue
        lines += [f"### {GROUPS[cls.__name__]}", ""]
        lines += _members(cls, "mind", seen, vars(cls))
    lines += ["## The parts of a mind", "", "Each is an attribute of a mind.", ""]
    for name, cls in FACETS.items():
        lines += [f"### mind.{name}", "", _doc(cls), ""]
        lines += _members(cls, f"mind.{name}", seen, vars(cls), AMONG_THEMSELVES.get(name, set()))
    lines += ["## AsyncMind", "", _doc(AsyncMind), "", _asynchronous(), ""]
    return "\n".join(lines)


def values_page(written: str) -> str:
    seen: list[str] = []
    for cls in (*(cls for cls in Mind.__mro__ if cls.__name__ in GROUPS), *FACETS.values()):
        list(_members(cls, "", seen, vars(cls)))
    return "\n".join([VALUES.format(written=written), *(line for value in _values(seen) for line in _value(value))])


VALUES = """# Values

{written}

What the verbs of the [library](library.md) answer with. They do not change; most have `to_dict()`, which gives what the
command line prints with `--json`. Words such as a state or an outcome compare equal to their strings:
`memory.state == "live"`.
"""


def _constructor() -> list[str]:
    closing = "A mind is a context manager; `close()` may be called more than once."
    return [_code("Mind", inspect.signature(Mind.__init__)), "", _doc(Mind), "", closing]


def _asynchronous() -> str:
    left_out = ", ".join(f"`{name}`" for name in NOT_AWAITED)
    return (
        "It has every method above, and those of the parts, with the same arguments, as coroutines: `await "
        f'mind.recall("deploys")`, `await mind.review.list()`. Only {left_out} is missing. A property of a part is '
        "awaited too: `await mind.policies.current`."
    )


def _members(cls: type, owner: str, seen: list[str], own: Any, left_out: Any = ()) -> Iterator[str]:
    for name, member in own.items():
        member = getattr(member, "__func__", member)
        if name.startswith("_") or name in left_out or name == "close" or not _doc(member):
            continue
        if inspect.isfunction(member):
            signature = inspect.signature(member)
            seen += _names(signature)
            yield from (f"#### {owner}.{name}", "", _code(f"{owner}.{name}", signature), "", _doc(member), "")
            if owner == "mind" and name in ARGUMENTS:
                yield from ("| argument | |", "|---|---|", *_arguments(name, signature), "")
        elif isinstance(member, property):
            answer = inspect.signature(member.fget).return_annotation if member.fget else ""
            seen += re.findall(r"\w+", str(answer))
            yield from (f"#### {owner}.{name}", "", f"A property, `{_type(answer)}`. {_doc(member)}", "")


def _arguments(name: str, signature: inspect.Signature) -> Iterator[str]:
    """What the table of verbs says of the arguments that the method has too."""
    for one in ARGUMENTS[name]:
        if one.name in signature.parameters or any(p.kind is p.VAR_KEYWORD for p in signature.parameters.values()):
            text = re.sub(r"; '-' reads it from standard input", "", one.help)
            yield f"| `{one.name}` | {text}{' One of ' + ', '.join(one.choices) + '.' if one.choices else ''} |"


def _names(signature: inspect.Signature) -> list[str]:
    return re.findall(r"\w+", str(signature.return_annotation))


def _doc(thing: object) -> str:
    own = getattr(thing, "__doc__", None)
    return inspect.cleandoc(own) if own else ""


def _code(name: str, signature: inspect.Signature) -> str:
    shown = [str(one) for one in _parameters(signature)]
    answer = signature.return_annotation
    ending = "" if answer in ("None", inspect.Signature.empty) else f" -> {answer}"
    line = f"{name}({', '.join(shown)}){ending}"
    if len(line) > 84:
        line = f"{name}(\n" + textwrap.indent(",\n".join(_lines(shown)), "    ") + f",\n){ending}"
    return f"```text\n{line}\n```"


def _lines(shown: list[str]) -> list[str]:
    joined: list[str] = []
    for one in shown:
        if joined and len(joined[-1]) + len(one) < 78:
            joined[-1] += f", {one}"
        else:
            joined.append(one)
    return joined


def _parameters(signature: inspect.Signature) -> Iterator[str]:
    starred = False
    for one in signature.parameters.values():
        if one.name == "self":
            continue
        if one.kind is one.VAR_POSITIONAL:
            starred = True
        if one.kind is one.KEYWORD_ONLY and not starred:
            starred = True
            yield "*"
        star = {one.VAR_POSITIONAL: "*", one.VAR_KEYWORD: "**"}.get(one.kind, "")
        shown = f"{star}{one.name}"
        if one.annotation not in (one.empty, "Any") and not star:
            shown += f": {one.annotation}"
        yield shown if one.default is one.empty else f"{shown} = {one.default!r}"


def _type(annotation: object) -> str:
    return str(annotation).replace("tuple[()]", "()").replace(" | ", " or ")


# -- values


def _classes() -> dict[str, type]:
    found: dict[str, type] = {"Drained": Drained, "Used": Used}
    for module in pkgutil.iter_modules(remanence.model.__path__):
        loaded = importlib.import_module(f"remanence.model.{module.name}")
        for name, cls in inspect.getmembers(loaded, inspect.isclass):
            if cls.__module__ == loaded.__name__ and not name.startswith("_"):
                found[name] = cls
    return found


def _values(seen: list[str]) -> list[type]:
    known = _classes()
    chosen: dict[str, type] = {}
    waiting = [name for name in seen if name in known]
    while waiting:
        name = waiting.pop()
        if name in chosen:
            continue
        chosen[name] = known[name]
        waiting += [
            one for text in _annotations(known[name]).values() for one in re.findall(r"\w+", text) if one in known
        ]
    return [chosen[name] for name in sorted(chosen)]


def _annotations(cls: type) -> dict[str, str]:
    if not is_dataclass(cls):
        return {name: str(kind) for name, kind in inspect.get_annotations(cls).items() if not name.startswith("_")}
    return {one.name: str(one.type) for one in fields(cls) if not one.name.startswith("_")}


def _value(cls: type) -> Iterator[str]:
    yield from (f"### {cls.__name__}", "", _doc(cls), "")
    if issubclass(cls, StrEnum):
        yield from (", ".join(f"`{one.value}`" for one in cls), "")
        return
    about, rows = _field_docs(cls), []
    if is_dataclass(cls):
        rows = [f"| `{name}` | `{_type(kind)}` | {about.get(name, '')} |" for name, kind in _annotations(cls).items()]
    rows += [f"| `{name}` | a property | {text} |" for name, text in _properties(cls)]
    if rows:
        yield from ("| | | |", "|---|---|---|", *rows, "")


def _properties(cls: type) -> Iterator[tuple[str, str]]:
    for name, member in vars(cls).items():
        if isinstance(member, property) and not name.startswith("_") and _doc(member):
            yield name, " ".join(_doc(member).split())


def _field_docs(cls: type) -> dict[str, str]:
    """The string below a field says what it is."""
    tree: Any = ast.parse(textwrap.dedent(inspect.getsource(cls))).body[0]
    found = {}
    for one, below in zip(tree.body, tree.body[1:], strict=False):
        is_text = isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant)
        if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name) and is_text:
            found[one.target.id] = " ".join(str(below.value.value).split())
    return found
