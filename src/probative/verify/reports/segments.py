"""A text cut into claims and what stands between them."""

from __future__ import annotations

from typing import NamedTuple

from probative.verify.verification import CheckedClaim, Verification


class TextSegment(NamedTuple):
    """A piece of a text; `number` counts its claim from 1, and both are missing between claims."""

    text: str
    number: int | None = None
    claim: CheckedClaim | None = None


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


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    r"""Return the line and the column of a character, both from 1.

    >>> line_and_column("one\ntwo", 5)
    (2, 2)
    """
    before = text[:offset]
    return before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1


def message_of(claim: CheckedClaim) -> str:
    """Return what a pipeline says about a claim: the verdict, and the sentence that decides."""
    parts = [f"{claim.verdict.value}: {claim.claim}"]
    for sentence in claim.deciding:
        place = sentence.citation or sentence.source or "a passage"
        parts.append(f'{sentence.stance} ({place}): "{sentence.text}"')
    if not claim.deciding:
        parts.append("no source decides it")
    return "\n".join(parts)
