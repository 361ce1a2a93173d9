"""English questions that need several values, as plans: what to look up, and what to compute from it."""

from __future__ import annotations

import re

from probative.text.analysis import ANSWER
from probative.text.english.arithmetic import find_age, find_difference, find_total
from probative.text.english.closed_comparisons import find_limit, find_same
from probative.text.english.degrees import BIRTH, DEATH, find_degree
from probative.text.english.drafts import Draft, whether, which_of
from probative.text.english.events import directions, find_event_order
from probative.text.english.negation import is_denied
from probative.text.english.operands import options_around
from probative.text.english.question_parts import question_parts
from probative.text.english.roles import role_in
from probative.text.plan import By, Plan, Step
from probative.text.word_lists import any_of

_LIVED = re.compile(
    r"(?i)\blived\s+(?:the\s+)?(?:(?P<longer>longer|longest)|shorter|shortest)\s*(?=[,:–—?-]|$)"
)
_PERSON = re.compile(r"(?i)\W*(?:who|whom|whose)\b|\b(?:he|she|person|people|man|woman)\b")
_PEOPLE_NOUN = re.compile(
    rf"(?i)\b(?:which|what)\s+(?:[\w-]+\s+){{0,3}}?\w*(?:{any_of('comparisons.person_endings')})\b"
    r"(?=\s+(?:is|was|of))"
)
_DIFFERENT = re.compile(r"(?i)\bdifferent\b|\bdiffer\b")
# Without an offer, "older" may describe someone ("the older brother of A and B").
_OFFER = re.compile(r"\bor\b|\b(?i:between)\b.*\band\b|\b(?:of|among) the(?:se)? (?:two|three|four)\b")
_NAME = re.compile(r"[A-Z]\S*")
# "A or B, after the war": what follows the options may change what is compared.
_CONDITION = re.compile(r"(?:after|before|when|while|in|during|at|on|from|since|until)\b")
_QUALIFIED = re.compile(rf"\s+(?:{any_of('comparisons.circumstances')})\b")
_WHEN = re.compile(r"\s+(?P<when>(?:in|at|on|during)\s[^,:?]+)(?=[,:])")
_CIRCUMSTANCES = re.compile(
    r"\b(?:today|now|currently|at present|actually"
    r"|(?:in|during|on) (?:\d{1,2} )?(?:[A-Z][a-z]+ )?[12]\d{3})\b"
)
# A question this long is a text; parsing it for options would take long and help nobody.
MAX_CHARACTERS = 1_000
_PATTERNS = (
    re.compile(
        r"\b(?:has|have|had|with)\s+(?:the|an?)\s+(?P<role>[a-z]+?)s?\s+(?:who|that|which|born|died|lived|from)\b",
        re.IGNORECASE,
    ),
    re.compile(r"\bwhose\s+(?P<role>[a-z]+)\s+(?:is|was|were|has|had|died|lived)\b", re.IGNORECASE),
    re.compile(r"\b(?:the|both)\s+(?P<role>[a-z]+?)s\s+of\b", re.IGNORECASE),
)
_OPTION_ROLE = re.compile(
    r"(?i)(?:the\s+)?(?P<role>[a-z]+)\s+of\s+(?:(?:the\s+)?(?:film|book|movie|song|play|opera)\s+)?"
)
_OLDER = re.compile(r"(?i)\b(?:older|oldest|younger|youngest|elder)\b")


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
    if _is_denied(question):
        return None
    for find in (find_age, find_difference, find_total, find_same, _find_limit, _find_order):
        draft = find(question)
        if draft is not None and draft.options and not any(map(_CONDITION.match, draft.options)):
            return with_role(question, _with_circumstances(question, draft)).plan()
    return None


def _with_circumstances(question: str, draft: Draft) -> Draft:
    """Return the draft with "today", "in 2018" and the like in what it asks of each option."""
    found = [match[0] for match in _CIRCUMSTANCES.finditer(question)]
    first = draft.attributes[0]
    new = [text for text in found if text not in first.question and text not in " ".join(draft.options)]
    if not new or draft.span or first.kind == "date":
        return draft
    asked = first._replace(question=f"{first.question.removesuffix('?')} {' '.join(new)}?")
    return draft._replace(attributes=(asked,))


