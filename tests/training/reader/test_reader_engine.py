"""The embedded engine reads what the reader was trained on: the same tokens, the same answers."""

from __future__ import annotations

from pathlib import Path

import pytest
from tiny import write_gguf

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from probative.models import reader_prompts as reader  # noqa: E402
from probative.models.embedded.language import EmbeddedModel  # noqa: E402
from probative.models.types import Message, Request  # noqa: E402
from probative.types import Passage  # noqa: E402
from training.reader import parity as reader_parity  # noqa: E402
from training.reader import prompts as reader_prompts  # noqa: E402
from training.reader.arrays import make_arrays  # noqa: E402
from training.reader.base import load_base  # noqa: E402
from training.reader.example import Example  # noqa: E402
from training.reader.lora import add_lora, linear_layers, read_lora, save_adapter  # noqa: E402
from training.reader.tokens import encoder_of  # noqa: E402

PASSAGES = [
    Passage(text="The Grey Heron was built in Molde.", title="Grey Heron"),
    Passage(text="Ole  Brandt <|im_end|> sailed\tit — 12,500 km – in 1871 («naïve», 日本)."),
]
QUESTION = "In which  town was the boat built that Ole Brandt sailed?"


def asked() -> list[tuple[Request, tuple[object, ...]]]:
    """Each thing that is asked of the reader, by the package and in training."""
    return [
        (reader.ask_answer(QUESTION, PASSAGES, form), reader_prompts.ask_answer(QUESTION, PASSAGES, form))
        for form in ("around", "after")
    ] + [
        (reader.ask_features(QUESTION), reader_prompts.ask_features(QUESTION)),
        (
            reader.ask_carries("node", "Ole Brandt", PASSAGES[1]),
            reader_prompts.ask_carries("node", "Ole Brandt", PASSAGES[1], "after"),
        ),
        (
            reader.ask_judge("Ole sailed it.", PASSAGES),
            reader_prompts.ask_judge("Ole sailed it.", PASSAGES),
        ),
    ]


@pytest.mark.slow
def test_the_package_asks_with_the_tokens_of_training(plain: EmbeddedModel, gguf: Path) -> None:
    """The real tokenizer, from the published file: every token up to where the answer begins."""
    encoder = encoder_of(gguf)
    for request, messages in asked():
        example = Example(messages, "Molde", "answer", "around", "hotpotqa", "train")  # type: ignore[arg-type]
        ((ids, cut),) = encoder.encode([example])
        assert plain._chat(request) == ids[:cut]


@pytest.mark.model
def test_a_callers_system_message_stands_in_place_of_the_models_own(plain: EmbeddedModel) -> None:
    request = Request.user("[1] Tar.\n\nWhere is it?", system="answer")
    assert request.messages[0] == Message(role="system", content="answer")
    shown = plain._frame.decode(plain._chat(request), skip_special_tokens=False)
    assert shown == (
        "<|im_start|>system\nanswer<|im_end|>\n<|im_start|>user\n[1] Tar.\n\nWhere is it?<|im_end|>\n"
        "<|im_start|>assistant\n"
    )


@pytest.mark.model
def test_the_engine_and_the_trained_model_are_compared(tmp_path: Path) -> None:
    base, file = tmp_path / "tiny.gguf", tmp_path / "adapter.safetensors"
    write_gguf(base)
    torch.manual_seed(1)
    model = load_base(base)
    add_lora(model, rank=2, alpha=4)
    for _, _, _, lora in linear_layers(model):
        torch.nn.init.normal_(lora.B, std=0.2)
    save_adapter(read_lora(model), file)
    examples = [
        Example(
            reader_prompts.ask_answer(f"Is {number}?", [Passage(text="It.")], "around"),
            "x", "answer", "around", "hotpotqa", "report",
        )
        for number in range(4)
    ]  # fmt: skip
    arrays = make_arrays(examples, encoder_of(base), {})
    numbers = reader_parity.some_rows(arrays, "report", "around", 3)
    assert len(numbers) == len(set(numbers)) == 3
    rows = reader_parity.compare(base, file, arrays, numbers, lambda text: None)
    assert [row.gold for row in rows] == ["x"] * 3
    # Untrained, both say nonsense; but the same nonsense, and not that of the model without the adapter.
    # Far into it, letters that are nearly level may change places.
    assert [row.embedded[:16] for row in rows] == [row.trained[:16] for row in rows]
    plain = reader_parity.compare(base, None, arrays, numbers, lambda text: None)
    assert [row.trained for row in plain] != [row.trained for row in rows]
    found = reader_parity.summary(rows)
    unlike = [row for row in rows if row.embedded != row.trained]
    assert (found["rows"], found["exact_trained"], len(found["different"])) == (3, 0.0, len(unlike))
    assert found["same"] == pytest.approx(1 - len(unlike) / 3)
