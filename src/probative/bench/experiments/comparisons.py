"""Measure comparison questions from gold evidence: the reader alone, the old rules, and the decomposition.

    python -m probative.bench.experiments.comparisons --data DIR --tuning
    python -m probative.bench.experiments.comparisons --data DIR --out c.jsonl --show

The gold sentences of each question are its chain. "decomposition" is what `ask` computes (one value for each
option, compared by code); where it computes nothing, the reader answers, as it does in `ask`. "computed" is
the share of questions with a computed answer, "EM of these" their exact match, "missing" the share where a
value was said to be missing. Questions that compare nothing are the last row: there, nothing should be
computed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import probative
from probative.bench.arguments import data_folder, experiment_parser, show_progress, take_part
from probative.bench.data.multihop import Question, read_questions
from probative.bench.literal.comparison_rules import compute_by_rule
from probative.bench.metrics import exact_match, mean, percent_with_interval
from probative.bench.rows import Row, append_rows, print_cells, print_header
from probative.bench.splits import MULTIHOP_FILES
from probative.engine.runner import run_searches
from probative.engine.search import Search
from probative.engine.tools import Tools
from probative.scope.answer.compare.compute import compute_answer
from probative.scope.answer.compare.computed import ComputedAnswer
from probative.scope.answer.make import Evidence, make_answer
from probative.scope.answer.parsed import Reading
from probative.scope.inputs import Inputs
from probative.scope.options import ScopeOptions
from probative.scope.run import Run, start_run

COLUMNS = ["method", "questions", "EM", "computed", "EM of these", "missing", "calls"]


def is_comparison(question: Question) -> bool:
    """Return whether the data set calls a question a comparison."""
    return "comparison" in question.kind


def _runs(questions: Sequence[Question], tools: Tools) -> list[Run]:
    options = ScopeOptions(answering="read", answer_anyway=True, compare=True)
    return [start_run(Inputs(q.text, q.passages), options, tools, split=False) for q in questions]


def measure(questions: Sequence[Question], model: Any, *, read: bool = True) -> Iterator[Row]:
    """Yield a row for each question, with the answers of all three methods; without `read`, the reader does
    not answer whole questions.
    """
    tools = Tools(lambda: model, probative.load_encoder)
    runs = _runs(questions, tools)
    chains = [sorted(question.gold) for question in questions]
    computed: dict[int, ComputedAnswer | None] = {}
    calls: dict[int, int] = {}
    searches = (compute_answer(run, chain) for run, chain in zip(runs, chains, strict=True))
    for index, finished in run_searches(searches, tools, max_active=1):
        computed[index], calls[index] = finished.result, finished.usage.calls
        show_progress("decomposition", len(computed), len(questions))
    readings: dict[int, str | None] = {}

    def reading() -> Iterator[Search[Reading]]:
        for run, chain in zip(_runs(questions, tools), chains, strict=True):
            yield make_answer(run, Evidence(chain))

    if read:
        for index, finished_reading in run_searches(reading(), tools, max_active=1):
            result = finished_reading.result
            readings[index] = result.answer.text if result is not None else None
            show_progress("reader", len(readings), len(questions))
    for index, question in enumerate(questions):
        ruled = compute_by_rule(runs[index], chains[index])
        outcome = computed[index]
        yield {
            "id": question.id,
            "question": question.text,
            "kind": question.kind,
            "gold": question.answer,
            "reader": readings.get(index),
            "rules": ruled.answer if ruled is not None else None,
            "decomposition": outcome.answer if outcome is not None else None,
            "reason": outcome.reason if outcome is not None else None,
            "missing": list(outcome.missing) if outcome is not None else [],
            "calls": calls[index],
        }


def print_table(title: str, rows: Sequence[Row]) -> None:
    """Print the three methods on the rows."""
    print(f"\n### {title}\n")
    print_header(COLUMNS)
    for name, field in (("reader alone", None), ("old rules", "rules"), ("decomposition", "decomposition")):
        computed = [field is not None and row[field] is not None for row in rows]
        answers = [
            row[field] if field is not None and done else row["reader"]
            for row, done in zip(rows, computed, strict=True)
        ]
        exact = [
            float(exact_match(answer or "", row["gold"])) for answer, row in zip(answers, rows, strict=True)
        ]
        own = [value for value, done in zip(exact, computed, strict=True) if done]
        is_new = field == "decomposition"
        print_cells(
            [
                name,
                str(len(rows)),
                percent_with_interval(exact),
                f"{100 * mean(computed):.1f}%" if field else "",
                f"{100 * mean(own):.1f}" if own else "",
                f"{100 * mean([bool(row['missing']) for row in rows]):.1f}%" if is_new else "",
                f"{mean([row['calls'] for row in rows]):.2f}" if is_new else "",
            ]
        )


def main() -> None:
    """Run the three methods and print a table for each data set."""
    parser = experiment_parser(__doc__)
    parser.add_argument("--sets", default=",".join(MULTIHOP_FILES))
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--model", default="embedded")
    parser.add_argument("--tuning", action="store_true", help="the questions that settings were tuned on")
    parser.add_argument("--others", action="store_true", help="the questions that compare nothing")
    parser.add_argument("--no-reader", action="store_true", help="let the reader not answer whole questions")
    parser.add_argument(
        "--show", action="store_true", help="print each question that a computation got wrong"
    )
    arguments = parser.parse_args()
    data = data_folder(parser, arguments)
    model = probative.load_model(arguments.model, cache=False)
    for set_name in arguments.sets.split(","):
        questions = read_questions(data, set_name, tuning=arguments.tuning)[: arguments.questions]
        questions = [question for question in questions if is_comparison(question) != arguments.others]
        rows = list(measure(take_part(questions, arguments.part), model, read=not arguments.no_reader))
        append_rows(arguments.out, ({"set": set_name, **row} for row in rows))
        kind = "questions that compare nothing" if arguments.others else "comparison questions"
        print_table(f"{set_name}: {kind}", rows)
        for row in rows if arguments.show else ():
            if row["decomposition"] is None or not exact_match(row["decomposition"], row["gold"]):
                print(row)
    model.close()


if __name__ == "__main__":
    main()
