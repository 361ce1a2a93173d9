"""The sentences of the passages, and those that hold an answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from probative.scope.run import Run, spans_of
from probative.text import english
from probative.text.names import mentions
from probative.text.words import words

# Of an answer in whole sentences, this share of the content words must stand in the evidence or the question.
MIN_SHARE = 0.7


@dataclass(frozen=True)
class PassageSentence:
    """A sentence of a passage: the index of the passage in the pool, its title, the text, its characters."""

    index: int
    title: str | None
    text: str
    start: int
    end: int

    @property
    def whole(self) -> str:
        """The sentence with the title of its passage before it, unless it names that itself."""
        return titled(self.title, self.text)


def titled(title: str | None, text: str) -> str:
    """Return a text with a title before it, unless it names that itself.

    >>> titled("Lark", "It was built in Molde."), titled("Lark", "The Lark was built in Molde.")
    ('Lark: It was built in Molde.', 'The Lark was built in Molde.')
    """
    return text if not title or title.lower() in text.lower() else f"{title}: {text}"


def name_the_same(run: Run, first: str, second: str) -> bool:
    """Return whether two texts name the same names of the question: Ada Berg is not Jon Berg."""
    return all(mentions(first, name) == mentions(second, name) for name in run.question.names)


def passage_sentences(run: Run, indexes: Sequence[int]) -> list[PassageSentence]:
    """Return the sentences of these passages of the pool, in order."""
    return [sentence for index in indexes for sentence in _sentences(run, index)]


def _sentences(run: Run, index: int) -> Iterator[PassageSentence]:
    passage = run.pool.passages[index]
    for start, end in spans_of(passage):
        yield PassageSentence(index, passage.title, passage.text[start:end], start, end)


def rows_with(
    run: Run, answer: str, sentences: Sequence[PassageSentence], *, prose: bool = True
) -> list[int]:
    """Return the rows of the sentences that hold an answer in some normal form; none if it stands nowhere.

    A list of things is held by several sentences together. With `prose`, an answer may also be a sentence of
    its own ("It was built in Molde"): its names, dates and numbers must stand in the sentences, and most of
    its other words there or in the question.
    """
    forms = [_Form(run, sentence) for sentence in sentences]
    rows = _rows_with_span(run, answer, forms)
    if rows:
        return rows
    parts = english.answer_parts(answer)
    if len(parts) > 1:
        held = [_rows_with_span(run, part, forms) for part in parts]
        if all(held):
            return sorted({row for rows in held for row in rows})
    return _rows_with_prose(run, answer, forms) if prose else []


def stands_in(run: Run, answer: str, indexes: Sequence[int]) -> bool:
    """Return whether a passage of the pool holds an answer in some normal form."""
    return bool(rows_with(run, answer, passage_sentences(run, indexes)))


class _Form:
    """A sentence in normal form, with the title of its passage."""

    def __init__(self, run: Run, sentence: PassageSentence) -> None:
        self.text = english.normal_form(sentence.text)
        self.title = english.normal_form(sentence.title or "")
        self.words = frozenset(words(sentence.whole))

    def holds(self, span: tuple[str, ...]) -> bool:
        return contains_span(self.text, span)


def contains_span(text: Sequence[str], span: Sequence[str]) -> bool:
    """Return whether some words follow one another in a text.

    >>> contains_span(("built", "in", "sea", "town"), ("sea", "town")), contains_span(("sea",), ())
    (True, False)
    """
    size = len(span)
    return size > 0 and any(
        tuple(text[start : start + size]) == tuple(span) for start in range(len(text) - size + 1)
    )


def _rows_with_span(run: Run, answer: str, forms: Sequence[_Form]) -> list[int]:
    """Return the rows whose text holds a span; without any, the first row whose title holds it."""
    span = english.normal_form(answer)
    rows = [row for row, form in enumerate(forms) if form.holds(span)]
    return rows or [row for row, form in enumerate(forms) if contains_span(form.title, span)][:1]


def _rows_with_prose(run: Run, answer: str, forms: Sequence[_Form]) -> list[int]:
    values = english.values_in(answer)
    named = [*values.dates, *values.numbers, *values.names]
    own = [value for value in named if not set(words(value)) <= run.question.parsed.words]
    held = [_rows_with_span(run, value, forms) for value in own]
    content = set(words(answer)) - run.question.parsed.words
    known = frozenset().union(*(form.words for form in forms)) if forms else frozenset()
    if not own or not all(held) or len(content & known) < MIN_SHARE * len(content):
        return []
    return sorted({row for rows in held for row in rows})
