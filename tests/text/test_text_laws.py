"""Laws that hold for any text, and texts that look like what they are not."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from probative.text.dates import MONTHS, Date, agree, earlier, in_words
from probative.text.english.quantities import (
    quantities_in,
    read_number_words,
    with_thin_spaces,
    without_thousands,
)
from probative.text.english.statements import date_spans, dates_in, is_denied, is_negated, with_years
from probative.text.quantities import order, spelled
from probative.text.sentences import MAX_SENTENCE_CHARACTERS, split_sentences
from probative.text.words import bm25, words

# Pieces of prose that the rules look for, in any order: more of them meet than in random characters.
_PIECES = """5 12 31 1900 1,200 3.5 ½ May March june 44 BC AD B.C. ! ? . , ; : - – − / ( ) [3] “ ” ' $ € %
km m ft in hours o'clock pm about more than half two dozen hundred million not never n't Dr. et al. It burnt
opened before and or to 10:30 光合 😀"""
PIECES = st.sampled_from([*_PIECES.split(), "\n", "\n\n", "\t", "\u00a0", "\u202f"])
PROSE = st.lists(PIECES | st.text(max_size=3), max_size=40).map(" ".join) | st.text(max_size=200)
_NUMBER_WORDS = "one two ten twenty hundred thousand million half dozen and a"
YEARS = st.integers(1000, 2100)
DAYS = st.dates().filter(lambda day: day.year >= 1000).map(lambda day: (day.year, day.month, day.day))
DATES = DAYS | st.builds(lambda day: (*day[:2], 0), DAYS) | st.builds(lambda year: (year, 0, 0), YEARS)


# Sentences


@given(PROSE)
@example("a" * 3 * MAX_SENTENCE_CHARACTERS)
@example("a" + " " * 3_000 + "b")
@example("See Holm et al. [4] It was\u2028mended.[5] \x85 Then")
def test_sentences_are_the_text_in_order_without_the_space_between(text: str) -> None:
    sentences = split_sentences(text, "en")
    end = 0
    for index, sentence in enumerate(sentences):
        assert sentence.index == index
        assert sentence.text == text[sentence.start : sentence.end] == sentence.text.strip() != ""
        assert not text[end : sentence.start].strip()
        assert len(sentence.text) <= MAX_SENTENCE_CHARACTERS
        end = sentence.end
    assert not text[end:].strip()


@given(st.lists(st.sampled_from(["The mill burnt down.", "Was it rebuilt?", "It rained!"]), max_size=12))
def test_plain_sentences_are_found_again(sentences: list[str]) -> None:
    for joint in (" ", "\n\n", "  "):
        assert [sentence.text for sentence in split_sentences(joint.join(sentences), "en")] == sentences


# Dates


@given(DATES)
def test_a_date_in_words_is_read_as_itself(date: Date) -> None:
    assert dates_in(f"It opened in {in_words(date)}.") == [date]
    year, month, day = date
    if day:
        assert dates_in(f"{MONTHS[month - 1].title()} {day}, {year}") == [date]


@given(PROSE)
def test_the_places_of_dates_are_in_order_and_their_parts_possible(text: str) -> None:
    end = 0
    for start, behind, (year, month, day) in date_spans(text):
        assert end <= start < behind <= len(text)
        assert str(abs(year)) in re.sub(r"\b0+(?=\d)", "", text[start:behind])
        assert 0 <= month <= 12
        assert day >= 0
        end = behind


@pytest.mark.parametrize(
    ("text", "dates"),
    [
        ("To his dismay 1900 people came.", [(1900, 0, 0)]),
        ("Room 112 May 1900", [(1900, 5, 0)]),
        ("the 45 May 1900 posters", [(1900, 5, 0)]),
        ("from 10–12 May 1900", [(1900, 5, 12)]),
        ("in the 1900s, at 19000 metres, for 1,900 men", []),
        ("44 BC or AD 44, not 44 Bc", [(-44, 0, 0), (44, 0, 0)]),
    ],
)
def test_only_dates_are_read_as_dates(text: str, dates: list[Date]) -> None:
    assert dates_in(text) == dates


@given(PROSE)
def test_years_are_added_once(text: str) -> None:
    once = with_years(text, (2020, 5, 0))
    assert with_years(once, (1999, 1, 0)) == once


@pytest.mark.parametrize("text", ["On 6 February it rained.", "It came on December 9 and left in March."])
def test_a_sentence_with_years_stays_as_it_is(text: str) -> None:
    once = with_years(text, (2025, 2, 24))
    assert once != text
    assert with_years(once, (1999, 2, 24)) == once


@given(DATES, DATES)
def test_the_order_of_dates_is_one(first: Date, second: Date) -> None:
    before = earlier(first, second)
    assert before is None or earlier(second, first) is not before
    assert agree(first, second) == agree(second, first)
    assert agree(first, first)
    if before is not None:
        assert not agree(first, second)


# Numbers and quantities


@given(PROSE)
def test_the_places_of_quantities_are_in_order_and_their_bounds_too(text: str) -> None:
    end = 0
    for span in quantities_in(text):
        quantity = span.quantity
        assert end <= span.start < span.end <= len(text)
        assert span.text in text[span.start : span.end]
        assert quantity.low is None or quantity.high is None or quantity.low <= quantity.high
        assert spelled(quantity)
        assert order(quantity, quantity) in (0, None)
        end = span.end


@given(
    st.integers(0, 10**9) | st.decimals(0, 10**6, places=2),
    st.sampled_from(["m", "km", "kg", "%", "EUR", ""]),
    st.sampled_from([",", "\u00a0", "\u202f", ""]),
)
def test_a_number_in_digits_is_read_as_itself(number: Fraction, unit: str, separator: str) -> None:
    (span,) = quantities_in(f"It is {f'{number:,}'.replace(',', separator)} {unit}".rstrip() + ".")
    assert (span.quantity.low, span.quantity.high, span.quantity.unit) == (number, number, unit)


@pytest.mark.parametrize(
    "text",
    [
        "on 10.5.2020",
        "version 1.2.3",
        "1/2 cup",
        "open 24/7",
        "on 3/4/2020",
        "10² cells",
        "1e6 cells",
        "at −5 °C",
        "at -5 °C",
        "at half two",
        "1,2345 men",
        "at 13:00 pm",
        "at 12:60",
        "an A4 page",
    ],
)
def test_a_part_of_something_else_is_no_quantity(text: str) -> None:
    assert quantities_in(text) == []


@given(st.integers(1_000, 10**12 - 1), st.sampled_from(["m", "kg", "%", "EUR", "seats", ""]))
def test_thousands_may_have_ordinary_spaces(number: int, unit: str) -> None:
    spaced = f"{number:,}".replace(",", " ")
    (span,) = quantities_in(f"It is {spaced} {unit}".rstrip() + ".")
    assert (span.quantity.low, span.quantity.high) == (number, number)
    assert span.text.startswith(spaced)
    assert without_thousands(f"a total of {spaced}") == f"a total of {number}"


@given(PROSE)
def test_only_spaces_inside_numbers_become_thin(text: str) -> None:
    thin = with_thin_spaces(text)
    assert len(thin) == len(text)
    changed = [index for index in range(len(text)) if thin[index] != text[index]]
    assert all(text[index] == " " and text[index - 1].isdigit() for index in changed)
    assert all(text[index + 1 : index + 4].isdigit() for index in changed)
    assert with_thin_spaces(thin) == thin


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("in 12 000 of them", [12_000]),
        ("Lane 12 000", [12_000]),  # 000 is no number of its own
        ("Lane 12 500", [12, 500]),
        ("On May 12 500 came.", [12, 500]),
        ("About 12 500 came.", [Fraction(23_750, 2), Fraction(12_500) * Fraction(21, 20)]),
        ("In 2020 300 came.", [2020, 300]),
        ("call 49 30 123 456", [49, 30, 123, 456]),
        ("the codes 12 345 67", [12, 345, 67]),
        ("the code 007 123", [7, 123]),
        ("10 500 to 12 500 m", [10_500, 12_500]),
    ],
)
def test_groups_of_digits_are_one_number_or_several(text: str, numbers: list[Fraction]) -> None:
    bounds = [(span.quantity.low, span.quantity.high) for span in quantities_in(text)]
    assert [bound for pair in bounds for bound in dict.fromkeys(pair)] == numbers


@pytest.mark.parametrize(
    ("text", "amount", "unit"),
    [
        ("two and a half hours", "5/2", "h"),
        ("2 and a half hours", "5/2", "h"),
        ("a two and a half-hour talk", "5/2", "h"),
        ("2½ hours", "5/2", "h"),
        ("2 ¾ miles", "11/4", "mi"),
        ("an hour and a half", "3/2", "h"),
        ("three miles and a half", "7/2", "mi"),
        ("half an hour", "1/2", "h"),
        ("one and a half million euros", "1500000", "EUR"),
        ("one hour and a half-mile walk", "1", "h"),
        ("a loss of minus 3 million euros", "-3000000", "EUR"),
        ("It was minus five degrees Celsius.", "-5", "°C"),
        ("It fell to about minus 20.", "-20", ""),
    ],
)
def test_halves_and_signs_belong_to_the_amount(text: str, amount: str, unit: str) -> None:
    (span,) = quantities_in(text)
    quantity = span.quantity
    assert quantity.low is not None
    assert quantity.high is not None
    assert ((quantity.low + quantity.high) / 2, quantity.unit) == (Fraction(amount), unit)


def test_an_amount_that_is_taken_off_is_not_below_zero() -> None:
    spans = quantities_in("It costs 70 euros, minus 10 euros for members.")
    assert [(span.quantity.low, span.text) for span in spans] == [(70, "70 euros"), (10, "10 euros")]
    both = quantities_in("between minus 5 and minus 3 °C")
    assert [span.quantity.low for span in both] == [-5, -3]


def test_the_first_number_of_a_share_is_a_count() -> None:
    counts = [span.quantity.low for span in quantities_in("Nausea 6/48 (12.50%); rash 0/48 (0.00%).")]
    assert counts == [6, Fraction(25, 2), 0, 0]


@pytest.mark.parametrize(
    ("text", "minutes"),
    [("6.30 pm", 1110), ("6.30 p.m.", 1110), ("6:30 PM", 1110), ("12 am", 0), ("noon", 720), ("24:00", 1440)],
)
def test_times_of_day(text: str, minutes: int) -> None:
    (span,) = quantities_in(f"It opens at {text} on Sundays.")
    assert (span.quantity.low, span.quantity.unit) == (minutes, "clock")


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("half a dozen", 6),
        ("half a million", 500_000),
        ("half", Fraction(1, 2)),
        ("half two", None),
        ("half and half", None),
        ("two dozen", 24),
        ("dozen two", None),
        ("hundred hundred", None),
        ("thousand million", None),
        ("and", None),
        ("", None),
        ("zero", 0),
        ("twelve hundred", 1200),
        ("ONE Hundred AND ONE", 101),
    ],
)
def test_numbers_in_words(text: str, number: int | None) -> None:
    assert read_number_words(text) == number


@given(st.lists(st.sampled_from(_NUMBER_WORDS.split()), max_size=6))
def test_number_words_have_one_value_or_none(parts: list[str]) -> None:
    number = read_number_words(" ".join(parts))
    assert number is None or number >= 0
    assert read_number_words("-".join(parts).upper()) == number


# Negation


@given(PROSE)
def test_negation_does_not_depend_on_case_or_on_the_form_of_an_apostrophe(text: str) -> None:
    for rule in (is_negated, is_denied):
        assert rule(text) == rule(text.replace("'", "’"))
        assert rule(f"{text} It was never built.")
    ascii_text = text.encode("ascii", "ignore").decode()
    assert is_negated(ascii_text) == is_negated(ascii_text.upper())


@pytest.mark.parametrize("text", ["A knot.", "It is notable.", "Nevertheless cold.", "Notary Nobel"])
def test_a_word_that_contains_a_negation_is_none(text: str) -> None:
    assert not is_negated(text)
    assert not is_denied(text)


@given(PROSE)
def test_only_what_separates_thousands_goes_from_numbers(text: str) -> None:
    plain = without_thousands(text)
    assert without_thousands(plain) == plain
    separators = str.maketrans("", "", ", \u00a0\u2009\u202f")
    assert plain.translate(separators) == text.translate(separators)


# Words


@given(PROSE)
def test_content_words_do_not_depend_on_space_and_punctuation(text: str) -> None:
    assert words(f"  {text} . ") == words(text)
    assert all(word and not word.isspace() for word in words(text))


@given(st.lists(st.lists(st.sampled_from(("mill", "burnt", "river")), max_size=6), min_size=1, max_size=5))
def test_only_documents_with_a_word_of_the_query_score(documents: list[list[str]]) -> None:
    for document, score in zip(documents, bm25(["mill", "mill"], documents), strict=True):
        assert (score > 0) == ("mill" in document)
