"""A finding as the result that a caller gets, with the passages as the caller counts them."""

from __future__ import annotations

from collections.abc import Container, Sequence
from itertools import zip_longest

from probative.scope.finding import Contradiction, Finding
from probative.scope.result import (
    ChainPassage,
    CitedSentence,
    Computation,
    Conflict,
    PassageJudgement,
    ScopeResult,
)
from probative.scope.run import Run
from probative.scope.sentences import PassageSentence, passage_sentences
from probative.text.words import words
from probative.types import Verdict


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
                feature.name: max(float(judgements.strengths[row][column]) for row in rows)
                for column, feature in enumerate(judgements.listed)
            },
        )
        for origin, rows in rows_of.items()
    )


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
