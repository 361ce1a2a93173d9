"""Multi-hop questions over the pages of all questions: answers, and the pages retrieved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from pydantic import ValidationError

from probative.bench.families import multihop, open_pages
from probative.bench.findings import compared
from probative.bench.rows import Row, is_finished
from probative.bench.study import Case, Lab, Names, Settings
from probative.bench.tables import Metric, PairedSpec, TableSpec, average, bars, score, share
from probative.corpus.rounds import RoundOptions, retrieve_in_rounds
from probative.errors import InputError
from probative.models.types import reason

METHODS = ("scope", "rag")
CUTS = (5, 10, 20)


def _at(field: str, cut: int) -> Metric:
    return share(lambda row: row[field][CUTS.index(cut)])


class OpenAnswers(multihop.MultihopStudy):
    """Answers each question with the pages of all questions as the corpus.

    Figures are of all questions: an answer is required even where the verdict is not `supported`. "pages" is
    the share of questions with all gold pages in the chain, "gold sentences" the share of gold sentences in
    its passages, and "cited F1" compares the sentences that the answer rests on with the gold ones.
    """

    name = "open-answers"
    title = "How well are multi-hop questions answered from a whole collection?"
    paper_reference = "results, questions over a corpus"
    data = (*multihop.SETS, multihop.PAGES)
    questions = None
    arms = Names("methods", METHODS, METHODS)
    verbs = frozenset({"generate", "judge"})
    calls_per_case = 12.0
    failure: ClassVar[Row] = {"answer": "", "supported": False, **open_pages.NOTHING_FOUND}
    tables = (
        TableSpec(
            "Answers over {}",
            "method",
            {
                **multihop.answer_metrics(),
                "pages": share("pages"),
                "gold sentences": score("gold_sentences"),
                "cited F1": score("cited_f1"),
                **{cost: average(cost, of=is_finished) for cost in ("pieces", "calls", "tokens")},
            },
            each="set",
        ),
    )
    tests = (PairedSpec("Paired tests of exact match", multihop.is_exact, [METHODS]),)
    findings = (open_pages.trusted, compared("exact match"))

    def answer(self, case: Case, lab: Lab) -> Row:
        question = case.content
        corpus = open_pages.corpus_of(lab.settings.data, case.set, lab.session.settings)
        answer = lab.session.ask(question.text, corpus=corpus, method=case.arm, answer_anyway=True)
        return {
            "answer": answer.answer or "",
            "supported": answer.verdict.value == "supported",
            **open_pages.evidence_of(question, answer),
            "pieces": len(answer.chain),
            "calls": answer.usage.calls,
            "tokens": answer.usage.tokens,
        }


class Ways(NamedTuple):
    """How pages are looked for: first by words alone or by words and vectors, then perhaps in rounds."""

    by_words: bool
    in_rounds: bool


WAYS = {
    "words": Ways(by_words=True, in_rounds=False),
    "hybrid": Ways(by_words=False, in_rounds=False),
    "rounds": Ways(by_words=False, in_rounds=True),
    "rounds-words": Ways(by_words=True, in_rounds=True),
}


class Retrieval(multihop.MultihopStudy):
    """Looks for the pages of each question by words, by words and vectors, and by several rounds
    (`probative.corpus.rounds`).

    "all" is the share of questions with all gold pages among the first 5, 10 and 20, "gold" the share of gold
    pages. Queries are what the collection was asked; calls and tokens are those of the evidence policy. The
    options of the rounds (`rounds`, `chains`, `names` …) change their bounds.
    """

    name = "retrieval"
    title = "Do several rounds of retrieval find the pages that a multi-hop question needs?"
    paper_reference = "results, retrieval"
    limit_of = "cases"
    data = (*multihop.SETS, multihop.PAGES)
    questions = None
    arms = Names("methods", ("words", "hybrid", "rounds"), tuple(WAYS))
    options = ("tuning", *RoundOptions.model_fields)
    verbs = frozenset({"weigh"})
    calls_per_case = 3.0
    tables = (
        TableSpec(
            "Pages found on {}",
            "method",
            {
                **{f"{field} at {cut}": _at(field, cut) for field in ("all", "gold") for cut in CUTS},
                **{cost: average(cost) for cost in ("queries", "calls", "tokens")},
            },
            each="set",
        ),
    )
    tests = (
        PairedSpec(
            "Paired tests of all gold at 10",
            lambda row: row["all"][CUTS.index(10)],
            [("rounds", "hybrid"), ("rounds", "words"), ("rounds-words", "words")],
        ),
    )
    plots = (bars("Questions with all gold pages among the first 10", "all at 10"),)
    findings = (compared("share of questions with all gold at 10"),)

    def cases(self, settings: Settings) -> Sequence[Case]:
        self.check_options(settings)
        bounds_of(settings)
        return super().cases(settings)

    def about(self, case: Case) -> Row:
        return {**super().about(case), "kind": case.content.kind}

    def answer(self, case: Case, lab: Lab) -> Row:
        question, ways = case.content, WAYS[case.arm]
        collection, bounds = open_pages.collection_of(lab, case.set), bounds_of(lab.settings)
        first = collection.by_words if ways.by_words else collection.hybrid
        if ways.in_rounds:
            lookup = collection.by_words
            search = retrieve_in_rounds(question.text, first, CUTS[-1], options=bounds, lookup=lookup)
            finished = lab.session.finish_search(search)
            if finished.error is not None:
                raise finished.error
            assert finished.result is not None
            passages, queries = finished.result.passages, len(finished.result.queries)
            calls, tokens = finished.usage.calls, finished.usage.tokens
        else:
            passages, queries, calls, tokens = first(question.text, CUTS[-1]), 1, 0, 0
        gold = frozenset(question.passages[index].title for index in question.gold)
        titles = [passage.title for passage in passages]
        return {
            "gold": [len(gold.intersection(titles[:cut])) / len(gold) for cut in CUTS],
            "all": [float(gold.issubset(titles[:cut])) for cut in CUTS],
            "queries": queries,
            "calls": calls,
            "tokens": tokens,
        }


def bounds_of(settings: Settings) -> RoundOptions:
    """Return the options of the rounds; raises InputError.

    >>> from pathlib import Path
    >>> bounds_of(Settings(Path("."), options={"rounds": 1})).rounds
    1
    """
    given = {name: settings.option(name, None) for name in RoundOptions.model_fields}
    try:
        return RoundOptions.model_validate(
            {name: value for name, value in given.items() if value is not None}
        )
    except ValidationError as error:
        raise InputError(f"an option of the rounds is wrong: {reason(error)}") from None
