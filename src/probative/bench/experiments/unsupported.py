"""Measure the learned policy on WiCE, which it was never trained on: evidence, and claims that nothing
supports.

    python -m probative.bench.experiments.unsupported --data DIR  # all 349 claims, about 3 s each
    python -m probative.bench.experiments.unsupported --data DIR --part 0/4 --out a  # a quarter, recorded
    python -m probative.bench.experiments.unsupported --data DIR --read a b c d       # the table of that

For each claim as many sentences are chosen as are gold (one where none are). The second table has the AUROC
of claims that WiCE calls not supported against all others, by the policy's probability before the first
sentence that nothing carries the claim, and by the verdict, which counts words as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import probative
from probative.bench.arguments import data_folder, experiment_parser, take_part
from probative.bench.data.evidence import Example, read_claims
from probative.bench.evidence_figures import Chosen, figures
from probative.bench.metrics import auroc, auroc_interval
from probative.bench.rows import Row, append_rows, print_cells, print_header, read_rows
from probative.bench.word_verdict import support_by_words


def run(claims: Sequence[Example], out: Path | None) -> list[Row]:
    """Return the policy's result for each claim, appended to a file as it comes."""
    cases = [
        probative.ProveCase(
            claim=claim.claim, sentences=claim.sentences, k=claim.gold_size if claim.gold else 1
        )
        for claim in claims
    ]
    rows: list[Row] = []
    for index, proof in probative.prove_all(cases, method="learned"):
        if isinstance(proof, probative.ProbativeError):
            raise proof
        row = {
            "id": claims[index].id,
            "indexes": list(proof.indexes),
            "nothing": proof.stops[0].nothing,
            "tokens": proof.usage.tokens,
        }
        rows.append(row)
        append_rows(out, [row])
    return rows


def show(claims: Sequence[Example], rows: Sequence[Row]) -> None:
    """Print the two tables."""
    by_id = {row["id"]: row for row in rows}
    asked = [claim for claim in claims if claim.id in by_id]
    with_gold = [claim for claim in asked if claim.gold]
    chosen = {
        index: Chosen(tuple(by_id[claim.id]["indexes"]), by_id[claim.id]["tokens"])
        for index, claim in enumerate(with_gold)
    }
    got = figures(with_gold, chosen, "gold", 0.0)
    print_header(["WiCE", "claims", "F1", "all gold", "tokens a claim"])
    print_cells(
        [
            "learned, as many as are gold",
            str(len(with_gold)),
            f"{got.f1:.1f} [{got.f1_interval.low:.1f}, {got.f1_interval.high:.1f}]",
            f"{got.all_gold:.1f} [{got.all_gold_interval.low:.1f}, {got.all_gold_interval.high:.1f}]",
            f"{got.tokens:,.0f}",
        ]
    )
    print()
    print_header(["not supported, against all others", "claims", "AUROC"])
    for name, doubt in DOUBTS.items():
        unsupported, others = (
            [doubt(claim, by_id[claim.id]) for claim in asked if (claim.label == "not_supported") == label]
            for label in (True, False)
        )
        if unsupported and others:
            low, high = auroc_interval(unsupported, others)
            value = f"{auroc(unsupported, others):.3f} [{low:.3f}, {high:.3f}]"
            print_cells([name, f"{len(unsupported)} + {len(others)}", value])


def policy_doubt(claim: Example, row: Row) -> float:
    """Return the policy's probability that nothing carries the claim."""
    return float(row["nothing"])


def verdict_doubt(claim: Example, row: Row) -> float:
    """Return the probability that the claim is not supported, as the verdict computes it."""
    text = " ".join(claim.sentences[index] for index in row["indexes"])
    return 1.0 - (1.0 - float(row["nothing"])) * support_by_words(claim.claim, text)


DOUBTS = {"nothing carries it (the policy)": policy_doubt, "the verdict": verdict_doubt}


def main() -> None:
    """Run, or read recorded rows, and print the tables."""
    parser = experiment_parser(__doc__)
    arguments = parser.parse_args()
    claims = read_claims(data_folder(parser, arguments), "wice")
    if arguments.read:
        show(claims, read_rows(arguments.read, ("id",)))
    else:
        claims = take_part(claims, arguments.part)
        show(claims, run(claims, arguments.out))


if __name__ == "__main__":
    main()
