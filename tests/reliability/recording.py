"""Takes down what tests show of the promises, when pytest is given `--reliability`, and writes the page of it.

A test that carries `promise` counts at its full size alone: of a test that has cases marked `full` the others do not.
What a session did not run is kept as an earlier one found it; what nobody ran yet is kept as known, so that the page
can say so. Figures come through `measured`, before anything is asserted, so that a failure has figures too.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path
from time import monotonic
from typing import Any, Protocol

import pytest

from tests.reliability import page, surroundings
from tests.reliability.promises import DATABASE, FILE, PROMISES

RESULTS = Path("docs/reliability.json")
PAGE = RESULTS.with_suffix(".md")
_WRITTEN_SECONDS = 60.0
"""A campaign that is broken off has shown what it had shown a minute before."""
_STOOD_IN = re.compile(r"tests/(flows/|web/|laws/test_(dreams|hostile|poison|replay)\.py)")
"""Tests whose minds go to a database with REMANENCE_TEST_STORE=postgres; `promise(..., on="file")` is an exception."""


class Measured(Protocol):
    """Takes down how large a test was, and what came of it; a name ends in its unit, as `p99_ms` does.

    A figure past what the promise allows makes the page say "not held", also where the test lets a busy machine pass.
    """

    def __call__(
        self, size: str, *, seed: int | None = None, at_most: Mapping[str, float] | None = None, **figures: float | str
    ) -> None: ...


@pytest.fixture
def measured(request: pytest.FixtureRequest) -> Measured:
    def measured_(
        size: str, *, seed: int | None = None, at_most: Mapping[str, float] | None = None, **figures: float | str
    ) -> None:
        kept = {name: round(value, 3) if isinstance(value, float) else value for name, value in figures.items()}
        taken = {"size": size, "seed": seed, "figures": kept, "at_most": dict(at_most or {})}
        request.node.user_properties.append(("measured", taken))
        print(page.gathered([taken]))

    return measured_


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--reliability", action="store_true", help=f"write what is shown of the promises to {PAGE}")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--reliability"):
        config.pluginmanager.register(Recording(config), "reliability")


def base(nodeid: str) -> str:
    return nodeid.partition("[")[0]


def _store(item: pytest.Item) -> str:
    for mark in item.iter_markers("promise"):
        if "on" in mark.kwargs:
            return str(mark.kwargs["on"])
    stood_in = os.environ.get("REMANENCE_TEST_STORE") == "postgres" and _STOOD_IN.match(item.nodeid)
    return DATABASE if stood_in or "cluster" in getattr(item, "fixturenames", ()) else FILE


class Recording:
    """One session's part of the results."""

    def __init__(self, config: pytest.Config) -> None:
        self._root = config.rootpath
        self._is_worker = hasattr(config, "workerinput")
        self._has_workers = bool(config.getoption("numprocesses", None))
        self._results = page.read(self._root / RESULTS)
        self._begun: set[tuple[str, str]] = set()
        self._written = monotonic()
        self._run = "" if self._is_worker else page.add_run(self._results, surroundings.described(self._root))

    def pytest_report_header(self) -> str:
        return f"reliability: {PAGE}; all of it took {page.minutes(self._results):.0f} minutes when it was run last"

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        kept = [item for item in items if item.get_closest_marker("promise")]
        full = {base(item.nodeid) for item in kept if item.get_closest_marker("full")}
        counted = [item for item in kept if base(item.nodeid) not in full or item.get_closest_marker("full")]
        cases: dict[str, int] = {}
        for item in counted:
            cases[base(item.nodeid)] = cases.get(base(item.nodeid), 0) + 1
        files = {item.nodeid.partition("::")[0] for item in items}
        known: dict[tuple[str, str], list[str]] = {}
        for item in counted:
            ids = sorted({id for mark in item.iter_markers("promise") for id in mark.args}, key=list(PROMISES).index)
            told = {"ids": ids, "store": _store(item), "of": cases[base(item.nodeid)]}
            item.user_properties.append(("promise", told))
            known[base(item.nodeid), told["store"]] = ids
        if not self._is_worker and not self._has_workers:
            page.know(self._results, known, files)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        properties = [*report.user_properties]
        told: dict[str, Any] = next((value for name, value in properties if name == "promise"), {})  # type: ignore[assignment]
        if not told or self._is_worker:
            return
        name, store = base(report.nodeid), told["store"]
        if (name, store) not in self._begun:
            self._begun.add((name, store))
            page.begin(self._results, name, told, self._run)
        page.add(
            self._results["tests"][name]["stores"][store],
            outcome=report.outcome if report.when == "call" or report.outcome != "passed" else "",
            seconds=report.duration,
            measured=[value for name, value in properties if name == "measured"] if report.when == "call" else [],
        )

    def pytest_runtest_logfinish(self) -> None:
        if monotonic() - self._written > _WRITTEN_SECONDS:
            self._write()

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """A campaign, which has the machine for itself, fails also by a figure; tests side by side do not."""
        self._write()
        if self._missed() and not self._has_workers:
            session.exitstatus = session.exitstatus or pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        for name, store in self._missed():
            terminalreporter.write_line(f"not held on a {store}: {name}")

    def _missed(self) -> list[tuple[str, str]]:
        tests = self._results["tests"]
        return [(name, store) for name, store in sorted(self._begun) if page.missed(tests[name]["stores"][store])]

    def _write(self) -> None:
        if self._is_worker:
            return
        self._written = monotonic()
        results = deepcopy(self._results)
        page.drop_runs(results)
        results["tests"] = dict(sorted(results["tests"].items()))
        text = json.dumps(results, indent=1, ensure_ascii=False)
        (self._root / RESULTS).write_text(text + "\n", encoding="utf-8")
        (self._root / PAGE).write_text(page.written(results), encoding="utf-8")
