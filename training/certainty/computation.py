"""Learn from questions which of them ask for values that have to be computed with: for a difference or a sum,
or whether one value is larger than another.

    python -m training.certainty.computation --data DIR

writes `src/probative/scope/asks_computation.json` and prints what it is worth on questions that it was not
learned from: those of the bundles in `tune`, of the study `computed-answers`, and questions of SQuAD. Learned
from: our bundles in `train`, `computed.jsonl`, questions of kinds that the sets lack (`patterns.json`),
DROP (a number that its passage does not contain is computed), and questions of SQuAD, BoolQ, HotpotQA and
2WikiMultihopQA, whose answers stand in a text, but for those of the last that are answered with yes or no,
which compare.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from probative.bench.data.files import read_json, read_lines
from probative.bench.data.own import BLIND, FOLDER, HOSTILE, read_computed
from probative.bench.metrics import auroc
from probative.scope.conclude.computation import ComputationModel, runs_of
from training.arguments import data_folder
from training.certainty.fit import Array, newton
from training.certainty.sets import COMPUTED
from training.large.documents import Part, read_documents

PATTERNS = Path(__file__).parent / "patterns.json"
SHIPPED = Path(__file__).parents[2] / "src/probative/scope/asks_computation.json"
# The steps of a plan, and the forms of our questions, whose result no sentence states.
STEPS = frozenset({"sum", "difference", "product", "share", "count"})
FORMS = frozenset(
    [
        *("difference", "total", "sum", "share", "count", "count_each", "average", "conversion"),
        *("duration", "age", "price", "limit"),
    ]
)
POLAR_FORMS = frozenset({"same", "yes_no_compare", "yesno"})
SQUAD, SQUAD_TRIED, BOOLQ = 6000, 3000, 6000
SHARES = ("share", "fraction", "proportion", "part")
# How often each pattern is filled.
FILLED = 5
# How often our own questions count, which are fewest and most like those of users, and those made from
# patterns; how often both count without capitals; and one in how many of DROP, where nearly every "how many"
# has to be computed.
ASKED, KINDS, TYPED, DROP = 10, 2, 3, 8
RUNS, MIN_COUNT = 1500, 5
PENALTY = 20.0
# From this probability on, an answer has to be computed: of 115 values, yes and no that the two models read
# for such questions, 18 were right; of 64 from 0.3 on, below this, 20 (`small.jsonl` and `large.jsonl`).
LIMIT = 0.7
# A small number may stand in a passage by chance.
MIN_STATED = 10


class Asked(NamedTuple):
    """A question, and whether its answer has to be computed."""

    text: str
    computed: bool


def of_bundles(part: Part) -> Iterator[Asked]:
    """Yield the questions of our bundles."""
    for bundle in read_documents(part):
        for entry in bundle["questions"]:
            steps = {step["do"] for step in entry.get("plan") or ()}
            is_polar = any(step.get("reply") == "whether" for step in entry.get("plan") or ())
            yield Asked(entry["q"], is_polar or (bool(steps & STEPS) and "compare" not in steps))


def of_forms(file: Path) -> Iterator[Asked]:
    """Yield questions of ours in fifteen forms."""
    for entry in read_computed(file):
        yield Asked(entry.question, entry.form in FORMS | POLAR_FORMS)


def of_patterns() -> Iterator[Asked]:
    """Yield questions made from patterns: a word in braces stands for any of its list.

    >>> len({question.text for question in of_patterns()}) > 1000
    True
    """
    draw, patterns = random.Random(7), read_json(PATTERNS)
    words = {name: listed.split("|") for name, listed in patterns["words"].items()}
    for computed, name in ((True, "computed"), (False, "stated")):
        for pattern in patterns[name] * FILLED:
            text = re.sub(r"\{(\w+)\}", lambda slot: draw.choice(words[slot[1]]), pattern)
            yield Asked(text, computed)


def lower(rows: Sequence[Asked]) -> list[Asked]:
    """Return the questions as people type them: without capitals and without their mark."""
    return [row._replace(text=row.text.lower().rstrip(" ?")) for row in rows]


def in_other_words(rows: Sequence[Asked]) -> Iterator[Asked]:
    """Yield questions for a percentage with other words for a share."""
    for row in rows:
        if "percentage" in row.text:
            yield from (row._replace(text=row.text.replace("percentage", word)) for word in SHARES)


def of_drop(data: Path) -> Iterator[Asked]:
    """Yield the questions of DROP; a small number that its passage contains says nothing."""
    for row in read_lines(data / "training/drop_dev.jsonl"):
        passage, _, asked = row["context"].partition("\nQuestion:")
        answer = row["ref_text"].split("|")[0].strip().replace(",", "")
        is_number = re.fullmatch(r"\d+(\.\d+)?", answer) is not None
        numbers = {number.strip(".,").replace(",", "") for number in re.findall(r"\d[\d.,]*", passage)}
        if is_number and answer in numbers and float(answer) <= MIN_STATED:
            continue
        yield Asked(asked.partition("\nAnswer")[0].strip(), is_number and answer not in numbers)


def of_squad(data: Path) -> list[Asked]:
    """Return questions of SQuAD, none of which asks for a computation."""
    articles = read_json(data / "training/squad_train_subset.json")
    articles = articles["data"] if isinstance(articles, dict) else articles
    return [
        Asked(entry["question"], computed=False)
        for article in articles
        for paragraph in article["paragraphs"]
        for entry in paragraph["qas"]
    ]


def of_boolq(data: Path) -> list[Asked]:
    """Return questions of BoolQ for yes or no, but for those whether two things are the same."""
    asked = (row["question"].strip() for row in read_lines(data / "training/boolq.jsonl"))
    return [Asked(f"{text.capitalize()}?", computed=False) for text in asked if " same " not in text]


def of_hops(data: Path) -> Iterator[Asked]:
    """Yield questions over several pages, whose answers stand there or are one of two options. Those for yes
    or no of 2WikiMultihopQA compare; of HotpotQA, many are of two claims ("Are both rivers?").
    """
    for name in ("hotpotqa_more", "2wiki_train"):
        for row in read_lines(data / f"training/{name}.jsonl"):
            is_polar = row["answer"].lower() in ("yes", "no")
            compares = is_polar and (name == "2wiki_train" or " same " in row["question"])
            yield Asked(row["question"], compares)


def frequent_runs(rows: Sequence[Asked]) -> list[str]:
    """Return the runs of words that most questions have. Those that tell most about these questions are worse
    on others: they follow the sets.
    """
    counts = Counter(run for row in rows for run in set(runs_of(row.text)))
    ordered = sorted(counts, key=lambda run: (-counts[run], run))
    return [run for run in ordered if counts[run] >= MIN_COUNT][:RUNS]


def matrix(rows: Sequence[Asked], runs: Sequence[str]) -> Array:
    """Return 1 for each run that a question has."""
    column = {run: index for index, run in enumerate(runs)}
    values = np.zeros((len(rows), len(runs)))
    for number, row in enumerate(rows):
        values[number, [column[run] for run in set(runs_of(row.text)) if run in column]] = 1.0
    return values


def fit(rows: Sequence[Asked]) -> ComputationModel:
    """Return the model of the most frequent runs."""
    runs = frequent_runs(rows)
    weights = newton(matrix(rows, runs), np.array([float(row.computed) for row in rows]), PENALTY)
    counts = Counter(row.computed for row in rows)
    learned = (
        f"{counts[True]} questions with a computed answer and {counts[False]} without, some counted often"
    )
    kept = {run: round(float(weight), 3) for run, weight in zip(runs, weights[1:], strict=True)}
    return ComputationModel(weights=kept, bias=round(float(weights[0]), 3), limit=LIMIT, rows=learned)


def describe(model: ComputationModel, rows: Sequence[Asked]) -> str:
    """Return how many questions of each kind are at or above the limit, and the AUROC."""
    shares, chances = [], []
    for computed in (True, False):
        of_kind = [model.probability(row.text) for row in rows if row.computed is computed]
        chances.append(of_kind)
        found = sum(chance >= model.limit for chance in of_kind)
        shares.append(f"{found} of {len(of_kind)} {'with' if computed else 'without'} a computed answer")
    area = f"; AUROC {auroc(*chances):.3f}" if all(chances) else ""
    return f"taken for one: {', '.join(shares)}{area}"


def main() -> None:
    """Learn, write and report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=os.environ.get("PROBATIVE_DATA"))
    parser.add_argument("--out", type=Path, default=SHIPPED, help="by default the file of the package")
    arguments = parser.parse_args()
    data = data_folder(parser, arguments)
    squad, tuned = of_squad(data), list(of_bundles("tune"))
    forms = list(of_forms(COMPUTED))
    own = [*of_bundles("train"), *forms, *in_other_words(forms)]
    kinds = list(of_patterns())
    boolq, drop = of_boolq(data), list(of_drop(data))[::DROP]
    sets = [*squad[:SQUAD], *boolq[:BOOLQ], *of_hops(data), *drop]
    typed = [*lower([*own, *kinds]) * TYPED, *lower(sets[::DROP])]
    model = fit([*own * ASKED, *kinds * KINDS, *sets, *typed])
    arguments.out.write_text(
        json.dumps(model.model_dump(), indent=0, ensure_ascii=False) + "\n", encoding="utf-8"
    )
    print(f"from {model.limit} on an answer has to be computed")
    tried = {
        "bundles in tune": tuned,
        "computed-answers": list(of_forms(FOLDER / "computed.jsonl")),
        "computed-answers, hostile": list(of_forms(HOSTILE)),
        "computed-answers, blind": list(of_forms(BLIND)),
        "SQuAD, other questions": squad[SQUAD : SQUAD + SQUAD_TRIED],
        "BoolQ, other questions": boolq[BOOLQ : BOOLQ + SQUAD_TRIED],
    }
    for name, rows in tried.items():
        print(f"{name}: {describe(model, rows)}")


if __name__ == "__main__":
    main()
