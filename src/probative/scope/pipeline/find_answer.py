"""Scope from question to verdict: features → judgement → cover → answer → verdict."""

from __future__ import annotations

from dataclasses import replace

from probative.engine.methods import Method
from probative.engine.search import Search
from probative.engine.tools import Tools
from probative.scope.answer.make import Evidence, make_answer
from probative.scope.compute.compute import compute_with_more
from probative.scope.compute.evidence import ComputedAnswer
from probative.scope.conclude.contradictions import describe, find_contradictions
from probative.scope.conclude.sources import count_sources
from probative.scope.conclude.verdict import conclude
from probative.scope.cover.chain import cover
from probative.scope.extract.features import find_features
from probative.scope.finding import Finding, ParsedAnswer
from probative.scope.inputs import Inputs, joined
from probative.scope.judge.judge import judge
from probative.scope.options import PRESETS, ScopeOptions, default_preset
from probative.scope.pipeline.extend_chain import (
    extend_chain,
    find_gaps,
    follow_up,
    with_passage_in_force,
    with_passages,
)
from probative.scope.pipeline.parts import answer_parts
from probative.scope.pipeline.to_result import to_result
from probative.scope.result import Computation, ScopeResult
from probative.scope.run import Run, select_candidates, start_run
from probative.text import english
from probative.types import Verdict


def find_answer(inputs: Inputs, options: ScopeOptions, tools: Tools) -> Search[ScopeResult]:
    """Return a chain that carries the question, and the answer from it.

    With a retriever, features that no passage carries are looked up and judged, for at most `rounds` rounds.
    The parts of a question that asks for two things are answered one by one.
    """
    if options.parts and isinstance(inputs.question, str):
        parts = english.question_parts(inputs.question)
        if len(parts) > 1:
            single = options.model_copy(update={"parts": False})
            return (yield from answer_parts(parts, inputs, lambda part: find_answer(part, single, tools)))
    run = start_run(inputs, options, tools)
    if inputs.retriever is not None and not run.pool.originals:
        run.pool.add(inputs.retriever(run.question.text, options.per_query))
    select_candidates(run, options.candidates)
    features = yield from find_features(run)
    judgements = yield from judge(run, features)
    chain = yield from cover(run, judgements)
    chain = yield from follow_up(run, chain, inputs.retriever)
    finding = find_gaps(run, chain, chain.rows)
    if _may_answer(run, finding):
        finding = yield from answer(run, finding)
    finding = yield from concluded(run, finding)
    finding = yield from count_sources(run, finding)
    return to_result(run, finding)


def check_knowledge(inputs: Inputs, options: ScopeOptions, tools: Tools) -> Search[ScopeResult]:
    """Return whether the passages together are a chain of evidence, and what is missing.

    If the policy takes them for complete and the tuned reader is there, they must also entail an answer.
    """
    if options.whole_knowledge:
        inputs = replace(inputs, passages=[joined(inputs.passages)])
    asks_model = options.judge != "words" or (
        options.cover in ("learned", "read") and options.answering == "read"
    )
    run = start_run(inputs, options, tools, split=asks_model)
    select_candidates(run)
    features = yield from find_features(run)
    judgements = yield from judge(run, features)
    chain = yield from cover(run, judgements)
    finding = find_gaps(run, chain, range(len(run.pool.judged)))
    finding = yield from check_answer(run, finding)
    if not finding.checks:  # then nothing was concluded
        contradictions = yield from find_contradictions(run, finding)
        finding = replace(finding, contradictions=contradictions)
    for entry in finding.contradictions:
        run.note(describe(run, entry))
    return to_result(run, finding)


def _may_answer(run: Run, finding: Finding) -> bool:
    """Return whether the options let the model answer from what was found."""
    if not finding.indexes:
        return run.options.answer_without_chain
    return finding.complete or run.has_reader or run.options.answer_anyway


