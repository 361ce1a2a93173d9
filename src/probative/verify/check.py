"""Check one claim: find passages, choose sentences, read them source by source, and conclude."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from probative.engine.search import Search, side_by_side
from probative.engine.tools import Tools
from probative.types import Passage, Verdict
from probative.verdict.judge import judge_claim
from probative.verdict.judgement import Judgement
from probative.verify.claims import TextClaim
from probative.verify.conclusion import NOTHING, Conclusion, ReadGroup, conclude
from probative.verify.evidence import (
    Candidate,
    Group,
    Weigher,
    candidates_of,
    groups_of,
    lines_of,
    prefilter,
    texts_of,
    with_pages,
)
from probative.verify.references import Reference
from probative.verify.sources import EvidenceSource
from probative.verify.values import Piece, shared_words, with_values
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
    """Return a claim with its verdict, the sentences that were read, and its citations."""
    query = f"{claim.statement} {claim.headings[-1]}" if claim.headings else claim.statement
    # First, since some retrievers know the names of their sources only from what they have found.
    passages = list(sources.find(query, options.per_claim))
    cited = cited_sources(claim, sources) if options.check_citations else []
    origins = list(dict.fromkeys(entry.source for entry in cited if entry.source is not None))
    for source in origins:
        passages += sources.within(source, query, options.cited_passages)
    candidates = prefilter(claim.statement, candidates_of(passages), options.max_candidates)
    candidates = _with_cited(claim.statement, candidates, passages, origins, options)
    if not candidates:
        notes = ("no passage was found for this claim",)
        return _checked(
            claim, cited, (), Conclusion(Verdict.INSUFFICIENT, NOTHING, judged=False, notes=notes)
        )
    values = yield from weigher(claim.statement, candidates)
    chosen = groups_of(claim.statement, candidates, values, origins, options)
    groups = [with_pages(group, sources.page_at) for group in chosen]
    texts = [texts_of(group) for group in groups]
    judgements = yield from side_by_side(
        judge_claim(
            claim.statement,
            read,
            tools,
            language=claim.language,
            lines=lines_of(group, read),
        )
        for group, read in zip(groups, texts, strict=True)
    )
    reads = [
        _read_group(claim.statement, group, judgement, read)
        for group, judgement, read in zip(groups, judgements, texts, strict=True)
    ]
    return _checked(claim, cited, reads, conclude(reads))


def _checked(
    claim: TextClaim, cited: Sequence[Cited], reads: Sequence[ReadGroup], outcome: Conclusion
) -> CheckedClaim:
    return CheckedClaim(
        text=claim.text,
        start=claim.start,
        end=claim.end,
        claim=claim.statement,
        citations=tuple(_citation(entry, reads) for entry in cited),
        **vars(outcome),
    )


def _read_group(statement: str, group: Group, judgement: Judgement, texts: Sequence[str]) -> ReadGroup:
    pieces = [
        Piece(text, candidate.origin, candidate.context)
        for candidate, text in zip(group.candidates, texts, strict=True)
    ]
    weighed = with_values(statement, judgement, pieces)
    deciding = [pieces[index] for index in weighed.deciding]
    return ReadGroup(group, weighed, shared_words(statement, deciding or pieces))


def cited_sources(claim: TextClaim, sources: EvidenceSource) -> list[Cited]:
    """Return what the text cites for a claim."""
    cited: list[Cited] = []
    for reference in claim.references:
        if not reference.targets:
            cited.append(Cited(reference, None, None))
        cited += [Cited(reference, target, sources.named(target)) for target in reference.targets]
    return cited


def _with_cited(
    statement: str,
    candidates: list[Candidate],
    passages: Sequence[Passage],
    origins: Sequence[str],
    options: VerifyOptions,
) -> list[Candidate]:
    """Return the candidates with the best sentences of each cited source that has too few among them."""
    keys = {candidate.key for candidate in candidates}
    for source in origins:
        of_source = candidates_of(passage for passage in passages if source in (passage.source, passage.id))
        best = prefilter(statement, of_source, 2 * options.per_source)
        candidates += [candidate for candidate in best if candidate.key not in keys]
    return candidates


def _citation(entry: Cited, reads: Sequence[ReadGroup]) -> CitationCheck:
    """Return what the cited source says about the claim."""
    read = next((read for read in reads if read.group.origin == entry.source), None)
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
