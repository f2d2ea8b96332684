"""Scopes: paths that say where a memory belongs.

`/project/api` holds itself and everything below it, by whole segments: `/user` holds `/user/x`, never `/username`.
`/` holds all. A scope is refused when malformed, never repaired.
"""

from __future__ import annotations

from collections.abc import Iterable

from remanence.model.checks import bytes_problems

ROOT = "/"
LONGEST, MOST_BYTES = 1024, 1800
"""With a kind beside it a scope is as long as an index of PostgreSQL holds."""


class Project(str):
    """A project's scope, and never a folder of this machine, though one may have the same name."""

    __slots__ = ()


def scope_problems(scope: object, name: str = "scope") -> list[str]:
    """Why this value is no scope; empty when it is one."""
    if not isinstance(scope, str):
        return [f"{name} must be text such as /project/api, not {type(scope).__name__}"]
    if scope == ROOT:
        return []
    shown = scope if len(scope) <= 80 else scope[:77] + "..."
    problems = []
    if not scope.startswith("/"):
        problems.append(f"{name} {shown!r} must begin with '/'")
    if scope.endswith("/"):
        problems.append(f"{name} {shown!r} must not end with '/'")
    if "//" in scope:
        problems.append(f"{name} {shown!r} has an empty segment")
    if len(scope) > LONGEST:
        problems.append(f"{name} has {len(scope)} characters; the limit is {LONGEST}")
    else:
        problems += bytes_problems(scope, name, MOST_BYTES)
    if not scope.isprintable():
        problems.append(f"{name} {shown!r} has a character that cannot be printed")
    return problems


def holds(scope: str, other: str) -> bool:
    """Whether `other` is `scope` itself or below it."""
    return scope in (ROOT, other) or other.startswith(scope + "/")


def common_scope(scopes: Iterable[str]) -> str:
    """The deepest scope that holds all of these: /p/a, /p/b/c → /p; nothing → /."""
    paths = [scope.split("/")[1:] if scope != ROOT else [] for scope in scopes]
    shared: list[str] = []
    for parts in zip(*paths, strict=False):
        if len(set(parts)) > 1:
            break
        shared.append(parts[0])
    return ROOT + "/".join(shared)
