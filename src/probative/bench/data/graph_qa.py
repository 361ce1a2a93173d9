"""Questions to be answered with a graph, and the graphs: PubMedQA, BioASQ and ProcessBank with UMLS,
CommonsenseQA with ConceptNet 100k. Each is read in its published format.

A question is given without its text: no abstract, no paragraph, no long answer, as in the paper. The part
that is evaluated and the part that one may look at (to choose settings, to take examples from) share no
question, and of ProcessBank no paragraph. The examples in Probative's own prompts come from neither.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from xml.etree import ElementTree

from probative import Graph
from probative.give.query import YES_NO, Form

GRAPHS = {"pubmedqa": "umls", "bioasq": "umls", "processbank": "umls", "csqa": "conceptnet"}
# One in so many questions may be looked at; PubMedQA has a published test part instead.
SEEN = 4


@dataclass(frozen=True)
class Case:
    """A question, what may be answered (None: yes, no or maybe), and the right answer."""

    id: str
    question: str
    choices: tuple[str, ...] | None
    form: Form
    gold: str
    tuning: bool

    @property
    def options(self) -> tuple[str, ...]:
        """What may be answered."""
        return self.choices or YES_NO


def read_cases(data: Path, name: str, *, tuning: bool = False) -> list[Case]:
    """All questions of a set that are evaluated, or all that may be looked at; each question once."""
    found: dict[tuple[str, tuple[str, ...] | None], Case] = {}
    for case in SETS[name](data):
        if case.tuning == tuning:
            found.setdefault((case.question.casefold(), case.choices), case)
    return list(found.values())


def drawn(cases: Sequence[Case], count: int, seed: int = 0) -> list[Case]:
    """So many of the questions, the same ones for the same seed; a larger number holds the smaller.

    >>> cases = [Case(str(n), f"Is {n} even?", None, "yes-no", "no", False) for n in range(9)]
    >>> [case.id for case in drawn(cases, 3)] == [case.id for case in drawn(cases, 5)][:3]
    True
    """
    order = sorted(cases, key=lambda case: case.id)
    random.Random(f"{seed}:{len(order)}").shuffle(order)
    return order[:count]


def _pubmedqa(data: Path) -> Iterable[Case]:
    rows = json.loads((data / "pubmedqa/ori_pqal.json").read_text(encoding="utf-8"))
    tested = json.loads((data / "pubmedqa/test_ground_truth.json").read_text(encoding="utf-8"))
    for key, row in rows.items():
        gold = tested.get(key, row["final_decision"])
        yield Case(key, _plain(row["QUESTION"]), None, "yes-no", gold, key not in tested)


def _bioasq(data: Path) -> Iterable[Case]:
    for file in sorted((data / "bioasq").glob("**/*.json")):
        for row in json.loads(file.read_text(encoding="utf-8"))["questions"]:
            if row["type"] == "yesno":
                question = _plain(row["body"])
                yield Case(
                    row["id"],
                    question,
                    None,
                    "yes-no",
                    row["exact_answer"].lower(),
                    _seen(question.casefold()),
                )


def _processbank(data: Path) -> Iterable[Case]:
    for file in sorted((data / "processbank/qa").iterdir(), key=lambda one: one.name):
        root = ElementTree.fromstring(file.read_text(encoding="utf-8"))
        paragraph = _plain(root.findtext("text") or file.name)
        for place, row in enumerate(root.iter("question")):
            choices = _distinct([_plain(row.findtext(tag) or "") for tag in ("a0", "a1")])
            gold = _plain(row.findtext(f"a{int(row.findtext('correct') or 0)}") or "")
            if len(choices) == 2:
                yield Case(
                    id=f"{file.stem}:{place}",
                    question=_plain(row.findtext("q") or ""),
                    choices=choices,
                    form="choice",
                    gold=gold,
                    tuning=_seen(paragraph),
                )


def _csqa(data: Path) -> Iterable[Case]:
    for line in (data / "commonsenseqa/dev_rand_split.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        texts = {one["label"]: _plain(one["text"]) for one in row["question"]["choices"]}
        choices = _distinct(list(texts.values()))
        right = texts[row["answerKey"]].casefold()
        question = _plain(row["question"]["stem"])
        yield Case(
            id=row["id"],
            question=question,
            choices=choices,
            form="choice",
            gold=next(one for one in choices if one.casefold() == right),
            tuning=_seen(question.casefold()),
        )


SETS: dict[str, Callable[[Path], Iterable[Case]]] = {
    "pubmedqa": _pubmedqa,
    "bioasq": _bioasq,
    "processbank": _processbank,
    "csqa": _csqa,
}


def open_graph(data: Path, name: str) -> Graph:
    """The graph of this name, its entities and relations named for people.

    UMLS is train and test, 5,877 triples (the paper's number); ConceptNet 100k is train, whose triples are
    all true (the other parts mix in false ones).
    """
    if name == "umls":
        lines = [*_lines(data / "umls/train.tsv"), *_lines(data / "umls/test.tsv")]
        entities = dict(_lines(data / "umls/entity2text.txt"))
        relations = dict(_lines(data / "umls/relation2text.txt"))
        return Graph.from_triples(
            (entities[head], relations[relation], entities[tail]) for head, relation, tail in lines
        )
    lines = _lines(data / "conceptnet100k/train.txt")
    return Graph.from_triples((head, spaced(relation), tail) for relation, head, tail in lines)


def spaced(name: str) -> str:
    """A relation of ConceptNet in words.

    >>> spaced("AtLocation"), spaced("IsA"), spaced("NotHasProperty")
    ('at location', 'is a', 'not has property')
    """
    return re.sub(r"(?<!^)(?=[A-Z])", " ", name).lower()


def _lines(file: Path) -> list[list[str]]:
    return [line.split("\t") for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]


def _plain(text: str) -> str:
    return " ".join(text.split())


def _distinct(texts: Sequence[str]) -> tuple[str, ...]:
    """Choices without those that repeat an earlier one; a few questions offer one choice twice."""
    found: dict[str, str] = {}
    for text in texts:
        found.setdefault(text.casefold(), text)
    return tuple(found.values())


def _seen(key: str) -> bool:
    """Whether what has this key belongs to the part that may be looked at."""
    return int(sha256(key.encode()).hexdigest(), 16) % SEEN == 0
