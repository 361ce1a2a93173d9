"""Claims made of parts of a text's sentences: shortened or joined truly, or with the parts mixed up.

A summary leaves out clauses, joins sentences and puts a name for "he". A false one often has nothing but
words of the text, with the subject of one sentence and the predicate of another.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence

from probative.calibration.edits import without_brackets
from training.verdict.claims import around
from training.verdict.edits import change
from training.verdict.example import Judged

SOURCE = "fused"
# Texts that are tried for one claim.
TRIES = 200
_RELATIVE = re.compile(r", (?:which|who|whose|where|whom)\b[^,.;]*(?:,|(?=\.$))")
_APPOSITION = re.compile(r"(?<=[a-z]), (?:a|an|the) [^,.;]{3,60},(?= (?:is|was|were|are|has|had)\b)")
_LEAD = re.compile(r"^(?:In|On|At|After|Before|During|By|Since|Under|From) [^,.;]{3,50}, (?=\w)")
_TAIL = re.compile(r"(?:;|, (?:and|but|while|although|though|because|since|as|with)\b)[^.]*(?=\.$)")
_PREDICATE = re.compile(
    r" (?:is|was|are|were|has|had|have|became|won|lost|moved|died|wrote|built|began|led|made|took|gave|"
    r"received|joined|married|played|released|published|founded|includes?|contains?|can|could|will|would) "
)
_PRONOUN = re.compile(r"^(?:He|She|It|They)\b(?= )")
_NAME = re.compile(r"^(?:The )?(?:[A-Z][\w'’-]+)(?: (?:of |the |de |von |van )?[A-Z][\w'’-]+)*")


def fused(texts: Sequence[Sequence[str]], number: int, rng: random.Random) -> Iterator[Judged]:
    """Yield `number` claims made of parts of the texts' sentences."""
    for place in range(number):
        way = WAYS[place % len(WAYS)]
        for _ in range(TRIES):
            sentences = tuple(without_brackets(sentence) for sentence in rng.choice(texts))
            row = way(sentences, rng) if len(sentences) >= 3 else None
            if row is not None:
                yield row
                break


def shortened(sentence: str) -> str:
    """Return a sentence without what can be left out: clauses that add to it.

    >>> shortened("In the spring of 1871, the mill, which had two wheels, burnt down, and nobody was hurt.")
    'The mill burnt down.'
    """
    text = _LEAD.sub("", sentence, count=1)
    text = _TAIL.sub("", _APPOSITION.sub("", _RELATIVE.sub("", text)))
    return text[:1].upper() + text[1:]


def _shortened(sentences: tuple[str, ...], rng: random.Random) -> Judged | None:
    """Return a shortened sentence as a claim: true, or with one thing changed."""
    place = rng.randrange(len(sentences))
    short = shortened(sentences[place])
    if short == sentences[place] or _PRONOUN.match(short) or not 5 <= len(short.split()) <= 30:
        return None
    shown, gold = around(sentences, (place,), rng)
    if rng.random() < 0.6:
        return Judged(short, shown, "supported", SOURCE, gold)
    changed = change(short, sentences, rng)
    return None if changed is None else Judged(changed, shown, "contradicted", SOURCE, gold)


def _joined(sentences: tuple[str, ...], rng: random.Random) -> Judged | None:
    """Return two shortened sentences as one."""
    first, second = sorted(rng.sample(range(len(sentences)), 2))
    parts = [shortened(sentences[place]) for place in (first, second)]
    if any(_PRONOUN.match(part) or not 4 <= len(part.split()) <= 24 for part in parts):
        return None
    shown, gold = around(sentences, (first, second), rng)
    claim = f"{parts[0].rstrip('.')}, {rng.choice(('and', 'while'))} {_low(parts[1])}"
    return Judged(claim, shown, "supported", SOURCE, gold)


def _named(sentences: tuple[str, ...], rng: random.Random) -> Judged | None:
    """Return a sentence about "he" or "it" with the name that the text's last sentence began with."""
    places = [
        place
        for place in range(1, len(sentences))
        if _PRONOUN.match(sentences[place]) and name_of(sentences[place - 1])
    ]
    if not places:
        return None
    place = rng.choice(places)
    name = name_of(sentences[place - 1])
    others = {
        other for line in sentences if (other := name_of(line)) and other not in name and name not in other
    }
    right = rng.random() < 0.5
    if not right and not others:
        return None
    said = name if right else rng.choice(sorted(others))
    shown, gold = around(sentences, (place - 1, place), rng)
    claim = shortened(_PRONOUN.sub(said, sentences[place]))
    return Judged(
        claim, shown, "supported" if right else "insufficient", SOURCE, gold if right else (), not right
    )


def name_of(sentence: str) -> str:
    """Return the name that a sentence begins with, if its predicate follows at once.

    >>> name_of("Ada Berg was a miller."), name_of("Later the mill burnt.")
    ('Ada Berg', '')
    """
    name = _NAME.match(sentence)
    if name is None or not _PREDICATE.match(sentence, name.end()):
        return ""
    return name[0] if len(name[0].split()) > 1 else ""


def _mixed(sentences: tuple[str, ...], rng: random.Random) -> Judged | None:
    """Return the subject of one sentence with the predicate of another."""
    split = [
        (place, line[: found.start()], line[found.start() :])
        for place, line in enumerate(map(shortened, sentences))
        if (found := _PREDICATE.search(line)) and _is_named(line[: found.start()])
    ]
    if len(split) < 2:
        return None
    (place, subject, _), (other, theirs, predicate) = rng.sample(split, 2)
    if set(subject.lower().split()) & set(theirs.lower().split()) - {"the", "a", "an", "of"}:
        return None
    claim = subject + predicate
    if not 5 <= len(claim.split()) <= 28:
        return None
    shown, _ = around(sentences, tuple(sorted((place, other))), rng)
    return Judged(claim, shown, "insufficient", f"{SOURCE}_mixed", binary=True)


def _is_named(subject: str) -> bool:
    """Whether a subject is a name, and no mere description, which may stand for another subject.

    >>> _is_named("Ada Berg"), _is_named("The old mill"), _is_named("The Commuter")
    (True, False, True)
    """
    words = subject.split()
    return len(words) <= 6 and any(word[:1].isupper() for word in words[1:])


def _low(sentence: str) -> str:
    first, _, rest = sentence.partition(" ")
    return (
        f"{first.lower()} {rest}" if first in ("The", "A", "An", "In", "This", "These", "There") else sentence
    )


WAYS = (_shortened, _shortened, _joined, _named, _named, _mixed, _mixed)
