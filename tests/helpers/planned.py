"""A small world with data of every study, and a scripted model that replies otherwise than the stand-ins of a
dry run: it denies and leaves out more.
"""

from __future__ import annotations

import gzip
import itertools
import json
import random
import re
from pathlib import Path

from coe_world import write_world
from data_sets import multihop_row, write_json, write_lines, write_reported_sets
from graph_questions import write_data

from probative.dry_run.prompts import reply_to
from probative.models.evidence_policy import PolicyScores, PolicyState
from probative.models.types import Request
from probative.models.verdict import VerdictItem, VerdictScores
from probative.settings import Settings
from probative.testing import ScriptedModel, ScriptedPolicy, ScriptedVerdict

THINGS = ("tar", "salt", "rot", "rust", "rope")
WORDS = ("heron", "mill", "pier", "ferry", "salt", "rope", "tide", "oak", "fog", "bell", "gull", "net")
_OTHER = {"yes": "no", "no": "yes", "maybe": "no"}


def write_all_sets(folder: Path) -> Path:
    """Write rows of every data set, in different sizes, and return the folder."""
    write_reported_sets(folder)
    write_data(folder)
    write_world(folder)
    for file, name in (
        ("hotpotqa/hotpot_dev_distractor_sample.json", "hotpot"),
        ("2wikimultihopqa/dev_sample.json", "wiki"),
    ):
        write_json(folder / file, [_longer(multihop_row(name, number), number) for number in range(30)])
    _write_graphs(folder)
    pairs = list(itertools.permutations(THINGS, 2))
    questions = {
        str(number): {
            "QUESTION": f"Does {head} stop {tail}?",
            "CONTEXTS": [f"It is said that {head} stops {tail}.", "The test was made twice."],
            "LONG_ANSWER": f"The {head} stops the {tail}.",
            "final_decision": "yes",
        }
        for number, (head, tail) in enumerate(pairs)
    }
    write_json(folder / "pubmedqa/ori_pqal.json", questions)
    write_json(folder / "pubmedqa/test_ground_truth.json", dict.fromkeys(questions, "yes"))
    write_lines(folder / "hover/dev_with_text_sample.jsonl", [_hover(number) for number in range(12)])
    write_lines(
        folder / "rgb/en_fact.json",
        [
            {
                "id": n,
                "query": f"In which town did the builder who launched the ferry Lark {n} live?",
                "answer": "Molde",
                "fakeanswer": "Bergen",
                "positive": [
                    f"The builder who launched the ferry Lark {n} was Ole Brandt. Ole Brandt lived in Molde."
                ],
                "positive_wrong": [f"The builder of the ferry Lark {n} lived in Bergen."],
                "negative": [f"The boat {n} was built of oak."] * n,
            }
            for n in range(20)
        ],
    )
    write_lines(
        folder / "conflictqa/conflictQA-strategyQA-chatgpt.json",
        [
            {
                "question": f"Can ferry {n} sail?",
                "ground_truth": ["true"],
                "parametric_memory_aligned_evidence": f"The ferry {n} can sail.",
                "counter_memory_aligned_evidence": f"The ferry {n} was broken up.",
                "memory_answer": "true",
                "counter_answer": "false",
            }
            for n in range(12)
        ],
    )
    for name in ("nq", "msmarco"):
        poisoned = {
            str(n): {
                "question": f"where was {name} boat {n} built",
                "correct answer": "Molde",
                "incorrect answer": "Bergen",
                "adv_texts": [f"The {name} boat {n} was built in Bergen."],
            }
            for n in range(10)
        }
        write_json(folder / f"poisonedrag/{name}.json", poisoned)
    rows = [
        {"set": "piers", "claim": f"Pier {n} is long.", "evidence": [f"Pier {n} is long."], "label": label}
        for n, label in enumerate(("supported", "contradicted", "insufficient") * 4)
    ]
    (folder / "verdict").mkdir()
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / "verdict/eval.jsonl.gz").write_bytes(gzip.compress(text.encode()))
    return folder


