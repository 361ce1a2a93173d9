"""What a run has found before it ends, for observers: a reader has something to read while models work."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from probative.text.sentences import sentences_of
from probative.text.words import words
from probative.trace import Found, FoundText, is_observed, tell
from probative.types import Passage

# Passages that are told of a search.
SHOWN = 5


def tell_passages(kind: Literal["passages", "chain"], question: str, passages: Sequence[Passage]) -> None:
    """Tell observers of the first passages that were found or chosen, each by the sentence that shares the
    most words with the question.
    """
    if not is_observed():
        return
    asked = set(words(question))

    def shared(sentence: str) -> int:
        return len(asked.intersection(words(sentence)))

    def told(passage: Passage) -> FoundText:
        sentence = max(sentences_of(passage), key=shared, default="")
        return FoundText(text=sentence, title=passage.title, source=passage.source)

    tell(Found(kind=kind, texts=tuple(map(told, passages[:SHOWN]))))


def tell_candidate(answer: str | None) -> None:
    """Tell observers of an answer that was read and is not checked yet."""
    if answer is not None and is_observed():
        tell(Found(kind="candidate", texts=(FoundText(text=answer),)))
