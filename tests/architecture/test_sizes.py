"""A module that grows past 400 lines holds two things: split it where the sentence about it needs an "and"."""

from __future__ import annotations

from pathlib import Path

from tests.architecture.sources import PACKAGE, modules

LIMIT_LINES = 400


def too_long(package: Path) -> list[str]:
    lengths = {path: len(path.read_text("utf-8").splitlines()) for path in modules(package)}
    return [f"{path.relative_to(package)}: {lines} lines" for path, lines in lengths.items() if lines > LIMIT_LINES]


def test_modules_stay_small() -> None:
    found = too_long(PACKAGE)
    assert not found, f"the limit is {LIMIT_LINES} lines:\n" + "\n".join(found)


def test_a_long_module_is_seen(tmp_path: Path) -> None:
    (tmp_path / "fits.py").write_text("x = 1\n" * LIMIT_LINES)
    (tmp_path / "long.py").write_text("x = 1\n" * (LIMIT_LINES + 1))
    assert too_long(tmp_path) == [f"long.py: {LIMIT_LINES + 1} lines"]
