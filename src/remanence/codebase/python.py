"""What a Python file defines, exactly, by its syntax tree: functions, classes, methods and constants.

Names inside a function are its own affair. Values of defaults are left out unless they are numbers, True, False or
None: they tell little, and now and then a secret. A file that does not parse has no answer here.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator, Sequence
from itertools import islice

from remanence.codebase.definition import MOST_DEFINITIONS, Definition, tidy

_BLOCKS = (ast.If, ast.Try, ast.TryStar, ast.With)
_DEEPEST_ANNOTATION = 200
"""Nodes of an annotation that are still written out."""


def definitions(text: str) -> list[Definition] | None:
    """The definitions of a Python source in their order; None where it does not parse."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
        return sorted(islice(_within(tree.body, ""), MOST_DEFINITIONS), key=lambda definition: definition.line)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _within(body: Sequence[ast.stmt], owner: str) -> Iterator[Definition]:
    waiting = list(reversed(body))
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            kind = "method" if owner else "function"
            signature = _arguments(node) + (", async" if isinstance(node, ast.AsyncFunctionDef) else "")
            yield Definition(owner + node.name, kind, node.lineno, tidy(signature))
        elif isinstance(node, ast.ClassDef):
            bases = ", ".join(filter(None, map(_written, node.bases)))
            yield Definition(owner + node.name, "class", node.lineno, tidy(f"({bases})" if bases else ""))
            yield from _within(node.body, f"{owner}{node.name}.")
        elif isinstance(node, _BLOCKS):
            waiting += (inner for inner in ast.iter_child_nodes(node) if isinstance(inner, ast.stmt))
            waiting += (inner for handler in getattr(node, "handlers", ()) for inner in handler.body)
        else:
            yield from (Definition(owner + name, "constant", node.lineno) for name in _constants(node))


def _constants(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, (ast.Assign, ast.AnnAssign)):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        for target in targets:
            if isinstance(target, ast.Name) and target.id.isupper() and len(target.id) > 1:
                yield target.id


def _arguments(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    given = node.args
    plain = [*given.posonlyargs, *given.args]
    defaults: list[ast.expr | None] = [None] * (len(plain) - len(given.defaults))
    parts = [_argument(*pair) for pair in zip(plain, [*defaults, *given.defaults], strict=True)]
    if given.posonlyargs:
        parts.insert(len(given.posonlyargs), "/")
    if given.vararg:
        parts.append("*" + _argument(given.vararg, None))
    elif given.kwonlyargs:
        parts.append("*")
    parts += (_argument(*pair) for pair in zip(given.kwonlyargs, given.kw_defaults, strict=True))
    if given.kwarg:
        parts.append("**" + _argument(given.kwarg, None))
    returns = _written(node.returns)
    return f"({', '.join(parts)})" + (f" -> {returns}" if returns else "")


def _argument(argument: ast.arg, default: ast.expr | None) -> str:
    annotation = _written(argument.annotation)
    text = f"{argument.arg}: {annotation}" if annotation else argument.arg
    if default is None:
        return text
    value = default.value if isinstance(default, ast.Constant) else ...
    shown = str(value) if value is None or isinstance(value, (bool, int, float)) else "…"
    return f"{text} = {shown}" if annotation else f"{text}={shown}"


def _written(node: ast.expr | None) -> str:
    """An annotation or a base as it is written; nothing where it is none, or no end of it."""
    if node is None:
        return ""
    if isinstance(node, ast.Name):
        return node.id
    for number, _ in enumerate(ast.walk(node)):
        if number > _DEEPEST_ANNOTATION:
            return "…"
    return ast.unparse(node)
