"""Invent questions from facts of any page, with years and names changed, so that only reading answers them.

The questions are those of 2WikiMultihopQA: which of two was first or lived longer, whether two are of one
country, facts about the director of a film, somebody's grandfather. Names are spelt as there: every word
with a capital, even where the page has none ("The Serpent'S Egg (Film)"), and the answer as in the
question.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from probative.bench.data.splits import plain_words
from probative.text.dates import earlier
from training.reader.dates import date_of
from training.reader.example import draws
from training.reader.facts import (
    LATEST,
    Fact,
    annotated,
    bare,
    can_shift,
    latest,
    read_off,
    renamed,
    row_from_facts,
    shifted,
)
from training.reader.question_forms import (
    ASKED_RELATIONS,
    CHAINED,
    COMMON_KIN,
    DATED,
    DIRECTED,
    KIN_TERMS,
    KINSHIP_SENTENCES,
    ROLES,
    SAME_COUNTRY,
    SAME_DIRECTORS,
    STARTING_ROLES,
)
from training.reader.rows import Row
from training.reader.triples import same_country
from training.splits import Part

SOURCE = "2wiki_pages"
# The share of names in questions that are spelt with a capital in every word.
TITLED = 0.85
# The share of facts whose years are moved.
MOVED = 0.6
# The share of each kind of question, in percent.
KINDS = {"dated": 22, "lived": 5, "same": 11, "directed": 24, "chained": 24, "kin": 10, "asked": 4}


class Inventor:
    """Invents questions of one part from the facts in the rows of that part; pages in `barred` are not
    used.
    """

    def __init__(self, rows: Sequence[Row], part: Part, seed: int, barred: frozenset[str]) -> None:
        self.part, self.rng = part, draws(seed, "pages", part)
        mine = [row for row in rows if row.part == part]
        self.of: dict[str, list[Fact]] = {}
        self.about: dict[str, dict[str, Fact]] = {}
        for fact in [
            *(fact for fact in annotated(mine) if fact.sentence.title not in barred),
            *read_off(mine, barred),
        ]:
            facts = self.about.setdefault(plain_words(fact.head), {})
            if fact.relation not in facts:
                facts[fact.relation] = fact
                self.of.setdefault(fact.relation, []).append(fact)
        people = self.of.get("date of birth", ())
        self.names = [bare(fact.head) for fact in people if 2 <= len(bare(fact.head).split()) <= 4]

    def invent(self, n: int) -> list[Row]:
        """Return at most n different questions."""
        kinds: dict[str, Callable[[], Row | None]] = {
            "dated": self._dated,
            "lived": self._lived,
            "same": self._same,
            "directed": self._directed,
            "chained": self._chained,
            "kin": self._kin,
            "asked": self._asked,
        }
        rows: dict[str, Row] = {}
        for name, percent in KINDS.items():
            for _ in range(n * percent // 100):
                row = kinds[name]()
                if row is not None:
                    rows[row.question] = row
        return list(rows.values())

    def _two(self, relation: str) -> tuple[Fact, Fact] | None:
        facts = self.of.get(relation, [])
        if len(facts) < 2:
            return None
        first, second = self.rng.sample(facts, 2)
        if plain_words(first.head) == plain_words(second.head):
            return None
        return self._moved(first), self._moved(second)

    def _moved(self, fact: Fact) -> Fact:
        """Return the fact, usually with its years moved."""
        if self.rng.random() > MOVED or not can_shift(fact):
            return fact
        return shifted(fact, self._years(fact))

    def _years(self, fact: Fact) -> int:
        return self.rng.randint(-60, min(60, LATEST - latest(fact)))

    def _dated(self) -> Row | None:
        relation = self.rng.choice([*DATED, "date of birth", "publication date"])
        pair = self._two(relation)
        if pair is None:
            return None
        want = self.rng.random() < 0.55
        first = _first(*pair)
        if first is None:
            return None
        return self._which(DATED[relation][want], pair, 0 if first == want else 1, pair, "comparison")

    def _lived(self) -> Row | None:
        """Ask who of two lived longer, where the years alone decide it."""
        deaths = [
            fact for fact in self.of.get("date of death", ()) if "date of birth" in self._known(fact.head)
        ]
        if len(deaths) < 2:
            return None
        ages, facts = [], []
        pair = self.rng.sample(deaths, 2)
        for died in pair:
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
        return self._which(asked, pair, 0 if ages[0] > ages[1] else 1, facts, "comparison")

    def _same(self) -> Row | None:
        relation = self.rng.choice([*SAME_COUNTRY, "country of citizenship"])
        pair = self._two(relation)
        if pair is not None and self.rng.random() < 0.4:
            alike = [
                fact for fact in self.of[relation] if fact.tail == pair[0].tail and fact.head != pair[0].head
            ]
            pair = (pair[0], self.rng.choice(alike)) if alike else None
        answer = same_country(pair[0].tail, pair[1].tail) if pair is not None else None
        if pair is None or answer is None:
            return None
        a, b = (self._spelt(fact.head) for fact in pair)
        question = self.rng.choice(SAME_COUNTRY[relation]).format(a=a, b=b)
        return self._row(question, answer, pair, "comparison")

    def _directed(self) -> Row | None:
        films = self.of.get("director", [])
        relation = self.rng.choice(["date of birth"] * 3 + ["date of death"] * 2 + ["country of citizenship"])
        pair = self._two(relation)
        if pair is None or len(films) < 2:
            return None
        linked = [self._linked(film, end) for film, end in zip(self.rng.sample(films, 2), pair, strict=True)]
        film, other = linked
        if film is None or other is None or plain_words(film.head) == plain_words(other.head):
            return None
        facts = (film, other, *pair)
        if relation == "country of citizenship":
            answer = same_country(pair[0].tail, pair[1].tail)
            form = self.rng.choice(SAME_DIRECTORS)
            asked = form.format(a=self._spelt(film.head), b=self._spelt(other.head))
            return None if answer is None else self._row(asked, answer, facts, "bridge_comparison")
        want = self.rng.random() < 0.55
        first = _first(*pair)
        if first is None:
            return None
        which = 0 if first == want else 1
        return self._which(DIRECTED[relation][want], (film, other), which, facts, "bridge_comparison")

    def _chained(self) -> Row | None:
        relation, role = self.rng.choice(ASKED_RELATIONS), self.rng.choice(STARTING_ROLES)
        start, end = self._any(role), self._any(relation)
        linked = self._linked(start, end) if start is not None and end is not None else None
        if start is None or end is None or linked is None:
            return None
        end = self._moved(end)
        who = self.rng.choice(ROLES[role]).format(a=self._spelt(start.head))
        question = self.rng.choice(CHAINED[relation]).format(role=who)
        return self._row(question, end.tail, (linked, end), "compositional")

    def _any(self, relation: str) -> Fact | None:
        if relation in KINSHIP_SENTENCES:
            return self._of_kin(relation)
        return self.rng.choice(self.of[relation]) if self.of.get(relation) else None

    def _kin(self) -> Row | None:
        first, second = self.rng.choice(COMMON_KIN)
        start, end = self._of_kin(first), self._of_kin(second)
        linked = self._linked(start, end) if start is not None and end is not None else None
        if start is None or end is None or linked is None:
            return None
        asked = self.rng.choice(["Who is the {kin} of {a}?", "Who is {a}'s {kin}?"])
        question = asked.format(kin=KIN_TERMS[first, second], a=self._spelt(start.head))
        return self._row(question, end.tail, (linked, end), "inference")

    def _of_kin(self, relation: str) -> Fact | None:
        """Return a fact about a father, mother or spouse: as a page states it, or in an invented sentence."""
        stated, people = self.of.get(relation, []), self.of.get("date of birth", [])
        if not self.names or not people:
            return None
        name, other = self.rng.choice(self.names), self.rng.choice(self.names)
        if stated and self.rng.random() < 0.35:
            fact = self.rng.choice(stated)
            return (renamed(fact, name) or fact) if self.rng.random() < 0.5 else fact
        about = self.rng.choice(people)
        sentence = self.rng.choice(KINSHIP_SENTENCES[relation]).format(a=bare(about.head), o=name, x=other)
        text = f"{about.sentence.text} {sentence}" if self.rng.random() < 0.5 else sentence
        if name in about.sentence.text or other == name:
            return None
        passage = about.sentence.model_copy(update={"text": text})
        return Fact(about.head, relation, name, passage, about.distractors)

    def _asked(self) -> Row | None:
        relation = self.rng.choice(ASKED_RELATIONS)
        if not self.of.get(relation):
            return None
        fact = self._moved(self.rng.choice(self.of[relation]))
        question = self.rng.choice(CHAINED[relation]).format(role=self._spelt(fact.head))
        return self._row(question, fact.tail, (fact,), "single")

    def _linked(self, start: Fact, end: Fact) -> Fact | None:
        """Return `start` with the subject of `end` as its object, so that one leads to the other."""
        if plain_words(start.head) == plain_words(end.head) or start.sentence.title == end.sentence.title:
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

    def _row(self, question: str, answer: str, facts: Sequence[Fact], kind: str) -> Row:
        return row_from_facts(question, answer, facts, SOURCE, self.part, kind)


def _first(fact: Fact, other: Fact) -> bool | None:
    """Return whether the first of two dates is the earlier one; None if that is unknown."""
    date, other_date = date_of(fact.tail), date_of(other.tail)
    return None if date is None or other_date is None else earlier(date, other_date)
