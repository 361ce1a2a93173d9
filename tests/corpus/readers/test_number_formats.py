"""Numbers and dates look as in a spreadsheet program."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probative.corpus.readers.number_formats import BUILT_IN, shown


@pytest.mark.parametrize(
    ("number", "code", "text"),
    [
        ("1234567.891", "#,##0.00", "1,234,567.89"),
        ("12", "#,##0", "12"),
        ("1234567.891", "#,##0.0,", "1,234.6"),
        ("1234567", '0,,"M"', "1M"),
        ("0.125", "0.0%", "12.5%"),
        ("2.675", "0.00", "2.68"),
        ("5", "0000", "0005"),
        ("0.5", "#.##", ".5"),
        ("3", "0.##", "3"),
        ("3.1", "0.0#", "3.1"),
        ("1234567890", "000-000-0000", "123-456-7890"),
        ("0.00012", "0.00E+00", "1.20E-04"),
        ("12345", "##0.0E+0", "12.3E+3"),
        ("1.25", "# ?/?", "1 1/4"),
        ("0.333333333", "# ?/?", "1/3"),
        ("-3", "0;(0)", "(3)"),
        ("-3", "General;-General", "-3"),
        ("-5", "0.00;[Red]-0.00", "-5.00"),
        ("-0.001", "0.00", "0.00"),
        ("0", '0;-0;"none"', "none"),
        ("7", '[<5]"few";[>=5]"many"', "many"),
        ("3.2", "[$€-407] #,##0.00", "€ 3.20"),
        ("-1234.5", '_-* #,##0.00 €_-;-* #,##0.00 €_-;_-* "-"?? €_-;_-@_-', "-1,234.50 €"),
        ("0", '_-* #,##0.00 €_-;-* #,##0.00 €_-;_-* "-"?? €_-;_-@_-', "- €"),
        ("7", '0 "kg"', "7 kg"),
        ("12", 'General" pcs"', "12 pcs"),
        ("5", ";;;", ""),
        ("0.30000000000000004", "General", "0.3"),
        ("202600012345", "General", "202600012345"),
        ("0.00001", "General", "1E-05"),
        ("100", "@", "100"),
        ("ten", "0.00", "ten"),
        ("NaN", "0.00", "NaN"),
    ],
)
def test_numbers(number: str, code: str, text: str) -> None:
    assert shown(number, code).text.strip() == text
    assert shown(number, code).date is None


@pytest.mark.parametrize(
    ("number", "code", "text", "date"),
    [
        ("46145", "dd.mm.yyyy", "03.05.2026", "2026-05-03"),
        ("46145", BUILT_IN[14], "2026-05-03", "2026-05-03"),
        ("46145", "dddd, d mmmm yyyy", "Sunday, 3 May 2026", "2026-05-03"),
        ("46145", "[$-409]d-mmm-yy;@", "3-May-26", "2026-05-03"),
        ("46145.5", "d mmm yyyy h:mm AM/PM", "3 May 2026 12:00 PM", "2026-05-03"),
        ("46145.75", "yyyy-mm-dd hh:mm:ss", "2026-05-03 18:00:00", "2026-05-03"),
        ("46145.999999", "yyyy-mm-dd hh:mm", "2026-05-04 00:00", "2026-05-04"),
        ("46145", "mmmm yyyy", "May 2026", None),
        ("1.5", "[h]:mm", "36:00", None),
        ("0.0208333333333", "mm:ss", "30:00", None),
        ("0.0000116", "mm:ss.0", "00:01.0", None),
        ("1", "d/m/yyyy", "1/1/1900", "1900-01-01"),
        ("61", "d/m/yyyy", "1/3/1900", "1900-03-01"),
        ("-1", "d/m/yyyy", "-1", None),
        ("99999999", "d/m/yyyy", "99999999", None),
    ],
)
def test_dates(number: str, code: str, text: str, date: str | None) -> None:
    assert shown(number, code) == (text, date)


def test_days_count_from_1904_in_old_files_of_a_mac() -> None:
    assert shown("0", "yyyy-mm-dd", from_1904=True).text == "1904-01-01"
    assert shown("44683", "yyyy-mm-dd", from_1904=True).text == "2026-05-03"


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**12), max_value=10**12, places=6))
def test_two_decimals_are_those_of_python(number: object) -> None:
    assert shown(f"{number:f}", "#,##0.000000").text == f"{number:,.6f}".replace("-0.000000", "0.000000")


@given(st.text(max_size=12) | st.text('0#?.,%@/E+-[]hmsyd"\\;_* AP', max_size=40), st.floats())
def test_any_code_shows_something_or_nothing(code: str, number: float) -> None:
    assert isinstance(shown(repr(number), code).text, str)
