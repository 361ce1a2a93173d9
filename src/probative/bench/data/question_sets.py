"""Questions with passages from further published sets, in one form, for the leaderboard and risk-coverage:
MuSiQue, RGB, PoisonedRAG, ConflictQA, PubMedQA, BioASQ and ProcessBank.

Of sets with a split (`probative.bench.splits`), the questions are those that figures are reported on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from probative.bench.data.conflicts import POISONED, accepted_answers
from probative.bench.data.files import read_json, read_lines, read_rows
from probative.bench.data.multihop import Question
from probative.bench.splits import in_tuned_quarter
from probative.text.sentences import split_sentences
from probative.types import Passage

_YES_NO = {"true": "yes", "false": "no"}


def read_musique(data: Path) -> Iterator[Question]:
    """Yield MuSiQue's questions that have an answer; the passages are its paragraphs."""
    for row in read_rows(data / "musique/train_sample.json"):
        if not row.get("answerable", True):
            continue
        paragraphs = row["paragraphs"]
        yield Question(
            id=str(row["id"]),
            text=str(row["question"]),
            answer=str(row["answer"]),
            kind=str(row["id"]).split("__")[0],
            passages=tuple(Passage(text=one["paragraph_text"], title=one["title"]) for one in paragraphs),
            gold=frozenset(index for index, one in enumerate(paragraphs) if one.get("is_supporting")),
            also=tuple(map(str, row.get("answer_aliases", ()))),
        )


def read_rgb_questions(data: Path) -> Iterator[Question]:
    """Yield RGB's English questions; the passages are its true documents, then those without the answer."""
    return _rgb(data / "rgb/en_fact.json")


def read_rgb_chinese(data: Path) -> Iterator[Question]:
    """Yield RGB's Chinese questions."""
    return _rgb(data / "rgb/zh_refine.json")


def _rgb(file: Path) -> Iterator[Question]:
    for row in read_lines(file):
        true, others = row["positive"], row["negative"]
        yield _question(
            str(row["id"]),
            row["query"],
            accepted_answers(row["answer"]),
            "single-hop",
            dict.fromkeys([*true, *others]),
            gold=set(true),
        )


def read_poisoned_questions(data: Path) -> Iterator[Question]:
    """Yield PoisonedRAG's questions; the passages are the adversarial texts, and no passage is gold."""
    for name in POISONED:
        for key, row in read_json(data / f"poisonedrag/{name}.json").items():
            yield _question(f"{name} {key}", row["question"], [row["correct answer"]], name, row["adv_texts"])


def read_conflicts(data: Path) -> Iterator[Question]:
    """Yield ConflictQA's questions (yes or no); the passages are the evidence of both sides.

    Which of the two is true depends on what the asked model answered, so no passage is gold.
    """
    file = data / "conflictqa/conflictQA-strategyQA-chatgpt.json"
    for number, row in enumerate(read_lines(file), 1):
        sides = (row["parametric_memory_aligned_evidence"], row["counter_memory_aligned_evidence"])
        truth = [_YES_NO.get(answer.casefold(), answer) for answer in row["ground_truth"]]
        yield _question(str(number), row["question"], truth, "conflict", [text for text in sides if text])


def read_pubmedqa(data: Path) -> Iterator[Question]:
    """Yield the questions (yes, no or maybe) of PubMedQA's test part with their abstracts."""
    tested = read_json(data / "pubmedqa/test_ground_truth.json")
    for key, row in read_json(data / "pubmedqa/ori_pqal.json").items():
        if key in tested:
            yield _question(key, row["QUESTION"], [tested[key]], "yes-no", row["CONTEXTS"])


def read_bioasq(data: Path) -> Iterator[Question]:
    """Yield BioASQ's yes/no questions and its factoid questions with their snippets, each question once."""
    seen: set[str] = set()
    for file in sorted((data / "bioasq").glob("**/*.json")):
        for row in read_json(file)["questions"]:
            text = " ".join(row["body"].split())
            accepted = _bioasq_answers(row)
            snippets = list(dict.fromkeys(snippet["text"] for snippet in row.get("snippets", ())))
            if not accepted or not snippets or in_tuned_quarter(text.casefold()) or text in seen:
                continue
            seen.add(text)
            yield _question(str(row["id"]), text, accepted, row["type"], snippets)


def _bioasq_answers(row: dict[str, Any]) -> list[str]:
    """Return the accepted answers of a yes/no or factoid question, and none for the other types."""
    answer = row.get("exact_answer", [])
    if row["type"] == "yesno":
        return [answer.lower()]
    if row["type"] != "factoid":
        return []
    entities = [answer] if isinstance(answer, str) else answer
    return [text for entity in entities for text in ([entity] if isinstance(entity, str) else entity)]


def read_processbank(data: Path) -> Iterator[Question]:
    """Yield ProcessBank's questions with the sentences of their paragraph; the answer is the right choice."""
    for file in sorted((data / "processbank/qa").iterdir(), key=lambda file: file.name):
        root = ElementTree.fromstring(file.read_text(encoding="utf-8"))
        text = " ".join((root.findtext("text") or file.name).split())
        if in_tuned_quarter(text):
            continue
        sentences = [sentence.text for sentence in split_sentences(text)]
        for index, row in enumerate(root.iter("question")):
            right = row.findtext(f"a{int(row.findtext('correct') or 0)}") or ""
            question = row.findtext("q") or ""
            yield _question(f"{file.stem}:{index}", question, [" ".join(right.split())], "process", sentences)


def _question(
    identifier: str,
    text: str,
    accepted: Sequence[str],
    kind: str,
    passages: Iterable[str],
    gold: set[str] | frozenset[str] = frozenset(),
) -> Question:
    texts = [passage for passage in passages if passage.strip()]
    return Question(
        id=identifier,
        text=" ".join(text.split()),
        answer=accepted[0],
        kind=kind,
        passages=tuple(Passage(text=passage) for passage in texts),
        gold=frozenset(index for index, passage in enumerate(texts) if passage in gold),
        also=tuple(accepted[1:]),
    )
