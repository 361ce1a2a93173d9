"""Measure how well scope chooses passages and answers: its judges and covers, and RAG top-5, on multi-hop
questions.

    python -m probative.bench.experiments.scope --data DIR
    python -m probative.bench.experiments.scope --data DIR --answers  # also answer from each chain
    python -m probative.bench.experiments.scope --data DIR --rows each --model hf:PATH
    python -m probative.bench.experiments.scope --data DIR --sets 2wiki-corpus,2wiki-open --rows rag --answers
    python -m probative.bench.experiments.scope --data DIR --part 0/8 --out a.jsonl …
    python -m probative.bench.experiments.scope --data DIR --read a.jsonl b.jsonl

Passages are single sentences with their page's title, all of a question's distractors included; of a
collection they are the 20 pages that BM25 retrieves. "gold" is the share of gold sentences (of a collection:
pages) among the chosen passages, "all" the share of questions with all their gold chosen. Rows with the same
extractor and judge share the model's results. Calls and tokens include the encoder's and the answer's.

With --answers the same model answers from what each row chose: it picks one of the names, dates and numbers
of the context ("picked"), or writes ("written"). EM ignores case, articles and punctuation; F1 is over the
words of both answers. `probative.bench.experiments.answers` measures whole questions with the evidence
policy and the tuned reader.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import probative
from probative.bench.arguments import data_folder, experiment_parser, show_progress, take_part
from probative.bench.data.multihop import COLLECTIONS, Question, read_collection, read_questions
from probative.bench.experiments.scope_methods import JUDGED, ROWS
from probative.bench.metrics import answer_f1, exact_match, mean
from probative.bench.models import RememberingModel, SilentModel
from probative.bench.rows import Row, append_rows, print_cells, print_header, read_rows
from probative.bench.splits import MULTIHOP_FILES
from probative.engine.runner import run_searches
from probative.engine.search import Search
from probative.engine.tools import Tools
from probative.scope.answer.parsed import ParsedAnswer
from probative.scope.answer.pick import pick_answer
from probative.scope.answer.write import write_answer
from probative.scope.inputs import Inputs
from probative.scope.options import ScopeOptions
from probative.scope.run import start_run

READERS = ("picked", "written")
COLUMNS = ["method", "gold", "all", "pieces", "complete", "contradicted", "calls", "tokens"]
COLUMNS += [f"{reader}: EM / F1" for reader in ("own answer", *READERS)]


def run_row(
    questions: Sequence[Question],
    settings: Mapping[str, Any],
    model: Any,
    encoder: Any,
    max_active: int = 64,
) -> Iterator[tuple[int, Row]]:
    """Yield the index of each question with its result, as they finish; a question that failed has no chain.

    `settings` are the keyword arguments of `ask_all`.
    """
    cases = [probative.AskCase(question=question.text, passages=question.passages) for question in questions]
    if settings.get("method", "scope") == "scope":
        settings = {**settings, "answer_anyway": True}
    for index, outcome in probative.ask_all(
        cases, model=model, encoder=encoder, max_active=max_active, **settings
    ):
        if isinstance(outcome, probative.Answer):
            yield index, as_row(questions[index], outcome)
        elif isinstance(outcome, probative.ModelError):
            yield index, {"id": questions[index].id, "chain": None, "problem": outcome.what}
        else:
            raise outcome


def as_row(question: Question, answer: probative.Answer) -> Row:
    """Return the parts of an answer that the table needs."""
    return {
        "id": question.id,
        "chain": [passage.index for passage in answer.chain],
        "titles": [passage.title for passage in answer.chain],
        "texts": [passage.text for passage in answer.chain] if question.titles else None,
        "complete": answer.complete,
        "verdict": answer.verdict.value,
        "features": len(answer.features.listed()) if answer.features else 0,
        "calls": answer.usage.calls,
        "tokens": answer.usage.tokens,
        "own": answer.answer,
    }


def answer_from_chains(
    questions: Sequence[Question], rows: Mapping[int, Row], model: Any, reader: str, max_active: int = 64
) -> None:
    """Add to each row, under the reader's name, what the model answers from its chain."""
    indexes = [index for index, row in rows.items() if row["chain"]]
    tools = Tools(lambda: model, probative.load_encoder)

    def searches() -> Iterator[Search[ParsedAnswer]]:
        for index in indexes:
            row, question = rows[index], questions[index]
            passages: Sequence[probative.Passage] = question.passages
            chain = row["chain"]
            if row["texts"] is not None:  # of a collection: some passages were retrieved later
                both = zip(row["texts"], row["titles"], strict=True)
                passages = [probative.Passage(text=text, title=title) for text, title in both]
                chain = list(range(len(passages)))
            run = start_run(Inputs(question.text, passages), ScopeOptions(), tools, split=False)
            if reader == "written" or run.question.kind == "any":
                yield write_answer(run, chain)
            else:
                yield pick_answer(run, chain)

    for number, finished in run_searches(searches(), tools, max_active=max_active):
        rows[indexes[number]][reader] = finished.result.text if finished.result is not None else None


