"""The source tree as the architecture tests see it: files, and the full names of what a file refers to."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "remanence"


def modules(package: Path = PACKAGE) -> list[Path]:
    """Every Python file of the package; an empty answer would let each test below pass without looking."""
    found = sorted(package.rglob("*.py"))
    if not found:
        raise FileNotFoundError(f"no Python file below {package}")
    return found


def references(source: str) -> Iterator[tuple[int, str]]:
    """(line, full dotted name) of each name a source refers to, as its imports define it.

    `from datetime import datetime as dt; dt.now` is `datetime.datetime.now`. References count, not only calls, since
    a function handed on as a default is called elsewhere.
    """
    tree = ast.parse(source)
    origins: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                origins[alias.asname or alias.name.split(".")[0]] = (
                    alias.name if alias.asname else alias.name.split(".")[0]
                )
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                origins[alias.asname or alias.name] = f"{node.module}.{alias.name}"
                yield node.lineno, f"{node.module}.{alias.name}"
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            dotted = _dotted(node, origins)
            if dotted:
                yield node.lineno, dotted


def strings(source: str) -> Iterator[tuple[int, str]]:
    """(line, text) of each string constant, the pieces of f-strings included."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


def _dotted(node: ast.expr, origins: dict[str, str]) -> str | None:
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name) or node.id not in origins:
        return None
    return ".".join([origins[node.id], *reversed(parts)])
