"""`probative doctor`: is everything as it should be, and if not, what mends it."""

from __future__ import annotations

import typer

from probative.cli import options
from probative.doctor import examine


def doctor(
    model: options.Model = None,
    judge_model: options.JudgeModel = None,
    base_url: options.BaseUrl = None,
    api_key: options.ApiKey = None,
    json: options.Json = False,
) -> None:
    """Check the installation; each line is ok, or the problem and its hint."""
    settings = options.settings_of(locals())
    report = examine(settings)
    if json:
        typer.echo(report.to_json())
    else:
        for finding in report.findings:
            mark = {"ok": "ok     ", "note": "note   ", "problem": "PROBLEM"}[finding.state]
            typer.echo(f"{mark}  {finding.what}")
            if finding.hint:
                typer.echo(f"         → {finding.hint}")
    if not report.healthy:
        raise typer.Exit(1)