def figures(questions: Sequence[Question], rows: Mapping[int, Row]) -> list[str]:
    """Return the cells of a row; a question that failed has no gold and is left out of calls and tokens."""
    shares, whole, pieces = [], [], []
    done = [row for row in rows.values() if row["chain"] is not None]
    for index, question in enumerate(questions):
        row = rows.get(index)
        chosen = (row["titles"] if question.titles else row["chain"]) if row and row["chain"] else []
        shares.append(len(question.wanted & set(chosen)) / len(question.wanted))
        whole.append(question.wanted <= set(chosen))
        pieces.append(len(chosen))
    cells = [f"{100 * mean(shares):.1f}", f"{100 * mean(whole):.1f}", f"{mean(pieces):.2f}"]
    cells += [f"{100 * mean([row['complete'] for row in done]):.0f}%"]
    cells += [f"{100 * mean([row['verdict'] == 'contradicted' for row in done]):.0f}%"]
    cells += [f"{mean([row['calls'] for row in done]):.1f}", f"{mean([row['tokens'] for row in done]):,.0f}"]
    for reader in ("own", *READERS):
        if not any(reader in row for row in done):
            cells.append("")
            continue
        answers = {index: row.get(reader) or "" for index, row in rows.items()}
        pairs = [(answers.get(index, ""), question.answer) for index, question in enumerate(questions)]
        exact, f1 = (mean([float(metric(*pair)) for pair in pairs]) for metric in (exact_match, answer_f1))
        cells.append(f"{100 * exact:.1f} / {100 * f1:.1f}")
    return cells


def main() -> None:
    """Run the rows and print a table for each data set."""
    parser = experiment_parser(__doc__)
    parser.add_argument("--model", default=None, help="embedded (the default), hf:NAME-or-path, …")
    parser.add_argument("--sets", default=",".join(MULTIHOP_FILES), help=f"also {', '.join(COLLECTIONS)}")
    parser.add_argument("--rows", default="rag,words", help=f"some of {', '.join(ROWS)}")
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--tuning", action="store_true", help="the questions that settings were tuned on")
    parser.add_argument("--answers", action="store_true", help="also have the model answer from each chain")
    parser.add_argument("--max-active", type=int, default=64, help="questions in progress at once")
    arguments = parser.parse_args()
    data = data_folder(parser, arguments)
    groups = arguments.rows.split(",")
    judges = any(group in JUDGED for group in groups)
    asks = not arguments.read and (arguments.answers or judges)
    reader = RememberingModel(probative.load_model(arguments.model, cache=False)) if asks else SilentModel()
    encoder = None if arguments.read else probative.load_encoder()
    for set_name in arguments.sets.split(","):
        questions = read_questions(data, set_name, tuning=arguments.tuning)[: arguments.questions]
        questions = take_part(questions, arguments.part)
        passages = mean([len(question.passages) for question in questions])
        gold = mean([len(question.wanted) for question in questions])
        print(
            f"\n### {set_name}: {len(questions)} questions, {passages:.1f} passages, {gold:.1f} gold each"
            f"{f', {reader.name}' if asks else ''}\n"
        )
        print_header(COLUMNS)
        if arguments.read:
            print_recorded(set_name, questions, arguments.read)
            continue
        for row, settings in ((row, settings) for group in groups for row, settings in ROWS[group].items()):
            if row in ROWS["followed"]:
                if set_name not in COLLECTIONS:
                    continue
                settings = {**settings, "retriever": read_collection(data, set_name)}
            started = time.perf_counter()
            results: dict[int, Row] = {}
            model = reader if judges else SilentModel()
            for index, result in run_row(questions, settings, model, encoder, arguments.max_active):
                if not judges:
                    result.pop("own", None)
                results[index] = result
                show_progress(row, len(results), len(questions))
            for kind in READERS if arguments.answers else ():
                answer_from_chains(questions, results, reader, kind, arguments.max_active)
            print_row(row, questions, results)
            seconds = (time.perf_counter() - started) / len(results)
            append_rows(
                arguments.out,
                ({"set": set_name, "row": row, **result, "seconds": seconds} for result in results.values()),
            )


def print_recorded(set_name: str, questions: Sequence[Question], files: Sequence[Path]) -> None:
    """Print the rows of a set that were recorded in files."""
    recorded: dict[str, dict[str, Row]] = {}
    for line in read_rows(files, ("set", "row", "id")):
        if line["set"] == set_name:
            recorded.setdefault(line["row"], {})[line["id"]] = line
    for row, lines in recorded.items():
        results = {
            index: lines[question.id] for index, question in enumerate(questions) if question.id in lines
        }
        print_row(row, questions, results)


def print_row(row: str, questions: Sequence[Question], results: Mapping[int, Row]) -> None:
    """Print the cells of a row, with the numbers of questions that failed or were not asked."""
    failed = sum(result["chain"] is None for result in results.values())
    notes = [f"{failed} failed"] if failed else []
    notes += [f"{len(questions) - len(results)} not asked"] if len(results) < len(questions) else []
    note = f" ({', '.join(notes)})" if notes else ""
    print_cells([f"{row}{note}", *figures(questions, results)])


if __name__ == "__main__":
    main()
