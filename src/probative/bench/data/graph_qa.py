"""Questions to be answered with a graph, and the graphs: PubMedQA, BioASQ and ProcessBank with UMLS,
CommonsenseQA with ConceptNet 100k; and TruthfulQA. Each is read in its published format.

A question comes without its text (abstract, paragraph, long answer), as in the paper.
`probative.bench.data.splits` says which questions figures are reported on; the others may be looked at to
choose settings. The examples in Probative's own prompts are from neither.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from probative import Graph
from probative.bench.data.files import read_csv, read_json, read_lines, read_tsv, single_spaced
from probative.bench.data.questions import bioasq_rows, processbank_questions
from probative.bench.data.splits import in_tuned_quarter
from probative.bench.data.whole_graphs import open_whole_graph
from probative.give.query import YES_NO, Form
from probative.types import Value

PAPER_TASKS = (2, 3, 4)
"""The tasks of BioASQ that GIVE was measured on. No setting was tuned on them."""


@dataclass(frozen=True)
class Case:
    """A question, the answers to choose from (None: yes, no or maybe), and the gold answer."""

    id: str
    question: str
    choices: tuple[str, ...] | None
    form: Form
    gold: str
    tuning: bool

    @property
    def options(self) -> tuple[str, ...]:
        """The possible answers."""
        return self.choices or YES_NO


def read_cases(data: Path, name: str, *, tuning: bool = False) -> list[Case]:
    """Return all questions of a set that figures are reported on, or (`tuning`) the others; each question
    once.
    """
    cases: dict[tuple[str, tuple[str, ...] | None], Case] = {}
    for case in SETS[name](data):
        if case.tuning == tuning:
            cases.setdefault((case.question.casefold(), case.choices), case)
    return list(cases.values())


def read_all_cases(data: Path, name: str) -> list[Case]:
    """Return all questions of a set, also those that settings were tuned on, which are marked. Of PubMedQA
    these are the published test part, as in the paper.
    """
    tuned = [] if name == "pubmedqa" else read_cases(data, name, tuning=True)
    return [*read_cases(data, name), *tuned]


def drawn(cases: Sequence[Case], n: int, seed: int = 0) -> list[Case]:
    """Return n questions, the same ones for the same seed; a larger n contains those of a smaller one.

    >>> cases = [Case(str(n), f"Is {n} even?", None, "yes-no", "no", False) for n in range(9)]
    >>> [case.id for case in drawn(cases, 3)] == [case.id for case in drawn(cases, 5)][:3]
    True
    """
    order = sorted(cases, key=lambda case: case.id)
    random.Random(f"{seed}:{len(order)}").shuffle(order)
    return order[:n]


def _pubmedqa(data: Path) -> Iterable[Case]:
    rows = read_json(data / "pubmedqa/ori_pqal.json")
    tested = read_json(data / "pubmedqa/test_ground_truth.json")
    for key, row in rows.items():
        gold = tested.get(key, row["final_decision"])
        yield Case(key, single_spaced(row["QUESTION"]), None, "yes-no", gold, key not in tested)


def _bioasq(data: Path) -> Iterable[Case]:
    """Yield the yes/no questions of the paper's tasks, or of all tasks if none of these is there."""
    of_paper = list(bioasq_rows(data, PAPER_TASKS))
    for row in of_paper or bioasq_rows(data):
        if row["type"] == "yesno":
            question, gold = single_spaced(row["body"]), row["exact_answer"].lower().rstrip(".")
            tuning = not of_paper and in_tuned_quarter(question.casefold())
            yield Case(row["id"], question, None, "yes-no", gold, tuning)


def _processbank(data: Path) -> Iterable[Case]:
    for row in processbank_questions(data):
        choices = _distinct(row.choices)
        if len(choices) == 2:
            yield Case(row.id, row.text, choices, "choice", row.right, in_tuned_quarter(row.paragraph))


def _csqa(data: Path) -> Iterable[Case]:
    for row in read_lines(data / "commonsenseqa/dev_rand_split.jsonl"):
        texts = {choice["label"]: single_spaced(choice["text"]) for choice in row["question"]["choices"]}
        choices, right = _distinct(list(texts.values())), texts[row["answerKey"]].casefold()
        gold = next(choice for choice in choices if choice.casefold() == right)
        question = single_spaced(row["question"]["stem"])
        yield Case(row["id"], question, choices, "choice", gold, in_tuned_quarter(question.casefold()))


def _distinct(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the texts without repetitions; a few questions offer the same choice twice."""
    unique: dict[str, str] = {}
    for text in texts:
        unique.setdefault(text.casefold(), text)
    return tuple(unique.values())


SETS: dict[str, Callable[[Path], Iterable[Case]]] = {
    "pubmedqa": _pubmedqa,
    "bioasq": _bioasq,
    "processbank": _processbank,
    "csqa": _csqa,
}
SET_NAMES = {
    "pubmedqa": "PubMedQA",
    "bioasq": "BioASQ",
    "processbank": "ProcessBank",
    "csqa": "CommonsenseQA",
}
GRAPHS = {"pubmedqa": "umls", "bioasq": "umls", "processbank": "umls", "csqa": "conceptnet"}
"""The graph that the questions of a set are asked of."""


def open_graph(data: Path, name: str) -> Graph:
    """Return a graph with readable names of entities and relations, by its name or the path of one's own.

    UMLS is its train and test parts: 5,877 triples, the paper's number. ConceptNet 100k is its train part,
    whose triples are all true; the other parts contain false ones. The whole ones are of the sets
    "umls-whole" and "conceptnet-whole".
    """
    if name.removesuffix("-whole") not in GRAPHS.values():
        return Graph.open(name)
    if name.endswith("-whole"):
        return open_whole_graph(data, name)
    if name == "umls":
        lines = [*read_tsv(data / "umls/train.tsv"), *read_tsv(data / "umls/test.tsv")]
        entities = dict(read_tsv(data / "umls/entity2text.txt"))
        relations = dict(read_tsv(data / "umls/relation2text.txt"))
        return Graph.from_triples(
            (entities[head], relations[relation], entities[tail]) for head, relation, tail in lines
        )
    lines = read_tsv(data / "conceptnet100k/train.txt")
    return Graph.from_triples((head, spaced(relation), tail) for relation, head, tail in lines)


def spaced(name: str) -> str:
    """Return a relation of ConceptNet in words.

    >>> spaced("AtLocation"), spaced("IsA"), spaced("NotHasProperty")
    ('at location', 'is a', 'not has property')
    """
    return re.sub(r"(?<!^)(?=[A-Z])", " ", name).lower()


class TruthfulQuestion(Value):
    """A question of TruthfulQA and its best answer; `id` is its line in the file."""

    id: str
    question: str
    best: str


def read_truthfulqa(data: Path) -> list[TruthfulQuestion]:
    """Return all questions of TruthfulQA that have a best answer."""
    return [
        TruthfulQuestion(
            id=str(number),
            question=single_spaced(row["Question"]),
            best=single_spaced(row["Best Answer"]),
        )
        for number, row in enumerate(read_csv(data / "truthfulqa/TruthfulQA.csv"), 1)
        if row["Question"] and row["Best Answer"]
    ]
