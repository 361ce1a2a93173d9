"""Claims made of sentences of a text: as they are, or with one thing changed.

A changed number, name, negation or opposite is what separates a false summary from a true one. Without its
sentence, the text is not enough for the claim.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence

from probative.calibration.edits import FALSIFIED, Change, without_brackets
from training.verdict.claims import around
from training.verdict.example import Judged

SOURCE = "edited"
_PRONOUN = re.compile(r"^(?:He|She|It|They|His|Her|Its|Their|This|That|These|Those|There|However|But|And)\b")
_OPPOSITES = (
    "more/less first/last before/after increased/decreased north/south east/west largest/smallest "
    "highest/lowest older/younger won/lost always/never all/few most/few both/neither above/below "
    "early/late male/female public/private began/ended rose/fell high/low old/new major/minor "
    "accepted/rejected best/worst long/short many/few higher/lower larger/smaller up/down "
    "northern/southern eastern/western father/mother son/daughter husband/wife man/woman "
    "brother/sister bought/sold opened/closed inside/outside with/without only/not_only "
    "minimum/maximum required/forbidden must/need_not until/since win/lose"
)
"""Opposites as word/word; an underline stands for a space."""
_PAIRS = [tuple(pair.replace("_", " ").split("/")) for pair in _OPPOSITES.split()]
_OPPOSITE = {word: other for pair in _PAIRS for word, other in (pair, pair[::-1])}
_OPPOSITE_WORD = re.compile(rf"\b(?:{'|'.join(sorted(_OPPOSITE, key=len, reverse=True))})\b")


def edited(texts: Sequence[Sequence[str]], number: int, rng: random.Random) -> Iterator[Judged]:
    """Yield `number` claims made of sentences of the texts."""
    made = 0
    while made < number:
        sentences = tuple(rng.choice(texts))
        usable = [index for index, sentence in enumerate(sentences) if _usable(sentence)]
        if len(sentences) < 3 or not usable:
            continue
        foreign = rng.choice(rng.choice(texts))
        example = _example(sentences, usable, foreign, rng)
        if example is not None:
            made += 1
            yield example


def _usable(sentence: str) -> bool:
    return 7 <= len(sentence.split()) <= 38 and not _PRONOUN.match(sentence) and sentence[-1:] in ".!"


def _example(
    sentences: tuple[str, ...], usable: Sequence[int], foreign: str, rng: random.Random
) -> Judged | None:
    """Return a claim made of some usable sentences; `foreign` is a sentence of another text."""
    count = min(len(usable), rng.choice((1, 1, 1, 2, 2, 3)))
    gold = tuple(sorted(rng.sample(list(usable), count)))
    parts = [without_brackets(sentences[index]) for index in gold]
    kind = rng.random()
    if kind < 0.2:
        missing = rng.choice(gold)
        rest = tuple(sentence for index, sentence in enumerate(sentences) if index != missing)
        kept = tuple(index - (index > missing) for index in gold if index != missing)
        shown, _ = around(rest, kept, rng)
        return Judged(" ".join(parts), shown, "insufficient", f"{SOURCE}_without")
    if kind < 0.3:
        shown, _ = around(sentences, gold, rng)
        added = [*parts, without_brackets(foreign)]
        rng.shuffle(added)
        return Judged(" ".join(added), shown, "insufficient", f"{SOURCE}_added")
    if kind < 0.62:
        shown, places = around(sentences, gold, rng)
        return Judged(" ".join(parts), shown, "supported", SOURCE, places)
    wrong = rng.randrange(count)
    changed = change(parts[wrong], sentences, rng)
    if changed is None:
        return None
    shown, places = around(sentences, gold, rng)
    claim = " ".join([*parts[:wrong], changed, *parts[wrong + 1 :]])
    return Judged(claim, shown, "contradicted", SOURCE, (places[wrong],))


def change(sentence: str, text: Sequence[str], rng: random.Random) -> str | None:
    """Return the sentence with one thing changed so that it no longer follows, or None.

    >>> change("The mill was built.", ["The mill was built."], random.Random(2))
    'The mill was not built.'
    """
    ways: list[Change] = [*FALSIFIED.values(), _affirmed, _opposite]
    rng.shuffle(ways)
    for way in ways:
        changed = way(sentence, text, rng)
        if changed is not None and changed != sentence:
            return changed
    return None


def _affirmed(sentence: str, text: Sequence[str], rng: random.Random) -> str | None:
    return sentence.replace(" not ", " ", 1) if " not " in sentence else None


def _opposite(sentence: str, text: Sequence[str], rng: random.Random) -> str | None:
    words = list(_OPPOSITE_WORD.finditer(sentence))
    if not words:
        return None
    chosen = rng.choice(words)
    return sentence[: chosen.start()] + _OPPOSITE[chosen[0]] + sentence[chosen.end() :]
