"""Yes-or-no questions that compare: "in the same town", "more than 1,000 seats", "taller than B"."""

from __future__ import annotations

import re
from dataclasses import replace

from probative.text.analysis import Attribute, Comparison
from probative.text.english.degrees import (
    AGE,
    ATTRIBUTES,
    PRICE,
    attribute_of_noun,
    count_of,
    find_degree,
)
from probative.text.english.drafts import Draft
from probative.text.english.events import event_attributes
from probative.text.english.operands import split_options
from probative.text.english.quantities import quantities_in
from probative.text.plan import By, Unit
from probative.text.quantities import Dimension, dimension_of
from probative.text.word_lists import any_of, stem, word_lists, word_map, word_set

_SAME = re.compile(
    rf"(?P<verb>\b(?!(?:{any_of('comparisons.prepositions')})\b)[a-z]+\s+)?"
    rf"(?P<preposition>\b(?:{any_of('comparisons.prepositions')})\s+)?"
    r"(?:(?P<same>\b(?:(?:the|a|an)\s+)?(?:same|one)|(?<=share )(?:a|the|one))|(?P<different>\bdifferent))\s+"
    r"(?P<noun>[a-z][a-z-]+(?:\s+of\s+[a-z]+)?)\b"
)
_AUXILIARY = re.compile(r"(?i)\W*(?P<auxiliary>are|is|were|was|do|does|did|have|has)\b\s*")
_COUNTRY = word_set("comparisons.countries")
_DATE = word_map("date_nouns")
_PERSON = word_set("comparisons.people")
_NUMBERS = word_set("comparisons.numbers")
_PAST_ACTIVE = word_map("past_active")
_TO_HAVE = word_set("comparisons.to_have")
_STAYING = word_set("comparisons.staying")
_PLURALS = word_map("plurals")
_OPENS = re.compile(rf"(?i)\W*(?:{any_of('comparisons.openers')})\b\s*")
_THAN = re.compile(r"(?i)\s+than\s+(?P<right>.+?)\W*$")
_BOUND = re.compile(rf"(?i)\s+(?P<bound>{any_of('comparisons.bounds')})\s+(?P<right>.+?)\W*$")
_SMALLER, _INCLUSIVE = word_set("comparisons.upper_bounds"), word_set("comparisons.inclusive")
_BEFORE = re.compile(
    r"\s+(?P<verb>[a-z]+(?:\s+out)?)(?:\s+[a-z]+)?\s+(?:earlier\s+than|later\s+than|(?P<when>before|after))\s+"
    r"(?P<right>.+?)(?:\s+(?:was|were|did|is)\b.*)?\W*$"
)
_BY_DIMENSION = {
    dimension: ATTRIBUTES["length" if "length" in names else names[0]]
    for dimension, names in word_lists("measures").items()
}
_COUNTED = re.compile(r"(?:[\d,.]+|[a-z]+)\s+(?P<noun>[a-z][a-z-]+)")
_OF = re.compile(r"(?:the\s+)?(?P<noun>[a-z]+(?:\s+[a-z]+){0,2})\s+(?:of|for|in|at)\s+\S")
_LIMIT_NOUN = re.compile(r"(?i)\b(?:limit|budget|allowance|maximum|minimum|threshold|cap)\b")
_MONEY_VERB = re.compile(rf"(?i)\b(?:{any_of('comparisons.money')})\b")


def find_same(question: str) -> Draft | None:
    """Return the parts of a question whether two things are the same in something.

    >>> draft = find_same("Are the Clock Museum and the Salt Theatre in the same town?")
    >>> draft.options, draft.attributes[0].question
    (('the Clock Museum', 'the Salt Theatre'), 'In which town is {}?')
    >>> find_same("Were Lark and Heron directed by the same person?").attributes[0].question
    'Who directed {}?'
    """
    auxiliary = _AUXILIARY.match(question)
    match = _SAME.search(question)
    if auxiliary is None or match is None or not re.search(r"\band\b", question):
        return None
    if (
        match["same"]
        and match["same"].lower().endswith("one")
        and not (match["preposition"] or match["verb"])
    ):
        return None
    attribute = _attribute(match, auxiliary["auxiliary"].lower())
    listed = question[auxiliary.end() : match.start()]
    options = split_options(re.sub(r"\s+(?:both|all|have|share|the)\s*$", "", listed), "and")
    by: By = "same" if match["different"] is None else "different"
    unit: Unit | None = "years" if attribute.kind == "date" and attribute.name == "year" else None
    return Draft("compare", (attribute,), options, by, "whether", unit)


