"""An answer: the text or why there is none, the chain, the features and the conflicts."""

from __future__ import annotations

from collections.abc import Sequence

from probative.scope.result import Answer, ChainPassage, CitedSentence, Conflict, Level
from probative.text.labels import counted, passage_label, with_reader
from probative.types import Verdict
from probative.views.blocks import (
    Block,
    Cell,
    Column,
    Fitted,
    Folded,
    Heading,
    Line,
    Notes,
    Part,
    Quotes,
    Span,
    Table,
    Tone,
    columns,
    cost,
    faint,
    line,
    page,
    screen,
    strong,
)
from probative.views.check import checks_table, features_table, missing_line

# The words of the page of the server.
_LEVELS = {
    Level.SUPPORTED: Span("✓ Supported", "badge good"),
    Level.PROBABLE: Span("≈ Probable, not confirmed", "badge warning"),
    Level.DISPUTED: Span("✗ Disputed", "badge bad"),
    Level.NOT_FOUND: Span("? Not found", "badge neutral"),
}


def answer_view(answer: Answer) -> Sequence[Block]:
    """Return the answer, its verdict, its evidence, the features, the conflicts and the cost."""
    what = "candidate" if answer.answer is None and answer.candidate is not None else "answer"
    is_guess = answer.answer is None and answer.level is not Level.PROBABLE
    conflicts = [block for conflict in answer.conflicts for block in _conflict(conflict, answer)]
    features: list[Block] = []
    if answer.features is not None:
        carried = [(passage.index, passage.carries) for passage in answer.chain]
        features = [features_table(answer.features, carried, answer.missing)]
    return [
        page(
            line(faint(answer.question)),
            *_reading(answer),
            line(*_answer(answer), *_badge(answer)),
            *_guess(answer),
            *_guarantee(answer),
            *checks_table(answer.checks),
            *_quotes("Behind the guess" if is_guess else "The answer rests on", answer.cited, answer),
            *_quotes("What leads there", answer.leading, answer),
            *_computation(answer),
            *_robustness(answer),
            *missing_line(answer.missing),
            *conflicts,
            *_evidence(answer),
            *([Folded("Features", tuple(features))] if features else []),
        ),
        screen(
            *_reading(answer),
            line(*_first_line(answer)),
            *_unconfirmed(answer),
            line("verdict: ", strong(answer.level.beside(answer.verdict))),
            *checks_table(answer.checks),
            *_guarantee(answer),
            *_rejected(answer),
            *_computation(answer),
            *_robustness(answer),
            *([line(), *features] if features else []),
            *_chain(answer),
            *_below_the_chain(f"the {what} rests on", answer.cited, answer),
            *_below_the_chain("what leads there", answer.leading, answer),
            *conflicts,
        ),
        Notes(answer.notes),
        cost(answer),
    ]


def _reading(answer: Answer) -> list[Block]:
    """Return how a follow-up was read."""
    return [] if answer.read_as is None else [line(faint(f"read as: {answer.read_as}"))]


def _guarantee(answer: Answer) -> list[Block]:
    """Return what is guaranteed of a supported answer."""
    if answer.guarantee is None or answer.verdict is not Verdict.SUPPORTED:
        return []
    return [line(faint(f"guarantee: {answer.guarantee.text}"), wrap=False)]


def _labels(indexes: Sequence[int]) -> str:
    return "".join(dict.fromkeys(map(passage_label, indexes)))


def _answer(answer: Answer) -> list[Part]:
    """Return the answer or a probable candidate with the labels of its passages, for a page."""
    if answer.answer is not None:
        text = strong(answer.answer)
    elif answer.level is Level.PROBABLE and answer.candidate is not None:
        text = strong(f"probably {answer.candidate}")
    else:
        return [faint("No answer"), " "]
    return [text, f" {_labels(answer.citations)}", *_way(answer), " "]


def _guess(answer: Answer) -> list[Block]:
    """Return the candidate that is not even probable, with the labels of its passages, for a page."""
    if answer.answer is not None or answer.candidate is None or answer.level is Level.PROBABLE:
        return []
    certainty = "" if answer.certainty is None else f" ({answer.certainty:.0%} certain)"
    labels = f" {_labels(answer.citations)}" if answer.citations else ""
    guess = f"The nearest guess was “{answer.candidate}”{labels}{certainty}. It is not given as an answer."
    return [line(faint(guess))]


def _way(answer: Answer) -> list[Part]:
    """Return the labels of the passages that lead to the cited ones."""
    leading = _labels([sentence.index for sentence in answer.leading])
    return [" ", faint(f"by way of {leading}")] if leading and answer.citations else []


def _robustness(answer: Answer) -> list[Block]:
    """Return how many sources state the answer, if that was counted."""
    if answer.robustness is None:
        return []
    sources = counted(answer.robustness.sources, "independent source")
    text = f"stated by {sources}"
    if answer.answer is not None:
        text += f"; {answer.robustness.needed} would have to lie to change it"
    return [line(text)]


