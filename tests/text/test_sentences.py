"""Sentences know their place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probative.errors import InputError
from probative.text.sentences import MAX_SENTENCE_CHARACTERS, detect_language, split_sentences


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("Dr. Lee came. He left.", ["Dr. Lee came.", "He left."]),
        ("Roy et al. [2004] found it. So did we.", ["Roy et al. [2004] found it.", "So did we."]),
        ("A heading\n\nA sentence.", ["A heading", "A sentence."]),
        ("下雨了。比赛取消了！", ["下雨了。", "比赛取消了！"]),
        ("", []),
        (" \n\t ", []),
        ("😀 yes. 🎉 no.", ["😀 yes.", "🎉 no."]),
    ],
)
def test_known_texts(text: str, expected: list[str]) -> None:
    assert [sentence.text for sentence in split_sentences(text)] == expected


@given(st.text(alphabet="aB .!?\n\t1é中。😀\u0301", max_size=80))
def test_offsets_give_the_text_back_in_order_and_nothing_is_lost(text: str) -> None:
    sentences = split_sentences(text)
    assert [one.index for one in sentences] == list(range(len(sentences)))
    end = 0
    for one in sentences:
        assert one.start is not None
        assert one.end is not None
        assert text[one.start : one.end] == one.text
        assert one.text.strip() == one.text != ""
        assert not text[end : one.start].strip()
        end = one.end
    assert not text[end:].strip()


@pytest.mark.parametrize(
    "unit", ["one clause after another, ", "word ", "x", "工厂被烧毁，", "wide" + " " * 700], ids=repr
)
def test_a_sentence_too_long_to_be_read_is_split_and_its_pieces_are_marked(unit: str) -> None:
    text = "It rained. " + unit * (4_000 // len(unit)) + "end."
    first, *pieces = split_sentences(text)
    assert (first.text, first.piece) == ("It rained.", False)
    assert len(pieces) >= 3
    assert all(one.piece and 0 < len(one.text) <= MAX_SENTENCE_CHARACTERS for one in pieces)
    assert "".join("".join(one.text.split()) for one in pieces) == "".join(text.split())[len("Itrained.") :]
    for one in pieces:
        assert text[one.start : one.end] == one.text


def test_a_long_sentence_is_split_after_a_clause_or_else_between_words() -> None:
    clauses = split_sentences("the mill burnt down, " * 100)
    assert all(one.text.endswith("down,") for one in clauses)
    words = split_sentences("mill " * 400)
    assert all(one.text.endswith("mill") and one.text.startswith("mill") for one in words)


@pytest.mark.parametrize(
    ("language", "text", "count"),
    [
        ("en", "Dr. Lee came on 3 May. He left at 5 p.m. by ship.", 2),
        ("de", "Am 3. Mai kam Dr. Lind z. B. zu spät. Das Boot war nicht mehr da.", 2),
        ("fr", "M. Vidal est arrivé dans le port. Il pleuvait et les bateaux sont partis.", 2),
        ("es", "El Sr. López llegó con su barco. ¿Llovía? Sí, y las calles estaban vacías.", 3),
        ("it", "Il Sig. Rossi è arrivato con una barca. Pioveva, per questo gli altri sono partiti.", 2),
        ("nl", "Dhr. Bakker kwam met een boot. Het regende en niet zo weinig.", 2),
        ("pl", "Łódź nie jest na sprzedaż. Kapitan był w porcie.", 2),
        ("pt", "O Sr. Alves não foi ao porto. Ele ficou em casa por causa da chuva.", 2),
        ("sv", "Båten låg på land och väntade. Det var inte för att det regnade.", 2),
        ("tr", "Gemi bir gün ve bir gece bekledi. Bu çok uzun olan bir yoldu.", 2),
        ("ru", "В 1890 г. завод сгорел. Его построили на ул. Садовой.", 2),
        ("uk", "Завод згорів. Його збудували ще раз.", 2),
        ("el", "Έβρεχε. Ο αγώνας ακυρώθηκε.", 2),
        ("hi", "बारिश हुई। मैच रद्द हुआ।", 2),
        ("ja", "雨が降った。試合は中止になった。", 2),
        ("zh", "下雨了。比赛取消了！", 2),
        ("ko", "비가 왔다. 경기는 취소되었다.", 2),
        ("ar", "هطل المطر. ألغيت المباراة.", 2),
        ("he", "ירד גשם. המשחק בוטל.", 2),
        ("hy", "Անձրև եկավ։ Խաղը չեղարկվեց։", 2),
    ],
)
def test_languages_are_detected_and_split(language: str, text: str, count: int) -> None:
    assert detect_language(text) == language
    assert len(split_sentences(text)) == count
    assert split_sentences(text) == split_sentences(text, language)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1890",
        "Molde",
        "Oscar de la Vega was born in Los Olmos.",
        "The ship Het Loo van Zee sank in the bay.",
    ],
)
def test_a_text_that_says_too_little_counts_as_english(text: str) -> None:
    assert detect_language(text) == "en"


def test_the_language_can_be_given() -> None:
    text = "Am 3. Mai."
    assert len(split_sentences(text, "de")) == 1
    assert len(split_sentences(text, "en")) == 2
    with pytest.raises(InputError, match="ISO 639"):
        split_sentences(text, "German")


def test_a_long_text_of_quotation_marks_is_split_in_parts() -> None:
    # In one piece, the splitter would take minutes, and hold up all other threads.
    text = "«The ferry left. " * 30_000
    sentences = split_sentences(text, "en")
    assert "".join(sentence.text for sentence in sentences).replace(" ", "") == text.replace(" ", "")
    assert len(sentences) > 20_000
