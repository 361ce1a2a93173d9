"""Questions for a difference, a total or an age: "How much longer is A than B?", "… in total?"."""

from __future__ import annotations

import re

from probative.text.analysis import Attribute
from probative.text.english.degrees import BIRTH, DEATH, PRICE, attribute_of_noun, count_of, find_degree
from probative.text.english.drafts import Draft
from probative.text.english.events import base_form, event_attributes
from probative.text.english.operands import split_options
from probative.text.plan import Unit
from probative.text.word_lists import any_of, stem

_HOW_MUCH = re.compile(r"(?i)\W*(?:by\s+)?how\s+(?P<amount>much|many|far)\s+(?P<unit>[a-z]+\s+)?")
_THAN = re.compile(
    r"(?i)(?:\b(?:is|are|was|were|does|do|did)\s+)(?P<left>.+?)(?:\s+(?:cost|weigh|have|be))?\s+than\s+(?P<right>.+?)\W*$"
)
_BETWEEN_DATES = re.compile(
    r"(?i)\W*how\s+(?:many\s+(?P<unit>years|months|days)|long)\s+(?P<order>after|before)\s+(?P<first>.+?)"
    r"(?:\s+(?:was|were)\s+(?P<other>[a-z]+))?\s+(?:was|were|did|is)\s+(?P<second>.+?)\s+"
    r"(?P<verb>[a-z]+ed\b|[a-z]+(?:\s+out)?(?=\W*$))[^?]*\W*$"
)
_DIFFERENCE = re.compile(r"(?i)\bdifference\s+(?:in|of)\s+(?P<noun>[a-z]+)\s+between\s+(?P<options>.+?)\W*$")
_EXCEEDS = r"(?:exceed|surpass|outnumber|outweigh|outsell|outlast|overtop|beat|top|differ\s+from)"
ASKS_EXCESS = re.compile(
    rf"(?i)\W*by\s+(?:how\s+(?:much|many|far)|what\s+\w+)(?:\s+(?P<unit>[a-z]+))?\s+(?:did|does|do|has|have|will)\s+"
    rf"(?P<left>.+?)\s+{_EXCEEDS}(?:e?d)?\s+(?P<right>.+?)\W*$"
)
"""A question by how much one thing exceeds another."""
_OWNED = re.compile(r"(?P<name>.+?)['’]s?\s+(?P<part>[a-z][a-z -]*)$")
_COUNT_TOTAL = re.compile(
    r"(?i)\W*how\s+(?:many\s+(?P<noun>[a-z][a-z-]+(?:\s+[a-z-]+)?)|much)\s+(?:do|does|did|are|is)\s+(?P<options>.+?)"
    rf"(?:\s+(?P<verb>have|{any_of('arithmetic.holding')}))?"
    r"(?:\s+(?:in total|altogether|together|combined|in all))"
)
_DO = re.compile(r"(?i)\b(?:do|does|did)\b")
_NOUN_TOTAL = re.compile(
    r"(?i)\b(?:total|combined)\s+(?P<noun>[a-z]+(?:\s+of\s+[a-z]+(?=\s+(?:of|in|at)\b))?)\s+(?:of|for|in|at)\s+(?P<options>.+?)\W*$"
)
_AGE_WHEN = re.compile(
    r"(?i)\W*(?:how\s+old\s+was\s+(?P<name>.+?)\s+(?:when\s+(?:he|she|they|it)\s+|at\s+(?:his|her|their|its)\s+)"
    r"(?P<verb>(?:(?:was|were)\s+)?[a-z]+(?:\s+out\b)?)(?P<rest>\s+[^?]+?)?|at\s+(?:what|which)\s+age\s+(?:did|was)\s+(?P<other>.+?)\s+(?P<base>[a-z]+)"
    r"|how\s+(?:long|many\s+years)\s+did\s+(?P<living>.+?)\s+live)\W*$"
)

_PART_OF = re.compile(r"(?i)(?:the\s+)?(?P<part>[a-z]+)\s+(?:of|for|in|at)\s+(?P<name>.+)$")


def find_difference(question: str) -> Draft | None:
    """Return the draft of a question for a difference of two values.

    >>> draft = find_difference("How much longer is the Quay Bridge than the Mill Bridge?")
    >>> draft.do, draft.options, draft.attributes[0].name
    ('difference', ('the Quay Bridge', 'the Mill Bridge'), 'length')
    """
    if (dates := _BETWEEN_DATES.match(question)) is not None:
        attributes = event_attributes(dates["verb"], "was " if dates["verb"].endswith("ed") else "")
        first = re.sub(rf"\s+(?:was\s+)?{re.escape(dates['verb'])}$", "", dates["first"])
        unit: Unit = (dates["unit"] or "years").lower()  # type: ignore[assignment]  # what the pattern allows
        return Draft("difference", attributes, (_name(dates["second"]), _name(first)), unit=unit)
    if (named := _DIFFERENCE.search(question)) is not None:
        options = split_options(named["options"], "and")
        return Draft("difference", (attribute_of_noun(named["noun"]),), options)
    if (excess := ASKS_EXCESS.match(question)) is not None:
        return _excess(excess)
    how, than, degree = _HOW_MUCH.match(question), _THAN.search(question), find_degree(question)
    if how is None or than is None or degree is None:
        return None
    left = than["left"].strip()
    attributes = degree.attributes
    if degree.start > than.start("left"):  # "How much more does A cost"
        left = re.sub(rf"\s*{re.escape(question[degree.start : degree.end])}.*$", "", left)
    if attributes[0].kind == "date":  # "How many years older is A than B?"
        attributes = (BIRTH,)
    shared = _shared_part(left, than["right"])
    if shared is not None:
        attributes = tuple(_with_part(attribute, shared[0]) for attribute in attributes)
        left, right = shared[1:]
    else:
        right = than["right"]
    if re.search(r"\bcosts?\b", question) and degree.attributes[0].name.startswith("number"):
        attributes = (PRICE,)
    years: Unit | None = "years" if attributes[0].kind == "date" else None
    return Draft("difference", attributes, (_name(left), _name(right)), unit=years)


