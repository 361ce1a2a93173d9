"""Claims and questions over bundles of four documents of our own, with the header of each document.

A claim or question is shown several times: over all four documents, over some of them, or over a part of
their lines, always with the lines that decide. Every fifth of the first bundles (`training.verdict.bundles`)
and the part `tune` of the others (`training.large.documents`) are only measured, over all their documents.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from probative.models.task_prompts import UNKNOWN, VERDICTS, Line
from probative.models.verdict import VerdictLimits
from probative.text.definitions import definitions_in, header_of, needed_definitions
from probative.text.plan import Plan, Step
from probative.verdict.lines import choose_window, statement
from training.large.documents import as_written, read_documents, read_relations
from training.large.rows import LABELS, Row
from training.verdict.bundles import read_bundles, sentences_of
from training.verdict.questions import wrong_answer

# How often each claim, each question and each row of another task is drawn.
TIMES = 3
SHAPES = ("whole", "whole", "documents", "documents", "lines", "lines", "lines")
# The lines beside the deciding ones, where only a part of them is shown.
BESIDE = (1, 3, 6, 10, 16)
# The share of answerable questions that are also asked without the lines that answer them.
TWINS = 0.3
KEPT_RELATIONS = 8
MAX_LINES = 200
REPORT = "report_a"
Lines = tuple[Line, ...]


def bundle_rows(data: Path, rng: random.Random) -> Iterator[Row]:
    """Yield the rows to train on."""
    for bundle in training_bundles(data):
        for _ in range(TIMES):
            yield from task_rows(bundle, "bundle", rng)
        for entry in bundle["claims"]:
            for _ in range(TIMES):
                yield from _claim(bundle, entry["claim"], entry, rng)
        for entry in bundle["questions"]:
            for _ in range(TIMES):
                yield from _question(bundle, entry, rng)
            yield from _statements(bundle, entry, rng)
    yield from relation_rows("bundle")


def training_bundles(data: Path) -> list[dict[str, Any]]:
    """Return all bundles to train on."""
    return [*read_bundles(data, kept=False), *read_documents("train")]


def kept_rows(data: Path, words: Sequence[int] = (), *, report: bool = False) -> Iterator[Row]:
    """Yield everything about the bundles that are only measured, over all four documents, or over windows of
    them of so many words each.

    With `report`, the first report part is among them: it is opened once, when everything else is done.
    """
    for bundle in read_bundles(data, kept=True):
        yield from measured_of(bundle, "kept", words)
    for bundle in read_documents("tune"):
        yield from measured_of(bundle, "tune", words)
    if report:
        for bundle in read_documents(REPORT):
            yield from measured_of(bundle, REPORT, words)
    yield from relation_rows("tune")


def measured_of(bundle: dict[str, Any], part: str, words: Sequence[int] = ()) -> Iterator[Row]:
    """Yield the claims and questions of a bundle, and its rows of other tasks."""
    whole = document_lines(bundle["documents"])
    for limit in words or [0]:
        about: dict[str, Any] = {"bundle": bundle["bundle"]} | ({"words": limit} if words else {})

        def shown(asked: str, limit: int = limit) -> Lines:
            if not words:
                return whole
            near = read_window(asked, [line.text for line in whole], limit)
            return with_definitions([whole[index] for index in near], bundle["documents"])

        for entry in bundle["claims"]:
            lines = shown(entry["claim"])
            cited = deciding(lines, entry["sentences"])
            label = LABELS.index(entry["label"])
            facts = {"label": label, "kind": entry["kind"], "cited": cited} | about
            yield Row("verdict", entry["claim"], lines, VERDICTS[label], f"{part}_claims", cited, facts=facts)
        for entry in bundle["questions"]:
            lines = shown(entry["q"])
            cited = deciding(lines, entry["sentences"])
            facts = {"accept": entry["accept"], "kind": entry["kind"], "cited": cited} | about
            reply = entry["answer"] or UNKNOWN
            yield Row("answer", entry["q"], lines, reply, f"{part}_questions", cited, facts=facts)
    yield from task_rows(bundle, part, random.Random(0))


def relation_rows(part: str) -> Iterator[Row]:
    """Yield pairs of relations. Every eighth group of pairs that share a relation is only measured (`tune`);
    the others are trained on.
    """
    entries = read_relations()
    groups: dict[str, str] = {}

    def group(name: str) -> str:
        while groups.setdefault(name, name) != name:
            name = groups[name]
        return name

    for entry in entries:
        groups[group(entry["asked"])] = group(entry["edge"])
    numbers = {name: number for number, name in enumerate(dict.fromkeys(group(e["asked"]) for e in entries))}
    for entry in entries:
        if (numbers[group(entry["asked"])] % KEPT_RELATIONS == 0) is (part == "tune"):
            asked, facts = f"{entry['asked']} | {entry['edge']}", {"accept": [entry["same"]]}
            yield Row("same", asked, (), entry["same"], f"{part}_same", facts=facts)


def task_rows(bundle: dict[str, Any], part: str, rng: random.Random) -> Iterator[Row]:
    """Yield the plans of a bundle's questions, its follow-ups, and its statements that replace each other."""
    if "follow_ups" not in bundle:
        return
    for entry in planned(bundle):
        steps = entry.get("plan") or [{"do": "look_up", "ask": entry["q"]}]
        plan = Plan(steps=tuple(Step(**step) for step in steps))
        facts = {"plan": steps, "accept": entry["accept"], "kind": entry["kind"]}
        yield Row("plan", entry["q"], (), as_written(plan), f"{part}_plan", facts=facts)
    for entry in bundle["follow_ups"]:
        turns = tuple(Line(f"{turn['q']} {turn['a']}") for turn in entry["before"])
        facts = {"accept": [entry["alone"]]}
        yield Row("alone", entry["follow_up"], turns, entry["alone"], f"{part}_alone", facts=facts)
    documents = {document["id"]: document for document in bundle["documents"]}
    for entry in bundle["in_force"]:
        sides = ["first", "second"]
        rng.shuffle(sides)
        lines = tuple(
            Line(entry[side]["text"], header(documents[entry[side]["doc"]], entry[side]["text"]))
            for side in sides
        )
        reply = str(sides.index(entry["valid"]) + 1) if entry["valid"] in sides else entry["valid"]
        facts = {"accept": [reply]}
        yield Row("in_force", entry["about"], lines, reply, f"{part}_in_force", facts=facts)


