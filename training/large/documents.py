"""Documents of our own: bundles of four with questions, claims, plans and follow-ups (`written/brief.md`).

`pack` checks bundles that were written as one JSON file each, and adds them to the file of their part:
`train`, `tune` (measured while we work), `report_a` and `report_b` (opened once each).
"""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

from probative.errors import ModelError
from probative.scope.plan import execute, read_amount
from probative.text.plan import Plan

Part = Literal["train", "tune", "report_a", "report_b"]
Bundle = dict[str, Any]
FOLDER = Path(__file__).parent / "written"
# The part of a bundle by the first letter of its name.
PARTS: dict[str, Part] = {"t": "train", "u": "tune", "a": "report_a", "b": "report_b"}
PLANNED = frozenset({"compare", "compute", "count", "two_part", "two_docs"})
SILENT = frozenset({"hedged", "unanswerable", "conflict"})
STATED = frozenset({"single", "paraphrase", "table", "defined_term", "in_force"})
QUESTIONS = PLANNED | SILENT | STATED
LABELS = {"true": "supported", "false": "contradicted", "not": "insufficient"}
VALID = ("first", "second", "both", "unknown")
_WORDS = (80, 500)


def read_documents(part: Part) -> Iterator[Bundle]:
    """Yield the bundles of a part."""
    file = FOLDER / f"{part}.jsonl.gz"
    if file.is_file():
        with gzip.open(file, "rt", encoding="utf-8") as stream:
            yield from map(json.loads, stream)


