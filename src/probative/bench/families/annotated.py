"""The agreement of named sentences with gold ones, and how many replies could be read."""

from __future__ import annotations

from collections.abc import Iterator

from probative.bench.families.evidence import exact_match, overlap_metrics
from probative.bench.metrics import mean
from probative.bench.tables import Metric, Results, Rows, column_cells

ANNOTATION = "annotation"


ALL = 10**6


def mean_named(rows: Rows) -> str:
    """Return the mean number of sentences that a readable reply names."""
    named = [float(len(row["indexes"])) for row in rows if not row["failed"]]
    return f"{mean(named):.1f}" if named else "-"


def count(field: str) -> Metric:
    """Return the metric of how many rows have something in a field."""
    return lambda rows: f"{sum(bool(row[field]) for row in rows):,} of {len(rows):,}"


METRICS: dict[str, Metric] = {
    **overlap_metrics(ALL),
    "EM": exact_match(ALL),
    "sentences named": mean_named,
    "sentences of the text": lambda rows: f"{mean([float(row['sentences']) for row in rows]):.1f}",
    "replies that name none": count("none"),
    "unreadable replies": count("failed"),
}


def agreement(results: Results) -> Iterator[str]:
    """Yield how well the named sentences agree with gold ones, and how many replies could not be read."""
    (table,) = results.tables
    lines = zip(column_cells(table, "precision", "recall", "F1"), table.rows, strict=True)
    for (title, (precision, recall, f1)), row in lines:
        agreement = "there is no gold to compare with"
        if f1.value is not None:
            agreement = (
                f"the named sentences have an F1 of {f1.value:.1f} against gold (precision "
                f"{precision.value:.1f}, recall {recall.value:.1f}, n = {f1.n})"
            )
        yield f"{title}: {agreement}; {row.cells[-1]} replies could not be read."
