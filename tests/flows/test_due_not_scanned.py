"""A due sweep reads what is due: no statement of it goes through all memories, or all of a namespace."""

import re
from pathlib import Path
from typing import Any

import apsw
import pytest

from tests.conftest import Clock, new_mind, only_files

ALL_OF_IT = re.compile(r"SCAN (l|lives|m|memories|j|journal)\b|(memories_id|lives_due) \(space=\?\)$")


@only_files
@pytest.mark.parametrize("policy", ["balanced", "halflife", "layered", "tiered", "relevance"])
def test_no_statement_of_a_sweep_reads_everything(tmp_path: Path, policy: str) -> None:
    clock, seen = Clock(), []

    def watch(connection: apsw.Connection) -> None:
        def note(_: Any, sql: str, bindings: Any) -> bool:
            seen.append((sql, bindings))
            return True

        connection.exec_trace = note

    apsw.connection_hooks.append(watch)
    try:
        with new_mind(tmp_path / "memory.db", clock, policy=policy) as mind:
            mind.remember_many([{"text": f"heron {n} x{n}", "scope": "/project/a", "ttl": "1d"} for n in range(30)])
            clock.advance(days=2)
            mind.sweep()
            seen.clear()
            assert len(mind.sweep()) == 30
            asked = list(seen)
            connection = mind._store._engine.writer  # type: ignore[attr-defined]
            for sql, bindings in asked:
                if sql.lstrip().upper().startswith(("SELECT", "UPDATE", "WITH")):
                    plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {sql}", bindings)]
                    assert not [line for line in plan if ALL_OF_IT.search(line)], (sql, plan)
    finally:
        apsw.connection_hooks.remove(watch)
    assert asked