def _first_line(answer: Answer) -> list[Part]:
    """Return the answer or a probable candidate with the labels of its passages, or why there is none, for a
    screen.
    """
    labels = [" ", Span(_labels(answer.citations), "green"), *_way(answer)]
    if answer.answer is not None:
        return [strong(answer.answer), *labels]
    if answer.level is Level.PROBABLE and answer.candidate is not None:
        return [strong(f"probably {answer.candidate}"), *labels]
    return [strong("no answer:"), " ", Span(_reason(answer))]


def _unconfirmed(answer: Answer) -> list[Line]:
    """Return that a candidate is not confirmed, with its certainty and the reason, for a screen."""
    if answer.level is not Level.PROBABLE:
        return []
    certainty = "" if answer.certainty is None else f", {answer.certainty:.0%} certain"
    return [line(f"not confirmed{certainty}: ", Span(_reason(answer)))]


def _rejected(answer: Answer) -> list[Line]:
    """Return the candidate that is not even probable, for a screen."""
    if answer.candidate is None or answer.level is Level.PROBABLE:
        return []
    return [line("candidate: ", strong(answer.candidate))]


def _badge(answer: Answer) -> list[Part]:
    """Return the level, and how certain a probable candidate is, for a page."""
    certainty: list[Part] = []
    if answer.level is Level.PROBABLE and answer.certainty is not None:
        certainty = [" ", faint(f"{answer.certainty:.0%} certain")]
    return [_LEVELS[answer.level], *certainty]


def _reason(answer: Answer) -> str:
    """Return why there is no answer."""
    if answer.verdict is Verdict.CONTRADICTED:
        sides = "; ".join(_sides(conflict) for conflict in answer.conflicts if conflict.blocking)
        return f"the passages contradict one another: {sides}"
    if answer.missing:
        return f"the chain does not carry {'; '.join(answer.missing)}"
    if answer.reason:
        return answer.reason
    return "none was found in the passages" if answer.chain else "no passage helps to answer"


def _quotes(title: str, sentences: Sequence[CitedSentence], answer: Answer) -> list[Block]:
    """Return sentences of the chain, each with the label of its passage and its place."""
    rows = [
        (
            passage_label(each.index),
            each.text,
            _read(answer, each.index, each.citation or _place_of(answer, each.index)),
        )
        for each in sentences
    ]
    return [Heading(title), Quotes(rows)] if rows else []


def _below_the_chain(title: str, sentences: Sequence[CitedSentence], answer: Answer) -> list[Block]:
    """Return sentences of the chain for a screen, unless they are passages that it shows whole."""
    texts = {passage.index: passage.text for passage in answer.chain}
    if all(
        sentence.citation is None and sentence.text == texts.get(sentence.index) for sentence in sentences
    ):
        return []
    rows = [
        (passage_label(each.index), each.text, _read(answer, each.index, each.citation)) for each in sentences
    ]
    return [line(title), Quotes(rows)]


def _place_of(answer: Answer, index: int) -> str | None:
    """Return where a passage stands: its citation, or the name of its source; None if neither is known.

    The side of a conflict need not be in the chain. If every passage has a citation, as those of uploaded
    files do, they are counted as the passages are.
    """
    for passage in answer.chain:
        if passage.index == index and (passage.citation or passage.source):
            return passage.citation or passage.source
    return answer.retrieved[index] if index < len(answer.retrieved) == answer.passages else None


def _read(answer: Answer, index: int, place: str | None) -> str | None:
    """Return the place of a sentence, and that its passage was read by OCR."""
    read_by = next((passage.read_by for passage in answer.chain if passage.index == index), None)
    return with_reader(place or "", read_by) or None


def _computation(answer: Answer) -> list[Block]:
    """Return the rule of a computation, and each value with the passage that gives it."""
    if answer.computation is None:
        return []
    rows = [
        (
            value.name,
            value.attribute,
            value.value or "not given",
            passage_label(value.index) if value.index is not None else "",
        )
        for value in answer.computation.values
    ]
    lines = [
        line(Span(f"{name}, {attribute}: {value}"), " ", Span(label, "green"), indent=2)
        for name, attribute, value, label in rows
    ]
    return [line("computed: ", strong(answer.computation.rule)), page(Table(rows)), screen(*lines)]


def _sides(conflict: Conflict) -> str:
    sides = (
        f"{passage_label(conflict.index)} says {conflict.says}, "
        f"{passage_label(conflict.other)} says {conflict.instead}"
    )
    if conflict.in_force is None:
        return sides
    return f"{sides}; {passage_label(conflict.in_force)} is in force ({conflict.reason})"


def _conflict(conflict: Conflict, answer: Answer) -> list[Block]:
    """Return both sides of a conflict, and the sentences that state them with their places."""
    sides = (
        (conflict.index, conflict.text, conflict.citation),
        (conflict.other, conflict.other_text, conflict.other_citation),
    )
    quotes = [(passage_label(index), text, location) for index, text, location in sides]
    placed = [
        (passage_label(index), text, location or _place_of(answer, index)) for index, text, location in sides
    ]
    replaced = conflict.kind == "replaced"
    name, badge, colour = ("replaced", "warning", "yellow") if replaced else ("conflict", "bad", "red")
    return [
        page(line(Span(name, f"badge {badge}"), f" {_sides(conflict)}", Quotes(placed))),
        screen(line(), line(Span(_sides(conflict), f"bold {colour}")), Quotes(quotes)),
    ]


