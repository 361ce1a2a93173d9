"""A published classifier as verdict model: tiny, random and made here; its classes say what it may judge."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from tiny import write_bert

from probative import InputError, ModelError, Session, SettingsError, judge
from probative.models.hf.runtime import readable_tokens, usable_device
from probative.models.hf.verdict import HFVerdict, verdict_classes
from probative.models.verdict import VerdictItem, evidence_limits
from probative.settings import load_settings
from probative.types import Verdict

pytestmark = pytest.mark.model

pytest.importorskip("transformers")

NLI = {0: "contradiction", 1: "entailment", 2: "neutral"}
ITEM = VerdictItem("the ferry left at 7", ("the ferry left the harbour at 7", "gulls nest"))


def write_classifier(folder: Path, names: dict[int, str]) -> Path:
    """Write a random BERT of one layer with these classes."""
    labels = {"id2label": names, "label2id": {name: place for place, name in names.items()}}
    kind = "BertForSequenceClassification"
    return write_bert(folder, kind, tokens=32, initializer_range=1.0, **labels)


@pytest.fixture(scope="module")
def classifier(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_classifier(tmp_path_factory.mktemp("nli"), NLI)


def by_transformers(folder: Path, premise: str, claim: str) -> np.ndarray:
    """Return the probabilities of the classes, by transformers itself."""
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    inputs = AutoTokenizer.from_pretrained(folder)(premise, claim, return_tensors="pt")
    with torch.inference_mode():
        logits = AutoModelForSequenceClassification.from_pretrained(folder).eval()(**inputs).logits[0]
    return np.asarray(logits.softmax(-1))


def test_the_scores_are_those_of_the_classifier(classifier: Path) -> None:
    model = HFVerdict(str(classifier))
    (scores,) = model.judge([ITEM])
    expected = by_transformers(classifier, " ".join(ITEM.evidence), ITEM.claim)
    assert scores[:3] == pytest.approx((expected[1], expected[0], expected[2]), abs=1e-5)
    alone = [
        by_transformers(classifier, text, ITEM.claim)[int(np.argmax(expected))] for text in ITEM.evidence
    ]
    assert scores.deciding == pytest.approx(np.array(alone) / sum(alone), abs=1e-5)
    assert model.usage.calls == 1


def test_segments_of_a_pair_are_told_apart(classifier: Path) -> None:
    model = HFVerdict(str(classifier))
    swapped = VerdictItem(ITEM.evidence[0], (ITEM.claim,))
    straight, other = model.judge([VerdictItem(ITEM.claim, (ITEM.evidence[0],)), swapped])
    assert straight[:3] != pytest.approx(other[:3], abs=1e-6)


def test_a_long_window_is_an_error_of_its_item_alone(classifier: Path) -> None:
    long = VerdictItem("the ferry left", ("gulls nest " * 40,))
    outcomes = HFVerdict(str(classifier)).judge_each([long, ITEM])
    assert isinstance(outcomes[0], ModelError)
    assert not isinstance(outcomes[1], ModelError)


def test_long_evidence_is_read_in_the_window_of_the_model(
    classifier: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """This model reads 32 tokens: of the sentences those that share most with the claim, not the first."""
    claim, relevant = "The ferry left at 7.", "The ferry left the harbour at 7."
    model = HFVerdict(str(classifier))
    assert evidence_limits(model, claim).tokens == 32 - 3 - model.count_tokens([claim])[0]
    asked: list[VerdictItem] = []
    judge_each = model.judge_each
    monkeypatch.setattr(model, "judge_each", lambda items: asked.extend(items) or judge_each(items))
    judgement = judge(claim, "Gulls nest. " * 20 + relevant, verdict=model)
    assert judgement.judged
    assert asked[0].evidence == ("Gulls nest.", relevant)


def test_the_positions_of_roberta_start_behind_its_padding() -> None:
    from transformers import RobertaConfig, RobertaModel

    sizes = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 8}
    model = RobertaModel(RobertaConfig(vocab_size=12, max_position_embeddings=34, pad_token_id=1, **sizes))
    assert readable_tokens(model, SimpleNamespace(model_max_length=10**30)) == 32
    assert readable_tokens(model, SimpleNamespace(model_max_length=20)) == 20


def test_other_names_of_the_classes_have_other_keys_in_the_cache(classifier: Path, tmp_path: Path) -> None:
    swapped = {0: "entailment", 1: "contradiction", 2: "neutral"}
    other = HFVerdict(str(write_classifier(tmp_path / "swapped", swapped)))
    assert other.fingerprint != HFVerdict(str(classifier)).fingerprint


def test_a_device_is_chosen_by_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: False)
    assert usable_device(torch, "auto") == usable_device(torch, None) == torch.device("cpu")
    created: list[torch.device] = []
    monkeypatch.setattr(torch, "zeros", lambda size, device: created.append(device))
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: True)
    assert usable_device(torch, "auto") == torch.device("mps")
    assert usable_device(torch, "cuda:1") == torch.device("cuda", 1)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    assert usable_device(torch, "auto") == torch.device("cuda")
    with pytest.raises(InputError, match="cannot use the device 'nowhere'"):
        usable_device(torch, "nowhere")


@pytest.mark.parametrize(
    "names",
    [
        {0: "positive", 1: "negative"},
        {0: "LABEL_0", 1: "LABEL_1", 2: "LABEL_2"},
        {0: "entailment", 1: "neutral", 2: "contradiction", 3: "other"},
        {0: "neutral", 1: "contradiction"},
    ],
)
def test_other_classes_are_refused_with_a_sentence(names: dict[int, str], tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no verdicts on a claim") as caught:
        HFVerdict(str(write_classifier(tmp_path / "other", names)))
    assert "natural language inference" in caught.value.hint


def test_two_classes_never_contradict() -> None:
    places = verdict_classes({0: "Supported", 1: "Not_Supported"})
    assert places == {Verdict.SUPPORTED: 0, Verdict.INSUFFICIENT: 1}


def test_an_encoder_is_no_classifier(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="BertModel, no classifier") as caught:
        HFVerdict(str(write_bert(tmp_path)))
    assert "--verdict model" in caught.value.hint


def test_it_judges_by_its_name_everywhere(classifier: Path) -> None:
    name = f"hf:{classifier}"
    judgement = judge("The ferry left at 7.", "The ferry left the harbour at 7.", verdict=name)
    assert judgement.verdict_model == name
    with Session(verdict=name) as session:
        again = session.judge("The ferry left at 7.", "The ferry left the harbour at 7.")
    assert again.probabilities == judgement.probabilities


def test_a_setting_that_names_no_verdict_model_is_refused() -> None:
    with pytest.raises(SettingsError, match="verdict"):
        load_settings({"verdict": "openai:gpt"})
