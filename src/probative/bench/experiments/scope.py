"""How well scope chooses passages and answers: its judges and covers, and RAG top-5, on multi-hop questions.

    python -m probative.bench.experiments.scope --data DIR
    python -m probative.bench.experiments.scope --data DIR --answers  # the same reader on each context, too
    python -m probative.bench.experiments.scope --data DIR --rows each --model hf:PATH
    python -m probative.bench.experiments.scope --data DIR --sets 2wiki-corpus,2wiki-open --rows rag --answers
    python -m probative.bench.experiments.scope --data DIR --part 0/8 --out a.jsonl …
    python -m probative.bench.experiments.scope --data DIR --read a.jsonl b.jsonl

Passages are single sentences with their page's title, all of a question's distractors included; or, of a
collection, the 20 pages that BM25 finds. "gold" is the share of gold sentences (of a collection: pages) that
the chosen passages hold, "all" the share of questions whose gold they hold whole. Rows with the same
extractor and judge share what the model said. Calls and tokens count everything, the encoder's and the
answer's too.

The reader picks one of the context's names, dates and numbers, or writes ("EM" and "F1" of each): EM
where it gives the gold answer, case, articles and punctuation apart; F1 over the words of both. How whole
questions are answered with the evidence policy and the tuned reader: scope_answers.py.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import string
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import probative
from probative.bench.data.multihop import COLLECTIONS, FILES, Question, read_collection, read_questions
from probative.bench.experiments.mcse import Remembering, read_lines
from probative.engine.runner import run_searches
from probative.engine.search import Search
from probative.engine.tools import Tools
from probative.scope.answer.write import ParsedAnswer, pick_answer, write_answer
from probative.text.english.questions import answer_kind

RULES = {"preset": "paper", "extractor": "rules"}
ROWS: dict[str, dict[str, dict[str, Any]]] = {
    "rag": {"RAG top-5": {"method": "rag"}},
    "words": {
        "words, linked (the default)": {"preset": "words"},
        "words, linked, 3 passages": {"preset": "words", "max_passages": 3},
        "words, exact": {"preset": "words", "cover": "exact"},
        "words, Algorithm 1": {"preset": "words", "cover": "paper"},
    },
    "followed": {"words, linked, what is missing looked up": {"preset": "words"}},
    "extract": {
        "features by the model (two calls), words, linked": {"preset": "words", "extractor": "model"},
        "features by the model (one call), words, linked": {"preset": "words", "extractor": "model-once"},
    },
    "reader": {
        "features by the reader, words, linked": {"preset": "words", "extractor": "reader"},
        "rules, judged by the reader, linked": {"preset": "words", "judge": "reader"},
    },
    "each": {
        "rules, each, Algorithm 1": RULES,
        "rules, each, exact": {**RULES, "cover": "exact"},
        "rules, each, linked": {**RULES, "cover": "linked"},
    },
    "passage": {
        "rules, a call a passage, Algorithm 1": {**RULES, "judge": "passage"},
        "rules, a call a passage, exact": {**RULES, "judge": "passage", "cover": "exact"},
        "rules, a call a passage, linked": {**RULES, "judge": "passage", "cover": "linked"},
    },
    "together": {
        "rules, together, Algorithm 1": {**RULES, "judge": "together"},
        "rules, together, exact": {**RULES, "judge": "together", "cover": "exact"},
        "rules, together, linked": {**RULES, "judge": "together", "cover": "linked"},
    },
    "calls": {
        "calls, Algorithm 1": {"preset": "calls", "cover": "paper"},
        "calls, exact (the preset)": {"preset": "calls"},
        "calls, linked": {"preset": "calls", "cover": "linked"},
    },
    "paper": {
        "paper, Algorithm 1 (the preset)": {"preset": "paper"},
        "paper, exact": {"preset": "paper", "cover": "exact"},
        "paper, linked": {"preset": "paper", "cover": "linked"},
    },
    "learned": {"words, learned": {"preset": "embedded", "answering": "picked"}},
    "closed": {"closed book": {"method": "closed-book"}},
}
# Rows that ask a language model for more than the answer.
JUDGED = ("extract", "reader", "each", "passage", "together", "calls", "paper", "closed")
READERS = ("picked", "written")
Line = dict[str, Any]


def normal(text: str) -> str:
    """An answer without case, articles and punctuation.

    >>> normal("The Sea Lark.")
    'sea lark'
    """
    plain = "".join(" " if mark in string.punctuation else mark for mark in text.lower())
    return " ".join(re.sub(r"\b(?:a|an|the)\b", " ", plain).split())


def overlap(said: str, gold: str) -> float:
    """F1 over the words of an answer and the gold one.

    >>> round(overlap("the Sea Lark of Molde", "Sea Lark"), 2)
    0.67
    """
    ours, theirs = normal(said).split(), normal(gold).split()
    common = sum((Counter(ours) & Counter(theirs)).values())
    return 2 * common / (len(ours) + len(theirs)) if common else 0.0


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
    questions: Sequence[Question], settings: dict[str, Any], model: Any, encoder: Any, max_active: int = 64
) -> Iterator[tuple[int, Line]]:
    """What a row gave for each question, as they are finished; a question that failed has no chain."""
    cases = [probative.AskCase(question=one.text, passages=one.passages) for one in questions]
    if settings.get("method", "scope") == "scope":
        settings = {**settings, "answer_anyway": True}
    for number, outcome in probative.ask_all(
        cases, model=model, encoder=encoder, max_active=max_active, **settings
    ):
        if isinstance(outcome, probative.Answer):
            yield number, as_line(questions[number], outcome)
        elif isinstance(outcome, probative.ModelError):
            yield number, {"id": questions[number].id, "chain": None, "problem": outcome.what}
        else:
            raise outcome


def as_line(question: Question, answer: probative.Answer) -> Line:
    """What is kept of an answer."""
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


def read(
    questions: Sequence[Question], found: dict[int, Line], model: Any, reader: str, max_active: int = 64
) -> None:
    """Have the same reader answer from what each row chose: one that picks, or one that writes."""
    numbers = [number for number, line in found.items() if line["chain"]]

    def searches() -> Iterator[Search[ParsedAnswer]]:
        for number in numbers:
            line, question = found[number], questions[number]
            passages: Sequence[probative.Passage] = question.passages
            chain = line["chain"]
            if line["texts"] is not None:  # of a collection; some were looked up later
                both = zip(line["texts"], line["titles"], strict=True)
                passages = [probative.Passage(text=text, title=title) for text, title in both]
                chain = list(range(len(passages)))
            if reader == "written" or answer_kind(question.text) == "any":
                yield write_answer(question.text, chain, passages, [])
            else:
                yield pick_answer(question.text, chain, passages, [])

    tools = Tools(lambda: model, probative.load_encoder)
    for place, ended in run_searches(searches(), tools, max_active=max_active):
        found[numbers[place]][reader] = ended.result.text if ended.result is not None else None


def figures(questions: Sequence[Question], found: dict[int, Line]) -> list[str]:
    """The cells of a row; a question that failed holds nothing and is left out of calls and tokens."""
    held, whole, pieces = [], [], []
    done = [line for line in found.values() if line["chain"] is not None]
    for number, question in enumerate(questions):
        line = found.get(number)
        kept = (line["titles"] if question.titles else line["chain"]) if line and line["chain"] else []
        held.append(len(question.wanted & set(kept)) / len(question.wanted))
        whole.append(question.wanted <= set(kept))
        pieces.append(len(kept))
    cells = [f"{100 * mean(held):.1f}", f"{100 * mean(whole):.1f}", f"{mean(pieces):.2f}"]
    cells += [f"{100 * mean([line['complete'] for line in done]):.0f}%"]
    cells += [f"{100 * mean([line['verdict'] == 'contradicted' for line in done]):.0f}%"]
    cells += [
        f"{mean([line['calls'] for line in done]):.1f}",
        f"{mean([line['tokens'] for line in done]):,.0f}",
    ]
    for reader in ("own", *READERS):
        if any(reader in line for line in done):
            said = {number: line.get(reader) or "" for number, line in found.items()}
            pairs = [(said.get(number, ""), question.answer) for number, question in enumerate(questions)]
            exact = 100 * mean([normal(ours) == normal(gold) for ours, gold in pairs])
            cells.append(f"{exact:.1f} / {100 * mean([overlap(*pair) for pair in pairs]):.1f}")
        else:
            cells.append("")
    return cells


def mean(values: Sequence[float]) -> float:
    """The mean, or 0 of nothing."""
    return sum(values) / len(values) if values else 0.0


def main() -> None:
    """Run the rows and print a table a data set."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, default=os.environ.get("PROBATIVE_DATA"))
    parser.add_argument("--model", default=None, help="embedded (the default), hf:NAME-or-path, …")
    parser.add_argument("--sets", default=",".join(FILES), help=f"also {', '.join(COLLECTIONS)}")
    parser.add_argument("--rows", default="rag,words", help=f"some of {', '.join(ROWS)}")
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--tuning", action="store_true", help="the part that weights were chosen on")
    parser.add_argument("--answers", action="store_true", help="also have the model answer")
    parser.add_argument("--max-active", type=int, default=64, help="questions under way at once")
    parser.add_argument("--part", default="0/1", help="only every n-th question: i/n")
    parser.add_argument(
        "--out", type=Path, help="also write what was chosen for each question, as JSON lines"
    )
    parser.add_argument("--read", type=Path, nargs="+", help="ask nothing: the rows that these files hold")
    arguments = parser.parse_args()
    if arguments.data is None:
        parser.error("--data DIR (or PROBATIVE_DATA) says where the data sets lie; see multihop_data.py")
    groups = arguments.rows.split(",")
    judges = any(group in JUDGED for group in groups)
    recorded = read_lines(arguments.read) if arguments.read else None
    asks = recorded is None and (arguments.answers or judges)
    reader = Remembering(probative.load_model(arguments.model, cache=False)) if asks else Silent()
    model = reader if judges else Silent()
    encoder = None if recorded else probative.load_encoder()
    for name in arguments.sets.split(","):
        questions = read_questions(arguments.data, name, tuning=arguments.tuning)[: arguments.questions]
        first, every = map(int, arguments.part.split("/"))
        questions = questions[first::every]
        passages, gold = (
            mean([len(one.passages) for one in questions]),
            mean([len(one.wanted) for one in questions]),
        )
        print(f"\n### {name}: {len(questions)} questions, {passages:.1f} passages, {gold:.1f} gold each\n")
        columns = ["method", "gold", "all", "pieces", "complete", "contradicted", "calls", "tokens"]
        columns += [f"{one}: EM / F1" for one in ("own answer", *READERS)]
        print(f"| {' | '.join(columns)} |\n" + "| --- " * len(columns) + "|")
        if recorded is not None:
            for (of, row), lines in recorded.items():
                if of == name:
                    places = {
                        number: lines[one.id] for number, one in enumerate(questions) if one.id in lines
                    }
                    print_row(row, questions, places)
            continue
        for row, settings in ((row, one) for group in groups for row, one in ROWS[group].items()):
            if row in ROWS["followed"]:
                if name not in COLLECTIONS:
                    continue
                settings = {**settings, "retriever": read_collection(arguments.data, name)}
            started = time.perf_counter()
            found = {}
            for number, line in run_row(questions, settings, model, encoder, arguments.max_active):
                if model.name == Silent.name:
                    line.pop("own", None)
                found[number] = line
                if sys.stderr.isatty():
                    print(f"\r{len(found)}/{len(questions)} ", end="", file=sys.stderr)
            for how in READERS if arguments.answers else ():
                read(questions, found, reader, how, arguments.max_active)
            print_row(row, questions, found)
            write_lines(
                arguments.out, name, row, found.values(), (time.perf_counter() - started) / len(found)
            )


def print_row(row: str, questions: Sequence[Question], found: dict[int, Line]) -> None:
    """The cells of a row, and how many questions had no outcome."""
    failed = sum(line["chain"] is None for line in found.values())
    notes = [f"{failed} failed"] if failed else []
    notes += [f"{len(questions) - len(found)} not asked"] if len(found) < len(questions) else []
    note = f" ({', '.join(notes)})" if notes else ""
    print(f"| {row}{note} | {' | '.join(figures(questions, found))} |", flush=True)


def write_lines(out: Path | None, name: str, row: str, found: Any, seconds: float) -> None:
    """Append a line for each question."""
    if out is not None:
        with out.open("a", encoding="utf-8") as lines:
            for line in found:
                lines.write(json.dumps({"set": name, "row": row, **line, "seconds": seconds}) + "\n")


if __name__ == "__main__":
    main()
