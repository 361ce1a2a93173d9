"""Plans that are run by kept replies: the questions that their steps look up, as rows to measure, and what
the plans give once those are answered. It costs a device seconds where a session takes hours.

Questions that need the result of another step are only known while a plan runs; a session answers them.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from probative import Session
from probative.models.reader_prompts import ask_answer
from probative.models.task_prompts import UNKNOWN
from training.large.arrays import Arrays
from training.large.bundles import document_lines
from training.large.documents import Bundle, read_documents
from training.large.report import (
    Entry,
    ReportPart,
    passages_in,
    plan_in,
    plan_row,
    reply_to,
    written_plan,
)
from training.large.report import Row as Found
from training.large.rows import Row


def look_up_rows(part: ReportPart, arrays: Arrays, kept: Path) -> Iterator[Row]:
    """Yield the questions that the written plans and the plans in kept replies look up, over all documents
    of their bundle.
    """
    for bundle, entry, reply in _planned(part, arrays, kept):
        lines = document_lines(bundle["documents"])
        steps = [*written_plan(entry).steps, *(plan.steps if (plan := plan_in(reply)) else ())]
        for asked in dict.fromkeys(step.ask for step in steps if step.ask and "#" not in step.ask):
            facts = {"accept": [], "kind": entry["kind"], "bundle": bundle["bundle"], "asked": asked}
            yield Row("answer", asked, lines, UNKNOWN, f"{part}_look_ups", facts=facts)


def run_plans(
    session: Session, part: ReportPart, arrays: Arrays, kept: Path, looked_up: Arrays, answers: Path
) -> Iterator[Found]:
    """Yield what the plans give, one row for each question, as a report keeps it."""
    with np.load(answers) as measured:
        said = {
            (looked_up.facts[number]["bundle"], looked_up.facts[number]["asked"]): str(reply)
            for number, reply in zip(measured["asked"], measured["replies"], strict=True)
        }
    for number, (bundle, entry, reply) in enumerate(_planned(part, arrays, kept)):
        started, before = time.perf_counter(), session.usage

        def look_up(asked: str, bundle: Bundle = bundle) -> str:
            key = bundle["bundle"], asked
            if key not in said:
                said[key] = reply_to(session, ask_answer(asked, passages_in(bundle), "lines"))
            return said[key]

        row = {"key": f"{bundle['bundle']} {number}", "kind": entry["kind"]} | plan_row(entry, reply, look_up)
        calls, seconds = (session.usage - before).calls, time.perf_counter() - started
        yield row | {"calls": calls, "seconds": seconds, "model": session.model_name}


def _planned(part: ReportPart, arrays: Arrays, kept: Path) -> Iterator[tuple[Bundle, Entry, str]]:
    """Yield the questions that need several steps, each with its bundle and the kept reply: its plan."""
    with np.load(kept) as measured:
        rows = zip(measured["asked"], measured["replies"], strict=True)
        replies = iter(
            [str(reply) for number, reply in rows if arrays.facts[number]["source"] == f"{part}_plan"]
        )
    for bundle in read_documents(part):
        for entry in bundle["questions"]:
            if entry.get("plan") or (entry["answer"] and entry["kind"] in ("single", "paraphrase")):
                reply = next(replies)
                if entry.get("plan"):
                    yield bundle, entry, reply
