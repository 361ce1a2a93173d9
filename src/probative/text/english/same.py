"""Questions whether things are the same: "in the same town", "of different nationalities"."""

from __future__ import annotations

import re

from probative.text.decomposition import Attribute, Decomposition, ValueKind
from probative.text.english.degrees import AGE, attribute_of_noun
from probative.text.english.operands import split_options
from probative.text.word_lists import stem, word_set

_SAME = re.compile(
    r"(?P<verb>\b(?!(?:in|on|at|from|to|of|by|for|with)\b)[a-z]+\s+)?"
    r"(?P<preposition>\b(?:in|on|at|from|to|of|by|for|with)\s+)?"
    r"(?:(?P<same>\b(?:(?:the|a|an)\s+)?(?:same|one)|(?<=share )(?:a|the|one))|(?P<different>\bdifferent))\s+"
    r"(?P<noun>[a-z][a-z-]+(?:\s+of\s+[a-z]+)?)\b"
)
_AUXILIARY = re.compile(r"\W*(?P<auxiliary>are|is|were|was|do|does|did|have|has)\b\s*", re.IGNORECASE)
_COUNTRY = frozenset(["country", "countries", "nationality", "nationalities", "nation", "nations"])
_DATE = {"year": "year", "years": "year", "day": "day", "date": "day", "month": "month", "decade": "decade"}
_PERSON = word_set(
    "person people man woman author director writer composer architect artist singer company team"
)
_NUMBERS = word_set("height length depth width area population price cost weight age speed")
_PAST_ACTIVE = {"written": "wrote", "sung": "sang", "drawn": "drew", "made": "made", "built": "built"}
_TO_HAVE = frozenset(["have", "has", "had", "share", "shares", "shared", "with"])
_STAYING = word_set("both be being located based situated found lie live lying set")
_PLURALS = {"countries": "country", "nationalities": "nationality", "cities": "city", "families": "family"}


def find_same(question: str) -> Decomposition | None:
    """Return the parts of a question whether two things are the same in something.

    >>> parts = find_same("Are the Clock Museum and the Salt Theatre in the same town?")
    >>> parts.options, parts.attributes[0].question
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
    return Decomposition("same", (attribute,), options, positive=match["different"] is None)


def _attribute(match: re.Match[str], auxiliary: str) -> Attribute:
    """Return the attribute that must be the same, with its question."""
    noun = _singular(match["noun"].lower())
    question = _question(match, noun, auxiliary)
    if noun in _COUNTRY:
        asked = question if noun == "country" else f"What is the {noun} of {{}}?"
        return Attribute("country", asked, "country")
    cue = _cue(match)
    if noun in _DATE:
        return Attribute(_DATE[noun], question, "date", cues=cue, event="birth" if "born" in cue else None)
    if noun == "age":
        return AGE
    if noun in _NUMBERS:
        return attribute_of_noun(noun)
    kind: ValueKind = "place" if (match["preposition"] or "").strip() in ("in", "at") else "name"
    return Attribute(noun, question, kind, cues=cue)


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


def _cue(match: re.Match[str]) -> frozenset[str]:
    verb = (match["verb"] or "").strip().lower()
    return frozenset({stem(verb), verb}) if verb and verb not in _STAYING | _TO_HAVE else frozenset()


def _singular(noun: str) -> str:
    if noun in _PLURALS:
        return _PLURALS[noun]
    return (
        noun[:-1]
        if noun.endswith("s") and not noun.endswith(("ss", "us", "is", "series", "species"))
        else noun
    )
