"""rem doctor: the findings, one a line, with what to do about each that is not right."""

from __future__ import annotations

from collections.abc import Sequence

from remanence.interfaces.cli import output
from remanence.interfaces.cli.words import safe
from remanence.model.report import Finding


def show_findings(findings: Sequence[Finding]) -> None:
    out = output.console()  # which knows whether colours are wanted
    for finding in findings:
        out.print("ok " if finding.ok else "NOT", style="green" if finding.ok else "red", end="")
        out.print(f" {finding.what:<18} {safe(finding.detail)}")
        if finding.advice and not finding.ok:
            out.print(f"    {'':<18} {safe(finding.advice)}")
