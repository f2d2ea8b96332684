"""Lifecycle fields of many rows as arrays; apart from the store because it needs numpy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import apsw
import numpy as np

from remanence.model.columns import NEVER, Columns
from remanence.store.sqlite import rows


def read_columns(
    connection: apsw.Connection, condition: str, values: list[Any], unwritten: Callable[[int], Sequence[int]]
) -> Columns:
    """The columns of the rows under this condition on `lives l`, with accesses that are not in the file yet."""
    found = connection.execute(
        "SELECT m.id, s.scope, s.kind, l.state, l.layer, m.source, l.importance, l.created_at, l.last_accessed_at, "
        "l.access_count, l.expires_at, l.kept_until, l.tokens, l.pinned, l.exempt, l.revision, l.no "
        "FROM lives l JOIN memories m ON m.no = l.no JOIN shelves s ON s.no = l.shelf "
        f"WHERE {condition} ORDER BY l.no",
        values,
    ).fetchall()
    column = list(zip(*found, strict=True)) if found else [()] * 17
    extra = [unwritten(no) for no in column[16]]

    def integers(number: int, kind: type = np.int64) -> Any:
        return np.array([NEVER if value is None else value for value in column[number]], dtype=kind)

    return Columns(
        ids=tuple(map(rows.id_text, column[0])),
        scopes=tuple(column[1]),
        kinds=tuple(column[2]),
        state=integers(3, np.int8),
        layer=integers(4, np.int8),
        source=integers(5, np.int8),
        importance=np.array(column[6], dtype=np.float64),
        created_at=integers(7),
        last_accessed_at=np.array([max(at, *e) if e else at for at, e in zip(column[8], extra, strict=True)], np.int64),
        access_count=integers(9) + np.array([len(e) for e in extra], np.int64),
        expires_at=integers(10),
        kept_until=integers(11),
        tokens=integers(12),
        pinned=np.array(column[13], dtype=bool),
        exempt=np.array(column[14], dtype=bool),
        revision=integers(15),
    )
