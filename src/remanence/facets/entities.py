"""mind.entities: who and what memories speak of, found by name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from remanence.errors import InvalidInput
from remanence.model import checks
from remanence.model.selection import LIMIT, selection_from
from remanence.store.protocol import Store

if TYPE_CHECKING:
    from remanence.model.entity import Entity, Portrait

_LONGEST_NAME = 1000


class Entities:
    """The entities of one mind."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def list(self, scope: str | Iterable[str] | None = None, limit: int = 100, least: int = 1) -> Sequence[Entity]:
        """The entities that at least so many live memories of a scope name, the most named first."""
        from remanence.flows import entities

        problems = checks.integer_problems(limit, "limit", 1, LIMIT) + checks.integer_problems(least, "least", 1)
        return entities.known(self._store, _scopes(scope, problems), least, limit)

    def count(self, scope: str | Iterable[str] | None = None) -> int:
        """How many entities live memories of a scope name."""
        from remanence.flows import entities

        return len(entities.known(self._store, _scopes(scope, [])))

    def show(self, name: str, limit: int = 10) -> Portrait:
        """What is known of one entity, by any of its names; NotFound for one that nobody names."""
        from remanence.flows import entities

        problems = checks.string_problems(name, "name", _LONGEST_NAME)
        if problems := problems + checks.integer_problems(limit, "limit", 1, LIMIT):
            raise InvalidInput(problems)
        return entities.portrait(self._store, name, limit)


def _scopes(scope: str | Iterable[str] | None, problems: Sequence[str]) -> tuple[str, ...] | None:
    """The scopes that are asked for; InvalidInput with these problems and those of the scopes."""
    try:
        scopes = selection_from(scope=scope).scopes
    except InvalidInput as reason:
        raise InvalidInput([*problems, *reason.problems]) from None
    if problems:
        raise InvalidInput(problems)
    return scopes
