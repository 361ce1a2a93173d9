"""Languages: which the models read is decided by what was measured."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from verdicts import by_rule

import probative
from probative.settings import CASCADE
from probative.testing import ScriptedVerdict
from probative.types import Verdict
from probative.verdict import languages
from probative.verdict.judgement import LARGE, SMALL
from probative.verdict.languages import FILE, LEVELS, Level, language_note, nothing_refused

ENGLISH = "The mill burnt down in 1890."
UNREAD = {
    "Finnish": "Mylly paloi vuonna 1890 eikä sitä rakennettu uudelleen.",
    "Hungarian": "A malom 1890-ben leégett, és nem építették újjá.",
    "Turkish": "Değirmen 1890 yılında yandı ve yeniden inşa edilmedi.",
    "Estonian": "Veski põles 1890. aastal maha ja seda ei ehitatud uuesti üles.",
    "Czech": "Mlýn vyhořel v roce 1890 a nebyl znovu postaven.",
    "Polish": "Młyn spłonął w 1890 roku i nie został odbudowany.",
    "Greek": "Ο μύλος κάηκε το 1890.",
    "Hebrew": "הטחנה נשרפה בשנת 1890.",
    "Hindi": "चक्की 1890 में जल गई।",
    "Thai": "โรงสีถูกไฟไหม้ในปี 1890",
    "Korean": "방앗간은 1890년에 불탔다.",
    "Vietnamese": "Nhà máy xay bị cháy vào năm 1890 và không được xây lại.",
    "Swahili": "Kinu kiliungua mwaka 1890 na hakikujengwa tena.",
    "Latin": "Mola anno 1890 incendio deleta est neque restituta.",
}


def model() -> ScriptedVerdict:
    return ScriptedVerdict(by_rule, name=SMALL)


@pytest.mark.parametrize("language", UNREAD)
def test_a_language_that_is_not_read_is_named_whether_in_the_claim_or_in_the_evidence(language: str) -> None:
    text = UNREAD[language]
    for claim, evidence in ((text, text), (text, ENGLISH), (ENGLISH, text)):
        judgement = probative.judge(claim, [evidence], verdict=model())
        assert not judgement.judged
        assert judgement.verdict is Verdict.INSUFFICIENT
        assert language in judgement.notes[0]


SPANISH = "El molino se quemó en 1890 y no fue reconstruido."
GOOD = Level(rows=40, right=0.7, wrong_and_supported=0.05)


@pytest.fixture
def spanish_claims(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the large model read claims in Spanish."""
    monkeypatch.setattr(languages, "measured", lambda: {LARGE: {"es": {"claim": GOOD}}})


def test_the_levels_of_the_package_can_be_read() -> None:
    assert LEVELS.validate_json(FILE.read_bytes()) == languages.measured()


@pytest.mark.parametrize(
    ("change", "enough"),
    [
        ({}, True),
        ({"rows": 20, "right": 0.5}, True),
        ({"rows": 19}, False),
        ({"right": 0.49}, False),
        ({"wrong_and_supported": 0.051}, False),
    ],
)
def test_a_level_must_be_measured_on_enough_rows_right_often_and_wrong_seldom(
    change: dict[str, float], enough: bool
) -> None:
    assert GOOD.model_copy(update=change).is_enough is enough


@pytest.mark.usefixtures("spanish_claims")
def test_what_was_measured_is_read_by_the_model_and_for_the_task_that_it_was_measured_for() -> None:
    spanish = {"claim": "es", "evidence": "es"}
    assert language_note(LARGE, "claim", spanish).readable
    assert language_note(LARGE, "claim", {"claim": "en", "evidence": "es"}).readable
    assert not language_note(LARGE, "question", {"question": "es", "chain": "es"}).readable
    assert not language_note(LARGE, "claim", {"claim": "es", "evidence": "pt"}).readable
    for model in (SMALL, CASCADE):
        assert language_note(model, "claim", spanish).note == (
            f"{model} does not read this language (claim: Spanish, evidence: Spanish); {LARGE} does"
        )
    assert language_note("openai:tern", "claim", spanish) == (True, "")


@pytest.mark.usefixtures("spanish_claims")
def test_a_claim_in_a_language_that_is_read_is_judged_with_its_level() -> None:
    large, small = (ScriptedVerdict(by_rule, name=name) for name in (LARGE, SMALL))
    judgement = probative.judge(SPANISH, [SPANISH], verdict=large)
    assert judgement.judged
    assert f"{LARGE} was right on 70% of 40 claims in Spanish that were tried" in judgement.notes
    assert any("two languages" in note for note in probative.judge(SPANISH, [ENGLISH], verdict=large).notes)
    assert not probative.judge(SPANISH, [SPANISH], verdict=small).judged


def test_nothing_is_refused_while_a_level_is_measured_and_elsewhere_all_is_as_before() -> None:
    def is_read() -> bool:
        return language_note(SMALL, "claim", {"claim": "es", "evidence": "es"}).readable

    with ThreadPoolExecutor(1) as other, nothing_refused():
        assert is_read()
        assert probative.judge(SPANISH, [SPANISH], verdict=model()).judged
        assert not other.submit(is_read).result()
    assert not is_read()


@pytest.mark.parametrize(
    "text",
    [
        "Frogs croak.",
        "Björk Guðmundsdóttir sang.",
        "Guten Tag is a German greeting.",
        "A naïve café owner left.",
    ],
)
def test_english_with_foreign_names_is_english(text: str) -> None:
    assert probative.judge(text, [text], verdict=model()).judged
