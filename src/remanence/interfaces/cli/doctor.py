"""rem doctor: the findings, one a line, with what to do about each that is not right."""

from __future__ import annotations

from collections.abc import Sequence

import click

from remanence.interfaces.cli.words import safe
from remanence.model.report import Finding


def show_findings(findings: Sequence[Finding]) -> None:
    for finding in findings:
        mark = click.style("ok ", fg="green") if finding.ok else click.style("NOT", fg="red")
        click.echo(f"{mark} {finding.what:<18} {safe(finding.detail)}")
        if finding.advice and not finding.ok:
            click.echo(f"    {'':<18} {safe(finding.advice)}")
