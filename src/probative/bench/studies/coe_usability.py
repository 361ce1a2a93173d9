"""Usability (table 5 of both versions): ScopeCoE against RAG, CoT-SC and Verify-and-Edit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

from probative.bench.families.coe.candidates import TITLES, Candidate, mentions, open_collection
from probative.bench.families.coe.sample import Sample
from probative.bench.families.coe.study import (
    ContextStudy,
    is_judged,
    published_model,
    sample_findings,
    sample_means,
)
from probative.bench.families.coe.trials import extra_calls, judged_figures
from probative.bench.findings import difference_finding, problem_findings
from probative.bench.published import COE
from probative.bench.report import Cell, Report
from probative.bench.rows import Row, rows_of
from probative.bench.statistics import first_against, mean_cell, paired_table, percent_cell, score_cell
from probative.bench.study import Case, Lab, Settings
from probative.bench.tables import Metric, Published, build_table
from probative.errors import ModelError
from probative.scope.options import PRESETS, default_preset
from probative.text.sentences import split_sentences
from probative.types import Passage

METHODS = {"scope": "ScopeCoE", "rag": "RAG, top 5", "cot-sc": "CoT-SC", "verify-edit": "Verify-and-Edit"}
KNOWLEDGE = ("incomplete", "complete")
# Snippets that the search returns for a question, and the longest, as those of a search engine.
SNIPPETS, SNIPPET_CHARACTERS = 10, 300
NOTE = (
    "Every method has to answer every question. Calls are those of a language model beyond retrieving and "
    "answering, as in the paper, which counts 2 for ScopeCoE and at least 2 for Verify-and-Edit; the prompts "
    "that it prints need one for each feature and snippet. Pieces are the passages that the answer rests on. "
    "Without a chain: questions whose passages do not carry every feature (finding 8)."
)


def _mean_of(measure: str, cell: Callable[[Sequence[float]], Cell]) -> Metric:
    return lambda rows: cell(list(sample_means(rows, measure).values()))


METRICS = {
    "exact match": _mean_of("em", percent_cell),
    "F1": _mean_of("f1", score_cell),
    "calls beyond retrieval": _mean_of("calls", mean_cell),
    "pieces": _mean_of("pieces", mean_cell),
    "without a chain": _mean_of("without_chain", percent_cell),
}


class CoeUsability(ContextStudy):
    """Accuracy, calls and pieces of each method, with knowledge incomplete and complete.

    The option `preset` names scope's preset; without it, see `preset_of`. All methods answer under one
    rule: no prompt for an answer offers "unknown", and a model that says so is asked once more without texts.
    """

    name = "coe-usability"
    title = "Does choosing a chain of evidence answer better than RAG, CoT-SC and Verify-and-Edit?"
    paper_reference = "table 5"
    contexts = ("CoE",)
    calls_per_case = 100.0

    def shipped_models(self, settings: Settings) -> frozenset[str]:
        return frozenset({"policy", "verdict"})

    def trials(self, case: Case, lab: Lab, sample: Sample) -> Row:
        snippets = search_snippets(lab, sample.candidate)
        trials = []
        for knowledge in KNOWLEDGE:
            pieces = sample.contexts["CoE"] if knowledge == "complete" else ()
            passages = [*snippets, *(Passage(text=text) for text in pieces)]
            lab.draws(case).shuffle(passages)
            trials += [
                {"knowledge": knowledge, **_trial(lab, sample.candidate, passages, method, repeat)}
                for repeat in range(lab.settings.repeats)
                for method in METHODS
            ]
        return {"trials": trials, "snippets": [passage.text for passage in snippets]}

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        judged, model = is_judged(rows), published_model(settings)
        accuracy, measure = ("right", "judged") if judged else ("em", "exact match, no judge")
        metrics = {f"accuracy ({measure})": _mean_of(accuracy, percent_cell), **METRICS}
        tables, tested = [], {}
        for name, knowledge in product(self.drawn_from, KNOWLEDGE):
            groups = {
                title: [
                    {**row, "trials": rows_of(row.get("trials", ()), knowledge=knowledge, method=method)}
                    for row in rows_of(rows, set=name)
                ]
                for method, title in METHODS.items()
            }
            title = f"{TITLES[name]}, knowledge {knowledge}"
            published = _published(name, knowledge, model)
            tables.append(build_table(title, "method", metrics, groups.items(), NOTE, published))
            tested[f"{TITLES[name]}, {knowledge}"] = {
                title: sample_means(group, accuracy) for title, group in groups.items()
            }
        pairs = first_against(METHODS["scope"], METHODS.values())
        tests = paired_table("Paired tests, accuracy", pairs, tested)
        finding = difference_finding(tests, self.figure, "sample")
        findings = (finding, *sample_findings(rows), *problem_findings(rows, METHODS))
        return Report(tables=(*tables, *tests), findings=findings)


def _published(name: str, knowledge: str, model: str) -> Published:
    """Return the published figures of each method, in the order of the columns."""
    accuracies = COE.usability[knowledge][model][name]
    pieces = COE.usability_pieces[name] if knowledge == "complete" else {}
    return {
        title: (
            accuracies[method],
            None,
            None,
            COE.usability_calls.get(method),
            pieces.get(method),
            COE.usability_without_chain.get(knowledge) if method == "scope" else None,
        )
        for method, title in METHODS.items()
    }


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


def _trial(lab: Lab, candidate: Candidate, passages: Sequence[Passage], method: str, repeat: int) -> Row:
    trial = {"method": method, "repeat": repeat}
    try:
        result = lab.session.ask(
            candidate.question,
            passages,
            method=method,
            seed=lab.settings.seed * 1000 + repeat,
            **arguments(method, preset_of(lab)),
        )
    except ModelError as error:  # counted as wrong, and shown
        return {**trial, "problem": str(error), "answer": "", "right": False, "em": 0.0, "f1": 0.0}
    figures = judged_figures(lab, candidate.question, candidate.accepted, result.answer or "")
    if method == "scope":  # the baselines know of no features
        figures["without_chain"] = float(not result.chain or bool(result.missing))
    return {**trial, **figures, "calls": extra_calls(result), "pieces": len(result.chain)}


def preset_of(lab: Lab) -> str:
    """Return the preset of scope: the paper's, or for a tuned reader, which cannot write features as the
    paper's prompts want them, its own.
    """
    default = default_preset(lab.model.name, reader=True) if lab.model.reader else "paper"
    return str(lab.settings.option("preset", default))


def arguments(method: str, preset: str) -> dict[str, Any]:
    """Return the arguments of `ask` that make a method answer every question, as scope does by its preset.

    >>> arguments("rag", "paper"), arguments("cot-sc", "paper")
    ({'answering': 'written', 'answer_anyway': True}, {})
    """
    if method == "scope":
        return {"preset": preset, "answer_anyway": True, "answer_without_chain": True}
    return {"answering": PRESETS[preset].answering, "answer_anyway": True} if method == "rag" else {}
