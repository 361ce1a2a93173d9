"""The table of the `answers` experiment, made from its rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from probative.bench.data.multihop import Question
from probative.bench.metrics import answer_f1, auroc, exact_match, mean, percent_with_interval
from probative.bench.rows import Row, print_cells

# The method below which the table repeats the row with the answers that `ask` computes.
RULED = "gold evidence, read"
COLUMNS = ["method (model)", "questions", "EM", "F1", "supported", "EM of these", "all gold", "pieces"]
COLUMNS += ["AUROC answerable", "AUROC complete", "calls", "tokens", "seconds"]


def figures(questions: Mapping[str, Question], rows: Sequence[Row]) -> list[str]:
    """Return the cells of a method; `questions` are by id."""
    full = [row for row in rows if not row["lacking"]]
    pairs = [(row["answer"] or "", questions[row["id"]].answer) for row in full]
    exact = [float(exact_match(*pair)) for pair in pairs]
    supported = [row.get("verdict") == "supported" for row in full]
    all_gold = [questions[row["id"]].gold <= set(row.get("chain") or []) for row in full]
    return [
        str(len(full)),
        percent_with_interval(exact),
        percent_with_interval([answer_f1(*pair) for pair in pairs]),
        f"{100 * mean(supported):.0f}%",
        f"{100 * mean([value for value, given in zip(exact, supported, strict=True) if given]):.1f}",
        f"{100 * mean(all_gold):.1f}",
        f"{mean([len(row.get('chain') or []) for row in full]):.2f}",
        separation(rows, "answerable"),
        separation(rows, "completeness"),
        f"{mean([row['calls'] for row in full]):.1f}",
        f"{mean([row['tokens'] for row in full]):,.0f}",
        f"{mean([row['seconds'] for row in full]):.1f}",
    ]


def separation(rows: Sequence[Row], field: str) -> str:
    """Return the AUROC of a field for questions with all evidence against the same questions without a
    page.
    """
    lacking = {row["id"]: row[field] for row in rows if row["lacking"] and row.get(field) is not None}
    whole = [row[field] for row in rows if not row["lacking"] and row["id"] in lacking]
    scores = [score for score in whole if score is not None]
    return f"{auroc(scores, list(lacking.values())):.3f}" if scores and lacking else ""


def print_row(title: str, questions: Mapping[str, Question], rows: Sequence[Row]) -> None:
    """Print the cells of a method; below read gold evidence, print them again with computed answers."""
    mine = [row for row in rows if row["id"] in questions]
    failed = sum("problem" in row for row in mine)
    note = f" ({failed} failed)" if failed else ""
    print_cells([title + note, *figures(questions, mine)])
    if title.startswith(f"{RULED} ("):
        computed = [{**row, "answer": row.get("computed") or row["answer"]} for row in mine]
        print_cells(["the same, with what is computed", *figures(questions, computed)])
