"""The encoding of one sentence is guessed in many languages."""

from __future__ import annotations

import pytest

from encoding_sentences import SENTENCES
from probative.corpus.readers.decoding import decode, guess_encoding


@pytest.mark.parametrize("encoding", SENTENCES)
def test_one_sentence_is_enough(encoding: str) -> None:
    data = SENTENCES[encoding].encode(encoding)
    guessed = guess_encoding(data)
    assert guessed is not None
    assert data.decode(guessed) == SENTENCES[encoding]


def test_noise_is_no_text() -> None:
    assert guess_encoding(bytes(range(128, 256)) * 4) is None


def test_two_quotation_marks_do_not_make_a_text_unreadable() -> None:
    data = "He said \u201cno\u201d and left the harbour early in the morning.".encode("cp1252")
    assert decode(data, "a.txt").text == data.decode("cp1252")
