"""A verification as one HTML page: the text on the left, the evidence on the right.

The page has no script and loads nothing. Verdicts differ by colour, by the line below the words and by a
sign, so that they can be told apart without colours.
"""

from __future__ import annotations

import re
from importlib.resources import files

from probative.corpus.documents.document import Citation
from probative.corpus.documents.places import Place
from probative.text.labels import counted
from probative.verify.references import masked, one_line
from probative.verify.verification import CheckedClaim, CitationCheck, EvidenceSentence, Verification
from probative.views.blocks import SIGNS, TONES, WORDS
from probative.views.html import Html, escape, join, tag
from probative.views.verification import outcome_of, segments_of, title_of

# Of a heading, a list or a quotation.
_MARKS = re.compile(r"^(?:(?:[-+*>]|#{1,6}) +)+")


def whole_page(title: str, *body: str, style: str = "") -> str:
    """Return a page that loads nothing, in the style of downloaded pages and `style`.

    Its colours are those of the page of the server: teal, rust and amber on solid grounds. Lines differ too:
    solid, double and dotted; and every verdict has a sign and a word. Colours of text have a contrast of at
    least 4.5 to 1 on their ground, on the light page and on the dark one.
    """
    common = files("probative.views").joinpath("page.css").read_text(encoding="utf-8")
    head = (
        '<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{escape(title)}</title><style>\n{common}{style}</style>"
    )
    return f'<!doctype html>\n<html lang="en"><head>{head}</head><body>{join(*body)}</body></html>\n'


def page(verification: Verification, *, made: str = "") -> str:
    """Return the page of a verification; `made` says in its footer how and when it was made."""
    title = title_of(verification)
    names = (made, verification.verdict_model, verification.policy, verification.usage.describe())
    return whole_page(
        title,
        tag("header", tag("h1", title), _summary(verification)),
        tag("main", _text(verification), _claims(verification)),
        _unchecked(verification),
        tag("footer", " · ".join([*(name for name in names if name), *verification.notes])),
    )


def _summary(verification: Verification) -> Html:
    counts = verification.counts
    parts = [
        tag("li", f"{SIGNS[verdict]} {counts[verdict]} {WORDS[verdict]}", class_=f"verdict {verdict.value}")
        for verdict in TONES
    ]
    bars = [
        tag("i", class_=verdict.value, style=f"flex:{counts[verdict]}")
        for verdict in TONES
        if counts[verdict]
    ]
    claims = tag("li", counted(len(verification.claims), "claim"))
    bar = Html(f'<div class="bar" aria-hidden="true">{join(*bars)}</div>')
    return join(tag("ul", claims, *parts, class_="counts"), bar)


def _text(verification: Verification) -> Html:
    pieces = [
        escape(text)
        if claim is None
        else tag(
            "a",
            text,
            tag("sup", f"{SIGNS[claim.verdict]}{number}"),
            class_=claim.verdict.value,
            id=f"text-{number}",
            href=f"#claim-{number}",
        )
        for text, number, claim in segments_of(verification)
    ]
    return tag("section", tag("h2", "Text"), tag("div", *pieces, class_="words"), class_="text")


def _claims(verification: Verification) -> Html:
    shown = {segment.number for segment in segments_of(verification)}
    articles = [
        _claim(number, claim, in_text=number in shown) for number, claim in enumerate(verification.claims, 1)
    ]
    return tag("section", tag("h2", "Evidence"), *articles)


def _claim(number: int, claim: CheckedClaim, *, in_text: bool) -> Html:
    verdict = claim.verdict.value
    share = claim.probabilities.describe(claim.verdict)
    outcome = f"{WORDS[claim.verdict]} ({share})" if claim.judged else "Not judged"
    heading = tag(
        "h3",
        tag("a", str(number), href=f"#text-{number}") if in_text else str(number),
        " ",
        tag("span", f"{SIGNS[claim.verdict]} {outcome}", class_=f"verdict {verdict}"),
        tag("span", claim.claim, class_="claim"),
    )
    notes = [*map(_citation, claim.citations), *claim.notes]
    others = [_quote(sentence) for sentence in claim.evidence if not sentence.deciding]
    also_read = tag("details", tag("summary", f"also read: {len(others)}"), *others, class_="read")
    return tag(
        "article",
        heading,
        tag("p", "The sources disagree.", class_="note") if claim.conflict else "",
        *map(_quote, claim.deciding),
        *(tag("p", note, class_="note") for note in notes),
        also_read if others else "",
        class_=verdict,
        id=f"claim-{number}",
    )


def _quote(sentence: EvidenceSentence) -> Html:
    places = (
        sentence.source or "passage",
        (Citation.parse(sentence.citation) if sentence.citation else Place(page=sentence.page)).words,
        f"characters {sentence.start}–{sentence.end}" if sentence.start is not None else "",
        f"dated {sentence.date}" if sentence.date else "",
        f"read by {sentence.read_by}" if sentence.read_by else "",
    )
    location = ", ".join(filter(None, places))
    stance = tag("b", sentence.stance, " · ") if sentence.stance else ""
    below = tag("div", stance, location, class_="place")
    return tag("blockquote", _plain(sentence), below, class_=sentence.stance or "")


def _plain(sentence: EvidenceSentence) -> str:
    """Return the words of a sentence: without the marks of Markdown if its file has that."""
    if not (sentence.source or "").lower().endswith((".md", ".markdown")):
        return sentence.text
    words = one_line(masked(sentence.text, ()))
    if words.startswith("|"):
        return words.strip("| ").replace(" | ", " · ")
    return _MARKS.sub("", words)


def _citation(citation: CitationCheck) -> str:
    sign = SIGNS[citation.verdict] if citation.verdict is not None else "?"
    named = citation.source or citation.target or citation.marker
    return f"{sign} cited: {named} {outcome_of(citation)}"


def _unchecked(verification: Verification) -> Html:
    if not verification.unchecked:
        return Html()
    items = [tag("li", part.text, f" ({part.reason})") for part in verification.unchecked]
    return tag("details", tag("summary", f"not checked: {len(items)}"), tag("ul", *items))
