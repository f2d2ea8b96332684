"""Several threads of one process: a recall sees what is there, whatever another thread is writing."""

from __future__ import annotations

import threading
import time
from pathlib import Path

from remanence import Mind
from remanence.settings import Settings
from tests.embedders import Toy


def test_recalls_beside_a_thread_that_writes(tmp_path: Path) -> None:
    """What is written is held in memory a moment before it is committed: a recall that meets it passes over it."""
    toy = Toy()
    toy.concurrent = True  # type: ignore[attr-defined]
    with Mind(tmp_path / "memory.db", embedder=toy, settings=Settings(upkeep__on_open=False)) as mind:
        for number in range(5):
            mind.remember(f"alpha item number{number} likes tea")
        until = time.monotonic() + 2.0
        wrong: list[BaseException] = []
        written = recalled = 0

        def write() -> None:
            nonlocal written
            while time.monotonic() < until:
                written += 1
                mind.remember(f"item written{written} says thing{written * 7919} of its own")

        def recall() -> None:
            nonlocal recalled
            try:
                while time.monotonic() < until:
                    recalled += 1
                    mind.recall(f"item thing{written * 7919}", limit=200)
            except BaseException as error:
                wrong.append(error)

        threads = [threading.Thread(target=work) for work in (write, recall, recall)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not wrong
        assert written and recalled
        assert mind.count() == written + 5
        assert mind.check().ok
