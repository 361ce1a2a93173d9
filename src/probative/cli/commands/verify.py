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
    """The reports, how much is shown, and whether the texts are watched."""

    all: Annotated[bool, typer.Option("--all", help="Show the evidence of supported claims, too.")] = False
    html: Annotated[Path | None, report_option(help="Write a page with text and evidence.")] = None
    sarif: Annotated[Path | None, report_option(help="Write a SARIF report.")] = None
    junit: Annotated[Path | None, report_option(help="Write a JUnit report.")] = None
    docx: Annotated[
        Path | None, report_option(help="Write a Word document: the text with a comment at each claim.")
    ] = None
    watch: Annotated[
        bool,
        typer.Option(
            "--watch",
            help="Check the texts again whenever they or their sources change, until Ctrl-C; only claims "
            "that changed are judged again, and reports are kept current.",
        ),
    ] = False

    def check(self, call: VerbCall) -> None:
        """Raise `InputError` for missing sources, a report that cannot be written, and too many texts."""
        assert call.documents is not None
        corpus, passages = call.documents.corpus, call.values["passages"]
        if corpus is not None and passages:
            raise InputError("give --corpus or --passages, not both")
        if call.batch.source is not None:
            return
        for report in self._reports:
            _check_writable(report)
        if self.docx is not None:
            from probative.views.verification_word import check_installed

            check_installed()
        files = call.values["text"] or ()
        single = {
            "- (standard input)": "-" in files,
            "--html": self.html,
            "--docx": self.docx,
            "--trace": call.run.trace,
        }
        used = [name for name, value in single.items() if value]
        if len(files) > 1 and used:
            raise InputError(
                f"{', '.join(used)} cannot be used with several files", hint="verify that file on its own"
            )
        if corpus is None and not passages:
            raise InputError("there are no sources", hint="give --corpus FOLDER-or-INDEX or --passages FILE")
        if self.watch:
            _check_watchable(call, self._reports)

    def run(self, call: VerbCall) -> None:
        """Check the texts once, or again and again."""
        if not self.watch:
            super().run(call)
            return
        from probative.cli.framework.watch import watch

        watch(call)

    @property
    def _reports(self) -> list[Path]:
        return [report for report in (self.html, self.sarif, self.junit, self.docx) if report is not None]

    def finish(self, results: Sequence[Verification], verdicts: frozenset[str]) -> None:
        """Write the reports."""
        from probative import __version__
        from probative.views.pipelines import FAILING, junit, sarif
        from probative.views.verification_page import page

        if self.html is not None:
            self._write(self.html, page(results[0]))
        if self.sarif is not None:
            self._write(self.sarif, sarif(results, __version__))
        if self.junit is not None:
            whole = results if len(results) > 1 else results[0]
            self._write(self.junit, junit(whole, verdicts or FAILING))

        if self.docx is not None:
            from probative.views.verification_word import word_document

            self._write(self.docx, word_document(results[0]))

    def _write(self, file: Path, report: str | bytes) -> None:
        """Write a report; an editor that reads it while it is kept current sees no part of one."""
        from probative.batch.output import replace_file

        if self.watch:
            replace_file(file, report)
        else:
            file.write_bytes(report.encode() if isinstance(report, str) else report)

    def show(self, verification: Verification, case: Mapping[str, Any]) -> None:
        """Print a verification and its cost."""
        from probative.cli.views.usage import show_usage
        from probative.views.terminal import show_result

        show_result(verification, whole=self.all)
        show_usage(verification.usage, verification.verdict_model)


def _check_watchable(call: VerbCall, reports: Sequence[Path]) -> None:
    """Raise `InputError` for what cannot be watched or needs an end, and for a report that would be read as
    one of the sources.
    """
    files = (*(call.values["text"] or ["-"]), *(call.values["passages"] or ()))
    wrong = {
        "standard input": any(file == "-" or Path(file).expanduser().is_fifo() for file in files),
        "--fail-on": call.run.fail_on,
        "--dry-run": call.run.dry_run,
        "--trace": call.run.trace,
    }
    if used := [name for name, value in wrong.items() if value]:
        raise InputError(f"{', '.join(used)} cannot be used with --watch", hint="leave it out, or name files")
    if call.documents is None or call.documents.corpus is None:
        return
    folder = Path(call.documents.corpus).expanduser().resolve()
    for report in (file.resolve() for file in reports):
        if report.is_relative_to(folder) and not _is_hidden(report.relative_to(folder)):
            raise InputError(
                f"the report {report.name} would be read as one of the documents in {folder}",
                hint="name a file elsewhere, or one in a folder whose name begins with a dot",
            )


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def _check_writable(file: Path) -> None:
    """Raise `InputError` before any work is done if a report could not be written; leaves no file behind."""
    from probative.cli.framework.outcome import writing

    was_there = file.exists()
    with writing("report", file):
        file.open("a").close()
        if not was_there:
            file.unlink()
