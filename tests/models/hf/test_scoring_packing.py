"""Sequences that begin alike are read together, and score as they do alone."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from plain_scores import plain_log_probabilities

from probative.errors import ModelError
from probative.models.hf.model import HFModel
from probative.models.in_process import join
from probative.models.types import Pair

pytestmark = pytest.mark.model

PASSAGE = (
    "The ferry left the harbour at seven, an hour late, because fog lay thick over the whole bay "
    "and the pilot would not sail. "
)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., HFModel]:
    """Makes tiny models with random weights; their tokens are bytes, "th" and one control token."""
    import torch
    import transformers
    from tokenizers import AddedToken, Tokenizer, models, pre_tokenizers

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {token: at for at, token in enumerate(["<|im_end|>", *alphabet, "th"])}
    backend = Tokenizer(models.BPE(vocab=vocabulary, merges=[("t", "h")]))
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.add_special_tokens([AddedToken("<|im_end|>", special=True)])
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=backend, eos_token="<|im_end|>")

    def make(kind: str = "Llama", **more: Any) -> HFModel:
        folder = tmp_path_factory.mktemp("made")
        options = {
            "vocab_size": len(vocabulary),
            "hidden_size": 32,
            "intermediate_size": 64,
            "num_hidden_layers": 2,
            "num_attention_heads": 2,
            "num_key_value_heads": 1,
            "head_dim": 16,
            "max_position_embeddings": 4096,
            "initializer_range": 0.3,  # enough that a token out of sight makes a difference
            "bos_token_id": 0,
            "eos_token_id": 0,
            "pad_token_id": 0,
        }
        config = getattr(transformers, f"{kind}Config")(**options | more)
        torch.manual_seed(3)
        getattr(transformers, f"{kind}ForCausalLM")(config).save_pretrained(folder)
        tokenizer.save_pretrained(folder)
        return HFModel(str(folder), device="cpu", dtype="float32")

    return make


@pytest.fixture(scope="module")
def tiny(made: Callable[..., HFModel]) -> HFModel:
    return made()


STEPS = ["The ferry left at seven.", " Fog lay over the bay.", " The pilot would not sail."]
CHAIN = [("".join(STEPS[:end]), " It was late.") for end in range(4)]


def scores_one_by_one(model: HFModel, pairs: list[tuple[str, str]]) -> int:
    """Check the scores of pairs against plain ones; returns how many tokens were read for them."""
    sequences = model._joined([Pair(prompt=prompt, continuation=end) for prompt, end in pairs])
    scores = model.score(pairs)
    for joined, score in zip(sequences, scores, strict=True):
        expected = plain_log_probabilities(model, *joined)
        assert score.token_log_probabilities == pytest.approx(expected, abs=1e-4)
        assert score.log_probability == pytest.approx(sum(expected), abs=1e-3)
    return sum(score.usage.scored_tokens for score in scores)


def beginnings(model: HFModel, pairs: list[tuple[str, str]]) -> int:
    """How many different beginnings pairs have, in tokens: what must be read at least."""
    sequences = model._joined([Pair(prompt=prompt, continuation=end) for prompt, end in pairs])
    return len({tuple(ids[:end]) for ids, _ in sequences for end in range(1, len(ids) + 1)})


@pytest.mark.parametrize(
    "pairs",
    [
        CHAIN[1:],
        [CHAIN[2], CHAIN[2], CHAIN[3], CHAIN[2]],
        [(STEPS[0], " It"), (STEPS[0], " It was late."), (STEPS[0], " It was")],
        [(STEPS[0] + " 🙂 ", "🙃 Fög"), (STEPS[0] + " 🙂 ", "🙂"), (STEPS[0] + " 🙂", " 🙂 日本")],
        [(STEPS[0] + STEPS[1], " It was."), (STEPS[0], STEPS[1] + " It was.")],
    ],
    ids=["chain", "identical", "one-begins-another", "unicode", "other-cut"],
)
def test_packed_scores_are_plain_scores(tiny: HFModel, pairs: list[tuple[str, str]]) -> None:
    assert scores_one_by_one(tiny, pairs) == beginnings(tiny, pairs)
    assert tiny._scorer.packs


def test_rows_that_overflow_and_those_alone_are_scored_too(tiny: HFModel) -> None:
    """The first pairs fill three rows, the last share nothing."""
    story = "".join(STEPS) * 5
    pairs = [(story, f" {letter} " + letter * 400) for letter in "abcde"]
    read = scores_one_by_one(tiny, [*pairs, ("", "Alone."), ("xyz", "?"), *CHAIN])
    assert beginnings(tiny, [*pairs, *CHAIN]) < read < 3 * len(story) + 5 * 403 + 300


def test_half_the_tokens_at_most_are_read_where_beginnings_are_shared(tiny: HFModel) -> None:
    pairs = [(prompt, f" {claim}.") for prompt, _ in CHAIN[1:] for claim in ("Late", "Early", "Lately")]
    whole = sum(tiny.count_tokens(prompt + claim) for prompt, claim in pairs)
    assert scores_one_by_one(tiny, pairs) == beginnings(tiny, pairs) < whole / 2


@pytest.mark.parametrize("small", [False, True], ids=["one-pass", "many-passes"])
def test_batches_change_nothing(tiny: HFModel, monkeypatch: pytest.MonkeyPatch, small: bool) -> None:
    if small:
        monkeypatch.setattr(tiny._scorer, "_max_tokens", 150)
        monkeypatch.setattr("probative.models.hf.scoring.FULL_PRECISION", 1000)
    pairs = [*CHAIN, *[(letter * 9, " It was late.") for letter in "abcdef"]]
    assert scores_one_by_one(tiny, pairs) >= beginnings(tiny, pairs)


@pytest.mark.parametrize(
    ("kind", "more"), [("Llama", {}), ("Gemma2", {"final_logit_softcapping": 5.0})], ids=["plain", "capped"]
)
def test_the_logits_of_a_long_text_are_computed_in_parts(
    made: Callable[..., HFModel], kind: str, more: dict[str, Any]
) -> None:
    """A model that caps the logits behind its head cannot have that, and still scores rightly."""
    model = made(kind, **more)
    scorer = model._scorer
    scorer._logits = 10 * scorer._words
    rows: list[int] = []
    head = model._model.get_output_embeddings()
    head.register_forward_hook(lambda module, inputs, output: rows.append(inputs[0].shape[-2]))
    pairs = [("The ferry", " left at seven, an hour late."), ("", "Fog lay over the bay."), ("a", "b")]
    model.score(pairs)
    assert max(rows) > 20 if more else max(rows) == 10
    assert scores_one_by_one(model, pairs) > 50


def test_a_gpu_fills_its_rows(tiny: HFModel, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a GPU would have them, with short rows behind one another: they score the same."""
    monkeypatch.setattr(tiny._scorer, "_fills", True)
    pairs = [(f"{letter * 12} {prompt}", end) for letter in "abcdef" for prompt, end in CHAIN]
    assert scores_one_by_one(tiny, pairs) == beginnings(tiny, pairs)


