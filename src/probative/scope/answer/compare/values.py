"""The values of attributes in sentences: found by rule, or read by the model and then found in a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from probative.scope.answer.compare.evidence import ChainSentence
from probative.text.analyzer import TextAnalyzer
from probative.text.dates import Date, spelled
from probative.text.decomposition import Attribute
from probative.text.quantities import Quantity, dimension_of, exactly, order
from probative.text.words import words

Parsed = Date | Quantity | frozenset[str] | str


@dataclass(frozen=True)
class SentenceValue:
    """A value, as it is shown, and the index of the passage whose sentence gives it."""

    value: Parsed
    shown: str
    index: int


def value_by_rule(
    attribute: Attribute, sentences: Sequence[ChainSentence], analyzer: TextAnalyzer
) -> SentenceValue | None:
    """Return the value that the sentences give beyond doubt: the only one of its kind near its words."""
    if attribute.kind == "date":
        return _only(_dates_by_rule(attribute, sentences, analyzer))
    if attribute.kind == "quantity":
        return _only(_quantities_by_rule(attribute, sentences, analyzer)) or _counted(
            attribute, sentences, analyzer
        )
    if attribute.kind == "country":
        return _country(sentences, analyzer)
    return None


def value_of_reply(
    attribute: Attribute, reply: str, sentences: Sequence[ChainSentence], analyzer: TextAnalyzer
) -> SentenceValue | None:
    """Return the value that a model's reply names, as a sentence gives it; None if no sentence does."""
    if attribute.kind == "date":
        return _date_of_reply(attribute, reply, sentences, analyzer)
    if attribute.kind == "quantity":
        return _quantity_of_reply(attribute, reply, sentences, analyzer)
    if attribute.kind == "country":
        return _country_of_reply(reply, sentences, analyzer)
    return _name_of_reply(reply, sentences)


def value_by_last_rule(
    attribute: Attribute, sentences: Sequence[ChainSentence], analyzer: TextAnalyzer
) -> SentenceValue | None:
    """Return the value for which the model found no answer, if the sentences give one place, or one size
    behind "of" ("a river of 212 km"), and nothing else of that kind.
    """
    if attribute.kind == "place":
        places = (
            SentenceValue(place, place, entry.index)
            for entry in sentences
            if _has_cue(attribute, entry, analyzer)
            for place in analyzer.places_in(entry.text)
        )
        return _only(places)
    if attribute.kind == "quantity" and attribute.dimensions != {"number"}:
        sizes = [value for value, _, _ in _candidates(attribute, sentences, analyzer)]
        texts = " ".join(entry.text for entry in sentences)
        return sizes[0] if len(sizes) == 1 and f" of {sizes[0].shown}" in texts else None
    return None


def may_have_value(attribute: Attribute, sentences: Sequence[ChainSentence], analyzer: TextAnalyzer) -> bool:
    """Return whether a sentence has anything of the attribute's kind: without it, no model need be asked."""
    if attribute.kind == "date":
        return any(analyzer.may_contain_date(entry.text) for entry in sentences)
    if attribute.kind == "quantity":
        return any(True for _ in _candidates(attribute, sentences, analyzer))
    return bool(sentences)


def _only(values: Iterator[SentenceValue]) -> SentenceValue | None:
    """Return the first of the values if all are the same."""
    listed = list(values)
    if not listed:
        return None
    first = listed[0]
    return first if all(_same(first.value, other.value) for other in listed[1:]) else None


def _same(first: Parsed, second: Parsed) -> bool:
    if isinstance(first, Quantity) and isinstance(second, Quantity):
        # "5,900 feet (1,798 m)" is one height, rounded in one of the units.
        return first == second or _nearly(first, second)
    return first == second


def _nearly(first: Quantity, second: Quantity) -> bool:
    """Return whether two quantities in different units are within two percent of one another."""
    if first.unit == second.unit or not first.exact or not second.exact:
        return False
    assert second.low is not None
    around = Quantity(second.low * 98 / 100, second.low * 102 / 100, second.unit)
    return dimension_of(first.unit) == dimension_of(second.unit) and order(first, around) is None


def _dates_by_rule(
    attribute: Attribute, sentences: Sequence[ChainSentence], analyzer: TextAnalyzer
) -> Iterator[SentenceValue]:
    for entry in sentences:
        date: Date | None = None
        if attribute.event == "start":
            date = _start_date(attribute, entry, analyzer)
        elif attribute.event is not None:
            date = analyzer.event_date(entry.text, attribute.event)
        elif _has_cue(attribute, entry, analyzer) and not analyzer.is_doubtful_date(entry.text):
            dates = analyzer.dates_in(entry.text)
            date = dates[0] if len(dates) == 1 else None
        if date is not None:
            yield SentenceValue(date, spelled(date), entry.index)
            if attribute.event is not None:
                return


def _start_date(attribute: Attribute, entry: ChainSentence, analyzer: TextAnalyzer) -> Date | None:
    """Return the date behind the verb of the question, or the year that says what the subject is."""
    if _has_cue(attribute, entry, analyzer):
        return analyzer.event_date(entry.text, "start")
    return analyzer.defining_year(entry.text)