def planned(bundle: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the questions of a bundle that have a plan: a written one, or a single look-up."""
    return [
        entry
        for entry in bundle["questions"]
        if entry.get("plan") or (entry["answer"] and entry["kind"] in ("single", "paraphrase"))
    ]


def document_lines(documents: Sequence[dict[str, Any]]) -> Lines:
    """Return the sentences and rows of tables of some documents."""
    return tuple(
        Line(text, header(document)) for document in documents for text in sentences_of(document, "no")
    )


def header(document: dict[str, Any], shown: str | None = None) -> str:
    """Return the header of a document, where only a part of it is shown with the definitions it needs."""
    found = () if shown is None else needed_definitions(definitions_in(document["text"]), shown)
    return header_of(document["title"], document.get("date"), found)


def deciding(lines: Lines, sentences: Sequence[dict[str, str]]) -> tuple[int, ...] | None:
    """Return the indexes of the lines that hold the deciding sentences; None if one is not found.

    >>> deciding((Line("It rained. He left."), Line("So what?")), [{"text": "He left."}])
    (0,)
    """
    found: set[int] = set()
    for sentence in sentences:
        text = " ".join(sentence["text"].split())
        here = {
            index
            for index, line in enumerate(lines)
            if text in (whole := " ".join(line.text.split())) or (len(whole) > 15 and whole in text)
        }
        if not here:
            return None
        found |= here
    return tuple(sorted(found))


def _claim(bundle: dict[str, Any], claim: str, entry: dict[str, Any], rng: random.Random) -> Iterator[Row]:
    drawn = _drawn(bundle, entry["sentences"], rng)
    if drawn is None:
        return
    lines, cited = drawn
    reply = VERDICTS[LABELS.index(entry["label"])]
    source = f"bundle_{entry['kind']}"
    yield Row("verdict", claim, lines, reply, source, None if reply == "maybe" else cited)
    rest = _without(lines, cited)
    if entry["label"] == "supported" and cited and rest and rng.random() < TWINS:
        yield Row("verdict", claim, rest, "maybe", "bundle_without", either=True)


def _question(bundle: dict[str, Any], entry: dict[str, Any], rng: random.Random) -> Iterator[Row]:
    drawn = _drawn(bundle, entry["sentences"], rng)
    if drawn is None:
        return
    lines, cited = drawn
    source = f"bundle_{entry['kind']}"
    if not entry["answer"]:
        yield Row("answer", entry["q"], lines, UNKNOWN, source)
        return
    yield Row("answer", entry["q"], lines, entry["answer"], source, cited)
    rest = _without(lines, cited)
    if rest and rng.random() < TWINS:
        said = " ".join(line.text for line in rest).lower()
        if not any(spelling.lower() in said for spelling in entry["accept"]):
            yield Row("answer", entry["q"], rest, UNKNOWN, "bundle_without")


def _statements(bundle: dict[str, Any], entry: dict[str, Any], rng: random.Random) -> Iterator[Row]:
    for claim, made, is_wrong in stated(entry, rng):
        if not is_wrong:
            yield from _claim(bundle, claim, made, rng)
        elif (drawn := _drawn(bundle, entry["sentences"], rng)) is not None:
            yield Row("verdict", claim, drawn[0], "no", "bundle_wrong", either=True)


def stated(entry: dict[str, Any], rng: random.Random) -> Iterator[tuple[str, dict[str, Any], bool]]:
    """Yield a question with its answer, and with another value of the text, as claims; with the second, the
    evidence does not support it, whether or not it denies it.
    """
    if not entry["answer"]:
        return
    right = {"label": "supported", "kind": "statement", "sentences": entry["sentences"]}
    yield statement(entry["q"], entry["answer"]), right, False
    texts = [sentence["text"] for sentence in entry["sentences"]]
    wrong = wrong_answer(entry["q"], entry["answer"], texts, rng)
    if wrong and not any(wrong in spelling for spelling in entry["accept"]):
        yield statement(entry["q"], wrong), right | {"label": "contradicted", "kind": "wrong"}, True


def _drawn(
    bundle: dict[str, Any], sentences: Sequence[dict[str, str]], rng: random.Random
) -> tuple[Lines, tuple[int, ...]] | None:
    """Return lines with all deciding ones among them, and their indexes; None if one is not found."""
    shape = rng.choice(SHAPES)
    documents = list(bundle["documents"])
    if rng.random() < 0.5:
        rng.shuffle(documents)
    if shape == "documents":
        needed = {sentence["doc"] for sentence in sentences} or {rng.choice(documents)["id"]}
        more = rng.choice([document["id"] for document in documents])
        documents = [document for document in documents if document["id"] in needed | {more}]
    lines = document_lines(documents)
    cited = deciding(lines, sentences)
    if cited is None or shape != "lines":
        return None if cited is None else (lines, cited)
    others = [index for index in range(len(lines)) if index not in cited]
    count = min(len(others), rng.choice(BESIDE))
    first = rng.randrange(len(others) - count + 1)
    shown = sorted([*cited, *others[first : first + count]])
    return with_definitions([lines[index] for index in shown], documents), tuple(map(shown.index, cited))


def with_definitions(lines: Sequence[Line], documents: Sequence[dict[str, Any]]) -> Lines:
    """Return a part of the lines, with what their words mean in the headers."""
    said: dict[str, str] = {}
    for line in lines:
        said[line.header] = f"{said.get(line.header, '')}\n{line.text}"
    headers = {header(document): header(document, said.get(header(document))) for document in documents}
    return tuple(Line(line.text, headers[line.header]) for line in lines)


def read_window(asked: str, texts: Sequence[str], limit: int) -> tuple[int, ...]:
    """Return the indexes of the texts that are read at once: all of them, if they have at most so many words
    together, and those that share most with what is asked otherwise.
    """
    lengths = [len(text.split()) for text in texts]
    if sum(lengths) <= limit:
        return tuple(range(len(lengths)))
    return choose_window(asked, texts, lengths, VerdictLimits(limit, MAX_LINES))


def _without(lines: Lines, cited: Sequence[int]) -> Lines:
    return tuple(line for index, line in enumerate(lines) if index not in cited)
