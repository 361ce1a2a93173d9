"""Facts for invented questions: a triple and the sentence that states it, as annotated or found on a page.

There are only some hundred annotated triples, and a model memorises them instead of learning to compare. So
facts are also found in the first words of any page ("Ada Berg (5 May 1900 – 3 June 1980) was a Norwegian
…", "… is a 1976 film directed by …"), and a fact can be changed together with its sentence: other years,
another name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from probative.bench.data.splits import plain_words
from probative.text.dates import MONTHS
from probative.types import Passage
from training.reader.rows import Row, Triple
from training.splits import Part

# Distractors of a fact: sentences of other pages.
MAX_DISTRACTORS = 12
_MONTH = "|".join(month.capitalize() for month in MONTHS)
_DAY = rf"(?:\d{{1,2}} (?:{_MONTH}) \d{{4}}|(?:{_MONTH}) \d{{1,2}}, \d{{4}})"
_NAME = (
    r"[A-ZÀ-Þ][\w'’-]+(?: (?:[A-ZÀ-Þ]\.|[A-ZÀ-Þ][\w'’-]+|de|da|di|von|van|del|la|le|bin))* [A-ZÀ-Þ][\w'’-]+"
)
_PLACE = r"[A-ZÀ-Þ][\w'’-]+(?: (?:[A-ZÀ-Þ][\w'’-]+|de|la|del|upon|am))*"
_PERSON = re.compile(
    r"^(?P<name>[^()]{4,60}?) ?\( ?(?P<inside>[^()]{4,90})\) ?,? (?:was|is) (?:an?|the) (?P<rest>.*)"
)
_LIVED = re.compile(
    rf"^[^\d]{{0,30}}?(?P<born>{_DAY})[^\d]*?(?:–|-|—| to ) ?[^\d]{{0,30}}?(?P<died>{_DAY})\D*$"
)
_BORN = re.compile(rf"^[^\d–]*\bborn (?:on )?(?:[^\d]{{0,30}})?(?P<born>{_DAY})\D*$")
_YEARS = re.compile(r"^(?P<born>1\d{3}) ?[–-] ?(?P<died>1\d{3}|20[0-2]\d)$")
_FILM = re.compile(
    r"^.{2,70}? (?:\([^()]*\) ?)?(?:is|was) an? (?P<year>(?:19|20)\d\d) "
    r"(?P<what>[^.]{0,60}?)\bfilm\b(?P<rest>.*)"
)
_DIRECTED = re.compile(rf"\bdirected(?:,? [a-z-]+)*? by (?P<name>{_NAME})")
_SONG = re.compile(
    rf"\b(?:song|single)(?: recorded| performed)? by (?:(?:[A-Z][a-z]+ )?(?:[a-z][\w-]* )+)?(?P<name>{_NAME})"
)
_BORN_IN = re.compile(rf"\bborn (?:on )?(?:{_DAY},? )?(?:in|at) (?P<place>{_PLACE})")
_DIED_IN = re.compile(rf"\bdied (?:on )?(?:{_DAY},? )?(?:in|at) (?P<place>{_PLACE})")
_STUDIED = re.compile(
    r"\b(?:graduated from|studied (?:\w+ )?at|attended|educated at) (?:the )?"
    r"(?P<place>(?:[A-ZÀ-Þ][\w'’-]+ )*(?:University|College|School|Academy|Institute)"
    r"(?: of(?: [A-ZÀ-Þ][\w'’-]+)+)?)"
)
PEOPLES = [
    "American",
    "British",
    "English",
    "Canadian",
    "Australian",
    "French",
    "German",
    "Italian",
    "Spanish",
    "Indian",
    "Japanese",
    "Chinese",
    "Russian",
    "Polish",
    "Swedish",
    "Norwegian",
    "Danish",
    "Finnish",
    "Dutch",
    "Belgian",
    "Austrian",
    "Swiss",
    "Hungarian",
    "Czech",
    "Greek",
    "Turkish",
    "Irish",
    "Scottish",
    "Welsh",
    "Mexican",
    "Brazilian",
    "Argentine",
    "Chilean",
    "Cuban",
    "Egyptian",
    "Israeli",
    "Iranian",
    "Pakistani",
    "Korean",
    "Filipino",
    "Thai",
    "Portuguese",
    "Romanian",
    "Bulgarian",
    "Serbian",
    "Croatian",
    "Ukrainian",
    "Nigerian",
    "Kenyan",
    "Icelandic",
]
_PEOPLE = re.compile(rf"^(?:\w+ )?(?P<people>{'|'.join(PEOPLES)})(?! ?[-–]|\w)")
_YEAR = re.compile(r"\b(?:1[5-9]\d\d|20[0-2]\d)\b")
LATEST = 2025


@dataclass(frozen=True)
class Fact:
    """A triple, the sentence that states it, and sentences of other pages as distractors."""

    head: str
    relation: str
    tail: str
    sentence: Passage
    distractors: tuple[Passage, ...] = ()


def annotated(rows: Sequence[Row]) -> Iterator[Fact]:
    """Yield the facts of the rows' triples that a sentence states."""
    for row in rows:
        distractors = _distractors(row, {passage.title for passage in row.evidence})
        for triple in row.triples:
            if triple.index >= 0:
                sentence = row.sentences[triple.index]
                yield Fact(triple.head, triple.relation, triple.tail, sentence, distractors)


