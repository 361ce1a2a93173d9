"""The text to verify: plain words or Markdown, or a file of any format that a corpus reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from probative.corpus.documents.document import Document, Heading
from probative.corpus.reading.limited import read_document
from probative.errors import InputError
from probative.models.types import encodable


@dataclass(frozen=True)
class TextToVerify:
    """A text with its name, the headings that its file marks, and notes about how it was read."""

    words: str
    name: str | None = None
    headings: Sequence[Heading] = ()
    notes: tuple[str, ...] = ()


def text_to_verify(given: Any, name: str | None = None) -> TextToVerify:
    """Return the text of a string, a `Document` or the `Path` of a file; raises `InputError`.

    >>> text_to_verify("It rained.", "log.md").name
    'log.md'
    """
    if isinstance(given, Path):
        given = read_document(given, str(given))
    if isinstance(given, Document):
        text = TextToVerify(given.text, name or given.source, given.headings, given.notes)
    elif isinstance(given, str):
        text = TextToVerify(given, name)
    else:
        raise InputError(
            f"the text must be a string, got {type(given).__name__}",
            hint="give words, a Document, or the Path of a file",
        )
    try:
        encodable(text.words)
    except ValueError as error:
        raise InputError(str(error)) from None
    if not text.words.strip():
        raise InputError(
            f"{text.name} has no text" if isinstance(given, Document) else "the text is empty",
            hint="give a text with at least one sentence",
        )
    return text
