"""What an English question over a graph asks besides its relation, and what relations allow to conclude."""

from __future__ import annotations

import re

from probative.text.word_lists import stems_of

_COUNT = re.compile(r"^\W*(?:(?:in|on|at|by|of|from|to|with|for) )?how many\b", re.IGNORECASE)
_FALSE = re.compile(r"\b(?:false|untrue|incorrect|wrong|a myth|a lie) (?:that|to)\b", re.IGNORECASE)
_TRUE = re.compile(r"\W*is it (?:true|correct|a fact|the case) that ", re.IGNORECASE)
_SUBJECT = re.compile(
    r"\W*(?:who|what|which (?:one )?of (?:these|them|the following))\s+(?=\w)"
    r"(?!(?:do|does|did|is|are|was|were|has|have|had|can|could|will|would|may|might|must|should)\b)",
    re.IGNORECASE,
)
_SYMMETRIC = re.compile(
    r"\b(?:borders?|neighbou?rs?|adjoins?|adjacent|near|next to|marr(?:y|ies|ied)|married to|spouse|sibling|"
    r"interacts?|connected|linked|related|co-?occurs?|similar|same as|equals?|friend|met|meets?)\b",
    re.IGNORECASE,
)
# A country has one capital and a person one father: another head for the same tail is excluded.
_ONE_HEAD = re.compile(r"\b(?:capital|father|mother)(?: city)? of$", re.IGNORECASE)


def asks_count(question: str) -> bool:
    """Return whether a question asks for a number of things.

    >>> asks_count("How many drugs ease a cough?"), asks_count("Which drugs ease a cough?")
    (True, False)
    """
    return bool(_COUNT.match(question))


def asks_if_false(question: str) -> bool:
    """Return whether a question asks if a statement is false.

    >>> asks_if_false("Is it false that tea eases a cough?"), asks_if_false("Does tea ease a cough?")
    (True, False)
    """
    return bool(_FALSE.search(question))


def as_statement(question: str, name: str) -> str:
    """Return a yes-or-no question as a statement: its first word follows the entity `name`. Return the
    question with a yes if its words are in another order.

    >>> as_statement("Does tea cure a cough?", "tea"), as_statement("Is Ole's ferry old?", "Ole")
    ('tea does cure a cough.', "Is Ole's ferry old? yes")
    >>> as_statement("Is it true that tea cures a cough?", "tea")
    'tea cures a cough.'
    """
    if framed := _TRUE.match(question):
        return f"{question[framed.end() :].rstrip(' ?')}."
    verb, _, rest = question.rstrip(" ?").partition(" ")
    end = rest.lower().find(name.lower()) + len(name)
    if end < len(name) or rest[end : end + 1] not in (" ", "s"):
        return f"{question} yes"
    end += len(rest[end:].partition(" ")[0])
    return f"{rest[:end]} {verb.lower()}{rest[end:]}."


def answered(question: str, answer: str) -> str:
    """Return an open question with its answer as a statement if it asks for its subject; otherwise the
    question, and then the answer.

    >>> answered("Which of these eases a cough?", "tea"), answered("Where is Molde?", "Nordland")
    ('tea eases a cough.', 'Where is Molde? Nordland')
    """
    asked = _SUBJECT.match(question)
    return f"{answer} {question[asked.end() :].rstrip(' ?')}." if asked else f"{question} {answer}"


def is_proper_name(question: str, name: str) -> bool:
    """Return whether an entity of a question is a name: all of its words have a capital, and it does not
    begin the question. Abbreviations are no names.

    >>> is_proper_name("Where was Tora Vik born?", "Tora Vik"), is_proper_name("What eases gout?", "gout")
    (True, False)
    """
    at = question.find(name)
    parts = [part for part in name.split() if part not in ("of", "the", "and", "de")]
    return at > 0 and bool(parts) and all(part[0].isupper() and not part.isupper() for part in parts)


def is_possessive(question: str, name: str) -> bool:
    """Return whether a question asks for something of an entity by its possessive.

    >>> is_possessive("Is Molde's harbour deep?", "Molde"), is_possessive("Is Molde deep?", "Molde")
    (True, False)
    """
    base = re.escape(re.sub(r"['’]s$", "", name))
    return bool(re.search(rf"\b{base}['’]s\b", question, re.IGNORECASE))


def is_symmetric(relation: str) -> bool:
    """Return whether a relation holds in both directions.

    >>> is_symmetric("borders"), is_symmetric("invented")
    (True, False)
    """
    return bool(_SYMMETRIC.search(relation.replace("_", " ")))


def has_one_head(relation: str) -> bool:
    """Return whether a tail can have this relation from one head only, and never in the other direction.

    >>> has_one_head("is the capital of"), has_one_head("is a town of")
    (True, False)
    """
    return bool(_ONE_HEAD.search(relation.replace("_", " ").strip()))


def names_literally(question: str, relation: str) -> bool:
    """Return whether a question contains every word of a relation, prepositions too.

    >>> names_literally("Which river does Molde lie on?", "lies on")
    True
    >>> names_literally("Which river does Molde lie on?", "lies in")
    False
    """
    words = stems_of(relation.replace("_", " "))
    return bool(words) and words <= stems_of(question)
