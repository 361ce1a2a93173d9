"""Chains and answers over an open collection: `ask` with the pages of all questions as the corpus.

The pages are indexed as a corpus. Exact match (EM) ignores case, articles and punctuation; F1 is over the
words of both answers. Both are of all questions: an answer is required even where the verdict is not
`supported`. "EM of these" is the exact match of the supported answers. "pages" is the share of questions with
all gold pages in the chain, "gold sentences" the share of gold sentences in its passages, and "cited F1"
compares the sentences that the answer rests on with the gold ones.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ClassVar

from probative.bench.arguments import Names, check_known, is_on
from probative.bench.data.files import spread
from probative.bench.data.pages import read_pages
from probative.bench.data.questions import Question, read_questions
from probative.bench.data.splits import MULTIHOP_FILES
from probative.bench.experiment import Case, Lab, Settings
from probative.bench.findings import difference_finding, share_text
from probative.bench.metrics import answer_f1, exact_match
from probative.bench.report import Cell, Report, Table
from probative.bench.rows import Row, counted_rows, is_finished
from probative.bench.study import Study
from probative.bench.tables import Metric, average, build_table, groups_by, paired_rows, rows_of, score, share
from probative.corpus.corpus import Corpus
from probative.corpus.index.update import update_index
from probative.corpus.indexing import static_encoder
from probative.scope.result import Answer
from probative.settings import Settings as ModelSettings
from probative.text.words import words
from probative.types import Passage

SETS = tuple(MULTIHOP_FILES)
METHODS = ("scope", "rag")

_CORPORA: dict[tuple[Path, str], tuple[Corpus, TemporaryDirectory[str]]] = {}


def _exact(row: Row) -> bool:
    return exact_match(row["answer"], row["right"])


METRICS: dict[str, Metric] = {
    "EM": share(_exact),
    "F1": score(lambda row: answer_f1(row["answer"], row["right"])),
    "supported": share("supported"),
    "EM of these": share(_exact, of="supported"),
    "pages": share("pages"),
    "gold sentences": score("gold_sentences"),
    "cited F1": score("cited_f1"),
    **{cost: average(cost, of=is_finished) for cost in ("pieces", "calls", "tokens")},
}


class OpenAnswers(Study):
    """Answers each question from the pages of all questions.

    Options, with commas between names: `sets`, `methods` (scope, rag); `tuning=true` takes the questions that
    settings were tuned on.
    """

    name = "open-answers"
    title = "How well are multi-hop questions answered from a whole collection?"
    shown_as = "results, questions over a corpus"
    limit_of = "questions of each set, each of which is a case with every method"
    data = (*SETS, "2wiki-corpus")
    sets = Names("sets", SETS, SETS)
    arms = Names("methods", METHODS, METHODS)
    verbs = frozenset({"generate", "judge"})
    calls_per_case = 12.0
    failure: ClassVar[Row] = {
        "answer": "",
        "supported": False,
        "pages": False,
        "gold_sentences": 0.0,
        "cited_f1": 0.0,
    }

    def data_of(self, settings: Settings) -> tuple[str, ...]:
        names = self.sets.chosen(settings)
        return (*names, *(("2wiki-corpus",) if "2wikimultihopqa" in names else ()))

    def cases(self, settings: Settings) -> list[Case]:
        """Return `limit` questions of each set for each method, spread over the file."""
        check_known(settings, ("sets", "methods", "tuning"))
        return [
            Case(f"{name}/{method}/{question.id}", (name, method, question))
            for name in self.sets.chosen(settings)
            for question in spread(
                read_questions(settings.data, name, tuning=is_on(settings, "tuning")), settings.limit
            )
            for method in self.arms.chosen(settings)
        ]

    def asked(self, case: Case) -> Question:
        question: Question = case.content[2]
        return question

    def about(self, case: Case) -> Row:
        name, method, question = case.content
        return {"set": name, "method": method, "question": question.id, "right": question.answer}

    def answer(self, case: Case, lab: Lab) -> Row:
        name, method, question = case.content
        corpus = _corpus(lab.settings.data, name, lab.session.settings)
        answer = lab.session.ask(question.text, corpus=corpus, method=method, answer_anyway=True)
        return {
            "answer": answer.answer or "",
            "supported": answer.verdict.value == "supported",
            **evidence_of(question, answer),
            "pieces": len(answer.chain),
            "calls": answer.usage.calls,
            "tokens": answer.usage.tokens,
        }

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        good = counted_rows(rows)
        tables = tuple(
            build_table(
                f"Answers over {name}", "method", METRICS, groups_by(rows_of(good, set=name), "method")
            )
            for name in self.sets.chosen(settings)
        )
        tests = paired_rows("Paired tests of exact match", good, _exact, [("scope", "rag")])
        return Report(
            tables=(*tables, *tests),
            findings=(*(_trusted(table) for table in tables), difference_finding(tests, "exact match")),
        )


def evidence_of(question: Question, answer: Answer) -> Row:
    """Return what of the gold evidence is in the chain, and how well the cited sentences meet it."""
    gold = [question.passages[index] for index in sorted(question.gold)]
    titles = {index: _plain(piece.title or "") for piece in answer.chain for index in (piece.index,)}
    texts = [f"{titles[piece.index]} | {_plain(piece.text)}" for piece in answer.chain]
    cited = [f"{titles.get(entry.index, '')} | {_plain(entry.text)}" for entry in answer.cited]
    met = [any(_same(passage, text) for text in cited) for passage in gold]
    fitting = [any(_same(passage, text) for passage in gold) for text in cited]
    precision = sum(fitting) / len(fitting) if fitting else 0.0
    recall = sum(met) / len(met)
    return {
        "pages": {_plain(passage.title or "") for passage in gold} <= set(titles.values()),
        "gold_sentences": sum(any(_same(passage, text) for text in texts) for passage in gold) / len(gold),
        "cited_f1": 2 * precision * recall / (precision + recall) if precision + recall else 0.0,
    }


def _same(gold: Passage, text: str) -> bool:
    """Return whether a text of the same page contains a gold sentence, or is a part of it."""
    title, _, own = text.partition(" | ")
    wanted = _plain(gold.text)
    return title == _plain(gold.title or "") and bool(own) and (wanted in own or own in wanted)


def _plain(text: str) -> str:
    return " ".join(words(text))


def _trusted(table: Table) -> str:
    """Return how many answers of the first method are right, and how many of the supported ones."""
    cells = dict(zip(table.columns, table.rows[0].cells, strict=True))
    exact, trusted = cells["EM"], cells["EM of these"]
    assert isinstance(exact, Cell)
    assert isinstance(trusted, Cell)
    return (
        f"{table.title}, {table.rows[0].name}: {share_text(exact)} answers match exactly, "
        f"and {share_text(trusted)} of those marked supported."
    )


def _corpus(data: Path, name: str, settings: ModelSettings) -> Corpus:
    """Return the pages of a set as a corpus, each page a document, indexed once for all cases."""
    if (data, name) not in _CORPORA:
        folder = TemporaryDirectory(prefix="probative-pages-")
        pages, index = Path(folder.name, "pages"), Path(folder.name, "index")
        pages.mkdir()
        for number, page in enumerate(read_pages(data, name)):
            title = re.sub(r"\s+", " ", page.title or "").strip()
            (pages / f"{number:06}.md").write_text(f"# {title}\n\n{page.text}\n", encoding="utf-8")
        update_index(pages, index, encoder=static_encoder(settings, fetch=True))
        _CORPORA[data, name] = (Corpus.open(index, settings=settings), folder)
    return _CORPORA[data, name][0]
