"""Dates of events in sentences: the date that belongs to the verb of the question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from probative.scope.answer.compare.evidence import ChainSentence
from probative.scope.answer.compare.sentence_value import SentenceValue, has_cue, has_words
from probative.text import english
from probative.text.analysis import Attribute, DateWithVerb, Topic
from probative.text.dates import agree, spelled

# Nouns for the making of a thing, whose dates are those of the thing ("the opening of the bridge").
_MAKING = frozenset(
    ["build", "construction", "work", "open", "premier", "releas", "publication", "foundation"]
)
# From this strength on, the verb of a date is that of the question, or one of its group.
SAME_EVENT = 2


def date_by_rule(attribute: Attribute, sentences: Sequence[ChainSentence]) -> SentenceValue | None:
    """Return the date of a birth or death, or the first of those dates whose verb fits the question best."""
    if attribute.event in ("birth", "death"):
        return next(_life_dates(attribute, sentences), None)
    dated = list(_event_dates(attribute, sentences))
    if not dated:
        return None
    best = max(strength for strength, _ in dated)
    first = next(value for strength, value in dated if strength == best)
    same = [value for strength, value in dated if strength == best]
    if best < SAME_EVENT and attribute.event is None:
        return first if all(value.value == first.value for value in same) else None
    return first


def sure_date(attribute: Attribute, sentences: Sequence[ChainSentence]) -> SentenceValue | None:
    """Return the first date whose verb is that of the question."""
    if attribute.event in ("birth", "death"):
        return None
    dated = _event_dates(attribute, sentences)
    return next((value for strength, value in dated if strength > SAME_EVENT), None)


def date_of_reply(
    attribute: Attribute, reply: str, sentences: Sequence[ChainSentence]
) -> SentenceValue | None:
    """Return the most exact date of a sentence that agrees with the date of the reply."""
    replied = english.dates_in(reply)
    if len(replied) != 1:
        return None
    agreeing = [
        SentenceValue(dated.date, spelled(dated.date), entry.index, entry.text, read=True)
        for entry in sentences
        for dated in english.dates_with_verbs(entry.text)
        if (attribute.event == "start" or _is_sure(attribute, dated, entry))
        and agree(dated.date, replied[0])
        and _fits(attribute, entry.topic_at(dated.position))
        and (not attribute.verb or english.event_strength(dated.verb, attribute.verb) > 0)
    ]
    return max(agreeing, key=_exactness, default=None)


def _is_sure(attribute: Attribute, dated: DateWithVerb, entry: ChainSentence) -> bool:
    """Return whether a date is that of the asked event for certain, and not one of a relative."""
    same = bool(attribute.verb) and english.event_strength(dated.verb, attribute.verb) >= SAME_EVENT
    return dated.sure and (same or not english.is_doubtful_date(entry.text))


def _life_dates(attribute: Attribute, sentences: Sequence[ChainSentence]) -> Iterator[SentenceValue]:
    assert attribute.event is not None
    for entry in sentences:
        if entry.topics and all(topic.kind in ("other", "compared") for topic in entry.topics):
            continue
        date = english.event_date(entry.text, attribute.event)
        if date is not None:
            yield SentenceValue(date, spelled(date), entry.index, entry.text)


def _event_dates(
    attribute: Attribute, sentences: Sequence[ChainSentence]
) -> Iterator[tuple[int, SentenceValue]]:
    """Yield the dates that may be those of the event, each with how well its verb fits."""
    for entry in sentences:
        defining = english.defining_year(entry.text) if attribute.event == "start" else None
        if defining is not None and entry.topic_at(0).kind == "own":
            yield SAME_EVENT - 1, SentenceValue(defining, spelled(defining), entry.index, entry.text)
        if english.is_denied(entry.text) or not has_words(attribute, entry):
            continue
        doubtful = attribute.event is None and english.is_doubtful_date(entry.text)
        governed = english.dates_with_verbs(entry.text)
        for row, dated in enumerate(governed):
            before = entry.text[governed[row - 1].position if row else 0 : dated.position]
            if len(governed) > 1 and not attribute.words <= english.stems_of(before):
                continue  # "won a race in 1939 and the title in 1950"
            strength = english.event_strength(dated.verb, attribute.verb)
            value = SentenceValue(dated.date, spelled(dated.date), entry.index, entry.text)
            if not strength or not dated.sure or not _fits(attribute, entry.topic_at(dated.position)):
                continue
            single = len(governed) == 1 and not doubtful and has_cue(attribute, entry)
            if strength >= SAME_EVENT or single:
                yield strength, value


def _fits(attribute: Attribute, topic: Topic) -> bool:
    """Return whether a clause can give the date: one about the option, or about the making of it."""
    if topic.kind == "own":
        return True
    if topic.kind == "part":
        return bool(topic.part & (attribute.cues | attribute.words | _MAKING))
    # "King Oskar opened the bridge in 1903": someone else is the subject.
    return topic.kind == "other" and attribute.event == "start" and topic.start == 0


def _exactness(value: SentenceValue) -> int:
    """Return how many parts of a date are known."""
    return sum(part != 0 for part in value.value) if isinstance(value.value, tuple) else 0
