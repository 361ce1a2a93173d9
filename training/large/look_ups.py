"""Plans that are run by kept replies: the questions that their steps look up, as rows to measure, and what
the plans give once those are answered. It costs a device seconds where a session takes hours.

Questions that need the result of another step are only known while a plan runs; a session answers them.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator
from pathlib import Path

import numpy as np

from probative import Session
from probative.models.task_prompts import UNKNOWN, ask_answer
from training.large.arrays import Arrays
from training.large.bundles import document_lines, planned
from training.large.documents import Bundle, read_documents
from training.large.report import (
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
    for bundle, number, reply in _planned(part, arrays, kept):
        lines, entry = document_lines(bundle["documents"]), bundle["questions"][number]
        steps = [*written_plan(entry).steps, *(plan.steps if (plan := plan_in(reply)) else ())]
        for asked in dict.fromkeys(step.ask for step in steps if step.ask and "#" not in step.ask):
            facts = {"accept": [], "kind": entry["kind"], "bundle": bundle["bundle"], "asked": asked}
            yield Row("answer", asked, lines, UNKNOWN, f"{part}_look_ups", facts=facts)


def run_plans(
    session: Session,
    part: ReportPart,
    arrays: Arrays,
    kept: Path,
    looked_up: Arrays,
    answers: Path,
    done: Collection[str] = (),
) -> Iterator[Found]:
    """Yield what the plans give, one row for each question that is not `done`, as a report keeps it."""
    with np.load(answers) as measured:
        if len(measured["asked"]) != len(looked_up):
            raise ValueError(f"{answers} has {len(measured['asked'])} answers to {len(looked_up)} questions")
        said = {
            (looked_up.facts[number]["bundle"], looked_up.facts[number]["asked"]): str(reply)
            for number, reply in zip(measured["asked"], measured["replies"], strict=True)
        }
    for bundle, number, reply in _planned(part, arrays, kept):
        entry, key = bundle["questions"][number], f"{bundle['bundle']} {number}"
        if key in done:
            continue
        started, before = time.perf_counter(), session.usage

        def look_up(asked: str, bundle: Bundle = bundle) -> str:
            place = bundle["bundle"], asked
            if place not in said:
                said[place] = reply_to(session, ask_answer(asked, passages_in(bundle)))
            return said[place]

        row = {"key": key, "kind": entry["kind"]} | plan_row(entry, reply, look_up)
        calls, seconds = (session.usage - before).calls, time.perf_counter() - started
        yield row | {"calls": calls, "seconds": seconds, "model": session.model_name}


def _planned(part: ReportPart, arrays: Arrays, kept: Path) -> Iterator[tuple[Bundle, int, str]]:
    """Yield the questions that need several steps, each with its bundle and the kept reply: its plan."""
    with np.load(kept) as measured:
        rows = zip(measured["asked"], measured["replies"], strict=True)
        replies = [str(reply) for number, reply in rows if arrays.facts[number]["source"] == f"{part}_plan"]
    bundles = list(read_documents(part))
    asked = [(bundle, entry) for bundle in bundles for entry in planned(bundle)]
    if len(asked) != len(replies):
        raise ValueError(f"{kept} has {len(replies)} plans of the part {part}, which has {len(asked)}")
    for (bundle, entry), reply in zip(asked, replies, strict=True):
        if entry.get("plan"):
            yield bundle, bundle["questions"].index(entry), reply
