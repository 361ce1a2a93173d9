"""Scope from question to verdict: features → judgement → cover → answer → verdict."""

from __future__ import annotations

from dataclasses import replace

from probative.engine.methods import Method
from probative.engine.search import Search
from probative.engine.tools import Tools
from probative.scope.answer.make import Evidence, make_answer
from probative.scope.compute.compute import ComputedAnswer, compute_answer
from probative.scope.compute.find_plan import find_plan
from probative.scope.conclude.contradictions import describe, find_contradictions
from probative.scope.conclude.sources import count_sources
from probative.scope.conclude.verdict import conclude
from probative.scope.cover.chain import cover
from probative.scope.extract.features import find_features
from probative.scope.features import Judgements
from probative.scope.finding import Chain, Contradiction, Finding, ParsedAnswer
from probative.scope.inputs import Inputs, Retriever, joined
from probative.scope.judge.judge import judge
from probative.scope.options import PRESETS, ScopeOptions, default_preset
from probative.scope.pipeline.extend_chain import (
    extend_chain,
    find_gaps,
    follow_up,
    with_passage_in_force,
)
from probative.scope.pipeline.parts import answer_parts
from probative.scope.pipeline.to_result import to_result
from probative.scope.result import Computation, ScopeResult
from probative.scope.run import Run, select_candidates, start_run
from probative.text.plan import Plan
from probative.types import Verdict

# Versions of a statement that are read one after the other.
MAX_VERSIONS = 4


def find_answer(inputs: Inputs, options: ScopeOptions, tools: Tools) -> Search[ScopeResult]:
    """Return a chain that carries the question, and the answer from it.

    A question that needs several values is answered by its plan, from the passages of these values; if it
    asks for two things, each is answered by itself. For every other question, features that no passage
    carries are looked up with a retriever and judged, for at most `rounds` rounds.
    """
    run = start_run(inputs, options, tools)
    plan = yield from find_plan(run)
    if plan is not None and plan.parts:
        single = options.model_copy(update={"parts": False})
        return (yield from answer_parts(plan.parts, inputs, lambda part: find_answer(part, single, tools)))
    if inputs.retriever is not None:
        _retrieve(run, inputs.retriever, plan)
    select_candidates(run, options.candidates)
    computed = None if plan is None else (yield from compute_answer(run, plan))
    features = yield from find_features(run)
    judgements = yield from judge(run, features)
    if computed is not None and computed.answer is not None:
        finding = _computed(run, judgements, computed)
    else:
        chain = yield from cover(run, judgements)
        chain = yield from follow_up(run, chain, inputs.retriever)
        finding = find_gaps(run, chain, chain.rows)
        if _may_answer(run, finding):
            finding = yield from answer_by_model(run, finding)
        finding = _with_missing(run, finding, computed)
    finding = yield from concluded(run, finding)
    finding = yield from count_sources(run, finding)
    return to_result(run, finding)


def _retrieve(run: Run, retriever: Retriever, plan: Plan | None) -> None:
    """Look up the question if no passage was given, and each step of its plan that needs no other."""
    if not run.pool.originals:
        run.pool.add(retriever(run.question.text, run.options.per_query))
    n = len(run.pool.originals) + run.options.per_query
    for step in () if plan is None else plan.look_ups:
        if not step.needs:
            run.pool.add(retriever(step.ask or "", n), run.options.per_query)


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
    plan = yield from find_plan(run)
    select_candidates(run)
    computed = None if plan is None or plan.parts else (yield from compute_answer(run, plan))
    features = yield from find_features(run)
    judgements = yield from judge(run, features)
    chain = yield from cover(run, judgements)
    finding = find_gaps(run, chain, range(len(run.pool.judged)))
    finding = yield from check_answer(run, finding, computed)
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


def _computed(run: Run, judgements: Judgements, computed: ComputedAnswer) -> Finding:
    """Return the finding of a computed answer: its chain is the passages of its values."""
    rows = tuple(run.pool.judged.index(index) for index in computed.citations)
    finding = find_gaps(run, Chain(rows, judgements, judgements), rows)
    run.note(f"computed without the model: {computed.reason}")
    # A computation names every value that it needs: with all of them, nothing is missing.
    return replace(
        finding,
        answer=ParsedAnswer(computed.answer, computed.citations),
        computation=Computation(rule=computed.reason, values=computed.values),
        computed=True,
        complete=True,
        missing=(),
    )


def _with_missing(run: Run, finding: Finding, computed: ComputedAnswer | None) -> Finding:
    """Return the finding as insufficient, with the values that the plan does not find."""
    if computed is None or computed.answer is not None:
        return finding
    run.note(computed.reason)
    missing = (*finding.missing, *computed.missing)
    computation = Computation(rule=computed.reason, values=computed.values)
    return replace(finding, complete=False, missing=missing, computation=computation)


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
    force, version after version; all are shown.
    """
    finding = yield from conclude(run, finding)
    later, replaced = finding, list[Contradiction]()
    while len(replaced) < MAX_VERSIONS and (entry := _replacement(later)) is not None:
        replaced.append(replace(entry, blocking=False))
        later = yield from answer_by_model(run, with_passage_in_force(run, later, entry))
        later = yield from conclude(run, later)
    if not replaced or later.answer.text is None or later.is_disputed:
        return finding
    shown = {frozenset((entry.index, entry.other)) for entry in later.contradictions}
    more = [entry for entry in replaced if frozenset((entry.index, entry.other)) not in shown]
    return replace(later, contradictions=(*later.contradictions, *more))


def _replacement(finding: Finding) -> Contradiction | None:
    """Return the contradiction that replaces the answer that was read; None if there is none."""
    if finding.computed:
        return None
    entries = (entry for entry in finding.contradictions if entry.blocking and entry.in_force is not None)
    return next(entries, None)


def check_answer(run: Run, finding: Finding, computed: ComputedAnswer | None) -> Search[Finding]:
    """Return the finding of a check: with the tuned reader, knowledge without an answer is incomplete, and
    so it is without a value that the plan needs.
    """
    finding = _with_missing(run, finding, computed)
    if finding.complete and finding.chain.learned is not None and run.has_reader:
        if computed is not None and computed.answer is not None:
            finding = _computed(run, finding.chain.judgements, computed)
        else:
            finding = yield from answer_by_model(run, finding)
        finding = yield from concluded(run, finding)
        finding = yield from count_sources(run, finding)
        return replace(finding, complete=finding.verdict is Verdict.SUPPORTED)
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
