"""What may be in a wheel and a source archive."""

from __future__ import annotations

import pytest
from release.artifacts import archive_problems, wheel_problems

ABOUT = "remanence-0.1.0.dist-info"
WHOLE = [
    "remanence/__init__.py",
    "remanence/py.typed",
    "remanence/aio.pyi",
    "remanence/interfaces/web/index.html",
    "remanence/told.json",
    f"{ABOUT}/METADATA",
    f"{ABOUT}/licenses/LICENSE",
    f"{ABOUT}/licenses/THIRD-PARTY-NOTICES.md",
]
SOURCES = ["pyproject.toml", "constraints.txt", "Makefile", "LICENSE", "THIRD-PARTY-NOTICES.md", "README.md"]
FOLDERS = ["src", "tests", "docs", "examples", "deploy", "release", "benchmarks"]


def test_a_whole_wheel_has_no_problem() -> None:
    assert wheel_problems(WHOLE, "told.json is ours") == []


@pytest.mark.parametrize("name", [*WHOLE[:4], *WHOLE[6:]])
def test_what_lacks_is_told(name: str) -> None:
    assert wheel_problems([one for one in WHOLE if one != name], "told.json") == [f"{name} is missing"]


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("tests/test_mind.py", "outside of the package"),
        ("remanence/store/tests/rows.py", "is a test"),
        ("remanence/test_mind.py", "is a test"),
        ("remanence/conftest.py", "is a test"),
        ("remanence/simulator/datasets/locomo10.json", "data that THIRD-PARTY-NOTICES.md does not name"),
        ("remanence/model.onnx", "of no kind that belongs"),
        ("remanence/__pycache__/mind.cpython-311.pyc", "of no kind that belongs"),
        ("remanence/memory.db", "of no kind that belongs"),
    ],
)
def test_what_does_not_belong_into_a_wheel_is_told(name: str, why: str) -> None:
    (problem,) = wheel_problems([*WHOLE, name], "told.json")
    assert problem.startswith(name) and why in problem


def test_an_archive_holds_what_builds_and_tests_it_and_nothing_stray() -> None:
    whole = [f"remanence-0.1.0/{name}" for name in (*SOURCES, *(f"{folder}/x" for folder in FOLDERS))]
    assert archive_problems(whole) == []
    assert archive_problems(whole[1:]) == ["pyproject.toml is missing"]
    assert archive_problems(whole[:-1]) == ["benchmarks/ is missing"]
    (problem,) = archive_problems([*whole, "remanence-0.1.0/src/.venv/pyvenv.cfg"])
    assert "none of the sources" in problem
