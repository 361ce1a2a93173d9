"""What a run knows after the cover: the chain, what is missing, what contradicts it, and later the answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from probative.scope.answer.parsed import NO_ANSWER, ParsedAnswer, Reading
from probative.scope.checks import AnswerCheck, first_failed, value_of
from probative.scope.contradictions.by_words import Contradiction, find_conflicts
from probative.scope.cover.chain import Chain
from probative.scope.leading import leading_sentences
from probative.scope.result import (
    ChainPassage,
    CitedSentence,
    Computation,
    Conflict,
    PassageJudgement,
    ScopeResult,
)
from probative.scope.run import Run
from probative.scope.sentences import PassageSentence, name_the_same, passage_sentences, titled
from probative.scope.signals import Signals
from probative.types import Verdict


@dataclass(frozen=True)
class Support:
    """What speaks for an answer: the rows of the chain's sentences that hold it and that decide, the signals,
    and how surely it is right; of a computed answer, also how surely each value is stated.
    """

    sentences: tuple[PassageSentence, ...]
    holding: tuple[int, ...]
    deciding: tuple[int, ...]
    signals: Signals
    certainty: float
    values: tuple[float | None, ...] = ()


@dataclass(frozen=True)
class Finding:
    """The chain with its gaps and contradictions, the verdict, and the answer. `indexes` are the passages of
    the chain in the pool. `computed` says whether code computed the answer, and `checks` what was checked.
    """

    chain: Chain
    indexes: tuple[int, ...]
    complete: bool
    missing: tuple[str, ...]
    contradictions: tuple[Contradiction, ...] = ()
    verdict: Verdict = Verdict.INSUFFICIENT
    answer: ParsedAnswer = NO_ANSWER
    answerable: float | None = None
    computation: Computation | None = None
    computed: bool = False
    reading: Reading | None = None
    support: Support | None = None
    checks: tuple[AnswerCheck, ...] = ()

    @property
    def reason(self) -> str | None:
        """Why the answer is not supported: the first check that fails."""
        failed = first_failed(self.checks)
        return None if failed is None else failed.reason

    @property
    def completeness(self) -> float | None:
        """The policy's probability that the chain is enough, if the policy chose it."""
        return None if self.chain.learned is None else self.chain.learned.completeness


def find_gaps(run: Run, chain: Chain, rows: Sequence[int]) -> Finding:
    """Return a chain with the features that these rows do not carry, and with what contradicts it.

    If the policy chose the chain, the policy decides whether it is complete, and notes say where the words of
    the passages do not agree.
    """
    complete, missing = chain.is_complete(rows), chain.missing(rows)
    if chain.learned is not None and complete and missing:
        run.note(
            "the evidence policy considers the chain complete, although no passage has the words of "
            + "; ".join(missing)
        )
        missing = ()
    if chain.learned is not None and not complete and not missing:
        run.note("the evidence policy considers the chain incomplete, although it has the question's words")
    indexes = tuple(run.pool.judged[row] for row in chain.rows)
    return Finding(chain, indexes, complete, missing, contradictions_of(run, indexes))


def with_longer_chain(run: Run, finding: Finding, chain: Chain) -> Finding:
    """Return the finding with a longer chain of the policy; whether it is complete stays as it was."""
    indexes = tuple(run.pool.judged[row] for row in chain.rows)
    missing = () if chain.is_complete() else chain.missing()
    return replace(
        finding,
        chain=chain,
        indexes=indexes,
        missing=missing,
        contradictions=contradictions_of(run, indexes),
    )


def with_passages(run: Run, finding: Finding, more: Sequence[int]) -> Finding:
    """Return the finding with more passages (by their indexes in the pool) at the end of its chain."""
    if not more:
        return finding
    rows = (*finding.chain.rows, *(run.pool.judged.index(index) for index in more))
    indexes = (*finding.indexes, *more)
    chain = replace(finding.chain, rows=rows)
    return replace(finding, chain=chain, indexes=indexes, contradictions=contradictions_of(run, indexes))


def contradictions_of(run: Run, indexes: Sequence[int]) -> tuple[Contradiction, ...]:
    """Return what may contradict these passages, unless the options say not to look."""
    if not run.options.conflicts:
        return ()
    origins = run.pool.origins
    return tuple(
        entry
        for entry in find_conflicts(indexes, run.pool.passages)
        if origins[entry.index] != origins[entry.other]  # parts of one passage
        and name_the_same(run, *sides(run, entry))
    )


def sides(run: Run, entry: Contradiction) -> tuple[str, str]:
    """Return both sentences of a contradiction with the titles of their passages."""
    titles = (run.pool.passages[index].title for index in (entry.index, entry.other))
    first, second = map(titled, titles, (entry.text, entry.other_text))
    return first, second


def serious_contradictions(run: Run, finding: Finding) -> list[Contradiction]:
    """Return the contradictions that may change the answer: of passages that carry a node of the question."""
    row_of = {index: row for row, index in enumerate(run.pool.judged)}
    return [
        contradiction
        for contradiction in finding.contradictions
        if contradiction.touches_answer(run.question)
        and contradiction.index in row_of
        and _carries_node(finding.chain.judgements.names(row_of[contradiction.index]))
    ]


def _carries_node(names: Sequence[str]) -> bool:
    return any(name.startswith("node: ") for name in names)


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
        leading=_leading_sentences(run, finding, chain),
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


def _leading_sentences(
    run: Run, finding: Finding, chain: Sequence[ChainPassage]
) -> tuple[CitedSentence, ...]:
    """Return what the rest of the chain adds to the passages that the answer rests on."""
    cited = {sentence.index for sentence in _cited_sentences(run, finding)}
    cited.update(run.pool.origins[index] for index in finding.answer.citations)
    return leading_sentences(chain, cited, [passage_sentences(run, [index]) for index in finding.indexes])


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
            update={
                "carries": finding.chain.judgements.names(row),
                "probability": probabilities.get(row),
            }
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
