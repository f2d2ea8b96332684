"""A server may be far away: what is written does not wait for an answer to every statement."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from remanence import Mind
from tests.conftest import new_mind
from tests.database.proxy import Proxy, proxied

MEMORIES = 40
MOST_TURNS = 3  # what is alike is asked for, and whether the id is there


@pytest.fixture
def far(url: str) -> Iterator[tuple[Proxy, Mind]]:
    with proxied(url) as (proxy, address), new_mind(address, embedder=False) as mind:
        mind.remember_many([f"To begin with {number} {number * 7919}" for number in range(10)])
        yield proxy, mind


def test_bulk_adds_wait_for_few_answers(far: tuple[Proxy, Mind]) -> None:
    proxy, mind = far
    before = proxy.turns
    mind.remember_many([" ".join(f"w{number}x{place}" for place in range(8)) for number in range(MEMORIES)])
    assert MEMORIES < proxy.turns - before < MOST_TURNS * MEMORIES


def test_a_plan_waits_for_few_answers_however_much_it_changes(far: tuple[Proxy, Mind]) -> None:
    proxy, mind = far
    some = mind.remember_many([" ".join(f"w{number}x{place}" for place in range(8)) for number in range(MEMORIES)])
    before = proxy.turns
    assert len(mind.forget(ids=[one.memory.id for one in some]).applied) == MEMORIES
    assert proxy.turns - before < MEMORIES
