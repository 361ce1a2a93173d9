"""Kept reports: a report with the command, the date, the machine and the models it was made with.

`docs/bench/NAME.json` is a kept report and `NAME.md` its page. `docs/results.md` takes every figure from
them.
"""

from __future__ import annotations

import os
import platform
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from probative.bench.experiment import Settings
from probative.bench.render.markdown import markdown_row, to_markdown
from probative.bench.render.run_report import RunReport, read_report
from probative.bench.run_folder import Manifest, open_run
from probative.errors import InputError
from probative.types import Value

# An absolute path, as in hf:/models/small; not the slash of an address or of "yes/no".
_PATH = re.compile(r"(?<![\w/.])/(?:[\w.+-]+/)+([\w.+-]+)")
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_DEFAULTS = Settings(data=Path())


class PublishedReport(Value):
    """A report and how it was made. `fingerprints` are those of the models that were opened."""

    name: str
    command: str
    date: str
    machine: str
    fingerprints: dict[str, str]
    run: RunReport


def keep_run(
    path: Path, folder: Path, *, machine: str, name: str | None = None, unfinished: bool = False
) -> PublishedReport:
    """Keep the report of a run in `folder`, under the name of the run's own folder by default.

    Raises `InputError` if the folder is no run with a report, if its name is no name for a report, and if the
    report is not on all cases, unless `unfinished` allows that (`probative bench report` makes one). Messages
    of errors and absolute paths are left out: they may quote a data set, or name private folders.
    """
    manifest = open_run(path).manifest()
    assert manifest is not None
    report = read_report(path)
    if report.cases < manifest.cases and not unfinished:
        raise InputError(
            f"{path} has a report on {report.cases} of {manifest.cases} cases",
            hint="end the run with its command, or keep what there is with --unfinished",
        )
    kept = PublishedReport(
        name=name or path.resolve().name,
        command=without_paths(command_of(manifest)),
        date=(manifest.ended or manifest.started)[:10],
        machine=machine,
        fingerprints={**manifest.fingerprints, **manifest.weights},
        run=_publishable(report),
    )
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
    reports = {}
    for file in sorted(folder.glob("*.json")):
        report = read_kept_file(file)
        reports[report.name] = report
    return reports


def read_kept_file(file: Path) -> PublishedReport:
    """Return a kept report; raises `InputError` if it cannot be read or has another name."""
    try:
        report = PublishedReport.model_validate_json(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise InputError(f"{file} is no kept report: {error}", hint="keep its run again") from None
    if report.name != file.stem:
        raise InputError(f"{file} has the report of {report.name}", hint="name the file after the report")
    return report


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


def command_of(manifest: Manifest) -> str:
    """Return the command that makes a run, with DIR for its data, RUN for its folder and URL for servers."""
    data = ["--data", "DIR"] if manifest.data else []
    words = ["probative", "bench", "run", manifest.experiment, *data, "--out", "RUN"]
    for name, default in (("limit", None), ("seed", _DEFAULTS.seed), ("repeats", _DEFAULTS.repeats)):
        if (value := manifest.settings.get(name)) not in (default, None):
            words += [f"--{name}", str(value)]
    for name, value in (manifest.settings.get("options") or {}).items():
        words += ["--option", f"{name}={_option(value)}"]
    for name, model in manifest.models.items():
        if model is not None and model != "embedded":
            words += [f"--{name.replace('_', '-')}", "URL" if name.endswith("url") else model]
    return shlex.join(words)


def _option(value: object) -> str:
    return "none" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def without_paths(text: str) -> str:
    """Return a text with the last part of each absolute path only.

    >>> without_paths("hf:/home/ada/models/small, https://example.org/a/b, yes/no")
    'hf:PATH/small, https://example.org/a/b, yes/no'
    """
    return _PATH.sub(r"PATH/\1", text)


def _publishable(run: RunReport) -> RunReport:
    errors = tuple(error.model_copy(update={"first": ""}) for error in run.errors)
    return with_short_paths(run.model_copy(update={"errors": errors}))


def with_short_paths(run: RunReport) -> RunReport:
    """Return a report with the last part of each absolute path only."""
    return RunReport.from_dict(_cleaned(run.to_dict()))


def _cleaned(value: Any) -> Any:
    if isinstance(value, str):
        return without_paths(value)
    if isinstance(value, Mapping):
        return {name: _cleaned(own) for name, own in value.items()}
    if isinstance(value, list):
        return [_cleaned(own) for own in value]
    return value


def this_machine() -> str:
    """Return this machine in words: cores, processor, system and Python."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return (
        f"{cores} core{'s' if cores != 1 else ''} ({platform.machine()}), {platform.system()}, "
        f"Python {platform.python_version()}"
    )
