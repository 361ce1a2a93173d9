"""Plans of questions: worked out by hand, replies that are not plans, and properties of the executor."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probative.errors import ModelError
from probative.scope.plan import execute
from probative.text.plan import Plan, Step

Steps = list[dict[str, object]]


def look(value: str, of: str = "", ask: str = "What is it?") -> dict[str, object]:
    return {"do": "look_up", "ask": ask, "of": of, "value": value}


def then(do: str, *steps: int, **more: object) -> dict[str, object]:
    return {"do": do, "steps": steps or (1, 2), **more}


def which(by: str, *steps: int) -> dict[str, object]:
    return then("compare", *steps, by=by, reply="which")


def whether(by: str, *steps: int) -> dict[str, object]:
    return then("compare", *steps, by=by, reply="whether")


def answer(steps: Steps) -> str | None:
    """Return the answer of a plan whose look-ups find the values that stand in it."""
    plan = Plan.read(json.dumps(steps))
    return execute(plan, lambda step: step.value).answer


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ([look("Ada Lund")], "Ada Lund"),
        ([look("42 m", "Idun"), look("39 m", "Saga"), which("more")], "Idun"),
        ([look("42 m", "Idun"), look("39 m", "Saga"), which("less")], "Saga"),
        ([look("1.2 km", "Aa"), look("900 m", "Bo"), which("more")], "Aa"),
        ([look("6 ft", "Aa"), look("1.9 m", "Bo"), which("more")], "Bo"),
        ([look("5 May 1987", "Aa"), look("April 1987", "Bo"), which("earlier")], "Bo"),
        ([look("1987", "Aa"), look("1978", "Bo"), which("later")], "Aa"),
        ([look("9:30", "Aa"), look("14:00", "Bo"), which("earlier")], "Aa"),
        ([look("3", "Aa"), look("seven", "Bo"), look("5", "Cy"), which("more", 1, 2, 3)], "Bo"),
        ([look("12"), look("11"), whether("more")], "yes"),
        ([look("12"), look("12"), whether("more")], "no"),
        ([look("Riga"), look("riga"), whether("same")], "yes"),
        ([look("1,000 m"), look("1 km"), whether("same")], "yes"),
        ([look("green"), look("blue"), whether("same")], "no"),
        ([look("€12.50"), look("€7.50"), then("sum")], "20 EUR"),
        ([look("2 km"), look("500 m"), then("sum")], "2.5 km"),
        ([look("12 boats"), look("seven"), look("3"), then("sum", 1, 2, 3)], "22"),
        ([look("1,912 m"), look("1,740 m"), then("difference")], "172 m"),
        ([look("40"), look("65"), then("difference")], "25"),
        ([look("2 March 2021"), look("12 March 2021"), then("difference", unit="days")], "10 days"),
        ([look("1 March 2021"), look("15 March 2021"), then("difference", unit="weeks")], "2 weeks"),
        ([look("1952"), look("1971"), then("difference", unit="years")], "19 years"),
        ([look("in 1952"), look("in 1971"), then("difference")], "19 years"),
        ([look("1952"), look("5 May 1971"), then("difference")], "19 years"),
        ([look("1950"), look("2018"), then("difference")], "68"),
        ([look("1952"), look("AD 1971"), then("difference")], "19 years"),
        ([look("a population of 1950"), look("a population of 2018"), then("difference")], "68"),
        ([look("about 1950"), look("2018"), then("difference")], None),
        ([look("2018 seats"), look("1985 seats"), then("difference")], "33"),
        ([look("5 May 2020"), look("4 May 2023"), then("difference", unit="years")], "2 years"),
        ([look("12 boats"), look("seven"), look("5"), then("average", 1, 2, 3)], "8"),
        ([look("1 km"), look("500 m"), then("average")], "0.75 km"),
        ([look("€5"), look("€6"), look("€8"), then("average", 1, 2, 3)], "6.33 EUR"),
        ([look("5 euros a day"), look("70 euros a week"), then("average")], "7.5 EUR per day"),
        ([look("10 °C"), look("20 °C"), then("average")], "15 °C"),
        ([look("5 May 1987"), look("June 1987"), look("1985"), then("latest", 1, 2, 3)], "June 1987"),
        ([look("1987"), look("1987"), then("latest")], "1987"),
        ([look("44 BC"), look("14 AD"), then("latest")], "14 AD"),
        ([look("€35"), {"do": "given", "value": "2"}, then("product")], "70 EUR"),
        ([look("£80 per week"), {"do": "given", "value": "14 days"}, then("product")], "160 GBP"),
        ([look("20%"), look("$450"), then("product")], "90 USD"),
        ([look("5 euros a day"), look("3 rooms"), then("product")], "15 EUR per day"),
        ([look("5 euros a day"), look("3 rooms"), look("2 days"), then("product", 1, 2, 3)], "30 EUR"),
        ([look("5 euros a day"), look("2 weeks"), then("product")], "70 EUR"),
        ([look("80 euros a night"), look("3 nights"), then("product")], "240 EUR"),
        ([look("5 euros a day"), look("3"), then("product")], "15 EUR"),
        ([look("20%"), look("5 euros a day"), then("product")], "1 EUR per day"),
        ([look("€12 per person"), look("4 people"), then("product")], "48 EUR"),
        ([look("€12 per person"), look("4 tours"), then("product")], "48 EUR per person"),
        ([look("€90 per week"), look("3 people"), then("share")], "30 EUR per week"),
        ([look("12", "Aa"), look("12", "Bo"), which("more")], "Aa and Bo are equal"),
        ([look("5", "Aa"), look("7", "Bo"), look("7", "Cy"), which("more", 1, 2, 3)], "Bo and Cy are equal"),
        ([look("5", "Aa"), look("7", "Bo"), look("7", "Cy"), which("less", 1, 2, 3)], "Aa"),
        ([look("1 km"), look("1,000 m"), which("more")], "1 km and 1,000 m are equal"),
        ([look("7"), look("7"), look("5"), whether("more", 1, 2, 3)], "no"),
        ([look("30"), look("120"), then("share", unit="percent")], "25 %"),
        ([look("€900"), look("3"), then("share")], "300 EUR"),
        ([{"do": "count", "ask": "Which boats?", "of": "boats", "value": "Idun; Saga; Vega"}], "3"),
        ([look("Ada Lund"), look("1952"), then("both")], "Ada Lund; 1952"),
        ([look("4 h"), look("90 minutes"), then("sum"), look("6 h"), then("difference", 4, 3)], "0.5 h"),
    ],
)
def test_plans_worked_out_by_hand(steps: Steps, expected: str | None) -> None:
    assert answer(steps) == expected


@pytest.mark.parametrize(
    ("steps", "reason"),
    [
        ([look("12 m"), look("5 kg"), then("sum")], "different units"),
        ([look("€5"), look("$5"), which("more")], "cannot be compared"),
        ([look("€5"), look("$5"), then("average")], "different units"),
        ([look("about 300"), look("5"), then("average")], "'about 300' is not an exact number"),
        ([look("1987"), look("5 May 1987"), then("latest")], "cannot be compared"),
        ([look("12 boats"), look("1987"), then("latest")], "cannot be compared"),
        ([look("many"), look("5"), then("sum")], "'many' is not an exact number"),
        ([look("about 300"), look("5"), then("sum")], "'about 300' is not an exact number"),
        ([look("5"), look("0"), then("share")], "division by zero"),
        ([look("29 February 2019"), look("1 March 2019"), then("difference")], "cannot be computed with"),
        ([look("9" * 5000), look("1"), then("sum")], "cannot be computed with"),
        ([look("44 BC"), look("14 AD"), then("difference")], "before Christ"),
        ([look("5 m"), look("7 m"), then("difference", by="more")], "5 m is not more than 7 m"),
        ([look("7 m"), look("7 m"), then("difference", by="less")], "7 m is not less than 7 m"),
        ([look("1980"), look("1900"), then("difference", by="earlier")], "1980 is not earlier than 1900"),
        ([look("10.5.2020"), look("5.10.2020"), then("difference", unit="days")], "not an exact number"),
        ([look("   "), look("5"), then("sum")], "found nothing"),
        ([look("1987", "Aa"), look("5 May 1987", "Bo"), which("earlier")], "cannot be compared"),
    ],
)
def test_what_cannot_be_worked_out_says_why(steps: Steps, reason: str) -> None:
    result = execute(Plan.read(json.dumps(steps)), lambda step: step.value)
    assert result.answer is None
    assert reason in result.rule


def test_a_later_step_asks_about_what_an_earlier_one_found() -> None:
    steps = [look("", "the budget", "Which body approves the budget?"), look("", "#1", "Who heads #1?")]
    asked: list[tuple[str | None, str | None]] = []

    def look_up(step: Step) -> str:
        asked.append((step.ask, step.of))
        return ["the Council", "Ines Moor"][len(asked) - 1]

    result = execute(Plan.read(json.dumps(steps)), look_up)
    assert asked[1] == ("Who heads the Council?", "the Council")
    assert result.answer == "Ines Moor"


def test_nothing_is_asked_after_a_step_that_found_nothing() -> None:
    asked: list[str | None] = []
    plan = Plan.read(json.dumps([look("", ask="How high?"), look("", ask="How long?"), then("sum")]))
    result = execute(plan, lambda step: asked.append(step.ask))
    assert (result.answer, asked) == (None, ["How high?"])
    assert result.rule == "step 1 found nothing: How high?"


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "no plan",
        "[]",
        "[1]",
        '[{"do": "guess"}]',
        '[{"do": "look_up"}]',
        '[{"do": "look_up", "ask": "Who heads #1?"}]',
        '[{"do": "look_up", "ask": "Who?"}, {"do": "sum", "steps": [1, 2]}]',
        '[{"do": "look_up", "ask": "Who?"}, {"do": "compare", "steps": [1, 1]}]',
        json.dumps([look("1")] * 13),
    ],
)
def test_a_reply_that_is_no_plan_is_a_typed_error(reply: str) -> None:
    with pytest.raises(ModelError, match="no plan"):
        Plan.read(reply)


@given(st.lists(st.integers(0, 10**9), min_size=2, max_size=8))
def test_sums_are_those_of_whole_numbers(numbers: list[int]) -> None:
    steps = [look(f"{number:,}") for number in numbers]
    total = answer([*steps, then("sum", *range(1, len(numbers) + 1))])
    assert total == f"{sum(numbers):,}"


@given(st.integers(1, 10**6), st.integers(1, 10**6))
def test_which_and_whether_agree(first: int, second: int) -> None:
    values = [look(str(first), "Aa"), look(str(second), "Bo")]
    assert (answer([*values, which("more")]) == "Aa") == (answer([*values, whether("more")]) == "yes")


def test_an_equation_is_true_whichever_operand_is_larger() -> None:
    plan = Plan.read(
        '[{"do": "look_up", "ask": "a"}, {"do": "look_up", "ask": "b"}, '
        '{"do": "difference", "steps": [1, 2]}]'
    )
    lengths = iter(("1,740 m", "1,912 m"))
    assert execute(plan, lambda step: next(lengths)).rule == "1,912 m − 1,740 m = 172 m"
    years = iter(("in 1948", "in 1931"))
    assert execute(plan, lambda step: next(years)).rule == "from in 1931 to in 1948"


def test_an_average_shows_what_it_is_divided_by() -> None:
    plan = Plan.read(json.dumps([look("3"), look("4"), then("average")]))
    assert execute(plan, lambda step: step.value).rule == "(3 + 4) / 2 = 3.5"


@pytest.mark.parametrize("reply", ["whether", "yes", "no", "Yes or no", "yes/no", True, False])
def test_a_comparison_may_be_called_by_what_it_replies(reply: object) -> None:
    steps = [look("12"), look("11"), then("compare", by="more", reply=reply)]
    assert answer(steps) == "yes"


@pytest.mark.parametrize("reply", ["now", "none", "yesterday", None])
def test_a_comparison_has_one_of_two_replies(reply: object) -> None:
    with pytest.raises(ModelError, match="no plan"):
        Plan.read(json.dumps([look("12"), look("11"), then("compare", by="more", reply=reply)]))