def _write_graphs(folder: Path) -> None:
    """Write two graphs in which a third of all pairs has one of three relations."""
    names = list(dict.fromkeys((*THINGS, *WORDS)))
    pairs = list(itertools.permutations(names, 2))[::3]
    edges = [(head, ("stops", "harms", "needs")[row % 3], tail) for row, (head, tail) in enumerate(pairs)]
    (folder / "umls/train.tsv").write_text("".join("\t".join(edge) + "\n" for edge in edges[:-3]))
    (folder / "umls/test.tsv").write_text("".join("\t".join(edge) + "\n" for edge in edges[-3:]))
    (folder / "umls/entity2text.txt").write_text("".join(f"{name}\t{name}\n" for name in names))
    relations = ("stops", "harms", "needs")
    (folder / "umls/relation2text.txt").write_text("".join(f"{name}\t{name}\n" for name in relations))
    (folder / "conceptnet100k/train.txt").write_text(
        "".join(f"{name.title()}\t{head}\t{tail}\n" for head, name, tail in edges)
    )


def other_reply(request: Request) -> str:
    """Return a reply with one of twenty yes or no turned round, one of five lists cut, and one of ten answers
    unknown.
    """
    text = reply_to(request) or "It is so."
    chance = random.Random(f"other {request.messages[-1].content} {request.sample}").random()
    if text in _OTHER:
        return _OTHER[text] if chance < 1 / 20 else text
    lines = text.splitlines()
    if len(lines) > 1 and re.match(r"\d+\. ", lines[0]):
        return "\n".join(lines[1:]) if chance < 1 / 5 else text
    cited = re.fullmatch(r".* \[\d+\]", text)
    return "unknown" if cited and chance < 1 / 10 else text


def other_model(name: str) -> ScriptedModel:
    """Return a model that gives these replies, chooses what they begin with, and scores by length; with
    "reader" in its name, a tuned reader.
    """

    def choose(prompt: str, options: tuple[str, ...]) -> list[float]:
        reply = other_reply(Request.user(prompt)).lower()
        return [3.0 if reply.startswith(option.strip().lower()) else 1.0 for option in options]

    reader = "reader" in name
    return ScriptedModel(
        generate=other_reply,
        alternatives=(lambda request: {other_reply(request): 0.8}) if reader else None,
        reader=reader,
        score=lambda prompt, text: -1.0 - len(prompt) % 7 - len(text) % 5,
        choose=choose,
        name=name,
    )


def other_policy() -> ScriptedPolicy:
    """Return an evidence policy that takes up to three sentences."""

    def weigh(state: PolicyState) -> PolicyScores:
        scores = tuple(float(len(text) % 9) for text in state.candidates)
        return PolicyScores(scores, 99.0 if len(state.chosen) > 2 else -9.0, -9.0)

    return ScriptedPolicy(weigh)


def other_verdict() -> ScriptedVerdict:
    """Return a verdict model that supports two claims of three."""

    def judge(item: VerdictItem) -> VerdictScores:
        deciding = tuple(1 / len(item.evidence) for _ in item.evidence)
        if len(item.claim) % 3:
            return VerdictScores(0.8, 0.1, 0.1, deciding)
        return VerdictScores(0.1, 0.1, 0.8, deciding)

    return ScriptedVerdict(judge)


def _longer(row: dict[str, object], number: int) -> dict[str, object]:
    """Return a multi-hop row with more pages."""
    pages = row["context"]
    assert isinstance(pages, list)
    more = [
        [f"{word} {number}", [f"The {word} stands by the road."]] for word in WORDS[: number % len(WORDS)]
    ]
    return {**row, "context": [*pages, *more]}


def _hover(number: int) -> dict[str, object]:
    """Return a claim of two or four hops."""
    gold = [f"The {word} {number} was old." for word in WORDS[: 4 if number % 2 else 2]]
    other = [f"The {word} {number} was sold." for word in WORDS[4 : 5 + number // 2]]
    return {
        "uid": f"hover{number}",
        "hpqa_id": f"hotpot{number}",
        "claim": f"The ferry {number} was older than its pier.",
        "num_hops": len(gold),
        "context": [["First", gold], ["Second", other]],
        "gold_sentences": gold,
        "label": "SUPPORTED",
    }


def open_scripted(name: str, settings: Settings) -> ScriptedModel:
    """Open the model ``scripted:NAME``."""
    return other_model(name)
