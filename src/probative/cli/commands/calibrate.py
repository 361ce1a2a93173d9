"""`probative calibrate`: how far *supported* can be trusted on a corpus."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from probative.cli.framework.exit_codes import ExitCode
from probative.cli.framework.options import Json, JudgedModelOptions, run_option
from probative.cli.views.terminal import print_json, print_text
from probative.errors import InputError

if TYPE_CHECKING:
    from probative.batch.draw import DrawnQuestions
    from probative.types import Value

EXAMPLES = (
    "probative calibrate --corpus documents --questions questions.txt -n 120 --out labels.jsonl",
    "probative calibrate --corpus documents --labels labels.jsonl",
    "probative calibrate --corpus documents --labels labels.jsonl --alpha 0.1",
    "probative calibrate --corpus documents --self",
)


def calibrate(
    corpus: Annotated[
        str,
        typer.Option(metavar="FOLDER-or-INDEX", help="The documents: a folder, or an index."),
    ],
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw questions, ask them, and write this file to label."),
    ] = None,
    questions: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Draw from these questions: one on each line, or JSON lines with a question. Without it, "
            "the model writes them from passages at random.",
        ),
    ] = None,
    labels: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Choose the limit of supported by the labels in this file."),
    ] = None,
    self_test: Annotated[
        bool, typer.Option("--self", help="Test claims made of the documents' own sentences; no guarantee.")
    ] = False,
    alpha: Annotated[
        float, typer.Option(metavar="SHARE", help="The largest share of wrong ones among supported answers.")
    ] = 0.05,
    delta: Annotated[
        float, typer.Option(metavar="SHARE", help="The probability that the guarantee may fail.")
    ] = 0.05,
    n: Annotated[
        int, typer.Option("-n", metavar="N", min=1, help="How many questions are drawn, or claims made.")
    ] = 100,
    seed: Annotated[int, run_option(help="The seed of random draws.")] = 0,
    json: Json = False,
    *,
    models: JudgedModelOptions,
) -> None:
    """Guarantee how often supported answers over a corpus are wrong, from labels; or test it without."""
    ways = [name for name, given in (("--out", out), ("--labels", labels), ("--self", self_test)) if given]
    if len(ways) != 1:
        raise InputError(
            f"give one of --out, --labels and --self, got {' and '.join(ways) or 'none'}",
            hint="--out FILE draws questions; label them, then --labels FILE; --self needs no labels",
        )
    if questions is not None and out is None:
        raise InputError("--questions needs --out FILE, the file that you will label")
    from probative.calibration.labels import calibrate as by_labels
    from probative.cli.views.progress import batch_progress, index_progress
    from probative.corpus.corpus import Corpus
    from probative.views.terminal import show_result

    settings = models.settings()
    with index_progress() as progress:
        documents = Corpus.open(corpus, background=False, settings=settings, progress=progress)
    guaranteed = True
    with documents:
        if labels is not None:
            calibration = by_labels(documents, labels, alpha=alpha, delta=delta)
            result: Value = calibration
            guaranteed = calibration.kind == "guarantee"
        else:
            with (
                models.session(dry_run=False) as session,
                batch_progress("claims" if self_test else "questions") as show,
            ):
                if out is not None:
                    from probative.batch.draw import draw_questions

                    result = draw_questions(
                        session, documents, out, questions=questions, n=n, draw_seed=seed, progress=show
                    )
                else:
                    from probative.calibration.self_test import self_test as test_corpus

                    result = test_corpus(
                        session, documents, n=n, seed=seed, progress=lambda done, of: show(done, 0, of)
                    )
    if json:
        print_json(result)
    elif out is None:
        show_result(result)
    if out is not None:
        _show_draw(result, json=json)  # type: ignore[arg-type]
    if not guaranteed:
        raise typer.Exit(ExitCode.NO_GUARANTEE)


def _show_draw(drawn: DrawnQuestions, *, json: bool) -> None:
    """Print what was drawn and what is left to do. Exit with code 4 if a question failed."""
    from probative.cli.views.batch import show_failures

    show_failures(drawn.batch)
    if drawn.failed:
        raise typer.Exit(ExitCode.FAILED_LINES)
    if not json:
        print_text(
            f"{drawn.file}: {drawn.drawn:,} of {drawn.pool:,} questions drawn; {drawn.counting:,} answers "
            f"count, {drawn.labelled:,} have a label\n"
            'write true or false for "right" in each line with "counts": true, then run: '
            f"probative calibrate --corpus … --labels {drawn.file}"
        )