def _excess(excess: re.Match[str]) -> Draft | None:
    """Return the draft of "By how much did A's revenue exceed B's?"."""
    left, right = excess["left"], excess["right"]
    owned = _OWNED.match(left)
    if owned is not None:
        left = f"the {owned['part']} of {owned['name']}"
        other = _OWNED.match(right)
        name = re.sub(r"['’]s?$", "", right) if other is None else other["name"]
        right = right if _PART_OF.match(right) else f"the {owned['part']} of {name}"
    shared = _shared_part(left, right)
    if shared is None:
        return None
    return Draft("difference", (attribute_of_noun(shared[0]),), (_name(shared[1]), _name(shared[2])))


def _shared_part(left: str, right: str) -> tuple[str, str, str] | None:
    """Return the part and both names of "the towers of A" and "those of B"."""
    first, second = _PART_OF.match(left), _PART_OF.match(right)
    if first is None or second is None:
        return None
    same = second["part"].lower() in ("that", "those", first["part"].lower())
    return (first["part"], first["name"], second["name"]) if same else None


def _with_part(attribute: Attribute, noun: str) -> Attribute:
    """Return the attribute of a part; "the height of" and "the price of" are no parts."""
    if stem(noun.lower()) in attribute.cues:
        return attribute
    name, question = f"{attribute.name} of the {noun}", attribute_of_noun(noun).question
    return attribute._replace(name=name, question=question)


def find_total(question: str) -> Draft | None:
    """Return the draft of a question for the total of several values.

    >>> draft = find_total("How many seats do the Salt Theatre and the Dune Hall have in total?")
    >>> draft.options, draft.attributes[0].question
    (('the Salt Theatre', 'the Dune Hall'), 'How many seats does {} have?')
    """
    if (counted := _COUNT_TOTAL.match(question)) is not None:
        options = split_options(re.sub(r"\s+now$", "", counted["options"]), "and")
        noun, verb = counted["noun"], counted["verb"]
        attribute = _counted(noun, verb)
        do = _DO.search(question)
        if noun and not verb and options and do is not None:  # "keep together": the verb ends the list
            name, _, verb = options[-1].rpartition(" ")
            options = (*options[:-1], name)
        if noun and verb:
            did = "did" if do is not None and do[0].lower() == "did" else "does"
            attribute = count_of(noun)._replace(question=f"How many {noun} {did} {{}} {verb}?")
        return Draft("sum", (attribute,), options) if len(options) > 1 and attribute else None
    if (named := _NOUN_TOTAL.search(question)) is not None and re.match(r"\W*(?:what|how)\b", question, re.I):
        options = split_options(named["options"], "and")
        noun = named["noun"].lower()
        attribute = (
            count_of(noun.removeprefix("number of "))
            if noun.startswith("number of")
            else attribute_of_noun(noun)
        )
        return Draft("sum", (attribute,), options) if len(options) > 1 else None
    return None


def find_age(question: str) -> Draft | None:
    """Return the draft of a question for the age at an event.

    >>> draft = find_age("How old was Nora Felling when she died?")
    >>> draft.options, [attribute.name for attribute in draft.attributes]
    (('Nora Felling',), ['date of birth', 'date of death'])
    """
    match = _AGE_WHEN.match(question)
    if match is None:
        return None
    name = match["name"] or match["other"] or match["living"]
    verb = "die" if match["living"] else (match["verb"] or match["base"]).lower()
    verb, rest = {"death": "die"}.get(verb, verb), (match["rest"] or "").strip()
    be, _, participle = verb.rpartition(" ")
    asked = f"When {be} {{}} {participle}" if be else f"When did {{}} {base_form(verb)}"
    event = DEATH if base_form(verb) == "die" else Attribute("date", f"{asked} {rest}".strip() + "?", "date")
    return Draft("difference", (BIRTH, event), (_name(name),), span="full_years")


def _counted(noun: str | None, verb: str | None) -> Attribute | None:
    if noun is not None:
        return count_of(noun)
    verb = (verb or "").lower()
    if verb == "weigh":
        return attribute_of_noun("weight")
    return PRICE if verb == "cost" else None


def _name(text: str) -> str:
    return text.strip(' ,?."“”')
