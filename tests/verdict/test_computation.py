"""What is computed about a claim: comparisons, limits and dates, worked out by hand."""

from __future__ import annotations

import pytest

import probative
from probative.models.verdict import VerdictItem, VerdictScores
from probative.testing import ScriptedVerdict
from probative.types import Verdict
from probative.verdict.computation import compute

RANGES = ["The sensor notices movement within 20 metres.", "At night the flash reaches 15 metres."]
PEAKS = ["Mount Ode is 1,912 m high.", "Skarn Fell is 6,000 ft high."]
TILL = ["The choir holds €910 in its till and €240 in the safe."]
ACCOUNTS = ["The till holds €910.", "The safe holds €240."]
FERRY = ["The Ternen was built in 1962 at a yard in Bodø and repainted in 1991."]
BARN = ["There are 30 ewes in the barn and 12 in the field."]
CLUB = ["The club has 30 members in Ost, 45 in Vest."]


@pytest.mark.parametrize(
    ("claim", "evidence", "holds"),
    [
        ("The sensor has a longer range than the night flash.", RANGES, True),
        ("The night flash has a longer range than the sensor.", RANGES, False),
        ("Mount Ode is higher than Skarn Fell.", PEAKS, True),
        ("The hall has more than 500 seats.", ["The hall has 620 seats."], True),
        ("The hall has fewer than 500 seats.", ["The hall has 620 seats and 3 doors."], False),
        ("A ticket costs less than 20 euros.", ["A ticket costs 22 euros."], False),
        ("The tower is higher than 80 metres.", ["The tower is 84 metres high and 12 metres wide."], True),
        ("The crossing takes less than an hour.", ["The crossing takes 35 minutes."], True),
        ("The crossing takes less than an hour.", ["The crossing takes two and a half hours."], False),
        ("The crossing takes less than two hours.", ["The crossing takes an hour and a half."], True),
        ("The hall has more than 500 seats.", ["The hall has 12 000 seats."], True),
        ("The lake is colder than 0 °C.", ["The lake has a temperature of minus 4 °C."], True),
        ("The pier was finished before 1900.", ["The pier was finished in 1887."], True),
        ("The pier was finished after 1890.", ["The pier was finished in 1887."], False),
        ("The till holds more than the safe.", TILL, True),
        ("The safe has more than the till.", TILL, False),
        ("The choir has more money in its till than in its safe.", TILL, True),
        ("The choir has less money in its till than in its safe.", ACCOUNTS, False),
        ("There are more ewes in the barn than in the field.", BARN, True),
        ("The club has more members in Ost than in Vest.", CLUB, False),
        ("The hall has more seats than the chapel.", ["The hall has 300 seats, and the chapel 120."], True),
        ("Mount Ode is higher than Skarn Fell.", ["Mount Ode is 912 m high, but Skarn Fell 940 m."], False),
        ("The choir spent more than the band.", ["The choir spent €90.", "The band spent €120."], False),
        ("The Ternen was built after 1970.", FERRY, False),
        ("The Ternen was repainted after 1970.", FERRY, True),
        ("The pier was finished before 1890.", ["The pier was begun in 1881 and finished in 1887."], True),
    ],
)  # fmt: skip
def test_the_values_decide(claim: str, evidence: list[str], holds: bool) -> None:
    computed = compute(claim, evidence)
    assert computed is not None
    assert computed.holds is holds


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The sensor has a longer range than the lamp.", RANGES),  # one value is missing
        ("The hall has more than 500 seats.", ["The hall has 620 seats.", "The hall has 480 seats."]),
        ("It is higher than Skarn Fell.", ["Skarn Fell is 900 m high.", "Mount Ode is 950 m high."]),
        ("A ticket costs less than 20 euros.", ["A ticket costs 15 dollars."]),
        ("The pier was finished before 1887.", ["The pier was finished in 1887."]),
        ("The pier was not finished before 1900.", ["The pier was finished in 1887."]),
        ("The pier was begun before 1900.", ["The church was painted in 1887."]),
        ("The hall is red.", ["The hall has 620 seats."]),
        ("The till holds more than the safe.", ["€910 in the till", "€240 was moved to the safe."]),
        ("The till holds more than the safe.", ["The till holds €910 and 3 keys and the safe €240 or €300."]),
        ("The till holds more than the safe.", ["The till weighs 9 kg.", "The safe weighs 40 kg."]),
        ("The hut holds more than the shed.", ["The hut has 3 doors.", "The shed has 2 lamps."]),
        ("The band has more money in its till than in its safe.", TILL),  # it is the choir's
        ("The Ternen was built after 1970.", ["The Ternen was begun in 1962 and repainted in 1991."]),
    ],
)
def test_nothing_is_computed_where_the_values_are_not_certain(claim: str, evidence: list[str]) -> None:
    assert compute(claim, evidence) is None


def unsure(item: VerdictItem) -> VerdictScores:
    return VerdictScores(0.3, 0.2, 0.5, tuple(1 / len(item.evidence) for _ in item.evidence))


def test_a_computation_decides_where_the_model_is_unsure_and_is_shown() -> None:
    model = ScriptedVerdict(unsure)
    longer = probative.judge("The sensor has a longer range than the night flash.", RANGES, verdict=model)
    shorter = probative.judge("The night flash has a longer range than the sensor.", RANGES, verdict=model)
    assert (longer.verdict, longer.deciding) == (Verdict.SUPPORTED, (0, 1))
    assert (shorter.verdict, shorter.deciding) == (Verdict.CONTRADICTED, (0, 1))
    assert "20 m" in longer.notes[0]
    assert "does not hold" in shorter.notes[0]


def test_a_model_that_is_sure_is_not_overruled_in_silence() -> None:
    def sure(item: VerdictItem) -> VerdictScores:
        return VerdictScores(0.99, 0.005, 0.005, tuple(1 / len(item.evidence) for _ in item.evidence))

    judgement = probative.judge(
        "A ticket costs less than 20 euros.", ["A ticket costs 22 euros."], verdict=ScriptedVerdict(sure)
    )
    assert judgement.probabilities.supported < 0.99
    assert "does not hold" in judgement.notes[0]


def test_another_date_or_amount_makes_support_less_probable() -> None:
    def sure(item: VerdictItem) -> VerdictScores:
        return VerdictScores(0.6, 0.2, 0.2, tuple(1 / len(item.evidence) for _ in item.evidence))

    model = ScriptedVerdict(sure)
    evidence = ["The Ketter mill burnt down in 1890 after a lamp fell over.", "It was rebuilt in 1917."]
    wrong = probative.judge("The Ketter mill burnt down in 1917.", evidence, verdict=model)
    right = probative.judge("The Ketter mill burnt down in 1890.", evidence, verdict=model)
    assert wrong.probabilities.supported < 0.2
    assert "1890" in wrong.notes[0]
    assert right.probabilities.supported == pytest.approx(0.6)
    evidence = ["The hall was visited by 400 guests."]
    few = probative.judge("The hall was visited by over 900 guests.", evidence, verdict=model)
    assert few.probabilities.supported < 0.2
