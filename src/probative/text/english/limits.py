"""Yes-or-no questions about a limit: "more than 1,000 seats", "under the hotel limit", "taller than B"."""

from __future__ import annotations

import re

from probative.text.decomposition import Attribute, Decomposition
from probative.text.english.degrees import (
    AREA,
    DISTANCE,
    HEAT,
    HEIGHT,
    LENGTH,
    POWER,
    PRICE,
    SPEED,
    WEIGHT,
    attribute_of_noun,
    count_of,
    find_degree,
)
from probative.text.english.quantities import quantities_in
from probative.text.english.when import event_attributes
from probative.text.quantities import Dimension, dimension_of
from probative.text.word_lists import stem

_AUXILIARY = re.compile(r"\W*(?:is|are|was|were|do|does|did|has|have|had|can|will|would)\b\s*", re.IGNORECASE)
_THAN = re.compile(r"\s+than\s+(?P<right>.+?)\W*$", re.IGNORECASE)
_BOUND = re.compile(
    r"\s+(?P<bound>under|below|over|above|within|exceed(?:s|ed)?|(?:not )?more than|less than|"
    r"fewer than|at least|at most|up to)\s+(?P<right>.+?)\W*$",
    re.IGNORECASE,
)
_SMALLER = frozenset(["under", "below", "within", "less than", "fewer than", "at most", "up to"])
_INCLUSIVE = frozenset(["within", "at least", "at most", "up to"])
_BEFORE = re.compile(
    r"\s+(?P<verb>[a-z]+(?:\s+out)?)(?:\s+[a-z]+)?\s+(?:earlier\s+than|later\s+than|(?P<when>before|after))\s+"
    r"(?P<right>.+?)(?:\s+(?:was|were|did|is)\b.*)?\W*$"
)
_BY_DIMENSION: dict[Dimension, Attribute] = {
    "money": PRICE, "length": LENGTH, "mass": WEIGHT, "area": AREA, "speed": SPEED, "temperature": HEAT,
    "power": POWER, "duration": LENGTH,
}  # fmt: skip
_COUNTED = re.compile(r"(?:[\d,.]+|[a-z]+)\s+(?P<noun>[a-z][a-z-]+)")
_OF = re.compile(r"(?:the\s+)?(?P<noun>[a-z]+(?:\s+[a-z]+){0,2})\s+(?:of|for|in|at)\s+\S")
_LIMIT_NOUN = re.compile(r"\b(?:limit|budget|allowance|maximum|minimum|threshold|cap)\b", re.IGNORECASE)
_MONEY_VERB = re.compile(r"\b(?:cost|costs|price|priced|charge|charges|pay|hotel|room|ticket|fare)\b", re.I)


def find_limit(question: str) -> Decomposition | None:
    """Return the parts of a yes-or-no question that compares one thing with a limit or another thing.

    >>> parts = find_limit("Does the Dune Hall have more than 1,000 seats?")
    >>> parts.options, parts.attributes[0].question, int(parts.limit.low), parts.largest
    (('the Dune Hall',), 'How many seats does {} have?', 1000, True)
    >>> find_limit("Is Mount Ode higher than Skarn Fell?").options
    ('Mount Ode', 'Skarn Fell')
    """
    auxiliary = _AUXILIARY.match(question)
    if auxiliary is None or re.search(r"\bor\b", question):
        return None
    rest = " " + question[auxiliary.end() :]
    return _dated(rest) or _degree(rest) or _bounded(rest)


def _degree(rest: str) -> Decomposition | None:
    """Return the parts of "A higher than B" and "A cheaper than 140 euros"."""
    than, degree = _THAN.search(rest), find_degree(rest)
    if than is None or degree is None or degree.end > than.start() + 1:
        return None
    left = _left(rest[: degree.start])
    right = than["right"]
    spans = quantities_in(right)
    if len(spans) == 1:
        return Decomposition("limit", degree.attributes, (left,), degree.largest, limit=spans[0].quantity)
    return Decomposition("limit", degree.attributes, (left, _option(right)), degree.largest)


def _bounded(rest: str) -> Decomposition | None:
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
        return Decomposition("limit", (attribute,), (left,), largest, limit=limit, inclusive=inclusive)
    if not left or not _LIMIT_NOUN.search(right):
        return None
    return Decomposition(
        "limit", (PRICE,) if _MONEY_VERB.search(rest) else (attribute_of_noun("price"), LENGTH, WEIGHT),
        (left,), largest, limit_question=f"What is {right}?", inclusive=inclusive,
    )  # fmt: skip


def _dated(rest: str) -> Decomposition | None:
    """Return the parts of "A born before B"."""
    match = _BEFORE.search(rest)
    if match is None or match["when"] is None:
        return None
    left = _left(rest[: match.start()])
    is_name = match["right"][:1].isupper() or match["right"].startswith("the ")
    if not left or not is_name:
        return None
    attributes = event_attributes(match["verb"], "was" if match["verb"].endswith("ed") else "")
    return Decomposition(
        "limit", attributes, (left, _option(match["right"])), largest=match["when"].lower() == "after"
    )


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
                return HEIGHT
            if re.search(r"\b(?:far|away|distance)\b", words):
                return DISTANCE
        return _BY_DIMENSION[dimension]
    counted = _COUNTED.search(right)
    return count_of(counted["noun"]) if dimension == "number" and counted is not None else None


def _left(text: str) -> str:
    """Return the option before the words that compare: without its verb."""
    text = re.sub(r"\s+(?:have|has|had|cost|costs|weigh|weighs|be|a|the|much|far)\s*$", "", text.strip())
    return _option(text)


def _option(text: str) -> str:
    text = re.sub(
        r"^(?:a|an)\s+(?:room|ticket|seat|night|place|bed)\s+(?:at|in|for|on)\s+", "", text.strip(" ,?.")
    )
    return re.sub(r"\s+(?:have|has|had|cost|costs|weigh|weighs|is|was|does|did)$", "", text).strip(' ,?."“”')
