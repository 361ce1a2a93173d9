"""Which outcome an answer over the example corpus is, and whether its gold evidence was found."""

from __future__ import annotations

from probative.bench.data.own import CorpusQuestion, is_within, places
from probative.bench.metrics import is_accepted
from probative.bench.rows import Row
from probative.corpus.corpus import Corpus
from probative.scope.result import Answer

AT = 10


def is_found(question: CorpusQuestion, answer: Answer) -> bool:
    """Return whether the answer, or the candidate that was not supported, is right."""
    text = answer.answer or answer.candidate
    return text is not None and bool(question.answers) and is_accepted(text, question.answers)


def outcome_of(question: CorpusQuestion, answer: Answer, corpus: Corpus) -> str:
    """Return which outcome an answer is.

    Right are: a supported answer that is accepted; no supported answer where no document answers; and, where
    documents contradict one another, the verdict `contradicted` with both sides shown. "one side" is a
    supported answer by the better source there, which leaves the other source out.
    """
    supported = answer.verdict.value == "supported" and answer.answer is not None
    if supported and not is_found(question, answer):
        return "wrong and supported"
    if question.other_gold:
        if supported:
            return "one side"
        return "right" if shows_both_sides(question, answer, corpus) else answer.verdict.value
    if supported or not question.answers:
        return "right"
    return answer.verdict.value


def shows_both_sides(question: CorpusQuestion, answer: Answer, corpus: Corpus) -> bool:
    """Return whether the answer is contradicted, and a conflict quotes a gold sentence of each side."""
    if answer.verdict.value != "contradicted":
        return False
    sides = [
        {cited for cited in (conflict.citation, conflict.other_citation) if cited is not None}
        for conflict in answer.conflicts
        if conflict.blocking
    ]
    gold, other = places(corpus, question.gold), places(corpus, question.other_gold)
    return any(
        any(is_within(place, cited) for place in gold) and any(is_within(place, cited) for place in other)
        for cited in sides
    )


def evidence_of(question: CorpusQuestion, answer: Answer, corpus: Corpus) -> Row:
    """Return whether all gold evidence is among the first passages retrieved, and whether it is in the
    chain.
    """
    gold = places(corpus, question.gold)
    chain = [piece.citation for piece in answer.chain if piece.citation is not None]
    return {
        "retrieved": all(is_within(place, answer.retrieved[:AT]) for place in gold),
        "in_chain": all(is_within(place, chain) for place in gold),
    }
