"""Tables of `give`, made from its rows: what each method answered, and what it cost."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from math import sqrt
from pathlib import Path
from typing import Any

Row = dict[str, Any]
"""One question answered by one method: a line of the file that bench/experiments/give.py writes."""

STAGES = ("a", "ac", "ace")
KNOWLEDGE = ("affirmative", "counterfactual", "expert")

# Table 8 (GPT-3.5-turbo, 100 questions each, ConceptNet with a tenth of its edges): accuracy of the
# stages, or of the one answer, and words of each set of knowledge. None: the text that we have of the
# paper does not show the figure.
PAPER: dict[str, dict[str, tuple[tuple[float | None, ...], tuple[float | None, ...]]]] = {
    "pubmedqa": {
        "RAG": ((14,), (64.7,)),
        "GIVE n=1": ((35, 45, 45), (192.5, 105.9, 16.1)),
        "GIVE n=2": ((41, None, 48), (436.3, 486.1, 57.6)),
    },
    "bioasq": {
        "RAG": ((43,), (66.5,)),
        "GIVE n=1": ((79, 81, 83), (None, 33.8, 9.0)),
        "GIVE n=2": ((80, 84, 90), (205.5, 176.5, 32.1)),
    },
    "processbank": {
        "ToG": ((60,), (54.2,)),
        "GIVE n=1": ((67, 68, 68), (151.2, 226.9, 7.5)),
        "GIVE n=2": ((71, None, None), (330.0, None, 28.9)),
    },
    "csqa": {
        "RAG": ((64,), (30.0,)),
        "ToG": ((67,), (106.6,)),
        "GIVE n=1": ((70, 71, 71), (41.1, 38.4, 0.1)),
        "GIVE n=2": ((70, 70, 68), (93.2, 83.3, 0.2)),
    },
}

COLUMNS = (
    "method",
    "a",
    "a+c",
    "a+c+e",
    "unreadable",
    "calls",
    "prompt",
    "completion",
    "scored",
    "words a",
    "words c",
    "words e",
    "expert ratio",
    "maybe",
    "groups",
    "relations",
    "intermediate",
    "s",
)


def read_rows(files: Iterable[Path]) -> list[Row]:
    """The rows of several files, of each question and method the last one; a line cut off is left out."""
    found: dict[tuple[str, str, str], Row] = {}
    for file in files:
        for line in file.read_text(encoding="utf-8").splitlines():
            try:
                row = json.loads(line)
            except ValueError:
                continue
            found[row["set"], row["row"], row["id"]] = row
    return list(found.values())


def tables(rows: Sequence[Row]) -> str:
    """All sets side by side, then a table for each: chance, each method, and what the paper gives. Rows that
    change one thing (their names have a colon) stand in a table of their own.
    """
    plain = [row for row in rows if ": " not in row["row"]]
    parts = [overview(plain)] if plain else []
    for name in dict.fromkeys(row["set"] for row in rows):
        mine = [row for row in rows if row["set"] == name]
        changed = [row for row in mine if ": " in row["row"]]
        methods = [row for row in mine if ": " not in row["row"]]
        if methods:
            parts.append(_table(name, name, methods))
        if changed:
            parts.append(_table(name, f"{name}, one thing changed", changed, beside=False))
    return "\n\n".join(parts)


def overview(rows: Sequence[Row]) -> str:
    """The accuracy of each method on each set, all of its stages; chance first, the paper's figures last."""
    sets = list(dict.fromkeys(row["set"] for row in rows))
    lines = [f"| accuracy | {' | '.join(sets)} |", "| --- " * (len(sets) + 1) + "|"]
    chance = {name: floors(_questions(rows, name)) for name in sets}
    for label, place in (("*random*", 0), ("*always the commonest*", 1)):
        lines.append(
            f"| {label} | {' | '.join(f'{list(chance[name].values())[place]:.1f}' for name in sets)} |"
        )
    for method in sorted(dict.fromkeys(row["row"] for row in rows), key=_order):
        shown = [cells([row for row in rows if (row["set"], row["row"]) == (name, method)]) for name in sets]
        stages = [[one[stage] for stage in COLUMNS[1:4] if stage in one] for one in shown]
        lines.append(f"| {method} | {' | '.join(' / '.join(one) for one in stages)} |")
    for label in ("RAG", "ToG", "GIVE n=1", "GIVE n=2"):
        figures = [PAPER.get(name, {}).get(label, ((), ()))[0] for name in sets]
        stages = [["?" if one is None else f"{one:g}" for one in right] for right in figures]
        lines.append(f"| *paper: {label}* | {' | '.join(' / '.join(one) for one in stages)} |")
    return "\n".join(lines)


def _questions(rows: Sequence[Row], name: str) -> list[Row]:
    return list({row["id"]: row for row in rows if row["set"] == name}.values())


def short(model: str) -> str:
    """A model's name without the folders it lies in.

    >>> short("hf:/data/models/small.gguf"), short("embedded")
    ('hf:small.gguf', 'embedded')
    """
    return re.sub(r":.*/", ":", model)


