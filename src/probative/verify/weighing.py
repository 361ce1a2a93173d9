"""What the words and values of a claim add to the verdict that the model gives on it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from probative.text import english
from probative.text.words import words
from probative.types import Verdict
from probative.verdict.judge import verdict_of
from probative.verdict.judgement import OTHER_VALUE, Judgement, Probabilities
from probative.verify.values import Unstated, unstated

# A sentence says what a claim says, in nearly the same words, from this share of the claim's words on.
MIN_SAME = 0.9
# How much more probable support by such a sentence is: of the evaluation claims that the model did not find
# supported though they have one, 47 of 101 are.
SAME_WORDS = 4.0


class Piece(NamedTuple):
    """A piece of evidence as it was read, its source, and what else is known of it: its title and date."""

    text: str
    origin: str = ""
    known: tuple[str, ...] = ()


def with_values(claim: str, judgement: Judgement, pieces: Sequence[Piece]) -> Judgement:
    """Return a judgement in which the values of a claim, and a sentence in its very words, count."""
    if not judgement.judged:
        return judgement
    before = judgement.probabilities
    if judgement.verdict is Verdict.SUPPORTED:
        found = _unstated(claim, pieces, judgement.deciding)
        if found is None:
            return judgement
        left = before.supported / OTHER_VALUE
        moved = before.supported - left if found.stated is not None else 0.0
        return _changed(judgement, (left, before.contradicted + moved, before.insufficient), found.note)
    index = same_words(claim, pieces)
    if index is None or _unstated(claim, pieces, (index,)) is not None:
        return judgement
    shares = (SAME_WORDS * before.supported, before.contradicted, before.insufficient)
    after = _changed(judgement, shares, "more probable: a sentence has nearly the same words")
    if after.verdict is Verdict.SUPPORTED:
        return after.model_copy(update={"deciding": (index,), "opposing": (), "disputed": None})
    return after


def _unstated(claim: str, pieces: Sequence[Piece], deciding: Sequence[int]) -> Unstated | None:
    """Return a value of the claim that the pieces lack; None if one source has all values.

    Values of different sources do not add up: the price of one year is not that of another.
    """
    found: list[Unstated] = []
    for origin in dict.fromkeys(piece.origin for piece in pieces):
        own = [index for index, piece in enumerate(pieces) if piece.origin == origin]
        decide = [pieces[index].text for index in own if index in deciding or not deciding]
        known = [part for index in own for part in (pieces[index].text, *pieces[index].known)]
        lacking = unstated(claim, decide, known)
        if lacking is None:
            return None
        found.append(lacking)
    return max(found, key=lambda lacking: lacking.stated is not None, default=None)


def same_words(claim: str, pieces: Sequence[Piece]) -> int | None:
    """Return the piece of evidence that has nearly all words of a claim, apart from those known of it.

    >>> told = [Piece("Herons eat fish."), Piece("The old mill burnt down.", known=("Log of 1890",))]
    >>> same_words("In 1890 the old mill burnt.", told)
    1
    >>> same_words("The old mill burnt.", [Piece("The old mill never burnt.")]) is None
    True
    """
    shares = [_share(claim, piece) for piece in pieces]
    best = max(range(len(pieces)), key=lambda index: (shares[index], -index), default=None)
    if best is None or shares[best] < MIN_SAME:
        return None
    return best if english.is_negated(claim) == english.is_negated(pieces[best].text) else None


def _share(claim: str, piece: Piece) -> float:
    told = frozenset(word for text in piece.known for word in words(text))
    wanted = frozenset(words(claim)) - told
    return len(wanted & frozenset(words(piece.text))) / len(wanted) if len(wanted) > 1 else 0.0


def shared_words(claim: str, pieces: Sequence[Piece]) -> float:
    """Return the share of a claim's words that the best of some pieces has.

    Numbers count in the subject only, and must be there: what contradicts a claim has another number, but
    speaks of the same thing, and house 12 is not house 15.

    >>> shared_words("Mill 12 burnt in 1890.", [Piece("Mill 12 burnt in 1893."), Piece("Herons eat fish.")])
    1.0
    >>> shared_words("Mill 12 burnt in 1890.", [Piece("Mill 15 burnt in 1893.")])
    0.0
    """
    subject = frozenset(words(english.subject_phrase(claim)))
    wanted = frozenset(word for word in words(claim) if word in subject or not word.isdigit())
    if not wanted:
        return 1.0
    numbers = frozenset(filter(str.isdigit, subject))
    told = [frozenset(words(" ".join((piece.text, *piece.known)))) for piece in pieces]
    return max((len(wanted & own) / len(wanted) for own in told if numbers <= own), default=0.0)


def _changed(judgement: Judgement, shares: Sequence[float], note: str) -> Judgement:
    supported, contradicted, insufficient = (share / sum(shares) for share in shares)
    after = Probabilities(supported=supported, contradicted=contradicted, insufficient=insufficient)
    verdict = verdict_of(after)
    # What argues for a verdict that is no longer given would mislead.
    outdated = ("hardly decided",) if verdict is judgement.verdict else ("hardly decided", "computed:")
    return judgement.model_copy(
        update={
            "probabilities": after,
            "verdict": verdict,
            "deciding": () if verdict is Verdict.INSUFFICIENT else judgement.deciding,
            "opposing": judgement.opposing if verdict is judgement.verdict else (),
            "notes": (*(text for text in judgement.notes if not text.startswith(outdated)), note),
        }
    )
