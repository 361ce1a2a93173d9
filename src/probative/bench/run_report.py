"""Make the report of a run from its rows, and write it into the run's folder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from probative.bench.data.sets import is_kept_version
from probative.bench.render import to_html, to_markdown
from probative.bench.report import NOT_FINISHED, Cell, DataUsed, ErrorCount, Report, RunReport, Table
from probative.bench.rows import Row, counted_rows
from probative.bench.run_folder import HTML, JSON, MARKDOWN, Manifest, RunFolder
from probative.bench.study import Settings, Study
from probative.bench.trained import describe
from probative.errors import MissingExtraError

UNSEEN = "unseen cases only"
"""How the title of a table ends that is without the cases that trained a shipped model."""
NO_RESULT = "No case ended with a result: nothing is found out."


def write_reports(
    folder: RunFolder, experiment: Study, settings: Settings, manifest: Manifest, rows: Sequence[Row]
) -> RunReport:
    """Write report.json, report.md and report.html (with matplotlib only), and return the report."""
    run = _run_report(experiment, settings, manifest, rows)
    folder.write(JSON, run.model_dump_json(indent=2) + "\n")
    folder.write(MARKDOWN, to_markdown(run))
    try:
        folder.write(HTML, to_html(run))
    except MissingExtraError:
        (folder.path / HTML).unlink(missing_ok=True)
    return run


def _run_report(experiment: Study, settings: Settings, manifest: Manifest, rows: Sequence[Row]) -> RunReport:
    names = experiment.data_of(settings)
    errors: dict[str, list[str]] = {}
    for row in rows:
        if "error" in row:
            errors.setdefault(row.get("error_type", "error"), []).append(row["error"])
    shown = {name: value for name, value in manifest.settings.items() if name != "repeats"}
    report = _with_unseen(experiment, settings, manifest, rows)
    if _lacks_judge(experiment, manifest):
        # Judged answers, and samples that a model built, are another quantity than exact match, and samples
        # that rules built.
        report = report.model_copy(update={"tables": tuple(map(_without_differences, report.tables))})
    return RunReport(
        version=manifest.version,
        experiment=experiment.name,
        title=experiment.title,
        paper=experiment.paper,
        shown_as=experiment.paper_reference,
        models={name: value for name, value in manifest.models.items() if "url" not in name},
        settings=manifest.settings if experiment.repeated else shown,
        data=tuple(
            DataUsed(path=path, sha256=sha256, kept=is_kept_version(path, sha256, names))
            for path, sha256 in manifest.data.items()
        ),
        cases=len(rows),
        errors=tuple(
            ErrorCount(type=kind, count=len(texts), first=texts[0]) for kind, texts in sorted(errors.items())
        ),
        trained={model: len(keys) for model, keys in manifest.trained.items()},
        notes=tuple(_notes(experiment, manifest, rows)),
        report=report,
        limit_of=experiment.limit_of,
    )


def _lacks_judge(experiment: Study, manifest: Manifest) -> bool:
    return experiment.judged and manifest.models.get("judge_model") is None


def _without_differences(table: Table) -> Table:
    """Return a table whose published figures stand beside ours without a difference."""

    def apart(cell: Cell | str) -> Cell | str:
        if isinstance(cell, str) or cell.published is None:
            return cell
        return cell.model_copy(update={"comparable": False})

    rows = (row.model_copy(update={"cells": tuple(map(apart, row.cells))}) for row in table.rows)
    return table.model_copy(update={"rows": tuple(rows)})


def _with_unseen(experiment: Study, settings: Settings, manifest: Manifest, rows: Sequence[Row]) -> Report:
    """Return the report; if some cases trained a shipped model, its tables stand there without them, too, and
    its findings are without them.
    """
    report = experiment.report(rows, settings)
    if rows and all("error" in row for row in rows):
        report = report.model_copy(update={"findings": (NO_RESULT, *report.findings)})
    unseen = [row for row in rows if row["key"] not in manifest.trained_keys]
    if not unseen or len(unseen) == len(rows):
        return report
    without = experiment.report(unseen, settings)
    again = tuple(
        table.model_copy(update={"title": f"{table.title}: {UNSEEN}"})
        for table, whole in zip(without.tables, report.tables, strict=False)
        if table != whole
    )
    return report.model_copy(update={"tables": (*report.tables, *again), "findings": without.findings})


def _notes(experiment: Study, manifest: Manifest, rows: Sequence[Row]) -> Iterator[str]:
    """Yield sentences on what is not finished, on failed cases, on a missing judge, on cases that trained a
    shipped model, on the speed of a PyTorch model, and on the limit.
    """
    if len(rows) < manifest.cases:
        yield f"{NOT_FINISHED}: {len(rows):,} of {manifest.cases:,} cases."
    failed = [row for row in rows if "error" in row]
    if failed and experiment.paper == "ours":
        if len(counted_rows(failed)) == len(failed):
            yield "A case that failed counts as wrong; its cost is in no figure."
        else:
            yield "A case that failed is in no figure."
    if _lacks_judge(experiment, manifest):
        end = "." if experiment.paper == "ours" else ", where the paper has a judge."
        yield f"No judge model: normalised exact match decides whether an answer is right{end}"
    if manifest.trained:
        some_unseen = len(manifest.trained_keys) < manifest.cases
        without = f'The findings, and tables called "{UNSEEN}", are without them.'
        shown = without if some_unseen else "None is unseen."
        yield f"{describe(manifest.trained, manifest.cases)}. {shown}"
    spent, model = manifest.spent, manifest.models.get("model") or ""
    if model.startswith("hf:") and spent.seconds:
        read, written = spent.prompt_tokens + spent.scored_tokens, spent.completion_tokens
        speed = (read + written) / spent.seconds
        yield (
            f"{spent.calls:,} calls read {read:,} tokens (a prompt once for each draw) and wrote "
            f"{written:,} in {spent.seconds:,.0f} seconds, added over models and processes: {speed:,.0f} "
            "tokens a second."
        )
    if manifest.settings.get("limit") is not None:
        yield f"Limited with --limit {manifest.settings['limit']}."
