"""What the input may look like, and what comes of it."""

from __future__ import annotations

import pytest
from scripts import hashed_model

from probative import (
    BudgetError,
    CapabilityError,
    ContextError,
    Encoder,
    InputError,
    McseOptions,
    ModelError,
    Proof,
    load_model,
    load_settings,
    prove,
    prove_all,
)
from probative.dry_run.stand_ins import WordModels
from probative.models.embedded.language import EmbeddedModel
from probative.testing import ScriptedModel

PLAIN = McseOptions(lookahead=0)


@pytest.mark.parametrize("claim", ["", "   ", "\n\t", "\x00\x07"])
def test_an_empty_claim_is_an_input_error(claim: str) -> None:
    with pytest.raises(InputError, match="claim is empty"):
        prove(claim, ["A sentence."], model=hashed_model(), options=PLAIN)


@pytest.mark.parametrize("text", ["", "   ", [], ["", " "], "\n\n"])
def test_an_empty_text_is_an_input_error(text: str | list[str]) -> None:
    with pytest.raises(InputError, match="no sentences"):
        prove("A claim.", text, model=hashed_model(), options=PLAIN)


def test_a_bad_input_opens_no_model() -> None:
    with pytest.raises(InputError, match="claim is empty"):
        prove("", ["A sentence."], model="hf:/nowhere/at/all")


def test_one_sentence_is_its_own_proof() -> None:
    proof = prove("A claim.", ["The only sentence."], k=1, model=hashed_model(), options=McseOptions())
    assert proof.indexes == (0,)
    assert len(proof.curve) == 1


def test_k_larger_than_the_text_gives_all_and_says_so() -> None:
    proof = prove("A claim.", ["One.", "Two."], k=5, model=hashed_model(), options=McseOptions())
    assert sorted(proof.indexes) == [0, 1]
    assert "k is 5, but the text has only 2 candidate sentences" in proof.notes


@pytest.mark.parametrize("k", [0, -1, 1.5, True, "many", None])
def test_a_k_that_is_no_number_of_sentences_is_an_input_error(k: object) -> None:
    with pytest.raises(InputError, match="k must be a number of sentences"):
        prove("A claim.", ["One."], k=k, model=hashed_model(), options=PLAIN)  # type: ignore[arg-type]


def test_repeated_and_blank_sentences_are_searched_once_and_said() -> None:
    sentences = ["Rain fell.", "", "Rain  fell.", "The sun shone.", "Rain fell."]
    proof = prove("It was wet.", sentences, k=5, model=hashed_model(), options=PLAIN)
    assert sorted(proof.indexes) == [0, 3]
    assert "blank: sentence 2" in proof.notes
    assert "repeats of an earlier sentence, not searched again: sentences 3, 5" in proof.notes


def test_control_characters_do_not_reach_the_model_and_stay_in_the_result() -> None:
    model = hashed_model()
    proof = prove("A\x00 claim.", ["One\x07 sentence.", "Two."], k=2, model=model, options=PLAIN)
    assert "control characters were left out of what the model reads" in proof.notes
    assert not any("\x00" in str(pair) or "\\x07" in str(pair) for pair in model.asked)
    assert {sentence.text for sentence in proof.evidence} == {"One\x07 sentence.", "Two."}


def test_half_a_character_is_an_input_error() -> None:
    with pytest.raises(InputError, match="UTF-8"):
        prove("A claim.", ["broken \ud800"], model=hashed_model(), options=PLAIN)


@pytest.mark.parametrize("bad", [42, [1, 2], [None], {"a": 1}.values()])
def test_what_is_no_text_is_an_input_error(bad: object) -> None:
    with pytest.raises(InputError):
        prove("A claim.", bad, model=hashed_model(), options=PLAIN)  # type: ignore[arg-type]


