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
from typing import Any

from probative.bench.data.drawing import draw
from probative.bench.data.multihop import COLLECTIONS, Collection, read_collection, read_questions
from probative.bench.experiment import Case, Experiment, Lab, Settings
from probative.bench.experiments.ours.bars import table_bars
from probative.bench.experiments.ours.chain_methods import ASKING, FOLLOWED, METHODS
from probative.bench.experiments.ours.named_options import check_known, chosen_names, is_on
from probative.bench.experiments.ours.silence import silent_session
from probative.bench.findings import difference_finding, ranked_finding
from probative.bench.metrics import answer_f1, exact_match
from probative.bench.report import Cell, Report, Table, TableRow
from probative.bench.rows import Row, counted_rows, finished_rows
from probative.bench.significance import each_against, paired_table
from probative.bench.splits import MULTIHOP_FILES
from probative.bench.statistics import mean_cell, percent_cell, score_cell

# Questions of each set, unless --limit says otherwise.
QUESTIONS = 200
DEFAULT = ("rag", "words", "learned")
SETS = (*MULTIHOP_FILES, *COLLECTIONS)
# Who answers: the method by itself, or the model from the chain, picking a name or writing.
READERS = ("own", "picked", "written")
FIGURES = ("gold", "all", "pieces", "complete")
COSTS = ("calls", "tokens")


class Chains(Experiment):
    """Chooses passages for each question with each method.

    Options, with commas between names: `sets`, also `2wiki-corpus` and `2wiki-open`; `methods`, groups of
    methods; `answers` (own, picked, written), also have the studied model answer. Without `answers`, methods
    that need no language model before the answer do without one. `tuning=true` takes the questions that
    settings were tuned on.
    """

    name = "chains"
    title = "Which method chooses the passages that answer a multi-hop question?"
    paper = "ours"
    shown_as = "results, chains"
    limit_of = "questions of each set, each of which is a case with every method"
    data = tuple(MULTIHOP_FILES)
    calls_per_case = 20.0

    def data_of(self, settings: Settings) -> tuple[str, ...]:
        names: list[str] = []
        for name in sets_of(settings):
            names += ["2wikimultihopqa", "2wiki-corpus"] if name in COLLECTIONS else [name]
        return tuple(dict.fromkeys(names))

    def cases(self, settings: Settings) -> list[Case]:
        """Return `limit` questions of each set (200 without a limit) for each method."""
        check_known(settings, ("sets", "methods", "answers", "tuning"))
        readers_of(settings)
        cases = []
        for name in sets_of(settings):
            questions = read_questions(settings.data, name, tuning=is_on(settings, "tuning"))
            cases += [
                Case(f"{name}/{method}/{question.id}", (name, group, method, question))
                for question in draw(questions, settings.limit or QUESTIONS, settings.seed)
                for group in groups_of(settings)
                for method in METHODS[group]
                if group != FOLLOWED or name in COLLECTIONS
            ]
        return cases

    def run(self, case: Case, lab: Lab) -> Row:
        name, group, method, question = case.content
        arguments = dict(METHODS[group][method])
        if group == FOLLOWED:
            arguments["retriever"] = collection_of(lab.settings.data, name)
        readers = readers_of(lab.settings)
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
            "set": name,
            "method": method,
            "question": question.id,
            "right": question.answer,
            "gold": len(question.wanted & chosen) / len(question.wanted),
            "all": float(question.wanted <= chosen),
            "pieces": len(answer.chain),
            "complete": float(answer.complete),
            "calls": answer.usage.calls,
            "tokens": answer.usage.tokens,
            "answers": answers,
        }

    def wrong(self, case: Case) -> Row:
        name, _, method, question = case.content
        return {
            "set": name,
            "method": method,
            "question": question.id,
            "right": question.answer,
            "gold": 0.0,
            "all": 0.0,
            "pieces": 0,
            "complete": 0.0,
            "answers": {},
        }

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        good = counted_rows(rows)
        tables = tuple(
            _table(own, name)
            for name in sets_of(settings)
            if (own := [row for row in good if row["set"] == name])
        )
        tests = _tests(good)
        ranked = [ranked_finding(table, "all", "share of questions with all gold chosen") for table in tables]
        return Report(
            tables=(*tables, *tests),
            plots=table_bars("Questions with all their gold chosen", tables, "all"),
            findings=(*filter(None, ranked), difference_finding(tests, "share of questions with all gold")),
        )


def sets_of(settings: Settings) -> tuple[str, ...]:
    """Return the sets of the option `sets`, or those with their own passages."""
    return chosen_names(settings, "sets", tuple(MULTIHOP_FILES), SETS)


def groups_of(settings: Settings) -> tuple[str, ...]:
    """Return the groups of methods of the option `methods`."""
    return chosen_names(settings, "methods", DEFAULT, tuple(METHODS))


def readers_of(settings: Settings) -> tuple[str, ...]:
    """Return the readers of the option `answers`."""
    return chosen_names(settings, "answers", (), READERS)


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


def _table(rows: Sequence[Row], name: str) -> Table:
    readers = [reader for reader in READERS if any(reader in row["answers"] for row in rows)]
    columns = [f"{reader}: {metric}" for reader in readers for metric in ("EM", "F1")]
    costs = COSTS if "own" in readers else ()
    methods = dict.fromkeys(row["method"] for row in rows)
    return Table(
        title=f"Passages chosen on {name}",
        corner="method",
        columns=(*FIGURES, *costs, *columns),
        rows=tuple(
            TableRow(
                name=method, cells=_cells([row for row in rows if row["method"] == method], costs, readers)
            )
            for method in methods
        ),
    )


def _cells(rows: Sequence[Row], costs: Sequence[str], readers: Sequence[str]) -> tuple[Cell, ...]:
    cells = [
        mean_cell([row[figure] for row in rows])
        if figure == "pieces"
        else percent_cell([row[figure] for row in rows])
        for figure in FIGURES
    ]
    # A silent model picks at random, and the verdict model reads what it picked: that is no method's cost.
    paid = [row for row in finished_rows(rows) if "own" in row["answers"]]
    cells += [mean_cell([row[cost] for row in paid]) for cost in costs]
    for reader in readers:
        # A failed case has no answer of any reader.
        asked = [row for row in rows if reader in row["answers"] or "error" in row]
        pairs = [(row["answers"].get(reader, ""), row["right"]) for row in asked]
        cells.append(percent_cell([float(exact_match(*pair)) for pair in pairs]))
        cells.append(score_cell([answer_f1(*pair) for pair in pairs]))
    return tuple(cells)


def _tests(rows: Sequence[Row]) -> tuple[Table, ...]:
    """Return paired tests of each method against the first one, on whether all gold was chosen."""
    methods = list(dict.fromkeys(row["method"] for row in rows)) or [""]
    groups: dict[str, dict[str, dict[str, float]]] = {}
    for row in rows:
        by_method = groups.setdefault(row["set"], {method: {} for method in methods})
        by_method[row["method"]][row["question"]] = row["all"]
    return paired_table("Paired tests of all gold chosen", each_against(methods, methods[0]), groups)
