"""Whether a sentence carries a feature, yes or no, for questions whose triples are known.

A label is only given where it can be read off the annotation: a sentence that states a triple carries its
relation; one of another page, about another subject, does not, however alike it sounds. What may or may not
be meant (half a name, another person's date of birth for the intent "date of birth") is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from probative.bench.data.splits import plain_words
from probative.types import Passage
from training.reader.example import draws
from training.reader.features import asked_relation, features_of
from training.reader.rows import Row

Kind = Literal["intent", "node", "relation"]

# A sentence without any of these words cannot give what the relation asks for.
_GIVES = {
    "date of birth": r"\d{3,4}",
    "date of death": r"\d{3,4}",
    "publication date": r"\d{3,4}",
    "place of birth": r"born|birth|native|[(]",
    "place of death": r"die[ds]?|death|[(–-]",
    "father": r"father|son|daughter|child|parent|born|sister|brother",
    "mother": r"mother|son|daughter|child|parent|born|sister|brother",
    "spouse": r"wife|husband|marri|spouse|widow|consort|partner",
    "director": r"direct|film",
    "composer": r"compos|music|score|song|wr[io]t",
    "performer": r"song|sing|perform|record|album|by",
}


class Carried(NamedTuple):
    """A feature, a sentence, and whether the sentence carries the feature."""

    kind: Kind
    feature: str
    passage: Passage
    carries: bool


def carried(row: Row, seed: int) -> Iterator[Carried]:
    """Return labelled pairs of a feature and a sentence for a question, as many yes as no where possible."""
    features = features_of(row)
    if features is None or not row.triples or any(triple.index < 0 for triple in row.triples):
        return
    rng = draws(seed, "carries", row.question)
    for node in features.nodes:
        if node.text[0].isupper():
            yield from _balanced([*_node(row, node.text)], rng)
    for relation in features.relations:
        yield from _balanced([*_relation(row, relation.sentence, relation.head, relation.tail)], rng)
    asked = asked_relation(row)
    yield from _balanced([*_intent(row, features.intent, asked)], rng)


def _balanced(pairs: list[Carried], rng: object) -> list[Carried]:
    """Return the same number of pairs of each label, at n two of each."""
    shuffled = list(pairs)
    rng.shuffle(shuffled)  # type: ignore[attr-defined]
    yes = [pair for pair in shuffled if pair.carries]
    no = [pair for pair in shuffled if not pair.carries]
    n = min(2, len(yes), len(no))
    return yes[:n] + no[:n]


def _node(row: Row, name: str) -> Iterator[Carried]:
    """Label yes where the sentence or its title contains the whole name, no where it contains none of its
    words. A page with the same name and another addition in brackets is about another subject: it gets no
    label.
    """
    bare = plain_words(re.sub(r"\s*\([^()]*\)$", "", name))
    words = {word for word in bare.split() if len(word) > 2} or set(bare.split())
    for passage in row.sentences:
        text = plain_words(passage.whole)
        title = plain_words(passage.title or "")
        namesake = title != plain_words(name) and title.startswith(f"{bare} ") and name != passage.title
        if f" {bare} " in f" {text} ":
            if namesake and "(" in name:
                continue
            yield Carried("node", name, passage, True)
        elif not words & set(text.split()):
            yield Carried("node", name, passage, False)


def _relation(row: Row, sentence: str, role: str, name: str) -> Iterator[Carried]:
    """Label yes for the sentence that states the triple of this subject. Label no for sentences of other
    pages, first those that state the same relation of another subject, and for other sentences of its own
    page that name neither the object nor the role.
    """
    stem = role.lower()[:6]
    subject = plain_words(re.sub(r"\s*\([^()]*\)$", "", name))
    stated = [
        triple
        for triple in row.triples
        if plain_words(triple.head) in (subject, plain_words(name)) and triple.relation[:6] == stem
    ]
    if len(stated) != 1:
        return
    own = row.sentences[stated[0].index]
    yield Carried("relation", sentence, own, True)
    object_words = set(plain_words(stated[0].tail).split())
    others = []
    for passage in row.sentences:
        text = plain_words(passage.whole)
        its_own = passage.title == own.title or subject in text
        if its_own and (object_words & set(text.split()) or stem in text):
            continue
        others.append((stem in text, passage))
    alike = [passage for same, passage in others if same]
    for passage in alike or [passage for _, passage in others]:
        yield Carried("relation", sentence, passage, False)


def _intent(row: Row, intent: str, relation: str) -> Iterator[Carried]:
    """Label yes for the sentences that state what the question asks for; no for those that cannot state any
    such thing.
    """
    if relation not in _GIVES:
        return
    stating = {triple.index for triple in row.triples if triple.relation == relation}
    for index in stating:
        yield Carried("intent", intent, row.sentences[index], True)
    for index, passage in enumerate(row.sentences):
        if index not in stating and not re.search(_GIVES[relation], passage.whole, re.IGNORECASE):
            yield Carried("intent", intent, passage, False)
