"""How well the pages that a multi-hop question needs are found in an open collection: by words, by words and
vectors, and by several rounds (`probative.corpus.rounds`).

"all" is the share of questions with all gold pages among the first 5, 10 and 20, "gold" the share of gold
pages. Queries are what the collection was asked; calls and tokens are those of the evidence policy.
"""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import ValidationError

from probative.bench.families import multihop
from probative.bench.families.open_pages import collection_of
from probative.bench.findings import compared
from probative.bench.rows import Row
from probative.bench.study import Case, Lab, Names, Settings
from probative.bench.tables import Metric, PairedSpec, TableSpec, average, bars, share
from probative.corpus.rounds import RoundOptions, retrieve_in_rounds
from probative.errors import InputError
from probative.models.types import reason

CUTS = (5, 10, 20)
METHODS = ("words", "hybrid", "rounds", "rounds-words")


def _at(field: str, cut: int) -> Metric:
    return share(lambda row: row[field][CUTS.index(cut)])


METRICS = {
    **{f"{field} at {cut}": _at(field, cut) for field in ("all", "gold") for cut in CUTS},
    **{cost: average(cost) for cost in ("queries", "calls", "tokens")},
}


class Retrieval(multihop.MultihopStudy):
    """Looks for the pages of each question in the pages of all questions.

    The options of the rounds (`rounds`, `chains`, `names` …) change their bounds.
    """

    name = "retrieval"
    title = "Do several rounds of retrieval find the pages that a multi-hop question needs?"
    paper_reference = "results, retrieval"
    limit_of = "cases"
    data = (*multihop.SETS, multihop.PAGES)
    questions = None
    arms = Names("methods", METHODS[:3], METHODS)
    options = ("tuning", *RoundOptions.model_fields)
    verbs = frozenset({"weigh"})
    calls_per_case = 3.0
    tables = (TableSpec("Pages found on {}", "method", METRICS, each="set"),)
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
        question, collection = case.content, collection_of(lab, case.set)
        first = collection.by_words if case.arm in ("words", "rounds-words") else collection.hybrid
        bounds = bounds_of(lab.settings)
        if not case.arm.startswith("rounds"):
            passages, queries, calls, tokens = first(question.text, CUTS[-1]), 1, 0, 0
        else:
            search = retrieve_in_rounds(
                question.text, first, CUTS[-1], options=bounds, lookup=collection.by_words
            )
            finished = lab.session.finish_search(search)
            if finished.error is not None:
                raise finished.error
            assert finished.result is not None
            passages, queries = finished.result.passages, len(finished.result.queries)
            calls, tokens = finished.usage.calls, finished.usage.tokens
        wanted = frozenset(question.passages[index].title for index in question.gold)
        titles = [passage.title for passage in passages]
        return {
            "gold": [len(wanted.intersection(titles[:cut])) / len(wanted) for cut in CUTS],
            "all": [float(wanted.issubset(titles[:cut])) for cut in CUTS],
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
