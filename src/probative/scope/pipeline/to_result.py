"""A finding as the result that a caller gets, with the passages as the caller counts them.

A plan that only asks several things gives one result: each part is a question of its own, with a chain,
checks and a certainty, and may need a plan of its own. The verdict is supported only if every part is;
otherwise the result names the part that is missing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import TypeVar

from probative.engine.search import Search
from probative.scope.finding import Contradiction, Finding
from probative.scope.inputs import Inputs
from probative.scope.question import Features
from probative.scope.result import (
    ChainPassage,
    CitedSentence,
    Computation,
    Conflict,
    Level,
    PassageJudgement,
    ScopeResult,
)
from probative.scope.run import Run
from probative.scope.sentences import PassageSentence, passage_sentences
from probative.text.words import words
from probative.types import Verdict

Item = TypeVar("Item")
JOINED = "; "
"""Stands between the answers of the parts."""


def answer_parts(
    parts: Sequence[str], inputs: Inputs, find: Callable[[Inputs], Search[ScopeResult]]
) -> Search[ScopeResult]:
    """Answer each part over the same passages, a part that needs the answer before it with that answer."""
    results: list[ScopeResult] = []
    asked: list[str] = []
    for part in parts:
        before = results[-1] if results else None
        if before is not None and len(before.passages) != len(inputs.passages):
            inputs = replace(inputs, passages=before.passages, vectors=None)
        name = "" if before is None else before.answer or before.candidate or "it"
        asked.append(part.replace("#1", name))
        results.append((yield from find(replace(inputs, question=asked[-1]))))
    return joined_parts(asked, results)


def joined_parts(parts: Sequence[str], results: Sequence[ScopeResult]) -> ScopeResult:
    """Return the results of the parts as one; the checks are those of the part that is least sure, and the
    level is that of the part that can be trusted least.
    """
    by_part = zip(parts, results, strict=True)
    open_parts = [(part, result) for part, result in by_part if result.verdict is not Verdict.SUPPORTED]
    disputed = any(result.verdict is Verdict.CONTRADICTED for result in results)
    unsupported = Verdict.CONTRADICTED if disputed else Verdict.INSUFFICIENT
    answers = [result.answer for result in results if result.answer is not None]
    whole = JOINED.join(answers) if len(answers) == len(results) else None
    candidates = [
        result.answer or result.candidate for result in results if result.level is not Level.NOT_FOUND
    ]
    certainties = [result.certainty for result in results if result.certainty is not None]
    doubtful = min(results, key=lambda result: (result.verdict is Verdict.SUPPORTED, result.certainty or 0.0))
    return replace(
        results[-1],
        verdict=unsupported if open_parts else Verdict.SUPPORTED,
        complete=not open_parts or (disputed and all(result.complete for result in results)),
        answer=whole,
        candidate=None if whole is not None else JOINED.join(filter(None, candidates)) or None,
        reason=JOINED.join(f"{part}: {result.reason}" for part, result in open_parts) or None,
        probable=all(result.level in (Level.SUPPORTED, Level.PROBABLE) for result in results),
        certainty=math.prod(certainties) if len(certainties) == len(results) else None,
        missing=tuple(f"part: {part}" for part, _ in open_parts),
        checks=doubtful.checks,
        signals=None,
        completeness=None,
        answerable=None,
        features=_features([result.features for result in results if result.features is not None]),
        citations=_once(index for result in results for index in result.citations),
        chain=_by_index(entry for result in results for entry in result.chain),
        cited=_once(entry for result in results for entry in result.cited),
        leading=_once(entry for result in results for entry in result.leading),
        conflicts=_once(entry for result in results for entry in result.conflicts),
        computation=next((result.computation for result in results if result.computation is not None), None),
        robustness=min(
            (result.robustness for result in results if result.robustness is not None),
            key=lambda counts: (counts.needed, counts.sources),
            default=None,
        ),
        notes=_once(note for result in results for note in result.notes),
    )


def _once(items: Iterable[Item]) -> tuple[Item, ...]:
    return tuple(dict.fromkeys(items))


def _by_index(chain: Iterable[ChainPassage]) -> tuple[ChainPassage, ...]:
    """Return each passage once, with the features that it carries for any part."""
    passages: dict[int, ChainPassage] = {}
    for entry in chain:
        before = passages.get(entry.index, entry)
        carries = _once((*before.carries, *entry.carries))
        passages[entry.index] = before.model_copy(update={"carries": carries})
    return tuple(passages.values())


def _features(parts: Sequence[Features]) -> Features | None:
    if not parts:
        return None
    return Features(
        intent=" and ".join(_once(part.intent for part in parts)),
        nodes=_once(node for part in parts for node in part.nodes),
        relations=_once(relation for part in parts for relation in part.relations),
    )


def to_result(run: Run, finding: Finding) -> ScopeResult:
    """Return the result: an answer that is not supported is a candidate, unless it is to be given anyway."""
    pool = run.pool
    text = finding.answer.text
    given = finding.verdict is Verdict.SUPPORTED or run.options.answer_anyway
    chain = _chain_passages(run, finding)
    cited = _cited_sentences(run, finding)
    return ScopeResult(
        passages=tuple(pool.originals),
        verdict=finding.verdict,
        complete=finding.complete,
        answer=text if given else None,
        candidate=None if given and text is not None else finding.candidate,
        reason=finding.reason,
        checks=finding.checks,
        certainty=None if finding.support is None else finding.support.certainty,
        probable=finding.probable,
        signals=None if finding.support is None else finding.support.signals,
        citations=tuple(dict.fromkeys(pool.origins[index] for index in _citations(finding))),
        cited=cited,
        leading=_bridge_sentences(run, finding, chain, cited),
        chain=chain,
        features=finding.chain.judgements.features,
        judgements=_passage_judgements(run, finding),
        missing=finding.missing,
        conflicts=tuple(_conflict(run, entry) for entry in finding.contradictions),
        computation=_computation(run, finding),
        robustness=finding.robustness,
        completeness=finding.completeness,
        answerable=finding.answerable,
        notes=tuple(run.notes),
    )


def _citations(finding: Finding) -> Sequence[int]:
    """Return the passages of the answer; of a candidate that the reader declined, those that hold it."""
    if finding.answer.text is not None or finding.support is None:
        return finding.answer.citations
    return [finding.support.sentences[row].index for row in finding.support.holding]


def _conflict(run: Run, entry: Contradiction) -> Conflict:
    return Conflict(
        index=run.pool.origins[entry.index],
        other=run.pool.origins[entry.other],
        says=entry.says,
        instead=entry.instead,
        text=entry.text,
        other_text=entry.other_text,
        blocking=entry.blocking,
        kind="contradicted" if entry.in_force is None else "replaced",
        in_force=None if entry.in_force is None else run.pool.origins[entry.in_force],
        reason=entry.reason,
    )


def _cited_sentences(run: Run, finding: Finding) -> tuple[CitedSentence, ...]:
    """Return the sentences that hold the answer and those that decide, in the order of the chain."""
    if finding.support is None:
        return ()
    holding, deciding = finding.support.holding, finding.support.deciding
    cited = ((row, finding.support.sentences[row]) for row in sorted({*holding, *deciding}))
    return tuple(
        CitedSentence(
            index=run.pool.origins[sentence.index],
            text=sentence.text,
            start=sentence.start,
            end=sentence.end,
            holds_answer=row in holding,
            deciding=row in deciding,
        )
        for row, sentence in cited
    )


def _bridge_sentences(
    run: Run, finding: Finding, chain: Sequence[ChainPassage], cited: Sequence[CitedSentence]
) -> tuple[CitedSentence, ...]:
    """Return what the rest of the chain adds to the passages that the answer rests on."""
    indexes = {sentence.index for sentence in cited}
    indexes.update(run.pool.origins[index] for index in finding.answer.citations)
    return bridge_sentences(chain, indexes, [passage_sentences(run, [index]) for index in finding.indexes])


def _computation(run: Run, finding: Finding) -> Computation | None:
    """Return the computation with the caller's indexes, and how surely each value is stated."""
    computation = finding.computation
    if computation is None:
        return None
    entailed = finding.support.values if finding.support is not None else ()
    values = (
        value.model_copy(
            update={
                "index": None if value.index is None else run.pool.origins[value.index],
                "entailed": stated,
            }
        )
        for value, stated in zip_longest(computation.values, entailed)
    )
    return computation.model_copy(update={"values": tuple(values)})


