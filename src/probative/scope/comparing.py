"""Which of two was first, or whether both are of one country, told by the dates and countries in the
passages: no language model need do such arithmetic.

"Who was born first, A or B?" is answered where a passage about each gives the date that is asked for, or
where the passage about A names someone (its director, say) of whom another passage gives it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from probative.evidence import Passage
from probative.scope.countries import countries_in, same_country
from probative.scope.dates import Date, dates_of, earlier, first_date
from probative.scope.rules import rule_features

Event = Literal["birth", "death", "start"]

_STARTS = (
    r"released|came out|come out|published|founded|established|started|created|opened|formed|launched|built|"
    r"began|begun|premiered|aired|introduced|made|incorporated|completed|written|debuted"
)
_EVENTS = rf"born|died|dies|die|{_STARTS}"
_WHEN = r"first|earlier|earliest|sooner|later|latest|last|more recently|most recently"
# What is asked must be when something happened, and not what else was "first".
_ASKED = re.compile(
    rf"\b(?:{_EVENTS})\b(?:\s+\w+){{0,1}}?\s+(?:{_WHEN})\b|\b(?:first|earlier|later)\s+(?:to\s+(?:be\s+)?)?"
    rf"(?:{_EVENTS})\b|\b(?:older|oldest|younger|youngest)\b",
    re.IGNORECASE,
)
_EARLIER = re.compile(r"\b(?:first|earlier|earliest|older|oldest|sooner)\b", re.IGNORECASE)
_LATER = re.compile(r"\b(?:later|latest|younger|youngest|last|more recently|most recently)\b", re.IGNORECASE)
_NEGATED = re.compile(r"\b(?:not|never|neither|nor|different|lie|myth|false)\b|n['’]t\b", re.IGNORECASE)
_BIRTH = re.compile(r"\b(?:born|birth|older|oldest|younger|youngest)\b", re.IGNORECASE)
_DEATH = re.compile(r"\b(?:died|dies|die|death)\b", re.IGNORECASE)
_START = re.compile(rf"\b(?:{_STARTS})\b", re.IGNORECASE)
_SAME = re.compile(
    r"\b(?:same|share (?:a|the)) (?:country|nationality|nation)\b|\bsame nationality\b", re.IGNORECASE
)
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
# "(5 May 1900 – 3 June 1980)", perhaps with a name in another script or a place before the dates.
_LIFE = re.compile(r"\((?P<dates>[^()]*\d{3,4}[^()]*)\)")
_BORN = re.compile(r"\bborn\b(?P<rest>[^.()]{0,80})", re.IGNORECASE)
_DIED = re.compile(r"\b(?:died|death)\b(?P<rest>[^.;()]{0,80})", re.IGNORECASE)
# A date that is not that of a birth or death, or not for certain.
_UNSURE = re.compile(
    r"\b(?:reign\w*|r|ruled|fl|floruit|active|before|after|between|or|circa|ca|c|around|about|perhaps|"
    r"probably|BC|BCE|v\. Chr|century)\b\.?",
    re.IGNORECASE,
)
# Someone else, whose date may follow.
_RELATIVE = re.compile(
    r"\b(?:father|mother|son|daughter|brother|sister|wife|husband|widow|uncle|aunt|parents?|child|children|"
    r"married|whose)\b|['’]s\b",
    re.IGNORECASE,
)


class Compared(NamedTuple):
    """The answer, the passages that it rests on, and the dates or countries that decide."""

    answer: str
    citations: tuple[int, ...]
    reason: str


class _Dated(NamedTuple):
    date: Date
    places: tuple[int, ...]


def compare(question: str, chain: Sequence[int], passages: Sequence[Passage]) -> Compared | None:
    """Which of the two that a question names comes first or last, or whether both are of the same country, if
    the chain tells it of both; else None.

    >>> texts = [
    ...     Passage(title="Ada Berg", text="Ada Berg (5 May 1900 – 1980) was a sailor."),
    ...     Passage(title="Ole Lund", text="Ole Lund, born in 1911 in Moss, is a painter."),
    ... ]
    >>> compare("Who was born first, Ada Berg or Ole Lund?", [0, 1], texts)
    Compared(answer='Ada Berg', citations=(0, 1), reason='Ada Berg: 1900-05-05, Ole Lund: 1911')
    """
    if _NEGATED.search(question) or not re.search(r"\b(?:or|and)\b", question):
        return None
    two = _options(question, [passages[place] for place in chain])
    if two is None:
        return None
    if _SAME.search(question):
        return _same(question, two, chain, passages)
    event, wants_earlier = event_of(question), _direction(question)
    if not _ASKED.search(question) or event is None or wants_earlier is None:
        return None
    dated = [_date(option, two, event, _role(question), chain, passages) for option in two]
    if dated[0] is None or dated[1] is None:
        return None
    first = earlier(dated[0].date, dated[1].date)
    if first is None:
        return None
    reason = ", ".join(
        f"{option}: {_spelt(one.date)}" for option, one in zip(two, dated, strict=True) if one is not None
    )
    places = tuple(dict.fromkeys((*dated[0].places, *dated[1].places)))
    return Compared(two[0 if first == wants_earlier else 1], places, reason)


def _same(
    question: str, two: tuple[str, str], chain: Sequence[int], passages: Sequence[Passage]
) -> Compared | None:
    """Whether both are of the same country, or those whom the question asks about (their directors, say)."""
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
    return Compared("yes" if same else "no", tuple(dict.fromkeys(cited)), reason)


def event_of(question: str) -> Event | None:
    """What the dates to compare are of.

    >>> [event_of(text) for text in ("Who is older?", "Who died last?", "Which came out first?", "Who won?")]
    ['birth', 'death', 'start', None]
    """
    if _DEATH.search(question):
        return "death"
    if _BIRTH.search(question):
        return "birth"
    return "start" if _START.search(question) else None


def event_date(text: str, event: Event) -> Date | None:
    """The date of an event that a text about someone or something gives.

    >>> life = "Ada Berg (5 May 1900 – 3 June 1980) was a sailor."
    >>> event_date(life, "birth"), event_date(life, "death"), event_date("A 1950 film.", "birth")
    ((1900, 5, 5), (1980, 6, 3), None)
    """
    if _NEGATED.search(text):
        return None
    if event == "start":
        verb = _START.search(text)
        return (first_date(text[verb.end() : verb.end() + 60]) if verb else None) or first_date(text)
    for life in _LIFE.finditer(text):
        dates = dates_of(life.group("dates"))
        before = text[: life.start()]
        if len(dates) == 2 and not _UNSURE.search(life.group("dates")) and not _RELATIVE.search(before):
            return dates[0 if event == "birth" else 1]
    said = (_BORN if event == "birth" else _DIED).search(text)
    if said is None or _UNSURE.search(said.group("rest")) or _RELATIVE.search(text[: said.start()]):
        return None
    return first_date(said.group("rest"))


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
        named = [node.text for node in rule_features(question).nodes if node.text[:1].isupper()]
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
    return "-".join(f"{part:02d}" for part in date if part)
