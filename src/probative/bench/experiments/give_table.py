"""Tables of the `give` experiment, made from its rows: the accuracy and the cost of each method."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence

from probative.bench import metrics
from probative.bench.metrics import sampling_error, wilson_interval
from probative.bench.rows import Row

# The fields that identify a row.
KEY = ("set", "row", "id")

STAGES = ("a", "ac", "ace")
KNOWLEDGE = ("affirmative", "counterfactual", "expert")

# Table 8 (GPT-3.5-turbo, 100 questions each, ConceptNet with a tenth of its edges): the accuracy of the
# stages, or of the only answer, and the words of each set of knowledge. None: our text of the paper does
# not show the figure.
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


def tables(rows: Sequence[Row]) -> str:
    """Return an overview of all sets, then a table for each set: chance, each method, and the paper's
    figures.

    Rows that change one option (their names have a colon) are in a table of their own.
    """
    plain = [row for row in rows if ": " not in row["row"]]
    parts = [overview(plain)] if plain else []
    if any(row.get("verdict") for row in plain):
        parts.append(verdicts(plain))
    for name in dict.fromkeys(row["set"] for row in rows):
        mine = [row for row in rows if row["set"] == name]
        changed = [row for row in mine if ": " in row["row"]]
        methods = [row for row in mine if ": " not in row["row"]]
        if methods:
            parts.append(_table(name, name, methods))
        if changed:
            parts.append(_table(name, f"{name}, one option changed", changed, paper=False))
    return "\n\n".join(parts)


def overview(rows: Sequence[Row]) -> str:
    """Return the accuracy of each method on each set, for all stages, with the interval of the last; chance
    first, the paper's figures last.
    """
    sets = list(dict.fromkeys(row["set"] for row in rows))
    lines = [f"| accuracy | {' | '.join(sets)} |", "| --- " * (len(sets) + 1) + "|"]
    chance = {name: floors(_questions(rows, name)) for name in sets}
    for label, index in (("*random*", 0), ("*always the commonest*", 1)):
        lines.append(
            f"| {label} | {' | '.join(f'{list(chance[name].values())[index]:.1f}' for name in sets)} |"
        )
    for method in sorted(dict.fromkeys(row["row"] for row in rows), key=_order):
        of_sets = [[row for row in rows if (row["set"], row["row"]) == (name, method)] for name in sets]
        shown = [cells(group) for group in of_sets]
        stages = [
            [shown_cells[stage] for stage in COLUMNS[1:4] if stage in shown_cells] for shown_cells in shown
        ]
        accuracies = [
            " / ".join(stage) + _interval(group) for stage, group in zip(stages, of_sets, strict=True)
        ]
        lines.append(f"| {method} | {' | '.join(accuracies)} |")
    for label in ("RAG", "ToG", "GIVE n=1", "GIVE n=2"):
        figures = [PAPER.get(name, {}).get(label, ((), ()))[0] for name in sets]
        stages = [["?" if figure is None else f"{figure:g}" for figure in row] for row in figures]
        lines.append(f"| *paper: {label}* | {' | '.join(' / '.join(stage) for stage in stages)} |")
    return "\n".join(lines)


def _interval(rows: Sequence[Row]) -> str:
    """Return the 95% interval of the last stage's accuracy, in percent."""
    if not rows:
        return ""
    low, high = wilson_interval(sum(right(row, "ace") for row in rows), len(rows))
    return f" [{low:.0f}, {high:.0f}]"


def verdicts(rows: Sequence[Row]) -> str:
    """Return how many answers of each verdict a method gave on each set, and how many of them are right."""
    judged = [row for row in rows if row.get("verdict")]
    sets = list(dict.fromkeys(row["set"] for row in judged))
    lines = [f"| right, by verdict | {' | '.join(sets)} |", "| --- " * (len(sets) + 1) + "|"]
    for method in sorted(dict.fromkeys(row["row"] for row in judged), key=_order):
        for verdict in ("read", "extrapolated", "unknown"):
            groups = [
                [row for row in judged if (row["set"], row["row"], row["verdict"]) == (name, method, verdict)]
                for name in sets
            ]
            shown = [f"{sum(right(row, 'ace') for row in group)} of {len(group)}" for group in groups]
            lines.append(f"| {method}: {verdict} | {' | '.join(shown)} |")
    return "\n".join(lines)