def _chain_passages(run: Run, finding: Finding) -> tuple[ChainPassage, ...]:
    learned = finding.chain.learned
    probabilities = {} if learned is None else dict(zip(learned.rows, learned.probabilities, strict=True))
    shown = {"id", "title", "source", "text", "start", "end"}
    return tuple(
        ChainPassage(
            index=run.pool.origins[index],
            carries=finding.chain.judgements.names(row),
            probability=probabilities.get(row),
            **run.pool.passages[index].model_dump(include=shown),
        )
        for row, index in zip(finding.chain.rows, finding.indexes, strict=True)
    )


def _passage_judgements(run: Run, finding: Finding) -> tuple[PassageJudgement, ...]:
    """Return the judgement of each original passage; the parts of a split passage count together."""
    judgements = finding.chain.judgements
    rows_of: dict[int, list[int]] = {}
    for row, index in enumerate(run.pool.judged):
        rows_of.setdefault(run.pool.origins[index], []).append(row)
    return tuple(
        PassageJudgement(
            index=origin,
            id=run.pool.originals[origin].id,
            text=run.pool.originals[origin].text,
            carries=judgements.names(*rows),
            strengths={
                feature.name: _measured(max(float(judgements.strengths[row][column]) for row in rows))
                for column, feature in enumerate(judgements.listed)
            },
        )
        for origin, rows in rows_of.items()
    )


