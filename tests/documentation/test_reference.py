"""The reference is what the code says: each page is made anew and compared.

Written anew by: python tests/documentation/test_reference.py --write
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
if __name__ == "__main__":
    sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from remanence.interfaces.cli import reference as cli  # noqa: E402
from remanence.policies import reference as policies  # noqa: E402
from tests.documentation.reference import errors, library, mcp, rest, settings  # noqa: E402

WRITTEN = "Written by `python tests/documentation/test_reference.py --write`; do not edit."
PAGES: dict[str, Callable[[], str]] = {
    "cli": cli.page,
    "errors": lambda: errors.page(WRITTEN),
    "library": lambda: library.page(WRITTEN),
    "mcp": lambda: mcp.page(WRITTEN),
    "policies": policies.page,
    "rest": lambda: rest.page(WRITTEN),
    "settings": lambda: settings.page(WRITTEN),
    "values": lambda: library.values_page(WRITTEN),
}


def place(name: str) -> Path:
    return ROOT / "docs" / "reference" / f"{name}.md"


@pytest.mark.parametrize("name", PAGES)
def test_a_page_says_what_the_code_says(name: str) -> None:
    """Written anew by: python tests/documentation/test_reference.py --write"""
    assert place(name).read_text("utf-8") == PAGES[name]()


def test_every_reference_page_is_made() -> None:
    assert {path.stem for path in place("cli").parent.glob("*.md")} == {*PAGES}


def test_every_verb_and_value_is_there() -> None:
    from remanence import Mind

    text = PAGES["library"]()
    shown = [name for name in dir(Mind) if not name.startswith("_") and name not in ("close", "namespace")]
    assert [name for name in shown if f"#### mind.{name}\n" not in text] == []
    for part, names in library.AMONG_THEMSELVES.items():
        assert [name for name in names if not hasattr(library.FACETS[part], name)] == []


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit("python tests/documentation/test_reference.py --write writes docs/reference/ anew")
    for one, made in PAGES.items():
        place(one).write_text(made(), "utf-8")
        print(f"wrote {place(one).relative_to(ROOT)}")