@pytest.mark.slow
def test_compiled_layers_score_the_same(tiny: HFModel) -> None:
    """In a process of its own: the compiler changes what Python imports. The graphs are captured and run as
    they are: generating code from them is torch's part, and takes a minute.
    """
    folder = tiny.name.removeprefix("hf:")
    code = (
        "import functools, torch\n"
        "torch.compile = functools.partial(torch.compile, backend='eager')\n"
        "from probative.models.hf.model import HFModel\n"
        f"model = HFModel({folder!r}, device='cpu', dtype='float32', compiled=True)\n"
        f"print('SCORES', [score.log_probability for score in model.score({CHAIN!r})])\n"
        "layers = model._model.model.layers\n"
        "print('COMPILED', all(layer._compiled_call_impl is not None for layer in layers))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    printed = dict(line.split(" ", 1) for line in done.stdout.splitlines() if line[:1].isupper())
    assert "SCORES" in printed, done.stderr
    expected = [score.log_probability for score in tiny.score(CHAIN)]
    assert json.loads(printed["SCORES"]) == pytest.approx(expected, abs=1e-3)
    assert printed["COMPILED"] == "True"


def test_what_cannot_be_compiled_says_so(
    made: Callable[..., HFModel], monkeypatch: pytest.MonkeyPatch
) -> None:
    import torch

    model = made()

    def broken(*_: Any, **__: Any) -> Any:
        raise torch._dynamo.exc.InternalTorchDynamoError("raised:\nno compiler\nand more")

    monkeypatch.setattr(model._model, "forward", broken)
    with pytest.raises(ModelError, match="cannot compile this model: raised: no compiler\n") as raised:
        model.score([CHAIN[0]])
    assert "compile" in (raised.value.hint or "")


@pytest.mark.parametrize(
    ("kind", "more"),
    [
        ("Mistral", {"sliding_window": 40}),
        ("Gemma2", {"sliding_window": 40, "final_logit_softcapping": 5.0, "attn_logit_softcapping": 5.0}),
    ],
)
def test_packing_respects_windows_that_slide_and_what_follows_the_head(
    made: Callable[..., HFModel], kind: str, more: dict[str, Any]
) -> None:
    model = made(kind, **more)
    read = scores_one_by_one(model, [*CHAIN, CHAIN[0], CHAIN[1]])
    assert model._scorer.packs
    assert beginnings(model, CHAIN) < read < sum(len(prompt + end) for prompt, end in [*CHAIN, *CHAIN[:2]])


@pytest.mark.parametrize("raises", [True, False], ids=["raises", "ignores"])
def test_a_model_that_takes_no_such_mask_reads_sequences_one_by_one(
    made: Callable[..., HFModel], raises: bool
) -> None:
    model = made()
    forward = model._model.forward

    def deaf(ids: Any, attention_mask: Any = None, **options: Any) -> Any:
        if attention_mask is not None and attention_mask.ndim == 4:
            if raises:
                raise ValueError("wrong shape for the attention mask")
            attention_mask = None
        return forward(ids, attention_mask=attention_mask, **options)

    model._model.forward = deaf
    assert scores_one_by_one(model, CHAIN[1:]) == sum(
        len(model._joined([Pair(prompt=a, continuation=b)])[0].ids) for a, b in CHAIN[1:]
    )
    assert model._scorer.packs is False


def test_a_head_without_a_hook_gives_the_same(made: Callable[..., HFModel]) -> None:
    model = made()
    model._model.get_output_embeddings()._forward_pre_hooks.clear()
    assert scores_one_by_one(model, CHAIN) < sum(len(prompt + end) for prompt, end in CHAIN)


def test_threads_do_not_disturb_each_other(tiny: HFModel) -> None:
    from concurrent.futures import ThreadPoolExecutor

    expected = [score.log_probability for score in tiny.score(CHAIN)]
    with ThreadPoolExecutor(4) as pool:
        for scores in pool.map(lambda _: tiny.score(CHAIN), range(12)):
            assert [score.log_probability for score in scores] == pytest.approx(expected, abs=1e-4)


TEXTS = ["the <|im_end|> path", "<|im_end|>", "Fög 🙂日本 the\n\tend ", "  th th", "e\u0301 ﬁ", "a"]


@pytest.mark.parametrize("text", TEXTS)
def test_the_fast_tokenizer_joins_as_the_slow_way_does(tiny: HFModel, text: str) -> None:
    wrapped = tiny._tokenizer(
        text, add_special_tokens=False, return_offsets_mapping=True, split_special_tokens=True
    )
    assert tiny._encode_texts([text]) == [(wrapped["input_ids"], wrapped["offset_mapping"])]
    pairs = [Pair(prompt=text[:cut], continuation=text[cut:]) for cut in range(len(text))]
    expected = [
        join(wrapped["input_ids"], wrapped["offset_mapping"], cut, tiny._first) for cut in range(len(text))
    ]
    assert tiny._joined(pairs) == expected
    assert 0 not in tiny._encode_texts([text])[0][0]


def test_characters_that_no_token_covers_are_the_next_tokens(
    tiny: HFModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tokenizer that leaves spaces out of its tokens' spans, as many byte-level ones do."""
    from tokenizers.processors import ByteLevel

    monkeypatch.setattr(tiny._text, "post_processor", ByteLevel(trim_offsets=True))
    ((ids, offsets),) = tiny._encode_texts(["a th"])
    assert tiny._text.encode("a th").char_to_token(1) is None
    assert tiny._joined([Pair(prompt="a", continuation=" th")]) == [join(ids, offsets, 1, None)]


def test_without_a_fast_tokenizer_the_wrapper_is_asked(
    tiny: HFModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    pairs = [Pair(prompt=prompt, continuation=end) for prompt, end in CHAIN]
    expected = tiny._joined(pairs)
    monkeypatch.setitem(tiny.__dict__, "_text", None)
    assert tiny._joined(pairs) == expected
