"""An answer and a check as HTML, for notebooks."""

from __future__ import annotations

from collections.abc import Sequence

from probative import html
from probative.html import Html, Tone
from probative.scope.checks import AnswerCheck
from probative.scope.features import Features
from probative.scope.result import Answer, ChainPassage, Check, CitedSentence, Computation, Conflict
from probative.text.labels import passage_label
from probative.types import Verdict

TONES: dict[Verdict, Tone] = {
    Verdict.SUPPORTED: "good",
    Verdict.INSUFFICIENT: "warning",
    Verdict.CONTRADICTED: "bad",
}
# A wider table of features does not fit on a page.
MAX_COLUMNS = 12

Carried = tuple[int, Sequence[str]]
"""The index of a passage, and the names of the features that it carries."""


def answer_html(answer: Answer) -> str:
    """Return the answer, its verdict, the chain, the features, the conflicts, the notes and the cost."""
    text = html.tag("b", answer.answer) if answer.answer is not None else html.faded(_no_answer(answer))
    cited = "".join(passage_label(index) for index in answer.citations)
    leading = "".join(dict.fromkeys(passage_label(sentence.index) for sentence in answer.leading))
    markers = [f" {cited} ", html.faded(f"by way of {leading} ") if leading and cited else ""]
    parts = [
        html.paragraph(html.faded(answer.question)),
        html.paragraph(text, *markers, html.badge(answer.verdict.value, TONES[answer.verdict])),
        *_checks(answer.checks),
        *_quotes(
            "The answer rests on" if answer.answer is not None else "The candidate rests on",
            answer.cited,
            answer,
        ),
        *_quotes("What leads there", answer.leading, answer),
        *_computation(answer.computation),
        *_missing(answer.missing),
        *(_conflict(conflict, answer) for conflict in answer.conflicts),
    ]
    if answer.chain:
        parts += [html.heading("Evidence"), _chain(answer), *_legend(answer)]
    if answer.features is not None:
        carried = [(passage.index, passage.carries) for passage in answer.chain]
        parts.append(html.details("Features", _features(answer.features, carried, answer.missing)))
    parts.append(html.notes(answer.notes))
    source = [f"method {answer.method}", *([answer.model] if answer.model else []), answer.usage.describe()]
    parts.append(html.paragraph(html.faded(", ".join(source))))
    return html.result(*parts)


def check_html(check: Check) -> str:
    """Return whether the knowledge is complete, what is missing, and which passage carries which feature."""
    badge = html.badge("complete", "good") if check.complete else html.badge("incomplete", "bad")
    carried = [(judgement.index, judgement.carries) for judgement in check.judgements if judgement.carries]
    rows = [
        [passage_label(judgement.index), judgement.text, ", ".join(judgement.carries)]
        for judgement in check.judgements
        if judgement.carries
    ]
    return html.result(
        html.paragraph(html.faded(check.question)),
        html.paragraph(badge),
        *_checks(check.checks),
        *_missing(check.missing),
        _features(check.features, carried, check.missing),
        html.details("Passages", html.table(rows, ["", "passage", "carries"])),
        html.notes(check.notes),
        html.paragraph(html.faded(check.usage.describe())),
    )


def _checks(checks: Sequence[AnswerCheck]) -> list[Html]:
    """Return a row for each check: whether it passed, the outcome in words, and its number."""
    rows = [["✓" if check.passed else "✗", check.text, check.number] for check in checks]
    return [html.table(rows)] if rows else []


def _no_answer(answer: Answer) -> str:
    return "no answer" if answer.candidate is None else f"no answer (candidate: {answer.candidate})"


def _quotes(title: str, sentences: Sequence[CitedSentence], answer: Answer) -> list[Html]:
    """Return sentences of the chain, each with the label of its passage and its place."""
    if not sentences:
        return []
    rows = [
        _quoted(sentence.text, sentence.index, sentence.citation or _place_of(answer, sentence.index))
        for sentence in sentences
    ]
    return [html.heading(title), html.table(rows)]


def _quoted(text: str, index: int, place: str | None) -> list[str]:
    """Return the row of a sentence: the label of its passage, its text, and below it where it stands."""
    return [passage_label(index), html.join(text, _below(place))]


def _below(place: str | None) -> Html:
    return html.paragraph(html.faded(place)) if place else Html()


