"""What the verdict model reads: a claim, and the sentences of its evidence, with what stands above each: the
header of its document.

A model that reads headers (`VerdictLimits.headers`) knows from them what a text is about, when it was written
and what its terms mean. Headers come with passages, or are the Markdown headings of the evidence itself.

Evidence that fits into one window is read whole. From longer evidence, the sentences that share most with
the claim are read in the order of the text, wherever they are: a claim may rest on several of them. Reading
every other part of the text as well gained nothing on the evaluation sets.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from probative.models.verdict import VerdictItem, VerdictLimits
from probative.text.definitions import MAX_DEFINITIONS, definitions_in, header_of, needed_definitions
from probative.text.sentences import entries_in, split_sentences
from probative.text.words import best_first, bm25, words

_QUESTION_MARKS = ("?", "？", "؟")
# A shorter sentence belongs to the one before it.
MIN_WORDS = 2


def statement(question: str, answer: str) -> str:
    """Return a question and an answer as one claim. The verdict model is trained on this form, too.

    Without the question's mark, the whole would be taken for a question.

    >>> statement("Who built the pier?", "Ole Berg"), statement("who built the pier", "Ole Berg")
    ('Who built the pier? Ole Berg', 'who built the pier? Ole Berg')
    """
    asked = " ".join(question.split())
    if not asked.endswith(_QUESTION_MARKS):
        asked = f"{asked.rstrip(' .')}?"
    return f"{asked} {' '.join(answer.split())}"


def claim_parts(claim: str) -> list[str]:
    """Return the sentences of a claim; a question stays with the answer behind it.

    >>> claim_parts("The mill burnt. It was old."), claim_parts("Who built the pier? Ole Berg")
    (['The mill burnt.', 'It was old.'], ['Who built the pier? Ole Berg'])
    """
    parts: list[str] = []
    for sentence in split_sentences(claim):
        if parts and (parts[-1].endswith(_QUESTION_MARKS) or len(sentence.text.split()) < MIN_WORDS):
            parts[-1] = f"{parts[-1]} {sentence.text}"
        else:
            parts.append(sentence.text)
    return parts


def claims_nothing(claim: str) -> str | None:
    """Return why a text claims nothing, or None if it claims something.

    >>> claims_nothing("Who built the pier?"), claims_nothing("The pier is old.")
    ('the claim is a question: nothing is claimed', None)
    """
    is_question = all(part.endswith(_QUESTION_MARKS) for part in claim_parts(claim))
    return "the claim is a question: nothing is claimed" if is_question else None


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


# The tokens that the label of a sentence takes.
LABEL_TOKENS = 3

SMALL = VerdictLimits()
Window = tuple[int, ...]
"""The indexes of the sentences that are read together, in the order of the text."""


def choose_window(
    claim: str, sentences: Sequence[str], lengths: Sequence[int], limits: VerdictLimits = SMALL
) -> Window:
    """Return all sentences if they fit into one window, and the most relevant ones otherwise.

    Before a sentence that shares words with the claim, the one before it is taken, too: it says who "she" is.
    Sentences that share nothing with the claim are left out, unless all of them do.

    >>> text = ["Ada built a mill.", "It burnt in 1890.", "Herons eat fish.", "The mill had two wheels."]
    >>> choose_window("The mill burnt in 1890.", text, [5, 5, 4, 6])
    (0, 1, 2, 3)
    >>> choose_window("The mill burnt in 1890.", text, [5, 5, 4, 6], VerdictLimits(tokens=18))
    (0, 1)
    """
    if fits(lengths, limits):
        return tuple(range(len(lengths)))
    scores = bm25(words(claim), [words(sentence) for sentence in sentences])
    ranked = best_first(scores)
    chosen: set[int] = set()
    left = limits.tokens
    for index in ranked:
        if scores[index] <= 0 < scores[ranked[0]]:
            break
        for candidate in (index, index - 1) if scores[index] > 0 and index else (index,):
            cost = lengths[candidate] + LABEL_TOKENS
            if candidate not in chosen and cost <= left and len(chosen) < limits.pieces:
                chosen.add(candidate)
                left -= cost
    return tuple(sorted(chosen)) or (ranked[0],)


def fits(lengths: Sequence[int], limits: VerdictLimits = SMALL) -> bool:
    """Return whether sentences with these numbers of tokens fit into one window.

    >>> fits([100, 100]), fits([300, 300]), fits([1] * 27)
    (True, False, False)
    """
    return len(lengths) <= limits.pieces and sum(lengths) + LABEL_TOKENS * len(lengths) <= limits.tokens
