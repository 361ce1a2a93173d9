"""The benchmark of OCR counts words as it says, and its pages can be read."""

from __future__ import annotations

import pytest

import ocr


def test_a_word_is_right_if_it_is_whole_and_in_its_order() -> None:
    drawn = ["The", "quay", "is", "wet."]
    assert ocr.words_right(drawn, "The quay is wet.") == 4
    assert ocr.words_right(drawn, "The quay is wet") == 3
    assert ocr.words_right(drawn, "is wet. The quay") == 2
    assert ocr.words_right(["Gull", "4"], "boat: Gull; berth: 4") == 2


@pytest.mark.slow
def test_most_words_of_a_blurred_letter_are_right() -> None:
    right, drawn, _ = ocr.measure(ocr.letter, ocr.blurred)
    assert right > 0.9 * drawn