def _attribute(match: re.Match[str], auxiliary: str) -> Attribute:
    """Return the attribute that must be the same, with its question."""
    if match["noun"].lower().startswith("number of "):
        return count_of(match["noun"].partition(" of ")[2])
    noun = _singular(match["noun"].lower())
    question = _question(match, noun, auxiliary)
    if noun in _COUNTRY:
        asked = question if noun == "country" else f"What is the {noun} of {{}}?"
        return Attribute("country", asked, "name")
    if noun in _DATE:
        return Attribute(_DATE[noun], question, "date")
    if noun == "age":
        return AGE
    if noun in _NUMBERS:
        return attribute_of_noun(noun)
    return Attribute(noun, question, "name")


def _question(match: re.Match[str], noun: str, auxiliary: str) -> str:
    """Return the question that asks one option for the noun, in the words of the question itself."""
    verb = (match["verb"] or "").strip().lower()
    preposition = (match["preposition"] or "").strip().lower()
    verb = "" if verb in _STAYING and verb not in ("live", "set") else verb
    past = auxiliary in ("was", "were", "did", "had")
    if preposition == "by" and noun in _PERSON:
        return f"Who {_PAST_ACTIVE.get(verb, verb or 'made')} {{}}?"
    if not preposition or preposition in ("of", "with") or verb in _TO_HAVE:
        if verb and verb not in _TO_HAVE and auxiliary in ("do", "does", "did"):
            return f"Which {noun} {'did' if past else 'does'} {{}} {verb}?"
        return f"What is the {noun} of {{}}?"
    if auxiliary in ("do", "does", "did") and verb:
        return f"{preposition.capitalize()} which {noun} {'did' if past else 'does'} {{}} {verb}?"
    be = "was" if past or verb in ("born", "founded", "built") else "is"
    if preposition == "from":
        return f"Which {noun} {be} {{}} from?"
    return f"{preposition.capitalize()} which {noun} {be} {{}}{' ' + verb if verb else ''}?"


def _singular(noun: str) -> str:
    has_no_plural = noun.endswith(("ss", "us", "is", "series", "species"))
    return _PLURALS.get(noun, noun if has_no_plural else noun.removesuffix("s"))


def find_limit(question: str) -> Comparison | None:
    """Return the parts of a yes-or-no question that compares one thing with a limit or another thing.

    >>> parts = find_limit("Does the Dune Hall have more than 1,000 seats?")
    >>> parts.options, parts.attributes[0].question, int(parts.limit.low), parts.largest
    (('the Dune Hall',), 'How many seats does {} have?', 1000, True)
    >>> find_limit("Is Mount Ode higher than Skarn Fell?").options
    ('Mount Ode', 'Skarn Fell')
    """
    auxiliary = _OPENS.match(question)
    if auxiliary is None or re.search(r"\bor\b", question):
        return None
    rest = " " + question[auxiliary.end() :]
    found = _dated(rest) or _degree(rest) or _bounded(rest)
    did = re.match(r"(?i)\W*(do|does|did)\b", question)
    return found if found is None or did is None else _with_verb(found, did[1].lower())


def _with_verb(comparison: Comparison, did: str) -> Comparison:
    """Return the comparison of "Did A collect more tins than B?" with the verb in its question."""
    name, _, verb = comparison.options[0].rpartition(" ")
    first = comparison.attributes[0]
    if not name or not verb.islower() or not first.name.startswith("number of"):
        return comparison
    asked = first._replace(question=f"How many {first.name.removeprefix('number of ')} {did} {{}} {verb}?")
    return replace(comparison, attributes=(asked,), options=(name, *comparison.options[1:]))


