"""Whether an English text states something: a statement, a question, an instruction or a fragment."""

from __future__ import annotations

import re

from probative.text.analysis import ClaimForm
from probative.text.dates import MONTHS
from probative.text.english.quantities import quantities_in
from probative.text.english.when import base_form
from probative.text.word_lists import IRREGULAR_PASTS, word_set

_QUESTION_MARKS = ("?", "？", "؟")
_AUXILIARIES = word_set(
    "is are was were am be been being do does did has have had can could will would shall should may "
    "might must isn't aren't wasn't weren't don't doesn't didn't hasn't haven't hadn't can't couldn't"
    " won't wouldn't shouldn't mustn't cannot it's he's she's that's there's they're we're i'm"
)
_AUXILIARY = r"(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|must)"
_SUBJECTS = r"(?:i|we|you|he|she|it|they|this|that|these|those|the|an?|[a-z]+ing)"
_ASKS = re.compile(
    r"\W*(?:(?:in|of|to|for|by|from|with|on|at|since|until) )?(?:"
    rf"(?:who|whom|what|where|when|why|how) {_AUXILIARY}\b"
    rf"|(?:whose|what|which|how)(?: (?!{_SUBJECTS}\b)[a-z]+){{1,2}} {_AUXILIARY}\b"
    rf"|who (?:[a-z]+ed|[a-z]*(?:ought|uilt|rote|ade|ook|ave)) (?:the|an?|this|that) [^,]*$)"
    r"|\W*(?:is|are|was|were|did|does|has)(?:n't)? (?!not )[\w'’]+ \S"
    rf"|\W*(?:do|have|can|could|will|would|should|may|must) (?:{_SUBJECTS}|there)\b",
    re.IGNORECASE,
)
_TELLS = re.compile(
    r"\W*(?:please\b|do not\b|don['’]t\b|never [a-z]+ (?:the|an?|your|it|any)\b|let(?:'s|’s| us)\b"
    r"|(?P<verb>[a-z]+) (?:the|an?|your|it|them|this|these|all|only|no|every|each|yourself|not to)\b)",
    re.IGNORECASE,
)
_ORDER_VERBS = word_set(
    "add apply ask avoid bring call change check choose clean click close collect connect cover cut "
    "dispose disconnect drain drink dry eat empty ensure fasten fill find fit fix follow get give go "
    "hold insert install keep leave lift load lock look make mix move note open pay place plug pour "
    "press prevent pull push put read register remove repeat replace report rinse save screw see "
    "select send set shake show sign slide start stay stir stop store swallow switch take tell throw "
    "tighten tilt touch try turn unplug use wait walk wash watch wear wipe write"
)
_OPENERS = word_set(
    "a an the about around at by for from in into of on over to under with within since until per"
)
# In longer texts, a word that is not known as a verb often is one: "A group of people walk at night."
MAX_PHRASE = 5
# Nouns and adjectives that end as verbs in the past do.
_NOT_VERBS = word_set(
    "bed red shed seed need speed weed bleed hundred sacred naked wicked deed feed reed breed sled"
)


def claim_form(text: str) -> ClaimForm:
    """Return whether a text is a statement, a question, an instruction or a fragment.

    A form is named only where the words show it: a noun phrase in the plural passes for a statement.

    >>> [claim_form(text) for text in ("Frogs croak.", "Who built the pier", "Close the valve.", "84 metres")]
    ['statement', 'question', 'instruction', 'fragment']
    """
    stripped = text.strip()
    if stripped.endswith(_QUESTION_MARKS):
        return "question"
    if not any(mark in stripped for mark in _QUESTION_MARKS) and _ASKS.match(stripped):
        return "question"
    if _is_instruction(stripped):
        return "instruction"
    return "fragment" if _is_fragment(stripped) else "statement"


def _is_instruction(text: str) -> bool:
    tells = _TELLS.match(text)
    if tells is None:
        return False
    return tells["verb"] is None or tells["verb"].lower() in _ORDER_VERBS


def _is_fragment(text: str) -> bool:
    """Return whether a text has no word that could be its verb: a quantity, a date, a name, a noun phrase."""
    rest = text
    for span in reversed(quantities_in(text)):
        rest = f"{rest[: span.start]} {rest[span.end :]}"
    words = re.findall(r"[^\W\d_]+(?:['’][a-z]+)?", rest)
    own = [word for word in words if word.lower() not in _OPENERS and word.lower() not in MONTHS]
    if len(own) < 2:
        return not any(word.lower() in _AUXILIARIES for word in words) or len(words) < 2
    if all(word[0].isupper() for word in words):
        return True
    starts_as_phrase = words[0].lower() in _OPENERS
    if len(words) > MAX_PHRASE:
        return False
    return not any(_may_be_verb(word, starts_as_phrase=starts_as_phrase) for word in own)


def _may_be_verb(word: str, *, starts_as_phrase: bool) -> bool:
    low = word.lower().replace("’", "'")
    if low in _AUXILIARIES or low in IRREGULAR_PASTS:
        return True
    if low in _NOT_VERBS:
        return False
    if low.endswith("ed") or (low.endswith("s") and not low.endswith(("ss", "us", "ous"))):
        return True
    # "Frogs croak", "We agree": without an article or a preposition before it, any word may be the verb.
    return not starts_as_phrase and word[0].islower() and base_form(low) == low
