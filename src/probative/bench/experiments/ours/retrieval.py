"""How well the pages that a multi-hop question needs are found in an open collection: by words, by words and
vectors, and by several rounds (`probative.corpus.rounds`).

"all" is the share of questions with all gold pages among the first 5, 10 and 20, "gold" the share of gold
pages. Queries are what the collection was asked; calls and tokens are those of the evidence policy.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from pydantic import ValidationError

from probative.bench.arguments import Names, check_known, is_on
from probative.bench.data.files import spread
from probative.bench.data.pages import OpenCollection, read_pages
from probative.bench.data.questions import Question, read_questions
from probative.bench.data.splits import MULTIHOP_FILES
from probative.bench.experiment import Case, Lab, Settings
from probative.bench.findings import difference_finding
from probative.bench.report import Report
from probative.bench.rows import Row, counted_rows
from probative.bench.study import Study
from probative.bench.tables import (
    Metric,
    average,
    build_table,
    groups_by,
    paired_rows,
    rows_of,
    share,
    table_bars,
)
from probative.corpus.indexing import static_encoder
from probative.corpus.rounds import RoundOptions, retrieve_in_rounds
from probative.errors import InputError, WeightsError
from probative.models.encoder import Encoder
from probative.models.types import reason
from probative.types import Passage
from probative.usage import Usage

CUTS = (5, 10, 20)
METHODS = ("words", "hybrid", "rounds", "rounds-words")
DEFAULT = METHODS[:3]
# Options of the experiment that change those of the rounds.
BOUNDS = tuple(RoundOptions.model_fields)

_ENCODERS: dict[str, Encoder] = {}


def _at(field: str, cut: int) -> Metric:
    return share(lambda row: row[field][CUTS.index(cut)])


METRICS: dict[str, Metric] = {
    **{f"{field} at {cut}": _at(field, cut) for field in ("all", "gold") for cut in CUTS},
    **{cost: average(cost) for cost in ("queries", "calls", "tokens")},
}


class Retrieval(Study):
    """Looks for the pages of each question in the pages of all questions.

    Options: `sets` and `methods` with commas between names; `tuning=true` takes the questions that settings
    were tuned on; the options of the rounds (`rounds`, `chains`, `names` …) change their bounds.
    """

    name = "retrieval"
    title = "Do several rounds of retrieval find the pages that a multi-hop question needs?"
    shown_as = "results, retrieval"
    data = (*MULTIHOP_FILES, "2wiki-corpus")
    sets = Names("sets", tuple(MULTIHOP_FILES), tuple(MULTIHOP_FILES))
    arms = Names("methods", DEFAULT, METHODS)
    verbs = frozenset({"weigh"})
    calls_per_case = 3.0

    def data_of(self, settings: Settings) -> tuple[str, ...]:
        names = self.sets.chosen(settings)
        return (*names, *(("2wiki-corpus",) if "2wikimultihopqa" in names else ()))

    def cases(self, settings: Settings) -> list[Case]:
        """Return `limit` questions of each set for each method, spread over the file: that of HotpotQA begins
        with questions whose pages BM25 finds.
        """
        check_known(settings, ("sets", "methods", "tuning", *BOUNDS))
        bounds_of(settings)
        cases = []
        for name in self.sets.chosen(settings):
            questions = read_questions(settings.data, name, tuning=is_on(settings, "tuning"))
            cases += [
                Case(f"{name}/{method}/{question.id}", (name, method, question))
                for question in spread(questions, settings.limit)
                for method in self.arms.chosen(settings)
            ]
        return cases

    def about(self, case: Case) -> Row:
        name, method, question = case.content
        return {"set": name, "method": method, "question": question.id, "kind": question.kind}

    def answer(self, case: Case, lab: Lab) -> Row:
        name, method, question = case.content
        passages, queries, usage = retrieved(question, method, collection_of(lab, name), lab)
        wanted = frozenset(question.passages[index].title for index in question.gold)
        titles = [passage.title for passage in passages]
        return {
            "gold": [len(wanted.intersection(titles[:cut])) / len(wanted) for cut in CUTS],
            "all": [float(wanted.issubset(titles[:cut])) for cut in CUTS],
            "queries": queries,
            "calls": usage.calls,
            "tokens": usage.tokens,
        }

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        good = counted_rows(rows)
        tables = tuple(
            build_table(f"Pages found on {name}", "method", METRICS, groups_by(own, "method"))
            for name in self.sets.chosen(settings)
            if (own := rows_of(good, set=name))
        )
        # The several rounds are tested against one round.
        pairs = [("rounds", "hybrid"), ("rounds", "words"), ("rounds-words", "words")]
        tests = paired_rows(
            "Paired tests of all gold at 10", good, lambda row: row["all"][CUTS.index(10)], pairs
        )
        return Report(
            tables=(*tables, *tests),
            plots=table_bars("Questions with all gold pages among the first 10", tables, "all at 10"),
            findings=(difference_finding(tests, "share of questions with all gold at 10"),),
        )


def bounds_of(settings: Settings) -> RoundOptions:
    """Return the options of the rounds; raises InputError.

    >>> bounds_of(Settings(Path("."), options={"rounds": 1})).rounds
    1
    """
    try:
        return RoundOptions.model_validate({name: settings.option(name, None) for name in _changed(settings)})
    except ValidationError as error:
        raise InputError(f"an option of the rounds is wrong: {reason(error)}") from None


def _changed(settings: Settings) -> list[str]:
    return [name for name in BOUNDS if settings.option(name, None) is not None]


def retrieved(
    question: Question, method: str, collection: OpenCollection, lab: Lab
) -> tuple[list[Passage], int, Usage]:
    """Return the pages that a method finds, the number of its queries, and its cost."""
    n = CUTS[-1]
    if method in ("words", "hybrid"):
        search = collection.by_words if method == "words" else collection.hybrid
        return search(question.text, n), 1, Usage()
    first = collection.by_words if method == "rounds-words" else collection.hybrid
    finished = lab.session.finish_search(
        retrieve_in_rounds(
            question.text, first, n, options=bounds_of(lab.settings), lookup=collection.by_words
        )
    )
    if finished.error is not None:
        raise finished.error
    assert finished.result is not None
    return finished.result.passages, len(finished.result.queries), finished.usage


def collection_of(lab: Lab, name: str) -> OpenCollection:
    """Return the collection of a set, indexed once for all cases."""
    return _collection(lab.settings.data, name, _encoder(lab))


@lru_cache(maxsize=2)
def _collection(data: Path, name: str, encoder: Encoder) -> OpenCollection:
    return OpenCollection(read_pages(data, name), encoder)


def _encoder(lab: Lab) -> Encoder:
    """Return the static encoder, which a corpus uses too; raises WeightsError if it cannot be fetched."""
    home = str(lab.session.settings.weights_folder)
    if home not in _ENCODERS:
        encoder = static_encoder(lab.session.settings, fetch=True)
        if encoder is None:
            raise WeightsError("the static encoder is not here and could not be fetched")
        _ENCODERS[home] = encoder
    return _ENCODERS[home]
