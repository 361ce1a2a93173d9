"""How well scope chooses passages and answers: its judges and covers, and RAG top-5, on multi-hop questions.

    python benchmarks/scope.py --data DIR                      # what needs no language model
    python benchmarks/scope.py --data DIR --answers            # the same reader on each context, too
    python benchmarks/scope.py --data DIR --rows each --model hf:PATH     # the paper's judge

Passages are single sentences with their page's title, all of a question's distractors included. "gold"
is the share of gold sentences that the chosen passages hold, "all" the share of questions whose gold
they hold whole. An answer counts as right ("EM") where it is the gold answer, case, articles and
punctuation apart, and as contained where that stands in it.
"""

from __future__ import annotations

import argparse
import os
import re
import string
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import probative
from multihop_data import FILES, Question, read_questions
from probative.models.together import Tools, run_together
from probative.scope.answering import pick_answer

ROWS: dict[str, dict[str, dict[str, Any]]] = {
    "rag": {"RAG top-5": {"method": "rag"}},
    "words": {
        "words, linked (the default)": {"preset": "words"},
        "words, linked, 3 passages": {"preset": "words", "most": 3},
        "words, exact": {"preset": "words", "cover": "exact"},
        "words, Algorithm 1": {"preset": "words", "cover": "paper"},
    },
    "each": {
        "rules, each (paper's judge), Algorithm 1": {"preset": "paper", "extractor": "rules"},
        "rules, each, exact": {"preset": "paper", "extractor": "rules", "cover": "exact"},
        "rules, each, linked": {"preset": "paper", "extractor": "rules", "cover": "linked"},
    },
    "calls": {"two calls, exact": {"preset": "calls"}},
    "paper": {"paper": {"preset": "paper"}},
}


def normal(text: str) -> str:
    """An answer without case, articles and punctuation.

    >>> normal("The Sea Lark.")
    'sea lark'
    """
    plain = "".join(" " if mark in string.punctuation else mark for mark in text.lower())
    return " ".join(re.sub(r"\b(?:a|an|the)\b", " ", plain).split())


class Silent(probative.LanguageModel):
    """Stands in where only the chosen passages count: asked for an answer, it gives a dot at no cost."""

    name = "none"
    fingerprint = "none"
    capabilities = frozenset({probative.Capability.GENERATE, probative.Capability.SCORE})

    def _generate(self, requests: Any) -> Any:
        for index, _ in enumerate(requests):
            yield index, probative.Completion(text=".", finish_reason="stop", model=self.name)

    def _score(self, pairs: Any) -> Any:
        for index, _ in enumerate(pairs):
            yield (
                index,
                probative.Score(log_probability=-1.0, token_log_probabilities=(-1.0,), model=self.name),
            )


def run_row(
    questions: Sequence[Question], settings: dict[str, Any], model: Any, encoder: Any
) -> tuple[dict[int, probative.Answer], int, float]:
    """The answers of a row, how many failed, and the seconds it took."""
    cases = [probative.AskCase(question=one.text, passages=one.passages) for one in questions]
    if settings.get("method", "scope") == "scope":
        settings = {**settings, "answer_anyway": True}
    found: dict[int, probative.Answer] = {}
    failed = 0
    started = time.perf_counter()
    for number, outcome in probative.ask_all(cases, model=model, encoder=encoder, **settings):
        if isinstance(outcome, probative.Answer):
            found[number] = outcome
        elif isinstance(outcome, probative.ModelError):
            failed += 1
        else:
            raise outcome
        if sys.stderr.isatty():
            print(f"\r{len(found) + failed}/{len(cases)} ", end="", file=sys.stderr)
    return found, failed, time.perf_counter() - started


