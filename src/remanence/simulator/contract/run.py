"""A run of the contract: every scene, every contender, each in a folder of its own that is gone afterwards."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter

from remanence.errors import InvalidInput
from remanence.simulator.contenders.encoder import Cached, Encoder
from remanence.simulator.contract import Contender, Probe, Report
from remanence.simulator.contract.for_good import SCENES as FOR_GOOD
from remanence.simulator.contract.looks import Trial
from remanence.simulator.contract.ours import NAME, OurContract
from remanence.simulator.contract.softly import SCENES as SOFTLY

SCENES = (*SOFTLY, *FOR_GOOD)
CONTENDERS = (NAME,)
Progress = Callable[[int, int], None]


def contenders(names: Sequence[str], version: str, encoder: Encoder | None = None) -> list[Contender]:
    """The contenders of these names that come with the package; peers are in benchmarks/."""
    if unknown := [name for name in names if name not in CONTENDERS]:
        known = f"known are {', '.join(CONTENDERS)}; other memories take part through benchmarks/contract.py"
        raise InvalidInput([f"no contender is called {name!r}; {known}" for name in unknown])
    cached = None if encoder is None else Cached(encoder)
    return [OurContract(version, embedder=cached) for _ in dict.fromkeys(names)]


def contract(runners: Sequence[Contender], *, version: str, progress: Progress | None = None) -> Report:
    """Hold contenders to the contract."""
    started = perf_counter()
    total = sum(scene.size for scene in SCENES) * len(runners)
    probes: list[Probe] = []
    if progress is not None:
        progress(0, total)
    for scene in SCENES:
        for runner in runners:
            with tempfile.TemporaryDirectory(prefix="remanence-contract-") as folder:
                trial = Trial(runner, Path(folder))
                try:
                    for probe in scene.play(trial):
                        probes.append(probe)
                        if progress is not None:
                            progress(len(probes), total)
                finally:
                    trial.held.close()
    versions = {runner.name: runner.version for runner in runners}
    return Report(version=version, contenders=versions, probes=probes, seconds=perf_counter() - started)
