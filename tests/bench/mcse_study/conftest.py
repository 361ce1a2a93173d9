"""Tiny data sets in their published forms, and a model whose choices were worked out by hand.

A HoVer claim of two hops has four sentences: filler, K1, the decoy D, K2; gold are K1 and K2. With the
grounding prompt the scripted log-probability is -10, +4 with K1, +1 with K2, +2 with D, and +3 if K1 and K2
stand together: alone, D is worth more than K2; together with K1, K2 is worth more. With the plain prompt only
D counts (+6). A claim of four hops has six sentences, four of them gold: -8, +1 for each (plain: +0.5).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from data_sets import write_json, write_lines
from word_vectors import WordVectors

from probative import Session, load_settings
from probative.bench.data.splits import in_tuned_documents
from probative.bench.study import Lab, Settings
from probative.models.verdict import VerdictItem, VerdictScores
from probative.testing import ScriptedModel, ScriptedVerdict

TWO_HOPS = ("Rope is made of hemp.", "Kappa1 sailed north.", "Decoy slept late.", "Kappa2 came home.")
FOUR_HOPS = ("Tar is black.", "Gale1 rose.", "Gale2 fell.", "Salt is white.", "Gale3 turned.", "Gale4 ended.")


def strength(prompt: str, continuation: str) -> float:
    if prompt.startswith("Claim:"):  # the policy: all next sentences are alike
        return -1.0
    grounded = prompt.startswith("According to")
    if "Gale" in prompt or "Storm" in continuation:
        return -8.0 + prompt.count("Gale") * (1.0 if grounded else 0.5)
    if not grounded:
        return -10.0 + 6 * ("Decoy" in prompt)
    first, second = "Kappa1" in prompt, "Kappa2" in prompt
    return -10.0 + 4 * first + second + 2 * ("Decoy" in prompt) + 3 * (first and second)


def verdict(item: VerdictItem) -> VerdictScores:
    """Supported by all four gales, or by both kappas."""
    text = " ".join(item.evidence)
    even = tuple(1 / len(item.evidence) for _ in item.evidence)
    if text.count("Gale") == 4 or text.count("Kappa") == 2:
        return VerdictScores(0.9, 0.05, 0.05, even)
    return VerdictScores(0.1, 0.1, 0.8, even)


def hover_row(
    uid: str, claim: str, sentences: tuple[str, ...], gold: list[str], label: str
) -> dict[str, Any]:
    context = [["First page", list(sentences[:2])], ["Second page", list(sentences[2:])]]
    return {"uid": uid, "claim": claim, "label": label, "context": context, "gold_sentences": gold}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    two = [TWO_HOPS[1], TWO_HOPS[3]]
    four = [text for text in FOUR_HOPS if text.startswith("Gale")]
    write_lines(
        folder / "hover/dev_with_text_sample.jsonl",
        [
            hover_row("two-a", "Voyage ended well.", TWO_HOPS, two, "SUPPORTED"),
            hover_row("two-b", "Crew survived.", TWO_HOPS, two, "SUPPORTED"),
            hover_row("false", "Ship sank.", TWO_HOPS, two, "NOT_SUPPORTED"),
            hover_row("four", "Storm passed.", FOUR_HOPS, four, "SUPPORTED"),
        ],
    )
    for name in ("fever", "multirc"):
        document = next(f"{name}{n}" for n in range(99) if not in_tuned_documents(f"{name}{n}"))
        docs = folder / "eraser" / name / "docs"
        docs.mkdir(parents=True)
        (docs / document).write_text("\n".join(TWO_HOPS), encoding="utf-8")
        spans = [{"docid": document, "start_sentence": n, "end_sentence": n + 1} for n in (1, 3)]
        labels = {"fever": ("SUPPORTS", "REFUTES"), "multirc": ("True", "False")}[name]
        write_lines(
            folder / "eraser" / name / "val.jsonl",
            [
                {
                    "annotation_id": f"{name}-{label}",
                    "query": "Voyage || ended well." if name == "multirc" else "Voyage ended well.",
                    "evidences": [spans[:1]] if name == "fever" else [spans],
                    "classification": label,
                }
                for label in labels
            ],
        )
    abstract = {"CONTEXTS": ["Decoy slept late. Kappa1 sailed north.", "Kappa2 came home."], "QUESTION": "?"}
    rows = {"11": {**abstract, "LONG_ANSWER": "Voyage ended well."}, "12": {**abstract, "LONG_ANSWER": "No."}}
    write_json(folder / "pubmedqa/ori_pqal.json", rows)
    write_json(folder / "pubmedqa/test_ground_truth.json", {"11": "yes"})
    return folder


@pytest.fixture
def model() -> ScriptedModel:
    return ScriptedModel(score=strength, generate="[2] [4]", name="scripted")


@pytest.fixture
def judge() -> ScriptedModel:
    """A judge that names the last two of three sentences and says yes, except to statements with a decoy."""

    def answer(request: Any) -> str:
        text = request.messages[-1].content
        if "Needed:" in text:
            return "[2] [3]"
        return "Perhaps." if "Decoy" in text else "Yes."

    return ScriptedModel(generate=answer, name="judge")


@pytest.fixture
def lab(data: Path, model: ScriptedModel, judge: ScriptedModel) -> Iterator[Lab]:
    settings = load_settings({"cache": False})
    with (
        Session(model, encoder=WordVectors(), verdict=ScriptedVerdict(verdict), settings=settings) as session,
        Session(judge, settings=settings) as judging,
    ):
        yield Lab(session, judging, Settings(data))
