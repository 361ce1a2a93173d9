"""Models by simple rules, files and a server for the golden surfaces: the same on every processor."""

from __future__ import annotations

import itertools
import os
import shutil
import tomllib
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

from knowing import knowing_model
from verdicts import shares
from word_vectors import WordVectors

import probative
from probative.models.embedded.catalog import LARGE
from probative.models.evidence_policy import PolicyScores, PolicyState
from probative.models.types import Request
from probative.models.verdict import VerdictItem, VerdictScores
from probative.testing import ScriptedModel, ScriptedPolicy, ScriptedVerdict
from probative.text.words import words

TESTS = Path(__file__).parent.parent
CASES = tomllib.loads((TESTS / "golden" / "surface_cases.toml").read_text(encoding="utf-8"))
CONTRACT = TESTS.parent / "examples" / "corpus" / "contracts" / "rope-supply-contract.pdf"
# Words that say nothing by themselves.
_SMALL = set(words("a and at by does for from has have how in is it many of on the to was where which who"))


def content(text: str) -> set[str]:
    """Return the words that say something, without those of a heading."""
    return set(words(text.rpartition(": ")[2])) - _SMALL


def read(request: Request) -> dict[str, float]:
    """Read the known answer, if the passages have it."""
    question, _, passages = request.messages[-1].content.partition("\n")
    answer = CASES["answers"].get(question.removeprefix("Question: "))
    return {answer: 0.98, "unknown": 0.01} if answer and answer in passages else {"unknown": 0.9}


def weigh(state: PolicyState) -> PolicyScores:
    """Prefer the words of the question that nothing chosen has, then those of what was chosen."""
    chosen = content(" ".join(state.chosen))
    left, known = content(state.query) - chosen, content(state.query) | chosen
    scores = tuple(2.0 * len(left & content(text)) + len(known & content(text)) for text in state.candidates)
    is_enough = bool(state.chosen) and not any(left & content(text) for text in state.candidates)
    return PolicyScores(scores, 12.0 if is_enough else -3.0, -3.0 if any(scores) or state.chosen else 12.0)


def judge(item: VerdictItem) -> VerdictScores:
    """Support the known answer to a question, and a claim whose words all stand in the evidence; deny an
    answer where a sentence has another one, and a claim of which a sentence lacks only the numbers.
    """
    question, mark, answer = item.claim.rpartition("?")
    if mark:
        right = CASES["answers"].get(f"{question}?") == answer.strip(" .")
        held = [float(right and answer.strip(" .") in text) for text in item.evidence]
        others = [
            content(question) <= content(text) and answer.strip(" .") not in text for text in item.evidence
        ]
        return _scores(held, [float(other) for other in others])
    claim = content(item.claim)
    gaps = [claim - content(text) for text in item.evidence]
    denied = [float(bool(gap) and len(gap) < len(claim) and all(map(_is_number, gap))) for gap in gaps]
    is_stated = claim <= set().union(*map(content, item.evidence))
    return _scores([float(is_stated and len(gap) < len(claim)) for gap in gaps], denied)


def _is_number(word: str) -> bool:
    return word[0].isdigit()


def _scores(stating: list[float], denying: list[float]) -> VerdictScores:
    if any(stating):
        return VerdictScores(0.995, 0.002, 0.003, shares(stating))
    if any(denying):
        return VerdictScores(0.003, 0.99, 0.007, shares(denying))
    return VerdictScores(0.02, 0.02, 0.96, shares([1.0] * len(stating)))


class NamedVectors(WordVectors):
    """Word vectors that are the same in every session."""

    fingerprint = "scripted"


def scripted_tools() -> dict[str, Any]:
    """Return a reader, a policy, a verdict model and an encoder, which take the places of the embedded."""
    mill = knowing_model(**CASES["mill"])

    def generate(request: Request) -> str:
        if request.messages[0].content == "answer":
            return next(iter(read(request)))
        if "Claim:" in request.messages[-1].content:
            return "[2]"
        return mill.generate([request])[0].text

    model = ScriptedModel(
        generate=generate,
        alternatives=read,
        choose=lambda prompt, options: [1.0 / (place + 1) for place, _ in enumerate(options)],
        score=lambda prompt, text: -1.0 - len(content(text) - content(prompt)),
        name="embedded",
        reader=True,
        fingerprint="scripted",
    )
    return {
        "model": model,
        "policy": ScriptedPolicy(weigh, name="embedded"),
        "verdict": ScriptedVerdict(judge, name="embedded", fingerprint="scripted"),
        "encoder": NamedVectors(),
    }


@contextmanager
def golden_folder(folder: Path) -> Iterator[Path]:
    """Work in a new folder with the files of the cases; every session has the scripted models."""
    home, work = folder / "home", folder / "work"
    for name, text in CASES["files"].items():
        (work / name).parent.mkdir(parents=True, exist_ok=True)
        (work / name).write_text(text.lstrip("\n"), encoding="utf-8")
    shutil.copyfile(CONTRACT, work / "documents" / "contract.pdf")
    home.mkdir()
    (home / "weights").mkdir()
    for model in probative.load_settings().weights_folder.resolve().iterdir():
        if not model.name.startswith(LARGE.name):  # that one may be here or not
            (home / "weights" / model.name).symlink_to(model)
    init = probative.Session.__init__

    def scripted(self: probative.Session, *args: Any, **given: Any) -> None:
        init(self, *args, **(given if args else {**scripted_tools(), **given}))

    numbers = itertools.count()
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PROBATIVE_")}
    own = {"PROBATIVE_HOME": str(home), "XDG_CONFIG_HOME": str(folder), "PROBATIVE_CACHE": "false"}
    with (
        chdir(work),
        mock.patch.object(probative.Session, "__init__", scripted),
        mock.patch("secrets.token_urlsafe", side_effect=lambda size: f"RUN{next(numbers):013}"),
        mock.patch.dict(os.environ, {**kept, **own}, clear=True),
    ):
        yield work
