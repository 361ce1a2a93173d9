"""What kept reports rest on: their runs, models, weights and cases, for docs/results.md."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from probative.bench.report import Cell, RunReport
from probative.bench.reports import PublishedReport
from probative.bench.run_report import UNSEEN
from probative.errors import InputError

CERTAINTY = Path(__file__).parents[2] / "src/probative/scope/certainty.json"
FEW = 100
"""A report on fewer cases has few."""
TINY = ("embedded", "embedded:plain", "SmolLM2-135M")
"""Models of fewer than two hundred million parameters: their names, or a part of them."""
TRAINED = ("model", "policy", "verdict")
"""The roles of the weights that ship, which were trained more than once."""
_SEEN = re.compile(r"([\d,]+) of [\d,]+ cases ha(?:s|ve) a question, claim or document")


def source_line(kept: PublishedReport, reports: Mapping[str, PublishedReport]) -> str:
    """Return what a report rests on in one line: whether its run was cut, cases failed or were left out, and
    whether a newer one of the reports was made with other weights.
    """
    run = kept.run
    models = {name: model for name, model in run.models.items() if model is not None}
    judge = f", judged by {models['judge_model']}" if "judge_model" in models else ""
    model = f"{models['model']}{judge}" if "model" in models else ""
    cases = f"{run.cases:,} case{'s' if run.cases != 1 else ''}" if run.cases else ""
    sentences = [
        f"{', '.join(filter(None, (cases, model, kept.machine, kept.date)))}.",
        run.unfinished,
        f"{run.failed:,} of them failed." if run.failed else "",
        _left_out(run),
        "Newer reports have other weights." if _has_older_weights(kept, reports) else "",
        f"[Report](bench/{kept.name}.md).",
    ]
    return " ".join(filter(None, sentences))


def _left_out(run: RunReport) -> str:
    """Return how many cases the figures of a report are without, since they trained a shipped model."""
    seen = next(filter(None, map(_SEEN.match, run.notes)), None)
    if seen is None or not any(table.title.endswith(UNSEEN) for table in run.report.tables):
        return ""
    return f"Figures are without {seen[1]} cases that trained a shipped model."


def _weights(kept: PublishedReport) -> dict[tuple[str, str], str]:
    """Return the hash of the shipped weights of a report by role and model, without backend and device."""
    models = {**kept.run.models, "policy": "embedded"}
    return {
        (role, str(models[role])): fingerprint.rpartition(":")[2]
        for role, fingerprint in kept.fingerprints.items()
        if role in TRAINED and str(models.get(role)).startswith("embedded")
    }


def _has_older_weights(kept: PublishedReport, reports: Mapping[str, PublishedReport]) -> bool:
    for part, used in _weights(kept).items():
        made = [(other.date, _weights(other).get(part)) for other in reports.values()]
        newest = max(date for date, weights in made if weights)
        if used not in {weights for date, weights in made if date == newest}:
            return True
    return False


def fewest_drawn(run: RunReport) -> int:
    """Return the fewest cases behind a figure that the drawings of a report show: of the tables that are
    named as a drawing, otherwise of the first table.
    """
    titles = tuple(plot.title for plot in run.report.plots)
    whole = [table for table in run.report.tables if not table.title.endswith(UNSEEN)]
    drawn = [table for table in whole if titles and table.title.startswith(titles)] or whole[:1]
    cells = [cell for table in drawn for row in table.rows for cell in row.cells]
    return min((cell.n for cell in cells if isinstance(cell, Cell) and cell.n), default=0)


def is_refitted(run: RunReport) -> bool:
    """Return whether the shipped certainty rests on a signal that a report on its signals does not have: it
    was fitted again after the run.
    """
    tables = [table for table in run.report.tables if table.title.startswith("Each signal")]
    if not tables:
        raise InputError("the report has no table of signals", hint="name a report of risk-coverage")
    known = {row.name for table in tables for row in table.rows}
    return not set(_signals(json.loads(CERTAINTY.read_text(encoding="utf-8")))) <= known


def _signals(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        yield from (term["signal"] for term in part.get("terms", ()))
        for value in part.values():
            yield from _signals(value)


def count_of_papers(reports: Mapping[str, PublishedReport], which: str) -> int:
    """Return how many reports on experiments of the papers there are: `all`, the `unfinished`, those of `few`
    cases, or those of a `tiny` model. Raises `InputError` for another kind.
    """
    kinds = {
        "all": lambda run: True,
        "unfinished": lambda run: bool(run.unfinished),
        "few": lambda run: run.cases < FEW,
        "tiny": lambda run: _is_tiny(run.models.get("model") or ""),
    }
    if which not in kinds:
        raise InputError(f"unknown kind of reports: {which}", hint=f"use one of {', '.join(kinds)}")
    papers = [
        kept.run for kept in reports.values() if kept.run.paper in ("Chain of Evidence", "GIVE", "McsE")
    ]
    return sum(map(kinds[which], papers))


def _is_tiny(model: str) -> bool:
    return model in TINY or TINY[-1] in model
