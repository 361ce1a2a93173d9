"""The prompt of the verdict model is the same as text and as token ids."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer

from probative.models.embedded.store import Weights
from probative.models.verdict import LETTERS, VERDICTS, decides, prompt_ids, prompt_parts, prompt_text


@pytest.fixture(scope="module")
def tokenizer(weights: Weights) -> Tokenizer:
    """The tokenizer of the embedded language model; control tokens in a text stay text."""
    tokenizer = Tokenizer.from_file(str(weights.folder / "tokenizer.json"))
    tokenizer.encode_special_tokens = True
    return tokenizer


def test_the_claim_stands_before_and_behind_the_lettered_evidence() -> None:
    assert prompt_text("The ferry\nsank.", ["It sank  in May.", "Gulls cried."]) == (
        "Claim: The ferry sank.\nA. It sank in May.\nB. Gulls cried.\nClaim: The ferry sank.\nVerdict:"
    )


def test_a_window_has_a_letter_for_each_of_26_pieces() -> None:
    parts = prompt_parts("c", ["e"] * 26)
    assert [part for part in parts if part.endswith(".")] == [f"\n{letter}." for letter in LETTERS]


def test_each_verdict_and_each_letter_is_one_token(tokenizer: Tokenizer) -> None:
    texts = [*VERDICTS, *(decides(index) for index in range(26))]
    tokens = [tuple(tokenizer.encode(text).ids) for text in texts]
    assert all(len(ids) == 1 for ids in tokens)
    assert len(set(tokens)) == 29


_TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(claim=_TEXTS, evidence=st.lists(_TEXTS, max_size=4))
def test_parts_tokenised_one_by_one_give_the_tokens_of_the_whole(
    tokenizer: Tokenizer, claim: str, evidence: list[str]
) -> None:
    ids = prompt_ids(claim, evidence, lambda part: tokenizer.encode(part).ids)
    assert ids == tokenizer.encode(prompt_text(claim, evidence)).ids
