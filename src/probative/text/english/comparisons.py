"""What English questions compare ("higher" the height, "older" the birth, "opened first" the opening), and
the things that they compare: "A or B", "A, B and C", "both A and B".
"""

from __future__ import annotations

import re
from typing import NamedTuple

from probative.text.plan import By
from probative.text.words import IRREGULAR_PASTS, any_of, read_table, word_map, word_set

_LEADING = re.compile(
    rf"^(?:(?:(?:{any_of('operands.leading')})\b\s*)+(?:[a-z]+s\s*[:,]?\s+(?=[A-Z\"“]|the\b))?|"
    r"(?:the\s+)?(?:[a-z]+s|film|book|song|play|opera|city|company)\s+(?=[A-Z\"“]))"
)
_LAST = {word: re.compile(rf"\s*,?\s+{word}\s+") for word in ("or", "and")}
_SPLIT = {word: re.compile(rf"\s*,?\s+{word}\s+|\s*,\s+") for word in _LAST}
# "Which director, A or B, is …": the list is inserted behind the question word.
_INSERTED = re.compile(
    r"\W*(?:which|what|who)\b[^,]*,\s*(?P<list>[^?]+?)\s*,?\s*(?:is|was|has)?$", re.IGNORECASE
)
_QUESTION_PART = re.compile(rf"(?i)\b(?:{any_of('operands.questions')})\b")
_EDGE = " \t\n,;:?!–—-"


def split_options(text: str, joined_by: str) -> tuple[str, ...]:
    """Return the options of a list: "A, B or C".

    >>> split_options("Lake Ann, Lake Bor or the Cee", "or")
    ('Lake Ann', 'Lake Bor', 'the Cee')
    >>> split_options("both films Lark and Heron", "and")
    ('Lark', 'Heron')
    """
    text = text.strip(_EDGE)
    while (shorter := _LEADING.sub("", text, count=1).strip(_EDGE)) != text:
        text = shorter
    if not _LAST[joined_by].search(text):
        return ()
    parts = [_trimmed(part) for part in _SPLIT[joined_by].split(text)]
    return tuple(dict.fromkeys(part for part in parts if part))


def options_around(question: str, start: int, end: int) -> tuple[str, ...]:
    """Return the options of "… or …" that stand after or before the words that compare them.

    >>> text = "Which shop opens earlier, the bakery or the fishmonger?"
    >>> options_around(text, text.index("opens"), text.index(","))
    ('the bakery', 'the fishmonger')
    >>> text = "Is Mount Ode or Skarn Fell higher?"
    >>> options_around(text, text.index("higher"), len(text) - 1)
    ('Mount Ode', 'Skarn Fell')
    """
    after, before = question[end:], question[:start]
    if _LAST["or"].search(after):
        # "… is higher of the two, A or B": what follows the comma is the list.
        comma = re.search(r"[,:–—]\s", after)
        if comma is not None and not _LAST["or"].search(after[: comma.start()]):
            return split_options(after[comma.end() :], "or")
        return split_options(re.sub(r"^\s*(?:[a-z]+\s+)*?(?=the\b|[A-Z\d\"“])", "", after), "or")
    before = re.sub(rf"\s+(?:{any_of('operands.no_names')})\s*$", "", before.rstrip(_EDGE + " "))
    inserted = _INSERTED.match(before)
    if inserted is not None and _LAST["or"].search(inserted["list"]):
        return split_options(inserted["list"], "or")
    last = _LAST["or"].search(before)
    leads = [*_QUESTION_PART.finditer(before[: last.start()])] if last is not None else []
    return split_options(before[leads[-1].end() :] if leads else before, "or")


def _trimmed(option: str) -> str:
    """Return an option without quotation marks and the punctuation around it."""
    option = re.sub(r"^(?:or|and|either|both)\s+", "", option.strip(_EDGE))
    # The brackets at the end of a title are no part of a name: "Lark (ketch)".
    return re.sub(r"\s*\([^()]*\)$", "", option.strip('"“”').strip(_EDGE))


