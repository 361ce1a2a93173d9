"""Claims that were judged before: of a text that is checked again, only those that changed are judged."""

from __future__ import annotations

from dataclasses import dataclass, field

from probative.verify.claims import TextClaim
from probative.verify.verification import CheckedClaim

# Claims that are kept; the oldest go first.
MAX_KEPT = 20_000

_Key = tuple[str, str, tuple[str, ...], str, tuple[tuple[str, tuple[str, ...]], ...]]


@dataclass
class JudgedClaims:
    """What was found about claims, by what decides it; keep one for each session.

    That is what is checked, the heading above it, its language and its citations, and the `context`: the
    state of the sources, the method and the options. Where the claim stands does not matter.

    >>> import probative
    >>> judged = JudgedClaims()
    >>> with probative.Session() as session:
    ...     first = session.verify("It rained in May.", ["It rained in May."], judged=judged)
    ...     again = session.verify("It was cold. It rained in May.", ["It rained in May."], judged=judged)
    ...     judged.judged
    2
    """

    judged: int = 0
    """How many claims were judged so far, and not found here."""
    _claims: dict[_Key, CheckedClaim] = field(default_factory=dict, repr=False)

    def find(self, claim: TextClaim, context: str) -> CheckedClaim | None:
        """Return what was found about a claim, with the place where it stands now; None if it is new."""
        checked = self._claims.get(_key(claim, context))
        if checked is None:
            return None
        references = [reference for reference in claim.references for _ in reference.targets or ("",)]
        citations = tuple(
            citation.model_copy(update={"start": reference.start, "end": reference.end})
            for citation, reference in zip(checked.citations, references, strict=False)
        )
        place = {"text": claim.text, "start": claim.start, "end": claim.end, "citations": citations}
        return checked.model_copy(update=place)

    def keep(self, claim: TextClaim, context: str, checked: CheckedClaim) -> None:
        """Keep what was found about a claim."""
        self.judged += 1
        self._claims[_key(claim, context)] = checked
        if len(self._claims) > MAX_KEPT:
            del self._claims[next(iter(self._claims))]


def _key(claim: TextClaim, context: str) -> _Key:
    citations = tuple((reference.marker, reference.targets) for reference in claim.references)
    return (context, claim.statement, claim.headings[-1:], claim.language, citations)
