"""Which packages come along, under which licences; and that the notices tell of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.metadata import Distribution, PackageNotFoundError
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from release import inventory, notices, sbom
from release.inventory import CORE, UNKNOWN, Package


class Made(Distribution):
    """An installed package that is only told of."""

    def __init__(self, text: str) -> None:
        self._text = text

    def read_text(self, filename: str) -> str | None:
        return self._text if filename == "METADATA" else None

    def locate_file(self, path: Any) -> Any:
        raise FileNotFoundError(path)


def made(**packages: str) -> Mapping[str, Distribution]:
    return {name: Made(f"Name: {name}\nVersion: 1\n{text}") for name, text in packages.items()}


def called(name: str) -> dict[str, list[str]]:
    return {"License": [name]}


@pytest.mark.parametrize(
    ("declared", "licence"),
    [
        ({"License-Expression": ["MIT"], "License": ["Apache-2.0"]}, "MIT"),
        (called("mit"), "MIT"),
        (called("Permission is hereby granted, free of charge"), UNKNOWN),
        ({"Classifier": ["Topic :: Software", "License :: OSI Approved :: MIT License"]}, "MIT"),
        ({"Classifier": ["License :: OSI Approved :: BSD License"]}, UNKNOWN),
        ({}, UNKNOWN),
    ],
)
def test_a_licence_is_read_from_what_a_package_declares(declared: dict[str, list[str]], licence: str) -> None:
    assert inventory.licence_of(declared) == licence
    assert inventory.licence_of(declared, read="Zlib") == "Zlib"


@pytest.mark.parametrize(
    ("expression", "is_fine"),
    [
        ("MIT", True),
        ("GPL-3.0-only", False),
        (UNKNOWN, False),
        ("MIT AND Zlib", True),
        ("MIT AND GPL-3.0-only", False),
        ("GPL-3.0-only OR MIT", True),
        ("GPL-3.0-only OR MIT AND GPL-3.0-only", False),
        ("(MIT OR Zlib) AND MIT", False),
    ],
)
def test_what_is_not_allowed_is_refused(expression: str, is_fine: bool) -> None:
    assert inventory.is_allowed(expression, ["MIT", "Zlib"]) is is_fine


def test_an_exception_holds_for_its_package_alone() -> None:
    rules = {"allowed": ["MIT"], "exceptions": {"driver": "LGPL-3.0-only"}}
    packages = [Package("driver", "1", "LGPL-3.0-only"), Package("other", "2", "LGPL-3.0-only")]
    (problem,) = inventory.problems(packages, rules)
    assert "other 2" in problem and "LGPL-3.0-only" in problem


def test_packages_are_followed_through_their_extras_and_markers() -> None:
    present = made(
        web="Requires-Dist: low>=1\nRequires-Dist: fast; extra == 'x'\nRequires-Dist: never; os_name == 'none'\n",
        low="Requires-Dist: web\n",
        fast="License-Expression: MIT\n",
    )
    found = inventory.inventory({CORE: [Requirement("low")], "serve": [Requirement("web[x]>=2")]}, present, {})
    assert [(one.name, one.asked, sorted(one.comes_with)) for one in found] == [
        ("fast", "", ["serve"]),
        ("low", "", [CORE, "serve"]),
        ("web", ">=2", [CORE, "serve"]),
    ]
    assert {one.name: one.needs for one in found} == {"fast": set(), "low": {"web"}, "web": {"low", "fast"}}
    with pytest.raises(SystemExit, match="never is not installed"):
        inventory.inventory({CORE: [Requirement("never")]}, present, {})


def test_what_only_developers_install_is_not_asked_for() -> None:
    assert list(inventory.requirements(inventory.pyproject())) == [CORE, "serve", "tracing", "postgres", "local-llm"]


@pytest.fixture(scope="module")
def ours() -> list[Package]:
    try:
        return inventory.of_environment()
    except (SystemExit, PackageNotFoundError):  # pragma: no cover - an environment without the extras
        pytest.skip("not every extra is installed here")


def test_every_dependency_has_a_licence_that_is_allowed(ours: list[Package]) -> None:
    assert len(ours) > 30, "the inventory is broken"
    assert inventory.problems(ours, inventory.rules()) == []


def test_the_notices_tell_every_dependency(ours: list[Package]) -> None:
    page = notices.PAGE.read_text("utf-8")
    assert notices.rewritten(page, ours) == page, "run: python -m release.notices"


def test_every_exception_is_needed(ours: list[Package]) -> None:
    rules = inventory.rules()
    names = {one.name for one in ours}
    for table in ("exceptions", "read"):
        told = rules[table]
        assert isinstance(told, dict) and told.keys() <= names


def test_the_bill_of_materials_is_the_same_each_time_and_names_no_place(ours: list[Package]) -> None:
    told = sbom.bill("0.1.0", ours)
    assert told == sbom.bill("0.1.0", inventory.of_environment())
    assert "://" not in told and str(Path.home()) not in told and str(inventory.ROOT) not in told
    read = json.loads(told)
    references = {one["bom-ref"] for one in read["components"]} | {read["metadata"]["component"]["bom-ref"]}
    assert len(references) == len(ours) + 1
    assert {needed for one in read["dependencies"] for needed in one["dependsOn"]} <= references
    scopes = {one["name"]: one["scope"] for one in read["components"]}
    assert (scopes["numpy"], scopes["psycopg"]) == ("required", "optional")
