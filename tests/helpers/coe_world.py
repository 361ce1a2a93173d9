"""A small world for the studies of Chain of Evidence: three questions in the published forms, a judge that
reads words, and a studied model whose answers can be worked out by hand.
"""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

from data_sets import write_json, write_lines

import probative
from probative.bench.report import Cell, Report
from probative.bench.rows import Row
from probative.bench.study import Case, Lab, Settings, Study
from probative.models.types import Request
from probative.testing import ScriptedModel
from probative.text.words import words

LARK = "In which town did the builder who launched the ferry Sea Lark live?"
HERON = "In which town did the owner who ran the mill Heron live?"
GREBE = "In which town did the painter who finished Grebe live?"
ANSWERS = {LARK: "Molde", HERON: "Moss", GREBE: "Lom"}
FEATURES = {
    LARK: ("builder", "launched", "ferry Sea Lark"),
    HERON: ("owner", "ran", "mill Heron"),
    GREBE: ("painter", "finished", "Grebe"),
}
INTENT = "home town"
PAGES = {
    LARK: [
        ("Sea Lark", "The builder who launched the ferry Sea Lark was Ole Brandt.", True),
        ("Ole Brandt", "Ole Brandt had his home in the town of Molde.", True),
        ("Ferry Sea Lark crew", "The crew of the ferry Sea Lark slept in bunks below the deck.", False),
    ],
    HERON: [
        ("Heron", "The owner who ran the mill Heron was Ada Berg.", True),
        ("Ada Berg", "Ada Berg had her home in the town of Moss.", True),
        ("Mill Heron wheel", "The wheel of the mill Heron turned day and night.", False),
    ],
    # Its gold evidence names no painter, so it is no chain of evidence.
    GREBE: [
        ("Grebe", "Grebe hangs in a hall.", True),
        ("Liv Aas", "Liv Aas had her home in the town of Lom.", True),
        ("Grebe birds", "Grebe birds dive for fish in cold lakes.", False),
    ],
}
TOWNS = ("Molde", "Moss", "Lom", "Bergen")
# The studied model loses the thread in a longer context. The evidence of Lark has 104 characters and that of
# Heron 88: with 75% of other text, 416 and 352.
LONGEST = 390


def write_world(data: Path) -> Path:
    """Write HotpotQA (Lark, Grebe), 2WikiMultihopQA (Heron) and RGB (Lark), and return the folder."""
    for file, questions in (
        ("hotpotqa/hotpot_dev_distractor_sample.json", (LARK, GREBE)),
        ("2wikimultihopqa/dev_sample.json", (HERON,)),
    ):
        write_json(data / file, list(map(_row, questions)))
    write_json(data / "2wikimultihopqa/corpus.json", [{"title": "Rain", "text": "Rain falls on the coast."}])
    write_lines(
        data / "rgb/en_fact.json",
        [
            {
                "id": 0,
                "query": LARK,
                "answer": "Molde",
                "fakeanswer": "Bergen",
                "positive": [" ".join(text for _, text, gold in PAGES[LARK] if gold)],
                "positive_wrong": [],
                "negative": [text for _, text, gold in PAGES[LARK] if not gold],
            }
        ],
    )
    return data


def _row(question: str) -> dict[str, Any]:
    pages = PAGES[question]
    return {
        "_id": question[-12:],
        "question": question,
        "answer": ANSWERS[question],
        "type": "bridge",
        "supporting_facts": [[title, 0] for title, _, gold in pages if gold],
        "context": [[title, [text]] for title, text, _ in pages],
    }


def judge(request: Request) -> str:
    """Build samples and judge answers: a feature is carried if all its words are in the text."""
    prompt = request.messages[-1].content
    if match := re.search(r"Right answer: (.*)\nGiven answer: (.*)\n", prompt):
        return "hard to say" if match[2] == "perhaps Molde" else ("yes" if match[1] == match[2] else "no")
    if prompt.endswith("General:"):
        return "a thing"
    if prompt.endswith("Other:"):
        return "Bergen"
    if match := re.search(r'is "(\w+)"\. Every sentence', prompt):
        written = prompt.count("\n- ")
        return "\n".join(f"{n}. It was {match[1]}, record {written + n} says." for n in (1, 2, 3))
    if prompt.endswith("Rewritten:"):
        return _rewritten(prompt)
    if match := re.search(r"(?:looks for this|speak of this|Statement): (.*)\n", prompt):
        text = prompt.split("-----")[1]
        return "yes" if set(words(match[1])) <= set(words(text)) else "no"
    (question,) = [asked for asked in FEATURES if asked in prompt]
    head, predicate, tail = FEATURES[question]
    if "Entities:" in prompt.splitlines()[-1]:
        return json.dumps({"relations": [{"head": head, "predicate": predicate, "tail": tail}]})
    return json.dumps({"intent": INTENT, "nodes": [head, tail]})


def _rewritten(prompt: str) -> str:
    """Drop what a prompt of the ablation names: the relation "launched", or the "home" of the intent."""
    lines = re.findall(r"^\d+\. .*$", prompt, re.MULTILINE)
    word = "home" if "tell that they are about" in prompt else "launched"
    return "\n".join(line.replace(word, "saw") for line in lines)


def studied(request: Request) -> str:
    """Answer the town that the context names most often, the right one on a tie, if the context has the
    sentence that links the question to it and is not too long; otherwise shrug.
    """
    context = request.messages[-1].content.split("\n\n")[1]
    linked = any(f"{head} who {link} the {tail}" in context for head, link, tail in FEATURES.values())
    if not linked or len(context) > LONGEST:
        return "no idea"
    return max(TOWNS, key=context.count)


def open_lab(data: Path, *, judged: bool = True, **settings: Any) -> Lab:
    """Return a lab with the scripted models."""
    session = probative.Session(model=ScriptedModel(generate=studied, name="studied"))
    judging = probative.Session(model=ScriptedModel(generate=judge, name="judge")) if judged else None
    return Lab(session, judging, Settings(data=data, **settings))


def run_all(experiment: Study, lab: Lab) -> tuple[list[Row], Report]:
    """Run every case as the harness does, through JSON, and report."""
    cases: list[Case] = list(experiment.cases(lab.settings))
    rows = [json.loads(json.dumps(experiment.run(case, lab))) for case in cases]
    random.Random(3).shuffle(rows)  # a report depends on the rows, not on their order
    return rows, experiment.report(rows, lab.settings)


def shown(report: Report, title: str) -> dict[str, list[float | str | None]]:
    """Return the values of the table with this title, by row."""
    (table,) = [table for table in report.tables if table.title == title]
    return {
        row.name: [
            (None if cell.value is None else round(cell.value, 1)) if isinstance(cell, Cell) else cell
            for cell in row.cells
        ]
        for row in table.rows
    }
