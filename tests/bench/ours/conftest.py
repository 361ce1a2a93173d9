"""Tiny data in the published forms, and a lab whose models are scripted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from answer_verdicts import by_words
from data_sets import multihop_row, write_json, write_lines, write_reported_sets
from word_vectors import WordVectors

from probative import Session, load_settings
from probative.bench.data.splits import in_tuned_documents
from probative.bench.study import Lab, Settings
from probative.models.evidence_policy import PolicyScores, PolicyState
from probative.models.verdict import VerdictItem, VerdictScores
from probative.testing import ScriptedModel, ScriptedPolicy, ScriptedVerdict

FERRY = (
    "The ferry Lark was built in Molde.",
    "It carried salt.",
    "A heron is a bird.",
    "Its captain was Ole.",
)
FIRST_BORN = {
    "_id": "born",
    "question": "Who was born first, Ada Berg or Ole Brandt?",
    "answer": "Ada Berg",
    "type": "comparison",
    "supporting_facts": [["Ada Berg", 0], ["Ole Brandt", 0]],
    "context": [
        ["Ada Berg", ["Ada Berg was born on 3 May 1871."]],
        ["Ole Brandt", ["Ole Brandt was born on 9 July 1880."]],
        ["Rope", ["Rope is made of hemp."]],
    ],
}


def score(prompt: str, continuation: str) -> float:
    """Of sentences, the one with salt is strong; of answers, Voss and Ole Brandt are likely."""
    likely = any(name in continuation for name in ("Voss", "Ole Brandt"))
    return 0.0 if likely or "salt" in prompt else -1000.0


def weigh(state: PolicyState) -> PolicyScores:
    """The sentence with salt comes first; nothing carries a claim on herons."""
    scores = tuple(9.0 if "salt" in text else float(-at) for at, text in enumerate(state.candidates))
    return PolicyScores(scores, -20.0, 30.0 if "heron" in state.query else -20.0)


def verdict(item: VerdictItem) -> VerdictScores:
    """Support every answer; a sentence without a question is denied by others that lack a word of it."""
    if "?" not in item.claim:
        return by_words(item)
    return VerdictScores(0.9, 0.05, 0.05, tuple(1 / len(item.evidence) for _ in item.evidence))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    write_reported_sets(folder)
    write_json(
        folder / "hotpotqa/hotpot_dev_distractor_sample.json",
        [multihop_row("hotpot", "Tern"), FIRST_BORN],
    )
    document = next(f"ferry{n}" for n in range(99) if not in_tuned_documents(f"ferry{n}"))
    (folder / "eraser/fever/docs" / document).write_text("\n".join(FERRY), encoding="utf-8")
    write_lines(
        folder / "eraser/fever/val.jsonl",
        [
            {
                "annotation_id": query,
                "query": query,
                "evidences": [[{"docid": document, "start_sentence": gold, "end_sentence": gold + 1}]],
                "classification": label,
            }
            for query, gold, label in (
                ("The boat took salt.", 1, "SUPPORTS"),
                ("Lark was built in Molde.", 0, "SUPPORTS"),
                ("The heron sank.", 3, "REFUTES"),
            )
        ],
    )
    write_lines(
        folder / "wice/dev.jsonl",
        [
            {"claim": claim, "evidence": list(FERRY), "supporting_sentences": gold, "label": label}
            for claim, gold, label in (
                ("The boat took salt.", [[1]], "supported"),
                ("Lark was built in Molde.", [[0]], "partially_supported"),
                ("The heron sank.", [], "not_supported"),
            )
        ],
    )
    sank = "The ferry Lark sank in"
    write_lines(
        folder / "rgb/en_fact.json",
        [
            {
                "query": "In which year did the ferry Lark sink?",
                "answer": "1901",
                "fakeanswer": "1911",
                "positive": [f"{sank} 1901."],
                "positive_wrong": [f"{sank} 1911."],
                "negative": [],
            }
        ],
    )
    for name in ("nq", "msmarco"):
        question = {
            "question": "where was the ferry Lark built",
            "correct answer": "Molde",
            "incorrect answer": "Bergen",
            "adv_texts": ["The ferry Lark was built in Bergen.", "It was Bergen that built the ferry Lark."],
        }
        write_json(folder / f"poisonedrag/{name}.json", {"test1": question})
    return folder


@pytest.fixture
def model() -> ScriptedModel:
    return ScriptedModel(
        score=score,
        generate=lambda request: "Voss" if "Voss" in request.messages[-1].content else "Oslo",
        name="embedded:tiny",  # a small model: `ask` chooses by words
    )


@pytest.fixture
def lab(data: Path, model: ScriptedModel) -> Iterator[Lab]:
    with Session(
        model,
        encoder=WordVectors(),
        policy=ScriptedPolicy(weigh),
        verdict=ScriptedVerdict(verdict),
        settings=load_settings({"cache": False}),
    ) as session:
        yield Lab(session, None, Settings(data))
