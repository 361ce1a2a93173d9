"""The verbs give the results that were recorded; those of `judge` and `verify` after the restructuring.

`results.json` was made by the package as it was then; `cases.json` has the inputs, written for the project,
and the CPU seconds that each took. They were recorded again when `reason` began to read the graph first, and
when the verdict model was taught anew. Only quick cases run by default; `make golden` runs all. The 8-bit
kernels of processors differ by whole nats in the scores of a claim: where a score of the plain model is not
the recorded one, the results are not comparable, and the tests are skipped.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from golden_results import RECORDED, differences

import probative
from docs.tools.examples import numerics
from probative.models.embedded.encoder import EmbeddedEncoder
from probative.models.embedded.language import EmbeddedModel

FOLDER = Path(__file__).parent
FILE = json.loads((FOLDER / "cases.json").read_text(encoding="utf-8"))
RESULTS = json.loads((FOLDER / "results.json").read_text(encoding="utf-8"))
TOLERANCE = 0.03
NUMERICS = json.loads((FOLDER / "numerics.json").read_text(encoding="utf-8"))
QUICK_SECONDS = 1.3
ALL = os.environ.get("GOLDEN") == "all"
CASES = [case for case in FILE["cases"] if ALL or case["seconds"] <= QUICK_SECONDS]


def arguments(case: dict[str, Any], models: dict[str, EmbeddedModel]) -> dict[str, Any]:
    given = dict(case["args"])
    if "model" in given:
        given["model"] = models[given["model"]]
    if case["verb"] == "reason":
        given["graph"] = [tuple(triple) for triple in FILE["graphs"][given["graph"]]]
    return given


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_a_case_gives_the_recorded_result(
    case: dict[str, Any], embedded: EmbeddedModel, plain: EmbeddedModel, encoder: EmbeddedEncoder
) -> None:
    if abs(numerics(plain) - NUMERICS["score"]) > NUMERICS["tolerance"]:
        pytest.skip("recorded on a processor with other kernels: python tests/golden/record.py records here")
    models = {"embedded": embedded, "embedded:plain": plain}
    try:
        result = getattr(probative, case["verb"])(**arguments(case, models), settings=no_cache())
    except probative.ProbativeError as error:
        actual: dict[str, Any] = {"error": type(error).__name__}
    else:
        actual = RECORDED[case["verb"]](result)
    assert list(differences(RESULTS[case["id"]], actual, TOLERANCE)) == []


def no_cache() -> probative.Settings:
    return probative.load_settings({"cache": False})


def test_there_are_twenty_cases_of_each_verb_and_a_result_for_each() -> None:
    verbs = [case["verb"] for case in FILE["cases"]]
    assert min(verbs.count(verb) for verb in RECORDED) >= 20
    assert {case["id"] for case in FILE["cases"]} == set(RESULTS)
    assert {case["verb"] for case in CASES} == set(RECORDED)


def test_differences_are_found_at_any_depth() -> None:
    expected = {"a": [1, 0.5], "b": {"c": None}}
    assert list(differences(expected, {"a": [1, 0.501], "b": {"c": None}}, 0.002)) == []
    assert list(differences(expected, {"a": [2, 0.6], "b": {"c": False}}, 0.002)) == [
        "a[0]: 1 became 2",
        "a[1]: 0.5 became 0.6",
        "b.c: None became False",
    ]
