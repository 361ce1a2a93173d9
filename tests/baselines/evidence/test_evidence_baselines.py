"""Every baseline behind the one signature."""

from __future__ import annotations

import pytest

from probative import Encoder, InputError, OutputError, Request, prove
from probative.baselines.evidence.by_score import rouge
from probative.testing import ScriptedModel
from probative.text.words import words
from probative.verbs.prove import EVIDENCE_METHODS

pytestmark = pytest.mark.model

TEXT = [
    "Gulls nest on the gallery.",
    "The lighthouse was lit in 1871.",
    "Tickets cost four pounds.",
    "Ida Brandt designed its lens.",
]
CLAIM = "The lighthouse, lit in 1871, has a lens that Brandt designed."


@pytest.mark.parametrize("method", ["rouge", "bm25", "embedding"])
def test_rankings_without_a_language_model(method: str, encoder: Encoder) -> None:
    proof = prove(CLAIM, TEXT, k=2, method=method, encoder=encoder, model="hf:/nowhere")
    assert sorted(proof.indexes) == [1, 3]
    assert proof.model is None
    assert proof.evidence[0].score >= proof.evidence[1].score
    assert {sentence.index for sentence in proof.evidence[-1].runners_up} == {0, 2}


def test_rouge_by_hand() -> None:
    # a b c with a c b: 3 common words (F1 1), no common pair (0), longest common subsequence 2 of 3.
    assert rouge(list("abc"), list("acb")) == pytest.approx((1 + 0 + 2 / 3) / 3)
    assert rouge([], words("a b")) == 0.0


def test_picked_sentences_come_in_the_models_order() -> None:
    model = ScriptedModel(generate="I would take [4] and [2].")
    proof = prove(CLAIM, TEXT, k=2, method="llm-pick", model=model, verdict=False)
    assert proof.indexes == (3, 1)
    request = model.asked[0]
    assert isinstance(request, Request)
    assert "[2] The lighthouse was lit in 1871." in request.messages[-1].content
    assert proof.usage.calls == 1


def test_fewer_picks_than_asked_are_said_and_none_is_an_error() -> None:
    few = prove(CLAIM, TEXT, k=3, method="llm-pick", model=ScriptedModel(generate="[2], [2], [99]"))
    assert few.indexes == (1,)
    assert few.notes == ("the model named 1 of 3 sentences",)
    with pytest.raises(OutputError, match="names none"):
        prove(CLAIM, TEXT, k=2, method="llm-pick", model=ScriptedModel(generate="all of them"))


def test_a_reranked_shortlist_keeps_its_order_where_the_model_is_silent(encoder: Encoder) -> None:
    by_cosine = prove(CLAIM, TEXT, k=4, method="embedding", encoder=encoder).indexes
    silent = prove(
        CLAIM, TEXT, k=4, method="llm-rerank", encoder=encoder, model=ScriptedModel(generate="Hm.")
    )
    assert silent.indexes == by_cosine
    assert any("kept their order" in note for note in silent.notes)
    turned = ScriptedModel(generate="[4] > [3] > [2] > [1]")
    reranked = prove(CLAIM, TEXT, k=4, method="llm-rerank", encoder=encoder, model=turned)
    assert reranked.indexes == tuple(reversed(by_cosine))


def test_rankgpt_slides_its_window_from_the_end_so_that_the_best_rises() -> None:
    sentences = [f"Sentence {number}." for number in range(45)]

    def last_first(request: Request) -> str:
        listed = [line for line in request.messages[-1].content.splitlines() if line.startswith("[")]
        place = next((n for n, line in enumerate(listed, 1) if "Sentence 44." in line), 1)
        return f"[{place}]"

    model = ScriptedModel(generate=last_first)
    proof = prove("A claim.", sentences, k=2, method="rankgpt", model=model)
    assert proof.indexes == (44, 0)
    assert len(model.asked) == 4  # windows 25-44, 15-34, 5-24, 0-14


@pytest.mark.parametrize("method", [name for name in EVIDENCE_METHODS if name not in ("mcse", "learned")])
def test_all_check_their_input_alike(method: str, encoder: Encoder) -> None:
    model = ScriptedModel(generate="[1]")
    for claim, text, k in (("", TEXT, 1), ("c", [], 1), ("c", TEXT, 0), ("c", TEXT, "auto")):
        with pytest.raises(InputError):
            prove(claim, text, k=k, method=method, model=model, encoder=encoder)  # type: ignore[arg-type]
    proof = prove("A claim.", ["Only this [7] {claim}."], k=3, method=method, model=model, encoder=encoder)
    assert proof.indexes == (0,)
    assert any("k is 3, but the text has only 1" in note for note in proof.notes)
