"""Computed answers: which are right and believed, and what their certainty is worth."""

from __future__ import annotations

from collections.abc import Iterator

from probative.bench.findings import share_text
from probative.bench.metrics import auroc, calibration_error
from probative.bench.rows import Groups, Row, Rows, rows_of
from probative.bench.statistics import percent_cell
from probative.bench.tables import Results, share


def believed(row: Row) -> bool:
    """Return whether the answer is marked supported."""
    return bool(row["verdict"] == "supported")


def right(row: Row) -> bool:
    """Return whether a question that can be answered has the right answer."""
    return bool(row["right"]) and bool(row["answerable"])


METRICS = {
    "right and supported": share(lambda row: believed(row) and right(row)),
    "right candidate": share(right),
    "wrong and supported": share(lambda row: believed(row) and not right(row)),
    "computed": share("computed"),
    "right of these": share(right, of="computed"),
}


def by_hostility(rows: Rows) -> Groups:
    """Return plain questions, hostile ones and all."""
    return [("plain", rows_of(rows, hostile=False)), ("hostile", rows_of(rows, hostile=True)), ("all", rows)]


def certainty(results: Results) -> Iterator[str]:
    """Yield how well the certainty of computed answers tells right from wrong ones."""
    computed = [row for row in results.rows if row["computed"] and row["certainty"] is not None]
    if not computed:
        return
    supported = percent_cell([float(right(row)) for row in computed if believed(row)])
    yield f"{share_text(supported)} computed answers marked supported are right."
    chances, hits = [row["certainty"] for row in computed], [right(row) for row in computed]
    high = [chance for chance, hit in zip(chances, hits, strict=True) if hit]
    low = [chance for chance, hit in zip(chances, hits, strict=True) if not hit]
    if high and low:
        yield (
            f"The certainty of {len(computed)} computed answers has AUROC {auroc(high, low):.3f} and "
            f"calibration error {calibration_error(chances, hits):.3f}; {len(set(chances))} different values."
        )