def _questions(rows: Sequence[Row], name: str) -> list[Row]:
    return list({row["id"]: row for row in rows if row["set"] == name}.values())


def short(model: str) -> str:
    """Return a model's name without its folders.

    >>> short("hf:/data/models/small.gguf"), short("embedded")
    ('hf:small.gguf', 'embedded')
    """
    return re.sub(r":.*/", ":", model)


def _table(name: str, title: str, rows: Sequence[Row], *, paper: bool = True) -> str:
    questions = {row["id"]: row for row in rows}
    models = ", ".join(sorted({short(row["model"]) for row in rows if row["model"]})) or "no model"
    lines = [f"### {title}: {len(questions)} questions, {models}", ""]
    lines.append(
        f"The sampling error of {len(questions)} answers is ±{sampling_error(len(questions)):.0f} points."
    )
    lines += ["", f"| {' | '.join(COLUMNS)} |", "| --- " * len(COLUMNS) + "|"]
    for label, figure in floors(list(questions.values())).items():
        lines.append(_line(label, {"a+c+e": f"{figure:.1f}"}))
    for method in sorted(dict.fromkeys(row["row"] for row in rows), key=_order):
        mine = [row for row in rows if row["row"] == method]
        label = method if len(mine) == len(questions) else f"{method} ({len(mine)} questions)"
        lines.append(_line(label, cells(mine)))
    for label, (right, words) in PAPER.get(name, {}).items() if paper else ():
        shown = dict(zip(("a", "a+c", "a+c+e") if len(right) == 3 else ("a+c+e",), right, strict=True))
        shown |= dict(
            zip(("words a", "words c", "words e") if len(words) == 3 else ("words e",), words, strict=True)
        )
        lines.append(
            _line(
                f"*paper: {label}*",
                {column: f"{figure:g}" for column, figure in shown.items() if figure is not None},
            )
        )
    return "\n".join(lines)


def _order(row: str) -> tuple[bool, list[str | int]]:
    """Return a key that sorts give first, then by name, with numbers by their size."""
    parts = re.split(r"(\d+)", row)
    return not row.startswith("give"), [int(part) if part.isdigit() else part for part in parts]


def _line(label: str, shown: dict[str, str]) -> str:
    return f"| {' | '.join([label, *(shown.get(column, '') for column in COLUMNS[1:])])} |"


def floors(rows: Sequence[Row]) -> dict[str, float]:
    """Return the accuracy of a random answer and of always giving the commonest answer (or the commonest
    position).

    >>> floors([{"gold": "yes", "options": ["yes", "no", "maybe"]}] * 2)
    {'*random*': 33.33333333333333, '*always yes*': 100.0}
    """
    floor = {"*random*": 100 * mean(rows, lambda row: 1 / len(row["options"]))}
    gold, count = Counter(row["gold"] for row in rows).most_common(1)[0]
    if len({tuple(row["options"]) for row in rows}) == 1:
        floor[f"*always {gold}*"] = 100 * count / len(rows)
    else:
        positions = Counter(row["options"].index(row["gold"]) for row in rows)
        floor["*always the commonest place*"] = 100 * positions.most_common(1)[0][1] / len(rows)
    return floor


def cells(rows: Sequence[Row]) -> dict[str, str]:
    """Return the figures of one method on one set. A question that failed counts as wrong, and in no other
    mean.
    """
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
    """Return whether a stage gave the gold answer. The answer of a method without stages counts as the last
    stage, and an answer that was read from the graph, or from similar entities, as every stage.
    """
    if row.get("error") is not None:
        return False
    answer = row["answers"][stage]
    staged = row["answers"]["a"] is not None or row.get("verdict") in (None, "unknown")
    if answer is None and (stage == "ace" or not staged):
        answer = row["answer"]
    return bool(answer is not None and answer.casefold() == row["gold"].casefold())


def maybe(row: Row) -> float:
    """Return the share of all judged statements that the model neither affirmed nor denied."""
    judged = row["triples"]["affirmative"] + row["triples"]["counterfactual"] + row["maybe"]
    return float(row["maybe"] / judged) if judged else 0.0


def mean(rows: Sequence[Row], value: Callable[[Row], float]) -> float:
    """Return the mean of a figure over rows; 0 for no rows."""
    return metrics.mean([float(value(row)) for row in rows])
