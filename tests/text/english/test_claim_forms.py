"""Statements, questions, instructions and fragments are told apart by their words."""

from __future__ import annotations

import pytest

from probative.text.english.claim_forms import claim_form


@pytest.mark.parametrize(
    ("form", "texts"),
    [
        ("question", ["Who built the pier", "Did the mill burn down", "Is it French?", "Can it be opened"]),
        ("instruction", ["Close the valve.", "Do not enter.", "Please wait.", "Use only the cable."]),
        ("fragment", ["84 metres", "The mill", "mill", "in 1890", "Ada Berg", "The old mill", "about 3 kg"]),
        (
            "statement",
            [
                "Frogs croak.", "The mill burnt down.", "Close friends met.", "Use of the lift is free.",
                "What he built burnt down.", "When the mill burnt, it rained.", "Who built it? Ole Berg",
                "Will Smith acted.", "It rained.", "Breakfast costs extra.", "The tower is 84 metres high",
            ],
        ),
    ],
)  # fmt: skip
def test_the_form_of_a_claim(form: str, texts: list[str]) -> None:
    assert {text: claim_form(text) for text in texts} == dict.fromkeys(texts, form)