def _table(name: str, title: str, rows: Sequence[Row], *, beside: bool = True) -> str:
    questions = {row["id"]: row for row in rows}
    models = ", ".join(sorted({short(row["model"]) for row in rows if row["model"]})) or "no model"
    lines = [f"### {title}: {len(questions)} questions, {models}", ""]
    lines.append(f"Chance alone spreads {len(questions)} answers by ±{spread(len(questions)):.0f} points.")
    lines += ["", f"| {' | '.join(COLUMNS)} |", "| --- " * len(COLUMNS) + "|"]
    for label, figure in floors(list(questions.values())).items():
        lines.append(_line(label, {"a+c+e": f"{figure:.1f}"}))
    for method in sorted(dict.fromkeys(row["row"] for row in rows), key=_order):
        mine = [row for row in rows if row["row"] == method]
        label = method if len(mine) == len(questions) else f"{method} ({len(mine)} questions)"
        lines.append(_line(label, cells(mine)))
    for label, (right, words) in PAPER.get(name, {}).items() if beside else ():
        shown = dict(zip(("a", "a+c", "a+c+e") if len(right) == 3 else ("a+c+e",), right, strict=True))
        shown |= dict(
            zip(("words a", "words c", "words e") if len(words) == 3 else ("words e",), words, strict=True)
        )
        lines.append(
            _line(f"*paper: {label}*", {at: f"{one:g}" for at, one in shown.items() if one is not None})
        )
    return "\n".join(lines)


def _order(row: str) -> tuple[bool, list[str | int]]:
    """Give first; by name, numbers by their size."""
    parts = re.split(r"(\d+)", row)
    return not row.startswith("give"), [int(part) if part.isdigit() else part for part in parts]


def _line(label: str, shown: dict[str, str]) -> str:
    return f"| {' | '.join([label, *(shown.get(column, '') for column in COLUMNS[1:])])} |"


def floors(rows: Sequence[Row]) -> dict[str, float]:
    """What needs no reading: an answer drawn at random, and always the commonest one (where answers recur).

    >>> floors([{"gold": "yes", "options": ["yes", "no", "maybe"]}] * 2)
    {'*random*': 33.33333333333333, '*always yes*': 100.0}
    """
    found = {"*random*": 100 * mean(rows, lambda row: 1 / len(row["options"]))}
    gold, count = Counter(row["gold"] for row in rows).most_common(1)[0]
    if len({tuple(row["options"]) for row in rows}) == 1:
        found[f"*always {gold}*"] = 100 * count / len(rows)
    else:
        places = Counter(row["options"].index(row["gold"]) for row in rows)
        found["*always the commonest place*"] = 100 * places.most_common(1)[0][1] / len(rows)
    return found


def spread(count: int) -> float:
    """Two standard errors of an accuracy near one half, in points.

    >>> round(spread(50))
    14
    """
    return 100 * 2 * sqrt(0.25 / count)


def cells(rows: Sequence[Row]) -> dict[str, str]:
    """The figures of one method on one set. A question that failed counts as wrong, and in no other mean."""
    shown: dict[str, str] = {}
    if not rows:
        return shown
    ran = [row for row in rows if row.get("error") is None]
    staged = rows[0]["row"].startswith("give")
    for stage, column in zip(STAGES, COLUMNS[1:4], strict=True):
        if staged or stage == "ace":
            shown[column] = f"{100 * mean(rows, lambda row, stage=stage: right(row, stage)):.1f}"  # type: ignore[misc]
    failed = len(rows) - len(ran)
    shown["unreadable"] = f"{100 * mean(ran, lambda row: row['answer'] is None):.0f}%"
    shown["unreadable"] += f" ({failed} failed)" if failed else ""
    if not ran:
        return shown
    for column, name in (("prompt", "prompt_tokens"), ("completion", "completion_tokens"), ("scored", "")):
        name = name or "scored_tokens"
        shown[column] = f"{mean(ran, lambda row, name=name: row['usage'][name]):,.0f}"  # type: ignore[misc]
    shown["calls"] = f"{mean(ran, lambda row: row['usage']['calls']):.1f}"
    for column, name in zip(("words a", "words c", "words e"), KNOWLEDGE, strict=True):
        shown[column] = f"{mean(ran, lambda row, name=name: row['words'].get(name, 0)):.1f}"  # type: ignore[misc]
    shown["s"] = f"{mean(ran, lambda row: row['seconds']):.2f}"
    if any(row["groups"] for row in ran):
        ratios = [row for row in ran if row["expert_ratio"] is not None]
        shown["expert ratio"] = f"{mean(ratios, lambda row: row['expert_ratio']):.2f}"
        shown["maybe"] = f"{100 * mean(ran, maybe):.0f}%"
        shown["groups"] = f"{mean(ran, lambda row: row['groups']):.1f}"
        shown["relations"] = f"{mean(ran, lambda row: row['candidate_relations']):.1f}"
        shown["intermediate"] = f"{100 * mean(ran, lambda row: row['intermediate']):.0f}%"
    return shown


def right(row: Row, stage: str) -> bool:
    """Whether a stage answered as it should; a method without stages has its answer as the last."""
    if row.get("error") is not None:
        return False
    said = row["answers"][stage] if row["answers"][stage] is not None or stage != "ace" else row["answer"]
    return bool(said is not None and said.casefold() == row["gold"].casefold())


def maybe(row: Row) -> float:
    """Of all statements that the model affirmed, denied or left open, the share that it left open."""
    judged = row["triples"]["affirmative"] + row["triples"]["counterfactual"] + row["maybe"]
    return float(row["maybe"] / judged) if judged else 0.0


def mean(rows: Sequence[Row], value: Callable[[Row], float]) -> float:
    """The mean of a figure over rows; 0 of none."""
    return sum(float(value(row)) for row in rows) / len(rows) if rows else 0.0
