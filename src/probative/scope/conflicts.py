"""Passages that cannot both be right: nearly the same sentence about the same thing, with another value.

Found by words alone. A contradiction in quite other words is not seen here; a judge that understands
the texts is needed for that.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from probative.text.english.questions import AnswerKind
from probative.text.english.spans import negated, spans
from probative.text.english.subjects import subject, subject_name
from probative.text.words import words
from probative.types import Passage

Kind = Literal["date", "number", "name", "negation"]
Cut = Callable[[str], Sequence[str]]

# Of the words of the longer sentence, values apart, this share must stand in the other.
ALIKE = 0.7
# Fewer words in common than this, the subject apart, say nothing.
FEWEST = 1
# Sentences that name other subjects, or none, must be alike nearly word for word.
NEARLY_THE_SAME = 0.9
FEWEST_NEARLY = 5
# More values than this apart, and the two speak of different things.
MOST_VALUES = 2
# Nobody reads more.
MOST_CLASHES = 20


class Said(NamedTuple):
    """A sentence of a passage: its words without values and subject, its values, and what it is about."""

    text: str
    words: frozenset[str]
    dates: frozenset[str]
    numbers: frozenset[str]
    names: frozenset[str]
    negated: bool
    subject: str
    named: str


class Contradiction(NamedTuple):
    """A passage of the chain and another that says another date, number or name, or the opposite."""

    place: int
    other: int
    kind: Kind
    says: str
    instead: str
    text: str
    other_text: str

    def matters(self, question: str, wanted: AnswerKind) -> bool:
        """Whether the clash may touch the answer. A date or a number does not, where a name is asked for
        and the question names neither.
        """
        if self.kind not in ("date", "number") or wanted in ("date", "number", "yes-no", "choice"):
            return True
        return self.says in question or self.instead in question


def find_conflicts(chain: Sequence[int], passages: Sequence[Passage], cut: Cut) -> list[Contradiction]:
    """The first clash of each passage of the chain with each other passage; `cut` makes sentences of a text.

    >>> texts = ["The Lark was built in Bergen in 1842.", "The Lark was built in Bergen in 1824."]
    >>> clash, = find_conflicts([0], [Passage(text=text) for text in texts], lambda text: [text])
    >>> clash.says, clash.instead
    ('1842', '1824')
    """
    said = [_said(passage, cut) for passage in passages]
    copies = [" ".join(re.findall(r"\w+", passage.text.lower())) for passage in passages]
    clashes: list[Contradiction] = []
    seen: set[frozenset[int]] = set()
    for place in chain:
        for other in range(len(passages)):
            pair = frozenset((place, other))
            if copies[other] == copies[place] or pair in seen:
                continue
            found = _first_clash(said[place], said[other]) if len(clashes) < MOST_CLASHES else None
            if found is not None:
                seen.add(pair)
                clashes.append(Contradiction(place, other, *found))
    return clashes


def _first_clash(ours: Sequence[Said], theirs: Sequence[Said]) -> tuple[Kind, str, str, str, str] | None:
    for one in ours:
        for other in theirs:
            if (found := _clash(one, other)) is not None:
                return (*found, one.text, other.text)
    return None


def _clash(one: Said, other: Said) -> tuple[Kind, str, str] | None:
    """What two sentences say, each its own, where they say nearly the same of the same thing."""
    common = one.words & other.words
    share = len(common) / max(1, len(one.words), len(other.words))
    same = bool(one.subject) and one.subject == other.subject
    if same and (len(common) < FEWEST or share < ALIKE):
        return None
    values: list[tuple[Kind, frozenset[str], frozenset[str]]] = [
        ("date", one.dates, other.dates),
        ("number", one.numbers, other.numbers),
        ("name", one.names, other.names),
    ]
    agreeing = len(common) + sum(len(mine & theirs) for _, mine, theirs in values)
    if not same and (agreeing < FEWEST_NEARLY or share < NEARLY_THE_SAME):
        return None
    if one.subject != other.subject:
        # Who it was is what differs: everything else must be equal.
        if one.subject and other.subject and all(mine == theirs for _, mine, theirs in values):
            return "name", one.named, other.named
        return None
    if one.dates != other.dates and one.numbers != other.numbers:
        return None  # another number at another time
    for kind, mine, theirs in values:
        apart = _apart(mine, theirs) if kind == "date" else (mine - theirs, theirs - mine)
        if all(apart) and (not mine & theirs or max(map(len, apart)) <= MOST_VALUES):
            return kind, ", ".join(sorted(apart[0])), ", ".join(sorted(apart[1]))
    if one.negated != other.negated and one.dates == other.dates and one.names == other.names:
        return ("negation", "not so", "so") if one.negated else ("negation", "so", "not so")
    return None


def _said(passage: Passage, cut: Cut) -> list[Said]:
    about = subject(passage) if passage.title else ""
    result = []
    for text in cut(passage.text):
        own = Passage(text=text)
        mine = subject(own)
        dates = frozenset(spans(text, "", "date"))
        numbers = frozenset(re.sub(r"(?<=\d),(?=\d{3})", "", one) for one in spans(text, "", "number"))
        numbers -= _parts(dates)
        names = frozenset(
            name
            for name in _one_spelling(spans(text, "", "person"))
            if " ".join(words(name)) not in (mine, about)
        ) - _parts(dates)
        values = {word for value in (*dates, *numbers, *names, mine, about) for word in words(value)}
        result.append(
            Said(
                text,
                frozenset(words(text)) - values,
                dates,
                numbers,
                names,
                negated(text),
                about or mine,
                subject_name(own) or passage.title or "",
            )
        )
    return result


def _apart(mine: frozenset[str], theirs: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
    """The dates that only one of the two has; "1901" and "3 May 1901" may be the same day."""

    def fits(date: str, others: frozenset[str]) -> bool:
        parts = set(re.findall(r"\w+", date))
        return any(parts <= (own := set(re.findall(r"\w+", other))) or own <= parts for other in others)

    return (
        frozenset(date for date in mine if not fits(date, theirs)),
        frozenset(date for date in theirs if not fits(date, mine)),
    )


def _one_spelling(names: Iterable[str]) -> Iterator[str]:
    """Names in capitals as others are written: a heading's capitals make no other name."""
    return (name.title() if name.isupper() and len(name) > 4 else name for name in names)


def _parts(dates: frozenset[str]) -> frozenset[str]:
    """What a date is made of, which is no number and no name of its own."""
    return frozenset(part for date in dates for part in (date, *re.findall(r"\w+", date)))
