"""The child processes of the fault tests: `workers.py JOB ARGUMENTS`, as those of the crash tests, on a database.

Every job of `tests/crash/workers.py` is one of this script too, with an address in the place of a path. `crew` starts
them, and ends by its id whatever still runs.
"""

from __future__ import annotations

import json
import select
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


@contextmanager
def crew() -> Iterator[Callable[..., Any]]:
    """Starts jobs of this script; those still running at the end are killed."""
    from tests.crash.conftest import Child

    children: list[Child] = []

    def start(job: str, *arguments: Any) -> Child:
        children.append(Child(job, *arguments, script=Path(__file__)))
        return children[-1]

    try:
        yield start
    finally:
        for child in children:
            child.end()


def tell(value: Any) -> None:
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


def is_told() -> bool:
    return bool(select.select([sys.stdin], [], [], 0)[0])


def write_with_keys(url: str, name: str) -> None:
    """Write one memory after another until told to stop; what fails is tried again under the same key."""
    from remanence.errors import RemanenceError
    from tests.crash.stores import opened

    number = 0
    with opened(url, at=None) as mind:  # type: ignore[arg-type]
        tell("ready")
        while not is_told():
            text = f"{name} saw ship {number} {number * 7919} {name}{number}"
            try:
                memory = mind.remember(text, key=f"{name} {number}", kind=f"kind{number}").memory
            except RemanenceError as error:
                tell({"error": type(error).__name__, "message": str(error)})
                time.sleep(0.1)
                continue
            tell({"acked": memory.id, "text": text})
            number += 1


def upkeep_when_told(url: str) -> None:
    """Open, wait for the word, look after the store; tell the report."""
    from tests.crash.stores import opened

    with opened(url, at=None) as mind:  # type: ignore[arg-type]
        tell("ready")
        sys.stdin.readline()
        tell(mind.upkeep().to_dict())


def hold_write_for(url: str, frozen_seconds: int) -> None:
    """Keep a write under way until told to go on; a server that waits longer for this process ends it."""
    from remanence.errors import RemanenceError
    from remanence.store.postgres import engine
    from tests.crash.stores import opened

    engine._FROZEN_SECONDS = frozen_seconds
    with opened(url, at=None) as mind:  # type: ignore[arg-type]
        try:
            with mind._store.transaction():
                mind.remember("Written but never committed")
                tell("held")
                sys.stdin.readline()
                mind.remember("Written after it was thawed")
        except RemanenceError as error:
            tell({"error": type(error).__name__, "message": str(error)})
        tell(mind.remember("Written by a new connection").memory.id)


def work(location: str, lease_seconds: float, sick: str | None, *words: str) -> None:
    """`rem work --all` with shorter times and a toy for an embedder; says when a turn begins and when it ends."""
    import remanence.mind
    from remanence.facets import meaning
    from remanence.interfaces import working
    from remanence.interfaces.cli.app import run
    from tests.embedders import Toy

    toy, real, serve = Toy(), remanence.mind.encoder_of, working.look_after
    toy.sick, toy.poison = (None, sick) if sick == "poison" else (sick, None)
    remanence.mind.encoder_of = lambda _, settings: real(toy, settings)  # type: ignore[attr-defined]
    meaning._AT_A_TURN = 64
    working.LEASE_SECONDS, working._BEAT_SECONDS, working._RETRY_SECONDS = lease_seconds, lease_seconds / 4, 1.0

    def look_after(mind: Any, progress: Any = None) -> Any:
        calls = len(toy.calls)
        tell({"begin": mind.namespace, "at": time.monotonic()})
        if lease_seconds < 3 and mind.namespace == "slow":
            time.sleep(60)
        done = serve(mind, progress)
        tell({"end": mind.namespace, "at": time.monotonic(), "done": done.to_dict(), "calls": len(toy.calls) - calls})
        return done

    working.look_after = look_after
    sys.exit(run(["--db", location, *(words or ("work", "--all"))]))


def _place(text: str) -> Any:
    return text if "://" in text else Path(text)


if __name__ == "__main__":
    job = globals().get(sys.argv[1])
    if job is None:
        from tests.crash import workers

        workers.Path = _place  # type: ignore[misc, assignment]
        job = getattr(workers, sys.argv[1])
    job(*json.loads(sys.argv[2]))
