"""Check one claim: find passages, choose sentences, read them together, and look for the other side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from probative.engine.methods import Tools
from probative.engine.search import Search, side_by_side
from probative.types import Verdict
from probative.verdict.judge import MIN_OPPOSITE, judge_claim
from probative.verdict.judgement import UNDECIDED
from probative.verify.claims import TextClaim
from probative.verify.conclusion import Conclusion, Reading, conclude
from probative.verify.evidence import (
    Candidate,
    Weigher,
    best,
    candidates_of,
    lines_of,
    prefilter,
    texts_of,
    with_places,
)
from probative.verify.references import Reference
from probative.verify.rows import of_its_row
from probative.verify.sources import EvidenceSource
from probative.verify.verification import CheckedClaim, CitationCheck, VerifyOptions


@dataclass(frozen=True)
class Cited:
    """A citation of the text and the source that it means; None if that cannot be told."""

    reference: Reference
    target: str | None
    source: str | None


def check_claim(
    claim: TextClaim, sources: EvidenceSource, weigher: Weigher, options: VerifyOptions, tools: Tools
) -> Search[CheckedClaim]:
    """Return a claim with its verdict, the sentences that were read, and its citations.

    The best sentences of all sources are read together, since a claim may rest on several. If they decide,
    those that fit the claim as well and did not decide are read once more: they may stand on the other side.
    If they do not, the best of them is read alone, and counts if it is sure. Each cited source is also read
    alone.
    """
    query = f"{claim.statement} {claim.headings[-1]}" if claim.headings else claim.statement
    # First, since some retrievers know the names of their sources only from what they have found.
    found = candidates_of(sources.find(query, options.per_claim))
    cited = cited_sources(claim, sources) if options.check_citations else []
    shown = prefilter(claim.statement, found, options.max_candidates)
    of_cited: dict[str, list[Candidate]] = {}
    for source in dict.fromkeys(entry.source for entry in cited if entry.source is not None):
        passages = sources.within(source, query, options.cited_passages)
        of_cited[source] = prefilter(claim.statement, candidates_of(passages), 2 * options.sentences)
        shown += of_cited[source]
    shown = list({candidate.key: candidate for candidate in shown}.values())
    if not shown:
        nothing = Conclusion(
            Verdict.INSUFFICIENT, UNDECIDED, judged=False, notes=("no passage was found for this claim",)
        )
        return _checked(claim, cited, {}, nothing)
    values = yield from weigher(claim.statement, shown)
    worth = {candidate.key: value for candidate, value in zip(shown, values, strict=True)}

    def read(candidates: Sequence[Candidate]) -> Search[Reading]:
        read = with_places(candidates, sources.place_at)
        lines = lines_of(read, texts_of(read))
        texts = [": ".join(filter(None, (line.header, line.text))) for line in lines]
        judgement = yield from judge_claim(
            claim.statement, texts, tools, language=claim.language, lines=lines
        )
        return Reading(read, judgement)

    groups = [best(group, worth, options.sentences) for group in (shown, *of_cited.values())]
    first, *alone = yield from side_by_side(read(group) for group in groups if group)
    of_source = dict(zip(filter(of_cited.get, of_cited), alone, strict=True))
    if first.judgement.judged and first.verdict is Verdict.INSUFFICIENT and len(first.candidates) > 1:
        nearest = yield from read(best(shown, worth, 1))
        alone += [nearest] if nearest.certainty >= MIN_OPPOSITE else []
    near = max(worth.values()) - options.margin
    rest = [candidate for candidate in first.undecided() if worth[candidate.key] >= near]
    parts = [part for part in (rest, first.opposing()) if part]
    others = yield from side_by_side(read(part) for part in parts)
    outcome = of_its_row(claim.statement, conclude([first, *alone], others))
    return _checked(claim, cited, of_source, outcome)


def _checked(
    claim: TextClaim, cited: Sequence[Cited], reads: dict[str, Reading], outcome: Conclusion
) -> CheckedClaim:
    return CheckedClaim(
        text=claim.text,
        start=claim.start,
        end=claim.end,
        claim=claim.statement,
        citations=tuple(_citation(entry, reads.get(entry.source or "")) for entry in cited),
        **vars(outcome),
    )


def cited_sources(claim: TextClaim, sources: EvidenceSource) -> list[Cited]:
    """Return what the text cites for a claim."""
    cited: list[Cited] = []
    for reference in claim.references:
        if not reference.targets:
            cited.append(Cited(reference, None, None))
        cited += [Cited(reference, target, sources.named(target)) for target in reference.targets]
    return cited


def _citation(entry: Cited, read: Reading | None) -> CitationCheck:
    """Return what the cited source says about the claim."""
    fields: dict[str, Any] = {} if read is None else {"evidence": read.sentences()}
    if entry.target is None:
        fields = {"note": "the text does not say what this stands for"}
    elif entry.source is None:
        fields = {"note": "not among the sources"}
    elif read is None:
        fields = {"note": "the source has no text about this"}
    elif not read.judgement.judged:
        fields["note"] = "; ".join(read.judgement.notes)
    else:
        fields |= {"verdict": read.judgement.verdict, "probabilities": read.judgement.probabilities}
    mark = entry.reference
    return CitationCheck(
        marker=mark.marker, start=mark.start, end=mark.end, target=entry.target, source=entry.source, **fields
    )