def read_relations() -> list[dict[str, str]]:
    """Return pairs of relations of graphs, and whether they say the same, the inverse, or neither."""
    file = FOLDER / "relations.jsonl"
    return (
        [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.is_file() else []
    )


def pack(files: Sequence[Path]) -> dict[str, Any]:
    """Add checked bundles to the files of their parts, each bundle once; return counts and errors."""
    errors: list[str] = []
    counts: Counter[str] = Counter()
    new: dict[Part, dict[str, Bundle]] = {part: {} for part in PARTS.values()}
    for file in sorted(files):
        try:
            bundle = json.loads(file.read_text(encoding="utf-8"))
        except ValueError as error:
            errors.append(f"{file.name}: not JSON: {error}")
            continue
        wrong = [f"{file.name}: {text}" for text in faults(bundle)]
        errors += wrong
        if not wrong:
            new[PARTS[file.stem[0]]][file.stem] = {**bundle, "bundle": file.stem}
    FOLDER.mkdir(exist_ok=True)
    for part, bundles in new.items():
        every = {bundle["bundle"]: bundle for bundle in read_documents(part)} | bundles
        if bundles:
            with gzip.GzipFile(FOLDER / f"{part}.jsonl.gz", "wb", mtime=0) as stream:
                for _, bundle in sorted(every.items()):
                    stream.write((json.dumps(bundle, ensure_ascii=False) + "\n").encode())
        counts[f"{part}, bundles"] = len(every)
        for bundle in every.values():
            counts[f"{part}, items"] += len(bundle["questions"]) + len(bundle["claims"])
    return {"counts": dict(counts), "errors": errors}


def faults(bundle: Bundle) -> Iterator[str]:
    """Yield what is wrong with a bundle."""
    texts = {document["id"]: document["text"] for document in bundle["documents"]}
    if sorted(texts) != list("abcd"):
        yield f"its documents are {sorted(texts)}"
    for name, text in texts.items():
        if not _WORDS[0] <= len(text.split()) <= _WORDS[1]:
            yield f"document {name} has {len(text.split())} words"
    for entry in bundle["questions"]:
        yield from (f"{fault}: {entry['q']}" for fault in _question_faults(entry))
        yield from _not_quoted(texts, entry["sentences"])
    for entry in bundle["claims"]:
        if entry["label"] != LABELS.get(entry["kind"].partition("_")[0]):
            yield f"{entry['kind']} is not {entry['label']}: {entry['claim']}"
        if entry["label"] != "insufficient" and not entry["sentences"]:
            yield f"no sentence decides: {entry['claim']}"
        yield from _not_quoted(texts, entry["sentences"])
    for entry in bundle["in_force"]:
        if entry["valid"] not in VALID:
            yield f"in_force {entry['valid']}"
        yield from _not_quoted(texts, (entry["first"], entry["second"]))
    for entry in bundle["follow_ups"]:
        if not all((entry["before"], entry["follow_up"], entry["alone"])):
            yield f"follow-up {entry}"


def _question_faults(entry: Bundle) -> Iterator[str]:
    kind = entry["kind"]
    if kind not in QUESTIONS:
        yield f"kind {kind}"
    if (kind in SILENT) != (entry["answer"] is None) or (kind not in SILENT and not entry["accept"]):
        yield f"the answer to a {kind} question"
    if kind in STATED:
        said = " ".join(sentence["text"] for sentence in entry["sentences"]).lower()
        if not any(text.lower() in said for text in entry["accept"]):
            yield "no accepted answer in its sentences"
    if kind in PLANNED:
        try:
            plan = Plan.read(json.dumps(entry["plan"]))
        except (KeyError, ModelError) as error:
            yield f"plan: {error}"
            return
        given = execute(plan, lambda step: step.value).answer
        if given is None or not agrees(given, entry["accept"]):
            yield f"the plan gives {given!r}"


def _not_quoted(texts: dict[str, str], sentences: Sequence[dict[str, str]]) -> Iterator[str]:
    for sentence in sentences:
        if not sentence["text"] or sentence["text"] not in texts.get(sentence["doc"], ""):
            yield f"not in document {sentence['doc']}: {sentence['text'][:60]!r}"


def agrees(answer: str, accept: Sequence[str]) -> bool:
    """Return whether what a plan gives is an accepted answer: the same number, or words that stand in it.

    >>> agrees("70 EUR", ["€70"]), agrees("Ada; 1952", ["Ada, in 1952"]), agrees("12", ["13"])
    (True, True, False)
    >>> agrees("art", ["a party"]), agrees("100", ["101"])
    (False, False)
    """
    parts = answer.split("; ")
    if len(parts) > 1:
        return any(all(agrees(part, [text]) for part in parts) for text in accept)
    mine, number = _plain(answer), read_amount(answer)
    for text in accept:
        if f" {mine} " in f" {_plain(text)} " or f" {_plain(text)} " in f" {mine} ":
            return True
        other = read_amount(text)
        if not (number and other) or number.low is None or other.low is None:
            continue
        if abs(number.low - other.low) <= abs(other.low) * Fraction(1, 200):  # shares have few digits
            return True
    return False


def _plain(text: str) -> str:
    """Return the words of a text without case, articles and punctuation."""
    return " ".join(re.sub(r"\b(?:the|an?)\b|[^\w.\s]", " ", text.lower().replace(",", "")).split())


def overlaps(bundles: Sequence[Bundle], words: int = 5) -> list[float]:
    """Return for each document the share of its runs of five words that its nearest other document has, of
    another bundle.
    """
    runs: list[tuple[str, set[int]]] = []
    places: dict[int, set[int]] = {}
    for bundle in bundles:
        for document in bundle["documents"]:
            said = re.findall(r"\w+", document["text"].lower())
            here = {hash(tuple(said[at : at + words])) for at in range(len(said) - words + 1)}
            for run in here:
                places.setdefault(run, set()).add(len(runs))
            runs.append((bundle["bundle"], here))
    shares = []
    for number, (name, here) in enumerate(runs):
        shared = Counter(
            other for run in here for other in places[run] if other != number and runs[other][0] != name
        )
        shares.append(max(shared.values(), default=0) / max(1, len(here)))
    return shares


def as_written(plan: Plan) -> str:
    """Return a plan as a model writes it: without the values of its look-ups.

    >>> from probative.text.plan import Step
    >>> as_written(Plan(steps=(Step(do="look_up", ask="Who?", of="the pier", value="Ada"),)))
    '[{"do": "look_up", "ask": "Who?", "of": "the pier"}]'
    """
    steps = [
        step.model_dump(exclude_defaults=True, exclude={"name"} if step.do == "given" else {"value", "name"})
        for step in plan.steps
    ]
    return json.dumps(steps, ensure_ascii=False)
