"""A corpus of ships, questions about them, and models that answer from a script."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from letter_encoder import LetterEncoder

from probative import Corpus, Session
from probative.models.evidence_policy import PolicyScores, PolicyState
from probative.models.types import Request
from probative.models.verdict import VerdictItem, VerdictScores
from probative.settings import Settings
from probative.testing import ScriptedModel, ScriptedPolicy, ScriptedVerdict

SHIPS = (
    "Lark",
    "Heron",
    "Gannet",
    "Petrel",
    "Curlew",
    "Plover",
    "Tern",
    "Eider",
    "Godwit",
    "Avocet",
    "Dunlin",
    "Knot",
)
TOWNS = (
    "Molde",
    "Bergen",
    "Narvik",
    "Oslo",
    "Arendal",
    "Vardal",
    "Larvik",
    "Halden",
    "Drammen",
    "Moss",
    "Horten",
    "Hamar",
)
# How the ships are asked for: the words preset finds their passages, and the model writes the town.
ARGUMENTS: dict[str, Any] = {"preset": "words", "answering": "written"}
# Nine answers without an error are enough: 0.7^9 = 0.04.
ALPHA = 0.3


def corpus(folder: Path) -> Corpus:
    """Return the corpus of the ships, in an index of its own."""
    from probative import index_folder

    documents = folder / "ships"
    documents.mkdir(exist_ok=True)
    for ship, town in zip(SHIPS, TOWNS, strict=True):
        text = f"The {ship} was built in {town} by two brothers.\n"
        (documents / f"{ship}.txt").write_text(text, encoding="utf-8")
    index_folder(documents, folder / "index", vectors=False)
    return Corpus.open(folder / "index", vectors=False)


def questions(folder: Path) -> Path:
    """Return a file with a question for each ship."""
    file = folder / "questions.txt"
    file.write_text("".join(f"In which town was the {ship} built?\n" for ship in SHIPS), encoding="utf-8")
    return file


def town_of(request: Request) -> str:
    """Return the reply of the model: the town of the ship that the question names."""
    asked = request.messages[-1].content.rpartition("Question:")[2]
    return next((f"{town} [1]" for ship, town in zip(SHIPS, TOWNS, strict=True) if ship in asked), "unknown")


def scores(item: VerdictItem) -> VerdictScores:
    """Return that the evidence supports each claim."""
    return VerdictScores(0.97, 0.01, 0.02, (1.0,) * len(item.evidence))


def session(fingerprint: str = "scripted:ships", **changes: Any) -> Session:
    """Return a session whose model knows the town of each ship."""
    tools: dict[str, Any] = {
        "encoder": LetterEncoder(),
        "model": ScriptedModel(generate=town_of, fingerprint=fingerprint),
        "verdict": ScriptedVerdict(scores, fingerprint="scripted:verdict"),
        "settings": Settings(cache=False),
    }
    return Session(**{**tools, **changes})


def by_ship(state: PolicyState) -> PolicyScores:
    """Choose the passage of the ship that is asked for."""
    named = [any(ship in state.query and ship in text for ship in SHIPS) for text in state.candidates]
    return PolicyScores(tuple(4.0 if is_named else -4.0 for is_named in named), 9.0, -9.0)


def asking(gate: Callable[[], object] = lambda: None, fingerprint: str = "scripted:ships") -> Session:
    """Return a session for a server: its reader knows the town of each ship, and waits for the gate first."""

    def read(request: Request) -> dict[str, float]:
        gate()
        return {town_of(request).removesuffix(" [1]"): 0.95, "unknown": 0.02}

    return session(
        model=ScriptedModel(
            generate=lambda request: next(iter(read(request))),
            alternatives=read,
            reader=True,
            fingerprint=fingerprint,
        ),
        policy=ScriptedPolicy(by_ship),
    )


def label(file: Path, *, wrong: int = 0, left: int = 0) -> None:
    """Label the lines that count: the first `wrong` are wrong, and the last `left` stay without a label."""
    header, *lines = file.read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    counting = [row for row in rows if row["counts"]]
    for number, row in enumerate(counting[: len(counting) - left]):
        row["right"] = number >= wrong
    file.write_text("\n".join([header, *map(json.dumps, rows), ""]), encoding="utf-8")
