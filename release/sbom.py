"""The bill of materials of a release, as CycloneDX JSON: what an installation brings along, and what needs what.

The same packages give the same bytes: no time, no serial number, no address of a registry and no path. A package of
the core is `required`, one that only an extra brings `optional`; `remanence:comes-with` names the extras. `python -m
release.sbom DIST SITE` writes it beside the wheel in DIST, for the packages installed in SITE, and refuses a licence
that is not allowed or that THIRD-PARTY-NOTICES.md does not tell.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from release import inventory, notices
from release.inventory import CORE, Package

SPEC = "1.6"


def bill(version: str, packages: Sequence[Package]) -> str:
    """The bill of remanence in this version, which brings these packages."""
    own = _component("remanence", version, "Apache-2.0")
    references = {package.name: _reference(package.name, package.version) for package in packages}
    told = {
        "bomFormat": "CycloneDX",
        "specVersion": SPEC,
        "version": 1,
        "metadata": {"component": own},
        "components": [_bought(package) for package in packages],
        "dependencies": [
            {"ref": own["bom-ref"], "dependsOn": [references[package.name] for package in packages if package.asked]},
            *(
                {"ref": references[package.name], "dependsOn": sorted(references[name] for name in package.needs)}
                for package in packages
            ),
        ],
    }
    return json.dumps(told, indent=1) + "\n"


def _bought(package: Package) -> dict[str, object]:
    return {
        **_component(package.name, package.version, package.licence),
        "scope": "required" if CORE in package.comes_with else "optional",
        "properties": [{"name": "remanence:comes-with", "value": ", ".join(sorted(package.comes_with))}],
    }


def _component(name: str, version: str, licence: str) -> dict[str, object]:
    reference = _reference(name, version)
    return {
        "type": "library",
        "bom-ref": reference,
        "name": name,
        "version": version,
        "purl": reference,
        "licenses": [{"expression": licence}],
    }


def _reference(name: str, version: str) -> str:
    return f"pkg:pypi/{name}@{version}"


def main(dist: Path, site: str) -> None:
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator

    packages = inventory.of_environment([site])
    problems = inventory.problems(packages, inventory.rules())
    page = notices.PAGE.read_text("utf-8")
    if notices.rewritten(page, packages) != page:
        problems.append(f"{notices.PAGE.name} tells other packages or licences. Run: python -m release.notices {site}")
    if problems:
        raise SystemExit("\n".join(problems))
    (wheel,) = dist.glob("*.whl")
    version = wheel.name.split("-")[1]
    told = bill(version, packages)
    if wrong := JsonStrictValidator(SchemaVersion.V1_6).validate_str(told):
        raise SystemExit(f"The bill is no CycloneDX {SPEC}: {wrong}")
    (dist / f"remanence-{version}.cdx.json").write_text(told, "utf-8")
    print(f"bill of materials: {len(packages)} packages, every licence allowed")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
