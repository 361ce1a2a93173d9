"""Keep reports: `docs/bench/NAME.json` is a kept report and `NAME.md` its page. `docs/results.md` takes every
figure from them.
"""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from probative.bench.render import markdown_row, to_markdown
from probative.bench.reports import PublishedReport, published_run, read_kept_file
from probative.bench.run_folder import RunFolder
from probative.errors import InputError

_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def keep_run(
    path: Path, folder: Path, *, machine: str, name: str | None = None, unfinished: bool = False
) -> PublishedReport:
    """Keep the report of a run in `folder`, under the name of the run's own folder by default.

    Raises `InputError` if the folder is no run with a report, if its name is no name for a report, and if the
    report is not on all cases, unless `unfinished` allows that (`probative bench report` makes one). Messages
    of errors and absolute paths are left out: they may quote a data set, or name private folders.
    """
    kept = published_run(RunFolder(path), name or path.resolve().name, machine)
    cases = RunFolder(path).opened().cases
    if kept.run.cases < cases and not unfinished:
        raise InputError(
            f"{path} has a report on {kept.run.cases} of {cases} cases",
            hint="end the run with its command, or keep what there is with --unfinished",
        )
    errors = tuple(error.model_copy(update={"first": ""}) for error in kept.run.errors)
    kept = kept.model_copy(update={"run": kept.run.model_copy(update={"errors": errors})})
    write_kept(kept, folder)
    return kept


def write_kept(kept: PublishedReport, folder: Path) -> None:
    """Write NAME.json, and the pages of the folder."""
    if not _NAME.fullmatch(kept.name):
        raise InputError(
            f"{kept.name!r} is no name for a kept report",
            hint="use small letters, digits and hyphens: --name NAME",
        )
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{kept.name}.json").write_text(kept.model_dump_json(indent=1) + "\n", encoding="utf-8")
    write_pages(folder)


def write_pages(folder: Path) -> dict[str, PublishedReport]:
    """Write NAME.md for each kept report of a folder, and the index; returns the reports."""
    reports = read_kept(folder)
    for name, kept in reports.items():
        (folder / f"{name}.md").write_text(kept_page(kept), encoding="utf-8")
    (folder / "index.md").write_text(index_page(reports.values()), encoding="utf-8")
    return reports


def read_kept(folder: Path) -> dict[str, PublishedReport]:
    """Return the kept reports of a folder by name; raises `InputError` for one that cannot be read."""
    return {file.stem: read_kept_file(file) for file in sorted(folder.glob("*.json"))}


def kept_page(kept: PublishedReport) -> str:
    """Return a kept report as a Markdown page."""
    weights = "; ".join(f"{name} {value}" for name, value in kept.fingerprints.items())
    about = [
        *("```bash", kept.command, "```", ""),
        f"- made: {kept.date}, {kept.machine}",
        *([f"- weights: {weights}"] if weights else []),
    ]
    return to_markdown(kept.run, about=about)


def index_page(reports: Iterable[PublishedReport]) -> str:
    """Return the page that lists kept reports, grouped by paper."""
    return "\n".join(_index_lines(list(reports))) + "\n"


def _index_lines(reports: Sequence[PublishedReport]) -> Iterator[str]:
    yield "# Kept reports"
    yield ""
    yield "Each page has the command that made it, the date, the machine, the models and the data. This list"
    yield "is generated: see [how a report is kept](../bench.md#kept-reports)."
    for paper in sorted({kept.run.paper for kept in reports}):
        yield from ("", f"## {paper[0].upper()}{paper[1:]}", "")
        yield "| report | what it finds out | shown as | model | cases | made |"
        yield "| --- | --- | --- | --- | --- | --- |"
        for kept in reports:
            if kept.run.paper == paper:
                model = kept.run.models.get("model") or "-"
                link = f"[{kept.name}]({kept.name}.md)"
                cases = f"{kept.run.cases:,}" if kept.run.cases else "-"
                yield markdown_row((link, kept.run.title, kept.run.shown_as, model, cases, kept.date))


def this_machine() -> str:
    """Return this machine in words: cores, processor, system and Python."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return (
        f"{cores} core{'s' if cores != 1 else ''} ({platform.machine()}), {platform.system()}, "
        f"Python {platform.python_version()}"
    )
