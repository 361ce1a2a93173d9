"""Measure the verdict model on published sets of claims, through `judge`, as a user gets it.

    python -m probative.bench.experiments.verdict_sets --data DIR [--claims 40] [--out rows.jsonl]

Balanced accuracy of supported against the rest with a 95% interval, AUROC, three-way accuracy where the set
has three labels, expected calibration error, tokens and seconds a claim. The rows of a set are every n-th of
`verdict/eval.jsonl.gz`, which nothing is trained on; the two calibration curves (six numbers) are fitted on
it, so `python -m training.verdict report` has the figures that are cross-fitted, of all rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import probative
from probative.bench.arguments import data_folder, experiment_parser, take_part
from probative.bench.data.verdicts import VerdictRow, read_verdict_rows
from probative.bench.metrics import auroc, calibration_error, mean, wilson_interval
from probative.bench.rows import append_rows, print_cells, print_header, read_rows

COLUMNS = ("set", "claims", "supported", "others", "balanced", "AUROC", "three-way", "tokens", "s")


def spread(rows: Sequence[VerdictRow], n: int) -> list[VerdictRow]:
    """Return `n` rows of each set, evenly spread; all rows of a set that has no more.

    >>> rows = [VerdictRow("own", claim, ("Wet.",), "supported") for claim in "abcdef"]
    >>> [row.claim for row in spread(rows, 3)], len({row.claim for row in spread(rows, 9)})
    (['a', 'c', 'e'], 6)
    """
    sets: dict[str, list[VerdictRow]] = {}
    for row in rows:
        sets.setdefault(row.set, []).append(row)
    picked: list[VerdictRow] = []
    for own in sets.values():
        count = min(n, len(own))
        picked += [own[index * len(own) // count] for index in range(count)]
    return picked


def judged(rows: Sequence[VerdictRow]) -> Iterator[dict[str, Any]]:
    """Yield the result of each row."""
    with probative.Session() as session:
        cases = [probative.JudgeCase(claim=row.claim, evidence=row.evidence) for row in rows]
        for index, outcome in session.judge_all(cases):
            if isinstance(outcome, probative.ProbativeError):
                raise outcome
            row = rows[index]
            yield {
                "id": index,
                "set": row.set,
                "label": row.label,
                "binary": row.binary,
                "gold": list(row.gold),
                "verdict": outcome.verdict.value,
                "supported": outcome.probabilities.supported,
                "deciding": list(outcome.deciding),
                "tokens": outcome.usage.prompt_tokens,
                "seconds": outcome.usage.seconds,
            }


def print_table(rows: Sequence[dict[str, Any]]) -> None:
    """Print a line for each set, and the mean."""
    print_header(COLUMNS)
    balanced: list[float] = []
    for name in dict.fromkeys(row["set"] for row in rows):
        own = [row for row in rows if row["set"] == name]
        groups = [
            [row for row in own if row["label"] == "supported"],
            [row for row in own if row["label"] != "supported"],
        ]
        shares = [
            mean([float((row["supported"] >= 0.5) == supported) for row in group])
            for group, supported in zip(groups, (True, False), strict=True)
        ]
        balanced.append(mean(shares))
        three = mean([float(row["verdict"] == row["label"]) for row in own])
        values = [[row["supported"] for row in group] for group in groups]
        print_cells(
            [
                name,
                str(len(own)),
                *(f"{100 * share:.1f}" for share in shares),
                f"{100 * balanced[-1]:.1f}",
                f"{auroc(*values):.3f}",
                "-" if any(row["binary"] for row in own) else f"{100 * three:.1f}",
                f"{mean([row['tokens'] for row in own]):.0f}",
                f"{mean([row['seconds'] for row in own]):.2f}",
            ]
        )
    right = [row["label"] == "supported" for row in rows]
    error = calibration_error([row["supported"] for row in rows], right)
    agreed = sum((row["supported"] >= 0.5) == hit for row, hit in zip(rows, right, strict=True))
    low, high = wilson_interval(agreed, len(rows))
    print(f"mean of the balanced accuracies: {100 * mean(balanced):.1f}; calibration error {error:.3f}")
    print(f"supported or not, of all rows: {100 * agreed / len(rows):.1f} [{low:.1f}, {high:.1f}]")


def main() -> None:
    """Judge the rows and print the table."""
    parser = experiment_parser(__doc__)
    parser.add_argument("--claims", type=int, default=40, help="claims of each set")
    arguments = parser.parse_args()
    if arguments.read:
        print_table(read_rows(arguments.read, ("set", "id")))
        return
    cases = spread(list(read_verdict_rows(data_folder(parser, arguments))), arguments.claims)
    rows: list[dict[str, Any]] = []
    for row in judged(take_part(cases, arguments.part)):
        rows.append(row)
        append_rows(arguments.out, [row])
    print_table(rows)


if __name__ == "__main__":
    main()
