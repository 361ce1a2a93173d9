"""How well whole questions are answered: scope and RAG top-5 with the plain model and with the specialists.

    python -m probative.bench.experiments.answers --data DIR  # every row, 200 questions a set
    python -m probative.bench.experiments.answers --data DIR --rows embedded,rag --out a.jsonl
    python -m probative.bench.experiments.answers --data DIR --gold  # the reader on gold evidence
    python -m probative.bench.experiments.answers --data DIR --lacking --rows embedded
    python -m probative.bench.experiments.answers --data DIR --part 0/8 …               # an eighth
    python -m probative.bench.experiments.answers --data DIR --read a.jsonl b.jsonl     # the table of that

Passages are single sentences with their page's title, all of a question's distractors included. EM is where
the answer is the gold one, case, articles and punctuation apart; F1 is over the words of both; both of all
questions, an answer being asked for even where the verdict is not `supported` ("answer anyway"). "supported"
is the share of questions with that verdict, and "EM of these" what they would have been answered with. The
95% intervals are those of 2,000 draws of the questions. Each row names the model that ran: `embedded` is the
tuned reader, `embedded:plain` the model as it was published.

`--gold` shows the gold sentences alone, and then the same without one gold page, where what is left cannot
hold the answer. `--lacking` does the same with all the distractors. "AUROC" is how well those two are told
apart by how surely there is an answer (by the reader) and how surely the chain is complete (by the policy).
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import probative
from probative.bench.data.multihop import FILES, Question, read_questions
from probative.bench.experiments.scope import mean, normal, overlap
from probative.engine.runner import run_searches
from probative.engine.search import Search
from probative.engine.tools import Tools
from probative.scope.answer.compute import compare
from probative.scope.answer.read import Reading, find_answer_in
from probative.text.words import words

TUNED, PLAIN = "embedded", "embedded:plain"
DRAWS = 2000
Line = dict[str, Any]


class Row(NamedTuple):
    """A way to answer: what it is called, the model, and what `ask` is told (None: gold evidence alone)."""

    name: str
    model: str
    settings: dict[str, Any] | None

    @property
    def title(self) -> str:
        """The name with the model that runs."""
        return f"{self.name} ({self.model})"


ROWS = {
    "rag-plain": Row("RAG top-5, written", PLAIN, {"method": "rag"}),
    "rag-picked": Row("RAG top-5, picked", PLAIN, {"method": "rag", "answering": "picked"}),
    "rag": Row("RAG top-5, read", TUNED, {"method": "rag", "answering": "read"}),
    "words-plain": Row("scope words, picked", PLAIN, {"preset": "words"}),
    "words": Row("scope words, read", TUNED, {"preset": "words", "answering": "read"}),
    "embedded-plain": Row("scope learned, picked", PLAIN, {"preset": "embedded", "answering": "picked"}),
    "embedded": Row("scope learned, read", TUNED, {"preset": "embedded"}),
    "embedded-once": Row(
        "scope learned, read once", TUNED, {"preset": "embedded", "extend_if_unanswered": False}
    ),
    "embedded-4": Row("scope learned, 4 passages, read", TUNED, {"preset": "embedded", "min_passages": 4}),
}
GOLD = {
    "gold-plain": Row("gold evidence, picked", PLAIN, None),
    "gold": Row("gold evidence, read", TUNED, None),
}


def lacking(question: Question) -> Question | None:
    """The question without one of its gold pages, where what is left cannot hold the answer."""
    pages = list(dict.fromkeys(question.passages[place].title for place in sorted(question.gold)))
    for page in reversed(pages):
        left = [place for place, passage in enumerate(question.passages) if passage.title != page]
        passages = tuple(question.passages[place] for place in left)
        gold = frozenset(at for at, place in enumerate(left) if place in question.gold)
        said = f" {' '.join(words(' '.join(passage.whole for passage in passages)))} "
        holds = question.answer.lower() in ("yes", "no") or f" {' '.join(words(question.answer))} " in said
        if gold and not holds:
            return replace(question, passages=passages, gold=gold)
    return None


def run_row(
    questions: Sequence[Question], row: Row, model: Any, encoder: Any, max_active: int
) -> Iterator[tuple[int, Line]]:
    """What a row gave for each question, as they are finished."""
    if row.settings is None:
        yield from _from_gold(questions, model, encoder, max_active)
        return
    cases = [probative.AskCase(question=one.text, passages=one.passages) for one in questions]
    outcomes = probative.ask_all(
        cases, model=model, encoder=encoder, max_active=max_active, answer_anyway=True, **row.settings
    )
    for number, outcome in outcomes:
        if isinstance(outcome, probative.ModelError):
            yield number, {"answer": None, "problem": outcome.what, "calls": 0, "tokens": 0}
        elif isinstance(outcome, probative.ProbativeError):
            raise outcome
        else:
            yield number, _line(outcome)


def _line(answer: probative.Answer) -> Line:
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
) -> Iterator[tuple[int, Line]]:
    tools = Tools(lambda: model, lambda: encoder)
    chains = [sorted(one.gold) for one in questions]

    def searches() -> Iterator[Search[Reading]]:
        how: Any = "read" if model.reader else "picked"
        for one, chain in zip(questions, chains, strict=True):
            yield find_answer_in(one.text, chain, one.passages, how, tools, [], anyway=True)

    for number, ended in run_searches(searches(), tools, max_active=max_active):
        read = ended.result
        yield (
            number,
            {
                "answer": read.given.text if read is not None else None,
                "verdict": "insufficient" if read is None or read.forced else "supported",
                "chain": chains[number],
                "texts": [questions[number].passages[place].text for place in chains[number]],
                "titles": [questions[number].passages[place].title for place in chains[number]],
                "answerable": read.answerable if read is not None else None,
                "calls": ended.usage.calls,
                "tokens": ended.usage.tokens,
            },
        )


def figures(questions: dict[str, Question], lines: Sequence[Line]) -> list[str]:
    """The cells of a row."""
    full = [line for line in lines if not line["lacking"]]
    pairs = [(line["answer"] or "", questions[line["id"]].answer) for line in full]
    exact = [float(normal(ours) == normal(gold)) for ours, gold in pairs]
    supported = [line.get("verdict") == "supported" for line in full]
    held = [questions[line["id"]].gold <= set(line.get("chain") or []) for line in full]
    of_these = [one for one, given in zip(exact, supported, strict=True) if given]
    return [
        str(len(full)),
        with_interval(exact),
        with_interval([overlap(*pair) for pair in pairs]),
        f"{100 * mean(supported):.0f}%",
        f"{100 * mean(of_these):.1f}",
        f"{100 * mean(held):.1f}",
        f"{mean([len(line.get('chain') or []) for line in full]):.2f}",
        _auroc(lines, "answerable"),
        _auroc(lines, "completeness"),
        f"{mean([line['calls'] for line in full]):.1f}",
        f"{mean([line['tokens'] for line in full]):,.0f}",
        f"{mean([line['seconds'] for line in full]):.1f}",
    ]


def with_interval(values: Sequence[float]) -> str:
    """A mean in per cent with its 95% interval, by drawing the questions again.

    >>> with_interval([1.0, 1.0])
    '100.0 [100.0, 100.0]'
    """
    if not values:
        return ""
    drawn = np.random.default_rng(0).integers(len(values), size=(DRAWS, len(values)))
    low, high = np.percentile(np.asarray(values)[drawn].mean(axis=1), [2.5, 97.5])
    return f"{100 * mean(values):.1f} [{100 * low:.1f}, {100 * high:.1f}]"


def _auroc(lines: Sequence[Line], name: str) -> str:
    """How well questions with all evidence are told from those without, of the same questions."""
    without = {line["id"]: line[name] for line in lines if line["lacking"] and line.get(name) is not None}
    whole = [line[name] for line in lines if not line["lacking"] and line["id"] in without]
    scored = [one for one in whole if one is not None]
    return f"{auroc(scored, list(without.values())):.3f}" if scored and without else ""


def auroc(higher: Sequence[float], lower: Sequence[float]) -> float:
    """The chance that one of the first is above one of the second; ties count half.

    >>> auroc([2.0, 3.0], [1.0, 2.0])
    0.875
    """
    ours, theirs = np.asarray(higher)[:, None], np.asarray(lower)[None, :]
    return float((ours > theirs).mean() + 0.5 * (ours == theirs).mean())


COLUMNS = ["method (model)", "questions", "EM", "F1", "supported", "EM of these", "all gold", "pieces"]
COLUMNS += ["AUROC answerable", "AUROC complete", "calls", "tokens", "seconds"]


def main() -> None:
    """Run the rows and print a table a data set."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, default=os.environ.get("PROBATIVE_DATA"))
    parser.add_argument("--sets", default=",".join(FILES))
    parser.add_argument("--rows", help=f"some of {', '.join([*ROWS, *GOLD])}")
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--tuning", action="store_true", help="the part that weights were chosen on")
    parser.add_argument("--gold", action="store_true", help="the gold evidence alone, and without a page")
    parser.add_argument("--lacking", action="store_true", help="also without one gold page")
    parser.add_argument("--max-active", type=int, default=1, help="questions under way at once")
    parser.add_argument("--part", default="0/1", help="only every n-th question: i/n")
    parser.add_argument("--out", type=Path, help="also write every answer, as JSON lines")
    parser.add_argument("--read", type=Path, nargs="+", help="ask nothing: the rows that these files hold")
    arguments = parser.parse_args()
    if arguments.data is None:
        parser.error("--data DIR (or PROBATIVE_DATA) says where the data sets lie; see multihop_data.py")
    chosen = arguments.rows.split(",") if arguments.rows else list(GOLD if arguments.gold else ROWS)
    recorded = read_answers(arguments.read) if arguments.read else None
    for name in arguments.sets.split(","):
        questions = read_questions(arguments.data, name, tuning=arguments.tuning)[: arguments.questions]
        first, every = map(int, arguments.part.split("/"))
        questions = questions[first::every]
        known = {one.id: one for one in questions}
        print(f"\n### {name}: {len(questions)} questions\n")
        print(f"| {' | '.join(COLUMNS)} |\n" + "| --- " * len(COLUMNS) + "|", flush=True)
        if recorded is not None:
            for title in dict.fromkeys(row for of, row in recorded if of == name):
                print_row(title, known, [*recorded[name, title].values()])
            continue
        for row in ({**ROWS, **GOLD}[one] for one in chosen):
            lines = list(measured(questions, row, arguments))
            print_row(row.title, known, lines)
            write_lines(arguments.out, name, row, known, lines)


