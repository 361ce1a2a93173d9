"""The parameters and results of verify."""

from __future__ import annotations

from collections import Counter
from typing import Literal

from pydantic import Field

from probative.text.labels import with_reader
from probative.trace import Step
from probative.types import ReadBy, Usage, Value, Verdict
from probative.verdict.judgement import Probabilities
from probative.verify.claims import UncheckedText


class VerifyOptions(Value):
    """How much is read for a claim.

    >>> VerifyOptions(sentences=2).sentences
    2
    """

    per_claim: int = Field(default=16, ge=1, description="passages retrieved for a claim")
    cited_passages: int = Field(default=6, ge=1, description="passages of a cited source that are looked at")
    max_candidates: int = Field(default=14, ge=1, description="sentences that the policy weighs")
    sentences: int = Field(default=4, ge=1, description="sentences of all sources read together")
    margin: float = Field(
        default=2.0,
        ge=0,
        description="how much less than the best a sentence may fit the claim to be read for the other side, "
        "in nats",
    )
    check_citations: bool = Field(default=True, description="read what the text cites for a claim")
    max_active: int = Field(default=16, ge=1, description="claims checked side by side")


Stance = Literal["supports", "contradicts"]


class EvidenceSentence(Value):
    """A sentence that was read for a claim, and where it stands.

    `start` and `end` are characters of the source, or of the passage if the source is not known. `deciding`
    says whether a verdict rests on it, and `stance` on which side it is then. `citation` is its place as one
    string, which `probative show` opens, and `read_by` is "OCR" for the text of a picture.
    """

    text: str
    source: str | None = None
    page: int | None = None
    start: int | None = None
    end: int | None = None
    deciding: bool = False
    stance: Stance | None = None
    title: str | None = None
    date: str | None = None
    citation: str | None = None
    read_by: ReadBy | None = None

    @property
    def location(self) -> str:
        """Where it stands, in words."""
        return with_reader(self.citation or self.source or "a passage", self.read_by)


class CitationCheck(Value):
    """A citation of the text, held against what it cites.

    `target` is what the text says about the source, and `source` the document of the corpus that is meant;
    None if there is none. `verdict` is what that document says about the claim, None if it was not read.
    """

    marker: str
    start: int
    end: int
    target: str | None = None
    source: str | None = None
    verdict: Verdict | None = None
    probabilities: Probabilities | None = None
    evidence: tuple[EvidenceSentence, ...] = ()
    note: str = ""


class CheckedClaim(Value):
    """A claim of a text with its verdict.

    - `text`: the claim as the text has it, from `start` to `end`, without markup and citations.
    - `claim`: what was checked: the claim as a sentence that can be read alone.
    - `judged`: False where nothing was judged; the verdict is then `insufficient`, and a note says why.
    - `conflict`: the sources disagree; `evidence` has the deciding sentences of both sides.
    - `evidence`: the sentences that were read, the deciding ones first.
    - `citations`: the citations that the text has for the claim, each held against what it cites.
    """

    text: str
    start: int
    end: int
    claim: str
    verdict: Verdict
    probabilities: Probabilities
    judged: bool = True
    conflict: bool = False
    evidence: tuple[EvidenceSentence, ...] = ()
    citations: tuple[CitationCheck, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def deciding(self) -> tuple[EvidenceSentence, ...]:
        """The sentences that the verdict rests on; of a conflict, those of both sides."""
        return tuple(sentence for sentence in self.evidence if sentence.deciding)


class Verification(Value):
    """A text held against sources: its claims in order, and what was not checked.

    - `claims`: every claim with its verdict, its evidence and its citations.
    - `unchecked`: sentences that claim nothing, each with the reason.
    - `text`: the text itself, `name` what it is called.
    - `method`: how the evidence was chosen.
    - `policy`, `verdict_model`, `model`: the models that were used.
    - `notes`: what was done to the input, in words.
    - `usage`: the cost of everything. `trace`: every call, for a single text.
    """

    claims: tuple[CheckedClaim, ...] = ()
    unchecked: tuple[UncheckedText, ...] = ()
    text: str = ""
    name: str | None = None
    method: str = "policy"
    policy: str | None = None
    verdict_model: str | None = None
    model: str | None = None
    notes: tuple[str, ...] = ()
    usage: Usage = Usage()
    trace: Step | None = None

    @property
    def counts(self) -> dict[Verdict, int]:
        """The number of claims with each verdict.

        >>> Verification().counts[Verdict.SUPPORTED]
        0
        """
        counted = Counter(claim.verdict for claim in self.claims)
        return {verdict: counted[verdict] for verdict in Verdict}

    def having(self, *verdicts: Verdict | str) -> tuple[CheckedClaim, ...]:
        """Return the claims with one of these verdicts.

        >>> Verification().having("contradicted")
        ()
        """
        chosen = {Verdict(verdict) for verdict in verdicts}
        return tuple(claim for claim in self.claims if claim.verdict in chosen)

    @property
    def bad_citations(self) -> tuple[CitationCheck, ...]:
        """The citations whose source does not say what is claimed, or cannot be found."""
        return tuple(
            citation
            for claim in self.claims
            for citation in claim.citations
            if citation.verdict is not Verdict.SUPPORTED
        )
