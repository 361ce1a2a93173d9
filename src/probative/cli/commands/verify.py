"""`probative verify`: reports of the checked claims."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from probative.cli.framework import verb_command
from probative.cli.framework.verb_command import VerbCall
from probative.errors import InputError

if TYPE_CHECKING:
    from probative.verify.verification import Verification

report_option = partial(typer.Option, metavar="FILE", rich_help_panel="Reports")


@dataclass(frozen=True)
class Extras(verb_command.Extras):
    """The reports, and how much is shown."""

    all: Annotated[bool, typer.Option("--all", help="Show the evidence of supported claims, too.")] = False
    html: Annotated[Path | None, report_option(help="Write a page with text and evidence.")] = None
    sarif: Annotated[Path | None, report_option(help="Write a SARIF report.")] = None
    junit: Annotated[Path | None, report_option(help="Write a JUnit report.")] = None

    def check(self, call: VerbCall) -> None:
        """Raise `InputError` for missing sources, a report that cannot be written, and too many texts."""
        assert call.documents is not None
        corpus, passages = call.documents.corpus, call.values["passages"]
        if corpus is not None and passages:
            raise InputError("give --corpus or --passages, not both")
        if call.batch.source is not None:
            return
        for report in filter(None, (self.html, self.sarif, self.junit)):
            _check_writable(report)
        files = call.values["text"] or ()
        single = {"- (standard input)": "-" in files, "--html": self.html, "--trace": call.run.trace}
        used = [name for name, value in single.items() if value]
        if len(files) > 1 and used:
            raise InputError(
                f"{', '.join(used)} cannot be used with several files", hint="verify that file on its own"
            )
        if corpus is None and not passages:
            raise InputError("there are no sources", hint="give --corpus FOLDER-or-INDEX or --passages FILE")

    def finish(self, results: Sequence[Verification], verdicts: frozenset[str]) -> None:
        """Write the reports."""
        from probative import __version__
        from probative.views.pipelines import FAILING, junit, sarif
        from probative.views.verification_page import page

        if self.html is not None:
            self.html.write_text(page(results[0]), encoding="utf-8")
        if self.sarif is not None:
            self.sarif.write_text(sarif(results, __version__), encoding="utf-8")
        if self.junit is not None:
            whole = results if len(results) > 1 else results[0]
            self.junit.write_text(junit(whole, verdicts or FAILING), encoding="utf-8")

    def show(self, verification: Verification, case: Mapping[str, Any]) -> None:
        """Print a verification and its cost."""
        from probative.cli.views.usage import show_usage
        from probative.views.terminal import show_result

        show_result(verification, whole=self.all)
        show_usage(verification.usage, verification.verdict_model)


def _check_writable(file: Path) -> None:
    """Raise `InputError` before any work is done if a report could not be written; leaves no file behind."""
    from probative.cli.framework.outcome import writing

    was_there = file.exists()
    with writing("report", file):
        file.open("a").close()
        if not was_there:
            file.unlink()
