"""How well whole questions are answered: scope and RAG, gold evidence alone, and evidence that lacks a page.

Passages are single sentences with their page's title, all of a question's distractors included. Exact match
(EM) ignores case, articles and punctuation; F1 is over the words of both answers. Both are of all questions:
an answer is required even where the verdict is not `supported`. "EM of these" is the exact match of the
supported answers. The tuned reader reads its answers, any other model picks them.

With `lacking=true` each question is also asked without one of its gold pages, where the remaining passages
cannot contain the answer. "AUROC answerable" and "AUROC complete" say how well the two cases are separated by
the reader's probability of an answer and by the policy's of a complete chain.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from probative.bench.arguments import Names, check_known, is_on
from probative.bench.data.files import draw
from probative.bench.data.questions import Question, read_questions
from probative.bench.data.splits import MULTIHOP_FILES
from probative.bench.experiment import Case, Lab, Settings
from probative.bench.findings import difference_finding, ranked_finding, share_text
from probative.bench.metrics import answer_f1, exact_match
from probative.bench.report import Cell, Report, Table
from probative.bench.rows import Row, counted_rows
from probative.bench.statistics import each_against
from probative.bench.study import Study
from probative.bench.tables import (
    Metric,
    Rows,
    auroc_cell,
    average,
    build_table,
    groups_by,
    known_cells,
    paired_rows,
    rows_of,
    score,
    share,
    table_bars,
)
from probative.engine.search import Search
from probative.engine.tools import Tools
from probative.scope.answer.compare.compute import compute_answer
from probative.scope.answer.make import Evidence, make_answer
from probative.scope.answer.parsed import Reading
from probative.scope.inputs import Inputs
from probative.scope.options import ScopeOptions
from probative.scope.run import Run, start_run
from probative.text.words import words

NO_ANSWER: Row = {
    "answer": "",
    "computed": None,
    "supported": False,
    "all_gold": False,
    "pieces": 0,
    "completeness": None,
    "answerable": None,
}
"""What a question counts as that could not be answered."""
# Questions of each set, unless --limit says otherwise.
QUESTIONS = 200
DEFAULT = ("rag", "words", "embedded", "gold")
SETS = tuple(MULTIHOP_FILES)


class Method(NamedTuple):
    """A way to answer: its title, and the arguments of `ask` (None: gold evidence alone)."""

    title: str
    arguments: dict[str, Any] | None


METHODS = {
    "rag": Method("RAG top-5", {"method": "rag"}),
    "rag-written": Method("RAG top-5, written", {"method": "rag", "answering": "written"}),
    "words": Method("scope words", {"preset": "words"}),
    "embedded": Method("scope learned", {"preset": "embedded"}),
    "embedded-once": Method(
        "scope learned, read once", {"preset": "embedded", "extend_if_unanswered": False}
    ),
    "embedded-4": Method("scope learned, 4 passages", {"preset": "embedded", "min_passages": 4}),
    "gold": Method("gold evidence", None),
}


def answer_row(lab: Lab, question: Question, method: str) -> Row:
    """Answer a question by a method: read by the tuned reader, picked by any other model."""
    answering = "read" if lab.model.reader else "picked"
    arguments = METHODS[method].arguments
    if arguments is None:
        return _from_gold(lab, question, answering)
    answer = lab.session.ask(
        question.text, question.passages, **{"answering": answering, **arguments, "answer_anyway": True}
    )
    return {
        "answer": answer.answer or "",
        "computed": None,
        "supported": answer.verdict.value == "supported",
        "all_gold": question.gold <= {passage.index for passage in answer.chain},
        "pieces": len(answer.chain),
        "completeness": answer.completeness,
        "answerable": answer.answerable,
        "calls": answer.usage.calls,
        "tokens": answer.usage.tokens,
    }


def _from_gold(lab: Lab, question: Question, answering: str) -> Row:
    chain = sorted(question.gold)
    options = ScopeOptions.model_validate({"answering": answering, "answer_anyway": True})
    finished = lab.session.finish_search(_both(gold_run(lab, question, options), chain))
    if finished.error is not None:
        raise finished.error
    assert finished.result is not None
    reading, computed = finished.result
    return {
        "answer": reading.answer.text or "",
        "computed": computed,
        "supported": not reading.forced,
        "all_gold": True,
        "pieces": len(chain),
        "completeness": None,
        "answerable": reading.answerable,
        "calls": finished.usage.calls,
        "tokens": finished.usage.tokens,
    }


def gold_run(lab: Lab, question: Question, options: ScopeOptions) -> Run:
    """Start a run over the passages of a question, as they are."""
    tools = Tools(lambda: lab.model, lambda: lab.session.sentence_encoder)
    return start_run(Inputs(question.text, question.passages), options, tools, split=False)


def _both(run: Run, chain: Sequence[int]) -> Search[tuple[Reading, str | None]]:
    reading = yield from make_answer(run, Evidence(chain))
    computed = yield from compute_answer(run, chain)
    return reading, None if computed is None else computed.answer


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


def _separation(field: str) -> Metric:
    """Return the AUROC of a field for questions with all evidence against the same without a page."""

    def metric(rows: Rows) -> Cell:
        known = [row for row in rows if row[field] is not None]
        lacking = {row["question"]: row[field] for row in known if row["lacking"]}
        whole = [row[field] for row in known if _whole(row) and row["question"] in lacking]
        return auroc_cell(whole, list(lacking.values())) if whole else Cell(value=None, n=0)

    return metric


def _whole(row: Row) -> bool:
    return not row["lacking"]


def _ran(row: Row) -> bool:
    return not row["lacking"] and "error" not in row


def _exact(row: Row) -> bool:
    return exact_match(row["answer"], row["right"])


METRICS: dict[str, Metric] = {
    "EM": share(_exact, of=_whole),
    "F1": score(lambda row: answer_f1(row["answer"], row["right"]), of=_whole),
    "supported": share("supported", of=_whole),
    "EM of these": share(_exact, of=lambda row: _whole(row) and row["supported"]),
    "all gold": share("all_gold", of=_whole),
    "pieces": average("pieces", of=_whole),
    "AUROC answerable": _separation("answerable"),
    "AUROC complete": _separation("completeness"),
    "calls": average("calls", of=_ran),
    "tokens": average("tokens", of=_ran),
}


class Answers(Study):
    """Answers each question with each method.

    Options, with commas between names: `sets`, `methods`; `lacking=true` asks also without a gold page;
    `tuning=true` takes the questions that settings were tuned on.
    """

    name = "answers"
    title = "How well are multi-hop questions answered, and is missing evidence noticed?"
    shown_as = "results, answers"
    limit_of = "questions of each set, each of which is a case with every method"
    data = SETS
    sets = Names("sets", SETS, SETS)
    arms = Names("methods", DEFAULT, tuple(METHODS))
    calls_per_case = 4.0
    failure = NO_ANSWER

    def cases(self, settings: Settings) -> list[Case]:
        """Return `limit` questions of each set (200 without a limit) for each method."""
        check_known(settings, ("sets", "methods", "lacking", "tuning"))
        methods = self.arms.chosen(settings)
        cases = []
        for name in self.sets.chosen(settings):
            questions = read_questions(settings.data, name, tuning=is_on(settings, "tuning"))
            for question in draw(questions, settings.limit or QUESTIONS, settings.seed):
                variants: dict[str, Question | None] = {"whole": question}
                if is_on(settings, "lacking"):
                    variants["lacking"] = without_gold_page(question)
                cases += [
                    Case(f"{name}/{method}/{question.id}/{variant}", (name, method, variant, asked))
                    for method in methods
                    for variant, asked in variants.items()
                    if asked is not None
                ]
        return cases

    def about(self, case: Case) -> Row:
        name, method, variant, question = case.content
        return {
            "set": name,
            "method": method,
            "question": question.id,
            "lacking": variant == "lacking",
            "right": question.answer,
        }

    def answer(self, case: Case, lab: Lab) -> Row:
        _, method, _, question = case.content
        return answer_row(lab, question, method)

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        good = counted_rows(rows)
        tables = tuple(_table(rows_of(good, set=name), name) for name in self.sets.chosen(settings))
        titles = [METHODS[method].title for method in self.arms.chosen(settings)]
        tests = paired_rows(
            "Paired tests of exact match",
            list(filter(_whole, good)),
            _exact,
            each_against(titles, titles[0]),
            arm=lambda row: METHODS[row["method"]].title,
        )
        ranked = [ranked_finding(table, "EM", "exact match") for table in tables]
        return Report(
            tables=(*tables, *tests),
            plots=table_bars("Exact match", tables, "EM"),
            findings=(*filter(None, ranked), difference_finding(tests, "exact match"), *_trusted(tables)),
        )


def _trusted(tables: Sequence[Table]) -> Iterator[str]:
    """Yield how many supported answers of the last method that chooses its evidence are right."""
    for table in tables:
        for name, (cell,) in known_cells(table, "EM of these"):
            if name == METHODS["embedded"].title:
                yield f"{table.title}, {name}: {share_text(cell)} answers marked supported match exactly."


def _table(rows: Rows, name: str) -> Table:
    groups: list[tuple[str, Rows]] = []
    for method, own in groups_by(rows, "method"):
        title = METHODS[method].title
        groups.append((title, own))
        if any(row["computed"] is not None for row in own):
            computed = [{**row, "answer": row["computed"] or row["answer"]} for row in own]
            groups.append((f"{title}, with what is computed", computed))
    return build_table(f"Answers on {name}", "method", METRICS, groups)
