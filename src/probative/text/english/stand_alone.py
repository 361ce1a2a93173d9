"""An English sentence that can be read without those before it: its first pronoun gets its name.

Without a parser: the pronoun stands for the subject of the sentence before it, or, if that does not agree
with it in number, for the thing behind the verb. If nothing agrees, the sentence stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from probative.text.english.compound import find_verb
from probative.text.word_lists import any_of

_PRONOUN = re.compile(
    r"(?i)(?P<before>^\W*(?:(?:in|on|at|by|since|until|after|before|from|during)\s[^,.;]{1,40}?,?\s+|once\s[^,.;]{1,40},\s+"
    r"|(?:then|later|today|now|also|however|therefore|still|but|and|so)\b,?\s+)?)"
    r"(?P<word>it|he|she|they|its|his|her|their)\b(?=\s+[\w£$€])"
)
_DUMMY = re.compile(
    r"(?i)\W*it\s+(?:is|was|has\s+been|will\s+be|takes|took|rained|snowed)\b(?:\s+(?:not|now|also))?\s*"
    r"(?:\w+\s+)?(?:that|to|for|rained|snowed|not)\b"
)
_ADVERBIAL = re.compile(
    rf"\W*(?:(?i:{any_of('adverbial')}|despite|under)\s+"
    r"(?:(?:early|late|mid|the (?:winter|spring|summer|autumn|end|beginning) of)\s+)?"
    r"(?:\d[\w:,.]*\s+)?(?:[A-Z][a-z]+\s+)?(?:\d{4}\b|\d[\w:]*)\s*,?\s*(?:and\s+)?"
    rf"|(?i:{any_of('adverbial')}|despite|under|once)\s[^,;.]*,\s+"
    r"|(?i:then|later|today|now|also|however|therefore|but|and|so|meanwhile),?\s+)"
)
_PHRASE = re.compile(
    rf"\b(?P<determiner>an?|{any_of('stand_alone.determiners')})\s+"
    rf"(?P<words>(?:[\w'’-]+\s+){{0,2}}?[\w'’-]+)(?=\s+(?:{any_of('stand_alone.following')})\b|[,.;:]|\s*$)"
)
_PLURAL = re.compile(rf"(?i)^(?:{any_of('stand_alone.several')}|\d+)\b|\band\b")
_SINGULAR_S = ("ss", "us", "is", "ics", "news", "works")
_PERSON_WORDS = {"he", "she", "his", "her"}
_POSSESSIVES = {"its", "his", "her", "their"}


def stand_alone(sentence: str, before: Sequence[str]) -> str:
    """Return a sentence whose first pronoun is replaced by what the sentences before it name.

    >>> stand_alone("It burnt in 1890.", ["In 1790 the brothers built a mill at Aske."])
    'The mill burnt in 1890.'
    >>> stand_alone("It was made of oak.", ["The old mill stood at Aske."])
    'The old mill was made of oak.'
    >>> stand_alone("Its wheel was made of oak.", ["The mill stood at Aske."])
    "The mill's wheel was made of oak."
    """
    match = _PRONOUN.match(sentence)
    if match is None or not before or _DUMMY.match(sentence):
        return sentence
    word = match["word"].lower()
    owner = next((phrase for phrase in _phrases(before[-1]) if _agrees(phrase, word)), None)
    if owner is None:
        return sentence
    if match["before"].strip():
        owner = _inside(owner)
    if word in _POSSESSIVES:
        owner += "'" if owner.endswith("s") else "'s"
    return f"{match['before']}{owner}{sentence[match.end() :]}"


def _subject_start(sentence: str) -> int:
    begin = 0
    while (adverbial := _ADVERBIAL.match(sentence, begin)) is not None and adverbial.end() > begin:
        begin = adverbial.end()
    return begin


def _phrases(sentence: str) -> Iterator[str]:
    """Yield the subject of a sentence, then the things behind its verb."""
    begin = _subject_start(sentence)
    verb = find_verb(sentence, begin)
    if verb is None:
        return
    subject = sentence[begin : verb.start].strip(" ,;")
    subject = re.split(r",\s", subject)[0]
    if subject and len(subject.split()) <= 8:
        yield subject[:1].upper() + subject[1:]
    for match in _PHRASE.finditer(sentence, verb.end):
        yield f"The {match['words']}" if match["determiner"] in ("a", "an", "the") else match.group()


def _agrees(phrase: str, pronoun: str) -> bool:
    """Return whether a pronoun can stand for a phrase.

    >>> _agrees("The fitters", "it"), _agrees("The fitters", "they"), _agrees("Ada Berg", "she")
    (False, True, True)
    """
    if re.match(rf"(?:{any_of('stand_alone.no_subjects')})\b", phrase, re.I):
        return False
    head = re.split(r"\s+(?:of|in|on|at|for|from|with|to|by)\s+", phrase)[0]
    if pronoun in _PERSON_WORDS:
        return len(re.findall(r"\b[A-Z][\w'’-]+", head.removeprefix("The "))) > 0 and not _is_plural(head)
    return _is_plural(head) == (pronoun in ("they", "their"))


def _is_plural(head: str) -> bool:
    if _PLURAL.match(head) or " and " in head:
        return True
    last = head.split()[-1] if head.split() else ""
    return last.endswith("s") and not last.lower().endswith(_SINGULAR_S) and not last[:1].isupper()


def _inside(phrase: str) -> str:
    """Return a phrase as it stands inside a sentence."""
    first, _, rest = phrase.partition(" ")
    return f"{first.lower()} {rest}" if first in ("The", "A", "An", "Both", "Each", "Its", "This") else phrase