def answer(run: Run, finding: Finding) -> Search[Finding]:
    """Return the finding with the computed answer, or with the model's answer and its verdict."""
    computed, more = yield from _computed(run, finding)
    if computed is not None:
        finding = with_computation(run, with_passages(run, finding, more), computed)
        if computed.answer is not None or not run.options.answer_anyway:
            return finding
    return (yield from answer_by_model(run, finding))


def _computed(run: Run, finding: Finding) -> Search[tuple[ComputedAnswer | None, tuple[int, ...]]]:
    """Return what is computed, if the options ask for it, and the passages needed besides the chain."""
    if not run.options.compare:
        return None, ()
    return (yield from compute_with_more(run, finding.indexes))


def with_computation(run: Run, finding: Finding, computed: ComputedAnswer) -> Finding:
    """Return the finding with the computed answer, or as insufficient with the values that are missing."""
    computation = Computation(rule=computed.reason, values=computed.values)
    if computed.answer is None:
        run.note(computed.reason)
        missing = (*finding.missing, *computed.missing)
        return replace(finding, complete=False, missing=missing, computation=computation)
    run.note(f"computed without the model: {computed.reason}")
    answer = ParsedAnswer(computed.answer, computed.citations)
    # A computation names every value that it needs: with all of them, nothing is missing.
    return replace(finding, answer=answer, computation=computation, computed=True, complete=True, missing=())


def answer_by_model(run: Run, finding: Finding) -> Search[Finding]:
    """Return the finding with the model's answer; a chain without an answer may be extended first."""
    inferred = [node.text for node in finding.chain.judgements.features.nodes if node.inferred]
    reading = None
    if run.options.extend_if_unanswered and finding.chain.learned is not None and run.has_reader:
        finding, reading = yield from extend_chain(run, finding)
    completeness = None if finding.chain.missing() else finding.completeness
    reading = yield from make_answer(run, Evidence(finding.indexes, inferred, completeness, reading))
    return replace(finding, answer=reading.answer, answerable=reading.answerable, reading=reading)


def concluded(run: Run, finding: Finding) -> Search[Finding]:
    """Return the finding with its verdict. An answer that was replaced is read again from the passage in
    force; both are shown.
    """
    finding = yield from conclude(run, finding)
    entry = next(
        (entry for entry in finding.contradictions if entry.blocking and entry.in_force is not None), None
    )
    if entry is None or entry.in_force is None or finding.computed:
        return finding
    later = yield from answer_by_model(run, with_passage_in_force(run, finding, entry))
    later = yield from conclude(run, later)
    if later.answer.text is None or any(other.blocking for other in later.contradictions):
        return finding
    shown = {frozenset((other.index, other.other)) for other in later.contradictions}
    if frozenset((entry.index, entry.other)) in shown:
        return later
    return replace(later, contradictions=(*later.contradictions, replace(entry, blocking=False)))


def check_answer(run: Run, finding: Finding) -> Search[Finding]:
    """Return the finding of a check: with the tuned reader, knowledge without an answer is incomplete."""
    if finding.complete and finding.chain.learned is not None and run.has_reader:
        finding = yield from answer(run, finding)
        finding = yield from concluded(run, finding)
        finding = yield from count_sources(run, finding)
        return replace(finding, complete=finding.verdict is Verdict.SUPPORTED)
    computed, _ = yield from _computed(run, finding)
    if computed is not None and computed.answer is None:
        run.note(computed.reason)
        return replace(finding, complete=False, missing=(*finding.missing, *computed.missing))
    return finding


def by_scope(inputs: Inputs, tools: Tools, seed: int, options: ScopeOptions) -> Search[ScopeResult]:
    """Return the answer from a chain of evidence; nothing is drawn at random."""
    return find_answer(inputs, options, tools)


SCOPE = Method(
    by_scope,
    ScopeOptions,
    PRESETS,
    lambda model, reader: default_preset(model, reader=reader),
    takes_retriever=True,
)
