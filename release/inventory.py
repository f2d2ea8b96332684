"""What an installation of remanence brings along: packages, for which extra each comes, and under which licence.

Read from the metadata of installed packages, starting from what pyproject.toml asks for with the extra `all`. A
licence is an SPDX expression: what `licences.toml` says was read in its LICENSE file, else what the package declares,
else its one classifier. `problems` names each package whose licence is unknown or not allowed there.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib.metadata import Distribution, distributions
from pathlib import Path

from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
CORE = "core"
_CLASSIFIERS = {
    "License :: OSI Approved :: Apache Software License": "Apache-2.0",
    "License :: OSI Approved :: MIT License": "MIT",
    "License :: OSI Approved :: Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
}
UNKNOWN = "unknown"


@dataclass(slots=True)
class Package:
    """One installed package; `asked` is our own range, empty where only others ask for it."""

    name: str
    version: str
    licence: str
    asked: str = ""
    comes_with: set[str] = field(default_factory=set)
    needs: set[str] = field(default_factory=set)


def requirements(project: Mapping[str, object]) -> dict[str, list[Requirement]]:
    """What pyproject.toml asks for, by extra: those that `all` names, since the others are for developers."""
    table = project["project"]
    assert isinstance(table, dict)
    extras = table["optional-dependencies"]
    named = {extra for text in extras["all"] for extra in Requirement(text).extras}
    wanted = {CORE: table["dependencies"], **{name: extras[name] for name in extras if name in named}}
    return {name: [Requirement(text) for text in texts] for name, texts in wanted.items()}


def pyproject() -> dict[str, object]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def rules() -> dict[str, object]:
    return tomllib.loads((ROOT / "release" / "licences.toml").read_text("utf-8"))


def licence_of(declared: Mapping[str, list[str]], read: str = "") -> str:
    """The licence of a package, as an SPDX expression, from its metadata or as somebody read it."""
    if read:
        return read
    for text in (*declared.get("License-Expression", ()), *declared.get("License", ())):
        try:
            return canonicalize_license_expression(text)
        except InvalidLicenseExpression:
            continue  # a whole licence text, or a name of its own
    known = {_CLASSIFIERS[text] for text in declared.get("Classifier", ()) if text in _CLASSIFIERS}
    return known.pop() if len(known) == 1 else UNKNOWN


def is_allowed(expression: str, allowed: Iterable[str]) -> bool:
    """Whether one may take it: of alternatives one is enough, of parts that hold together all are needed."""
    fine = set(allowed)
    if "(" in expression:
        return False  # nobody here has one yet; somebody should look
    return any(all(part in fine for part in choice.split(" AND ")) for choice in expression.split(" OR "))


def problems(packages: Iterable[Package], rules: Mapping[str, object]) -> list[str]:
    allowed, exceptions = rules["allowed"], rules["exceptions"]
    assert isinstance(allowed, list) and isinstance(exceptions, dict)
    return [
        f"{package.name} {package.version} has the licence {package.licence!r}, not allowed by release/licences.toml"
        for package in packages
        if not is_allowed(package.licence, [*allowed, exceptions.get(package.name, "")])
    ]


def installed(path: list[str] | None = None) -> dict[str, Distribution]:
    """The packages of an environment, by name; without a path, of this one."""
    found = distributions(path=path) if path else distributions()
    return {canonicalize_name(one.metadata["Name"]): one for one in found}


def inventory(
    asked: Mapping[str, list[Requirement]], present: Mapping[str, Distribution], read: Mapping[str, str]
) -> list[Package]:
    """Every package that is reached from what is asked for, in the order of names."""
    found: dict[str, Package] = {}
    for extra, wanted in asked.items():
        for requirement in wanted:
            _walk(requirement, extra, present, read, found, set())
            found[canonicalize_name(requirement.name)].asked = str(requirement.specifier)
    return [found[name] for name in sorted(found)]


def _walk(
    requirement: Requirement,
    extra: str,
    present: Mapping[str, Distribution],
    read: Mapping[str, str],
    found: dict[str, Package],
    seen: set[tuple[str, str]],
) -> None:
    name = canonicalize_name(requirement.name)
    if name not in present:
        raise SystemExit(f"{name} is not installed here, so nothing can be said of it. Install remanence[all] first.")
    one = present[name]
    package = found.get(name)
    if package is None:
        declared = {key: one.metadata.get_all(key, []) for key in ("License-Expression", "License", "Classifier")}
        package = found[name] = Package(name, one.version, licence_of(declared, read.get(name, "")))
    package.comes_with.add(extra)
    for of in ("", *sorted(requirement.extras)):
        if (name, of) in seen:
            continue
        seen.add((name, of))
        for text in one.requires or ():
            needed = Requirement(text)
            by_extra = needed.marker is not None and re.search(r"\bextra\b", str(needed.marker)) is not None
            if by_extra != bool(of) or (needed.marker and not needed.marker.evaluate({"extra": of})):
                continue
            package.needs.add(canonicalize_name(needed.name))
            _walk(needed, extra, present, read, found, seen)


def of_environment(path: list[str] | None = None) -> list[Package]:
    """The packages of an environment that has remanence[all], with their licences as read by our rules."""
    read = rules()["read"]
    assert isinstance(read, dict)
    return inventory(requirements(pyproject()), installed(path), read)
