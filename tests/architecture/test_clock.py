"""The clock is read in Mind, which injects it, in the hook and for tokens, which have no Mind; elsewhere it is told.

The rules (lifecycle) draw no random numbers either: a generator is an argument.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.architecture.sources import PACKAGE, modules, references, strings

# monotonic and perf_counter are not here: a wait or a duration is no date.
CLOCKS = {
    "datetime.date.today",
    "datetime.datetime.now",
    "datetime.datetime.today",
    "datetime.datetime.utcnow",
    "time.clock_gettime",
    "time.clock_gettime_ns",
    "time.ctime",
    "time.gmtime",
    "time.localtime",
    "time.time",
    "time.time_ns",
}
SQL_CLOCK = re.compile(
    r"\bcurrent_(?:timestamp|date|time)\b"
    r"|\b(?:date|time|datetime|julianday|unixepoch|strftime)\s*\([^)]*'now'"
    r"|\bunixepoch\s*\(\s*\)",
    re.IGNORECASE,
)
# Annotating with numpy.random.Generator is how a rule asks for chance; every other name in numpy.random makes it.
RANDOM_TYPES = {"numpy.random.Generator", "numpy.random"}


def may_read_the_clock(path: Path) -> bool:
    inside = path.relative_to(PACKAGE)
    return inside.as_posix() in ("mind.py", "sessions/hook.py", "interfaces/tokens.py")


def clock_reads(source: str) -> list[str]:
    found = [(line, name) for line, name in references(source) if name in CLOCKS or name.endswith(".utcnow")]
    found += [(line, f"SQL {match[0]}") for line, text in strings(source) if (match := SQL_CLOCK.search(text))]
    return [f"{line}: {name}" for line, name in sorted(set(found))]


def random_draws(source: str) -> list[str]:
    return [
        f"{line}: {name}"
        for line, name in references(source)
        if name.startswith("numpy.random") and name not in RANDOM_TYPES
    ]


def test_only_doors_read_the_clock() -> None:
    found = [
        f"{path.relative_to(PACKAGE)}:{read}"
        for path in modules()
        if not may_read_the_clock(path)
        for read in clock_reads(path.read_text("utf-8"))
    ]
    assert not found, "take the time as an argument instead:\n" + "\n".join(found)


def test_sql_files_do_not_read_the_clock() -> None:
    found = [
        f"{path.relative_to(PACKAGE)}: {match[0]}"
        for path in sorted(PACKAGE.rglob("*.sql"))
        if (match := SQL_CLOCK.search(path.read_text("utf-8")))
    ]
    assert not found, "bind the time as a parameter instead:\n" + "\n".join(found)


def test_rules_draw_no_random_numbers() -> None:
    found = [
        f"{path.relative_to(PACKAGE)}:{draw}"
        for path in modules(PACKAGE / "lifecycle")
        for draw in random_draws(path.read_text("utf-8"))
    ]
    assert not found, "take a numpy Generator as an argument instead:\n" + "\n".join(found)


@pytest.mark.parametrize(
    "source",
    [
        "from datetime import datetime\nx = datetime.now()",
        "import datetime as d\nx = d.datetime.now(d.UTC)",
        "from datetime import datetime as dt\ndef f(clock=dt.utcnow): ...",
        "import time\nx = time.time()",
        "from time import time",
        "from datetime import date\nx = date.today()",
        "q = \"insert into t values (strftime('%s', 'now'))\"",
        'q = f"select CURRENT_TIMESTAMP from {t}"',
    ],
)
def test_a_clock_read_is_seen(source: str) -> None:
    assert clock_reads(source)


@pytest.mark.parametrize(
    "source",
    [
        "import time\nx = time.monotonic()",
        "def f(clock):\n    return clock.now()",
        "from datetime import UTC, datetime\nx = datetime(2026, 1, 1, tzinfo=UTC)",
        'text = "the current time is an argument"',
    ],
)
def test_a_time_that_was_told_is_no_clock_read(source: str) -> None:
    assert not clock_reads(source)


def test_a_random_draw_is_seen() -> None:
    assert random_draws("import numpy as np\nx = np.random.default_rng().random()")
    assert random_draws("from numpy.random import default_rng")
    assert not random_draws("import numpy as np\ndef f(chance: np.random.Generator): ...")
