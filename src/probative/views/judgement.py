"""A judgement: the verdict, its probabilities, and the deciding sentences in their surroundings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from probative.text.labels import counted
from probative.types import Verdict
from probative.verdict.judgement import Judgement, Probabilities
from probative.views.blocks import (
    TONES,
    WORDS,
    Bar,
    Block,
    Line,
    Notes,
    Part,
    Span,
    Table,
    Tone,
    columns,
    cost,
    faint,
    line,
    page,
    page_badge,
    screen,
    strong,
    verdict_badge,
)

# How many sentences before and after a marked one are shown.
CONTEXT = 1
# A text with more sentences than this is shown only around its marked sentences.
MAX_WHOLE_TEXT = 40
# How many sentences a page shows if none decides.
MAX_UNDECIDED = 6


def judgement_view(judgement: Judgement) -> Sequence[Block]:
    """Return the claim, the verdict, its probabilities, the deciding sentences, the notes and the cost."""
    judged = judgement.judged
    contradicted, texts = judgement.disputed, judgement.deciding_texts
    return [
        page(
            line(strong(judgement.claim), " ", page_badge(judgement.verdict, judged=judged)),
            *([sides_table(strong(contradicted), texts)] if contradicted is not None else []),
            *([probabilities_table(judgement.probabilities)] if judged else []),
            *_evidence(judgement),
        ),
        screen(
            line(*verdict_words(judgement.verdict, judgement.probabilities, judged=judged)),
            *(both_sides(contradicted, texts) if contradicted is not None else []),
            *(_probabilities_and_text(judgement) if judged else []),
        ),
        Notes(judgement.notes),
        cost(judgement),
    ]


def verdict_words(verdict: Verdict, probabilities: Probabilities, *, judged: bool) -> list[Part]:
    """Return the verdict with its probability, or that nothing was judged, for a screen."""
    words = f" ({probabilities.describe(verdict)})" if judged else f" (counts as {verdict.value})"
    return [verdict_badge(verdict, judged=judged), words]


def both_sides(claim: str, deciding: Sequence[str]) -> list[Line]:
    """Return the claim and the sentences that contradict it, one below the other."""
    evidence = [line(Span("evidence:", "dim"), " ", Span(text, "bold")) for text in deciding]
    return [line(Span("claim:", "dim"), "    ", Span(claim)), *evidence]


def sides_table(claim: Part, deciding: Sequence[str]) -> Table:
    """Return the claim and the sentences that contradict it as a table."""
    return Table([("claim", claim), *(("evidence", Span(text, "bad")) for text in deciding)])


def probabilities_table(probabilities: Probabilities) -> Table:
    """Return a bar for each verdict, for a page."""
    rows = [
        (WORDS[verdict], f"{probabilities.of(verdict):.0%}", Bar(probabilities.of(verdict), 1.0))
        for verdict in TONES
    ]
    return Table(rows, columns("verdict", "probability", "", right=[1]))


def marked_text(sentences: Sequence[str], marks: Mapping[int, str], look: str = "bold green") -> Line:
    """Return a text with the sentences at the indexes of `marks` in bold after their marks; of a long text,
    only what is near them.
    """

    def is_shown(index: int) -> bool:
        is_short = len(sentences) <= MAX_WHOLE_TEXT
        return is_short or any(abs(index - marked) <= CONTEXT for marked in marks)

    parts: list[Part] = []
    for shown, group in groupby(range(len(sentences)), is_shown):
        indexes = list(group)
        if not shown:
            parts += [Span(f"[… {counted(len(indexes), 'sentence')} …]", "dim italic"), " "]
            continue
        for index in indexes:
            mark: list[Part] = [Span(marks[index], look), " "] if index in marks else []
            parts += [*mark, Span(sentences[index], "bold" if mark else "dim"), " "]
    return line(*parts)


def _probabilities_and_text(judgement: Judgement) -> list[Block]:
    values = [(verdict, judgement.probabilities.of(verdict), tone) for verdict, tone in TONES.items()]
    bars = [
        line(f"  {verdict.value:<13}{value:>4.0%} ", Bar(value, 1.0, 30, tone))
        for verdict, value, tone in values
    ]
    if not judgement.evidence:
        return [*bars, line()]
    texts = [sentence.text for sentence in judgement.evidence]
    marks = {index: f"[{index + 1}]" for index in judgement.deciding}
    others = [line("the other side: ", f"[{index + 1}] ", Span(texts[index])) for index in judgement.opposing]
    return [*bars, line(), marked_text(texts, marks, f"badge {TONES[judgement.verdict]}"), *others]


def _evidence(judgement: Judgement) -> list[Block]:
    """Return the deciding sentences between their neighbours, or the first sentences if none decides. Each
    that is on a side has the colour of the verdict or the opposite one.
    """
    verdict_tone: Tone = "bad" if judgement.verdict is Verdict.CONTRADICTED else "good"
    opposite_tone: Tone = "good" if verdict_tone == "bad" else "bad"
    tones = {
        **dict.fromkeys(judgement.deciding, verdict_tone),
        **dict.fromkeys(judgement.opposing, opposite_tone),
    }
    shown = [
        sentence
        for sentence in judgement.evidence
        if any(abs(sentence.index - index) <= CONTEXT for index in tones)
        or (not tones and sentence.index < MAX_UNDECIDED)
    ]
    rows = [(str(each.index), Span(each.text, tones.get(each.index, "faint"))) for each in shown]
    left = len(judgement.evidence) - len(shown)
    more = [line(faint(f"… and {left:,} more sentences"))] if left else []
    return [Table(rows, columns("index", "sentence", right=[0])), *more]
