"""What frameworks get of results: passages to keep, reasons of a refusal, and how faithful a text is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import probative
from probative.corpus.documents.passages import CorpusPassage
from probative.scope.inputs import as_passages
from probative.scope.result import Answer
from probative.types import Usage, Value, Verdict
from probative.verdict.judgement import Judgement
from probative.verdict.lines import statement
from probative.verify.verification import Verification
from probative.views.verification import message_of

if TYPE_CHECKING:
    from probative.session.session import Session


def kept_passages(answer: Answer) -> dict[int, tuple[str, ...]]:
    """Return the indexes of the passages to keep, each with the features that it carries.

    The chain comes first, in its order. Passages that contradict it follow and carry nothing: who reads only
    one side would not know of the other.

    >>> from probative import ChainPassage, Conflict, Verdict
    >>> chain = (ChainPassage(index=4, text="It opened in 1953.", carries=("date",)),)
    >>> conflict = Conflict(index=4, other=2, says="1953", instead="1938", text="…", other_text="…")
    >>> verdict = Verdict.CONTRADICTED
    >>> kept_passages(Answer(question="?", answer=None, verdict=verdict, chain=chain, conflicts=(conflict,)))
    {4: ('date',), 2: ()}
    """
    features: dict[int, tuple[str, ...]] = {}
    for piece in answer.chain:  # a long passage may be there in several pieces
        features[piece.index] = tuple(dict.fromkeys((*features.get(piece.index, ()), *piece.carries)))
    for conflict in answer.conflicts:
        features.setdefault(conflict.other, ())
    return features


def kept_span(answer: Answer, index: int, text: str) -> tuple[int, int]:
    """Return the characters of a passage from its first to its last sentence that the answer rests on, that
    leads to it, or that is a side of a contradiction; those of the whole text if there is none.

    >>> from probative import Verdict
    >>> from probative.scope.result import CitedSentence
    >>> cited = CitedSentence(index=4, text="It opened in 1953.", start=0, end=18, holds_answer=True)
    >>> answer = Answer(question="?", answer="1953", verdict=Verdict.SUPPORTED, cited=(cited,))
    >>> kept_span(answer, 4, "It rained. It opened in 1953."), kept_span(answer, 5, "It rained.")
    ((11, 29), (0, 10))
    """
    sentences = {each.text for each in (*answer.cited, *answer.leading) if each.index == index}
    for conflict in answer.conflicts:
        sides = {conflict.index: conflict.text, conflict.other: conflict.other_text}
        sentences |= {sides[index]} if index in sides else set()
    places = [(start, start + len(each)) for each in sentences if (start := text.find(each)) >= 0]
    if not places:
        return 0, len(text)
    return min(start for start, _ in places), max(end for _, end in places)


def refusal(answer: Answer) -> str:
    """Return why there is no answer, and what is missing.

    >>> refusal(Answer(question="?", answer=None, verdict="insufficient", missing=("town",)))
    'no answer: insufficient; missing: town'
    """
    missing = f"; missing: {', '.join(answer.missing)}" if answer.missing else ""
    return f"no answer: {answer.reason or answer.verdict.value}{missing}"


def passage_metadata(passage: CorpusPassage) -> dict[str, Any]:
    """Return the metadata of a passage as documents of other frameworks have it; `passage_fields` reads it.

    >>> passage = CorpusPassage(text="It rained.", source="log.txt", start=7, metadata={"author": "Ida"})
    >>> passage_metadata(passage)
    {'author': 'Ida', 'source': 'log.txt', 'language': 'en', 'start_index': 7}
    """
    fields = passage.model_dump(include={"source", "title", "page", "date", "language"}, exclude_none=True)
    offset = {} if passage.start is None else {"start_index": passage.start}
    return {**passage.metadata, **fields, **offset}


Options = Mapping[str, Any] | None
"""Arguments of a verb of the session."""


class Faithfulness(Value):
    """The share of claims that passages support, from 0 to 1, and the claims that they do not support.

    `score` is None if no claim could be judged; `reason` says why. `verdicts` has every claim. A few words
    that claim nothing by themselves ("Molde") are judged together with their question: `judgement` has what
    was found.
    """

    score: float | None
    reason: str
    verdicts: tuple[tuple[str, Verdict], ...] = ()
    verification: Verification
    judgement: Judgement | None = None

    @property
    def usage(self) -> Usage:
        """The cost of the verification and the judgement."""
        return self.verification.usage + (self.judgement.usage if self.judgement else Usage())


def faithfulness(
    text: str, passages: Any, question: str | None = None, *, session: Session | None = None, **options: Any
) -> Faithfulness:
    """Verify a text against passages and return how much of it they support.

    `options` are those of `Session.verify`. Without a `session`, the default one of the package is used.

    >>> from probative.models.evidence_policy import PolicyScores
    >>> from probative.models.verdict import VerdictScores
    >>> from probative.testing import ScriptedPolicy, ScriptedVerdict
    >>> policy = ScriptedPolicy(lambda state: PolicyScores((0.0,) * len(state.candidates), 0.0, 0.0))
    >>> verdict = ScriptedVerdict(lambda item: VerdictScores(0.1, 0.8, 0.1, (1.0,)))
    >>> with probative.Session(policy=policy, verdict=verdict) as session:
    ...     found = faithfulness("The mill is new.", ["The mill dates from 1790."], session=session)
    >>> found.score, found.reason.splitlines()[:2]
    (0.0, ['0 of 1 claims are supported', 'contradicted: The mill is new.'])
    """
    verbs = session or probative
    verification = verbs.verify(text, passages, **options)
    if verification.claims or question is None:
        return _of_claims(verification)
    is_text = isinstance(passages, str)
    evidence = passages if is_text else [passage.whole for passage in as_passages(passages)]
    judgement = verbs.judge(statement(question, text), evidence, progress=options.get("progress"))
    outcome = f"{judgement.verdict.value}: {judgement.claim}"
    if not judgement.judged:
        outcome = f"not judged: {judgement.notes[0]}"
    return Faithfulness(
        score=float(judgement.verdict is Verdict.SUPPORTED) if judgement.judged else None,
        reason="\n".join([outcome, *(f'decides: "{text}"' for text in judgement.deciding_texts)]),
        verdicts=((judgement.claim, judgement.verdict),),
        verification=verification,
        judgement=judgement,
    )


def _of_claims(verification: Verification) -> Faithfulness:
    claims = verification.claims
    verdicts = tuple((claim.claim, claim.verdict) for claim in claims)
    if not any(claim.judged for claim in claims):
        notes = dict.fromkeys(note for claim in claims for note in claim.notes)
        reason = f"not judged: {'; '.join([*notes, *verification.notes])}"
        return Faithfulness(score=None, reason=reason, verdicts=verdicts, verification=verification)
    supported = verification.counts[Verdict.SUPPORTED]
    failed = [claim for claim in claims if claim.verdict is not Verdict.SUPPORTED]
    head = f"{supported} of {len(claims)} claims are supported"
    return Faithfulness(
        score=supported / len(claims),
        reason="\n".join([head, *map(message_of, failed)]),
        verdicts=verdicts,
        verification=verification,
    )
