"""Every relative link, picture and anchor of README, docs and their neighbours leads somewhere."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest
import yaml

from tests.architecture.sources import PACKAGE
from tests.documentation.pages import ROOT, anchors, links, name_of, pages

DECISIONS = ROOT / "docs" / "decisions"


def broken(page: Path) -> list[str]:
    found = []
    for target in links(page.read_text("utf-8")):
        name, _, anchor = target.partition("#")
        goal = (page.parent / name).resolve() if name else page
        if not goal.exists():
            found.append(target)
        elif anchor and anchor not in anchors(goal.read_text("utf-8")):
            found.append(f"{target}: no such heading")
    return found


@pytest.mark.parametrize("page", pages(), ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    assert broken(page) == []


def test_a_broken_link_is_seen(tmp_path: Path) -> None:
    (tmp_path / "other.md").write_text("# One\n\n```\n# Two\n```\n\n## Who, what & why\n")
    page = tmp_path / "page.md"
    page.write_text(
        "[a](other.md#one) [b](other.md#two) [c](gone.md) [d](other.md#who-what--why) `[e](f.md)` [g](#h)\n"
    )
    assert broken(page) == ["other.md#two: no such heading", "gone.md", "#h: no such heading"]


# -- the site


class _Reader(yaml.SafeLoader):
    """Reads mkdocs.yml without the functions that it names."""


_Reader.add_multi_constructor("tag:yaml.org,2002:python/", lambda loader, suffix, node: suffix)
SITE = yaml.load((ROOT / "mkdocs.yml").read_text("utf-8"), _Reader)


def navigated(entries: object) -> list[str]:
    if isinstance(entries, str):
        return [entries]
    inner = entries.values() if isinstance(entries, dict) else entries
    return [path for entry in inner for path in navigated(entry)]  # type: ignore[union-attr]


def test_every_page_is_in_the_navigation() -> None:
    listed = navigated(SITE["nav"])
    assert len(listed) == len(set(listed))
    docs = {page.relative_to(ROOT / "docs").as_posix() for page in (ROOT / "docs").rglob("*.md")}
    aside = {name for name in docs if name.startswith("decisions/0")}
    assert docs - set(listed) - aside == set(), "add them to nav in mkdocs.yml"


def test_every_page_outside_docs_that_one_leads_to_is_in_the_navigation() -> None:
    led = {(page.parent / target.partition("#")[0]).resolve() for page in pages() for target in links(_read(page))}
    outside = {path for path in led if path.suffix == ".md" and not path.is_relative_to(ROOT / "docs")}
    # The site names pages of the root in lower case, and README.md its index.
    places = {name_of(path) if path.parent != ROOT else path.name.lower() for path in outside - {ROOT / "README.md"}}
    assert len(places) > 3 and places - set(navigated(SITE["nav"])) == set(), "add them to nav in mkdocs.yml"


def _read(page: Path) -> str:
    return page.read_text("utf-8")


def test_the_site_is_strict_and_fetches_nothing() -> None:
    assert "mkdocs build --quiet" not in (ROOT / "Makefile").read_text("utf-8"), "then strict lets broken links pass"
    assert SITE["strict"] is True and SITE["theme"]["font"] is False
    assert "navigation.indexes" not in SITE["theme"]["features"], "a README in a section would be hidden in its heading"
    assert SITE["extra"]["polyfills"] == ["assets/iframe-worker.js"]
    for path in (ROOT / "docs" / "theme" / "assets").iterdir():
        code = re.sub(r"/\*.*?\*/", "", path.read_text("utf-8"), flags=re.DOTALL)
        assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", code), path.name


# -- what pages speak of


def test_files_that_the_architecture_names_exist() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    walks = text.split("## Four walks, file by file")[1].split("\n## ")[0]
    named = re.findall(r"`([\w/]+(?:\.py)?)`", walks)
    assert len(named) > 40
    assert [name for name in named if "/" in name and not (PACKAGE / name).exists() and name != "src/remanence/"] == []


def test_modules_that_the_architecture_names_exist() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    walks = text.split("## Nine walks, in words")[1].split("\n## ")[0]
    rooms = {path.name for path in PACKAGE.iterdir() if path.is_dir()} - {"store"}
    named = [name for name in re.findall(r"`([a-z_]+(?:\.[a-z_]+)+)`", walks) if name.partition(".")[0] in rooms]
    assert len(named) > 20
    assert [name for name in named if not _is_there(name)] == []


def _is_there(name: str) -> bool:
    """Whether there is a module of this name, or a module that has it."""
    if (PACKAGE / f"{name.replace('.', '/')}.py").is_file() or (PACKAGE / name.replace(".", "/")).is_dir():
        return True
    above, _, last = name.rpartition(".")
    return hasattr(importlib.import_module(f"remanence.{above}"), last)


def test_the_index_of_decisions_is_whole() -> None:
    text = (DECISIONS / "README.md").read_text("utf-8")
    rows = re.findall(r"^\| \[(\d{4})\]\((\S+)\) \| (.+) \| (.+) \|$", text, re.MULTILINE)
    files = sorted(path.name for path in DECISIONS.glob("0*.md"))
    assert [file for _, file, _, _ in rows] == files
    for number, file, _, status in rows:
        page = (DECISIONS / file).read_text("utf-8")
        assert file.startswith(number) and page.startswith(f"# {number}. "), file
        said = re.sub(r"\[(\d+)\]\(\S+\)", r"\1", page.split("\nStatus: ")[1].partition("\n")[0])
        assert status in said, file


def test_every_word_of_the_vocabulary_has_a_place() -> None:
    """The words of CONTRIBUTING's "How we write" are in the table of concepts."""
    house = (ROOT / "CONTRIBUTING.md").read_text("utf-8").split("the same in code, documentation and messages: ")[1]
    words = [word.strip() for word in house.partition(".")[0].replace("\n", " ").split(",")]
    told = (ROOT / "docs" / "concepts" / "README.md").read_text("utf-8")
    linked = {word.strip() for names in re.findall(r"\[([^\]]+)\]\(", told) for word in names.split(",")}
    assert len(words) > 15
    assert [word for word in words if word not in linked] == []