def read(questions: Sequence[Question], found: dict[int, probative.Answer], model: Any) -> None:
    """Put the same reader's answer in the place of each row's own: one that picks from the context."""
    numbers = list(found)

    def searches() -> Any:
        for number in numbers:
            chain = [passage.index for passage in found[number].chain]
            yield pick_answer(questions[number].text, chain, questions[number].passages, [])

    for place, ended in run_together(searches(), Tools(lambda: model, probative.load_encoder), together=16):
        given = ended.result.text if ended.result is not None else None
        found[numbers[place]] = found[numbers[place]].model_copy(update={"answer": given})


def figures(questions: Sequence[Question], found: dict[int, probative.Answer], answers: bool) -> list[str]:
    """The cells of a row."""
    held, whole, pieces, calls, tokens, complete, conflicts, exact, contained = ([] for _ in range(9))
    for number, question in enumerate(questions):
        answer = found.get(number)
        chosen = {passage.index for passage in answer.chain} if answer else set()
        held.append(len(question.gold & chosen) / len(question.gold))
        whole.append(question.gold <= chosen)
        pieces.append(len(chosen))
        if answer is None:
            continue
        calls.append(answer.usage.calls)
        tokens.append(answer.usage.tokens)
        complete.append(answer.complete)
        conflicts.append(bool(answer.conflicts))
        said = normal(answer.answer or "")
        exact.append(said == normal(question.answer))
        contained.append(f" {normal(question.answer)} " in f" {said} ")

    def mean(values: Sequence[float]) -> float:
        return sum(values) / len(values) if values else 0.0

    cells = [f"{100 * mean(held):.1f}", f"{100 * mean(whole):.1f}", f"{mean(pieces):.2f}"]
    cells += [f"{100 * mean(complete):.0f}%", f"{100 * mean(conflicts):.0f}%"]
    cells += [f"{mean(calls):.1f}", f"{mean(tokens):,.0f}"]
    return [*cells, f"{100 * mean(exact):.1f}", f"{100 * mean(contained):.1f}"] if answers else cells


def main() -> None:
    """Run the rows and print a table a data set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=os.environ.get("PROBATIVE_DATA"))
    parser.add_argument("--model", default=None, help="embedded (the default), hf:NAME-or-path, …")
    parser.add_argument("--sets", default=",".join(FILES))
    parser.add_argument("--rows", default="rag,words", help=f"some of {', '.join(ROWS)}")
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--tuning", action="store_true", help="the part that weights were chosen on")
    parser.add_argument("--answers", action="store_true", help="also have the model answer")
    arguments = parser.parse_args()
    if arguments.data is None:
        parser.error("--data DIR (or PROBATIVE_DATA) says where the data sets lie; see multihop_data.py")
    groups = arguments.rows.split(",")
    judges = any(group not in ("rag", "words") for group in groups)
    reader = probative.load_model(arguments.model, cache=False) if arguments.answers or judges else Silent()
    model = reader if judges else Silent()
    encoder = probative.load_encoder()
    for name in arguments.sets.split(","):
        questions = read_questions(arguments.data, name, tuning=arguments.tuning)[: arguments.questions]
        passages = sum(len(one.passages) for one in questions) / len(questions)
        gold = sum(len(one.gold) for one in questions) / len(questions)
        print(f"\n### {name}: {len(questions)} questions, {passages:.1f} passages, {gold:.1f} gold each\n")
        columns = ["method", "gold", "all", "pieces", "complete", "conflict", "calls", "tokens"]
        columns += ["EM", "contained"] if arguments.answers else []
        columns += ["s a question"]
        print(f"| {' | '.join(columns)} |\n" + "| --- " * len(columns) + "|")
        for row, settings in ((row, one) for group in groups for row, one in ROWS[group].items()):
            found, failed, seconds = run_row(questions, settings, model, encoder)
            if arguments.answers:
                read(questions, found, reader)
            cells = figures(questions, found, arguments.answers)
            note = f" ({failed} failed)" if failed else ""
            print(f"| {row}{note} | {' | '.join(cells)} | {seconds / len(questions):.2f} |", flush=True)


if __name__ == "__main__":
    main()
