"""Measure how well whole questions are answered: scope and RAG top-5 with the plain model and with the
specialists.

    python -m probative.bench.experiments.answers --data DIR  # every row, 200 questions a set
    python -m probative.bench.experiments.answers --data DIR --rows embedded,rag --out a.jsonl
    python -m probative.bench.experiments.answers --data DIR --gold  # the reader on gold evidence
    python -m probative.bench.experiments.answers --data DIR --lacking --rows embedded
    python -m probative.bench.experiments.answers --data DIR --part 0/8 …               # an eighth
    python -m probative.bench.experiments.answers --data DIR --read a.jsonl b.jsonl     # the table of that

Passages are single sentences with their page's title, all of a question's distractors included. EM ignores
case, articles and punctuation; F1 is over the words of both answers. Both are of all questions: an answer
is required even where the verdict is not `supported` (`answer_anyway`). "supported" is the share of
questions with that verdict, and "EM of these" is their exact match. The 95% intervals are from 2,000
resamples of the questions. Each row names the model that ran: `embedded` is the tuned reader,
`embedded:plain` the published model.

`--gold` shows the gold sentences alone, and then the same without one gold page, where the remaining
passages cannot contain the answer. `--lacking` does the same with all the distractors. "AUROC" measures how
well these two cases are separated by the probability of an answer (reader) and of a complete chain
(policy).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import probative
from probative.bench.arguments import data_folder, experiment_parser, show_progress, take_part
from probative.bench.data.multihop import Question, read_questions
from probative.bench.experiments.answers_table import COLUMNS, RULED, print_row
from probative.bench.rows import Row, append_rows, print_header, read_rows
from probative.bench.splits import MULTIHOP_FILES
from probative.engine.runner import run_searches
from probative.engine.search import Search
from probative.engine.tools import Tools
from probative.scope.answer.compare.compute import compute_answer
from probative.scope.answer.make import Evidence, make_answer
from probative.scope.answer.parsed import Reading
from probative.scope.inputs import Inputs
from probative.scope.options import ScopeOptions
from probative.scope.run import Run, start_run
from probative.text.words import words

TUNED, PLAIN = "embedded", "embedded:plain"


class Method(NamedTuple):
    """A way to answer: its name, its model, and the keyword arguments of `ask` (None: gold alone)."""

    name: str
    model: str
    settings: dict[str, Any] | None

    @property
    def title(self) -> str:
        """The name with the model that runs."""
        return f"{self.name} ({self.model})"


METHODS = {
    "rag-plain": Method("RAG top-5, written", PLAIN, {"method": "rag"}),
    "rag-picked": Method("RAG top-5, picked", PLAIN, {"method": "rag", "answering": "picked"}),
    "rag": Method("RAG top-5, read", TUNED, {"method": "rag", "answering": "read"}),
    "words-plain": Method("scope words, picked", PLAIN, {"preset": "words"}),
    "words": Method("scope words, read", TUNED, {"preset": "words", "answering": "read"}),
    "embedded-plain": Method("scope learned, picked", PLAIN, {"preset": "embedded", "answering": "picked"}),
    "embedded": Method("scope learned, read", TUNED, {"preset": "embedded"}),
    "embedded-once": Method(
        "scope learned, read once", TUNED, {"preset": "embedded", "extend_if_unanswered": False}
    ),
    "embedded-4": Method("scope learned, 4 passages, read", TUNED, {"preset": "embedded", "min_passages": 4}),
}
GOLD = {
    "gold-plain": Method("gold evidence, picked", PLAIN, None),
    "gold": Method(RULED, TUNED, None),
}


def without_gold_page(question: Question) -> Question | None:
    """Return the question without one of its gold pages; None if the other pages contain the answer."""
    pages = list(dict.fromkeys(question.passages[index].title for index in sorted(question.gold)))
    for page in reversed(pages):
        left = [index for index, passage in enumerate(question.passages) if passage.title != page]
        passages = tuple(question.passages[index] for index in left)
        gold = frozenset(number for number, index in enumerate(left) if index in question.gold)
        text = f" {' '.join(words(' '.join(passage.whole for passage in passages)))} "
        answered = question.answer.lower() in ("yes", "no") or f" {' '.join(words(question.answer))} " in text
        if gold and not answered:
            return replace(question, passages=passages, gold=gold)
    return None


def run_method(
    questions: Sequence[Question], method: Method, model: Any, encoder: Any, max_active: int
) -> Iterator[tuple[int, Row]]:
    """Yield the index of each question with its result, as they finish."""
    if method.settings is None:
        yield from _from_gold(questions, model, encoder, max_active)
        return
    cases = [probative.AskCase(question=question.text, passages=question.passages) for question in questions]
    outcomes = probative.ask_all(
        cases, model=model, encoder=encoder, max_active=max_active, answer_anyway=True, **method.settings
    )
    for index, outcome in outcomes:
        if isinstance(outcome, probative.ModelError):
            yield index, {"answer": None, "problem": outcome.what, "calls": 0, "tokens": 0}
        elif isinstance(outcome, probative.ProbativeError):
            raise outcome
        else:
            yield index, _row(outcome)


def _row(answer: probative.Answer) -> Row:
    return {
        "answer": answer.answer,
        "verdict": answer.verdict.value,
        "chain": [passage.index for passage in answer.chain],
        "texts": [passage.text for passage in answer.chain],
        "titles": [passage.title for passage in answer.chain],
        "missing": list(answer.missing),
        "completeness": answer.completeness,
        "answerable": answer.answerable,
        "notes": list(answer.notes),
        "calls": answer.usage.calls,
        "tokens": answer.usage.tokens,
    }


def _from_gold(
    questions: Sequence[Question], model: Any, encoder: Any, max_active: int
) -> Iterator[tuple[int, Row]]:
    tools = Tools(lambda: model, lambda: encoder)
    chains = [sorted(question.gold) for question in questions]

    def both(run: Run, chain: Sequence[int]) -> Search[tuple[Reading, str | None]]:
        reading = yield from make_answer(run, Evidence(chain))
        computed = yield from compute_answer(run, chain)
        return reading, None if computed is None else computed.answer

    def searches() -> Iterator[Search[tuple[Reading, str | None]]]:
        options = ScopeOptions(answering="read" if model.reader else "picked", answer_anyway=True)
        for question, chain in zip(questions, chains, strict=True):
            run = start_run(Inputs(question.text, question.passages), options, tools, split=False)
            yield both(run, chain)

    for index, finished in run_searches(searches(), tools, max_active=max_active):
        reading, computed = finished.result or (None, None)
        gold = [questions[index].passages[at] for at in chains[index]]
        yield (
            index,
            {
                "answer": reading.answer.text if reading is not None else None,
                "computed": computed,
                "verdict": "insufficient" if reading is None or reading.forced else "supported",
                "chain": chains[index],
                "texts": [passage.text for passage in gold],
                "titles": [passage.title for passage in gold],
                "answerable": reading.answerable if reading is not None else None,
                "calls": finished.usage.calls,
                "tokens": finished.usage.tokens,
            },
        )


def measure(questions: Sequence[Question], method: Method, arguments: argparse.Namespace) -> Iterator[Row]:
    """Yield a row for each question and, where required, for each question without a gold page."""
    model, encoder = probative.load_model(method.model, cache=False), probative.load_encoder()
    variants = [(False, list(questions))]
    if method.settings is None or arguments.lacking:
        lacking = [shorter for shorter in map(without_gold_page, questions) if shorter is not None]
        variants.append((True, lacking))
    for is_lacking, asked in variants:
        started, rows = time.perf_counter(), list[Row]()
        for index, row in run_method(asked, method, model, encoder, arguments.max_active):
            rows.append({"id": asked[index].id, "lacking": is_lacking, **row})
            show_progress(method.name, len(rows), len(asked))
        seconds = (time.perf_counter() - started) / max(1, len(rows))
        yield from ({**row, "seconds": seconds} for row in rows)
    model.close()


def main() -> None:
    """Run the methods and print a table for each data set."""
    known = {**METHODS, **GOLD}
    parser = experiment_parser(__doc__)
    parser.add_argument("--sets", default=",".join(MULTIHOP_FILES))
    parser.add_argument("--rows", help=f"some of {', '.join(known)}")
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--tuning", action="store_true", help="the questions that settings were tuned on")
    parser.add_argument("--gold", action="store_true", help="the gold evidence alone, and without a page")
    parser.add_argument("--lacking", action="store_true", help="also without one gold page")
    parser.add_argument("--max-active", type=int, default=1, help="questions in progress at once")
    arguments = parser.parse_args()
    data = data_folder(parser, arguments)
    names = arguments.rows.split(",") if arguments.rows else list(GOLD if arguments.gold else METHODS)
    recorded = read_rows(arguments.read or (), ("set", "row", "id", "lacking"))
    for set_name in arguments.sets.split(","):
        questions = read_questions(data, set_name, tuning=arguments.tuning)[: arguments.questions]
        questions = take_part(questions, arguments.part)
        by_id = {question.id: question for question in questions}
        print(f"\n### {set_name}: {len(questions)} questions\n")
        print_header(COLUMNS)
        if arguments.read:
            mine = [row for row in recorded if row["set"] == set_name]
            for title in dict.fromkeys(row["row"] for row in mine):
                print_row(title, by_id, [row for row in mine if row["row"] == title])
            continue
        for method in (known[name] for name in names):
            rows = list(measure(questions, method, arguments))
            print_row(method.title, by_id, rows)
            append_rows(arguments.out, (_recorded(set_name, method, by_id[row["id"]], row) for row in rows))


def _recorded(set_name: str, method: Method, question: Question, row: Row) -> Row:
    """Return a row as it is recorded: with the question and the gold answer."""
    about = {"set": set_name, "row": method.title, "model": method.model}
    return {**about, "question": question.text, "gold": question.answer, "kind": question.kind, **row}


if __name__ == "__main__":
    main()
