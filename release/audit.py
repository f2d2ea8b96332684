"""Known vulnerabilities of what an installation brings along, by pip-audit; and what could not be asked.

Without an answer for a package pip-audit skips it and says that nothing was found. Here that is no pass: how many were
answered is told, and each that was not. A vulnerability ends with 1; advisories that cannot be fetched are told loudly
and do not, since a release is also made where no advisory service is reached. `--required` makes them end with 1 too.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from release.inventory import installed


@dataclass(frozen=True, slots=True)
class Audit:
    """What was learned of each package."""

    clean: tuple[str, ...]
    vulnerable: tuple[str, ...]
    unanswered: tuple[str, ...]

    def __str__(self) -> str:
        total = len(self.clean) + len(self.vulnerable) + len(self.unanswered)
        lines = [f"VULNERABLE: {one}" for one in self.vulnerable]
        if self.unanswered:
            lines += [
                f"NOT AUDITED: advisories could not be fetched for {len(self.unanswered)} of {total} packages: "
                + ", ".join(self.unanswered),
                "Run `make dist` again where the advisory service answers before anything is published.",
            ]
        asked = total - len(self.unanswered)
        lines.append(f"pip-audit: {asked} of {total} packages asked for, {len(self.vulnerable)} vulnerable")
        return "\n".join(lines)


NOT_ASKED = {"remanence", "pip", "setuptools"}
"""Ours has no advisories before it is published, and the environment's own tools are not what we bring along."""


def read(told: Mapping[str, Any]) -> Audit:
    """Sort what pip-audit told."""
    packages = [one for one in told["dependencies"] if one["name"] not in NOT_ASKED]
    return Audit(
        clean=tuple(one["name"] for one in packages if "skip_reason" not in one and not one["vulns"]),
        vulnerable=tuple(
            f"{one['name']} {one['version']}: {', '.join(vuln['id'] for vuln in one['vulns'])}"
            for one in packages
            if one.get("vulns")
        ),
        unanswered=tuple(one["name"] for one in packages if "skip_reason" in one),
    )


def audited(site: str) -> Audit:
    """The packages of a folder; where pip-audit itself fails, nothing was answered for any of them."""
    command = [sys.executable, "-m", "pip_audit", "--path", site, "--format", "json", "--progress-spinner", "off"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if not done.stdout.lstrip().startswith("{"):
        print(f"pip-audit could not ask: {(done.stderr.strip() or 'no reason given').splitlines()[-1][:300]}")
        return Audit((), (), tuple(sorted(set(installed([site])) - NOT_ASKED)))
    return read(json.loads(done.stdout))


if __name__ == "__main__":
    audit = audited(sys.argv[1])
    print(audit)
    raise SystemExit(bool(audit.vulnerable or ("--required" in sys.argv and audit.unanswered)))
