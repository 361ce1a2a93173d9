"""The value of an attribute for each subject: by rule where a sentence gives it beyond doubt, otherwise by
the model, if a sentence gives it too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from probative.engine.search import Search
from probative.scope.compute.evidence import ChainSentence, SentenceValue, has_cue, has_words
from probative.scope.compute.quantity_values import (
    candidates,
    may_be_same,
    only,
    quantity_by_last_rule,
    quantity_by_rule,
    quantity_of_reply,
)
from probative.scope.compute.subjects import Subject, ask_each
from probative.scope.run import Run
from probative.text import english
from probative.text.analysis import Attribute, DateWithVerb, Topic
from probative.text.dates import agree, spelled
from probative.text.words import words

# Nouns for the making of a thing, whose dates are those of the thing ("the opening of the bridge").
_MAKING = frozenset(
    ["build", "construction", "work", "open", "premier", "releas", "publication", "foundation"]
)
# From this strength on, the verb of a date is that of the question, or one of its group.
SAME_EVENT = 2
Stems = frozenset[str]
"""The stems of the question."""


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
        entry.gives(dated.date, spelled(dated.date), read=True)
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
            yield entry.gives(date, spelled(date))


def _event_dates(
    attribute: Attribute, sentences: Sequence[ChainSentence]
) -> Iterator[tuple[int, SentenceValue]]:
    """Yield the dates that may be those of the event, each with how well its verb fits."""
    for entry in sentences:
        defining = english.defining_year(entry.text) if attribute.event == "start" else None
        if defining is not None and entry.topic_at(0).kind == "own":
            yield SAME_EVENT - 1, entry.gives(defining, spelled(defining))
        if english.is_denied(entry.text) or not has_words(attribute, entry):
            continue
        doubtful = attribute.event is None and english.is_doubtful_date(entry.text)
        governed = english.dates_with_verbs(entry.text)
        for row, dated in enumerate(governed):
            before = entry.text[governed[row - 1].position if row else 0 : dated.position]
            if len(governed) > 1 and not attribute.words <= english.stems_of(before):
                continue  # "won a race in 1939 and the title in 1950"
            strength = english.event_strength(dated.verb, attribute.verb)
            value = entry.gives(dated.date, spelled(dated.date))
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


def value_by_rule(
    attribute: Attribute, sentences: Sequence[ChainSentence], asked: Stems
) -> SentenceValue | None:
    """Return the value that the sentences give beyond doubt: the only one of its kind near its words."""
    if attribute.kind == "date":
        return date_by_rule(attribute, sentences)
    if attribute.kind == "quantity":
        return quantity_by_rule(attribute, sentences, asked)
    if attribute.kind == "country":
        return _country(sentences)
    return None


def value_of_reply(
    attribute: Attribute, reply: str, sentences: Sequence[ChainSentence], asked: Stems
) -> SentenceValue | None:
    """Return the value that a model's reply names, as a sentence gives it; None if no sentence does."""
    if attribute.kind == "date":
        return date_of_reply(attribute, reply, sentences)
    if attribute.kind == "quantity":
        return quantity_of_reply(attribute, reply, sentences, asked)
    if attribute.kind == "country":
        return _country_of_reply(reply, sentences)
    return _name_of_reply(reply, sentences)


def value_by_last_rule(attribute: Attribute, sentences: Sequence[ChainSentence]) -> SentenceValue | None:
    """Return the only place, or the only size behind "of", where the model found no answer."""
    if attribute.kind == "place":
        return only(
            [
                entry.gives(name, name)
                for entry in sentences
                if has_cue(attribute, entry)
                for name in english.places_in(entry.text)
            ]
        )
    return quantity_by_last_rule(attribute, sentences) if attribute.kind == "quantity" else None


def may_have_value(attribute: Attribute, sentences: Sequence[ChainSentence]) -> bool:
    """Return whether a sentence has anything of the attribute's kind: without it, no model need be asked."""
    if attribute.kind == "date":
        return any(english.may_contain_date(entry.text) for entry in sentences)
    if attribute.kind == "quantity":
        return any(True for _ in candidates(attribute, sentences))
    return bool(sentences)


def disputed_values(
    attribute: Attribute, sentences: Sequence[ChainSentence], asked: Stems
) -> tuple[SentenceValue, SentenceValue] | None:
    """Return two values of different passages that cannot both be right, if there are any."""
    by_passage: dict[int, list[ChainSentence]] = {}
    for entry in sentences:
        by_passage.setdefault(entry.index, []).append(entry)
    if attribute.kind == "date":
        read = [sure_date(attribute, entries) for entries in by_passage.values()]
    elif attribute.kind == "quantity":
        read = [quantity_by_rule(attribute, entries, asked) for entries in by_passage.values()]
    else:
        return None
    values = [value for value in read if value is not None]
    return next((pair for pair in combinations(values, 2) if not may_be_same(*pair)), None)


def _country(sentences: Sequence[ChainSentence]) -> SentenceValue | None:
    """Return the countries by which the first sentence with any says what its subject is."""
    origins = ((entry, english.origins_of(entry.text)) for entry in sentences)
    return next((entry.gives(names, " and ".join(sorted(names))) for entry, names in origins if names), None)


def _country_of_reply(reply: str, sentences: Sequence[ChainSentence]) -> SentenceValue | None:
    """Return the country of the reply, if a sentence names that country too."""
    countries = english.countries_in(reply)
    naming = (entry for entry in sentences if countries and countries <= english.countries_in(entry.text))
    return next((entry.gives(countries, reply, read=True) for entry in naming), None)


def _name_of_reply(reply: str, sentences: Sequence[ChainSentence]) -> SentenceValue | None:
    """Return the reply as it is, if a sentence has all its words."""
    content = set(words(reply))
    naming = (
        entry for entry in sentences if content and content <= set(words(f"{entry.title or ''} {entry.text}"))
    )
    return next((entry.gives(reply, reply, read=True) for entry in naming), None)


def read_values(
    run: Run, attribute: Attribute, subjects: Sequence[Subject]
) -> Search[list[SentenceValue | None]]:
    """Return the value of an attribute for each subject; None where the chain does not give it.

    A value that the model names counts only if a sentence about the subject gives it too.
    """
    asked = english.stems_of(run.question.text)
    values = [value_by_rule(attribute, subject.sentences, asked) for subject in subjects]
    disputed = [disputed_values(attribute, subject.sentences, asked) for subject in subjects]
    for index, pair in enumerate(disputed):
        if pair is not None:
            values[index] = None
            shown = f"{pair[0].shown} and {pair[1].shown}"
            run.note(
                f"the passages give different values for {attribute.name}: {subjects[index].name}: {shown}"
            )
    unread = [
        index
        for index, value in enumerate(values)
        if value is None and disputed[index] is None and may_have_value(attribute, subjects[index].sentences)
    ]
    questions = [(attribute.ask(subjects[index].name), subjects[index].sentences) for index in unread]
    replies = yield from ask_each(run, questions)
    for index, reply in zip(unread, replies, strict=True):
        if reply is not None:
            values[index] = value_of_reply(attribute, reply, subjects[index].sentences, asked)
        if values[index] is None:
            values[index] = value_by_last_rule(attribute, subjects[index].sentences)
    return values
