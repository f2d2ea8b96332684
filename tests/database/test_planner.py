"""Words and kin are found by their indexes in a large namespace, however many words a text has."""

import random
from collections.abc import Iterator

import psycopg
import pytest

from remanence.store.postgres import connection as connection_
from tests.conftest import Clock, new_mind
from tests.postgres import Cluster

ROWS = 30_000
_SETTINGS = "-c search_path=remanence,public -c random_page_cost=1.1 -c enable_seqscan=off"
# Rows of which the planner knows only that nearly every place and every stem in them is rare.
_RARE = "ARRAY(SELECT (random() * 1e15)::bigint + n FROM generate_series(1, {}))"
_MADE = "generate_series(1, %s) n"
_KIN = f"INSERT INTO kin SELECT space, no - n, shelf, 20, {_RARE.format(4)}, {_RARE.format(8)} FROM kin, {_MADE}"
_STEMS = f"INSERT INTO stems SELECT space, no - n, {_RARE.format(12)}, times, 12 FROM stems, {_MADE}"


@pytest.fixture
def walled_url(cluster: Cluster) -> Iterator[str]:
    """As a role that owns the store and is no superuser comes to it: for it the wall stands."""
    cluster.execute("CREATE ROLE planner LOGIN PASSWORD 'p'", "CREATE DATABASE planned OWNER planner")
    cluster.execute("CREATE EXTENSION vector", database="planned")
    yield cluster.url("planned", "planner", "p")
    cluster.execute("DROP DATABASE planned WITH (FORCE)", "DROP ROLE planner")


@pytest.mark.parametrize("words", [20, 200, 2000])
def test_long_texts_go_by_the_index(walled_url: str, clock: Clock, monkeypatch: pytest.MonkeyPatch, words: int) -> None:
    told: dict[str, tuple[object, ...]] = {}
    real = connection_.Connection.execute

    def execute(self: connection_.Connection, sql: str, values: tuple[object, ...] = ()) -> object:
        statement = connection_.reworded(sql)
        told[statement.text] = (self.space, *values) if statement.takes_space else tuple(values)
        return real(self, sql, values)

    chance = random.Random(words)
    text = " ".join(f"word{chance.randrange(10**9)}" for _ in range(words))
    with new_mind(walled_url, clock) as mind, psycopg.connect(walled_url, options=_SETTINGS, autocommit=True) as raw:
        mind.remember("The heron nests by the lake")
        raw.execute("SELECT set_config('remanence.space', '1', false)")
        raw.execute(_KIN, (ROWS,))
        raw.execute(_STEMS, (ROWS,))
        raw.execute("ANALYZE")
        monkeypatch.setattr(connection_.Connection, "execute", execute)
        mind.remember(text)
        mind.recall(text, reinforce=False)
        monkeypatch.undo()
        plans = {}
        for statement, values in told.items():
            if statement.startswith(("SELECT no, size", "WITH w AS")):
                found = psycopg.RawCursor(raw).execute(f"EXPLAIN {statement}", values)
                plans[statement] = "\n".join(line for (line,) in found)
    assert any("kin_front" in plan for plan in plans.values())
    assert any("stems_stems" in plan for plan in plans.values())
    for statement, plan in plans.items():
        assert "kin_pkey" not in plan and "stems_pkey" not in plan, f"{statement}\n{plan}"