def _degree(rest: str) -> Comparison | None:
    """Return the parts of "A higher than B" and "A cheaper than 140 euros"."""
    than, degree = _THAN.search(rest), find_degree(rest)
    if than is None or degree is None or degree.end > than.start() + 1:
        return None
    left = _left(rest[: degree.start])
    right = than["right"]
    spans = quantities_in(right)
    if len(spans) == 1:
        return Comparison(degree.attributes, (left,), degree.largest, limit=spans[0].quantity)
    return Comparison(degree.attributes, (left, _option(right)), degree.largest)


def _bounded(rest: str) -> Comparison | None:
    """Return the parts of "A under 140 euros", "A have more than 1,000 seats", "A over the budget"."""
    match = _BOUND.search(rest)
    if match is None:
        return None
    left, right = _left(rest[: match.start()]), match["right"]
    largest = match["bound"].lower() not in _SMALLER
    inclusive = match["bound"].lower() in _INCLUSIVE
    spans = quantities_in(right)
    if len(spans) == 1:
        dimension = dimension_of(spans[0].quantity.unit)
        attribute = _named(left, dimension) or _measured(rest, right, dimension)
        if attribute is None or not left:
            return None
        limit = spans[0].quantity
        return Comparison((attribute,), (left,), largest, limit=limit, inclusive=inclusive)
    if not left or not _LIMIT_NOUN.search(right):
        return None
    named = (ATTRIBUTES[name] for name in ATTRIBUTES if re.search(rf"\b{name}\b", right))
    attribute = PRICE if _MONEY_VERB.search(rest) or "budget" in right else next(named, None)
    if attribute is None:
        return None
    asking = f"What is {right}?"
    return Comparison((attribute,), (left,), largest, limit_question=asking, inclusive=inclusive)


def _dated(rest: str) -> Comparison | None:
    """Return the parts of "A born before B"."""
    match = _BEFORE.search(rest)
    if match is None or match["when"] is None:
        return None
    left = _left(rest[: match.start()])
    is_name = match["right"][:1].isupper() or match["right"].startswith("the ")
    if not left or not is_name:
        return None
    attributes = event_attributes(match["verb"], "was" if match["verb"].endswith("ed") else "")
    return Comparison(attributes, (left, _option(match["right"])), largest=match["when"].lower() == "after")


def _named(left: str, dimension: Dimension) -> Attribute | None:
    """Return the quantity that the option itself names: "the daily dose of Pelorin"."""
    named = _OF.match(left)
    if named is None or dimension == "number":
        return None
    cues = frozenset(stem(word) for word in named["noun"].lower().split())
    return Attribute(named["noun"], "What is {}?", "quantity", frozenset({dimension}), cues)


def _measured(rest: str, right: str, dimension: Dimension) -> Attribute | None:
    """Return the attribute that a limit measures: by its unit, or by the noun that is counted."""
    if dimension in _BY_DIMENSION:
        words = rest.lower()
        if dimension == "length":
            if re.search(r"\b(?:high|tall|height)\b", words):
                return ATTRIBUTES["height"]
            if re.search(r"\b(?:far|away|distance)\b", words):
                return ATTRIBUTES["distance"]
        return _BY_DIMENSION[dimension]
    counted = _COUNTED.search(right)
    return count_of(counted["noun"]) if dimension == "number" and counted is not None else None


def _left(text: str) -> str:
    """Return the option before the words that compare: without its verb."""
    text = re.sub(rf"\s+(?:{any_of('comparisons.before_degrees')})\s*$", "", text.strip())
    return _option(text)


def _option(text: str) -> str:
    text = re.sub(
        r"^(?:a|an)\s+(?:room|ticket|seat|night|place|bed)\s+(?:at|in|for|on)\s+", "", text.strip(" ,?.")
    )
    return re.sub(rf"\s+(?:{any_of('comparisons.option_ends')})$", "", text).strip(' ,?."“”')
