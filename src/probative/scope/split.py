"""Split passages that are longer than the model's window, at sentence ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from probative.models.contract import LanguageModel
from probative.models.reader_prompts import TRAINED_TOKENS
from probative.text.sentences import split_sentences
from probative.types import Passage

# The share of the window that passages may fill; the rest is for the prompt, the features and the answer.
PASSAGES_SHARE = 0.6
# A part is at most this share of the room, so that a chain of four parts fits into one prompt.
PART_SHARE = 0.25
# A shorter passage fits every model's window: the model need not be opened to know it.
SHORT_BYTES = 2_000

Splitter = Callable[[Passage], list[Passage]]


def keep_whole(passage: Passage) -> list[Passage]:
    """Return the passage as its only part."""
    return [passage]


def splitter_for(open_models: Callable[[], Sequence[LanguageModel]]) -> Splitter:
    """Return a function that splits passages longer than the room in the smallest window of some models.

    `open_models` is called only for a passage that may be too long.
    """

    def split(passage: Passage) -> list[Passage]:
        if len(passage.text.encode()) <= SHORT_BYTES:
            return [passage]
        windows = [(_readable(model), model) for model in open_models() if model.window is not None]
        if not windows:
            return [passage]
        window, model = min(windows, key=lambda entry: entry[0])
        room = int(window * PASSAGES_SHARE)
        if model.count_tokens(passage.whole) <= room:
            return [passage]
        return split_passage(passage, max(1, int(room * PART_SHARE)), model.count_tokens)

    return split


def _readable(model: LanguageModel) -> int:
    """Return the tokens that a model reads well at once: for the tuned reader, as many as in its training."""
    window = model.window or TRAINED_TOKENS
    return min(window, TRAINED_TOKENS) if model.reader else window


def split_passage(passage: Passage, max_tokens: int, count_tokens: Callable[[str], int]) -> list[Passage]:
    """Split a passage at sentence ends into parts of at most `max_tokens` tokens.

    A part keeps the id, title and source. Its `start` and `end` are characters of the source, or of the
    passage's own text if the passage does not say where it starts.

    >>> whole = Passage(text="It rained. The match was off. We left.", id="a")
    >>> [(part.text, part.start, part.id) for part in split_passage(whole, 6, lambda text: len(text.split()))]
    [('It rained. The match was off.', 0, 'a'), ('We left.', 30, 'a')]
    """
    offset = passage.start or 0
    parts: list[tuple[int, int]] = []
    for start, end in _pieces(passage.text, max_tokens, count_tokens):
        if parts and count_tokens(passage.text[parts[-1][0] : end]) <= max_tokens:
            parts[-1] = (parts[-1][0], end)
        else:
            parts.append((start, end))
    return [
        passage.model_copy(
            update={"text": passage.text[start:end], "start": offset + start, "end": offset + end}
        )
        for start, end in parts
    ]


def _pieces(text: str, max_tokens: int, count_tokens: Callable[[str], int]) -> Iterator[tuple[int, int]]:
    """Yield the spans of the sentences of a text, and of the parts of a sentence that is too long itself."""
    for sentence in split_sentences(text):
        assert sentence.start is not None
        assert sentence.end is not None
        yield from _halves(text, (sentence.start, sentence.end), max_tokens, count_tokens)


def _halves(
    text: str, span: tuple[int, int], max_tokens: int, count_tokens: Callable[[str], int]
) -> Iterator[tuple[int, int]]:
    """Yield a span, or its halves, cut at a space if there is one, until each has at most `max_tokens`."""
    start, end = span
    if end - start <= 1 or count_tokens(text[start:end]) <= max_tokens:
        yield span
        return
    middle = (start + end) // 2
    space = text.rfind(" ", start + 1, middle)
    cut = space + 1 if space > start else middle
    yield from _halves(text, (start, cut), max_tokens, count_tokens)
    yield from _halves(text, (cut, end), max_tokens, count_tokens)
