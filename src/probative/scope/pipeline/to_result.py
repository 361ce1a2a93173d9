"""A finding as the result that a caller gets, with the passages as the caller counts them."""

from __future__ import annotations

from collections.abc import Container, Sequence
from itertools import zip_longest

from probative.scope.checks import value_of
from probative.scope.finding import Finding
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
    """Return the finding with the passages as the caller counts them. An answer that is not supported is
    only a candidate, unless the options ask for an answer anyway.
    """
    pool = run.pool
    text = finding.answer.text
    given = finding.verdict is Verdict.SUPPORTED or run.options.answer_anyway
    candidate = text if text is not None or finding.reading is None else finding.reading.best
    chain = _chain_passages(run, finding)
    return ScopeResult(
        passages=tuple(pool.originals),
        verdict=finding.verdict,
        complete=finding.complete,
        answer=text if given else None,
        candidate=None if given and text is not None else candidate,
        reason=finding.reason,
        checks=finding.checks,
        certainty=None if finding.support is None else finding.support.certainty,
        signals=None if finding.support is None else finding.support.signals,
        citations=tuple(dict.fromkeys(pool.origins[index] for index in finding.answer.citations)),
        cited=_cited_sentences(run, finding),
        leading=_bridge_sentences(run, finding, chain),
        chain=chain,
        features=finding.chain.judgements.features,
        judgements=_passage_judgements(run, finding),
        missing=finding.missing,
        conflicts=tuple(
            Conflict(
                index=pool.origins[contradiction.index],
                other=pool.origins[contradiction.other],
                says=contradiction.says,
                instead=contradiction.instead,
                text=contradiction.text,
                other_text=contradiction.other_text,
                blocking=contradiction.blocking,
            )
            for contradiction in finding.contradictions
        ),
        computation=_computation(run, finding),
        completeness=finding.completeness,
        answerable=_answerable(finding),
        notes=tuple(run.notes),
    )


def _answerable(finding: Finding) -> float | None:
    """Return the number of the check, or what the reader said where no such check was made."""
    checked = value_of(finding.checks, "answerable")
    return finding.answerable if checked is None else checked


def _cited_sentences(run: Run, finding: Finding) -> tuple[CitedSentence, ...]:
    """Return the sentences that hold the answer and those that decide, in the order of the chain."""
    support = finding.support
    if support is None:
        return ()
    return tuple(
        CitedSentence(
            index=run.pool.origins[support.sentences[row].index],
            text=support.sentences[row].text,
            start=support.sentences[row].start,
            end=support.sentences[row].end,
            holds_answer=row in support.holding,
            deciding=row in support.deciding,
        )
        for row in sorted({*support.holding, *support.deciding})
    )


def _bridge_sentences(run: Run, finding: Finding, chain: Sequence[ChainPassage]) -> tuple[CitedSentence, ...]:
    """Return what the rest of the chain adds to the passages that the answer rests on."""
    cited = {sentence.index for sentence in _cited_sentences(run, finding)}
    cited.update(run.pool.origins[index] for index in finding.answer.citations)
    return bridge_sentences(chain, cited, [passage_sentences(run, [index]) for index in finding.indexes])


def _computation(run: Run, finding: Finding) -> Computation | None:
    """Return the computation with the indexes of its passages as the caller counts them, and with how surely
    each value is stated.
    """
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
    return tuple(
        chain_passage(run, index).model_copy(
            update={"carries": finding.chain.judgements.names(row), "probability": probabilities.get(row)}
        )
        for row, index in zip(finding.chain.rows, finding.indexes, strict=True)
    )


def chain_passage(run: Run, index: int) -> ChainPassage:
    """Return a passage of the pool as a result shows it."""
    passage = run.pool.passages[index]
    return ChainPassage(
        index=run.pool.origins[index],
        id=passage.id,
        title=passage.title,
        source=passage.source,
        text=passage.text,
        start=passage.start,
        end=passage.end,
    )


def _passage_judgements(run: Run, finding: Finding) -> tuple[PassageJudgement, ...]:
    """Return the judgement of each original passage; the parts of a split passage count together."""
    judgements = finding.chain.judgements
    rows_of: dict[int, list[int]] = {}
    for row, index in enumerate(run.pool.judged):
        rows_of.setdefault(run.pool.origins[index], []).append(row)
    result = []
    for origin, rows in rows_of.items():
        strengths = {
            feature.name: max(float(judgements.strengths[row][column]) for row in rows)
            for column, feature in enumerate(judgements.listed)
        }
        carried = frozenset().union(*(judgements.carried[row] for row in rows))
        passage = run.pool.originals[origin]
        result.append(
            PassageJudgement(
                index=origin,
                id=passage.id,
                text=passage.text,
                carries=tuple(judgements.listed[column].name for column in sorted(carried)),
                strengths=strengths,
            )
        )
    return tuple(result)


def bridge_sentences(
    chain: Sequence[ChainPassage], cited: Container[int], sentences: Sequence[Sequence[PassageSentence]]
) -> tuple[CitedSentence, ...]:
    """Return a sentence of each passage that carries a feature which no cited passage carries.

    `sentences` are those of each passage of the chain. The sentence is the one with most of the features that
    its passage carries; of equal ones, the first. A passage that adds nothing to the cited ones is left out.

    >>> ferry = ChainPassage(index=0, text="The Gull is by Mo.", carries=("node: Gull", "node: Mo"))
    >>> birth = ChainPassage(index=4, text="Mo was born in Ås.", carries=("node: Mo", "intent: town"))
    >>> split = [[PassageSentence(0, None, "The Gull is by Mo.", 0, 18)], []]
    >>> [(found.index, found.text) for found in bridge_sentences((ferry, birth), (4,), split)]
    [(0, 'The Gull is by Mo.')]
    """
    carried = {name for passage in chain if passage.index in cited for name in passage.carries}
    if not carried:
        return ()
    found = (
        _bridge_sentence(passage, own)
        for passage, own in zip(chain, sentences, strict=True)
        if passage.index not in cited and own and not carried.issuperset(passage.carries)
    )
    return tuple(found)


def _bridge_sentence(passage: ChainPassage, sentences: Sequence[PassageSentence]) -> CitedSentence:
    features = [set(words(name.partition(": ")[2])) for name in passage.carries]
    known = set[str]().union(*features)

    def contained(sentence: PassageSentence) -> tuple[int, int]:
        own = set(words(sentence.text))
        return sum(feature <= own for feature in features), len(own & known)

    best = max(sentences, key=contained)
    return CitedSentence(index=passage.index, text=best.text, start=best.start, end=best.end)
