"""The child processes of the crash tests of sessions: `session_workers.py JOB ARGUMENTS`, both in JSON.

A job says what it has done in JSON lines on its standard output, each after the call it speaks of has returned.
"""

from __future__ import annotations

import json
import random
import sys
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

from tests.crash.workers import tell, wait

START = datetime(2026, 1, 5, 9, tzinfo=UTC)


def observation(text: str, number: int, *, keyed: bool = True) -> Any:
    from remanence.model.session import Observation

    key = text if keyed else None
    return Observation(role="user", text=text, at=START + timedelta(seconds=number), key=key)


def append_until_killed(path: str, name: str, seed: int) -> None:
    """Append batches to sessions, read some of them, let go of some, saying each step before and after it."""
    from tests.crash.stores import opened

    chance = random.Random(seed)
    with opened(Path(path), at=None) as mind:
        store = mind._store
        for number in count():
            id = f"{name}-{chance.randrange(3)}"
            texts = [f"{name} {number}.{place}" for place in range(chance.randint(1, 30))]
            tell({"try": "append", "session": id, "texts": texts})
            with store.transaction():
                store.sessions.begin(id, "/", "test", START)
                store.sessions.append(id, [observation(text, number) for text in texts], "hook")
            tell({"done": "append", "session": id, "texts": texts})
            if chance.random() < 0.3:
                upto = store.sessions.get(id).observations
                tell({"try": "read", "session": id, "upto": upto})
                with store.transaction():
                    lease = store.claim(f"stage1:{id}", name, mind.clock(), 60.0)
                    store.sessions.processed(id, upto, START, summary=None, lease=lease)
                    store.finish(lease, mind.clock())
                tell({"done": "read", "session": id, "upto": upto})


def tell_together(path: str, name: str, shared: str, number: int, batch: int) -> None:
    """Tell all of one session that others tell too, as this way, and all of one's own; tell how many were new."""
    from tests.crash.stores import opened

    with opened(Path(path), at=None) as mind:
        sessions = mind._store.sessions
        for id in (shared, name):
            sessions.begin(id, "/", "test", START)
        tell("ready")
        wait()
        new = 0
        for start in range(0, number, batch):
            some = range(start, min(start + batch, number))
            new += sessions.append(shared, [observation(f"line {n % 50}", n, keyed=False) for n in some], name)
            assert sessions.append(name, [observation(f"{name} {n}", n) for n in some], name) == len(some)
        tell(new)


def work_together(path: str, holder: str) -> None:
    """Read every session that is not read yet, each as a job; tell which were this worker's."""
    from remanence.errors import LeaseLost
    from tests.crash.stores import opened

    mine = []
    with opened(Path(path), at=None) as mind:
        store = mind._store
        tell("ready")
        wait()
        for session in store.sessions.changed():
            lease = store.claim(f"stage1:{session.id}", holder, mind.clock(), 60.0)
            if lease is None:
                continue
            try:
                with store.transaction():
                    fresh = store.sessions.get(session.id)
                    if fresh.changed:
                        mind.remember(f"Read {session.id} by {holder}", origin=f"session:{session.id}")
                        store.sessions.processed(session.id, fresh.observations, START, summary=None, lease=lease)
                        mine.append(session.id)
                    store.finish(lease, mind.clock())
            except LeaseLost:
                continue
    tell(mine)


if __name__ == "__main__":
    globals()[sys.argv[1]](*json.loads(sys.argv[2]))