def _measured(strength: float) -> float | None:
    """Return a strength that was measured; None where a model only said yes or no, or a link concludes it."""
    return strength if math.isfinite(strength) else None


def bridge_sentences(
    chain: Sequence[ChainPassage], cited: Container[int], sentences: Sequence[Sequence[PassageSentence]]
) -> tuple[CitedSentence, ...]:
    """Return a sentence of each passage that carries a feature which no cited passage carries.

    `sentences` are those of each passage of the chain. The sentence is the one with most of the features that
    its passage carries; of equal ones, the first. A passage that adds nothing to the cited ones is left out.

    >>> ferry = ChainPassage(index=0, text="The Gull is by Mo.", carries=("node: Gull", "node: Mo"))
    >>> birth = ChainPassage(index=4, text="Mo was born in Ås.", carries=("node: Mo", "intent: town"))
    >>> split = [[PassageSentence(0, None, "The Gull is by Mo.", 0, 18)], []]
    >>> [(entry.index, entry.text) for entry in bridge_sentences((ferry, birth), (4,), split)]
    [(0, 'The Gull is by Mo.')]
    """
    carried = {name for passage in chain if passage.index in cited for name in passage.carries}
    if not carried:
        return ()
    return tuple(
        _bridge_sentence(passage, candidates)
        for passage, candidates in zip(chain, sentences, strict=True)
        if passage.index not in cited and candidates and not carried.issuperset(passage.carries)
    )


def _bridge_sentence(passage: ChainPassage, sentences: Sequence[PassageSentence]) -> CitedSentence:
    features = [set(words(name.partition(": ")[2])) for name in passage.carries]
    any_feature = set[str]().union(*features)

    def contained(sentence: PassageSentence) -> tuple[int, int]:
        content = set(words(sentence.text))
        return sum(feature <= content for feature in features), len(content & any_feature)

    best = max(sentences, key=contained)
    return CitedSentence(index=passage.index, text=best.text, start=best.start, end=best.end)
