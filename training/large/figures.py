"""How good an adapter is: verdicts by their logits, answers, citations, plans and rewritten questions."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from probative.bench.metrics import wilson_interval
from probative.errors import ModelError
from probative.models.task_prompts import UNKNOWN, read_reply
from probative.text.plan import Plan
from training.large.arrays import Arrays, Numbers

# The set in another language is not in the mean of the English sets.
SPANISH = "xnli_test_es"
# The claims and the questions over bundles of ours are named after their part: kept_claims, tune_questions.
CLAIMS, QUESTIONS = "_claims", "_questions"


# Claims with long evidence are measured with windows of several sizes, of which one is chosen.
WORDS = 1300


def read_figures(arrays: Arrays, file: Path, words: int = WORDS) -> dict[str, Any]:
    """Return all figures of what `measure` kept, with windows of this many words."""
    with np.load(file) as measured:
        claims, logits = measured["claims"], measured["logits"].astype(np.float32)
        here = read_at(arrays, claims, words)
        asked, replies = measured["asked"], measured["replies"]
        these = read_at(arrays, asked, words)
        return figures(arrays, claims[here], logits[here], asked[these], replies[these].tolist())


def figures(
    arrays: Arrays, claims: Numbers, logits: NDArray[np.float32], asked: Numbers, replies: Sequence[str]
) -> dict[str, Any]:
    """Return the figures of verdicts and replies."""
    facts = [arrays.facts[number] for number in claims]
    odds = np.exp(logits - logits.max(1, keepdims=True))
    chances = odds / odds.sum(1, keepdims=True)
    labels = np.array([fact["label"] for fact in facts])
    sources = np.array([fact["source"] for fact in facts])
    result: dict[str, Any] = {"verdict": {}}
    for source in dict.fromkeys(sources):
        here = sources == source
        if source.endswith(CLAIMS):
            kinds = [fact["kind"] for fact, chosen in zip(facts, here, strict=True) if chosen]
            result[source] = claim_figures(labels[here], chances[here], kinds)
        else:
            result["verdict"][source] = set_figures(labels[here], chances[here])
    english = [value for name, value in result["verdict"].items() if name != SPANISH]
    for name in ("balanced", "auroc"):
        result[f"mean_{name}"] = float(np.mean([value[name] for value in english])) if english else None
    result.update(reply_figures([arrays.facts[number] for number in asked], replies))
    return result


def set_figures(labels: NDArray[Any], chances: NDArray[Any]) -> dict[str, float]:
    """Return the figures of one verdict set: supported against the rest at 0.5, with half the width of its
    interval of 95%, ranking, and three ways.
    """
    supported, chosen = labels == 0, chances[:, 0] > 0.5
    parts = [right for right in (chosen[supported], ~chosen[~supported]) if len(right)]
    # The variance of a mean of shares is that of each, divided by the square of their number.
    variance = sum(part.mean() * (1 - part.mean()) / len(part) for part in parts) / len(parts) ** 2
    return {
        "rows": len(labels),
        "balanced": 100 * float(np.mean([part.mean() for part in parts])),
        "within": 196 * float(np.sqrt(variance)),
        "auroc": area(chances[supported, 0], chances[~supported, 0]),
        "three_way": 100 * float((chances.argmax(1) == labels).mean()),
    }


def area(positive: NDArray[Any], negative: NDArray[Any]) -> float:
    """Return how often a positive has a higher value than a negative; half for equal ones.

    >>> area(np.array([0.9, 0.5]), np.array([0.5, 0.1]))
    0.875
    """
    if not len(positive) or not len(negative):
        return float("nan")
    below = np.searchsorted(np.sort(negative), positive, "left")
    not_above = np.searchsorted(np.sort(negative), positive, "right")
    return float((below + not_above).mean() / 2 / len(negative))


def claim_figures(labels: NDArray[Any], chances: NDArray[Any], kinds: Sequence[str]) -> dict[str, Any]:
    """Return how many claims are right, by kind, and how many are wrong and called supported."""
    said = chances.argmax(1)
    right = said == labels
    by_kind: dict[str, list[bool]] = defaultdict(list)
    for kind, is_right in zip(kinds, right, strict=True):
        by_kind[kind].append(bool(is_right))
    return {
        "rows": len(labels),
        "right": 100 * float(right.mean()),
        "right_interval": list(wilson_interval(int(right.sum()), len(labels))),
        "wrong_and_supported": 100 * float((wrong := (said == 0) & (labels != 0)).mean()),
        "wrong_interval": list(wilson_interval(int(wrong.sum()), len(labels))),
        "kinds": {kind: f"{sum(values)} of {len(values)}" for kind, values in sorted(by_kind.items())},
    }


def reply_figures(facts: Sequence[dict[str, Any]], replies: Sequence[str]) -> dict[str, Any]:
    """Return exact match, F1 and right citations of written replies, by source and noise or kind."""
    groups: dict[str, list[tuple[float, float, float]]] = defaultdict(list)
    for fact, reply in zip(facts, replies, strict=True):
        said, cited = read_reply(reply)
        name = f"{fact['source']} +{fact['noise']}" if "noise" in fact else fact["source"]
        if fact["source"].endswith(CLAIMS):
            if fact["cited"] and said != "maybe":
                groups[f"{fact['source']} cited"].append((0.0, 0.0, set(cited) == set(fact["cited"])))
            continue
        if fact.get("task") == "plan":
            groups[name].append(plan_scores(reply, fact))
            continue
        accept = fact["accept"] or [UNKNOWN]
        exact = float(any(plain(said) == plain(text) for text in accept))
        scores = (
            exact,
            max(overlap(said, text) for text in accept),
            set(cited) == set(fact.get("cited") or ()),
        )
        groups[name].append(scores)
        if fact["source"].endswith(QUESTIONS):
            groups[f"{name} {fact['kind']}"].append(scores)
    names = ("exact", "f1", "cited")
    return {
        name: {
            "rows": len(values),
            "exact_interval": list(wilson_interval(round(sum(value[0] for value in values)), len(values))),
        }
        | {
            key: 100 * float(np.mean(column))
            for key, column in zip(names, zip(*values, strict=True), strict=True)
        }
        for name, values in groups.items()
    }


def read_at(arrays: Arrays, numbers: Numbers, words: int) -> NDArray[np.bool_]:
    """Return which rows are read with a window of this many words; all that fit into every window are."""
    measured = arrays.about.get("words")
    if measured and words not in measured:
        raise ValueError(f"these rows were measured with windows of {measured} words, not of {words}")
    kept = [arrays.facts[number].get("words", 0) in (0, words) for number in numbers]
    return np.array(kept, dtype=np.bool_)


def plan_scores(reply: str, fact: dict[str, Any]) -> tuple[float, float, float]:
    """Return whether a plan is the written one, whether its shape is (the steps without their questions), and
    whether it can be run.
    """
    try:
        Plan.read(reply)
    except ModelError:
        return 0.0, 0.0, 0.0
    steps = json.loads(reply)
    mine, right = ([_bare(step) for step in each] for each in (steps, fact["plan"]))
    asked = [[plain(str(step.get("ask", ""))) for step in each] for each in (steps, fact["plan"])]
    return float(mine == right and asked[0] == asked[1]), float(mine == right), 1.0


def _bare(step: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in step.items() if name not in ("ask", "of", "value")}


def plain(text: str) -> str:
    """Return a text without case, articles and punctuation, as exact match compares it.

    >>> plain("The Pier, in 1871.")
    'pier in 1871'
    """
    return " ".join(re.sub(r"\b(a|an|the)\b|[^\w\s]", " ", text.lower()).split())


def overlap(said: str, right: str) -> float:
    """Return F1 of the words that two texts share.

    >>> overlap("the old pier", "old pier 1871")
    0.8
    """
    one, two = Counter(plain(said).split()), Counter(plain(right).split())
    shared = (one & two).total()
    return 2 * shared / (one.total() + two.total()) if shared else 0.0


def main_figures(result: dict[str, Any]) -> dict[str, float]:
    """Return the figures that runs are compared by.

    >>> main_figures({"mean_balanced": 71.2, "verdict": {"anli": {"balanced": 60.0}}, "q +4": {"exact": 5.0}})
    {'mean of the English sets': 71.2, 'anli': 60.0, 'q +4, exact': 5.0}
    """
    values = {"mean of the English sets": result["mean_balanced"]}
    if result.get("mean_auroc") is not None:
        values["mean AUROC of the English sets, percent"] = 100 * result["mean_auroc"]
    values |= {name: value["balanced"] for name, value in result["verdict"].items()}
    for name, value in result.items():
        if name.endswith(CLAIMS):
            values |= {f"{name} right": value["right"], f"{name} wrong": value["wrong_and_supported"]}
    for name, value in result.items():
        if isinstance(value, dict) and "exact" in value:
            values[f"{name}, exact"] = value["exact"]
    return values


def _with_interval(value: dict[str, Any], name: str, of: str = "") -> str:
    """Return a figure with its interval of 95%."""
    low, high = value[f"{of or name}_interval"]
    return f"{value[name]:.1f} ({low:.1f}–{high:.1f})"


def summary(result: dict[str, Any]) -> str:
    """Return the main figures on a few lines."""
    lines = [f"mean of the English sets, balanced: {result['mean_balanced'] or 0:.1f}"]
    lines += [
        f"  {name:32s} balanced {value['balanced']:5.1f} ± {value['within']:.1f}  AUROC {value['auroc']:.3f}"
        f"  three-way {value['three_way']:5.1f}"
        for name, value in result["verdict"].items()
    ]
    lines += [
        f"{name}: right {_with_interval(value, 'right')}, wrong and supported "
        f"{_with_interval(value, 'wrong_and_supported', 'wrong')}, {value['kinds']}"
        for name, value in result.items()
        if name.endswith(CLAIMS)
    ]
    lines += [
        f"  {name:40s} exact {_with_interval(value, 'exact')}  F1 {value['f1']:5.1f}"
        f"  cited {value['cited']:5.1f}  ({value['rows']})"
        for name, value in result.items()
        if isinstance(value, dict) and "exact" in value
    ]
    return "\n".join(lines)
