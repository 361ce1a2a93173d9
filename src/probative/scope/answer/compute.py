"""Which of two was first or lived longer, or whether both are of one country, told by the dates, countries
and names in the passages: no language model need do such arithmetic.

"Who was born first, A or B?" is answered where a passage about each gives the date that is asked for, or
where the passage about A names someone (its director, say) of whom another passage gives it. "Which lies on
the Sava, A or B?" is answered where the passages about one of them name the Sava, and the other's do not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from probative.text.english.countries import countries_in, same_country
from probative.text.english.dates import Date, earlier, longer
from probative.text.english.events import NEGATED, STARTS, Event, event_date, event_of
from probative.text.english.questions import parse_question
from probative.text.words import words
from probative.types import Passage

_EVENTS = rf"born|died|dies|die|{STARTS}"
_WHEN = r"first|earlier|earliest|sooner|later|latest|last|more recently|most recently"
# What is asked must be when something happened, and not what else was "first".
_ASKED = re.compile(
    rf"\b(?:{_EVENTS})\b(?:\s+\w+){{0,1}}?\s+(?:{_WHEN})\b|\b(?:first|earlier|later)\s+(?:to\s+(?:be\s+)?)?"
    rf"(?:{_EVENTS})\b|\b(?:older|oldest|younger|youngest)\b",
    re.IGNORECASE,
)
_EARLIER = re.compile(r"\b(?:first|earlier|earliest|older|oldest|sooner)\b", re.IGNORECASE)
_LATER = re.compile(r"\b(?:later|latest|younger|youngest|last|more recently|most recently)\b", re.IGNORECASE)
_SAME = re.compile(
    r"\b(?:same|share (?:a|the)) (?:country|nationality|nation)\b|\bsame nationality\b", re.IGNORECASE
)
_DIFFERENT = re.compile(r"\bdifferent (?=(?:countr(?:y|ies)|nationalit(?:y|ies)|nations?)\b)", re.IGNORECASE)
# A part in something, and how a text says who had it.
_ROLES = {
    "director": "direct",
    "composer": "compos|music",
    "performer": "perform|sung|song by|record",
    "singer": "perform|sung|song by|record",
    "author": "writ|wrote|author|novel by|book by",
    "writer": "writ|wrote",
    "producer": "produc",
    "founder": "found|establish",
    "builder": "buil",
}
_ROLE = re.compile(rf"\b({'|'.join(_ROLES)})s?\b", re.IGNORECASE)
_OTHER_PART = r"direct|compos|perform|writ|wrote|produc|found|star|edit|photograph|based"
# All of a life, and not how long someone lived in a town, or after something.
_LIVED = re.compile(
    r"\W*(?:who|which\b[^,]{0,60}?)\s+lived\s+(?:the\s+)?(?:(?P<longer>longer|longest)|shorter|shortest)\s*[,:–—-]",
    re.IGNORECASE,
)


# Questions of degree or order: a name in them says nothing of which of the two is meant.
_DEGREE = re.compile(
    r"\b(?:first|last|later|earlier|more|less|most|least|fewer|than|before|after|both|same|other|neither|"
    r"(?:larg|small|long|short|tall|old|young|near|clos|furth|farth|high|low|bigg|great|wid|deep|fast|heavi|rich|"
    r"new|broad)(?:er|est))\b",
    re.IGNORECASE,
)
_NAMES = re.compile(r"(?<=\s)[A-Z][\w'’-]+|(?<![\w,.])\d[\d,.]*\b")
# What may be a year or a century; "31,000" is a quantity.
_DATED = re.compile(r"(?<![\d,.])\d{3,4}(?!\d|,\d{3})|\d ?BC|\bcentury\b")


class Compared(NamedTuple):
    """The answer, the passages that it rests on, and the dates or countries that decide."""

    answer: str
    citations: tuple[int, ...]
    reason: str


class _Dated(NamedTuple):
    date: Date
    places: tuple[int, ...]


def compare(question: str, chain: Sequence[int], passages: Sequence[Passage]) -> Compared | None:
    """Which of the two that a question names comes first or last or lived longer, or whether both are of the
    same country, if the chain tells it of both; else None.

    >>> texts = [
    ...     Passage(title="Ada Berg", text="Ada Berg (5 May 1900 – 1980) was a sailor."),
    ...     Passage(title="Ole Lund", text="Ole Lund, born in 1911 in Moss, is a painter."),
    ... ]
    >>> compare("Who was born first, Ada Berg or Ole Lund?", [0, 1], texts)
    Compared(answer='Ada Berg', citations=(0, 1), reason='Ada Berg: 1900-05-05, Ole Lund: 1911')
    """
    differ = _DIFFERENT.search(question) is not None
    if NEGATED.search(_DIFFERENT.sub("", question)) or not re.search(r"\b(?:or|and)\b", question):
        return None
    two = _options(question, [passages[place] for place in chain])
    if two is None:
        return None
    if differ or _SAME.search(question):
        return _same(question, two, chain, passages, differ=differ)
    if (lived := _LIVED.match(question)) is not None:
        if not re.search(rf"{re.escape(two[1])}(?: \([^()]*\))?\W*$", question, re.IGNORECASE):
            return None  # more is said of the life than whose it is
        return _lived(two, lived.group("longer") is not None, _role(question), chain, passages)
    event, wants_earlier = event_of(question), _direction(question)
    if not _ASKED.search(question) or event is None or wants_earlier is None:
        return _told(question, two, chain, passages)
    one, other = (_date(option, two, event, _role(question), chain, passages) for option in two)
    if one is None or other is None or (first := earlier(one.date, other.date)) is None:
        return None
    reason = f"{two[0]}: {_spelt(one.date)}, {two[1]}: {_spelt(other.date)}"
    places = tuple(dict.fromkeys((*one.places, *other.places)))
    return Compared(two[0 if first == wants_earlier else 1], places, reason)


def undated(question: str, chain: Sequence[int], passages: Sequence[Passage]) -> str | None:
    """Of two whose dates a question compares, the one of whom the chain can tell none: what it says of it has
    no number that could be a year.

    >>> texts = [
    ...     Passage(title="Ada Berg", text="Ada Berg (5 May 1900 – 1980) was a sailor."),
    ...     Passage(title="Ole Lund", text="Ole Lund of Moss is a painter."),
    ... ]
    >>> undated("Who was born first, Ada Berg or Ole Lund?", [0, 1], texts)
    'Ole Lund'
    """
    two = _options(question, [passages[place] for place in chain])
    wanted = _ASKED.search(question) and event_of(question) and _direction(question) is not None
    if not wanted or two is None or _role(question) or NEGATED.search(question):
        return None
    for option in two:
        about = [passage for place in chain if _speaks_of(option, passage := passages[place])]
        if not any(_DATED.search(passage.text) for passage in about):
            return option
    return None


def offered(question: str, texts: Sequence[Passage]) -> tuple[str, str] | None:
    """The two of which one is asked for, where a question ends in "A or B?".

    >>> offered("Who is a film critic, Ada Berg or Ole Vik?", [])
    ('Ada Berg', 'Ole Vik')
    >>> offered("Did Ada Berg or Ole Vik sail first to Molde?", []) is None
    True
    """
    two = _options(question, texts)
    if two is None:
        return None
    said = re.search(rf"\b{re.escape(two[0])},? or (?:the )?{re.escape(two[1])}\W*$", question, re.IGNORECASE)
    return two if said else None


def _speaks_of(option: str, passage: Passage) -> bool:
    return _about(option, passage) or _named(option, passage.text.lower())


def _told(
    question: str, two: tuple[str, str], chain: Sequence[int], passages: Sequence[Passage]
) -> Compared | None:
    """Of two that a question ends in, the one whose passages have the names and numbers in the question,
    where those about the other have none of them.
    """
    texts = [passages[place] for place in chain]
    if offered(question, texts) != two or _DEGREE.search(question) or _role(question):
        return None
    asked = question
    for option in two:
        asked = re.sub(re.escape(option), " ", asked, flags=re.IGNORECASE)
    wanted = {word for name in _NAMES.findall(asked) for word in words(name)}
    about = [_all_about(option, chain, passages) for option in two]
    if not wanted or not all(about):
        return None
    said = [{word for place in places for word in words(passages[place].text)} for places in about]
    for mine in (0, 1):
        denied = any(NEGATED.search(passages[place].text) for place in about[mine])
        if wanted <= said[mine] and not wanted & said[1 - mine] and not denied:
            named = ", ".join(dict.fromkeys(_NAMES.findall(asked)))
            return Compared(two[mine], tuple(about[mine]), f"{named}: of the two only {two[mine]}")
    return None


def _lived(
    two: tuple[str, str],
    wants_longer: bool,
    role: str | None,
    chain: Sequence[int],
    passages: Sequence[Passage],
) -> Compared | None:
    """Who of the two, or of those who had the part, lived longer: by the birth and the death of both."""
    lives: list[tuple[Date, Date]] = []
    cited: list[int] = []
    for option in two:
        birth = _date(option, two, "birth", role, chain, passages)
        death = _date(option, two, "death", role, chain, passages)
        if birth is None or death is None or (role is not None and birth.places != death.places):
            return None
        lives.append((birth.date, death.date))
        cited += [*birth.places, *death.places]
    first = longer(*lives)
    if first is None:
        return None
    reason = ", ".join(
        f"{option}: {_spelt(birth)} to {_spelt(death)}"
        for option, (birth, death) in zip(two, lives, strict=True)
    )
    return Compared(two[0 if first == wants_longer else 1], tuple(dict.fromkeys(cited)), reason)


def _same(
    question: str,
    two: tuple[str, str],
    chain: Sequence[int],
    passages: Sequence[Passage],
    *,
    differ: bool = False,
) -> Compared | None:
    """Whether both are of the same country (or, if asked so, differ), or those whom the question asks about
    (their directors, say).
    """
    found: list[frozenset[str]] = []
    cited: list[int] = []
    for option in two:
        about = _all_about(option, chain, passages)
        if role := _role(question):
            about = [other for place in about for other in _linked(place, role, about, two, chain, passages)]
        if not about:
            return None
        found.append(frozenset().union(*(countries_in(_what(passages[place].text)) for place in about)))
        cited += about
    same = same_country(*found)
    if same is None:
        return None
    reason = ", ".join(f"{option}: {next(iter(one))}" for option, one in zip(two, found, strict=True))
    return Compared("yes" if same != differ else "no", tuple(dict.fromkeys(cited)), reason)


def _direction(question: str) -> bool | None:
    """Whether the earlier is wanted; None where the question says neither, or both."""
    early, late = _EARLIER.search(question) is not None, _LATER.search(question) is not None
    return None if early == late else early


def _options(question: str, texts: Sequence[Passage]) -> tuple[str, str] | None:
    """The two that are compared: pages of the chain that the question names, or names around "or"."""
    asked = question.lower()
    titles = dict.fromkeys(_bare(passage.title) for passage in texts if passage.title)
    named = [title for title in titles if _named(title, asked)]
    named = [
        one for one in named if not any(one != other and one.lower() in other.lower() for other in named)
    ]
    if len(named) < 2:
        named = [node.text for node in parse_question(question).nodes if node.text[:1].isupper()]
    if len(named) != 2:  # more than two are not compared here
        return None
    one, other = sorted(named, key=lambda name: asked.find(name.lower()))
    # Nothing else may be named before them in the same list.
    listed = re.search(rf"[A-Z]\w*, (?:or |and )?{re.escape(one)}\b", question)
    return None if listed and "," in question[: listed.start()] else (one, other)


def _date(
    option: str,
    two: tuple[str, str],
    event: Event,
    role: str | None,
    chain: Sequence[int],
    passages: Sequence[Passage],
) -> _Dated | None:
    """The option's own date, or that of the one who had the part that is asked about."""
    about = _all_about(option, chain, passages)
    if role is None:
        own = [_Dated(date, (place,)) for place in about if (date := event_date(passages[place].text, event))]
        return own[0] if own else None
    linked = [
        _Dated(found, (place, other))
        for place in about
        for other in _linked(place, role, about, two, chain, passages)
        if (found := event_date(passages[other].text, event)) is not None
    ]
    return linked[0] if len({one.date for one in linked}) == 1 else None


