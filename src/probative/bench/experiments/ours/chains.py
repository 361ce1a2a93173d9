"""How well passages are chosen for multi-hop questions: the judges and covers of scope, and RAG.

Passages are single sentences with their page's title, all of a question's distractors included; of a
collection they are the 20 pages that BM25 retrieves. "gold" is the share of gold sentences (of a collection:
pages) among the chosen passages, "all" the share of questions with all their gold chosen. Calls and tokens
are those of all models, the answer included, where the studied model answers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

import probative
from probative.bench.arguments import Names, check_known, is_on
from probative.bench.data.files import draw
from probative.bench.data.pages import COLLECTIONS, Collection, read_collection
from probative.bench.data.questions import read_questions
from probative.bench.data.splits import MULTIHOP_FILES
from probative.bench.experiment import Case, Lab, Settings
from probative.bench.findings import difference_finding, ranked_finding
from probative.bench.metrics import answer_f1, exact_match
from probative.bench.report import Report, Table
from probative.bench.rows import Row, counted_rows
from probative.bench.statistics import each_against
from probative.bench.study import Study
from probative.bench.tables import (
    Metric,
    Rows,
    average,
    build_table,
    groups_by,
    paired_rows,
    rows_of,
    score,
    share,
    table_bars,
)
from probative.session.session import Session

RULES = {"preset": "paper", "extractor": "rules"}
METHODS: dict[str, dict[str, dict[str, Any]]] = {
    "rag": {"RAG top-5": {"method": "rag"}},
    "words": {
        "words, linked (the default)": {"preset": "words"},
        "words, linked, 3 passages": {"preset": "words", "max_passages": 3},
        "words, exact": {"preset": "words", "cover": "exact"},
        "words, cover of the paper": {"preset": "words", "cover": "paper"},
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
        "rules, each, cover of the paper": RULES,
        "rules, each, exact": {**RULES, "cover": "exact"},
        "rules, each, linked": {**RULES, "cover": "linked"},
    },
    "passage": {
        "rules, a call a passage, cover of the paper": {**RULES, "judge": "passage"},
        "rules, a call a passage, exact": {**RULES, "judge": "passage", "cover": "exact"},
        "rules, a call a passage, linked": {**RULES, "judge": "passage", "cover": "linked"},
    },
    "together": {
        "rules, together, cover of the paper": {**RULES, "judge": "together"},
        "rules, together, exact": {**RULES, "judge": "together", "cover": "exact"},
        "rules, together, linked": {**RULES, "judge": "together", "cover": "linked"},
    },
    "calls": {
        "calls, cover of the paper": {"preset": "calls", "cover": "paper"},
        "calls, exact (the preset)": {"preset": "calls"},
        "calls, linked": {"preset": "calls", "cover": "linked"},
    },
    "paper": {
        "paper, cover of the paper (the preset)": {"preset": "paper"},
        "paper, exact": {"preset": "paper", "cover": "exact"},
        "paper, linked": {"preset": "paper", "cover": "linked"},
    },
    "learned": {"words, learned": {"preset": "embedded", "answering": "picked"}},
    "closed": {"closed book": {"method": "closed-book"}},
}
# Groups whose methods ask a language model before the answer.
ASKING = ("extract", "reader", "each", "passage", "together", "calls", "paper", "closed")
# The group that looks up what is missing, where there is a collection of pages.
FOLLOWED = "followed"
# Questions of each set, unless --limit says otherwise.
QUESTIONS = 200
DEFAULT = ("rag", "words", "learned")
SETS = (*MULTIHOP_FILES, *COLLECTIONS)
# Who answers: the method by itself, or the model from the chain, picking a name or writing.
READERS = ("own", "picked", "written")
FIGURES: dict[str, Metric] = {
    "gold": share("gold"),
    "all": share("all"),
    "pieces": average("pieces"),
    "complete": share("complete"),
}
COSTS = ("calls", "tokens")


class SilentModel(probative.LanguageModel):
    """Answers everything with a dot, at no cost: for tables where only the chosen passages count."""

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


def silent_session(lab: Lab) -> Session:
    """Return a session with the encoder, the evidence policy and the verdict model of the lab, and a language
    model that answers everything with a dot, at no cost.
    """
    return lab.session.with_model(SilentModel())


class Chains(Study):
    """Chooses passages for each question with each method.

    Options, with commas between names: `sets`, also `2wiki-corpus` and `2wiki-open`; `methods`, groups of
    methods; `answers` (own, picked, written), also have the studied model answer. Without `answers`, methods
    that need no language model before the answer do without one. `tuning=true` takes the questions that
    settings were tuned on.
    """

    name = "chains"
    title = "Which method chooses the passages that answer a multi-hop question?"
    shown_as = "results, chains"
    limit_of = "questions of each set, each of which is a case with every method"
    data = tuple(MULTIHOP_FILES)
    sets = Names("sets", tuple(MULTIHOP_FILES), SETS)
    arms = Names("methods", DEFAULT, tuple(METHODS))
    readers = Names("answers", (), READERS)
    calls_per_case = 20.0
    failure: ClassVar[Row] = {"gold": 0.0, "all": 0.0, "pieces": 0, "complete": 0.0, "answers": {}}

    def data_of(self, settings: Settings) -> tuple[str, ...]:
        names: list[str] = []
        for name in self.sets.chosen(settings):
            names += ["2wikimultihopqa", "2wiki-corpus"] if name in COLLECTIONS else [name]
        return tuple(dict.fromkeys(names))

    def cases(self, settings: Settings) -> list[Case]:
        """Return `limit` questions of each set (200 without a limit) for each method."""
        check_known(settings, ("sets", "methods", "answers", "tuning"))
        self.readers.chosen(settings)
        cases = []
        for name in self.sets.chosen(settings):
            questions = read_questions(settings.data, name, tuning=is_on(settings, "tuning"))
            cases += [
                Case(f"{name}/{method}/{question.id}", (name, group, method, question))
                for question in draw(questions, settings.limit or QUESTIONS, settings.seed)
                for group in self.arms.chosen(settings)
                for method in METHODS[group]
                if group != FOLLOWED or name in COLLECTIONS
            ]
        return cases

    def about(self, case: Case) -> Row:
        name, _, method, question = case.content
        return {"set": name, "method": method, "question": question.id, "right": question.answer}

    def answer(self, case: Case, lab: Lab) -> Row:
        name, group, method, question = case.content
        arguments = dict(METHODS[group][method])
        if group == FOLLOWED:
            arguments["retriever"] = collection_of(lab.settings.data, name)
        readers = self.readers.chosen(lab.settings)
        asks = group in ASKING or "own" in readers
        session = lab.session if asks else silent_session(lab)
        answer = session.ask(question.text, question.passages, **anyway(arguments))
        answers = {"own": answer.answer or ""} if asks else {}
        for reader in readers:
            if reader != "own" and group != "closed":
                said = lab.session.ask(
                    question.text, question.passages, **{**anyway(arguments), "answering": reader}
                )
                answers[reader] = said.answer or ""
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

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        good = counted_rows(rows)
        tables = tuple(
            _table(own, name) for name in self.sets.chosen(settings) if (own := rows_of(good, set=name))
        )
        methods = list(dict.fromkeys(row["method"] for row in good)) or [""]
        tests = paired_rows("Paired tests of all gold chosen", good, "all", each_against(methods, methods[0]))
        ranked = [ranked_finding(table, "all", "share of questions with all gold chosen") for table in tables]
        return Report(
            tables=(*tables, *tests),
            plots=table_bars("Questions with all their gold chosen", tables, "all"),
            findings=(*filter(None, ranked), difference_finding(tests, "share of questions with all gold")),
        )


def anyway(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a method with an answer to every question, where the method may withhold it.

    >>> anyway({"preset": "words"}), anyway({"method": "closed-book"})
    ({'preset': 'words', 'answer_anyway': True}, {'method': 'closed-book'})
    """
    may_withhold = arguments.get("method", "scope") in ("scope", "rag")
    return {**arguments, "answer_anyway": True} if may_withhold else dict(arguments)


