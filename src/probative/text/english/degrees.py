"""What English comparatives compare: "higher" the height, "cheaper" the price, "older" birth or age."""

from __future__ import annotations

import re
from typing import NamedTuple

from probative.text.analysis import Attribute
from probative.text.quantities import Dimension
from probative.text.word_lists import any_of, read_table, stem, word_list, word_lists, word_map, word_set


class Degree(NamedTuple):
    """A comparative or superlative in a question: what it compares, and whether it asks for the larger."""

    attributes: tuple[Attribute, ...]
    largest: bool
    start: int
    end: int


def quantity(name: str, question: str, dimensions: str, cues: str = "") -> Attribute:
    """Return an attribute that is a quantity; dimensions and cues are separated by spaces."""
    kinds: frozenset[Dimension] = frozenset(dimensions.split())  # type: ignore[arg-type]
    return Attribute(name, question, "quantity", kinds, frozenset(map(stem, f"{name} {cues}".split())))


_TABLE = read_table("attributes")
ATTRIBUTES = {
    name: quantity(name, entry["question"], entry["dimensions"], entry["cues"])._replace(
        inverted=entry.get("inverted", False)
    )
    for name, entry in _TABLE["quantities"].items()
}
"""The quantities that questions compare, by name."""
PRICE, LENGTH, AGE = ATTRIBUTES["price"], ATTRIBUTES["length"], ATTRIBUTES["age"]
BIRTH, DEATH, START = (Attribute(name, entry["question"], "date") for name, entry in _TABLE["dates"].items())

# Adjectives, whether their comparatives ask for the larger, and what they compare.
_ADJECTIVES: dict[str, tuple[bool, tuple[Attribute, ...]]] = {
    word: (listed[0] != "-", tuple(ATTRIBUTES[name] for name in listed if name != "-"))
    for word, listed in word_lists("adjectives").items()
}
_OLD = {"old": True, "young": False, "new": False}
# These say only which way: "a higher population", "the lowest rate".
_GENERIC = word_set("comparisons.generic")
_HAS = re.compile(r"\b(?:has|have|had|with)\s+(?:the\s+|an?\s+)?$")
_IRREGULAR = word_map("irregular_degrees")
_NOUNS = {
    noun: ATTRIBUTES[name] for name, entry in _TABLE["quantities"].items() for noun in entry["nouns"].split()
}
_VERBS = {verb: ATTRIBUTES[name] for verb, name in word_map("measuring_verbs").items()}
# "How much more does A cost": the verb stands behind.
_BY_VERB = re.compile(r"\s+(?:does|do|did)\s+.{1,80}?\b(?P<verb>cost|weigh)\b")
# The noun behind "more", with what stands before it: "more gold medals", "the lower monthly rent".
_ENDS_PHRASE = any_of("comparisons.ends_phrase")
_PHRASE = rf"(?!(?:{_ENDS_PHRASE})\b)[a-z][\w-]*(?:\s+(?!(?:{_ENDS_PHRASE})\b)[a-z][\w-]*){{0,2}}"
_MORE = re.compile(rf"\b(?P<much>more|most|less|least|fewer|fewest)\b(?:\s+(?P<word>{_PHRASE}))?")
_ER = re.compile(r"\b(?P<word>[a-z]+?)(?P<ending>er|est)\b")
_NOUN_AFTER = re.compile(rf"\s+(?P<noun>{_PHRASE})")
_ALL_DIMENSIONS = " ".join(word_list("comparisons.dimensions"))


def find_degree(text: str, *, person: bool = False) -> Degree | None:
    """Return the first comparative or superlative of a text. `person`: the question asks "who".

    >>> degree = find_degree("Which peak is higher?")
    >>> degree.attributes[0].name, degree.largest
    ('height', True)
    >>> find_degree("Which play has fewer acts?").attributes[0].question
    'How many acts does {} have?'
    """
    for match in _ER.finditer(text):
        if (degree := _by_adjective(match, text, person=person)) is not None:
            return degree
    for match in _MORE.finditer(text):
        if (degree := _by_amount(match, text)) is not None:
            return degree
    return None


