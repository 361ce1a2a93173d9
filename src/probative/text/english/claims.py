"""The parts of an English sentence that each claim something: clauses joined by "and", "but" or "who"; and
sentences that stand alone: they name what their first pronoun stands for.

Careful: a sentence that is not certainly compound stays whole, and a pronoun that nothing agrees with stays.
A part that shares the subject of the first one gets it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from probative.text.words import IRREGULAR_PASTS, any_of, word_set

BE = word_set("be")
HAVE = word_set("have")
_MODALS = word_set("modals", "do") | {"shall", "cannot"}
# Present forms. Those that are also common nouns ("stops", "limits") count only behind a subject.
_PRESENT = word_set("clauses.present")
_NOT_VERBS = word_set("no_past_forms") | {"united", "limited", "based", "compared"}
_DETERMINERS = word_set("clauses.determiners")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
# "…, and the board chose …", "…; the other sank"
_NEW_CLAUSE = re.compile(r"(?:,\s+(?:and|but|while|whereas|yet)\s+|\s*;\s+(?:and\s+|but\s+)?)(?=\S)")
# "… and was within all limits", "… and sold it"
_SHARED = re.compile(r",?\s+(?:and|but)\s+(?:(?:then|later|also|still|now)\s+)?(?=(?P<verb>[a-z]+)\b)")
# "Edwin Tolland, who had built …", "a brake, which closes …"
_RELATIVE = re.compile(r",\s+(?P<word>who|which)\s+")
_CONDITION = re.compile(rf"(?i)(?:\w+\s+)?(?:{any_of('compound.conjunctions')})\b")
_NAME_BEFORE = re.compile(r"(?:[A-Z][\w'’.-]*\s+(?:(?:of|the|de|van|von)\s+)?){0,3}[A-Z][\w'’.-]*$")
_PHRASE_BEFORE = re.compile(r"(?P<word>an?|the)\s+(?:[a-z][\w-]*\s+){0,3}[a-z][\w-]*$")
_OPENING = re.compile(rf"(?:{any_of('compound.openers')}|[A-Z£$€\d])")
MIN_WORDS = 3


class ClaimPart(NamedTuple):
    """A part of a sentence that claims something by itself: its characters, and it as a sentence."""

    start: int
    end: int
    text: str


class VerbPlace(NamedTuple):
    """The characters of a verb, and it in small letters."""

    start: int
    end: int
    verb: str


def find_verb(text: str, position: int = 0) -> VerbPlace | None:
    """Return the first finite verb of a text from a position on.

    >>> find_verb("The covered market of Aske opened in 1890.").verb
    'opened'
    >>> find_verb("a rope of 20 metres") is None
    True
    """
    before = ""
    for match in _WORD.finditer(text, position):
        word = match.group().lower().replace("’", "'")
        if is_finite(word, before, first=match.start() == position):
            return VerbPlace(match.start(), match.end(), word)
        before = word
    return None


def is_finite(word: str, before: str, *, first: bool = False) -> bool:
    """Return whether a word can be the verb of a clause behind the word `before`.

    >>> is_finite("fitted", "ropes"), is_finite("fitted", "the")
    (True, False)
    """
    if word.removesuffix("n't") in BE | HAVE | _MODALS:
        return True
    if word in _NOT_VERBS or before in _DETERMINERS:
        return False
    if first:  # "Fitted in 1995, the motor …"
        return False
    return word in _PRESENT or word in IRREGULAR_PASTS or (word.endswith("ed") and len(word) > 4)


def claim_parts(sentence: str) -> list[ClaimPart]:
    """Return the parts of a sentence that claim something by themselves; the sentence if it claims one thing.

    >>> [part.text for part in claim_parts("Ada built a mill in 1790 and sold it to Ole, who burnt it.")]
    ['Ada built a mill in 1790.', 'Ada sold it to Ole.', 'Ole burnt it.']
    >>> [part.text for part in claim_parts("The pier was closed in 1988, and the boats moved to Molde.")]
    ['The pier was closed in 1988.', 'The boats moved to Molde.']
    >>> len(claim_parts("Fish and chips are sold at the pier and in the town."))
    1
    """
    whole = [ClaimPart(0, len(sentence), sentence)]
    if sentence.rstrip().endswith(("?", ":")) or _CONDITION.match(sentence) or sentence.count('"') % 2:
        return whole
    cuts = [0, *_new_clauses(sentence), len(sentence)]
    parts: list[ClaimPart] = []
    for start, end in zip(cuts[::2], cuts[1::2], strict=True):
        parts += _clause_parts(sentence, start, end)
    return parts if len(parts) > 1 else whole


def _new_clauses(sentence: str) -> Iterator[int]:
    """Yield where a clause ends and where the next one begins, for each joint of two full clauses."""
    begin = 0
    for joint in _NEW_CLAUSE.finditer(sentence):
        first, second = sentence[begin : joint.start()], sentence[joint.end() :]
        if not _OPENING.match(second) or _words(first) < MIN_WORDS:
            continue
        if find_verb(first) is None or not _has_clause(second):
            continue
        yield from joint.span()
        begin = joint.end()


def _has_clause(text: str) -> bool:
    """Return whether a text begins with a clause that has a subject and a verb."""
    verb = find_verb(re.split(r"[,;]\s+(?:and|but|who|which|while)\b|;\s", text)[0])
    return verb is not None and verb.start > 0


def _clause_parts(sentence: str, start: int, end: int) -> list[ClaimPart]:
    """Return the parts of one clause: what its subject did first, what it did then, and who that was."""
    clause = sentence[start:end]
    first = find_verb(clause)
    if first is None:
        return [_part(clause, 0, len(clause), start)]
    subject = clause[: first.start].strip()
    starts: list[tuple[int, int, str]] = []  # where a part begins with its joint, without it, and its subject
    for joint in _SHARED.finditer(clause, first.end):
        lead = _lead(clause, joint, first)
        if lead is not None and _words(subject) > 0:
            starts.append((joint.start(), joint.start("verb"), f"{subject} {lead}".strip()))
    for joint in _RELATIVE.finditer(clause, first.end):
        owner = _owner(clause[: joint.start()])
        if owner and find_verb(f"it {clause[joint.end() :]}", 2) is not None:
            starts.append((joint.start(), joint.end(), owner))
    starts.sort()
    ends = [*(begin for begin, _, _ in starts), len(clause)]
    parts = [_part(clause, 0, ends[0], start)]
    for (_, begin, lead), after in zip(starts, ends[1:], strict=True):
        parts.append(_part(clause, begin, after, start, lead))
    if any(_words(part.text) < MIN_WORDS for part in parts):
        return [_part(clause, 0, len(clause), start)]
    return parts


def _lead(clause: str, joint: re.Match[str], first: VerbPlace) -> str | None:
    """Return what stands before the verb behind a joint: nothing, or an auxiliary; None without a verb."""
    word = joint["verb"]
    before = clause[: joint.start()].split()[-1].lower()
    if not is_finite(word, before) or before in ("both", "between"):
        return None
    if word in BE | HAVE:
        return ""
    is_past = word.endswith("ed") or word in IRREGULAR_PASTS
    if first.verb in BE | HAVE and is_past:
        return clause[first.start : first.end]
    return "" if is_past or word.endswith("s") else None


def _owner(before: str) -> str:
    """Return the name or the noun phrase that a relative clause is about."""
    name = _NAME_BEFORE.search(before)
    if name is not None:
        return name.group()
    phrase = _PHRASE_BEFORE.search(before)
    return phrase.group() if phrase is not None else ""


def _part(clause: str, begin: int, end: int, offset: int, lead: str = "") -> ClaimPart:
    text = clause[begin:end].strip().rstrip(",;")
    words = f"{lead} {text}".strip()
    words = words[:1].upper() + words[1:]
    if words[-1:] not in '.!?"”':
        words += "."
    shift = len(clause[begin:end]) - len(clause[begin:end].lstrip())
    return ClaimPart(offset + begin + shift, offset + begin + shift + len(text), words)


def _words(text: str) -> int:
    return len(re.findall(r"\w+", text))


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