def _evidence(answer: Answer) -> list[Block]:
    """Return the passages of the chain for a page; the sentences that the answer rests on, and those that
    lead there, are highlighted.
    """
    if not answer.chain:
        return []
    rows = []
    for passage in answer.chain:
        title = [Span(f"{passage.title}: ", "italic")] if passage.title is not None else []
        # Without cited sentences, the passage itself is what the answer rests on.
        is_cited = not answer.cited and passage.index in answer.citations
        location = _place_of(answer, passage.index) if is_cited else None
        location = with_reader(location or "", passage.read_by)
        below = [Span(location, "place")] if location else []
        text = (*title, *_marked(passage, answer), *below)
        rows.append((passage_label(passage.index), text, ", ".join(passage.carries), _share(passage)))
    blocks: list[Block] = [Heading("Evidence"), Table(rows, columns("", "passage", "carries", "", right=[3]))]
    if answer.leading:
        rests: list[Part] = []
        if answer.answer is not None:
            rests = [Span("the answer rests on it", "good"), " "]
        blocks.append(line("In the passages: ", *rests, Span("leads there", "neutral")))
    return blocks


def _marked(passage: ChainPassage, answer: Answer) -> list[Part]:
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
        return [Span(passage.text, "good")]
    parts: list[Part] = []
    done = 0
    for start, end, tone in spans:
        parts += [passage.text[done:start], Span(passage.text[start:end], tone)]
        done = end
    return [*parts, passage.text[done:]]


def _chain(answer: Answer) -> list[Block]:
    """Return a row for each passage of the chain, cut to the width, with a mark if the answer cites it or
    it leads to a cited one. A long passage begins with the sentence that does.
    """
    if not answer.chain:
        return []
    title = "the chain" if answer.features is not None else "the passages used"
    return [line(), line(title), Fitted(lambda width: [_chain_table(answer, width)])]


def _chain_table(answer: Answer, width: int) -> Table:
    leading = {sentence.index for sentence in answer.leading}
    several_sources = len({passage.source for passage in answer.chain}) > 1
    has_shares = any(passage.probability is not None for passage in answer.chain)
    rows: list[tuple[Cell, ...]] = []
    for passage in answer.chain:
        cited = passage.index in answer.citations
        label = Span(passage_label(passage.index), "bold green" if cited else "dim")
        role = ("cited", "green") if cited else ("leads" if passage.index in leading else "", "dim")
        mark = [Span(*role)] if answer.citations else []
        share = [Span(_share(passage), "dim")] if has_shares else []
        name = _passage_name(passage, sourced=several_sources)
        before = sum(
            len(each.text) if isinstance(each, Span) else 1 for each in (label, *mark, *share, *name)
        )
        text = _from_sentence(passage.text, _sentence_start(passage, answer), width - before)
        rows.append((label, *mark, *share, (*name, Span(text, "bold" if cited else ""))))
    fixed = [Column(align="right", room="fixed")] * (len(rows[0]) - 2)
    return Table(rows, [Column(room="fixed"), *fixed, Column(room="fill")], gap=1)


def _sentence_start(passage: ChainPassage, answer: Answer) -> int:
    """Return where the sentence of a passage begins that holds the answer, that the answer rests on, or that
    leads there; 0 if none is known.
    """
    sentences = sorted(answer.cited, key=lambda each: (not each.holds_answer, not each.deciding))
    for each in (*sentences, *answer.leading):
        if each.index == passage.index and passage.text[each.start : each.end] == each.text:
            return each.start
    return 0


def _passage_name(passage: ChainPassage, *, sourced: bool) -> list[Part]:
    """Return the title of a passage; after its file, if the chain comes from several."""
    parts: list[Part] = []
    if (sourced or passage.citation is not None) and passage.source is not None:
        parts += [Span(f"{with_reader(passage.source, passage.read_by)}:", "dim"), " "]
    if passage.title is not None:
        # Of a document, the file and the last heading: the whole path would leave no room for the text.
        title = passage.title if passage.citation is None else passage.title.split(" › ")[-1]
        parts += [Span(f"{title}:", "italic"), " "]
    return parts


def _share(passage: ChainPassage) -> str:
    return "" if passage.probability is None else f"{passage.probability:.0%}"


def _from_sentence(text: str, start: int, room: int) -> str:
    """Return a text from the sentence at `start` on, if `room` characters would not show where it begins.

    >>> _from_sentence("It rained. We left.", 11, 12), _from_sentence("It rained. We left.", 11, 40)
    ('… We left.', 'It rained. We left.')
    """
    return text if start == 0 or len(text) <= room else f"… {text[start:]}"
