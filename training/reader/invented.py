"""Questions made from facts of any page, with years and names changed, so that only reading answers them.

As 2WikiMultihopQA asks them: which of two was first or lived longer, whether two are of one country, what is
known of the director of a film, who somebody's grandfather is. The names are spelt as there: every word with
a capital, also where the page has none ("The Serpent'S Egg (Film)"), and the answer as in the question.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from probative.bench.splits import Part, plain_words
from probative.text.dates import earlier
from probative.text.english.dates import date_of
from training.reader.example import draws
from training.reader.facts import LATEST, Fact, annotated, bare, can_shift, latest, read_off, renamed, shifted
from training.reader.rows import Row, Triple
from training.reader.triples import same_country

SOURCE = "2wiki_pages"
# Of names that a question holds, the share that is spelt with a capital in every word.
TITLED = 0.85
# The share of facts whose years are moved.
MOVED = 0.6
# Of a hundred questions, how many are of each sort.
SORTS = {"dated": 22, "lived": 5, "same": 11, "directed": 24, "chained": 24, "kin": 10, "asked": 4}

_DATED = {
    "date of birth": {
        True: [
            "Who was born first, {a} or {b}?",
            "Who was born earlier, {a} or {b}?",
            "Who is older, {a} or {b}?",
            "Who was born first out of {a} and {b}?",
            "Between {a} and {b}, who was born first?",
        ],
        False: [
            "Who was born later, {a} or {b}?",
            "Who is younger, {a} or {b}?",
            "Which of {a} and {b} was born later?",
        ],
    },
    "date of death": {
        True: ["Who died first, {a} or {b}?", "Who died earlier, {a} or {b}?"],
        False: ["Who died later, {a} or {b}?"],
    },
    "publication date": {
        True: [
            "Which film came out first, {a} or {b}?",
            "Which film was released first, {a} or {b}?",
            "Which film was released earlier, {a} or {b}?",
            "Which film came out earlier, {a} or {b}?",
        ],
        False: [
            "Which film was released more recently, {a} or {b}?",
            "Which film came out later, {a} or {b}?",
        ],
    },
}
_DIRECTED = {
    "date of birth": {
        True: [
            "Which film has the director born first, {a} or {b}?",
            "Which film has the director who was born first, {a} or {b}?",
            "Which film has the director born earlier, {a} or {b}?",
            "Which film has the director who is older, {a} or {b}?",
            "Which film has the director who is older than the other, {a} or {b}?",
            "Which film whose director was born first, {a} or {b}?",
        ],
        False: [
            "Which film has the director born later, {a} or {b}?",
            "Which film has the director who was born later, {a} or {b}?",
            "Which film has the director who is younger, {a} or {b}?",
            "Which film whose director is younger, {a} or {b}?",
        ],
    },
    "date of death": {
        True: [
            "Which film has the director died first, {a} or {b}?",
            "Which film has the director who died first, {a} or {b}?",
            "Which film has the director died earlier, {a} or {b}?",
            "Which film has the director who died earlier, {a} or {b}?",
        ],
        False: [
            "Which film has the director died later, {a} or {b}?",
            "Which film has the director who died later, {a} or {b}?",
        ],
    },
}
_ALIKE = [
    "Do both films {a} and {b} have the directors from the same country?",
    "Do both films: {a} and {b} have the directors that share the same nationality?",
    "Are director of film {a} and director of film {b} from the same country?",
    "Do director of film {a} and director of film {b} share the same nationality?",
    "Are the directors of both films {a} and {b} from the same country?",
    "Do both directors of films {a} and {b} have the same nationality?",
]
_SAME = {
    "country of citizenship": [
        "Are {a} and {b} of the same nationality?",
        "Are both {a} and {b} from the same country?",
        "Do {a} and {b} share the same nationality?",
        "Were {a} and {b} of the same nationality?",
    ],
    "country of origin": [
        "Are {a} and {b} both from the same country?",
        "Are both movies, {a} and {b}, from the same country?",
        "Were both films, {a} and {b}, made in the same country?",
    ],
    "country": [
        "Are {a} and {b} located in the same country?",
        "Are both {a} and {b} located in the same country?",
    ],
}
_CHAINED = {
    "place of birth": [
        "Where was {role} born?",
        "What is the place of birth of {role}?",
        "Where was {role} born?",
    ],
    "place of death": [
        "Where did {role} die?",
        "Where was the place of death of {role}?",
        "What is the place of death of {role}?",
    ],
    "date of birth": [
        "When was {role} born?",
        "What is the date of birth of {role}?",
        "When is {role}'s birthday?",
    ],
    "date of death": ["When did {role} die?", "What is the date of death of {role}?"],
    "country of citizenship": [
        "What nationality is {role}?",
        "Which country {role} is from?",
        "What is the nationality of {role}?",
    ],
    "educated at": ["Where did {role} study?", "Where did {role} graduate from?"],
    "cause of death": ["What is the cause of death of {role}?", "Why did {role} die?"],
    "father": ["Who is the father of {role}?"],
    "mother": ["Who is the mother of {role}?"],
    "spouse": ["Who is the spouse of {role}?"],
    "child": ["Who is the child of {role}?"],
}
_ASKED_FOR = [
    *["place of birth"] * 7, *["place of death"] * 4, *["date of birth"] * 3, *["date of death"] * 3,
    *["country of citizenship"] * 4, *["educated at"] * 2, "cause of death",
    "father", "mother", "spouse", "child",
]  # fmt: skip
_ROLES = {
    "director": ["the director of film {a}", "the director of film {a}", "the director of {a}"],
    "performer": ["the performer of song {a}", "the performer of song {a}"],
    "composer": ["the composer of film {a}", "the composer of {a}"],
    "father": ["{a}'s father", "the father of {a}"],
    "mother": ["{a}'s mother", "the mother of {a}"],
    "spouse": ["{a}'s husband", "{a}'s wife", "the spouse of {a}"],
}
_STARTS = [*["director"] * 10, *["performer"] * 3, "composer", *["father"] * 4, "mother", *["spouse"] * 3]
# Said of somebody, where the pages at hand say too little of kin; {o} is the object.
_KINSHIP = {
    "father": [
        "He was the son of {o}.",
        "She was the daughter of {o}.",
        "{a} was the eldest son of {o} and his wife {x}.",
        "{a} was born the second child of {o} and {x}.",
        "Her father was {o}.",
    ],
    "mother": [
        "He was the son of {x} and {o}.",
        "She was the daughter of {x} and his wife {o}.",
        "{a} was the only son of {x} by his second wife, {o}.",
        "His mother was {o}.",
    ],
    "spouse": [
        "He was married to {o}.",
        "She was the wife of {o}.",
        "{a} married {o} and had three children.",
        "He was the husband of {o}.",
    ],
}
# Two relations, and what both together are called.
_KIN = {
    ("father", "father"): "paternal grandfather",
    ("father", "mother"): "paternal grandmother",
    ("mother", "father"): "maternal grandfather",
    ("mother", "mother"): "maternal grandmother",
    ("spouse", "father"): "father-in-law",
    ("spouse", "mother"): "mother-in-law",
    ("father", "spouse"): "stepmother",
}
_OFTEN = (
    [("father", "father")] * 5 + [("spouse", "father"), ("spouse", "mother"), ("mother", "father")] + [*_KIN]
)


class Inventor:
    """Invents questions of one part from what the rows of that part hold."""

    def __init__(self, rows: Sequence[Row], part: Part, seed: int, barred: frozenset[str]) -> None:
        self.part, self.rng = part, draws(seed, "pages", part)
        mine = [row for row in rows if row.part == part]
        self.of: dict[str, list[Fact]] = {}
        self.about: dict[str, dict[str, Fact]] = {}
        for fact in [
            *(one for one in annotated(mine) if one.said.title not in barred),
            *read_off(mine, barred),
        ]:
            facts = self.about.setdefault(plain_words(fact.head), {})
            if fact.relation not in facts:
                facts[fact.relation] = fact
                self.of.setdefault(fact.relation, []).append(fact)
        people = self.of.get("date of birth", ())
        self.names = [bare(fact.head) for fact in people if 2 <= len(bare(fact.head).split()) <= 4]

    def invent(self, number: int) -> list[Row]:
        """At most so many questions, each once."""
        sorts: dict[str, Callable[[], Row | None]] = {
            "dated": self._dated,
            "lived": self._lived,
            "same": self._same,
            "directed": self._directed,
            "chained": self._chained,
            "kin": self._kin,
            "asked": self._asked,
        }
        found: dict[str, Row] = {}
        for name, share in SORTS.items():
            for _ in range(number * share // 100):
                row = sorts[name]()
                if row is not None:
                    found[row.question] = row
        return list(found.values())

    def _two(self, relation: str) -> tuple[Fact, Fact] | None:
        among = self.of.get(relation, [])
        if len(among) < 2:
            return None
        one, other = self.rng.sample(among, 2)
        return (
            None
            if plain_words(one.head) == plain_words(other.head)
            else (self._moved(one), self._moved(other))
        )

    def _moved(self, fact: Fact) -> Fact:
        """The fact, for the most part in other years."""
        if self.rng.random() > MOVED or not can_shift(fact):
            return fact
        return shifted(fact, self._years(fact))

    def _years(self, fact: Fact) -> int:
        return self.rng.randint(-60, min(60, LATEST - latest(fact)))

    def _dated(self) -> Row | None:
        relation = self.rng.choice([*_DATED, "date of birth", "publication date"])
        pair = self._two(relation)
        if pair is None:
            return None
        want = self.rng.random() < 0.55
        first = _first(*pair)
        if first is None:
            return None
        return self._which(_DATED[relation][want], pair, 0 if first == want else 1, pair, "comparison")

    def _lived(self) -> Row | None:
        """Who of two lived longer, where years alone decide it."""
        among = [
            fact for fact in self.of.get("date of death", ()) if "date of birth" in self._known(fact.head)
        ]
        if len(among) < 2:
            return None
        ages, facts = [], []
        one, other = self.rng.sample(among, 2)
        for died in (one, other):
            born = self._known(died.head)["date of birth"]
            if can_shift(born) and can_shift(died) and self.rng.random() < MOVED:
                years = min(self._years(born), self._years(died))
                born, died = shifted(born, years), shifted(died, years)
            first, last = date_of(born.tail), date_of(died.tail)
            if first is None or last is None:
                return None
            ages.append(last[0] - first[0])
            facts += [born, died]
        if abs(ages[0] - ages[1]) < 2 or min(ages) < 0:
            return None
        asked = ["Who lived longer, {a} or {b}?"]
        return self._which(asked, (one, other), 0 if ages[0] > ages[1] else 1, facts, "comparison")

    def _same(self) -> Row | None:
        relation = self.rng.choice([*_SAME, "country of citizenship"])
        pair = self._two(relation)
        if pair is not None and self.rng.random() < 0.4:
            alike = [
                one for one in self.of[relation] if one.tail == pair[0].tail and one.head != pair[0].head
            ]
            pair = (pair[0], self.rng.choice(alike)) if alike else None
        answer = same_country(pair[0].tail, pair[1].tail) if pair is not None else None
        if pair is None or answer is None:
            return None
        a, b = (self._spelt(fact.head) for fact in pair)
        question = self.rng.choice(_SAME[relation]).format(a=a, b=b)
        return self._row(question, answer, pair, "comparison")

    def _directed(self) -> Row | None:
        films = self.of.get("director", [])
        relation = self.rng.choice(["date of birth"] * 3 + ["date of death"] * 2 + ["country of citizenship"])
        pair = self._two(relation)
        if pair is None or len(films) < 2:
            return None
        linked = [self._linked(film, end) for film, end in zip(self.rng.sample(films, 2), pair, strict=True)]
        one, other = linked
        if one is None or other is None or plain_words(one.head) == plain_words(other.head):
            return None
        facts = (one, other, *pair)
        if relation == "country of citizenship":
            answer = same_country(pair[0].tail, pair[1].tail)
            asked = self.rng.choice(_ALIKE).format(a=self._spelt(one.head), b=self._spelt(other.head))
            return None if answer is None else self._row(asked, answer, facts, "bridge_comparison")
        want = self.rng.random() < 0.55
        first = _first(*pair)
        if first is None:
            return None
        which = 0 if first == want else 1
        return self._which(_DIRECTED[relation][want], (one, other), which, facts, "bridge_comparison")

    def _chained(self) -> Row | None:
        relation, role = self.rng.choice(_ASKED_FOR), self.rng.choice(_STARTS)
        start, end = self._any(role), self._any(relation)
        linked = self._linked(start, end) if start is not None and end is not None else None
        if start is None or end is None or linked is None:
            return None
        end = self._moved(end)
        who = self.rng.choice(_ROLES[role]).format(a=self._spelt(start.head))
        question = self.rng.choice(_CHAINED[relation]).format(role=who)
        return self._row(question, end.tail, (linked, end), "compositional")

    def _any(self, relation: str) -> Fact | None:
        if relation in _KINSHIP:
            return self._of_kin(relation)
        return self.rng.choice(self.of[relation]) if self.of.get(relation) else None

    def _kin(self) -> Row | None:
        first, second = self.rng.choice(_OFTEN)
        start, end = self._of_kin(first), self._of_kin(second)
        linked = self._linked(start, end) if start is not None and end is not None else None
        if start is None or end is None or linked is None:
            return None
        asked = self.rng.choice(["Who is the {kin} of {a}?", "Who is {a}'s {kin}?"])
        question = asked.format(kin=_KIN[first, second], a=self._spelt(start.head))
        return self._row(question, end.tail, (linked, end), "inference")

    def _of_kin(self, relation: str) -> Fact | None:
        """Whose father, mother or spouse somebody is: as some page says it, or said of anybody."""
        among, people = self.of.get(relation, []), self.of.get("date of birth", [])
        if not self.names or not people:
            return None
        name, other = self.rng.choice(self.names), self.rng.choice(self.names)
        if among and self.rng.random() < 0.35:
            fact = self.rng.choice(among)
            return (renamed(fact, name) or fact) if self.rng.random() < 0.5 else fact
        about = self.rng.choice(people)
        said = self.rng.choice(_KINSHIP[relation]).format(a=bare(about.head), o=name, x=other)
        text = f"{about.said.text} {said}" if self.rng.random() < 0.5 else said
        if name in about.said.text or other == name:
            return None
        passage = about.said.model_copy(update={"text": text})
        return Fact(about.head, relation, name, passage, about.beside)

    def _asked(self) -> Row | None:
        relation = self.rng.choice(_ASKED_FOR)
        if not self.of.get(relation):
            return None
        fact = self._moved(self.rng.choice(self.of[relation]))
        question = self.rng.choice(_CHAINED[relation]).format(role=self._spelt(fact.head))
        return self._row(question, fact.tail, (fact,), "single")

    def _linked(self, start: Fact, end: Fact) -> Fact | None:
        """The first fact with the subject of the other as its object, so that one leads to the other."""
        if plain_words(start.head) == plain_words(end.head) or start.said.title == end.said.title:
            return None
        if plain_words(start.tail) == plain_words(end.head):
            return start
        return renamed(start, bare(end.head))

    def _known(self, head: str) -> dict[str, Fact]:
        return self.about.get(plain_words(head), {})

    def _spelt(self, name: str) -> str:
        return name.title() if self.rng.random() < TITLED else name

    def _which(
        self, questions: Sequence[str], pair: Sequence[Fact], which: int, facts: Sequence[Fact], kind: str
    ) -> Row | None:
        names = [self._spelt(fact.head) for fact in pair]
        question = self.rng.choice(questions).format(a=names[0], b=names[1])
        return self._row(question, names[which], facts, kind)

    def _row(self, question: str, answer: str, facts: Sequence[Fact], kind: str) -> Row | None:
        said = tuple(dict.fromkeys(fact.said for fact in facts))
        pages = {passage.title for passage in said}
        beside = tuple(dict.fromkeys(one for fact in facts for one in fact.beside if one.title not in pages))
        triples = tuple(Triple(fact.head, fact.relation, fact.tail, said.index(fact.said)) for fact in facts)
        return Row(
            question, answer, said + beside, tuple(range(len(said))), SOURCE, self.part, kind,
            needs_all=True, triples=triples,
        )  # fmt: skip


def _first(one: Fact, other: Fact) -> bool | None:
    """Whether the first of two dates is the earlier one."""
    mine, theirs = date_of(one.tail), date_of(other.tail)
    return None if mine is None or theirs is None else earlier(mine, theirs)