def attribute_of_noun(noun: str) -> Attribute:
    """Return the quantity that a noun names; for other nouns, what the chain says of that noun.

    >>> attribute_of_noun("height").name, attribute_of_noun("runway length").question
    ('height', 'What is the runway length of {}?')
    """
    if noun.lower() in _NOUNS:
        return _NOUNS[noun.lower()]
    return quantity(noun, f"What is the {noun} of {{}}?", _ALL_DIMENSIONS)


# Words for the same countable things.
_SYNONYMS = tuple(map(frozenset, word_lists("synonyms").values()))


def count_of(noun: str) -> Attribute:
    """Return the attribute that counts a noun in each option.

    >>> count_of("seats").question
    'How many seats does {} have?'
    """
    if noun.lower() in _NOUNS:
        return _NOUNS[noun.lower()]
    last = noun.split()[-1].lower()
    synonyms = next((words for words in _SYNONYMS if last in words), frozenset({last}))
    return quantity(f"number of {noun}", f"How many {noun} does {{}} have?", "number")._replace(
        cues=frozenset(map(stem, synonyms))
    )


def ages(*, person: bool) -> tuple[Attribute, ...]:
    """Return what "older" compares: dates of birth or ages, and for things their beginning."""
    birth, start = BIRTH._replace(inverted=True), START._replace(inverted=True)
    return (birth, AGE) if person else (start, birth, AGE)


def _by_adjective(match: re.Match[str], text: str, *, person: bool) -> Degree | None:
    word = match.group().lower()
    base = _base(word)
    largest: bool
    if base in _OLD:
        # The older one has the earlier date: `largest` is about the age.
        return Degree(ages(person=person), _OLD[base], match.start(), match.end())
    if base in _ADJECTIVES:
        largest, attributes = _ADJECTIVES[base]
    elif word in ("greater", "greatest", "lesser"):
        largest, attributes = word != "lesser", ()
    else:
        return None
    after = _NOUN_AFTER.match(text, match.end())
    noun = after["noun"].lower() if after is not None else ""
    if noun in _NOUNS:
        attributes = (_NOUNS[noun],)
    elif noun and (not attributes or _HAS.search(text[: match.start()])):
        attributes = (_of_part(base, attributes, noun),)
    return Degree(attributes, largest, match.start(), match.end()) if attributes else None


def _of_part(adjective: str, attributes: tuple[Attribute, ...], noun: str) -> Attribute:
    """Return what "has the lower unemployment", "the longer runway" or "the smaller crew" compares."""
    if not attributes or (adjective in _GENERIC and attributes[0].dimensions == {"length"}):
        return attribute_of_noun(noun)  # "the higher rate" is no height
    size = "large" if adjective in _GENERIC else adjective
    verb = "are" if noun.endswith("s") else "is"
    return attributes[0]._replace(
        name=f"{attributes[0].name} of the {noun}", question=f"How {size} {verb} the {noun} of {{}}?"
    )


def _by_amount(match: re.Match[str], text: str) -> Degree | None:
    """Return the degree of "more acts", "less expensive", "weighs more"."""
    more = match["much"].lower() in ("more", "most")
    word = (match["word"] or "").lower()
    if (adjective := word.partition(" ")[0]) in _ADJECTIVES:
        larger, attributes = _ADJECTIVES[adjective]
        return Degree(attributes, larger == more, match.start(), match.start("word") + len(adjective))
    before = re.findall(r"[a-z]+", text[: match.start()].lower())
    # "does A weigh more than B": the verb may stand before the amount.
    if before and before[-1] in _VERBS:
        return Degree((_VERBS[before[-1]],), more, match.start(), match.start() + len(match["much"]))
    if (verb := _BY_VERB.match(text, match.end("much"))) is not None:
        return Degree((_VERBS[verb["verb"]],), more, match.start(), match.end("much"))
    if not word:
        return None
    return Degree((count_of(word),), more, match.start(), match.end())


def _base(word: str) -> str:
    """Return the adjective of a comparative: "higher" → "high", "bigger" → "big", "heavier" → "heavy"."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    root = re.sub(r"(?:er|est)$", "", word)
    candidates = [root, f"{root}e"]
    if root.endswith("i"):
        candidates.append(f"{root[:-1]}y")
    if len(root) > 2 and root[-1] == root[-2]:
        candidates.append(root[:-1])
    return next((base for base in candidates if base in _ADJECTIVES or base in _OLD), "")
