"""The list of benchmarks and the page agree: every part has a script, a heading and a place; every goal a part."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

TREE = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TREE / "benchmarks"))

import goals  # noqa: E402
import sections  # noqa: E402
from parts import PARTS, Part  # noqa: E402

PAGE = (TREE / "docs" / "benchmarks.md").read_text("utf-8")


@pytest.mark.parametrize("part", PARTS, ids=[part.name for part in PARTS])
def test_a_part_has_its_script_and_its_place(part: Part) -> None:
    first, *rest = part.command.split()
    script = rest[0].replace(".", "/") if first == "-m" else f"benchmarks/{first}"
    assert (TREE / script).exists()
    begin, end = sections.marks(part.name)
    assert PAGE.count(begin) == PAGE.count(end) == 1
    assert re.search(rf"^##+ {re.escape(part.title)}$", PAGE, re.MULTILINE), "the goals link to its heading"
    headings = re.findall(r"^##+ (.*)$", PAGE[: PAGE.index(begin)] + (part.title if part.writes else ""), re.MULTILINE)
    assert part.writes or headings[-1] == part.title, "it stands under another heading"


def test_every_place_of_the_page_has_a_part() -> None:
    named = set(re.findall(r"<!-- ([\w-]+): begin -->", PAGE))
    assert named == {part.name for part in PARTS} | {"goals"}


def test_goals_name_parts_that_write_figures() -> None:
    parts = {part.name: part for part in PARTS}
    for goal in goals.GOALS:
        assert "{json}" in parts[goal.part].command, goal.what


def test_a_goal_without_figures_says_so(tmp_path: Path) -> None:
    assert goals.table(tmp_path).count("not measured here") == len(goals.GOALS)
    (tmp_path / "install.json").write_text('{"megabytes": 251, "first_recall_seconds": 1.5}')
    assert "| 251 MB, first recall after 1.5 s | **missed** |" in goals.table(tmp_path)


def test_a_section_is_put_in_its_place() -> None:
    begin, end = sections.marks("x")
    page = f"a\n\n{begin}\nold\n{end}\n\nb\n"
    assert sections.written(page, "x", "new") == f"a\n\n{begin}\nnew\n{end}\n\nb\n"
    assert sections.inside(page, "x") == "old"
    with pytest.raises(ValueError, match="no place for y"):
        sections.written(page, "y", "new")