def _place_of(answer: Answer, index: int) -> str | None:
    """Return where a passage stands: its citation, or the name of its source; None if neither is known.

    The side of a conflict need not be in the chain. If every passage has a citation, as those of uploaded
    files do, they are counted as the passages are.
    """
    for passage in answer.chain:
        if passage.index == index and (passage.citation or passage.source):
            return passage.citation or passage.source
    return answer.retrieved[index] if index < len(answer.retrieved) == answer.passages else None


def _legend(answer: Answer) -> list[Html]:
    """Return what the colours of the sentences mean, if there are two."""
    if not answer.leading:
        return []
    rests = [html.highlight("the answer rests on it"), " "] if answer.answer is not None else []
    return [html.paragraph("In the passages: ", *rests, html.highlight("leads there", "neutral"))]


def _computation(computation: Computation | None) -> list[Html]:
    """Return the rule of a computation, and each value with the passage that gives it."""
    if computation is None:
        return []
    rows = [
        [
            value.name,
            value.attribute,
            value.value or "not given",
            passage_label(value.index) if value.index is not None else "",
        ]
        for value in computation.values
    ]
    return [html.paragraph("computed: ", html.tag("b", computation.rule)), html.table(rows)]


def _missing(features: Sequence[str]) -> list[Html]:
    if not features:
        return []
    return [html.paragraph(html.badge("missing", "bad"), " ", "; ".join(features))]


def _conflict(conflict: Conflict, answer: Answer) -> Html:
    """Return both sides of a conflict, and the sentences that state them with their places."""
    place = conflict.citation or _place_of(answer, conflict.index)
    other_place = conflict.other_citation or _place_of(answer, conflict.other)
    return html.paragraph(
        html.badge("conflict", "bad"),
        f" {passage_label(conflict.index)} says {conflict.says}, "
        f"{passage_label(conflict.other)} says {conflict.instead}",
        html.table(
            [
                _quoted(conflict.text, conflict.index, place),
                _quoted(conflict.other_text, conflict.other, other_place),
            ]
        ),
    )


def _chain(answer: Answer) -> Html:
    """Return the passages of the chain; the sentences that the answer rests on, and those that lead there,
    are highlighted.
    """
    rows = []
    for passage in answer.chain:
        text = _marked(passage, answer)
        title = html.tag("i", f"{passage.title}: ") if passage.title is not None else ""
        # Without cited sentences, the passage itself is what the answer rests on.
        is_cited = not answer.cited and passage.index in answer.citations
        place = _below(_place_of(answer, passage.index)) if is_cited else ""
        probability = "" if passage.probability is None else f"{passage.probability:.0%}"
        carries = ", ".join(passage.carries)
        rows.append([passage_label(passage.index), html.join(title, text, place), carries, probability])
    return html.table(rows, ["", "passage", "carries", ""], numeric=(3,))


def _marked(passage: ChainPassage, answer: Answer) -> Html:
    """Return the text of a passage with its cited and leading sentences highlighted; if no sentence is
    known, the whole of a cited passage.
    """
    sentences: list[tuple[CitedSentence, Tone]] = [
        *((sentence, "good") for sentence in answer.cited),
        *((sentence, "neutral") for sentence in answer.leading),
    ]
    spans = sorted(
        (sentence.start, sentence.end, tone)
        for sentence, tone in sentences
        if sentence.index == passage.index and passage.text[sentence.start : sentence.end] == sentence.text
    )
    if not spans and not answer.cited and passage.index in answer.citations:
        return html.highlight(passage.text)
    parts: list[str] = []
    done = 0
    for start, end, tone in spans:
        parts += [passage.text[done:start], html.highlight(passage.text[start:end], tone)]
        done = end
    return html.join(*parts, passage.text[done:])


def _features(features: Features, carried: Sequence[Carried], missing: Sequence[str]) -> Html:
    """Return a row for each feature and a column for each of the passages that carry most."""
    best_first = sorted(range(len(carried)), key=lambda position: (-len(carried[position][1]), position))
    columns = [carried[position] for position in sorted(best_first[:MAX_COLUMNS])]
    rows = [
        [
            feature.kind,
            feature.text,
            *("●" if feature.name in names else "·" for _, names in columns),
            html.badge("missing", "bad") if feature.name in missing else "",
        ]
        for feature in features.listed()
    ]
    return html.table(rows, ["", "feature", *(passage_label(index) for index, _ in columns), ""])
