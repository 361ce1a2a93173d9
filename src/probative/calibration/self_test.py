"""A test without labels: what the verdict model says about claims made of the corpus's own sentences.

It shows how the models do on these documents. It is no guarantee: nobody asked these claims.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from probative.calibration.bounds import wilson
from probative.calibration.claims import (
    FALSE,
    NOT_STATED,
    TRUE,
    Kind,
    MadeClaim,
    made_claims,
    without_sentence,
)
from probative.calibration.kept import SELF_TEST, keep
from probative.errors import InputError, ProbativeError
from probative.types import Usage, Value, Verdict, total
from probative.verify.verification import Verification

if TYPE_CHECKING:
    from probative.corpus.corpus import Corpus

LIMITS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99)
"""The limits of the curve: probabilities of *supported* from which on a claim is believed."""
# Claims checked side by side.
ACTIVE = 16


class Host(Protocol):
    """Verifies many texts; a `Session` does."""

    def verify_all(
        self, cases: Iterable[Mapping[str, Any]], **options: Any
    ) -> Iterator[tuple[int, Verification | ProbativeError]]:
        """Yield the index of each text with its verification or its error."""


class ClaimOutcome(Value):
    """A claim made of a `sentence`, whose place is `citation`, with its verdict."""

    kind: Kind
    claim: str
    sentence: str
    citation: str
    verdict: Verdict
    supported: float


class Share(Value):
    """How many of `n`, with the ends of Wilson's 95% interval of the share."""

    hits: int
    n: int
    low: float
    high: float

    @classmethod
    def of(cls, hits: Iterable[bool]) -> Share:
        """Return the share of those that are true.

        >>> share = Share.of([True, False])
        >>> share.hits, share.n, round(share.low, 2)
        (1, 2, 0.09)
        """
        listed = list(hits)
        low, high = wilson(sum(listed), len(listed))
        return cls(hits=sum(listed), n=len(listed), low=low, high=high)


class CurvePoint(Value):
    """How many true, false and not stated claims are believed if `limit` is the lowest probability."""

    limit: float
    true: int
    false: int
    not_stated: int


class SelfTest(Value):
    """A test of a corpus, not a guarantee: claims made of its sentences, with their verdicts.

    - `believed`: true claims called supported; `caught`: falsified claims called contradicted; `accepted`:
      falsified claims called supported; `invented` and `denied`: claims called supported, and contradicted,
      without their sentence.
    - `kinds`: for each kind, the claims with the verdict that they should have.
    - `curve`: the claims believed, by the lowest probability.
    - `asked`: how many claims were asked for; there are fewer if the documents have too few sentences.
    """

    claims: tuple[ClaimOutcome, ...]
    believed: Share
    caught: Share
    accepted: Share
    invented: Share
    denied: Share
    kinds: dict[Kind, Share]
    curve: tuple[CurvePoint, ...]
    seed: int
    index: str
    version: int
    asked: int | None = None
    verdict_model: str | None = None
    usage: Usage = Usage()


def self_test(
    session: Host,
    corpus: Corpus,
    *,
    n: int = 100,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> SelfTest:
    """Make `n` claims of random sentences of the corpus, check them as `verify` does, and keep the test.

    `progress` is called with the number of claims that are checked, and of all.
    """
    if n < 3:
        raise InputError(
            f"n must be at least 3, got {n}", hint="claims are true, false and not stated by turns"
        )
    claims = made_claims(corpus, n, seed)
    cases = [
        {
            "text": made.claim,
            "passages": without_sentence(corpus, made.sentence) if made.kind == NOT_STATED else corpus,
        }
        for made in claims
    ]
    verified: dict[int, Verification] = {}
    for index, outcome in session.verify_all(cases, max_active=ACTIVE, check_citations=False):
        if isinstance(outcome, ProbativeError):
            raise outcome
        verified[index] = outcome
        if progress is not None:
            progress(len(verified), len(claims))
    found = [verified[index] for index in range(len(claims))]
    test = _summed_up(
        [_outcome(made, verification) for made, verification in zip(claims, found, strict=True)],
        seed=seed,
        index=str(corpus.path),
        version=corpus.version,
        asked=n,
        verdict_model=next((each.verdict_model for each in found if each.verdict_model), None),
        usage=total(each.usage for each in found),
    )
    keep(corpus.path, SELF_TEST, test)
    return test


def _outcome(made: MadeClaim, verification: Verification) -> ClaimOutcome:
    """Return the verdict of a claim: of several sentences, the worst."""
    verdicts = {claim.verdict for claim in verification.claims} or {Verdict.INSUFFICIENT}
    worst = (Verdict.CONTRADICTED, Verdict.INSUFFICIENT, Verdict.SUPPORTED)
    return ClaimOutcome(
        kind=made.kind,
        claim=made.claim,
        sentence=made.sentence,
        citation=made.source,
        verdict=next(verdict for verdict in worst if verdict in verdicts),
        supported=min((claim.probabilities.supported for claim in verification.claims), default=0.0),
    )


def _summed_up(claims: Sequence[ClaimOutcome], **others: Any) -> SelfTest:
    def contradicted(kinds: Sequence[Kind]) -> Share:
        return Share.of(claim.verdict is Verdict.CONTRADICTED for claim in claims if claim.kind in kinds)

    def believed(kinds: Sequence[Kind], limit: float = 0.0) -> list[bool]:
        of_kinds = (claim for claim in claims if claim.kind in kinds)
        return [claim.verdict is Verdict.SUPPORTED and claim.supported >= limit for claim in of_kinds]

    curve = [
        CurvePoint(
            limit=limit,
            true=sum(believed(TRUE, limit)),
            false=sum(believed(FALSE, limit)),
            not_stated=sum(believed((NOT_STATED,), limit)),
        )
        for limit in LIMITS
    ]
    return SelfTest(
        claims=tuple(claims),
        believed=Share.of(believed(TRUE)),
        caught=contradicted(FALSE),
        accepted=Share.of(believed(FALSE)),
        invented=Share.of(believed((NOT_STATED,))),
        denied=contradicted((NOT_STATED,)),
        kinds={
            kind: Share.of(claim.verdict is expected(kind) for claim in claims if claim.kind == kind)
            for kind in (*TRUE, *FALSE, NOT_STATED)
        },
        curve=tuple(curve),
        **others,
    )


def expected(kind: Kind) -> Verdict:
    """Return the verdict that claims of a kind should have.

    >>> expected("joined").value, expected("date").value, expected("removed").value
    ('supported', 'contradicted', 'insufficient')
    """
    if kind in TRUE:
        return Verdict.SUPPORTED
    return Verdict.CONTRADICTED if kind in FALSE else Verdict.INSUFFICIENT
