"""The evidence of a claim, sentence by sentence, with what stands above each: the header of its document.

A model that reads headers (`VerdictLimits.headers`) knows from them what a text is about, when it was written
and what its terms mean. Headers come with passages, or are the Markdown headings of the evidence itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from probative.models.verdict import VerdictItem
from probative.text.definitions import MAX_DEFINITIONS, definitions_in, header_of, needed_definitions
from probative.text.sentences import entries_in, split_sentences

_HEADING = re.compile(r"(#{1,6}) +(\S[^\n]*?) *#*(?:\n\s*|$)")


class Sentence(NamedTuple):
    """A sentence of the evidence, the index of the piece that it belongs to, and its header."""

    text: str
    piece: int
    header: str = ""


def evidence_sentences(
    evidence: Sequence[str], language: str, headers: Sequence[str] | None = None
) -> list[Sentence]:
    r"""Return the sentences of all pieces that are not empty.

    `headers` are those of the pieces, for a model that reads them. If they are empty, headings of the
    evidence are the headers of what follows.

    >>> evidence_sentences(["# Mill (1790)\n\nIt is old. Ada owns it."], "en", ())[1]
    Sentence(text='Ada owns it.', piece=0, header='Mill (1790)')
    """
    found = [
        Sentence(sentence.text, index, headers[index] if headers else "")
        for index, piece in enumerate(evidence)
        if piece.strip()
        for sentence in split_sentences(piece, language)
    ]
    if headers is None:
        return found
    if not headers:
        found = list(_below_headings(found)) or found
    return [sentence._replace(text=entry) for sentence in found for entry in entries_in(sentence.text)]


def _below_headings(sentences: Sequence[Sentence]) -> Iterator[Sentence]:
    """Yield the sentences that are no headings, each with the headings above it in its document."""
    above: dict[int, str] = {}
    for _, piece in groupby(sentences, key=lambda sentence: sentence.piece):
        of_piece = list(piece)
        for sentence in of_piece:
            text = sentence.text
            while match := _HEADING.match(text):
                level = len(match[1])
                above = {other: title for other, title in above.items() if other < level} | {level: match[2]}
                text = text[match.end() :]
            if text:
                yield Sentence(text, sentence.piece, " › ".join(above.values()))
        if len(of_piece) > 1:  # a document; pieces of one sentence each are those of one document
            above = {}


def window_item(claim: str, sentences: Sequence[Sentence], window: Sequence[int]) -> VerdictItem:
    """Return the item of a window: where it leaves out sentences, headers say what its terms mean.

    >>> text = [Sentence("Ada Berg (the Owner) is old.", 0, "Mill"), Sentence("The Owner left.", 0, "Mill")]
    >>> window_item("Ada left.", text, [0, 1]).headers, window_item("Ada left.", text, [1]).headers
    (('Mill', 'Mill'), ('Mill · the Owner = Ada Berg',))
    """
    chosen = [sentences[index] for index in window]
    headers = {sentence.header: sentence.header for sentence in chosen}
    if len(chosen) < len(sentences):
        headers = {header: _with_terms(header, chosen, sentences) for header in headers if header}
    item = VerdictItem(claim, tuple(sentence.text for sentence in chosen))
    if not any(headers.values()):
        return item
    return item._replace(headers=tuple(headers.get(sentence.header, "") for sentence in chosen))


def _with_terms(header: str, chosen: Sequence[Sentence], sentences: Sequence[Sentence]) -> str:
    """Return a header with the definitions that its chosen sentences need and do not have."""
    whole, shown = (
        "\n".join(sentence.text for sentence in group if sentence.header == header)
        for group in (sentences, chosen)
    )
    return header_of(header, None, needed_definitions(definitions_in(whole), shown)[:MAX_DEFINITIONS])
