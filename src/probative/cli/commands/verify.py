"""`probative verify`: every claim of one or several texts against passages or a corpus."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from probative.cli.framework.corpus_options import CorpusOptions
from probative.cli.framework.options import (
    BatchOptions,
    JudgedModelOptions,
    MethodOption,
    RunOptions,
    parse_options,
)
from probative.cli.framework.verb_command import VerbCommand
from probative.errors import InputError
from probative.usage import total

if TYPE_CHECKING:
    from probative.corpus.documents.document import Document
    from probative.types import Passage
    from probative.verify.verification import Verification

report_option = partial(typer.Option, rich_help_panel="Reports")
EXAMPLES = (
    "probative verify report.md --corpus documents",
    "probative verify report.md --corpus documents --html report.html",
    "probative verify answer.txt --passages passages.jsonl --fail-on contradicted,insufficient",
    "probative verify report.md --corpus documents --sarif report.sarif --junit report.xml --json",
    "probative verify docs/*.md --corpus documents --sarif report.sarif --fail-on contradicted",
    "probative verify --in answers.jsonl --out verdicts.jsonl --corpus documents --runner local:2",
)


def verify(
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FILE...",
            help="The texts: plain words, Markdown, HTML, PDF, DOCX or any other format that a corpus reads. "
            "- is standard input, the default. With several, --json prints one line for each.",
        ),
    ] = None,
    passages: Annotated[
        list[str] | None,
        typer.Option(
            "--passages",
            metavar="FILE",
            help="The sources: a .jsonl file, or a text with a blank line between passages, or with one on "
            "each line. May be repeated.",
        ),
    ] = None,
    method: Annotated[
        str, typer.Option(help="How evidence is chosen: policy (default) or a method of prove, such as mcse.")
    ] = "policy",
    option: MethodOption = None,
    every: Annotated[bool, typer.Option("--all", help="Show the evidence of supported claims, too.")] = False,
    html: Annotated[
        Path | None, report_option(metavar="FILE", help="Write a page with text and evidence.")
    ] = None,
    sarif: Annotated[Path | None, report_option(metavar="FILE", help="Write a SARIF report.")] = None,
    junit: Annotated[Path | None, report_option(metavar="FILE", help="Write a JUnit report.")] = None,
    *,
    documents: CorpusOptions,
    batch: BatchOptions,
    models: JudgedModelOptions,
    run: RunOptions,
) -> None:
    """Check every claim of texts against sources. Show what decides, and what its citations are worth."""
    from probative.engine.methods import check_options
    from probative.verify.verification import VerifyOptions

    call = VerbCommand("verify", batch, models, run, documents)
    verdicts = call.verdicts()
    given = parse_options(option, "verify", VerifyOptions.model_fields)
    options = {"method": method, "options": check_options(VerifyOptions, given, "verify")}
    reports = {"html": html, "sarif": sarif, "junit": junit}
    if documents.corpus is not None and passages:
        raise InputError("give --corpus or --passages, not both")
    single = {"FILE": files, "--all": every, **{f"--{name}": path for name, path in reports.items()}}
    if call.is_batch(single):
        call.run_batch(options if passages is None else {**options, "passages": _passages(passages)})
        return
    for report in filter(None, reports.values()):
        _check_writable(report)
    if len(files or ()) > 1:
        _check_several(files or [], html, run)
    verifications = _verify(files or ["-"], passages, documents, models, run, options)
    if not run.dry_run:
        _write_reports(verifications, reports, verdicts)
    _finish(verifications, run, verdicts, every)


def _check_several(files: list[str], html: Path | None, run: RunOptions) -> None:
    """Raise `InputError` for what only one text can have."""
    single = {"- (standard input)": "-" in files, "--html": html, "--trace": run.trace}
    if used := [name for name, value in single.items() if value]:
        raise InputError(
            f"{', '.join(used)} cannot be used with several files", hint="verify that file on its own"
        )


def _verify(
    files: list[str],
    passages: list[str] | None,
    documents: CorpusOptions,
    models: JudgedModelOptions,
    run: RunOptions,
    options: dict[str, Any],
) -> list[Verification]:
    from probative.cli.framework.outcome import check_trace
    from probative.cli.views.progress import batch_progress

    check_trace(run)
    if documents.corpus is None and not passages:
        raise InputError("there are no sources", hint="give --corpus FOLDER-or-INDEX or --passages FILE")
    texts = {file: _text(file) for file in files}  # a file that cannot be read ends the run before any work
    with models.session(dry_run=run.dry_run) as session, documents.open(session.settings) as corpus:
        sources = corpus if corpus is not None else _passages(passages)

        def verified(text: str | Document, what: str) -> Verification:
            with batch_progress(what) as progress:
                return session.verify(
                    text,
                    sources,
                    claim_progress=lambda done, claims: progress(done, 0, claims),
                    **options,
                )

        return [
            verified(text, "claims" if len(texts) == 1 else f"claims of {file}")
            for file, text in texts.items()
        ]


def _finish(
    verifications: Sequence[Verification], run: RunOptions, verdicts: frozenset[str], every: bool
) -> None:
    from probative.cli.framework.outcome import exit_on_verdicts, print_result
    from probative.cli.views.usage import show_dry_run

    if run.dry_run and not run.json:
        show_dry_run(total(verification.usage for verification in verifications))
        return
    named = len(verifications) > 1
    for verification in verifications:
        print_result(verification, run, partial(_show, verification, every, named=named))
    exit_on_verdicts(verifications, run, verdicts)


def _show(verification: Verification, every: bool, *, named: bool) -> None:
    """Print a verification and its cost; `named`, below the name of its file."""
    from probative.cli.views.terminal import print_text
    from probative.cli.views.usage import show_usage
    from probative.views.terminal import show_result

    if named:
        print_text(f"== {verification.name} ==")
    show_result(verification, whole=every)
    show_usage(verification.usage, verification.verdict_model)


def _text(file: str) -> str | Document:
    """Return the text: a file in any format that a corpus reads, or standard input."""
    from probative.cli.inputs.text import read_text

    if file == "-" or Path(file).expanduser().is_fifo():
        return read_text(file, what="text", option="verify").text
    from probative.corpus.reading.limited import read_document

    return read_document(Path(file).expanduser(), file)


def _passages(files: list[str] | None) -> list[Passage] | None:
    """Return the passages of files; None without any."""
    from probative.cli.inputs.passages import read_passages

    return read_passages(files, "--passages") if files else None


def _check_writable(file: Path) -> None:
    """Raise `InputError` before any work is done if a report could not be written; leaves no file behind."""
    from probative.cli.framework.outcome import writing

    was_there = file.exists()
    with writing("report", file):
        file.open("a").close()
        if not was_there:
            file.unlink()


def _write_reports(
    verifications: Sequence[Verification], reports: dict[str, Path | None], verdicts: frozenset[str]
) -> None:
    from probative import __version__
    from probative.views.pipelines import FAILING, junit, sarif
    from probative.views.verification_page import page

    whole = verifications if len(verifications) > 1 else verifications[0]
    writers = {
        "html": lambda: page(verifications[0]),
        "sarif": lambda: sarif(verifications, __version__),
        "junit": lambda: junit(whole, verdicts or FAILING),
    }
    for name, file in reports.items():
        if file is not None:
            file.write_text(writers[name](), encoding="utf-8")
