"""An embedded model and the same weights in float32, on a tiny Qwen2 model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tiny import write_qwen_gguf

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from probative.models.embedded.catalog import LARGE  # noqa: E402
from probative.models.embedded.fetch import sha256_of  # noqa: E402
from probative.models.embedded.language import EmbeddedModel  # noqa: E402
from probative.models.embedded.processor import sums_fit  # noqa: E402
from probative.models.embedded.shipped import tuned  # noqa: E402
from probative.models.embedded.store import Store  # noqa: E402
from training import parity  # noqa: E402
from training.large.gguf import Gguf  # noqa: E402
from training.large.model import add_adapters, load_model  # noqa: E402
from training.reader.lora import linear_layers, read_lora, save_adapter  # noqa: E402

DOCUMENTS = [
    {
        "id": "a",
        "title": "Log",
        "date": "2024",
        "text": "It rained. Ada left at 9. The shop was shut. Bo stayed.",
    },
    {"id": "b", "title": "Note", "date": None, "text": "Nobody came."},
]
DECIDES = [{"doc": "a", "text": "Ada left at 9."}]
BUNDLE = {
    "documents": DOCUMENTS,
    "claims": [{"claim": f"Ada left {n}.", "sentences": DECIDES} for n in range(4)]
    + [{"claim": "Nothing decides this.", "sentences": []}],
    "questions": [{"q": f"Who left {n}?", "sentences": DECIDES} for n in range(4)],
}


@pytest.fixture
def base(tmp_path: Path) -> Path:
    write_qwen_gguf(tmp_path / "tiny.gguf")
    return tmp_path / "tiny.gguf"


@pytest.fixture
def adapter(base: Path, tmp_path: Path) -> Path:
    torch.manual_seed(1)
    model = load_model(Gguf(base), torch.device("cpu"), torch.float32)
    add_adapters(model, rank=2, scale=1.0)
    for _, _, _, layer in linear_layers(model):
        torch.nn.init.normal_(layer.B, std=0.2)
    save_adapter(read_lora(model), tmp_path / "adapter.safetensors")
    return tmp_path / "adapter.safetensors"


@pytest.fixture
def model(base: Path, adapter: Path, tmp_path: Path) -> EmbeddedModel:
    source = LARGE.model_copy(update={"files": {base.name: sha256_of(base)}, "parts": ()})
    weights = Store(tmp_path / "weights").ensure(tuned(source, adapter), lambda what, part: None, origin=base)
    return EmbeddedModel(weights, name="embedded:large")


@pytest.fixture(autouse=True)
def _bundle(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(part: str) -> list[dict[str, Any]]:
        assert part == "tune"  # the report parts stay closed
        return [BUNDLE]

    monkeypatch.setattr(parity, "read_documents", read)


@pytest.mark.model
def test_rows_are_claims_and_questions_over_the_lines_that_decide(model: EmbeddedModel) -> None:
    rows = parity.draw_rows(model, 5, 1000)
    assert [row.is_claim for row in rows] == [True] * 3 + [False] * 2
    assert rows == parity.draw_rows(model, 5, 1000)
    asked = rows[0].request.messages[-1].content.splitlines()
    assert asked[1:-1] == ["# Log (2024)", "1. It rained.", "2. Ada left at 9.", "3. The shop was shut."]
    with pytest.raises(ValueError, match="only 0 prompts have at most 10 tokens, not 3"):
        parity.draw_rows(model, 5, 10)


@pytest.mark.model
def test_the_engine_agrees_with_float32_and_not_with_other_weights(
    model: EmbeddedModel, base: Path, adapter: Path
) -> None:
    rows = parity.draw_rows(model, 6, 1000)

    def compared(merged: Path | None) -> dict[str, Any]:
        return parity.compare(model, lambda: parity.exact_model(base, merged), rows, lambda text: None)

    same, plain = compared(adapter), compared(None)
    assert same["equal_verdicts"] == same["claims"] == 3
    rounded = 0.1 if sums_fit() else 0.2  # a large model's weights have 7 bits where sums of 8 overflow
    assert same["log_odds_apart"]["max"] < rounded < plain["log_odds_apart"]["mean"]
    assert same["equal_replies"] + len(same["different"]) == same["rows"] == 6
    assert plain["equal_replies"] < same["equal_replies"]


@pytest.mark.model
def test_the_command_prints_and_writes_the_figures(
    model: EmbeddedModel,
    base: Path,
    adapter: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(parity, "open_model", lambda rest, settings: {"large": model}[rest])
    monkeypatch.setattr(parity, "language_model", lambda name: tuned(LARGE, adapter))
    out = tmp_path / "parity.json"
    parity.main(f"--model embedded:large --base {base} --rows 2 --max-tokens 1000 --out {out}".split())
    figures = json.loads(out.read_text())
    assert (figures["model"], figures["rows"], figures["claims"]) == ("embedded:large", 2, 1)
    assert capsys.readouterr().out.splitlines()[-1] == parity.summary(figures)