def measured(questions: Sequence[Question], row: Row, arguments: argparse.Namespace) -> Iterator[Line]:
    """A line for each question, and for each without a page where that is asked for."""
    model, encoder = probative.load_model(row.model, cache=False), probative.load_encoder()
    sets = [(False, list(questions))]
    if row.settings is None or arguments.lacking:
        sets.append((True, [one for one in map(lacking, questions) if one is not None]))
    for without, asked in sets:
        started, lines = time.perf_counter(), []
        for number, line in run_row(asked, row, model, encoder, arguments.max_active):
            lines.append({"id": asked[number].id, "lacking": without, **line})
            if sys.stderr.isatty():
                print(f"\r{len(lines)}/{len(asked)} ", end="", file=sys.stderr)
        seconds = (time.perf_counter() - started) / max(1, len(lines))
        yield from ({**line, "seconds": seconds} for line in lines)
    model.close()


def read_answers(files: Sequence[Path]) -> dict[tuple[str, str], dict[tuple[str, bool], Line]]:
    """What was written, by set and row, and then by question; of a question the last line counts."""
    found: dict[tuple[str, str], dict[tuple[str, bool], Line]] = {}
    for file in files:
        for text in file.read_text(encoding="utf-8").splitlines():
            line = json.loads(text)
            found.setdefault((line["set"], line["row"]), {})[line["id"], line["lacking"]] = line
    return found


