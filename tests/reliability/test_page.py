"""The page says of each promise what was found, and never that one was held which nothing showed."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.reliability import page
from tests.reliability.promises import DATABASE, FILE, PROMISES
from tests.reliability.recording import PAGE, RESULTS

ROOT = Path(__file__).parents[2]
RUN = {"date": "2026-11-01 10:00", "commit": "abc", "machine": "2 cores"}
NAME = "tests/crash/test_kills.py::test_one"


def results(**rows: dict[str, Any] | None) -> page.Results:
    return {"runs": {"1": RUN}, "tests": {NAME: {"promises": ["R1"], "stores": rows}}}


def row(of: int = 2, passed: int = 2, failed: int = 0, skipped: int = 0) -> dict[str, Any]:
    counts = {"of": of, "passed": passed, "failed": failed, "skipped": skipped}
    return counts | {"run": "1", "seconds": 3.0, "measured": []}


def taken(size: str, seed: int | None = None, at_most: dict[str, float] | None = None, **figures: float) -> Any:
    return {"size": size, "seed": seed, "figures": figures, "at_most": at_most or {}}


@pytest.mark.parametrize(
    ("kept", "said"),
    [
        (None, page.NOT_RUN),
        (row(), page.HELD),
        (row(passed=1), page.IN_PART),
        (row(passed=1, failed=1), page.FAILED),
        (row(passed=1, skipped=1), page.HELD),
        (row(passed=0, skipped=2), page.NOT_RUN),
    ],
)
def test_held_is_what_ran_and_passed_whole(kept: dict[str, Any] | None, said: str) -> None:
    assert page.verdict(results(file=kept), PROMISES["R1"], FILE) == said
    assert page.verdict(results(file=kept), PROMISES["R1"], DATABASE) == page.NOT_RUN
    assert page.verdict(results(file=kept), PROMISES["R25"], FILE) == "–"


def test_one_test_that_did_not_run_leaves_a_promise_in_part() -> None:
    found = results(file=row())
    page.know(found, {(NAME, FILE): ["R1"], ("tests/crash/test_kills.py::test_two", FILE): ["R1"]}, set())
    assert page.verdict(found, PROMISES["R1"], FILE) == page.IN_PART


def test_a_run_of_a_part_keeps_the_rest_with_its_date() -> None:
    found = results(file=row(), database=row())
    number = page.add_run(found, RUN | {"date": "2026-12-02 11:00"})
    page.begin(found, NAME, {"ids": ["R1"], "store": FILE, "of": 2}, number)
    page.add(found["tests"][NAME]["stores"][FILE], "passed", 1.0, [taken("3 kills", seed=7)])
    page.drop_runs(found)
    text = page.written(found)
    assert "2026-11-01 to 2026-12-02" in text
    assert "| SQLite | 1 of 2 | 3 kills; seed 7 | 1 s | 2 |" in text
    assert "| PostgreSQL | 2 of 2 |" in text


def test_what_is_gone_from_a_file_that_was_read_is_dropped() -> None:
    found = results(file=row())
    page.know(found, {}, {"tests/crash/test_leases.py"})
    assert NAME in found["tests"]
    page.know(found, {}, {"tests/crash/test_kills.py"})
    page.drop_runs(found)
    assert found == {"runs": {}, "tests": {}}


@pytest.mark.parametrize(("ms", "said"), [(100.0, page.HELD), (100.1, page.FAILED)])
def test_a_figure_past_what_is_promised_is_not_held(ms: float, said: str) -> None:
    found = results(file=row())
    figures = taken("8 processes", at_most={"p99_ms": 100}, p99_ms=ms)
    page.add(found["tests"][NAME]["stores"][FILE], "", 0.0, [figures])
    assert page.verdict(found, PROMISES["R1"], FILE) == said


def test_figures_of_cases_are_added_up_and_times_are_the_worst() -> None:
    found = results(file=row())
    for adds, ms in ((5, 1.25), (7, 90.0)):
        figures = taken("8 processes", adds=adds, p99_ms=ms, found_percent=ms)
        page.add(found["tests"][NAME]["stores"][FILE], "", 0.0, [figures])
    assert "| 8 processes, adds 12, p99 90 ms, found 1.25 % |" in page.written(found)


CAMPAIGN = """
import pytest

@pytest.mark.promise("R3")
@pytest.mark.parametrize("ms", [5, pytest.param(MS, marks=pytest.mark.full)])
def test_writers(measured, ms):
    measured("8 processes", at_most={"p99_ms": 100}, p99_ms=ms)

@pytest.mark.promise("R4")
@pytest.mark.full
def test_readers():
    pass
"""


@pytest.mark.parametrize(("ms", "code"), [(99, 0), (101, 1)])
def test_a_campaign_fails_by_a_figure_and_the_page_says_what_ran(tmp_path: Path, ms: int, code: int) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "docs").mkdir()
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers =\n  full\n  promise\n")
    (tmp_path / "tests" / "test_it.py").write_text(CAMPAIGN.replace("MS", str(ms)))
    command = [sys.executable, "-m", "pytest", "-p", "tests.reliability.recording", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*command, "--reliability", "-m", "full", "-k", "writers", "tests"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == code, done.stdout + done.stderr
    assert ("not held on a file: tests/test_it.py::test_writers" in done.stdout) is bool(code)
    said = (tmp_path / PAGE).read_text()
    assert f"| {page.FAILED if code else page.HELD} | {page.NOT_RUN} |" in said
    assert "| `test_it.py::test_readers` | SQLite | not run |" in said


def marked() -> Iterator[tuple[str, str]]:
    """Every promise that a test says it shows, with the file."""
    for file in sorted((ROOT / "tests").rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        if file == Path(__file__) or "mark.promise" not in text:
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.promise":
                for word in node.args:
                    assert isinstance(word, ast.Constant), ast.unparse(node)
                    yield word.value, str(file.relative_to(ROOT))


def test_every_promise_has_a_test_and_every_test_a_promise() -> None:
    assert {id for id, _ in marked()} == PROMISES.keys()


def test_the_page_is_what_was_found() -> None:
    """Every promise has a row, and each store on which it is to be shown has a test there."""
    found = page.read(ROOT / RESULTS)
    assert (ROOT / PAGE).read_text(encoding="utf-8") == page.written(found), "pytest --reliability writes it"
    known = {(id, store) for test in found["tests"].values() for id in test["promises"] for store in test["stores"]}
    wanted = {(id, store) for id, promise in PROMISES.items() for store in promise.stores}
    assert wanted - known == set(), "pytest --reliability --collect-only takes note of tests that are new"
    gone = [name for name in found["tests"] if not (ROOT / name.partition("::")[0]).exists()]
    assert gone == []
