"""Usability (table 5 of both versions): ScopeCoE against RAG, CoT-SC and Verify-and-Edit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from probative.bench.families.coe.candidates import TITLES, Candidate, open_collection
from probative.bench.families.coe.mentions import mentions
from probative.bench.families.coe.sample import Sample
from probative.bench.families.coe.study import ContextStudy, published_model
from probative.bench.families.coe.tables import is_judged, sample_findings, sample_means
from probative.bench.families.coe.trials import judged_figures
from probative.bench.findings import difference_finding
from probative.bench.published import COE
from probative.bench.report import Cell, Report, Table
from probative.bench.rows import Row
from probative.bench.statistics import first_against, mean_cell, paired_table, percent_cell, score_cell
from probative.bench.study import Case, Lab, Settings
from probative.bench.tables import build_table, rows_of
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
NOTE = (
    "Calls are all those of a language model, that of the answer too; the published ones are those beyond "
    "the base retrieval. Pieces are the passages that the answer rests on."
)
Groups = Mapping[str, Sequence[Row]]
"""Rows by method, each with the trials of the method."""


class CoeUsability(ContextStudy):
    """Accuracy, calls and pieces of each method, with knowledge incomplete and complete.

    The option `preset` names scope's preset; without it, the model's own default is used.
    """

    name = "coe-usability"
    title = "Does choosing a chain of evidence answer better than RAG, CoT-SC and Verify-and-Edit?"
    paper_reference = "table 5"
    contexts = ("CoE",)
    calls_per_case = 100.0

    def trials(self, case: Case, lab: Lab, sample: Sample) -> Row:
        found = search_snippets(lab, sample.candidate)
        trials = []
        for knowledge in KNOWLEDGE:
            pieces = sample.contexts["CoE"] if knowledge == "complete" else ()
            passages = [*found, *(Passage(text=text) for text in pieces)]
            lab.draws(case).shuffle(passages)
            trials += [
                {"knowledge": knowledge, **_trial(lab, sample.candidate, passages, method, repeat)}
                for repeat in range(lab.settings.repeats)
                for method in METHODS
            ]
        return {"trials": trials, "snippets": [passage.text for passage in found]}

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        judged, model = is_judged(rows), published_model(settings)
        scenarios = {
            (name, knowledge): {
                title: [
                    {**row, "trials": rows_of(row.get("trials", ()), knowledge=knowledge, method=method)}
                    for row in rows_of(rows, set=name)
                ]
                for method, title in METHODS.items()
            }
            for name in self.drawn_from
            for knowledge in KNOWLEDGE
        }
        tables = [_table(groups, *scenario, model, judged) for scenario, groups in scenarios.items()]
        accuracy = "right" if judged else "em"
        tests = paired_table(
            "Paired tests, accuracy",
            first_against(METHODS["scope"], METHODS.values()),
            {
                f"{TITLES[name]}, {knowledge}": {
                    title: sample_means(own, accuracy) for title, own in groups.items()
                }
                for (name, knowledge), groups in scenarios.items()
            },
        )
        finding = difference_finding(tests, self.figure, "sample")
        findings = (finding, *sample_findings(rows), *_problems(rows))
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


def _trial(lab: Lab, candidate: Candidate, passages: Sequence[Passage], method: str, repeat: int) -> Row:
    options: dict[str, Any] = {"answer_anyway": True} if method in ("scope", "rag") else {}
    trial = {"method": method, "repeat": repeat}
    try:
        result = lab.session.ask(
            candidate.question,
            passages,
            method=method,
            preset=lab.settings.option("preset", None) if method == "scope" else None,
            seed=lab.settings.seed * 1000 + repeat,
            **options,
        )
    except ModelError as error:  # counted as wrong, and shown
        return {**trial, "problem": str(error), "answer": "", "right": False, "em": 0.0, "f1": 0.0}
    figures = judged_figures(lab, candidate.question, candidate.accepted, result.answer or "")
    return {**trial, **figures, "calls": language_calls(result), "pieces": len(result.chain)}


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


def _problems(rows: Sequence[Row]) -> Iterator[str]:
    """Yield how often each method failed, with the first reason: its answer counts as wrong."""
    for method, title in METHODS.items():
        own = [trial for row in rows for trial in rows_of(row.get("trials", ()), method=method)]
        problems = [str(trial["problem"]).splitlines()[0] for trial in own if "problem" in trial]
        if problems:
            yield f"{title} failed in {len(problems)} of {len(own)} trials, counted as wrong: {problems[0]}"


def _table(groups: Groups, name: str, knowledge: str, model: str, judged: bool) -> Table:
    """Return the figures of each method, with a data set and a kind of knowledge."""

    def calls(rows: Sequence[Row]) -> Cell:
        # The published calls are those beyond the base retrieval, ours are all.
        return mean_cell(_values(rows, "calls")).model_copy(update={"comparable": False})

    accuracy, measure = ("right", "judged") if judged else ("em", "exact match, no judge")
    pieces = COE.usability_pieces[name] if knowledge == "complete" else {}
    return build_table(
        f"{TITLES[name]}, knowledge {knowledge}",
        "method",
        {
            f"accuracy ({measure})": lambda rows: percent_cell(_values(rows, accuracy)),
            "exact match": lambda rows: percent_cell(_values(rows, "em")),
            "F1": lambda rows: score_cell(_values(rows, "f1")),
            "calls": calls,
            "pieces": lambda rows: mean_cell(_values(rows, "pieces")),
        },
        groups.items(),
        NOTE,
        {
            title: (
                COE.usability[knowledge][model][name][method],
                None,
                None,
                COE.usability_calls.get(method),
                pieces.get(method),
            )
            for method, title in METHODS.items()
        },
    )


def _values(rows: Sequence[Row], measure: str) -> list[float]:
    return list(sample_means(rows, measure).values())