@lru_cache(maxsize=2)
def collection_of(data: Path, name: str) -> Collection:
    """Return a collection of pages, indexed once for all cases."""
    return read_collection(data, name)


def _table(rows: Rows, name: str) -> Table:
    readers = [reader for reader in READERS if any(reader in row["answers"] for row in rows)]
    metrics = dict(FIGURES)
    if "own" in readers:
        metrics |= {cost: average(cost, of=_paid) for cost in COSTS}
    for reader in readers:
        metrics |= _reader_metrics(reader)
    return build_table(f"Passages chosen on {name}", "method", metrics, groups_by(rows, "method"))


def _paid(row: Row) -> bool:
    # A silent model picks at random, and the verdict model reads what it picked: that is no method's cost.
    return "error" not in row and "own" in row["answers"]


def _reader_metrics(reader: str) -> dict[str, Metric]:
    def asked(row: Row) -> bool:
        # A failed case has no answer of any reader.
        return reader in row["answers"] or "error" in row

    def pair(row: Row) -> tuple[str, str]:
        return row["answers"].get(reader, ""), row["right"]

    return {
        f"{reader}: EM": share(lambda row: exact_match(*pair(row)), of=asked),
        f"{reader}: F1": score(lambda row: answer_f1(*pair(row)), of=asked),
    }
