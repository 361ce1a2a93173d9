"""A verification as one HTML page: the text on the left, the evidence on the right.

The page has no script and loads nothing. Verdicts differ by colour, by the line below the words and by a
sign, so that they can be told apart without colours.
"""

from __future__ import annotations

from textwrap import shorten

from probative.html import Html, escape, join
from probative.types import Verdict
from probative.verify.reports.page_style import STYLE
from probative.verify.reports.segments import segments_of
from probative.verify.verification import CheckedClaim, CitationCheck, EvidenceSentence, Verification

SIGNS = {Verdict.SUPPORTED: "✓", Verdict.CONTRADICTED: "✗", Verdict.INSUFFICIENT: "?"}

_MAX_TITLE = 60
_ORDER = (Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.INSUFFICIENT)


def page(verification: Verification, *, made: str = "") -> str:
    """Return the page of a verification; `made` says in its footer how and when it was made."""
    title = f"Verification of {verification.name or _first_words(verification.text)}"
    body = join(
        _element("header", _element("h1", title), _summary(verification)),
        _element("main", _text(verification), _claims(verification)),
        _unchecked(verification),
        _footer(verification, made),
    )
    head = join(
        Html('<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">'),
        _element("title", title),
        Html(f"<style>{STYLE}</style>"),
    )
    return f'<!doctype html>\n<html lang="en"><head>{head}</head><body>{body}</body></html>\n'


def _first_words(text: str) -> str:
    """Return the beginning of a text that has no name.

    >>> _first_words("The mill burnt down.  It was rebuilt.")
    '“The mill burnt down. It was rebuilt.”'
    """
    return f"“{shorten(text, _MAX_TITLE, placeholder=' …')}”" if text.strip() else "a text"


def _element(name: str, *content: str, kind: str = "", identity: str = "", link: str = "") -> Html:
    attributes = "".join(
        f' {attribute}="{escape(value)}"'
        for attribute, value in (("class", kind), ("id", identity), ("href", link))
        if value
    )
    return Html(f"<{name}{attributes}>{join(*content)}</{name}>")


def _summary(verification: Verification) -> Html:
    counts = verification.counts
    parts = [
        _element("li", f"{SIGNS[verdict]} {counts[verdict]} {verdict.value}", kind=f"verdict {verdict.value}")
        for verdict in _ORDER
    ]
    counted = len(verification.claims)
    claims = _element("li", f"{counted} claim{'' if counted == 1 else 's'}")
    bars = [
        Html(f'<i class="{verdict.value}" style="flex:{counts[verdict]}"></i>')
        for verdict in _ORDER
        if counts[verdict]
    ]
    bar = Html(f'<div class="bar" aria-hidden="true">{join(*bars)}</div>')
    return join(_element("ul", claims, *parts, kind="counts"), bar)


def _text(verification: Verification) -> Html:
    pieces: list[str] = []
    for segment in segments_of(verification):
        if segment.claim is None:
            pieces.append(escape(segment.text))
        else:
            mark = _element("sup", f"{SIGNS[segment.claim.verdict]}{segment.number}")
            verdict = segment.claim.verdict.value
            pieces.append(
                _element(
                    "a",
                    segment.text,
                    mark,
                    kind=verdict,
                    identity=f"text-{segment.number}",
                    link=f"#claim-{segment.number}",
                )
            )
    return _element("section", _element("h2", "Text"), _element("div", *pieces, kind="words"), kind="text")


def _claims(verification: Verification) -> Html:
    shown = {segment.number for segment in segments_of(verification)}
    articles = [
        _claim(number, claim, in_text=number in shown) for number, claim in enumerate(verification.claims, 1)
    ]
    return _element("section", _element("h2", "Evidence"), *articles)


def _claim(number: int, claim: CheckedClaim, *, in_text: bool) -> Html:
    verdict = claim.verdict.value
    shown = verdict if claim.judged else "not judged"
    share = f" ({claim.probabilities.describe(claim.verdict)})" if claim.judged else ""
    label = str(number)
    heading = _element(
        "h3",
        _element("a", label, link=f"#text-{number}") if in_text else label,
        " ",
        _element("span", f"{SIGNS[claim.verdict]} {shown}{share}", kind=f"verdict {verdict}"),
        _element("span", claim.claim, kind="claim"),
    )
    conflict = _element("p", "The sources disagree.", kind="note") if claim.conflict else Html()
    others = [sentence for sentence in claim.evidence if not sentence.deciding]
    read = (
        _element(
            "details",
            _element("summary", f"also read: {len(others)}"),
            *(_quote(sentence) for sentence in others),
            kind="read",
        )
        if others
        else Html()
    )
    return _element(
        "article",
        heading,
        conflict,
        *(_quote(sentence) for sentence in claim.deciding),
        *(_citation(citation) for citation in claim.citations),
        *(_element("p", note, kind="note") for note in claim.notes),
        read,
        kind=verdict,
        identity=f"claim-{number}",
    )


def _quote(sentence: EvidenceSentence) -> Html:
    place = ", ".join(
        part
        for part in (
            sentence.source or "passage",
            f"page {sentence.page}" if sentence.page is not None else "",
            f"characters {sentence.start}–{sentence.end}" if sentence.start is not None else "",
            f"dated {sentence.date}" if sentence.date else "",
        )
        if part
    )
    stance = _element("b", sentence.stance, " · ") if sentence.stance else Html()
    return _element(
        "blockquote",
        sentence.text,
        _element("div", stance, place, kind="place"),
        kind=sentence.stance or "",
    )


def _citation(citation: CitationCheck) -> Html:
    says = {
        Verdict.SUPPORTED: "says so",
        Verdict.CONTRADICTED: "says otherwise",
        Verdict.INSUFFICIENT: "does not say so",
    }
    outcome = says[citation.verdict] if citation.verdict is not None else citation.note
    sign = SIGNS[citation.verdict] if citation.verdict is not None else "?"
    named = citation.source or citation.target or citation.marker
    return _element("p", f"{sign} cited: {named} {outcome}", kind="note")


def _unchecked(verification: Verification) -> Html:
    if not verification.unchecked:
        return Html()
    items = [_element("li", part.text, f" ({part.reason})") for part in verification.unchecked]
    title = f"not checked: {len(items)}"
    return _element("details", _element("summary", title), _element("ul", *items))


def _footer(verification: Verification, made: str) -> Html:
    names = (made, verification.verdict_model, verification.policy, verification.usage.describe())
    parts = [*(name for name in names if name), *verification.notes]
    return _element("footer", " · ".join(parts))
