"""English questions that need several values, as plans: what to look up, and what to compute from it.

A small model cannot write plans; these rules make the common kinds: which of some things has more, whether
one has, whether they have the same, by how much they differ, how much they have together, how old somebody
was. Words behind what is compared ("in 2018", "at low water") are part of every question that is looked up;
where others stand there, there is no plan.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from probative.text.english.comparisons import (
    BIRTH,
    Measure,
    event,
    find_measure,
    measure_of_noun,
    options_around,
    split_options,
)
from probative.text.english.quantities import quantities_in
from probative.text.english.questions import ANSWER, question_parts
from probative.text.english.statements import is_denied
from probative.text.plan import MAX_STEPS, By, Do, Plan, Step, Unit
from probative.text.quantities import spelled
from probative.text.words import any_of, word_map, word_set

# A question this long is a text; parsing it for options would take long and help nobody.
MAX_CHARACTERS = 1_000
_NAME = re.compile(r"[A-Z]\S*")
_PERSON = re.compile(
    r"(?i)\W*(?:who|whom|whose)\b|\b(?:person|people|man|woman)\b|\b(?:which|what)\s+(?:[\w-]+\s+){0,3}?\w*"
    rf"(?:{any_of('comparisons.person_endings')})\b(?=\s+(?:is|was|of))"
)
# What may stand behind the words that compare, and holds for each of the things.
_CIRCUMSTANCE = re.compile(rf"(?:{any_of('comparisons.circumstances')})\b")
_CONDITION = re.compile(rf"(?:{any_of('comparisons.circumstances')}|when|while|after|before|to)\b")
_TODAY = re.compile(r"\b(?:today|now|currently)\b(?!['’])")
_BEHIND = re.compile(r"\s+(?P<when>(?:in|on|during)\s[^,]*\b\d{4}|today|now|currently)\W*$")
_AUXILIARY = re.compile(r"(?i)\W*(?P<verb>is|are|was|were|do|does|did|has|have|had)\b\s*")
_THAN = re.compile(r",?\s+(?:than|(?P<order>before|after))\s+(?P<right>.+?)\W*$")
_PREPOSITION = "in|on|at|from|to|of|by|for|with"
_SAME = re.compile(
    rf"(?P<verb>\b(?!(?:{_PREPOSITION})\b)[a-z]+\s+)?(?P<preposition>\b(?:{_PREPOSITION})\s+)?(?:the\s+|an?\s+)?"
    r"\b(?:same|(?P<different>different))\s+(?P<noun>number of [a-z]+|[a-z][a-z-]+)"
)
_STAYING = word_set("comparisons.staying")
_TO_HAVE = word_set("comparisons.to_have")
_PLURALS = word_map("plurals")
_HOW_MUCH = re.compile(r"(?i)\W*(?:by\s+)?how\s+(?:much|many|far)\b")
_TOTAL = re.compile(
    r"(?i)\W*how\s+many\s+(?P<noun>[a-z][a-z-]+(?:\s+[a-z-]+)?)\s+(?P<do>do|did)\s+(?P<options>.+?)\s+"
    r"(?P<verb>[a-z]+)\s+(?:in total|altogether|together|combined|in all)\W*$"
)
_AGE = re.compile(
    r"(?i)\W*how\s+old\s+was\s+(?P<name>.+?)\s+when\s+(?:he|she|they|it)\s+(?P<be>(?:was|were)\s+)?"
    r"(?P<verb>[a-z]+)(?P<rest>\s+[^?]+?)?\W*$"
)
# The value is that of another thing, which no plan looks up: "whose director", "which film's director", "has
# the older captain", "captains of the same age".
_OF_ANOTHER = re.compile(
    r"(?i)^\W*(?:whose\b|(?:which|what)\s+(?!of\b)(?:[\w-]+\s+){0,2}[\w-]+['’]s\b)|\w\W+who(?:se|m)?\b|"
    r"^\W*(?:of|in|for|with|by)\s+(?:which|what)\s+(?:[\w-]+\s+){1,3}?(?:is|was|does|did|has|had)\s+(?:the|an?)\b|"
    r"\b(?:has|have|had|with|by)\s+(?:(?:the|an?)\s+)?(?:(?:old|young|eld)(?:er|est)\b|[a-z]+s\s+(?:of|from|in)\b|"
    r"(?!(?:been|be|ever|\w+er|more|most|less|fewer)\b)[a-z]+\s+(?:that\b|which\b|with\b|"
    r"(?:born|built|made|died|[a-z]+ed)\s+(?:first|last|earli|late|soon|before|after)))"
)
# The value of "the director of A" stands in passages that do not name A.
_PERSON_OF = re.compile(rf"(?:the\s+)?(?:{any_of('comparisons.people')})s?\s+of\b")
# "Who lived longer" asks for a span of time, which is no value of a person.
_LIFE = re.compile(r"\b(?:lived|died)\s+(?:(?:to\s+be|for|the)\s+)*$")
# "The ferries of A and B" belong to both; "the inn of A and the Grand Hotel" are two things.
_HEAD = re.compile(r"(?:the\s+)?[a-z]+s\s+of\s+")


class Draft(NamedTuple):
    """What to look up for each thing, and what to do with the values; `given` is a limit."""

    do: Do
    measure: Measure
    options: Sequence[str]
    by: By | None = None
    whether: bool = False
    unit: Unit | None = None
    given: str = ""

    def plan(self) -> Plan | None:
        """Return the plan; None without two values to compute with, or with too many."""
        head = _shared_head(self.options) if self.do == "sum" or self.by in ("same", "different") else ""
        options = (self.options[0].removeprefix(head), *self.options[1:])
        steps = [
            Step(do="look_up", ask=self.measure.ask(f"{head}{option}"), of=option, name=self.measure.name)
            for option in options
        ]
        if self.given:
            steps.append(Step(do="given", value=self.given))
        if not 1 < len(steps) < MAX_STEPS:
            return None
        reply = None if self.do != "compare" else "whether" if self.whether else "which"
        values = tuple(range(1, len(steps) + 1))
        return Plan(steps=(*steps, Step(do=self.do, steps=values, by=self.by, reply=reply, unit=self.unit)))


def decompose(question: str) -> Plan | None:
    """Return the plan of a question that needs several values; None for every other question.

    >>> plan = decompose("Which peak is higher, Skarn Fell or Mount Ode?")
    >>> [step.ask for step in plan.look_ups], plan.steps[-1].by
    (['How high is Skarn Fell?', 'How high is Mount Ode?'], 'more')
    >>> [step.ask for step in decompose("Who built the pier, and when was he born?").look_ups]
    ['Who built the pier?', 'When was #1 born?']
    >>> decompose("Who built the ferry?") is None
    True
    """
    if len(question) > MAX_CHARACTERS:
        return None
    parts = question_parts(question)
    if len(parts) > 1:
        asked = [Step(do="look_up", ask=part.replace(ANSWER, "#1")) for part in parts]
        return Plan(steps=(*asked, Step(do="both", steps=tuple(range(1, len(parts) + 1)))))
    first, _, rest = question.partition(" ")
    if is_denied(f"{first} {_NAME.sub(' ', rest).replace('different', ' ')}"):
        return None
    if (age := _age(question)) is not None:
        return age
    for kind in (_difference, _total, _same, _whether, _which):
        draft = kind(question)
        if draft is not None and all(map(_is_thing, draft.options)):
            return None if _is_of_another(question, draft.options) else draft.plan()
    return None


def _which(question: str) -> Draft | None:
    """Return the draft of "Which is higher, A or B?"."""
    if " or " not in question:
        return None
    measure = find_measure(question, person=_PERSON.search(question) is not None)
    if measure is None or _LIFE.search(question[: measure.start]):
        return None
    options = options_around(question, measure.start, measure.end)
    asked = _with_circumstance(question, measure, options)
    return None if asked is None else Draft("compare", asked, options, measure.by)


def _whether(question: str) -> Draft | None:
    """Return the draft of "Is A higher than B?" and "Does A have more than 100 rooms?"."""
    auxiliary, than = _AUXILIARY.match(question), _THAN.search(question)
    if auxiliary is None or than is None:
        return None
    measure = find_measure(question[: than.end("order") if than["order"] else than.start()])
    spans = quantities_in(than["right"])
    if measure is None and len(spans) == 1 and spans[0].counted:
        bound = re.search(r"\s+(?P<more>more|less|fewer)$", question[: than.start()])
        noun = spans[0].counted.split()[0]
        if bound is not None:
            by: By = "more" if bound["more"] == "more" else "less"
            measure = Measure(f"number of {noun}", f"How many {noun} does {{}} have?", by, *bound.span())
    if measure is None or measure.start < auxiliary.end():
        return None
    left, right = _thing(question[auxiliary.end() : measure.start]), than["right"]
    behind = question[measure.end : than.start()].strip(" ,")
    is_limit = len(spans) == 1 and spans[0].start == 0
    if not behind and not is_limit and (late := _BEHIND.search(right)) is not None:
        behind, right = late["when"], right[: late.start()]
    if behind and not _CIRCUMSTANCE.match(behind):
        return None
    verb, did = left.rpartition(" ")[2], auxiliary["verb"].lower()
    if did.startswith("d") and measure.name.startswith("number of") and verb.islower() and " " in left:
        left = left.rpartition(" ")[0]
        measure = measure._replace(template=f"How many {measure.name[10:]} {did} {{}} {verb}?")
    measure = measure.when(behind)
    given = spelled(spans[0].quantity) if is_limit else ""
    options = (left,) if given else (left, _thing(right))
    return Draft("compare", measure, options, measure.by, whether=True, given=given)


def _same(question: str) -> Draft | None:
    """Return the draft of "Are A and B in the same town?"."""
    auxiliary, match = _AUXILIARY.match(question), _SAME.search(question)
    if auxiliary is None or match is None or match.start() < auxiliary.end():
        return None
    behind = question[match.end() :].strip(" ?")
    listed = re.sub(r"[\s,]+(?:both|all|have|share|the)\s*$", "", question[auxiliary.end() : match.start()])
    options = split_options(listed, "and")
    if not options or (behind and not _CIRCUMSTANCE.match(behind)):
        return None
    name = match["noun"].lower()
    noun = _PLURALS.get(name, name if name.endswith(("ss", "us", "is", "ies")) else name.removesuffix("s"))
    noun = name if name.startswith("number of") else noun
    question_of = _ask_for(noun, match, auxiliary["verb"].lower())
    measure = Measure(noun, question_of, "same", *match.span()).when(behind)
    unit: Unit | None = "years" if noun == "year" else None
    by: By = "different" if match["different"] else "same"
    return Draft("compare", measure, options, by, whether=True, unit=unit)


def _ask_for(noun: str, match: re.Match[str], auxiliary: str) -> str:
    """Return the question that asks one thing for a noun, in the words of the question itself."""
    verb, preposition = ((match[name] or "").strip().lower() for name in ("verb", "preposition"))
    # "both airports in the same state": nouns in the plural are no verbs.
    verb = "" if (verb in _STAYING and verb != "live") or verb.endswith("s") else verb
    past = auxiliary in ("was", "were", "did", "had")
    did = "did" if past else "does"
    if noun.startswith("number of "):
        return f"How many {noun[10:]} {did} {{}} {verb if verb not in _TO_HAVE else 'have'}?"
    if not preposition or preposition in ("of", "with") or verb in _TO_HAVE:
        return f"Which {noun} {did} {{}} {verb}?" if verb not in _TO_HAVE | {""} else measure_of_noun(noun)
    if auxiliary in ("do", "does", "did") and verb:
        return f"{preposition.capitalize()} which {noun} {did} {{}} {verb}?"
    be = "was" if past or verb in ("born", "founded", "built") else "is"
    if preposition == "from":
        return f"Which {noun} {be} {{}} from?"
    return f"{preposition.capitalize()} which {noun} {be} {{}}{' ' + verb if verb else ''}?"


def _difference(question: str) -> Draft | None:
    """Return the draft of "How much longer is A than B?"."""
    than, measure = _THAN.search(question), find_measure(question, person=True)
    if _HOW_MUCH.match(question) is None or than is None or measure is None:
        return None
    left = question[measure.end : than.start()]
    if (verb := re.match(r"\s*(?:is|are|was|were|do|does|did)\s+", left)) is None:
        return None
    unit: Unit | None = "years" if measure.is_date else None
    options = (_thing(left[verb.end() :]), _thing(than["right"]))
    return Draft("difference", measure, options, measure.by, unit=unit)


def _total(question: str) -> Draft | None:
    """Return the draft of "How many seats do A and B have in total?"."""
    match = _TOTAL.match(question)
    if match is None:
        return None
    did = "did" if match["do"].lower() == "did" else "does"
    options = split_options(match["options"], "and")
    asked = f"How many {match['noun']} {did} {{}} {match['verb']}?"
    measure = Measure(f"number of {match['noun']}", asked, "more")
    return Draft("sum", measure, options) if len(options) > 1 else None


def _age(question: str) -> Plan | None:
    """Return the plan of "How old was A when she died?"."""
    match = _AGE.match(question)
    if match is None or not _is_thing(name := _thing(match["name"])):
        return None
    then = event(match["verb"].lower(), passive=bool(match["be"]), rest=(match["rest"] or "").strip())
    asked = [Step(do="look_up", ask=each.ask(name), of=name, name=each.name) for each in (BIRTH, then)]
    return Plan(steps=(*asked, Step(do="difference", steps=(1, 2), of=name, unit="full_years")))


def _is_thing(option: str) -> bool:
    return bool(option) and _CONDITION.match(option) is None


def _thing(text: str) -> str:
    """Return the name of a thing without the verb and the punctuation around it."""
    text = re.sub(rf"\s+(?:{any_of('comparisons.option_ends')})$", "", text.strip(" ,?."))
    return text.strip(' ,?."“”')


def _with_circumstance(question: str, measure: Measure, options: Sequence[str]) -> Measure | None:
    """Return the measure with the words behind it that are no part of an option; None if they are more than a
    circumstance.
    """
    if not options:
        return None
    behind = question[measure.end :].partition(options[0])[0] if options[0] in question[measure.end :] else ""
    behind = re.sub(r"[\s,:–—-]*(?:the|an?)?\s*$", "", behind).strip(' ."“')
    if (today := _TODAY.search(question[: measure.start])) is not None:
        measure = measure.when(today[0])
    if not behind or re.fullmatch(r"(?:[a-z]+\s+)?(?:[a-z]+s|film)", behind):
        return measure
    return measure.when(behind) if _CIRCUMSTANCE.match(behind) else None


def _is_of_another(question: str, options: Sequence[str]) -> bool:
    """Return whether a question compares what belongs to its things, and not the things themselves.

    >>> decompose("Which film has the director who was born first, Lark or Heron?") is None
    True
    """
    return _OF_ANOTHER.search(question) is not None or any(map(_PERSON_OF.match, options))


def _shared_head(options: Sequence[str]) -> str:
    """Return the words before the first of some things that belong to each: "the captains of A and B".

    >>> _shared_head(["the captains of Lark", "Heron"]), _shared_head(["the pier of Ask", "the pier of Bo"])
    ('the captains of ', '')
    """
    first, *others = map(_HEAD.match, options)
    return "" if first is None or any(others) else first[0]