def read_off(rows: Sequence[Row], barred: frozenset[str]) -> Iterator[Fact]:
    """Yield the facts in the first sentences of the rows' pages; the pages in `barred` are left out."""
    seen = set(barred)
    for row in rows:
        pages: dict[str, list[Passage]] = {}
        for passage in row.sentences:
            if passage.title:
                pages.setdefault(passage.title, []).append(passage)
        for title, sentences in pages.items():
            if title not in seen:
                seen.add(title)
                facts = list(_of_page(title, sentences))
                distractors = _distractors(row, {title}) if facts else ()
                yield from (replace(fact, distractors=distractors) for fact in facts)


def _distractors(row: Row, pages: set[str | None]) -> tuple[Passage, ...]:
    return tuple(passage for passage in row.others if passage.title not in pages)[:MAX_DISTRACTORS]


def _of_page(title: str, sentences: Sequence[Passage]) -> Iterator[Fact]:
    first = sentences[0]
    person = _PERSON.match(first.text)
    if (
        person is not None
        and plain_words(bare(title)).split()[-1:] == plain_words(person["name"]).split()[-1:]
    ):
        dates = (
            _LIVED.match(person["inside"]) or _BORN.match(person["inside"]) or _YEARS.match(person["inside"])
        )
        if dates is None:
            return
        found = dates.groupdict()
        yield Fact(title, "date of birth", found["born"], first)
        if found.get("died"):
            yield Fact(title, "date of death", found["died"], first)
        people = _PEOPLE.match(person["rest"])
        if people is not None:
            yield Fact(title, "country of citizenship", people["people"], first)
        yield from _of_life(title, sentences)
        return
    film = _FILM.match(first.text)
    if film is not None:
        yield Fact(title, "publication date", film["year"], first)
        people = _PEOPLE.match(film["what"])
        if people is not None:
            yield Fact(title, "country of origin", people["people"], first)
        director = _DIRECTED.search(film["what"] + film["rest"])
        if director is not None:
            yield Fact(title, "director", director["name"], first)
        return
    song = _SONG.search(first.text)
    if song is not None:
        yield Fact(title, "performer", song["name"], first)


def _of_life(title: str, sentences: Sequence[Passage]) -> Iterator[Fact]:
    """Yield where somebody was born, died and studied, from sentences that begin with that person."""
    own = plain_words(bare(title)).split()[-1]
    shapes = {"place of birth": _BORN_IN, "place of death": _DIED_IN, "educated at": _STUDIED}
    for number, passage in enumerate(sentences):
        start = passage.text.split()[:1]
        if number and not (start in (["He"], ["She"]) or own in plain_words(passage.text).split()[:3]):
            continue
        for relation, shape in list(shapes.items()):
            found = shape.search(passage.text)
            if found is not None and plain_words(found["place"]) not in plain_words(title):
                del shapes[relation]
                yield Fact(title, relation, found["place"], passage)


def bare(title: str) -> str:
    """Return a title without its addition in brackets.

    >>> bare("Get Low (song)")
    'Get Low'
    """
    return re.sub(r"\s*\([^()]*\)$", "", title)


def can_shift(fact: Fact) -> bool:
    """Return whether the years of a fact can be moved: its own year is in the sentence."""
    years = _YEAR.findall(fact.sentence.text)
    own = _YEAR.findall(fact.tail)
    return bool(own) and set(own) <= set(years)


def shifted(fact: Fact, years: int) -> Fact:
    """Return the fact and its sentence with all years moved.

    >>> moved = shifted(Fact("Ada", "date of birth", "5 May 1900", Passage(text="Ada (born 5 May 1900).")), 7)
    >>> moved.tail, moved.sentence.text
    ('5 May 1907', 'Ada (born 5 May 1907).')
    """

    def move(text: str) -> str:
        return _YEAR.sub(lambda year: str(int(year.group()) + years), text)

    sentence = fact.sentence.model_copy(update={"text": move(fact.sentence.text)})
    return replace(fact, tail=move(fact.tail), sentence=sentence)


def latest(fact: Fact) -> int:
    """Return the last year in a fact's sentence."""
    return max(map(int, _YEAR.findall(fact.sentence.text)), default=LATEST)


def renamed(fact: Fact, name: str) -> Fact | None:
    """Return the fact and its sentence with another object; None where the sentence does not contain the
    object literally.

    >>> renamed(Fact("X", "director", "Bo", Passage(text="X is a film by Bo.")), "Eve").sentence.text
    'X is a film by Eve.'
    """
    if fact.tail not in fact.sentence.text or fact.tail in fact.head:
        return None
    sentence = fact.sentence.model_copy(update={"text": fact.sentence.text.replace(fact.tail, name)})
    return replace(fact, tail=name, sentence=sentence)


def row_from_facts(
    question: str, answer: str, facts: Sequence[Fact], source: str, part: Part, kind: str
) -> Row:
    """Return a question with the sentences of its facts as gold, followed by their distractors."""
    gold = tuple(dict.fromkeys(fact.sentence for fact in facts))
    pages = {passage.title for passage in gold}
    distractors = dict.fromkeys(
        passage for fact in facts for passage in fact.distractors if passage.title not in pages
    )
    return Row(
        question,
        answer,
        (*gold, *distractors),
        tuple(range(len(gold))),
        source,
        part,
        kind,
        needs_all=True,
        triples=tuple(
            Triple(fact.head, fact.relation, fact.tail, gold.index(fact.sentence)) for fact in facts
        ),
    )