_TABLE = read_table("attributes")
_ASKS: dict[str, str] = _TABLE["asks"]
_NOUNS = {noun: name for name, nouns in _TABLE["nouns"].items() for noun in nouns.split()}
# Adjectives and what they compare; behind a minus, the comparative asks for the smaller.
_ADJECTIVES: dict[str, str] = {
    word: name for name, words in _TABLE["adjectives"].items() for word in words.split()
}
_SMALL = frozenset(_TABLE["smaller"].split())
_GENERIC = word_set("comparisons.generic")
_VERBS = word_map("measuring_verbs")
_END = any_of("comparisons.ends_phrase")
_PHRASE = rf"(?!(?:{_END})\b)[a-z][\w-]*(?:\s+(?!(?:{_END})\b)[a-z][\w-]*){{0,2}}"
_DEGREE = re.compile(
    r"\b(?P<much>more|most|less|least|fewer|fewest|greater|greatest|[a-z]{2,}?(?:er|est))\b"
    rf"(?=(?:\s+(?P<noun>{_PHRASE}))?)"
)
_LESS = frozenset({"less", "least", "fewer", "fewest"})
_AGES = {"old": "earlier", "eld": "earlier", "young": "later", "new": "later"}
_PAST = rf"born|(?:came|come)(?: out)?|{any_of('events.past')}|[a-z]{{2,}}ed"
_EARLY, _LATE = any_of("events.early"), any_of("events.late")
_WHEN = rf"(?P<when>{_EARLY}|{_LATE})"
_EVENTS = (
    re.compile(
        rf"\b(?:is|are|was|were)\s+(?:the\s+)?{_WHEN}\s+(?:to\s+(?:be\s+)?)?(?P<verb>{_PAST}|die|open|start)\b"
    ),
    # "Did A or B open first?": only here the verb stands in its base form.
    re.compile(rf"^\W*(?i:did|does|do|will)\b.*\b(?P<verb>[a-z]{{2,}})\s+{_WHEN}\b"),
    re.compile(rf"\b(?P<verb>{_PAST}|{any_of('events.present')})\s+{_WHEN}\b"),
    re.compile(rf"\b(?P<verb>{_PAST}|born)\s+(?P<when>before|after)$"),
)
_DIRECTION = re.compile(rf"\b(?:(?P<early>{_EARLY}|before)|(?P<late>{_LATE}|after))\b")
# Verbs that take no "was": "When did it open?".
_ACTIVE = word_set("events.active")
_NO_VERBS = word_set("events.no_verbs")


class Measure(NamedTuple):
    """A value that things are compared by: its name, the question that asks for it (with {} for the thing),
    which value is asked for, and where the question says so.
    """

    name: str
    template: str
    by: By
    start: int = 0
    end: int = 0

    @property
    def is_date(self) -> bool:
        """Whether the value is a date."""
        return self.by in ("earlier", "later")

    def ask(self, thing: str) -> str:
        """Return the question for one thing."""
        return self.template.replace("{}", thing)

    def when(self, circumstance: str) -> Measure:
        """Return the measure under a circumstance.

        >>> Measure("length", "How long is {}?", "more").when("at low water").template
        'How long is {} at low water?'
        """
        return self._replace(template=f"{self.template.removesuffix('?')} {circumstance}".strip() + "?")


BIRTH = Measure("date of birth", "When was {} born?", "earlier")
DEATH = Measure("date of death", "When did {} die?", "earlier")


def find_measure(question: str, *, person: bool = False) -> Measure | None:
    """Return what a question compares, by its comparative or its event. `person`: people are compared.

    >>> find_measure("Which peak is higher?").template, find_measure("Which was built first?").template
    ('How high is {}?', 'When was {} built?')
    >>> find_measure("Which play has fewer acts?").template
    'How many acts does {} have?'
    """
    return _event(question) or _degree(question, person=person)


def measure_of_noun(noun: str) -> str:
    """Return the question for what a noun names.

    >>> measure_of_noun("height"), measure_of_noun("runway length")
    ('How high is {}?', 'What is the runway length of {}?')
    """
    name = _NOUNS.get(noun)
    return _ASKS[name] if name else f"What is the {noun} of {{}}?"


def event(verb: str, *, passive: bool = False, rest: str = "") -> Measure:
    """Return the date of an event by its verb.

    >>> event("opened").template, event("moved", passive=True, rest="here").template
    ('When did {} open?', 'When was {} moved here?')
    """
    if verb == "born":
        return BIRTH
    first, _, particle = verb.partition(" ")
    base = base_form(first)
    if base == "die":
        return DEATH
    if passive:
        return Measure("date", f"When was {{}} {verb}?", "earlier").when(rest)
    return Measure("date", f"When did {{}} {base} {particle}".strip() + "?", "earlier").when(rest)


def _event(question: str) -> Measure | None:
    if len({match.lastgroup for match in _DIRECTION.finditer(question)}) > 1:
        return None  # "the first or the last … earlier": more than one order is in play
    for pattern in _EVENTS:
        for match in pattern.finditer(question):
            verb = match["verb"].lower()
            if verb in _NO_VERBS:
                continue
            before = question[: match.start("verb")]
            if re.fullmatch(any_of("events.present"), verb):
                found = Measure("time", f"When does {{}} {base_form(verb)}?", "earlier")
            else:
                did = re.match(r"\W*(?:did|does|do|will)\b", before, re.IGNORECASE) is not None
                come = re.sub(r"^(?:came|come)(?: out)?$", "come out", verb)
                has_be = re.search(r"\b(?:is|are|was|were|been|be)\b", before.lower()) is not None
                active = did or (base_form(verb.split()[0]) in _ACTIVE and not has_be)
                found = event(come, passive=not active)
            late = re.fullmatch(rf"{_LATE}|after", match["when"], re.IGNORECASE) is not None
            by: By = "later" if late else "earlier"
            start = min(match.start("verb"), match.start("when"))
            return found._replace(by=by, start=start, end=match.end())
    return None


