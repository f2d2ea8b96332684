"""A past for stores that tests fill: memories of a hundred days with the moments at which they were recalled."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from pathlib import Path

MEMORIES = 30
DAYS = 100


def write_history(path: Path, now: datetime) -> list[str]:
    """A file to import: 30 memories, born 100 days ago; the first ten recalled every 8 days, the next two on day 98.

    All at midnight, so that what can be learned of it does not hang on the hour.
    """
    born = now.replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=DAYS)
    ids = [f"01900000-0000-7000-8000-{number:012x}" for number in range(MEMORIES)]
    lines = []
    for number, id in enumerate(ids):
        days = range(8, DAYS, 8) if number < 10 else [98] if number < 12 else []
        moments = [(born + timedelta(days=day)).isoformat() for day in days]
        lines.append(
            {
                "id": id,
                "scope": "/past",
                "layer": "episodic",
                "kind": "fact",
                "text": f"Heirloom {number} of the attic, w{number} x{number}",
                "source": "human",
                "importance": 0.4,
                "created_at": born.isoformat(),
                "last_accessed_at": moments[-1] if moments else born.isoformat(),
                "access_count": len(moments),
                "recent_accesses": moments,
            }
        )
    path.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    return ids
