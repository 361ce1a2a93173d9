"""Questions made from annotated triples: which of two was first, whether two are of one country, and so on.

Every question is made of facts that one sentence each states, so the answer is known and all these
sentences are needed. Facts are combined only within a part.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence

from probative.bench.data.splits import plain_words
from probative.text.dates import Date, earlier
from training.reader.dates import date_of
from training.reader.example import draws
from training.reader.facts import Fact, row_from_facts
from training.reader.rows import Row
from training.splits import Part

SOURCE = "2wiki_triples"
# Relation → questions that ask for the earlier (True) or the later (False) of {a} and {b}.
_DATED = {
    "date of birth": [
        ("Who was born first, {a} or {b}?", True),
        ("Who was born earlier, {a} or {b}?", True),
        ("Was {a} or {b} born first?", True),
        ("Who is older, {a} or {b}?", True),
        ("Who was born later, {a} or {b}?", False),
        ("Who is younger, {a} or {b}?", False),
        ("Which of {a} and {b} was born later?", False),
    ],
    "date of death": [
        ("Who died first, {a} or {b}?", True),
        ("Who died earlier, {a} or {b}?", True),
        ("Who died later, {a} or {b}?", False),
        ("Did {a} or {b} die first?", True),
    ],
    "publication date": [
        ("Which film came out first, {a} or {b}?", True),
        ("Which film was released earlier, {a} or {b}?", True),
        ("Which film was released more recently, {a} or {b}?", False),
        ("Which film came out later, {a} or {b}?", False),
    ],
}
_SAME = {
    "country of citizenship": [
        "Do {a} and {b} share the same nationality?",
        "Are {a} and {b} of the same nationality?",
        "Are {a} and {b} from the same country?",
        "Did {a} and {b} have the same nationality?",
    ],
    "country": [
        "Are {a} and {b} located in the same country?",
        "Are both {a} and {b} located in the same country?",
        "Are {a} and {b} in the same country?",
    ],
    "country of origin": [
        "Are the films {a} and {b} from the same country?",
        "Do {a} and {b} come from the same country?",
        "Are both movies, {a} and {b}, from the same country?",
    ],
}
# About the directors of two films: the relation of the directors, the question, and what is asked for.
_DIRECTED = [
    ("date of birth", "Which film has the director who was born first, {a} or {b}?", True),
    ("date of birth", "Which film has the director who is older, {a} or {b}?", True),
    ("date of birth", "Which film has the director who was born later, {a} or {b}?", False),
    ("date of birth", "Which film whose director is younger, {a} or {b}?", False),
    ("date of death", "Which film has the director who died first, {a} or {b}?", True),
    ("date of death", "Which film has the director who died later, {a} or {b}?", False),
    ("country of citizenship", "Do the films {a} and {b} have directors from the same country?", None),
    ("country of citizenship", "Do both films, {a} and {b}, have directors of the same nationality?", None),
]
_PLAIN = {
    "date of birth": ["When was {a} born?", "What is the date of birth of {a}?"],
    "date of death": ["When did {a} die?", "What is the date of death of {a}?"],
    "place of birth": ["Where was {a} born?", "What is the place of birth of {a}?"],
    "place of death": ["Where did {a} die?", "What is the place of death of {a}?"],
    "country of citizenship": ["What is the nationality of {a}?", "What nationality is {a}?"],
    "director": ["Who directed {a}?", "Who is the director of film {a}?"],
    "father": ["Who is the father of {a}?", "Who is {a}'s father?"],
    "mother": ["Who is the mother of {a}?", "Who is {a}'s mother?"],
    "spouse": ["Who is the spouse of {a}?", "Who did {a} marry?"],
    "composer": ["Who composed the music of {a}?", "Who is the composer of {a}?"],
    "performer": ["Who performed {a}?", "Who is the performer of song {a}?"],
}
_CHAINED = {
    "date of birth": ["When was the {role} of {a} born?", "What is the date of birth of the {role} of {a}?"],
    "date of death": ["When did the {role} of {a} die?", "What is the date of death of the {role} of {a}?"],
    "place of birth": ["Where was the {role} of {a} born?", "What is the birthplace of the {role} of {a}?"],
    "place of death": [
        "Where did the {role} of {a} die?",
        "What is the place of death of the {role} of {a}?",
    ],
    "country of citizenship": [
        "What nationality is the {role} of {a}?",
        "Which country is the {role} of {a} from?",
    ],
    "father": ["Who is the father of the {role} of {a}?"],
    "mother": ["Who is the mother of the {role} of {a}?"],
    "spouse": ["Who is the spouse of the {role} of {a}?"],
}
ROLES = ("director", "performer", "composer", "father", "mother", "spouse")
# Words for one country whose sameness a string does not show.
_UNSURE = re.compile(
    r"^(?:brit|engl|scot|wel|wale|irel|iris|united k|great b|uk|sovi|russ|germ|pruss|west g|east g)"
)


class Known:
    """Facts by relation, and by subject."""

    def __init__(self, facts: Sequence[Fact]) -> None:
        self.of: dict[str, list[Fact]] = {}
        self.about: dict[str, dict[str, Fact]] = {}
        for fact in facts:
            self.of.setdefault(fact.relation, []).append(fact)
            self.about.setdefault(plain_words(fact.head), {})[fact.relation] = fact
        self.simple = [fact for fact in facts if fact.relation in _PLAIN]
        self.starts = [fact for fact in facts if fact.relation in ROLES and self.behind(fact)]

    def behind(self, fact: Fact) -> list[Fact]:
        """Return the facts about a fact's object that can be asked for."""
        further = self.about.get(plain_words(fact.tail), {})
        return [known for relation, known in further.items() if relation in _CHAINED]

    def films(self, relation: str) -> list[Fact]:
        """Return the films whose director has a fact with this relation."""
        directed = self.of.get("director", [])
        return [fact for fact in directed if relation in self.about.get(plain_words(fact.tail), {})]