def _find_limit(question: str) -> Draft | None:
    """Return the draft of "Is A higher than B?"."""
    comparison = find_limit(question)
    return None if comparison is None else whether(comparison)


def _is_denied(question: str) -> bool:
    """Return whether a question contains a negation outside the names in it."""
    first, _, rest = question.partition(" ")
    lower = _NAME.sub(" ", _DIFFERENT.sub("", rest))
    return is_denied(f"{first} {lower}")


def _find_order(question: str) -> Draft | None:
    """Return the draft of "Which is higher, A or B?"."""
    if not _OFFER.search(question):
        return None
    if (lived := _LIVED.search(question)) is not None:
        options = options_around(question, lived.start(), lived.end())
        by: By = "less" if lived["longer"] is None else "more"
        return Draft("compare", (BIRTH, DEATH), options, by, "which", span="lifetime")
    order = find_event_order(question)
    if order is not None:
        if len(directions(question)) != 1:
            return None  # "the first or the last … earlier": more than one order is in play
        options = options_around(question, order.start, order.end)
        return which_of(order.attributes, options, largest=order.latest)
    degree = find_degree(question, person=asks_for_person(question))
    if degree is None or re.search(r"\blived\s+$", question[: degree.start]):
        return None
    # "More visitors in 2015" is asked of each; "nearer to the Sava", "older when they died" are no amounts.
    when = _WHEN.match(question, degree.end)
    if when is None and _QUALIFIED.match(question, degree.end):
        return None
    options = options_around(question, degree.start, degree.end if when is None else when.end("when"))
    if when is not None:
        attribute = degree.attributes[0]
        asked = attribute._replace(question=f"{attribute.question.removesuffix('?')} {when['when']}?")
        degree = degree._replace(attributes=(asked,))
    return which_of(degree.attributes, options, largest=degree.largest)


def asks_for_person(question: str) -> bool:
    """Return whether people are compared.

    >>> asks_for_person("Who is older?"), asks_for_person("Which painter is older?")
    (True, True)
    >>> asks_for_person("Which church is older?")
    False
    """
    return _PERSON.match(question) is not None or _PEOPLE_NOUN.search(question) is not None


def with_role(question: str, draft: Draft) -> Draft:
    """Return the draft with the role that stands between the options and the attribute, if there is one.

    >>> draft = Draft("compare", (BIRTH,), ("A", "B"), "earlier", "which")
    >>> with_role("Which film has the director who was born first, A or B?", draft).role
    'director'
    """
    draft = _role_of_options(draft)
    role = draft.role or _role(question, draft)
    if not role:
        return draft
    # Only someone can be older whose role is named.
    older = _OLDER.search(question) is not None and draft.attributes[0].kind == "date"
    return draft._replace(role=role, attributes=(BIRTH,) if older else draft.attributes)


def _role_of_options(draft: Draft) -> Draft:
    """Return the draft of "the director of A and the director of B" with the role of both."""
    matches = [_OPTION_ROLE.match(option) for option in draft.options]
    first = matches[0] if matches else None
    role = role_in(first["role"]) if first is not None else None
    if role is None or any(match is not None and role_in(match["role"]) != role for match in matches):
        return draft
    pairs = zip(draft.options, matches, strict=True)
    names = (option if match is None else option[match.end() :] for option, match in pairs)
    return draft._replace(role=role, options=tuple(names))


def _role(question: str, draft: Draft) -> str:
    """Return the role; "" if the role is itself what is compared ("the same director")."""
    compared = " ".join(attribute.name for attribute in draft.attributes)
    if draft.span == "full_years":
        return ""
    for pattern in _PATTERNS:
        match = pattern.search(question)
        if match is None or match["role"].lower() in compared:
            continue
        if not any(match.group().lower() in option.lower() for option in draft.options):
            return match["role"].lower()
    role = role_in(question)
    return "" if role is None or role in compared or not _stands_free(role, question, draft) else role


def _stands_free(role: str, question: str, draft: Draft) -> bool:
    """Return whether a role stands outside the options and is no kind of option ("Which singer is older")."""
    for option in draft.options:
        question = question.replace(option, " ")
    kind = re.match(rf"\W*(?:which|what)\s+(?:\w+\s+)?{role}s?\b", question, re.IGNORECASE)
    return re.search(rf"\b{role}s?\b", question, re.IGNORECASE) is not None and kind is None
