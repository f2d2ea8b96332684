"""The table of dependencies in THIRD-PARTY-NOTICES.md: which packages come, for which extra, under which licence.

`python -m release.notices [SITE]` writes it for the packages installed in SITE, or here, where remanence[all] must be;
the tests compare it with what is installed. Versions of what others ask for are not in it, so it changes only when a
package comes, goes or changes its licence; the versions of a release are in its bill of materials.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable

from release.inventory import ROOT, Package, of_environment

PAGE = ROOT / "THIRD-PARTY-NOTICES.md"
_HEAD = ("| package | range we ask for | licence | comes with |", "|---|---|---|---|")


def table(packages: Iterable[Package]) -> list[str]:
    """The rows of the table, with its head."""
    rows = [f"| {one.name} | {one.asked} | {one.licence} | {', '.join(sorted(one.comes_with))} |" for one in packages]
    return [*_HEAD, *rows]


def rewritten(page: str, packages: Iterable[Package]) -> str:
    """The page with its table made anew."""
    lines = page.splitlines()
    first = lines.index(_HEAD[0])
    last = next(at for at in range(first, len(lines) + 1) if at == len(lines) or not lines[at].startswith("|"))
    return "\n".join([*lines[:first], *table(packages), *lines[last:]]) + "\n"


if __name__ == "__main__":
    PAGE.write_text(rewritten(PAGE.read_text("utf-8"), of_environment(sys.argv[1:])), "utf-8")