def _role(question: str) -> str | None:
    found = _ROLE.search(question)
    return found.group(1).lower() if found is not None else None


def _linked(
    place: int,
    role: str,
    about: Sequence[int],
    two: tuple[str, str],
    chain: Sequence[int],
    passages: Sequence[Passage],
) -> list[int]:
    """The passages of the chain about the one who, as a passage says, had a part in something."""
    said = passages[place].text
    titles = {other: _bare(passages[other].title or "") for other in chain if other not in about}
    return [
        other
        for other, title in titles.items()
        if title and title not in two and _had_part(title, role, said)
    ]


def _had_part(name: str, role: str, said: str) -> bool:
    """Whether a text says that someone had a part: no other part is named between.

    >>> _had_part("Ada Berg", "director", "A film directed by Ole Lund and written by Ada Berg.")
    False
    """
    stem = _ROLES[role]
    others = "|".join(part for part in _OTHER_PART.split("|") if part not in stem.split("|"))
    between = rf"(?:(?!{others})[^.]){{0,80}}?"
    return (
        re.search(rf"\b(?:{stem})\w*{between}(?<!\w){re.escape(name)}(?!\w)", said, re.IGNORECASE) is not None
    )


def _all_about(option: str, chain: Sequence[int], passages: Sequence[Passage]) -> list[int]:
    """The passages about an option; none where two pages have its name."""
    about = [place for place in chain if _about(option, passages[place])]
    return about if len({passages[place].title for place in about}) <= 1 else []


def _about(option: str, passage: Passage) -> bool:
    if passage.title:
        return _bare(passage.title).lower() == option.lower()
    return re.match(rf"\W*(?:the )?{re.escape(option)}(?!\w)", passage.text, re.IGNORECASE) is not None


def _what(text: str) -> str:
    """What a text says someone or something is: its first sentence, without what else it tells."""
    return re.split(r"\.\s|\b(?:who|whose|which|that|known|famous|best)\b", text, maxsplit=1)[0]


def _named(name: str, low: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name.lower())}(?!\w)", low) is not None


def _bare(title: str) -> str:
    """A title without what stands in brackets behind it."""
    return re.sub(r"\s*\([^()]*\)$", "", title)


def _spelt(date: Date) -> str:
    return "-".join(f"{abs(part):02d}" for part in date if part) + (" BC" if date[0] < 0 else "")