def _has_cue(attribute: Attribute, entry: ChainSentence, analyzer: TextAnalyzer) -> bool:
    return not attribute.cues or not attribute.cues.isdisjoint(analyzer.stems_of(entry.text))


def _quantities_by_rule(
    attribute: Attribute, sentences: Sequence[ChainSentence], analyzer: TextAnalyzer
) -> Iterator[SentenceValue]:
    for value, entry, counted in _candidates(attribute, sentences, analyzer):
        if attribute.dimensions == {"number"}:
            if not attribute.cues.isdisjoint(analyzer.stems_of(counted)):
                yield value
        elif _has_cue(attribute, entry, analyzer):
            yield value


def _counted(
    attribute: Attribute, sentences: Sequence[ChainSentence], analyzer: TextAnalyzer
) -> SentenceValue | None:
    """Return how many people a sentence lists for the role that is counted."""
    for entry in sentences:
        people = analyzer.people_with_role(entry.text, attribute.role) if attribute.role is not None else []
        if people:
            return SentenceValue(exactly(len(people)), f"{len(people)} ({', '.join(people)})", entry.index)
    return None


def _candidates(
    attribute: Attribute, sentences: Sequence[ChainSentence], analyzer: TextAnalyzer
) -> Iterator[tuple[SentenceValue, ChainSentence, str]]:
    """Yield the quantities of the attribute's dimensions, each with its sentence and the words behind it."""
    for entry in sentences:
        for span in analyzer.quantities_in(entry.text):
            quantity = span.quantity
            if "money" in attribute.dimensions and quantity.unit == "lb" and "pound" in span.text:
                quantity = replace(quantity, unit="GBP")
            if dimension_of(quantity.unit) not in attribute.dimensions:
                continue
            if not analyzer.measures_other(span.counted, attribute):
                yield SentenceValue(quantity, span.text, entry.index), entry, span.counted


def _date_of_reply(
    attribute: Attribute, reply: str, sentences: Sequence[ChainSentence], analyzer: TextAnalyzer
) -> SentenceValue | None:
    """Return the most exact date of a sentence that agrees with the date of the reply."""
    replied = analyzer.dates_in(reply)
    if len(replied) != 1:
        return None
    agreeing = [
        SentenceValue(date, spelled(date), entry.index)
        for entry in sentences
        if attribute.event == "start" or not analyzer.is_doubtful_date(entry.text)
        for date in analyzer.dates_in(entry.text)
        if all(not (part and other) or part == other for part, other in zip(date, replied[0], strict=True))
    ]
    return max(agreeing, key=_exactness, default=None)


def _exactness(value: SentenceValue) -> int:
    """Return how many parts of a date are known."""
    return sum(part != 0 for part in value.value) if isinstance(value.value, tuple) else 0


def _quantity_of_reply(
    attribute: Attribute, reply: str, sentences: Sequence[ChainSentence], analyzer: TextAnalyzer
) -> SentenceValue | None:
    """Return the quantity of a sentence that the reply gives, with or without its unit."""
    replied = analyzer.quantities_in(reply)
    if not replied:
        return None
    said = replied[0].quantity
    for value, _, _ in _candidates(attribute, sentences, analyzer):
        assert isinstance(value.value, Quantity)
        same_unit = said.unit in ("", value.value.unit) or {said.unit, value.value.unit} == {"lb", "GBP"}
        if same_unit and _overlap(said, value.value):
            return value
    return None


def _overlap(first: Quantity, second: Quantity) -> bool:
    """Return whether two amounts share a number, whatever their units; "about 300" and "300" do."""
    low = max((bound for bound in (first.low, second.low) if bound is not None), default=None)
    high = min((bound for bound in (first.high, second.high) if bound is not None), default=None)
    return low is None or high is None or low <= high


def _country(sentences: Sequence[ChainSentence], analyzer: TextAnalyzer) -> SentenceValue | None:
    """Return the countries by which the first sentence with any says what its subject is."""
    for entry in sentences:
        countries = analyzer.origins_of(entry.text)
        if countries:
            return SentenceValue(countries, " and ".join(sorted(countries)), entry.index)
    return None


def _country_of_reply(
    reply: str, sentences: Sequence[ChainSentence], analyzer: TextAnalyzer
) -> SentenceValue | None:
    """Return the country of the reply, if a sentence names that country too."""
    countries = analyzer.countries_in(reply)
    for entry in sentences:
        if countries and countries <= analyzer.countries_in(entry.text):
            return SentenceValue(countries, reply, entry.index)
    return None


def _name_of_reply(reply: str, sentences: Sequence[ChainSentence]) -> SentenceValue | None:
    """Return the reply as it is, if a sentence has all its words."""
    wanted = set(words(reply))
    for entry in sentences:
        if wanted and wanted <= set(words(f"{entry.title or ''} {entry.text}")):
            return SentenceValue(reply, reply, entry.index)
    return None