def print_row(title: str, questions: dict[str, Question], lines: Sequence[Line]) -> None:
    """The cells of a row, and how many questions failed; below gold evidence that was read, the same with
    what `ask` compares by rule.
    """
    mine = [line for line in lines if line["id"] in questions]
    failed = sum("problem" in line for line in mine)
    note = f" ({failed} failed)" if failed else ""
    print(f"| {title}{note} | {' | '.join(figures(questions, mine))} |", flush=True)
    if title == GOLD["gold"].title:
        ruled = [by_rule(questions[line["id"]], line) for line in mine]
        print(
            f"| the same, dates and countries by rule | {' | '.join(figures(questions, ruled))} |", flush=True
        )


def by_rule(question: Question, line: Line) -> Line:
    """An answer from all gold evidence as `ask` gives it: by rule where one speaks, else as it was read."""
    found = None if line["lacking"] else compare(question.text, line["chain"], question.passages)
    return line if found is None else {**line, "answer": found.answer}


def write_lines(
    out: Path | None, name: str, row: Row, questions: dict[str, Question], lines: Sequence[Line]
) -> None:
    """Append every answer with its question and the right one."""
    if out is not None:
        with out.open("a", encoding="utf-8") as stream:
            for line in lines:
                one = questions[line["id"]]
                said = {"set": name, "row": row.title, "model": row.model}
                asked = {"question": one.text, "gold": one.answer, "kind": one.kind}
                stream.write(json.dumps({**said, **asked, **line}, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