def test_braces_in_a_text_are_only_text() -> None:
    model = hashed_model()
    prove("The {claim} holds.", ["It says {evidence}.", "Or {0}."], k=1, model=model, options=McseOptions())
    prompts = [getattr(pair, "prompt", "") for pair in model.asked]
    assert any("It says {evidence}." in prompt for prompt in prompts)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("claim", "text", "expected"),
    [
        ("工厂于一八九〇年被烧毁。", "城里有一座教堂。工厂在一八九〇年被大火烧毁了。河水很宽。", 1),
        (
            "Завод сгорел в 1890 году.",
            "В городе есть церковь. В 1890 году завод сгорел дотла. Река широка.",
            1,
        ),
        ("احترق المصنع عام 1890.", "في المدينة كنيسة. احترق المصنع في عام 1890. النهر واسع.", 1),
    ],
)
def test_other_languages_are_split_and_searched(
    claim: str, text: str, expected: int, embedded: EmbeddedModel, encoder: Encoder
) -> None:
    proof = prove(claim, text, k=1, model=embedded, encoder=encoder)
    assert proof.indexes == (expected,)
    (sentence,) = proof.evidence
    assert sentence.start is not None
    assert text[sentence.start : sentence.end] == sentence.text


def test_a_model_that_cannot_score_is_named_with_ones_that_can() -> None:
    with pytest.raises(CapabilityError, match=r"cannot score[\s\S]*embedded"):
        prove("A claim.", ["One."], model=ScriptedModel(generate="yes"), options=PLAIN)


def test_a_claim_longer_than_the_window_is_a_context_error() -> None:
    with pytest.raises(ContextError, match="no room for evidence"):
        prove("word " * 100, ["One."], model=hashed_model(window=64), options=PLAIN)


def test_a_sentence_longer_than_the_window_is_cut_and_said() -> None:
    model = hashed_model(window=64)
    sentences = ["word " * 200, "A short one."]
    proof = prove("A claim.", sentences, k=1, model=model, options=PLAIN)
    assert any("only the beginning was read: sentence 1" in note for note in proof.notes)
    assert all(model.count_tokens(f"{pair.prompt}{pair.continuation}") <= 64 for pair in model.asked)  # type: ignore[union-attr]