def _degree(text: str, *, person: bool) -> Measure | None:
    matches = sorted(_DEGREE.finditer(text), key=lambda match: match["much"] in _LESS | {"more", "most"})
    for match in matches:
        word, noun = match["much"].lower(), (match["noun"] or "").lower()
        if word in _LESS or word in ("more", "most"):
            found = _amount(text, match, noun)
        else:
            found = _comparative(text, match, word, noun, person=person)
        if found is not None:
            return found
    return None


def _comparative(text: str, match: re.Match[str], word: str, noun: str, *, person: bool) -> Measure | None:
    """Return the measure of "higher", "older" and "the smaller crew"."""
    place = match.start("much"), match.end("much")
    base = _base(word)
    by: By
    if base in _AGES:
        by = _AGES[base]  # type: ignore[assignment]  # a value of the table
        found = BIRTH if person else Measure("date", "When was {} started?", by)
        return found._replace(by=by, start=place[0], end=place[1])
    if base not in _ADJECTIVES and not word.startswith("great"):
        return None
    by = "less" if base in _SMALL else "more"
    name = _ADJECTIVES.get(base, "")
    if noun in _NOUNS:
        return Measure(_NOUNS[noun], _ASKS[_NOUNS[noun]], by, place[0], match.end("noun"))
    has = re.search(r"\b(?:has|have|had|with|drew)\s+(?:the\s+|an?\s+)?$", text[: place[0]])
    if noun and (not name or has):
        verb = "are" if noun.endswith("s") else "is"
        is_generic = not name or (base in _GENERIC and name == "height")
        size = "large" if base in _GENERIC else base
        asked = f"What is the {noun} of {{}}?" if is_generic else f"How {size} {verb} the {noun} of {{}}?"
        return Measure(noun, asked, by, place[0], match.end("noun"))
    return Measure(name, _ASKS[name], by, *place) if name else None


def _amount(text: str, match: re.Match[str], noun: str) -> Measure | None:
    """Return the measure of "more acts", "less expensive", "weighs more"."""
    by: By = "less" if match["much"].lower() in _LESS else "more"
    adjective = noun.partition(" ")[0]
    if adjective in _ADJECTIVES:
        if adjective in _SMALL:
            by = "more" if by == "less" else "less"
        name = _ADJECTIVES[adjective]
        return Measure(name, _ASKS[name], by, match.start(), match.start("noun") + len(adjective))
    before = re.findall(r"[a-z]+", text[: match.start()].lower())
    behind = re.match(r"\s+(?:does|do|did)\s+.{1,80}?\b(?P<verb>cost|weigh)\b", text[match.end("much") :])
    verb = behind["verb"] if behind is not None else before[-1] if before else ""
    if verb in _VERBS:
        return Measure(_VERBS[verb], _ASKS[_VERBS[verb]], by, match.start(), match.end("much"))
    if not noun or noun in ("recently",):
        return None
    asked = _ASKS[_NOUNS[noun]] if noun in _NOUNS else f"How many {noun} does {{}} have?"
    return Measure(f"number of {noun}", asked, by, match.start(), match.end("noun"))


def _base(word: str) -> str:
    """Return the adjective of a comparative: "higher" → "high", "bigger" → "big", "heavier" → "heavy"."""
    root = re.sub(r"(?:er|est)$", "", word)
    forms = [root, f"{root}e", re.sub("i$", "y", root), root[:-1] if root[-2:-1] == root[-1:] else root]
    return next((form for form in forms if form in _ADJECTIVES or form in _AGES), "")


def base_form(verb: str) -> str:
    """Return the base form of a past form, by the usual spelling rules.

    >>> [base_form(verb) for verb in ("opened", "moved", "planned", "began", "carried", "opens")]
    ['open', 'move', 'plan', 'begin', 'carry', 'open']
    """
    if verb in IRREGULAR_PASTS:
        return IRREGULAR_PASTS[verb]
    if verb.endswith("ied") and len(verb) > 4:
        return f"{verb[:-3]}y"
    if verb.endswith("ed") and len(verb) > 4:
        root = verb[:-2]
        if root[-1] == root[-2] and root[-1] not in "lsz":
            return root[:-1]
        ends_in_e = re.search(r"(?:[vcszu]|[^aeiou]g|[aiou]t|[aiu]r|[aiou]d|[^aeiou]l)$", root)
        return f"{root}e" if ends_in_e else root
    return verb[:-1] if verb.endswith("s") and not verb.endswith("ss") and len(verb) > 3 else verb
