"""Invented rows in the published form of every data set: those that figures are reported on, and those that
models are trained on.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

MULTIHOP_ROWS = 403


def write_json(file: Path, value: Any) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(value), encoding="utf-8")


def write_lines(file: Path, rows: Sequence[Any]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def multihop_row(name: str, number: int | str, question: str | None = None) -> dict[str, Any]:
    boat, town = f"{name} boat {number}", "Voss"
    return {
        "_id": f"{name}{number}",
        "question": question or f"What was the home port of the builder of {boat}?",
        "answer": town,
        "type": "compositional",
        "supporting_facts": [[boat, 0], [f"Builder of {boat}", 0]],
        "evidences": [[f"Builder of {boat}", "place of birth", town]],
        "context": [
            [boat, [f"The {boat} was built by the Builder of {boat}.", "It had two masts."]],
            [f"Builder of {boat}", [f"The Builder of {boat} lived in {town}."]],
            ["Rope", ["Rope is made of hemp."]],
        ],
    }


def write_reported_sets(data: Path) -> None:
    """Write every set that figures are reported on."""
    write_json(
        data / "hotpotqa/hotpot_dev_distractor_sample.json",
        [multihop_row("hotpot", number) for number in range(MULTIHOP_ROWS)],
    )
    write_json(
        data / "2wikimultihopqa/dev_sample.json",
        [multihop_row("wiki", number) for number in range(MULTIHOP_ROWS)],
    )
    for name in ("multirc", "fever"):
        write_eraser(data, name)
    write_lines(
        data / "wice/dev.jsonl",
        [
            {
                "claim": f"The pier {number} was opened in spring.",
                "evidence": ["It opened.", "It is long."],
                "supporting_sentences": [[0]],
                "label": "supported",
            }
            for number in range(20)
        ],
    )
    write_lines(
        data / "hover/dev_with_text_sample.jsonl",
        [
            {
                "uid": f"hover{number}",
                "hpqa_id": f"hotpot{number}",
                "claim": f"The ferry {number} was older than its pier.",
                "num_hops": 2,
                "context": [["Ferry", ["It was old.", "It sank."]], ["Pier", ["It was new."]]],
                "gold_sentences": ["It was old.", "It was new."],
                "label": "SUPPORTED",
            }
            for number in range(5)
        ],
    )
    write_lines(
        data / "rgb/en_fact.json",
        [
            {
                "query": f"Who won race {n}?",
                "answer": ["Ada"],
                "positive": ["Ada won."],
                "positive_wrong": ["Bo won."],
            }
            for n in range(5)
        ],
    )
    for name in ("nq", "msmarco"):
        write_json(
            data / f"poisonedrag/{name}.json",
            {str(n): {"question": f"who owns {name} boat {n}", "adv_texts": ["Bo."]} for n in range(5)},
        )
    write_graph_sets(data)


def write_eraser(data: Path, name: str) -> None:
    """Write 60 documents with ten claims each; some claims of FEVER need two sentences."""
    rows = []
    for document in range(60):
        (data / f"eraser/{name}/docs").mkdir(parents=True, exist_ok=True)
        (data / f"eraser/{name}/docs/{name}{document}").write_text(
            "".join(f"Sentence {n} of {name} {document}.\n" for n in range(10)), encoding="utf-8"
        )
        for number in range(10):
            span = {"docid": f"{name}{document}", "start_sentence": number, "end_sentence": number + 1}
            more = {**span, "start_sentence": 0, "end_sentence": 1}
            rows.append(
                {
                    "annotation_id": f"{name}-{document}-{number}",
                    "query": f"Is claim {number} of {name} {document} right? || yes",
                    "evidences": [[span, more]] if number % 5 == 4 else [[span], [more]],
                    "classification": "SUPPORTS" if number % 2 else "REFUTES",
                }
            )
    write_lines(data / f"eraser/{name}/val.jsonl", rows)


def write_graph_sets(data: Path) -> None:
    questions = {str(n): {"QUESTION": f"Does balm {n} heal?", "final_decision": "yes"} for n in range(20)}
    write_json(data / "pubmedqa/ori_pqal.json", questions)
    write_json(data / "pubmedqa/test_ground_truth.json", {str(n): "yes" for n in range(10)})
    yes_no = [
        {"id": f"bio{n}", "type": "yesno", "body": f"Is salve {n} safe?", "exact_answer": "yes"}
        for n in range(20)
    ]
    write_json(data / "bioasq/a.json", {"questions": yes_no})
    (data / "processbank/qa").mkdir(parents=True, exist_ok=True)
    for n in range(20):
        answers = "<a0>salt</a0><a1>ice</a1><correct>0</correct>"
        question = f"<question><q>What does step {n} make?</q>{answers}</question>"
        (data / f"processbank/qa/{n}").write_text(
            f"<annotation><text>About {n}.</text><questions>{question}</questions></annotation>",
            encoding="utf-8",
        )
    choices = [{"label": "A", "text": "pier"}, {"label": "B", "text": "quay"}]
    write_lines(
        data / "commonsenseqa/dev_rand_split.jsonl",
        [
            {
                "id": f"cs{n}",
                "answerKey": "A",
                "question": {"stem": f"Where does ship {n} lie?", "choices": choices},
            }
            for n in range(20)
        ],
    )


def write_training_sets(data: Path, texts: Sequence[str]) -> None:
    """Write every file that models are trained on, with these texts as its questions and claims."""
    rows = [multihop_row("more", number, text) for number, text in enumerate(texts)]
    titles = [[title for title, _ in row["supporting_facts"]] for row in rows]
    write_lines(data / "training/hotpotqa_more.jsonl", rows)
    write_lines(
        data / "training/hotpotqa_paragraph_gold.jsonl",
        [
            {**row, "gold_titles": gold, "supporting_facts_r4c": row["supporting_facts"]}
            for row, gold in zip(rows, titles, strict=True)
        ],
    )
    write_lines(
        data / "hotpotqa/paragraph_level_sample.jsonl",
        [{**row, "supporting_titles": gold} for row, gold in zip(rows, titles, strict=True)],
    )
    write_lines(
        data / "training/hotpotqa_gold_only.jsonl",
        [{**row, "gold_paragraphs": ["They lived in Voss.", "It is a town."]} for row in rows],
    )
    write_lines(data / "training/2wiki_train.jsonl", rows)
    write_json(
        data / "musique/train_sample.json",
        [
            {
                "id": f"musique{number}",
                "question": text,
                "answer": "Voss",
                "paragraphs": [
                    {"title": "A", "paragraph_text": "In Voss."},
                    {"title": "B", "paragraph_text": "At sea."},
                ],
                "question_decomposition": [{"paragraph_support_idx": 0}],
            }
            for number, text in enumerate(texts)
        ],
    )
    context = "The pier was built of oak. It was opened in Voss. It is long."
    for name in ("squad_train_subset", "squad2_half_dev"):
        qas = [
            {"id": f"{name}{n}", "question": text, "answers": [{"text": "Voss", "answer_start": 44}]}
            for n, text in enumerate(texts)
        ]
        paragraphs = [{"context": context, "qas": qas}]
        write_json(data / f"training/{name}.json", {"data": [{"title": "Pier", "paragraphs": paragraphs}]})
    page = {"title": "Swan", "text": "The Swan sailed in 1900. She was lost near Voss.", "isgold": True}
    write_lines(
        data / "training/nq_gold.jsonl",
        [{"question": text, "answers": ["Voss"], "ctxs": [page]} for text in texts],
    )
    write_lines(
        data / "training/drop_dev.jsonl",
        [
            {"context": f"Passage: The Rooks won in Voss.\nQuestion: {text}\nAnswer:", "ref_text": "Rooks"}
            for text in texts
        ],
    )
    write_lines(
        data / "training/boolq.jsonl",
        [{"question": text, "passage": "Tar -- Tar is black. It is thick.", "label": True} for text in texts],
    )
    for name in ("dev", "test"):
        selqa = [{"question": text, "candidates": ["In Voss.", "At sea."], "answers": [0]} for text in texts]
        write_json(data / f"training/selqa_{name}.json", selqa)
    write_claim_sets(data, texts)


def write_claim_sets(data: Path, texts: Sequence[str]) -> None:
    write_lines(
        data / "training/fool_me_twice.jsonl",
        [
            {
                "id": f"fool{number}",
                "text": text,
                "label": "SUPPORTS",
                "wikipedia_page": f"Ferry {number}",
                "gold_evidence": [{"text": "It was built in Voss."}],
                "retrieved_evidence": [{"text": "Her captain had a dog."}],
            }
            for number, text in enumerate(texts)
        ],
    )
    write_lines(
        data / "training/entailmentbank_task2.jsonl",
        [
            {
                "id": f"bank{number}",
                "question": text,
                "hypothesis": text,
                "sentences": ["tar is black", "logs are wood", "wood floats"],
                "gold": [1, 2],
            }
            for number, text in enumerate(texts)
        ],
    )
    write_json(
        data / "feverous/programfc_feverous_dev.json",
        [
            {
                "id": number,
                "claim": text,
                "label": "SUPPORTS",
                "evidence": f"Page {number}\tIt was built in [[Voss|Voss]].\nPage {number}\tIt sank.",
            }
            for number, text in enumerate(texts)
        ],
    )
