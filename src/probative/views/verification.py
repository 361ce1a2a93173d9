"""A verification: the text with its claims marked, then each claim that is not simply supported."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import shorten
from typing import NamedTuple

from probative.text.labels import counted
from probative.types import Verdict
from probative.verify.verification import CheckedClaim, CitationCheck, Verification
from probative.views.blocks import (
    SIGNS,
    TONES,
    WORDS,
    Block,
    Line,
    Notes,
    Part,
    Prose,
    Span,
    cost,
    faint,
    line,
    page,
    screen,
    strong,
)

_SAYS = {
    Verdict.SUPPORTED: "says so",
    Verdict.CONTRADICTED: "says otherwise",
    Verdict.INSUFFICIENT: "does not say so",
}
# The words of a screen.
_VALUES = {verdict: verdict.value for verdict in TONES}
_MAX_TITLE = 60


class TextSegment(NamedTuple):
    """A piece of a text; `number` counts its claim from 1, and both are missing between claims."""

    text: str
    number: int | None = None
    claim: CheckedClaim | None = None


def verification_view(verification: Verification, *, whole: bool = False) -> Sequence[Block]:
    """Return the text with its claims marked, the claims, and how many have each verdict; with `whole`, the
    evidence of supported claims, too.
    """
    shown: list[Block] = []
    for number, claim in enumerate(verification.claims, 1):
        if whole or claim.verdict is not Verdict.SUPPORTED or claim.conflict or _fails(claim):
            shown += [*_claim(number, claim), screen(line())]
    return [
        Prose(tuple(_marked(verification))),
        screen(line()),
        *shown,
        page(_summary(verification, WORDS)),
        screen(_summary(verification, _VALUES)),
        Notes(verification.notes),
        cost(verification),
    ]


def segments_of(verification: Verification) -> list[TextSegment]:
    """Return the whole text in pieces, each claim one; a claim inside another one is left to the first.

    >>> segments_of(Verification(text="It rained."))
    [TextSegment(text='It rained.', number=None, claim=None)]
    """
    segments: list[TextSegment] = []
    cursor = 0
    for number, claim in enumerate(verification.claims, 1):
        if claim.start < cursor:
            continue
        if claim.start > cursor:
            segments.append(TextSegment(verification.text[cursor : claim.start]))
        segments.append(TextSegment(verification.text[claim.start : claim.end], number, claim))
        cursor = claim.end
    if cursor < len(verification.text):
        segments.append(TextSegment(verification.text[cursor:]))
    return segments


def _marked(verification: Verification) -> list[Part]:
    """Return the text, each claim in the colour of its verdict and behind its sign and number."""
    parts: list[Part] = []
    for text, number, claim in segments_of(verification):
        if claim is None:
            parts.append(Span(text, "faint"))
        else:
            tone = TONES[claim.verdict]
            parts += [Span(f"[{SIGNS[claim.verdict]}{number}]", f"badge {tone}"), " ", Span(text, tone)]
    return parts


def _claim(number: int, claim: CheckedClaim) -> list[Block]:
    """Return a claim with its verdict, the deciding sentences and what its citations say."""
    share = f" ({claim.probabilities.describe(claim.verdict)}): " if claim.judged else " (not judged): "

    def head(words: Mapping[Verdict, str]) -> Line:
        verdict = f"{SIGNS[claim.verdict]} {number}. {words[claim.verdict]}"
        return line(Span(verdict, f"badge {TONES[claim.verdict]}"), share, Span(claim.claim))

    lines: list[Block] = [page(head(WORDS)), screen(head(_VALUES))]
    if claim.conflict:
        lines.append(line(strong("the sources disagree:"), indent=4))
    for sentence in claim.deciding:
        lines.append(line(strong(f"{sentence.stance}:"), " ", Span(sentence.text), indent=4))
        lines.append(line(faint(sentence.location), indent=8))
    for citation in claim.citations:
        if citation.verdict is not Verdict.SUPPORTED:
            marker = citation.marker if len(citation.marker) < 20 else ""
            named = f"{marker} {citation.source or citation.target or ''}".strip()
            lines.append(line(Span(f"citation {named}: {outcome_of(citation)}"), indent=4))
    return [*lines, *(line(faint(f"note: {note}"), indent=4) for note in claim.notes)]


def outcome_of(citation: CitationCheck) -> str:
    """Return what a cited source says, in words."""
    return _SAYS[citation.verdict] if citation.verdict is not None else citation.note


def _summary(verification: Verification, words: Mapping[Verdict, str]) -> Line:
    """Return the number of claims with each verdict."""
    parts: list[Part] = [f"{counted(len(verification.claims), 'claim')}: "]
    for verdict, tone in TONES.items():
        parts += [Span(f"{verification.counts[verdict]} {words[verdict]}", f"badge {tone}"), ", "]
    unchecked = f"; {len(verification.unchecked)} not checked" if verification.unchecked else ""
    return line(*parts[:-1], unchecked)


def _fails(claim: CheckedClaim) -> bool:
    return any(citation.verdict is not Verdict.SUPPORTED for citation in claim.citations)


def message_of(claim: CheckedClaim) -> str:
    """Return what a pipeline says about a claim: the verdict, and the sentence that decides."""
    return "\n".join([f"{claim.verdict.value}: {claim.claim}", *evidence_lines(claim)])


def evidence_lines(claim: CheckedClaim) -> list[str]:
    """Return the sentences that decide a claim, a line each."""
    return [f'{sentence.stance} ({sentence.location}): "{sentence.text}"' for sentence in claim.deciding] or [
        "no source decides it"
    ]


def title_of(verification: Verification) -> str:
    """Return what a report of a verification is called: by its name, or the beginning of its text.

    >>> title_of(Verification(text="The mill burnt down.  It was rebuilt."))
    'Verification of “The mill burnt down. It was rebuilt.”'
    """
    text = verification.text
    words = f"“{shorten(text, _MAX_TITLE, placeholder=' …')}”" if text.strip() else "a text"
    return f"Verification of {verification.name or words}"
