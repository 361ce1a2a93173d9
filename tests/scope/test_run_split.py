"""Passages longer than the model's window are split at sentence ends, not refused."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from specialists import QUESTION, TEXTS

from probative import Encoder, Passage, Request, ask, check
from probative.models.task_prompts import TRAINED_TOKENS
from probative.scope.run import split_passage, splitter_for
from probative.testing import ScriptedModel

FILLER = " ".join(f"Gull number {number} sat on the old quay for a while." for number in range(80))
LONG = f"{FILLER} {TEXTS[1]} {FILLER} {TEXTS[3]} {FILLER}"


def words_of(text: str) -> int:
    return len(text.split())


@given(
    st.lists(
        st.sampled_from(["It rained.", "A b c.", "word", "船が来た。", "x" * 30]), min_size=1, max_size=12
    ),
    st.integers(1, 8),
)
def test_parts_are_short_and_give_the_text_back(pieces: list[str], limit: int) -> None:
    passage = Passage(text=" ".join(pieces), id="a", title="T", source="s", start=100)
    parts = split_passage(passage, limit, words_of)
    assert all(words_of(part.text) <= limit for part in parts)
    assert "".join("".join(part.text for part in parts).split()) == "".join(passage.text.split())
    for part in parts:
        assert part.start is not None
        assert part.end is not None
        assert passage.text[part.start - 100 : part.end - 100] == part.text
        assert (part.id, part.title, part.source) == ("a", "T", "s")


def reader(window: int | None) -> ScriptedModel:
    """Finds features, judges each numbered text, and answers where the town is named."""

    def say(request: Request) -> str:
        prompt = request.messages[-1].content
        if "is to be taken apart" in prompt:
            link = {"head": "ship", "predicate": "commanded by", "tail": "Ada Berg"}
            return json.dumps({"intent": "town", "nodes": ["ship", "Ada Berg"], "relations": [link]})
        if "numbered texts. Say" in prompt:
            texts = re.findall(r"^\[(\d+)\] (?!intent|node|relation)(.*)$", prompt, re.MULTILINE)
            carries = {"commanded": [2, 3, 4], "was built": [1, 2]}
            return json.dumps(
                {
                    "texts": [
                        {"text": int(number), "carries": sorted(_carried(text, carries))}
                        for number, text in texts
                    ]
                }
            )
        return "Molde [1]" if "built in Molde" in prompt else "unknown"

    return ScriptedModel(generate=say, window=window)


def _carried(text: str, carries: dict[str, list[int]]) -> set[int]:
    return {number for word, numbers in carries.items() if word in text for number in numbers}


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["calls", "words"])
def test_a_passage_longer_than_the_window_is_split(preset: str, encoder: Encoder) -> None:
    passages = [Passage(text=TEXTS[0]), Passage(text=LONG, id="long", title="Log", source="log.txt")]
    answer = ask(QUESTION, passages, model=reader(1200), encoder=encoder, preset=preset, answer_anyway=True)
    assert {passage.index for passage in answer.chain} == {1}
    assert answer.answer == "Molde"
    assert answer.citations == (1,)
    assert answer.passages == 2
    for part in answer.chain:
        assert (part.id, part.title, part.source) == ("long", "Log", "log.txt")
        assert part.start is not None
        assert LONG[part.start : part.end] == part.text
    assert any("built in Molde" in part.text for part in answer.chain)


@pytest.mark.model
def test_a_passage_that_fits_stays_whole(encoder: Encoder) -> None:
    for window in (None, 100_000):
        answer = ask(QUESTION, [LONG], model=reader(window), encoder=encoder, preset="calls")
        assert [passage.text for passage in answer.chain] == [LONG]
        assert answer.chain[0].start is None


@pytest.mark.model
def test_a_check_counts_the_parts_of_a_passage_together(encoder: Encoder) -> None:
    checked = check(QUESTION, [TEXTS[0], LONG], model=reader(1200), encoder=encoder, preset="calls")
    assert checked.complete
    assert [judgement.index for judgement in checked.judgements] == [0, 1]
    assert checked.judgements[1].text == LONG
    assert len(checked.judgements[1].carries) == 4
    # The model only says that it carries them: how surely was not measured.
    assert set(checked.judgements[1].strengths.values()) == {None}


@pytest.mark.slow
def test_parts_of_one_passage_do_not_contradict_each_other(encoder: Encoder) -> None:
    text = f"The Lark was built in Molde. {FILLER} The Lark was built in Narvik. {FILLER} {FILLER}"
    answer = ask(
        "Where was the Lark built?", [text, TEXTS[0]], model=reader(1200), encoder=encoder, preset="words"
    )
    assert answer.conflicts == ()


@pytest.mark.model
def test_vectors_of_a_split_passage_serve_its_parts(encoder: Encoder) -> None:
    vectors = encoder.encode([TEXTS[0], LONG])
    model = ScriptedModel(generate="Molde", score=lambda prompt, text: -1.0, window=1200)
    answer = ask(QUESTION, [TEXTS[0], LONG], model=model, encoder=encoder, preset="words", vectors=vectors)
    assert answer.passages == 2


def test_the_tuned_reader_gets_parts_as_short_as_in_its_training() -> None:
    tuned, other = (ScriptedModel(generate="x", window=8_192, reader=reader) for reader in (True, False))
    parts = splitter_for(lambda: [tuned])(Passage(text=LONG))
    assert len(parts) > 5
    assert max(tuned.count_tokens(part.text) for part in parts) <= TRAINED_TOKENS / 4
    assert splitter_for(lambda: [other])(Passage(text=LONG)) == [Passage(text=LONG)]
