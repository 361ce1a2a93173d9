"""`probative doctor`: check the installation."""

from __future__ import annotations

import typer

from probative.cli.framework.exit_codes import ExitCode
from probative.cli.framework.options import Json, JudgedServerOptions
from probative.cli.views.installation import show_report
from probative.cli.views.terminal import print_json, print_note

EXAMPLES = (
    "probative doctor",
    "probative doctor --model openai:my-model --base-url http://127.0.0.1:8000/v1",
)


def doctor(json: Json = False, *, models: JudgedServerOptions) -> None:
    """Check installation, settings and cache; try and measure the models. Exit with code 1 on a problem."""
    from probative.doctor import examine

    settings = models.settings()
    if settings.model.startswith("embedded"):
        print_note("the embedded models that are here are measured …")
    report = examine(settings)
    print_json(report) if json else show_report(report)
    if not report.healthy:
        raise typer.Exit(ExitCode.ERROR)
