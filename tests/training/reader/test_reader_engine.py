"""The embedded engine reads what the reader was trained on: the same tokens."""

from __future__ import annotations

from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from probative.models import reader_prompts as reader  # noqa: E402
from probative.models.embedded.language import EmbeddedModel  # noqa: E402
from probative.models.types import Message, Request  # noqa: E402
from probative.types import Passage  # noqa: E402
from training.reader import prompts as reader_prompts  # noqa: E402
from training.reader.example import Example  # noqa: E402
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