def facts_of(rows: Sequence[Row]) -> list[Fact]:
    """Return the facts of some rows, each once."""
    found: dict[tuple[str, str], Fact] = {}
    for row in rows:
        gold_pages = {passage.title for passage in row.evidence}
        distractors = tuple(passage for passage in row.others if passage.title not in gold_pages)
        for triple in row.triples:
            if triple.index < 0:
                continue
            fact = Fact(triple.head, triple.relation, triple.tail, row.sentences[triple.index], distractors)
            found.setdefault((plain_words(triple.head), triple.relation), fact)
    return list(found.values())


def invent(rows: Sequence[Row], part: Part, seed: int, n: int) -> list[Row]:
    """Return at most n new questions of each kind from the triples of the rows of one part."""
    known = Known(facts_of([row for row in rows if row.part == part]))
    rng = draws(seed, "invent", part)
    kinds: list[Callable[[], Row | None]] = [
        *(lambda relation=relation: _dated(known, relation, part, rng) for relation in _DATED),
        *(lambda relation=relation: _same(known, relation, part, rng) for relation in _SAME),
        lambda: _directed(known, part, rng),
        lambda: _directed(known, part, rng),
        lambda: _chained(known, part, rng),
        lambda: _asked(known, part, rng),
    ]
    invented: dict[str, Row] = {}
    for kind in kinds:
        made = (kind() for _ in range(n))
        invented |= {row.question: row for row in made if row is not None}
    return list(invented.values())


def _two(known: Known, relation: str, rng: random.Random) -> tuple[Fact, Fact] | None:
    facts = known.of.get(relation, [])
    if len(facts) < 2:
        return None
    fact, other = rng.sample(facts, 2)
    return None if plain_words(fact.head) == plain_words(other.head) else (fact, other)


