"""Languages: which the verdict model does not read, and which it reads less well."""

from __future__ import annotations

import pytest
from verdicts import by_rule

import probative
from probative.testing import ScriptedVerdict
from probative.types import Verdict
from probative.verdict.calibration import SMALL

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


def test_two_languages_are_said() -> None:
    spanish = "El molino se quemó en 1890 y no fue reconstruido."
    judgement = probative.judge(spanish, [ENGLISH], verdict=model())
    assert judgement.judged
    assert any("two languages" in note for note in judgement.notes)


def test_indonesian_is_read_less_well() -> None:
    text = "Kincir angin itu terbakar pada tahun 1890 dan tidak dibangun kembali."
    judgement = probative.judge(text, [text], verdict=model())
    assert any("Indonesian less well" in note for note in judgement.notes)


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
