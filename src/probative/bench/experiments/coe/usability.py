"""Usability (table 5 of both versions): ScopeCoE against RAG, CoT-SC and Verify-and-Edit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from probative.bench.experiment import Case, Lab, Settings
from probative.bench.experiments.coe.candidates import TITLES, Candidate
from probative.bench.experiments.coe.figures import (
    MEASURES,
    published_model,
    sample_findings,
    sample_means,
    values,
)
from probative.bench.experiments.coe.irrelevant import open_collection
from probative.bench.experiments.coe.mentions import mentions
from probative.bench.experiments.coe.sample import Sample
from probative.bench.experiments.coe.study import ShareStudy
from probative.bench.findings import difference_finding
from probative.bench.judging import judge_answer
from probative.bench.metrics import answer_f1, exact_match, nearest_spelling
from probative.bench.published import COE
from probative.bench.report import Cell, Report, Table, TableRow
from probative.bench.rows import Row
from probative.bench.statistics import first_against, mean_cell, paired_table, percent_cell, score_cell
from probative.errors import ModelError
from probative.scope.result import Answer
from probative.text.sentences import split_sentences
from probative.trace import Call, Step
from probative.types import Passage
from probative.usage import total

METHODS = {"scope": "ScopeCoE", "rag": "RAG, top 5", "cot-sc": "CoT-SC", "verify-edit": "Verify-and-Edit"}
KNOWLEDGE = ("incomplete", "complete")
# Snippets that the search returns for a question, and the longest, as those of a search engine.
SNIPPETS, SNIPPET_CHARACTERS = 10, 300


class Usability(ShareStudy):
    """Accuracy, calls and pieces of each method, with knowledge incomplete and complete.

    The option `preset` names scope's preset; without it, the model's own default is used.
    """

    name = "coe-usability"
    title = "Does choosing a chain of evidence answer better than RAG, CoT-SC and Verify-and-Edit?"
    paper_reference = "table 5"
    contexts = ("CoE",)
    calls_per_case = 100.0

    def study(self, case: Case, lab: Lab, sample: Sample) -> Row:
        found = search_snippets(lab, sample.candidate)
        trials = []
        for knowledge in KNOWLEDGE:
            pieces = (
                [Passage(text=text) for text in sample.contexts["CoE"]] if knowledge == "complete" else []
            )
            passages = [*found, *pieces]
            lab.draws(case).shuffle(passages)
            for repeat in range(lab.settings.repeats):
                trials += [
                    _trial(lab, sample.candidate, passages, knowledge, method, repeat) for method in METHODS
                ]
        return {"trials": trials, "snippets": [passage.text for passage in found]}

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        judged = any(row.get("judge") for row in rows)
        tables = [
            _table([row for row in rows if row.get("set") == name], name, knowledge, settings, judged)
            for name in self.sets
            for knowledge in KNOWLEDGE
        ]
        tests = _tests(rows, self.sets, judged)
        finding = difference_finding(tests, self.figure, "sample")
        findings = (finding, *sample_findings(rows), *problem_findings(rows))
        return Report(tables=(*tables, *tests), findings=findings)


def search_snippets(lab: Lab, candidate: Candidate) -> list[Passage]:
    """Return snippets for a question from the local collection, less the gold pages that name the answer (all
    gold pages where none does): what is found cannot be complete.
    """
    naming = {
        title
        for title, piece in zip(candidate.titles, candidate.pieces, strict=True)
        if mentions(candidate.accepted, piece)
    }
    hidden = naming or set(candidate.titles)
    pages = open_collection(lab.settings.data, candidate.set)(candidate.question, SNIPPETS + len(hidden))
    return [_snippet(page) for page in pages if page.title not in hidden][:SNIPPETS]


def _snippet(page: Passage) -> Passage:
    """Return the first sentences of a page, as many as fit, at least one."""
    text = ""
    for sentence in split_sentences(page.text):
        if text and len(text) + 1 + len(sentence.text) > SNIPPET_CHARACTERS:
            break
        text = f"{text} {sentence.text}".strip()
    return Passage(text=text, title=page.title)


def _trial(
    lab: Lab, candidate: Candidate, passages: Sequence[Passage], knowledge: str, method: str, repeat: int
) -> Row:
    options: dict[str, Any] = {"answer_anyway": True} if method in ("scope", "rag") else {}
    preset = lab.settings.option("preset", None) if method == "scope" else None
    trial = {"knowledge": knowledge, "method": method, "repeat": repeat}
    try:
        result = lab.session.ask(
            candidate.question,
            passages,
            method=method,
            preset=preset,
            seed=lab.settings.seed * 1000 + repeat,
            **options,
        )
    except ModelError as error:  # counted as wrong, and shown
        return {**trial, "problem": str(error), "answer": "", "right": False, "em": 0.0, "f1": 0.0}
    answer = result.answer or ""
    gold = nearest_spelling(answer, candidate.accepted)
    judged = judge_answer(lab, candidate.question, gold, answer)
    return {
        **trial,
        "answer": answer,
        "right": judged.right,
        "em": float(exact_match(answer, gold)),
        "f1": answer_f1(answer, gold),
        "calls": language_calls(result),
        "pieces": len(result.chain),
        **({"reply": judged.raw} if judged.right is None else {}),
    }


def problem_findings(rows: Sequence[Row]) -> list[str]:
    """Return how often each method failed, with the first reason: its answer counts as wrong."""
    findings = []
    for method, title in METHODS.items():
        own = [trial for row in rows for trial in row.get("trials", ()) if trial["method"] == method]
        problems = [str(trial["problem"]).splitlines()[0] for trial in own if "problem" in trial]
        if problems:
            findings.append(
                f"{title} failed in {len(problems)} of {len(own)} trials, counted as wrong: {problems[0]}"
            )
    return findings


def language_calls(result: Answer) -> int:
    """Return the calls of language models behind an answer, whether or not a cache answered them: all calls
    without those of the encoder, the evidence policy and the verdict model.
    """
    others = total(call.usage for call in _calls(result.trace) if call.verb in ("encode", "weigh", "judge"))
    return result.usage.calls + result.usage.cached - others.calls - others.cached


def _calls(step: Step | None) -> Iterator[Call]:
    """Yield the calls of a step and of all steps inside it."""
    if step is not None:
        yield from step.calls
        for inside in step.steps:
            yield from _calls(inside)


def _tests(rows: Sequence[Row], sets: Sequence[str], judged: bool) -> tuple[Table, ...]:
    """Return paired tests of ScopeCoE against each other method."""
    accuracy = "right" if judged else "em"
    groups = {}
    for name in sets:
        own = [row for row in rows if row.get("set") == name]
        for knowledge in KNOWLEDGE:
            groups[f"{TITLES[name]}, {knowledge}"] = {
                title: sample_means(own, accuracy, knowledge=knowledge, method=method)
                for method, title in METHODS.items()
            }
    pairs = first_against(METHODS["scope"], METHODS.values())
    return paired_table("Paired tests, accuracy", pairs, groups)


def _table(rows: Sequence[Row], name: str, knowledge: str, settings: Settings, judged: bool) -> Table:
    model = published_model(settings)
    published = COE.usability[knowledge][model][name]
    accuracy = "right" if judged else "em"
    table_rows = []
    for method, title in METHODS.items():
        pieces = COE.usability_pieces[name].get(method) if knowledge == "complete" else None
        own = partial(values, rows, knowledge=knowledge, method=method)
        cells: tuple[Cell | str, ...] = (
            percent_cell(own(accuracy), published[method]),
            percent_cell(own("em")),
            score_cell(own("f1")),
            # The published calls are those beyond the base retrieval, ours are all.
            mean_cell(own("calls"), COE.usability_calls.get(method)).model_copy(update={"comparable": False}),
            mean_cell(own("pieces"), pieces),
        )
        table_rows.append(TableRow(name=title, cells=cells))
    measure = "judged" if judged else "exact match, no judge"
    return Table(
        title=f"{TITLES[name]}, knowledge {knowledge}",
        corner="method",
        columns=(f"accuracy ({measure})", MEASURES["em"], MEASURES["f1"], "calls", "pieces"),
        rows=tuple(table_rows),
        note="Calls are all those of a language model, that of the answer too; the published ones are those "
        "beyond the base retrieval. Pieces are the passages that the answer rests on.",
    )
