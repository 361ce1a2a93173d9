"""Tiny data in the formats of GIVE's data sets, and a model that answers its questions by a script.

Every question is about tar and rot, and every part of both graphs has an edge from tar to rot. Without near
entities (p = 0) the groups are {tar} and {rot}, and the question's relation is "slows": of the candidates,
"tar slows rot" is affirmed and "rot slows tar" denied, and the graph's own edges from tar to rot are the
expert knowledge. So each of give's three stages adds knowledge, and the model is asked three times.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from knowing import Given

from probative.models.types import Request
from probative.testing import ScriptedModel

# Two questions of each set with their gold answers.
STOP, FEED = "Does tar stop rot?", "Does tar feed rot?"
KIND, SLOW = "Is tar a kind of rot?", "Can tar slow rot?"
FIRST, SECOND = "Which of them is first?", "Which of them is second?"
KEPT, SLOWS = "Where is tar kept?", "What slows rot?"
EAT, SAILORS = "Do sailors eat tar?", "What do sailors do with tar?"
GOLD = {STOP: "yes", FEED: "no", KIND: "no", SLOW: "yes", FIRST: "tar", SECOND: "rot", KEPT: "barrel"}
GOLD[SLOWS] = "tar"

VECTORS = {
    "tar": [1.0, 0.0, 0.0],
    "salt": [0.9, 0.1, 0.0],
    "rot": [0.0, 1.0, 0.0],
    "rust": [0.1, 0.9, 0.0],
    "rope": [0.0, 0.0, 1.0],
}

Answers = Mapping[str, Mapping[str, str]]
"""The reply to each question by the kind of the prompt: direct, cot, rag, tog, graphrag, a, ac or ace."""


def write_data(folder: Path) -> Path:
    """Write the five sets and the two graphs; return the folder."""
    pubmed = {
        number: {"QUESTION": text, "CONTEXTS": [], "final_decision": GOLD[text]}
        for number, text in (("1", STOP), ("2", FEED))
    }
    _write(folder / "pubmedqa/ori_pqal.json", json.dumps(pubmed))
    _write(folder / "pubmedqa/test_ground_truth.json", json.dumps({"1": "yes", "2": "no"}))
    bioasq = [
        {"id": str(number), "type": "yesno", "body": text, "exact_answer": GOLD[text]}
        for number, text in enumerate((KIND, SLOW), 3)
    ]
    _write(folder / "bioasq/golden.json", json.dumps({"questions": bioasq}))
    asked = "".join(
        f"<question><q>{text}</q><a0>tar</a0><a1>rot</a1><correct>{place}</correct></question>"
        for place, text in enumerate((FIRST, SECOND))
    )
    paragraph = f"<annotation><text>About tar.</text><questions>{asked}</questions></annotation>"
    _write(folder / "processbank/qa/p", paragraph)
    commonsense = [
        _commonsense("5", KEPT, ("barrel", "cloud"), "A"),
        _commonsense("6", SLOWS, ("boat", "tar"), "B"),
    ]
    _write(folder / "commonsenseqa/dev_rand_split.jsonl", "\n".join(map(json.dumps, commonsense)))
    _write(
        folder / "truthfulqa/TruthfulQA.csv",
        "\ufeffType,Category,Question,Best Answer,Correct Answers,Incorrect Answers,Source\n"
        f'Adversarial,Food,{EAT},"No, sailors do not eat tar","No","Yes",none\n'
        f"Adversarial,Trade,{SAILORS},Sailors paint boats with tar,They paint,They eat,none\n",
    )
    _write(folder / "umls/train.tsv", "tar\tstops\trot\nsalt\tstops\trot\nrot\tharms\trope\n")
    _write(folder / "umls/test.tsv", "rust\tharms\trope\n")
    _write(folder / "umls/entity2text.txt", "".join(f"{name}\t{name}\n" for name in VECTORS))
    _write(folder / "umls/relation2text.txt", "stops\tstops\nharms\tharms\n")
    # Ten triples: a tenth of them is one.
    _write(
        folder / "conceptnet100k/train.txt", "".join(f"{name}\ttar\trot\n" for name in map(_kind, range(10)))
    )
    return folder


def answering_model(answers: Answers, judge: str = "1. 1") -> ScriptedModel:
    """Return a model that makes tar and rot the entities of every question, and answers by the script."""

    def reply(request: Request) -> str:
        prompt = request.messages[-1].content
        if request.json_schema is not None:
            known = {"entities": ["tar", "rot"], "relations": ["slows"]}
            return json.dumps({name: known[name] for name in request.json_schema["properties"]})
        for start, text in _FIXED.items():
            if prompt.startswith(start):
                return text
        if prompt.startswith("You check statements"):
            return "yes" if "Statement: tar" in prompt else "no"
        if prompt.endswith("Phrase:"):
            return "none"
        question = next(text for text in answers if f"Question: {text}" in prompt)
        kind = prompt_kind(prompt)
        answer = answers[question][kind]
        if kind == "graphrag" and "Helped:" in prompt:
            return f"{answer}\nHelped: 90"
        return f"It is known.\nAnswer: {answer}" if kind == "cot" else answer

    return ScriptedModel(generate=reply)


def prompt_kind(prompt: str) -> str:
    """Return which method, or which stage of give, a prompt belongs to."""
    if prompt.startswith("Think about"):
        return "cot"
    for sign, kind in _SIGNS.items():
        if sign in prompt:
            return kind
    return "direct"


def given_encoder() -> Given:
    """Return the encoder of the tiny graphs."""
    return Given(VECTORS)


_FIXED = {
    "To answer a question, someone walks": "1. 9",
    "Below are a question and facts": "yes",
    "Below is one part of a knowledge graph": "Tar stops rot.",
}
_SIGNS = {
    "Report: ": "graphrag",
    "Answers from parts of a knowledge graph": "graphrag",
    "What an expert knowledge graph says": "ace",
    "What seems not to hold": "ac",
    "What seems to hold": "a",
    "What a knowledge graph says: (": "tog",
    "What a knowledge graph says": "rag",
}


def _commonsense(identifier: str, text: str, choices: tuple[str, ...], key: str) -> dict[str, object]:
    offered = [{"label": label, "text": choice} for label, choice in zip("AB", choices, strict=True)]
    return {"id": identifier, "answerKey": key, "question": {"stem": text, "choices": offered}}


def _kind(number: int) -> str:
    return f"Relation{chr(ord('A') + number)}"


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
