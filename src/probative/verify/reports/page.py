"""A verification as one HTML page: the text on the left, the evidence on the right.

The page has no script and loads nothing. Verdicts differ by colour, by the line below the words and by a
sign, so that they can be told apart without colours.
"""

from __future__ import annotations

from probative.html import Html, escape, join
from probative.types import Verdict
from probative.verify.reports.segments import segments_of
from probative.verify.verification import CheckedClaim, CitationCheck, EvidenceSentence, Verification

SIGNS = {Verdict.SUPPORTED: "✓", Verdict.CONTRADICTED: "✗", Verdict.INSUFFICIENT: "?"}

# Blue, vermilion and grey stay apart for all common kinds of colour blindness (Okabe and Ito).
_STYLE = """
:root{color-scheme:light dark;--supported:#0072b2;--contradicted:#d55e00;--insufficient:#777}
body{font:16px/1.55 system-ui,sans-serif;margin:0 auto;max-width:80em;padding:1em}
main{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:2em}
@media(max-width:50em){main{display:block}}
.text{white-space:pre-wrap;overflow-wrap:anywhere}
@media(min-width:50em){.text{position:sticky;top:1em;align-self:start;max-height:96vh;overflow:auto}}
.text a{color:inherit;text-decoration:none;border-bottom:3px solid;border-radius:2px}
.text a sup{font-weight:bold}
a.supported{border-color:var(--supported)}
a.contradicted{border-bottom-style:double;border-bottom-width:5px;border-color:var(--contradicted)}
a.insufficient{border-bottom-style:dotted;border-color:var(--insufficient)}
article{border-left:6px solid;padding:.2em 0 .2em 1em;margin:0 0 1.2em}
article.supported{border-color:var(--supported)}
article.contradicted{border-left-style:double;border-color:var(--contradicted)}
article.insufficient{border-left-style:dotted;border-color:var(--insufficient)}
article:target{outline:2px solid currentColor;outline-offset:4px}
h1{font-size:1.3em}h2{font-size:1em;margin:0 0 .3em}
.verdict{font-weight:bold;white-space:nowrap}
.verdict.supported{color:var(--supported)}.verdict.contradicted{color:var(--contradicted)}
blockquote{margin:.4em 0;padding-left:.7em;border-left:2px solid #8886}
.place,.note,footer{font-size:.85em;opacity:.8}
.read{opacity:.7}summary{cursor:pointer;font-size:.85em}
"""


def page(verification: Verification) -> str:
    """Return the page of a verification."""
    title = f"Verification of {verification.name or 'a text'}"
    body = join(
        _element("h1", title),
        _summary(verification),
        _element("main", _text(verification), _claims(verification)),
        _unchecked(verification),
        _footer(verification),
    )
    head = join(
        Html('<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">'),
        _element("title", title),
        Html(f"<style>{_STYLE}</style>"),
    )
    return f'<!doctype html>\n<html lang="en"><head>{head}</head><body>{body}</body></html>\n'


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
        _element(
            "span", f"{SIGNS[verdict]} {counts[verdict]} {verdict.value}", kind=f"verdict {verdict.value}"
        )
        for verdict in (Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.INSUFFICIENT)
    ]
    joined = Html(" · ".join(parts))
    return _element("p", f"{len(verification.claims)} claims: ", joined)


def _text(verification: Verification) -> Html:
    pieces: list[str] = []
    for segment in segments_of(verification):
        if segment.claim is None:
            pieces.append(escape(segment.text))
        else:
            mark = _element("sup", f"{SIGNS[segment.claim.verdict]}{segment.number}")
            verdict = segment.claim.verdict.value
            pieces.append(_element("a", segment.text, mark, kind=verdict, link=f"#claim-{segment.number}"))
    return _element("section", *pieces, kind="text")


def _claims(verification: Verification) -> Html:
    articles = [_claim(number, claim) for number, claim in enumerate(verification.claims, 1)]
    return _element("section", *articles)


def _claim(number: int, claim: CheckedClaim) -> Html:
    verdict = claim.verdict.value
    shown = verdict if claim.judged else "not judged"
    share = f" ({claim.probabilities.of(claim.verdict):.0%})" if claim.judged else ""
    heading = _element(
        "h2",
        _element("span", f"{SIGNS[claim.verdict]} {shown}{share}", kind=f"verdict {verdict}"),
        f" {number}. {claim.claim}",
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
            sentence.date or "",
        )
        if part
    )
    stance = f"{sentence.stance}: " if sentence.stance else ""
    return _element("blockquote", sentence.text, _element("div", stance, place, kind="place"))


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


def _footer(verification: Verification) -> Html:
    names = (verification.verdict_model, verification.policy, verification.usage.describe())
    parts = [*(name for name in names if name), *verification.notes]
    return _element("footer", " · ".join(parts))
