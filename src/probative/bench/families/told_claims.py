"""Claims with one label, told from others: by the doubts of the policy, and by the verdict of `prove`."""

from __future__ import annotations

from collections.abc import Iterator

from probative.bench.data.claims import Example
from probative.bench.findings import auroc_text, counted
from probative.bench.report import Cell
from probative.bench.rows import Groups, Row, Rows, rows_of
from probative.bench.tables import Metric, Results, share, told_apart
from probative.bench.word_verdict import support_by_words
from probative.mcse.proof import Proof

DOUBTS = {"nothing carries it (the policy)": "nothing", "the policy and the words": "doubt"}


def is_unsupported(row: Row) -> bool:
    """Return whether nothing supports the claim."""
    return bool(row["label"] == "not_supported")


DOUBT_METRICS: dict[str, Metric] = {
    "AUROC": told_apart("by", is_unsupported),
    "not supported": lambda rows: str(sum(map(is_unsupported, rows))),
    "others": lambda rows: str(sum(not is_unsupported(row) for row in rows)),
}


def doubts_of(claim: Example, proof: Proof) -> Row:
    """Return the policy's probability that nothing carries a claim, and that with the words together."""
    nothing = float(proof.stops[0].nothing)
    text = " ".join(claim.sentences[index] for index in proof.indexes)
    return {"nothing": nothing, "doubt": 1.0 - (1.0 - nothing) * support_by_words(claim.claim, text)}


def by_doubt(rows: Rows) -> Groups:
    """Yield the rows for each doubt, whose value is `by`."""
    for name, field in DOUBTS.items():
        yield name, [{**row, "by": float(row[field])} for row in rows]


def told_findings(results: Results) -> Iterator[str]:
    """Yield how well each doubt tells the claims apart."""
    for row in results.tables[1].rows:
        cell, unsupported, others = row.cells
        if isinstance(cell, Cell) and cell.value is not None:
            yield (
                f"{counted(int(str(unsupported)), 'claim')} that nothing supports told from {others} others: "
                f"{auroc_text(cell)} (by: {row.name})."
            )


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


PAIR_METRICS = {
    "AUROC": told_apart("supported", "first"),
    "first said to be contradicted, %": share(is_contradicted, of="first"),
    "others said to be contradicted, %": share(is_contradicted, of=lambda row: not row["first"]),
}
