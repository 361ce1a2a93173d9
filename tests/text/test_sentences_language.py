"""The language of a document: English stays English, and where it cannot be told, it is the question's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from verdicts import by_rule

import probative
from language_texts import held_out, samples
from probative.testing import ScriptedVerdict
from probative.text import sentences as module
from probative.text.sentences import detect_language
from probative.verdict.judgement import SMALL

ENGLISH = [
    "The toll is 4 crowns per cart, non members pay per visit.",
    "Per capita, the era of war was a con.",
    "A con man, a non sequitur, and per diem pay: the era in brief.",
    "The die was cut; war or no war, the die was used per coin.",
    "Die casting | War era | Per unit\nA | 1 | 2\nB | 3 | 4",
    "Cost per day | con | non\n4 | 2 | 1",
    "Era: Tudor. War: none. Die: steel.",
    "He was van driver in Den Haag, de facto chief, et al.",
    "Item,per unit,per box\nPen,2,20\nInk,4,40",
    "Signor Conti, of the Teatro del Mare, was paid per song.",
    "The Straße der Helden is a road in Bad Salzig.",
    "On the menu: coq au vin, pasta e fagioli, and fish of the day.",
    "recipe: pasta con pesto, non stick pan, 4 per person",
    "de facto, ad hoc, per se, non grata",
    "Opus 12 in C minor, Allegro ma non troppo; Andante con moto",
    "Ten tons of steel per ship were used in that war, and in the era after it.",
]


@pytest.mark.parametrize("text", ENGLISH)
def test_english_with_words_of_other_languages_is_english(text: str) -> None:
    assert detect_language(text) == "en"


@pytest.mark.parametrize(
    "text", [sample.text for sample in (*samples(), *held_out()) if sample.language in ("en", "")]
)
def test_no_english_text_table_or_list_of_names_is_taken_for_another_language(text: str) -> None:
    assert detect_language(text) == "en"


def test_sentences_in_other_languages_are_recognised() -> None:
    foreign = [sample for sample in samples() if sample.kind == "sentence" and sample.language != "en"]
    assert [sample.text for sample in foreign if detect_language(sample.text) == "en"] == []
    assert sum(detect_language(sample.text) == sample.language for sample in foreign) >= len(foreign) - 2


@pytest.mark.parametrize("text", ["", "1890", "Molde", "Anna Lind, Ole Brandt", "4.5; 6.0", "\ud800", "<b>"])
def test_a_text_that_says_too_little_is_in_the_language_of_the_question(text: str) -> None:
    assert detect_language(text, "de") == "de"
    assert detect_language(text) == "en"


@settings(max_examples=50)
@given(st.text(max_size=60))
def test_any_text_has_a_language_of_two_letters(text: str) -> None:
    assert len(detect_language(text)) == 2


class Counted:
    """A detector that counts the texts it is asked about."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._own = module._identifier()

    def rank(self, text: str) -> Any:
        self.texts.append(text)
        return self._own.rank(text)


@pytest.fixture
def detector(monkeypatch: pytest.MonkeyPatch) -> Iterator[Counted]:
    counted = Counted()
    monkeypatch.setattr(module, "_identifier", lambda: counted)
    module._detected.cache_clear()
    yield counted
    module._detected.cache_clear()


def test_the_detector_is_asked_once_a_document_and_not_per_sentence(detector: Counted) -> None:
    claim = "The mill burnt down in 1890."
    evidence = [f"The mill by the bridge number {number} burnt down in 1890." for number in range(30)]
    probative.judge(claim, evidence, verdict=ScriptedVerdict(by_rule, name=SMALL))
    # Two readings of the claim, and two of all the evidence.
    assert len(detector.texts) <= 4
    probative.judge(claim, evidence, verdict=ScriptedVerdict(by_rule, name=SMALL))
    assert len(detector.texts) <= 4


@pytest.mark.parametrize("text", ENGLISH)
def test_such_english_is_judged(text: str) -> None:
    assert probative.judge(
        "The fee is 4 crowns.", [text], verdict=ScriptedVerdict(by_rule, name=SMALL)
    ).judged


def test_evidence_of_names_only_is_in_the_language_of_the_claim() -> None:
    names = "Giovanni Rossi, Marco Bianchi, Luca Ferrari, Paolo Conti, Matteo Greco"
    judged = probative.judge(
        "Luca Ferrari is on the list.", [names], verdict=ScriptedVerdict(by_rule, name=SMALL)
    )
    assert judged.judged
    assert not any("language" in note for note in judged.notes)


def test_importing_probative_does_not_load_the_detector() -> None:
    import subprocess
    import sys

    code = "import sys, probative, probative.text.sentences; sys.exit('py3langid' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=120).returncode == 0
