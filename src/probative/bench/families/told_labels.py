"""Claims with one label, told from claims with others by the verdict of `prove`."""

from __future__ import annotations

from probative.bench.rows import Row
from probative.bench.tables import Groups, Rows, rows_of, share, told_apart

# Claims of a set with one label, to be told from those with other labels.
PAIRS = (
    ("wice", "supported", ("not_supported",)),
    ("wice", "supported", ("not_supported", "partially_supported")),
    ("fever", "SUPPORTS", ("REFUTES",)),
    ("hover", "SUPPORTED", ("NOT_SUPPORTED",)),
)


def by_pair(rows: Rows) -> Groups:
    """Yield the claims of each pair of labels, with whether they have the first."""
    for name, label, others in PAIRS:
        own = [
            {**row, "first": row["label"] == label}
            for row in rows_of(rows, set=name)
            if row["label"] in (label, *others)
        ]
        yield f"{name}: {label} from {', '.join(others)}", own


def is_contradicted(row: Row) -> bool:
    """Return whether the verdict is that the evidence contradicts the claim."""
    return bool(row["verdict"] == "contradicted")


METRICS = {
    "AUROC": told_apart("supported", "first"),
    "first said to be contradicted, %": share(is_contradicted, of="first"),
    "others said to be contradicted, %": share(is_contradicted, of=lambda row: not row["first"]),
}
