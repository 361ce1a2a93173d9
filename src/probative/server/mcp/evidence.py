"""The result of `find_evidence`: the pieces of text that carry an answer or decide a claim."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

from probative.scope.result import Answer, ChainPassage, Level
from probative.types import ReadBy, Usage, Value, Verdict
from probative.verify.verification import CheckedClaim, EvidenceSentence, Stance, Verification

_PLACE = ("citation", "source", "title", "page", "start", "end", "read_by")


class EvidencePiece(Value):
    """A passage or a sentence, and where it stands.

    `carries` are the features of the question that it carries. `deciding` says whether the answer or the
    verdict rests on it, `leads` whether it leads to such a passage, and `stance` on which side of a claim,
    or of a conflict, it is. `citation` is its place in a document of the corpus; `read_by` is "OCR" if it
    stood in a picture.
    """

    text: str
    citation: str | None = None
    source: str | None = None
    title: str | None = None
    page: int | None = None
    start: int | None = None
    end: int | None = None
    read_by: ReadBy | None = None
    carries: tuple[str, ...] = ()
    deciding: bool = False
    leads: bool = False
    stance: Stance | None = None


class EvidenceList(Value):
    """The evidence for a question or a claim; `missing` are the features that nothing carries, and `level`
    is how far the answer to a question can be trusted.
    """

    question: str | None = None
    claim: str | None = None
    verdict: Verdict
    level: Level | None = None
    evidence: tuple[EvidencePiece, ...] = ()
    missing: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    usage: Usage = Usage()


@singledispatch
def evidence_of(result: Any) -> EvidenceList:
    """Return the evidence of an answer, or of a claim that was verified."""
    raise TypeError(f"{type(result).__name__} has no evidence to list")


@evidence_of.register
def _of_answer(answer: Answer) -> EvidenceList:
    """Return the chain of an answer, and the sentences that contradict it."""
    leading = {sentence.index for sentence in answer.leading}
    chain = [
        _piece(
            passage,
            carries=passage.carries,
            deciding=passage.index in answer.citations,
            leads=passage.index in leading,
        )
        for passage in answer.chain
    ]
    against = [
        EvidencePiece(text=conflict.other_text, citation=conflict.other_citation, stance="contradicts")
        for conflict in answer.conflicts
    ]
    return EvidenceList(
        question=answer.question,
        verdict=answer.verdict,
        level=answer.level,
        evidence=(*chain, *against),
        missing=answer.missing,
        notes=answer.notes,
        usage=answer.usage,
    )


@evidence_of.register
def _of_verification(verification: Verification) -> EvidenceList:
    """Return the sentences that were read for a claim, the deciding ones first."""
    pieces = [
        _piece(sentence, deciding=sentence.deciding, stance=sentence.stance)
        for checked in verification.claims
        for sentence in checked.evidence
    ]
    return EvidenceList(
        claim=verification.text,
        verdict=overall(verification.claims),
        evidence=tuple(sorted(pieces, key=lambda piece: not piece.deciding)),
        notes=(*verification.notes, *(note for checked in verification.claims for note in checked.notes)),
        usage=verification.usage,
    )


def _piece(text: ChainPassage | EvidenceSentence, **part: Any) -> EvidencePiece:
    """Return a text with its place, and the `part` that it plays."""
    location = {name: getattr(text, name) for name in _PLACE}
    return EvidencePiece(text=text.text, **location, **part)


def overall(claims: tuple[CheckedClaim, ...]) -> Verdict:
    """Return the verdict on claims that must all hold; insufficient if there is none.

    >>> overall(()).value
    'insufficient'
    """
    verdicts = {claim.verdict for claim in claims}
    if Verdict.CONTRADICTED in verdicts:
        return Verdict.CONTRADICTED
    return Verdict.SUPPORTED if verdicts == {Verdict.SUPPORTED} else Verdict.INSUFFICIENT
