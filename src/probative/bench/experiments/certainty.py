"""Measure how far `supported` and the stated certainty of `ask` can be believed.

    python -m probative.bench.experiments.certainty --data DIR --part 0/16 --out reported.0.jsonl
    python -m probative.bench.experiments.certainty --data DIR --read reported.*.jsonl --curves FOLDER

Whole `ask` over all distractors, with an answer to every question; each line has the signals of its answer.
A run goes on where it was stopped: questions that `--out` already has are left out. `training.certainty`
collects other questions in the same form and fits the certainty on them. With `--read`, certainty and verdict
are computed again from the recorded signals with the weights of the package, so one run serves both before
and after a fit.

"right" is F1 ≥ 0.6 or one answer contained in the other. "wrong and supported" is of all questions. ECE is
the expected calibration error over 10 groups of equal size. `--curves` draws risk against coverage and the
reliability of the certainty; the table of risks gives the share of wrong answers among the surest.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import probative
from probative.bench.arguments import data_folder, experiment_parser, take_part
from probative.bench.data.multihop import Question, read_questions
from probative.bench.metrics import (
    answer_f1,
    auroc,
    calibration_error,
    exact_match,
    is_right,
    mean,
    percent_with_interval,
    reliability,
    risk_coverage,
)
from probative.bench.render.plots import curves_svg
from probative.bench.rows import Row, append_rows, print_cells, print_header, read_rows
from probative.bench.splits import MULTIHOP_FILES
from probative.scope.certainty import CertaintyModels, certainty_models
from probative.scope.signals import Signals
from probative.scope.verdict import is_model_reason

# The shares of the questions, in percent, whose risk is printed.
COVERAGES = (20, 40, 60, 80, 100)
# Returns whether an answer to a question is right.
Grader = Callable[[Question, str], bool]
COLUMNS = ["set", "questions", "EM", "F1", "right", "supported", "right of these", "wrong and supported"]
COLUMNS += ["AUROC", "ECE", "calls", "tokens", "seconds"]


def is_gold(question: Question, answer: str) -> bool:
    """Return whether an answer has an F1 of at least 0.6 with the gold one, or one contains the other."""
    return is_right(answer, question.answer)


def collect(
    questions: Sequence[Question], set_name: str, out: Path | None, grade: Grader = is_gold
) -> list[Row]:
    """Answer the questions that `out` does not have yet, and return all rows of the set."""
    done = {row["id"]: row for row in _recorded(out) if row["set"] == set_name}
    rows = [done[question.id] for question in questions if question.id in done]
    waiting = [question for question in questions if question.id not in done]
    with probative.Session(settings=probative.load_settings({"cache": False})) as session:
        for number, question in enumerate(waiting, 1):
            row = {"set": set_name, **_row(session, question, grade)}
            append_rows(out, [row])
            rows.append(row)
            if number % 10 == 0 or number == len(waiting):
                print(f"{set_name}: {len(rows)} of {len(questions)}", file=sys.stderr, flush=True)
    return rows


def _recorded(out: Path | None) -> list[Row]:
    return read_rows([out], ("set", "id")) if out is not None and out.exists() else []


def _row(session: probative.Session, question: Question, grade: Grader) -> Row:
    started = time.perf_counter()
    answer = session.ask(question.text, question.passages, answer_anyway=True)
    text = answer.answer or ""
    return {
        "id": question.id,
        "question": question.text,
        "kind": question.kind,
        "gold": question.answer,
        "answer": answer.answer,
        "em": exact_match(text, question.answer),
        "f1": answer_f1(text, question.answer),
        "right": grade(question, text),
        "verdict": answer.verdict.value,
        "reason": answer.reason,
        "eligible": answer.verdict is probative.Verdict.SUPPORTED or is_model_reason(answer.reason),
        "computed": bool(answer.signals is not None and answer.signals.computed),
        "signals": None if answer.signals is None else answer.signals.to_dict(),
        "passages": len(question.passages),
        "certainty": answer.certainty,
        "cited": [sentence.text for sentence in answer.cited],
        "chain": [passage.text for passage in answer.chain],
        "notes": list(answer.notes),
        "conflicts": sum(conflict.blocking for conflict in answer.conflicts),
        "all_gold": question.gold <= {passage.index for passage in answer.chain},
        "calls": answer.usage.calls,
        "tokens": answer.usage.tokens,
        "seconds": time.perf_counter() - started,
    }


def is_supported(row: Row, models: CertaintyModels) -> bool:
    """Return whether an answer is supported with the weights of some models."""
    if not row["eligible"] or row["signals"] is None:
        return False
    signals = Signals.from_dict(row["signals"])
    return models.read(signals).refusal(signals) is None


def certainty_of(row: Row, models: CertaintyModels) -> float:
    """Return the certainty of a row; 0 if there is no answer."""
    if row["signals"] is None:
        return 0.0
    signals = Signals.from_dict(row["signals"])
    return models.read(signals).certainty(signals)


def figures(rows: Sequence[Row], models: CertaintyModels) -> list[str]:
    """Return the cells of a set."""
    supported = [is_supported(row, models) for row in rows]
    right = [bool(row["right"]) for row in rows]
    chances = [certainty_of(row, models) for row in rows]
    of_these = [float(hit) for hit, given in zip(right, supported, strict=True) if given]
    wrong = [float(given and not hit) for hit, given in zip(right, supported, strict=True)]
    separation = auroc(
        [chance for chance, hit in zip(chances, right, strict=True) if hit],
        [chance for chance, hit in zip(chances, right, strict=True) if not hit],
    )
    return [
        str(len(rows)),
        percent_with_interval([float(row["em"]) for row in rows]),
        percent_with_interval([row["f1"] for row in rows]),
        percent_with_interval([float(hit) for hit in right]),
        percent_with_interval([float(given) for given in supported]),
        percent_with_interval(of_these),
        percent_with_interval(wrong),
        f"{separation:.3f}",
        f"{calibration_error(chances, right):.3f}",
        f"{mean([row['calls'] for row in rows]):.1f}",
        f"{mean([row['tokens'] for row in rows]):,.0f}",
        f"{mean([row['seconds'] for row in rows]):.1f}",
    ]


def signal_table(rows: Sequence[Row]) -> None:
    """Print the AUROC of each signal by itself."""
    print_header(["signal", "known", "AUROC"])
    signals = [
        (Signals.from_dict(row["signals"]), row["right"]) for row in rows if row["signals"] is not None
    ]
    for name in (*Signals.model_fields, "same_answer", "any_answer"):
        known = [(getattr(own, name), right) for own, right in signals if getattr(own, name) is not None]
        high = [value for value, right in known if right]
        low = [value for value, right in known if not right]
        print_cells([name, str(len(known)), f"{auroc(high, low):.3f}"])


def risk_table(rows: dict[str, list[Row]], models: CertaintyModels) -> None:
    """Print how many of the surest answers are wrong, for several shares of the questions."""
    print_header(["set", *(f"wrong of the surest {share}%" for share in COVERAGES)])
    for name, own in rows.items():
        ranked = sorted(own, key=lambda row: -certainty_of(row, models))
        cells = []
        for share in COVERAGES:
            surest = ranked[: max(1, round(len(ranked) * share / 100))]
            cells.append(percent_with_interval([float(not row["right"]) for row in surest]))
        print_cells([name, *cells])


def draw(rows: dict[str, list[Row]], models: CertaintyModels, folder: Path) -> None:
    """Write the risk-coverage curve and the reliability diagram of the sets into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    pairs = {
        name: ([certainty_of(row, models) for row in own], [bool(row["right"]) for row in own])
        for name, own in rows.items()
    }
    risks = {name: risk_coverage(*pair) for name, pair in pairs.items()}
    shown = curves_svg(risks, x="share of questions answered, the surest first", y="share of these wrong")
    (folder / "risk_coverage.svg").write_text(shown, encoding="utf-8")
    groups = {name: reliability(*pair) for name, pair in pairs.items()}
    shown = curves_svg(groups, x="stated certainty", y="share right", diagonal=True)
    (folder / "reliability.svg").write_text(shown, encoding="utf-8")


def main() -> None:
    """Collect the rows or read them, and print a table."""
    parser = experiment_parser(__doc__)
    parser.add_argument("--sets", default=",".join(MULTIHOP_FILES))
    parser.add_argument(
        "--questions", type=int, default=10_000, help="the largest number of questions of each set"
    )
    parser.add_argument("--curves", type=Path, help="folder for the curves")
    arguments = parser.parse_args()
    data = data_folder(parser, arguments)
    models = certainty_models()
    recorded = read_rows(arguments.read or (), ("set", "id"))
    rows: dict[str, list[Row]] = {}
    for name in arguments.sets.split(","):
        if arguments.read:
            rows[name] = [row for row in recorded if row["set"] == name]
        else:
            questions = read_questions(data, name)[: arguments.questions]
            rows[name] = collect(take_part(questions, arguments.part), name, arguments.out)
    print_header(COLUMNS)
    for name, own in rows.items():
        if own:
            print_cells([name, *figures(own, models)])
    print()
    risk_table({name: own for name, own in rows.items() if own}, models)
    print()
    signal_table([row for own in rows.values() for row in own])
    if arguments.curves is not None:
        draw(rows, models, arguments.curves)


if __name__ == "__main__":
    main()
