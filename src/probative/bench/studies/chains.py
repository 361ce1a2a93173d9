"""How well passages are chosen for multi-hop questions: the judges and covers of scope, and RAG.

Of a collection, the passages are the 20 pages that BM25 retrieves. "gold" is the share of gold sentences (of
a collection: pages) among the chosen passages, "all" the share of questions with all their gold chosen. Calls
and tokens are those of all models, the answer included, where the studied model answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import ClassVar

from probative.bench.data.pages import COLLECTIONS, read_collection
from probative.bench.families import multihop
from probative.bench.families.arms import read_arms
from probative.bench.families.multihop import silent_session
from probative.bench.findings import compared, ranked
from probative.bench.metrics import answer_f1, exact_match
from probative.bench.rows import Row, Rows
from probative.bench.statistics import each_against
from probative.bench.study import Case, Lab, Names, Settings
from probative.bench.tables import Metrics, PairedSpec, TableSpec, average, bars, score, share

METHODS = read_arms("chains")
# Groups whose methods ask a language model before the answer.
ASKING = ("extract", "reader", "each", "passage", "together", "calls", "paper", "closed")
# The group that looks up what is missing, where there is a collection of pages.
FOLLOWED = "followed"
# Who answers: the method by itself, or the model from the chain, picking a name or writing.
READERS = Names("answers", (), ("own", "picked", "written"))
GROUP_OF = {method: group for group, methods in METHODS.items() for method in methods}

_collection = lru_cache(maxsize=2)(read_collection)


def _paid(row: Row) -> bool:
    # A silent model picks at random, and the verdict model reads what it picked: that is no method's cost.
    return "error" not in row and "own" in row["answers"]


def _metrics(rows: Rows) -> Metrics:
    readers = [reader for reader in READERS.known if any(reader in row["answers"] for row in rows)]
    metrics = {name: share(name) for name in ("gold", "all")}
    metrics |= {"pieces": average("pieces"), "complete": share("complete")}
    if "own" in readers:
        metrics |= {cost: average(cost, of=_paid) for cost in ("calls", "tokens")}
    for reader in readers:
        metrics |= _reader_metrics(reader)
    return metrics


def _reader_metrics(reader: str) -> Metrics:
    def asked(row: Row) -> bool:
        return reader in row["answers"] or "error" in row  # a failed case has no answer of any reader

    def pair(row: Row) -> tuple[str, str]:
        return row["answers"].get(reader, ""), row["right"]

    return {
        f"{reader}: EM": share(lambda row: exact_match(*pair(row)), of=asked),
        f"{reader}: F1": score(lambda row: answer_f1(*pair(row)), of=asked),
    }


class Chains(multihop.MultihopStudy):
    """Chooses passages for each question with each method.

    `methods` are groups of methods. With `answers` (own, picked, written) the studied model answers, too;
    without it, methods that need no language model before the answer do without one.
    """

    name = "chains"
    title = "Which method chooses the passages that answer a multi-hop question?"
    paper_reference = "results, chains"
    sets = Names("sets", multihop.SETS, (*multihop.SETS, *COLLECTIONS))
    arms = Names("methods", ("rag", "words", "learned"), tuple(METHODS))
    options = ("answers", "tuning")
    calls_per_case = 20.0
    failure: ClassVar[Row] = {"gold": 0.0, "all": 0.0, "pieces": 0, "complete": 0.0, "answers": {}}
    tables = (TableSpec("Passages chosen on {}", "method", _metrics, each="set"),)
    tests = (
        PairedSpec(
            "Paired tests of all gold chosen", "all", lambda methods: each_against(methods, methods[0])
        ),
    )
    plots = (bars("Questions with all their gold chosen", "all"),)
    findings = (
        ranked("all", "share of questions with all gold chosen"),
        compared("share of questions with all gold"),
    )

    def cases(self, settings: Settings) -> Sequence[Case]:
        READERS.chosen(settings)
        return super().cases(settings)

    def arms_of(self, settings: Settings, name: str) -> list[str]:
        return [
            method
            for group in self.arms.chosen(settings)
            for method in METHODS[group]
            if group != FOLLOWED or name in COLLECTIONS
        ]

    def answer(self, case: Case, lab: Lab) -> Row:
        question, group = case.content, GROUP_OF[case.arm]
        arguments = METHODS[group][case.arm]
        arguments = {**arguments, **multihop.answer_anyway(arguments.get("method", "scope"))}
        if group == FOLLOWED:
            arguments["retriever"] = _collection(lab.settings.data, case.set)
        readers = READERS.chosen(lab.settings)
        asks = group in ASKING or "own" in readers
        session = lab.session if asks else silent_session(lab)
        answer = session.ask(question.text, question.passages, **arguments)
        answers = {"own": answer.answer or ""} if asks else {}
        for reader in readers:
            if reader != "own" and group != "closed":
                read = lab.session.ask(question.text, question.passages, **{**arguments, "answering": reader})
                answers[reader] = read.answer or ""
        chosen = {passage.title if question.titles else passage.index for passage in answer.chain}
        return {
            "gold": len(question.wanted & chosen) / len(question.wanted),
            "all": float(question.wanted <= chosen),
            "pieces": len(answer.chain),
            "complete": float(answer.complete),
            "calls": answer.usage.calls,
            "tokens": answer.usage.tokens,
            "answers": answers,
        }
