"""Invented rows in the published form of every set that the reader is trained on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

TOWNS = ("Molde", "Narvik", "Bergen", "Voss", "Alta", "Moss", "Bodo", "Skien")
REPORTED_FROM = 200


def ship(number: int) -> dict[str, Any]:
    """A question over two pages, and two pages that have nothing to do with it."""
    town = TOWNS[number % len(TOWNS)]
    return {
        "_id": f"ship{number}",
        "question": f"In which town was the builder of the Lark {number} born?",
        "answer": town,
        "type": "bridge",
        "supporting_facts": [[f"Lark {number}", 0], [f"Builder {number}", 1]],
        "context": [
            [f"Lark {number}", [f"The Lark {number} was built by Builder {number}.", " It had two masts."]],
            ["Rope", ["Rope is made of hemp.", " It is wound by hand."]],
            [f"Builder {number}", ["He liked tea.", f" Builder {number} was born in {town}."]],
            ["Tar", ["Tar is black."]],
        ],
    }


def film(number: int, year: int) -> dict[str, Any]:
    """A film, its director and when that was born, with triples."""
    name, director = f"Grey Heron {number}", f"Ada Berg {number}"
    born = f"{number % 28 + 1} May {year}"
    return {
        "_id": f"film{number}",
        "question": f"When was the director of film {name} born?",
        "answer": born,
        "type": "compositional",
        "supporting_facts": [[f"{name} (film)", 0], [director, 0]],
        "evidences": [[name, "director", director], [director, "date of birth", born]],
        "context": [
            [f"{name} (film)", [f"{name} is a film directed by {director}.", "It was dull."]],
            [director, [f"{director} (born {born}) is a Norwegian director.", "She liked boats."]],
            ["Sound", ["A sound is a strait."]],
        ],
    }


def older(number: int) -> dict[str, Any]:
    """Which of two was born first."""
    one, other = f"Ole Brandt {number}", f"Eva Dahl {number}"
    return {
        "_id": f"older{number}",
        "question": f"Who was born first, {one} or {other}?",
        "answer": other,
        "type": "comparison",
        "supporting_facts": [[one, 0], [other, 0]],
        "evidences": [[one, "date of birth", "3 June 1950"], [other, "date of birth", "March 7, 1940"]],
        "context": [
            [one, [f"{one} (born June 3, 1950) is a sailor."]],
            [other, [f"{other} (born 7 March 1940) is a singer.", "She sang in choirs."]],
            ["Choir", ["A choir is a group.", "It sings."]],
        ],
    }


SQUAD = {
    "data": [
        {
            "title": "Grey_Pier",
            "paragraphs": [
                {
                    "context": "The pier was built of oak. It was opened in 1871 by Ole Brandt. It is long.",
                    "qas": [
                        {
                            "id": "a",
                            "question": "When was the pier opened?",
                            "answers": [{"text": "1871", "answer_start": 44}],
                        }
                    ],
                }
            ],
        }
    ]
}
SQUAD2 = {
    "data": [
        {
            "title": "Sund",
            "paragraphs": [
                {
                    "context": "The Sund Line ran two ferries. One of them sank.",
                    "qas": [
                        {
                            "id": "b",
                            "question": "Who owned the Sund Line?",
                            "answers": [],
                            "is_impossible": True,
                        }
                    ],
                }
            ],
        }
    ]
}


def write_sources(folder: Path, reported_from: int = REPORTED_FROM) -> None:
    """All files, under the names that the public ones have; of two, the last four rows are reported on."""
    ships = [ship(number) for number in range(reported_from + 4)]
    films = [film(number, 1900 + number % 90) for number in range(reported_from + 4)]
    _json(folder / "hotpotqa/hotpot_dev_distractor_sample.json", ships)
    _json(folder / "2wikimultihopqa/dev_sample.json", films)
    repeated = {**ship(REPORTED_FROM + 1), "question": ship(REPORTED_FROM + 1)["question"].upper()}
    _lines(folder / "training/hotpotqa_more.jsonl", [ship(900), repeated])
    marked = {**ship(901), "gold_titles": ["Lark 901", "Builder 901"]}
    marked["supporting_facts_r4c"] = marked.pop("supporting_facts")
    by_page = {**ship(902), "gold_titles": ["Lark 902", "Builder 902"]}
    del by_page["supporting_facts"]
    _lines(folder / "training/hotpotqa_paragraph_gold.jsonl", [marked, by_page])
    by_title = {**ship(903), "supporting_titles": ["Lark 903", "Builder 903"]}
    del by_title["supporting_facts"]
    _lines(folder / "hotpotqa/paragraph_level_sample.jsonl", [by_title])
    told = {
        "_id": "g",
        "question": "Who built the ship that sank off Alta?",
        "answer": "Ole Brandt",
        "type": "bridge",
        "gold_paragraphs": ["The Tern sank off Alta.", "The Tern was built by Ole Brandt. It was small."],
        "already_in_other_sets": False,
    }
    _lines(folder / "training/hotpotqa_gold_only.jsonl", [told, {**told, "already_in_other_sets": True}])
    _lines(folder / "training/2wiki_train.jsonl", [older(number) for number in range(60)])
    _json(folder / "training/squad_train_subset.json", SQUAD)
    _json(folder / "training/squad2_half_dev.json", SQUAD2)
    passage = {"title": "Swan", "text": "The Swan sailed in 1900. She was lost in 1911.", "isgold": True}
    swan = {"question": "when was the swan lost", "answers": ["1911"], "ctxs": [passage]}
    _lines(folder / "training/nq_gold.jsonl", [swan])
    crews = "Passage: The Gulls won on Monday. The Rooks won on Friday.\nQuestion: {}\nAnswer:"
    _lines(
        folder / "training/drop_dev.jsonl",
        [
            {"context": crews.format("Who won on Friday?"), "ref_text": "Rooks"},
            {"context": crews.format("How many days lie between?"), "ref_text": "4"},
        ],
    )
    _lines(
        folder / "training/boolq.jsonl",
        [
            {"question": "is tar black", "passage": "Tar -- Tar is black. It is thick.", "label": True},
            {"question": "is rope heavy", "passage": "Rope -- Rope is light."},
        ],
    )
    claims = [
        {
            "text": f"Ferry {number} was built in Voss.",
            "label": "SUPPORTS" if number % 2 else "REFUTES",
            "wikipedia_page": f"Ferry {number}",
            "gold_evidence": [{"text": f"It was built in {'Voss' if number % 2 else 'Alta'}."}],
            "retrieved_evidence": [
                {"text": "Her captain had five daughters and a dog."},
                {"text": f"Ferry {number} left Voss every morning at six."},
            ],
        }
        for number in range(40)
    ]
    _lines(folder / "training/fool_me_twice.jsonl", claims)
    proofs = [
        {
            "question": f"What floats, {number}?",
            "hypothesis": f"log {number} floats",
            "sentences": ["tar is black", f"log {number} is wood", "wood floats"],
            "gold": [1, 2],
        }
        for number in range(20)
    ]
    _lines(folder / "training/entailmentbank_task2.jsonl", proofs)


def _json(file: Path, value: Any) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(value), encoding="utf-8")


def _lines(file: Path, rows: list[Any]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
