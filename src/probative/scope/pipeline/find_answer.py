"""Scope from question to verdict: features → judgement → cover → answer → verdict.

A chain with gaps becomes longer: with what a retriever finds, or until the reader finds an answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from probative.engine.found import tell_candidate, tell_passages
from probative.engine.methods import Method, Tools
from probative.engine.search import Search
from probative.scope.answer.compute import ComputedAnswer, compute_answer, find_plan
from probative.scope.answer.make import Evidence, make_answer
from probative.scope.answer.read import read_chain
from probative.scope.conclude.contradictions import describe, find_contradictions
from probative.scope.conclude.sources import count_sources
from probative.scope.conclude.verdict import conclude
from probative.scope.cover.chain import cover, extended_chain, lengthen
from probative.scope.extract.features import find_features
from probative.scope.finding import Chain, Contradiction, Finding, ParsedAnswer, Reading
from probative.scope.inputs import Inputs, Retriever, joined
from probative.scope.judge.judge import judge
from probative.scope.options import PRESETS, ScopeOptions, default_preset
from probative.scope.pipeline.to_result import answer_parts, to_result
from probative.scope.question import Judgements
from probative.scope.result import Computation, ScopeResult
from probative.scope.run import Run, select_candidates, start_run
from probative.text.plan import Plan
from probative.types import Verdict


def find_gaps(run: Run, chain: Chain, rows: Sequence[int]) -> Finding:
    """Return a chain with the features that these rows do not carry.

    If the policy chose the chain, the policy decides whether it is complete, and notes say where the words of
    the passages do not agree.
    """
    complete, missing = chain.is_complete(rows), chain.missing(rows)
    who = "the reader" if chain.learned is not None and chain.learned.candidates else "the evidence policy"
    if chain.learned is not None and complete and missing:
        unsaid = "; ".join(feature.partition(": ")[2] or feature for feature in missing)
        run.note(
            f"{who} takes the passages as enough, although they have no words of the question for: {unsaid}"
        )
        missing = ()
    if chain.learned is not None and not complete and not missing:
        run.note(f"{who} takes the passages as not enough, although they have the words of the question")
    indexes = tuple(run.pool.judged[row] for row in chain.rows)
    return Finding(chain, indexes, complete, missing)


def with_longer_chain(run: Run, finding: Finding, chain: Chain) -> Finding:
    """Return the finding with a longer chain of the policy; whether it is complete stays as it was."""
    indexes = tuple(run.pool.judged[row] for row in chain.rows)
    missing = () if chain.is_complete() else chain.missing()
    return replace(finding, chain=chain, indexes=indexes, missing=missing)


def with_passage_in_force(run: Run, finding: Finding, entry: Contradiction) -> Finding:
    """Return the finding without an answer, with the passage in force in the place of the one it replaces."""
    old = entry.other if entry.in_force == entry.index else entry.index
    kept = [entry.in_force if index == old else index for index in finding.indexes]
    indexes = tuple(dict.fromkeys(index for index in kept if index is not None))
    chain = replace(finding.chain, rows=tuple(run.pool.judged.index(index) for index in indexes))
    return Finding(chain, indexes, finding.complete, finding.missing)


def follow_up(run: Run, chain: Chain, retriever: Retriever | None) -> Search[Chain]:
    """Look up missing features for at most `rounds` rounds and return the last chain."""
    if retriever is None:
        return chain
    for _ in range(run.options.rounds):
        missing = chain.features_to_look_up(range(len(run.pool.judged)))
        if not missing:
            break
        if not _look_up(run, chain, missing, retriever):
            run.note("missing features were looked up; nothing new was found")
            break
        judgements = yield from judge(run, chain.judged.features, chain.judged)
        chain = yield from cover(run, judgements)
    return chain


def _look_up(run: Run, chain: Chain, missing: Sequence[str], retriever: Retriever) -> bool:
    """Look up each missing feature and return whether a new passage was found.

    A retriever that found the passages finds them again, so it is asked for that many more.
    """
    per_query = run.options.per_query
    n = len(run.pool.originals) + per_query
    queries = [
        f"{feature.text} ({run.question.text})" for feature in chain.judged.listed if feature.name in missing
    ]
    replies = [retriever(query, n) for query in queries]
    return sum(run.pool.add(passages, per_query) for passages in replies) > 0


def extend_chain(run: Run, finding: Finding) -> Search[tuple[Finding, Reading]]:
    """Let the reader read the chain of the policy; if it declines, read the whole passages instead of their
    excerpts, then longer chains up to `max_passages`.

    The finding stays as it was if no longer chain contains an answer.
    """
    reading = yield from read_chain(run, finding.indexes)
    if reading.declined and run.excerpts:
        run.excerpts.clear()
        reading = yield from read_chain(run, finding.indexes)
    longer = finding.chain.learned if run.options.extend_if_unanswered else None
    while reading.declined and longer is not None and len(longer.rows) < run.options.max_passages:
        longer = yield from lengthen(run, longer)
        if longer is None:
            break
        indexes = tuple(run.pool.judged[row] for row in longer.rows)
        more = yield from read_chain(run, indexes)
        if more.answer.text is not None:
            run.note("the reader found no answer in a shorter chain")
            chain = extended_chain(run, finding.chain.judged, longer)
            return with_longer_chain(run, finding, chain), more
    return finding, reading


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
        tell_candidate(computed.answer)
    else:
        chain = yield from cover(run, judgements)
        chain = yield from follow_up(run, chain, inputs.retriever)
        finding = find_gaps(run, chain, chain.rows)
        tell_passages("chain", run.question.text, run.pool.at(finding.indexes))
        if _may_answer(run, finding):
            finding = yield from answer_by_model(run, finding)
            tell_candidate(finding.answer.text)
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