class CountingModel(ScriptedModel):
    """Keeps the longest text that it was asked to tokenize or to score, in characters."""

    longest = 0

    def count_tokens(self, text: str) -> int:
        self.longest = max(self.longest, len(text))
        return -(-len(text) // 4)


def counting_model() -> CountingModel:
    return CountingModel(score=lambda prompt, claim: -1.0, window=8192)


LONG_LINE = "the keeper wrote down the wind and the sea " * 4_800  # 206 KB without a sentence end


def test_a_text_without_sentence_ends_is_split_into_pieces_and_a_note_says_so() -> None:
    model = counting_model()
    text = f"{LONG_LINE[:3_000]} the lamp was lit in 1871 {LONG_LINE[:3_000]}"
    proof = prove("The lamp was lit in 1871.", text, k=1, model=model, lexical=9.0)
    (piece,) = proof.evidence
    assert "lit in 1871" in piece.text
    assert text[piece.start : piece.end] == piece.text
    assert any(note.startswith("a sentence of more than 1,000 characters was split") for note in proof.notes)
    assert all(len(getattr(pair, "prompt", "")) < 1_200 for pair in model.asked)


def test_a_huge_sentence_of_a_list_is_cut_before_it_is_tokenized_and_read_only_in_part() -> None:
    model = counting_model()
    proof = prove("A claim.", [LONG_LINE, "A short one."], k=1, model=model, options=PLAIN)
    assert "only the first 20,000 characters were read: sentence 1" in proof.notes
    assert "longer than 512 tokens, so only the beginning was read: sentence 1" in proof.notes
    assert model.longest <= 512 * 16
    assert all(model.count_tokens(getattr(pair, "prompt", "")) < 512 + 64 for pair in model.asked)
    assert max(proof.evidence, key=lambda sentence: len(sentence.text)).text in (LONG_LINE, "A short one.")


def test_a_server_that_does_not_tell_its_window_gets_no_huge_sentence_either() -> None:
    model = CountingModel(score=lambda prompt, claim: -1.0, window=None)
    proof = prove("A claim.", [LONG_LINE[:15_000], "A short one."], k=2, model=model, options=PLAIN)
    assert "longer than 2,048 tokens, so only the beginning was read: sentence 1" in proof.notes


@pytest.mark.parametrize("method", ["mcse", "learned", "bm25"])
def test_a_very_long_claim_is_refused_before_any_model_is_opened(method: str) -> None:
    with pytest.raises(InputError, match=r"claim has 5,001 characters[\s\S]*split it into claims"):
        prove("x" * 5_001, ["One."], k=1, model="hf:/nowhere/at/all", method=method)


def test_evidence_that_would_not_fit_together_ends_the_search_and_says_so() -> None:
    model = hashed_model(window=64)
    sentences = [f"s{number} " + "word " * 20 for number in range(4)]
    for options in (PLAIN, McseOptions(lookahead=3, trajectories=3)):
        proof = prove("A claim.", sentences, k=4, model=model, options=options)
        assert len(proof.evidence) == 2
        assert any("would not fit into the model's window" in note for note in proof.notes)
    assert all(model.count_tokens(f"{pair.prompt}{pair.continuation}") <= 64 for pair in model.asked)  # type: ignore[union-attr]


def test_a_long_text_is_filtered_and_the_result_says_how() -> None:
    sentences = [f"Filler sentence number {number} about nothing." for number in range(500)]
    sentences[321] = "The lantern of the Harwick lighthouse was lit in 1871."
    model = hashed_model()
    proof = prove("The lighthouse was lit in 1871.", sentences, k=2, model=model, encoder=WordModels())
    assert proof.searched is not None
    assert 321 in proof.searched
    assert len(proof.searched) == 24
    assert any("24 of 500 sentences were searched" in note for note in proof.notes)
    assert len(model.asked) < 24 + 24 + 8 + 5  # whatever the text's length


@pytest.mark.model
def test_a_long_text_keeps_what_says_the_claim_in_other_words(encoder: Encoder) -> None:
    sentences = [f"Filler sentence number {number} about a lorry." for number in range(60)]
    sentences[44] = "The physician cured him of influenza."
    proof = prove("A doctor healed the flu patient.", sentences, model=hashed_model(), encoder=encoder)
    assert proof.searched is not None
    assert 44 in proof.searched


def test_an_unknown_option_preset_or_method_is_an_input_error_that_lists_them() -> None:
    with pytest.raises(InputError, match=r"mcse has no option 'lookahed'[\s\S]*lookahead"):
        prove("A claim.", ["One."], model=hashed_model(), lookahed=2)
    with pytest.raises(InputError, match=r"preset[\s\S]*paper"):
        prove("A claim.", ["One."], model=hashed_model(), preset="best")
    with pytest.raises(InputError, match=r"method[\s\S]*rankgpt"):
        prove("A claim.", ["One."], model=hashed_model(), method="best")
    with pytest.raises(InputError, match="where the sentences go"):
        prove("A claim.", ["One."], model=hashed_model(), prompt="no place")


@pytest.mark.parametrize("text", ["word " * 300, "a" * 400, "字" * 300])
def test_a_text_of_nothing_but_too_long_sentences_still_has_evidence(text: str) -> None:
    class Characters(ScriptedModel):
        def count_tokens(self, text: str) -> int:
            return len(text)

    model = Characters(score=lambda prompt, claim: -1.0, window=120)
    proof = prove("Claim.", [text, f"b{text}"], k=1, model=model, options=PLAIN)
    assert proof.indexes == (0,)


def test_one_text_with_half_a_character_is_an_input_error_too() -> None:
    with pytest.raises(InputError, match="UTF-8"):
        prove("A claim.", "It rained \ud800 here.", model=hashed_model(), options=PLAIN)


@pytest.mark.parametrize("value", [float("nan"), float("-inf")])
def test_a_score_that_is_no_number_is_that_claims_error(value: float) -> None:
    model = ScriptedModel(score=lambda prompt, claim: value if "bad" in claim else -1.0)
    cases = [{"claim": "bad", "sentences": ["One.", "Two."]}, {"claim": "good", "sentences": ["One."]}]
    ends = dict(prove_all(cases, 1, model=model, options=PLAIN))
    assert isinstance(ends[0], ModelError)
    assert isinstance(ends[1], Proof)


def test_max_active_is_at_least_one() -> None:
    with pytest.raises(InputError, match="max_active must be at least 1, got 0"):
        list(prove_all([{"claim": "c", "sentences": ["One."]}], model=hashed_model(), max_active=0))


@pytest.mark.parametrize("bad", [{"sentences": ["One."]}, {"claim": "c", "sentences": ["One."], "k": True}])
def test_a_bad_case_is_reported_in_its_place_and_the_others_go_on(bad: dict[str, object]) -> None:
    good = {"claim": "c", "sentences": ["One."]}
    ends = dict(prove_all([good, bad, good], 1, model=hashed_model(), method="bm25"))
    assert isinstance(ends[0], Proof)
    assert isinstance(ends[1], InputError)
    assert "a case for prove" in str(ends[1])
    assert isinstance(ends[2], Proof)


@pytest.mark.parametrize(
    "changes", [{"lam": float("inf")}, {"gamma": float("nan")}, {"length_penalty": 1000}]
)
def test_options_are_numbers_that_can_be_computed_with(changes: dict[str, float]) -> None:
    with pytest.raises(InputError, match="an option of mcse is wrong"):
        prove("A claim.", ["One."], model=hashed_model(), **changes)  # type: ignore[arg-type]


def test_runners_up_have_the_text_as_it_was_and_only_a_filter_is_called_one() -> None:
    sentences = ["A  b.", "", "C\x07 d.", "A b."]
    proof = prove("Claim.", sentences, k=1, model=hashed_model(), options=PLAIN)
    texts = {proof.evidence[0].text, *(sentence.text for sentence in proof.evidence[0].runners_up)}
    assert texts == {"A  b.", "C\x07 d."}
    assert proof.searched is None


def test_evidence_that_lowers_the_claim_is_said() -> None:
    model = ScriptedModel(score=lambda prompt, claim: -50.0 if "One" in prompt else -1.0)
    proof = prove("A claim.", ["One."], k="auto", model=model, options=PLAIN)
    assert proof.curve == (-49.0,)
    assert any("no more probable" in note for note in proof.notes)


def test_a_budget_is_spent_on_whole_proofs() -> None:
    model = load_model(hashed_model(), budget_calls=7, cache=False)
    cases = [{"claim": f"c{n}", "sentences": ["One.", "Two.", "Three."]} for n in range(3)]
    settings = load_settings({"budget_calls": 7})
    ends = dict(prove_all(cases, 1, model=model, options=PLAIN, settings=settings))
    assert [type(ends[n]) for n in range(3)] == [Proof, BudgetError, BudgetError]


@pytest.mark.model
@pytest.mark.parametrize("method", ["mcse", "embedding", "llm-pick", "llm-rerank", "rankgpt"])
def test_a_dry_run_asks_no_model_and_no_encoder(method: str) -> None:
    from probative.testing import LoopbackServer

    with LoopbackServer() as server:
        settings = load_settings(
            {
                "model": "openai:m" if method != "mcse" else None,
                "encoder": "openai:e",
                "base_url": server.base_url,
            }
        )
        text = ["Rain fell.", "Dogs bark.", "Cats sleep."]
        proof = prove("It rained.", text, k=2, method=method, settings=settings, dry_run=True)
        assert proof.evidence == ()
        assert proof.usage.tokens > 0
        assert sum(server.seen.values()) == 0


def test_more_sentences_than_are_searched_by_default_can_be_asked_for() -> None:
    sentences = [f"Sentence {number} about topic {number % 7}." for number in range(60)]
    proof = prove("A claim.", sentences, k=30, model=hashed_model(), encoder=WordModels())
    assert len(proof.evidence) == 30
    assert len(proof.searched or ()) == 30
