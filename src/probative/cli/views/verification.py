"""A verification: the text with its claims marked, then each claim that is not simply supported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from probative.cli.views.features import show_notes
from probative.cli.views.judgement import STYLES
from probative.cli.views.terminal import console, plain, plain_lines
from probative.types import Verdict
from probative.verify.reports.page import SIGNS
from probative.verify.reports.segments import segments_of
from probative.verify.verification import CheckedClaim, CitationCheck, EvidenceSentence, Verification

if TYPE_CHECKING:
    from rich.text import Text

_ORDER = (Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.INSUFFICIENT)
_SAYS = {
    Verdict.SUPPORTED: "says so",
    Verdict.CONTRADICTED: "says otherwise",
    Verdict.INSUFFICIENT: "does not say so",
}


def show_verification(verification: Verification, *, whole: bool = False) -> None:
    """Print a verification; with `whole`, the evidence of supported claims, too."""
    terminal = console()
    terminal.print(marked_claims(verification))
    for number, claim in enumerate(verification.claims, 1):
        if whole or claim.verdict is not Verdict.SUPPORTED or claim.conflict or _fails(claim):
            terminal.print(claim_lines(number, claim))
    terminal.print(summary_line(verification))
    show_notes(terminal, verification.notes)


def marked_claims(verification: Verification) -> Text:
    """Return the text, each claim in the colour of its verdict and behind its sign and number."""
    from rich.text import Text

    text = Text()
    for segment in segments_of(verification):
        if segment.claim is None:
            text.append(_piece(segment.text), style="dim")
            continue
        style = STYLES[segment.claim.verdict]
        text.append(f"[{SIGNS[segment.claim.verdict]}{segment.number}] ", style=style)
        text.append(_piece(segment.text), style=style.removeprefix("bold "))
    return text.append("\n")


def _piece(text: str) -> str:
    """Return a piece of a text for the terminal; the spaces at its end part it from the next one."""
    return plain_lines(text) + " " * (len(text) - len(text.rstrip(" ")))


def claim_lines(number: int, claim: CheckedClaim) -> Text:
    """Return a claim with its verdict, the deciding sentences and what its citations say."""
    from rich.text import Text

    share = f" ({claim.probabilities.describe(claim.verdict)})" if claim.judged else " (not judged)"
    lines = Text.assemble(
        (f"{SIGNS[claim.verdict]} {number}. {claim.verdict.value}", STYLES[claim.verdict]),
        f"{share}: {plain(claim.claim)}\n",
    )
    if claim.conflict:
        lines.append("    the sources disagree:\n", style="bold")
    for sentence in claim.deciding:
        lines.append(f"    {sentence.stance}: ", style="bold").append(f"{plain(sentence.text)}\n")
        lines.append(f"        {place_of(sentence)}\n", style="dim")
    for citation in claim.citations:
        if citation.verdict is not Verdict.SUPPORTED:
            lines.append(f"    citation {citation_line(citation)}\n")
    for note in claim.notes:
        lines.append(f"    note: {plain(note)}\n", style="dim")
    return lines


def place_of(sentence: EvidenceSentence) -> str:
    """Return where a sentence stands, as `probative show` takes it."""
    return plain(sentence.citation or sentence.source or "passage without a source")


def citation_line(citation: CitationCheck) -> str:
    """Return what a citation is worth, in words."""
    outcome = _SAYS[citation.verdict] if citation.verdict is not None else citation.note
    named = citation.source or citation.target or ""
    marker = citation.marker if len(citation.marker) < 20 else ""
    return plain(f"{f'{marker} {named}'.strip()}: {outcome}")


def summary_line(verification: Verification) -> Text:
    """Return the number of claims with each verdict."""
    from rich.text import Text

    counts = verification.counts
    number = len(verification.claims)
    line = Text(f"{number} claim{'' if number == 1 else 's'}: ")
    for verdict in _ORDER:
        if verdict is not _ORDER[0]:
            line.append(", ")
        line.append(f"{counts[verdict]} {verdict.value}", style=STYLES[verdict])
    if verification.unchecked:
        line.append(f"; {len(verification.unchecked)} not checked")
    return line


def _fails(claim: CheckedClaim) -> bool:
    return any(citation.verdict is not Verdict.SUPPORTED for citation in claim.citations)