def _dated(known: Known, relation: str, part: Part, rng: random.Random) -> Row | None:
    pair = _two(known, relation, rng)
    if pair is None:
        return None
    question, want_first = rng.choice(_DATED[relation])
    first = _first(date_of(pair[0].tail), date_of(pair[1].tail))
    if first is None:
        return None
    answer = pair[0 if first == want_first else 1].head
    return _row(question.format(a=pair[0].head, b=pair[1].head), answer, pair, "comparison", part)


def _same(known: Known, relation: str, part: Part, rng: random.Random) -> Row | None:
    pair = _two(known, relation, rng)
    if pair is not None and rng.random() < 0.4:  # two of one country are rarer than they are asked for
        alike = [fact for fact in known.of[relation] if fact.tail == pair[0].tail]
        pair = (pair[0], rng.choice(alike))
    if pair is None or pair[0] == pair[1]:
        return None
    answer = same_country(pair[0].tail, pair[1].tail)
    if answer is None:
        return None
    question = rng.choice(_SAME[relation]).format(a=pair[0].head, b=pair[1].head)
    return _row(question, answer, pair, "comparison", part)


def _directed(known: Known, part: Part, rng: random.Random) -> Row | None:
    relation, question, want_first = rng.choice(_DIRECTED)
    films = known.films(relation)
    if len(films) < 2:
        return None
    pair = rng.sample(films, 2)
    own, others = (known.about[plain_words(film.tail)][relation] for film in pair)
    if own == others:
        return None
    answer: str | None
    if want_first is None:
        answer = same_country(own.tail, others.tail)
    else:
        first = _first(date_of(own.tail), date_of(others.tail))
        answer = None if first is None else pair[0 if first == want_first else 1].head
    asked = question.format(a=pair[0].head, b=pair[1].head)
    return _row(asked, answer, (*pair, own, others), "bridge_comparison", part)


def _chained(known: Known, part: Part, rng: random.Random) -> Row | None:
    if not known.starts:
        return None
    start = rng.choice(known.starts)
    end = rng.choice(known.behind(start))
    question = rng.choice(_CHAINED[end.relation]).format(role=start.relation, a=start.head)
    return _row(question, end.tail, (start, end), "compositional", part)


def _asked(known: Known, part: Part, rng: random.Random) -> Row | None:
    if not known.simple:
        return None
    fact = rng.choice(known.simple)
    return _row(rng.choice(_PLAIN[fact.relation]).format(a=fact.head), fact.tail, (fact,), "single", part)


def _row(question: str, answer: str | None, facts: Sequence[Fact], kind: str, part: Part) -> Row | None:
    return None if answer is None else row_from_facts(question, answer, facts, SOURCE, part, kind)


def _first(date: Date | None, other: Date | None) -> bool | None:
    return None if date is None or other is None else earlier(date, other)


def same_country(name: str, other: str) -> str | None:
    """Return whether two names of countries or peoples are the same; None where the words do not decide it.

    >>> same_country("Norway", "Norwegian"), same_country("Peru", "Norway"), same_country("UK", "English")
    (None, 'no', None)
    """
    mine, theirs = plain_words(name), plain_words(other)
    if mine == theirs:
        return "yes"
    unsure = mine[:4] == theirs[:4] or _UNSURE.match(mine) or _UNSURE.match(theirs)
    mixed = {"american", "united states", "united states of america", "us", "usa"} >= {mine, theirs}
    return None if unsure or mixed else "no"


def roles_in(question: str) -> Iterator[tuple[str, str]]:
    """Yield the roles that a question names: the relation, and the question's own word for it.

    >>> list(roles_in("Who is the mother of the director of film Grey Heron?"))
    [('director', 'director'), ('mother', 'mother')]
    """
    spelt = {"spouse": r"spouse|husband|wife", "director": r"directors?", "performer": r"performer|singer"}
    for role in ROLES:
        found = re.search(rf"\b(?:{spelt.get(role, role)})\b", question, re.IGNORECASE)
        if found is not None:
            yield role, found.group()
