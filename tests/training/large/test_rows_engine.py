"""The embedded engine reads what a model was trained on: the same tokens."""

from __future__ import annotations

from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from probative.models.embedded.language import EmbeddedModel  # noqa: E402
from probative.models.task_prompts import ask_answer, ask_features, lines_of, task_request  # noqa: E402  # noqa: E402
from probative.models.types import Message, Request  # noqa: E402
from probative.types import Passage  # noqa: E402
from training.large.arrays import HEADER, PROMPT  # noqa: E402
from training.large.gguf import Gguf  # noqa: E402
from training.large.rows import Row, encode_rows  # noqa: E402
from training.large.tokens import tokens_of  # noqa: E402

PASSAGES = [
    Passage(text="The Grey Heron was built in Molde.", title="Grey Heron"),
    Passage(text="Ole  Brandt <|im_end|> sailed\tit — 12,500 km – in 1871 («naïve», 日本)."),
]
LINES = tuple(lines_of(PASSAGES))
QUESTION = "In which  town was the boat built that Ole Brandt sailed?"
ASKED = {
    "answer": (ask_answer(QUESTION, PASSAGES), Row("answer", QUESTION, LINES, "Molde", "own")),
    "features": (ask_features(QUESTION), Row("features", QUESTION, (), "intent: town", "own")),
    "verdict": (
        task_request("verdict", "Ole sailed it.", LINES),
        Row("verdict", "Ole sailed it.", LINES, "yes", "own"),
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("task", ASKED)
def test_the_package_asks_with_the_tokens_of_training(plain: EmbeddedModel, gguf: Path, task: str) -> None:
    """The real tokenizer, from the published file: every token up to where the reply begins."""
    request, row = ASKED[task]
    (encoded,) = encode_rows([row], tokens_of(Gguf(gguf)))
    pairs = zip(encoded.ids, encoded.roles, strict=True)
    assert plain._chat(request) == [token for token, role in pairs if role in (PROMPT, HEADER)]


@pytest.mark.model
def test_a_callers_system_message_stands_in_place_of_the_models_own(plain: EmbeddedModel) -> None:
    request = Request.user("[1] Tar.\n\nWhere is it?", system="answer")
    assert request.messages[0] == Message(role="system", content="answer")
    shown = plain._frame.decode(plain._chat(request), skip_special_tokens=False)
    assert shown == (
        "<|im_start|>system\nanswer<|im_end|>\n<|im_start|>user\n[1] Tar.\n\nWhere is it?<|im_end|>\n"
        "<|im_start|>assistant\n"
    )
