"""The text of a claim: one text that is split into sentences, or the sentences themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from probative.errors import InputError
from probative.models.types import encodable
from probative.text.sentences import MAX_SENTENCE_CHARACTERS, split_sentences
from probative.types import Sentence

LISTED = "give a text, or a list with a string for each sentence"
Text = str | Sequence[str] | Sequence[Sentence]


@dataclass(frozen=True)
class NumberedText:
    """A claim and its text, split into numbered sentences."""

    claim: str
    sentences: tuple[Sentence, ...]


def number_sentences(sentences: Text) -> tuple[Sentence, ...]:
    """Return the sentences of a text, or the given sentences, numbered from 0."""
    if isinstance(sentences, str):
        check_encodable(sentences)
        return split_sentences(sentences)
    try:
        listed: list[Any] = list(sentences)
    except TypeError:
        raise InputError(
            f"sentences must be a text or a list, got {type(sentences).__name__}", hint=LISTED
        ) from None
    return tuple(_numbered(index, sentence) for index, sentence in enumerate(listed))


def check_encodable(text: str) -> None:
    """Raise `InputError` for a text that cannot be encoded as UTF-8."""
    try:
        encodable(text)
    except ValueError as error:
        raise InputError(str(error)) from None


def _numbered(index: int, sentence: Any) -> Sentence:
    if isinstance(sentence, Sentence):
        return sentence.model_copy(update={"index": index})
    if not isinstance(sentence, str):
        raise InputError(f"a sentence must be a string, got {type(sentence).__name__}", hint=LISTED)
    return Sentence(index=index, text=sentence)


def split_notes(sentences: Sequence[Sentence]) -> tuple[str, ...]:
    """Return a note that long sentences were split; nothing where none was.

    >>> split_notes(split_sentences("mill " * 300))
    ('a sentence of more than 1,000 characters was split: sentences 1 to 2',)
    """
    pieces = [sentence.index for sentence in sentences if sentence.piece]
    if not pieces:
        return ()
    limit = f"{MAX_SENTENCE_CHARACTERS:,} characters"
    return (f"a sentence of more than {limit} was split: sentences {pieces[0] + 1} to {pieces[-1] + 1}",)
