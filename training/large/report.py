"""What `judge`, `verify`, `ask` and the plans of questions reach on bundles of our own documents, through a
session.

Every item is written to a file as soon as it is measured, so a run that was stopped goes on where it stopped,
and several processes can share the bundles (`--shard 0/8` takes every eighth).
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np

from probative import Session
from probative.bench.metrics import wilson_interval
from probative.corpus.documents.passages import CorpusPassage, passages_of
from probative.corpus.readers.formats import document_in
from probative.corpus.readers.text_builder import FileContent
from probative.engine.search import generate
from probative.errors import ContextError, EmptyError, InputError, ModelError
from probative.models.task_prompts import UNKNOWN, Line, ask_answer, read_reply, task_request
from probative.models.types import Request
from probative.scope.plan import execute
from probative.text.definitions import header_of
from probative.text.plan import Plan, Step
from probative.types import Verdict
from training.certainty.collect import is_eligible
from training.large.arrays import Arrays
from training.large.bundles import deciding, document_lines
from training.large.documents import Bundle, agrees, as_written, read_documents
from training.large.figures import plain, plan_scores
from training.row_files import append_rows, print_cells, print_header, read_rows

ReportPart = Literal["tune", "report_a", "report_b"]
Entry = dict[str, Any]
Row = dict[str, Any]
# The most tokens of a plan.
PLAN_TOKENS = 220


def evidence_of(bundle: Bundle) -> list[str]:
    """Return the documents as `judge` reads them: one text each, below its title and date."""
    return [
        f"# {header_of(document['title'], document.get('date'))}\n\n{document['text']}"
        for document in bundle["documents"]
    ]


def passages_in(bundle: Bundle) -> list[CorpusPassage]:
    """Return the passages of the documents, as an index makes them from Markdown files."""
    passages: list[CorpusPassage] = []
    for document in bundle["documents"]:
        name = f"{document['id']}.md"
        read = document_in(FileContent(name, Path(name), document["text"].encode()))
        known = {"title": document["title"]}
        if document.get("date"):
            known |= {"date": document["date"], "date_source": "front matter"}
        passages += passages_of(read.model_copy(update=known))
    return passages


def measure_judge(session: Session, bundle: Bundle, entry: Entry) -> Row:
    """Return the verdict on a claim over all documents."""
    judgement = session.judge(entry["claim"], evidence_of(bundle))
    return {
        "claim": entry["claim"],
        "label": entry["label"],
        "verdict": judgement.verdict.value,
        "probabilities": judgement.probabilities.model_dump(),
        "model": judgement.verdict_model,
    }


def measure_verify(session: Session, bundle: Bundle, entry: Entry) -> Row:
    """Return the verdict of `verify` on a claim over the passages of all documents, and whether the sentences
    that decide are the needed ones.
    """
    verification = session.verify(entry["claim"], passages_in(bundle))
    deciding = [sentence.text for claim in verification.claims for sentence in claim.deciding]
    needed = bool(entry["sentences"])
    return {
        "claim": entry["claim"],
        "label": entry["label"],
        "verdict": worst_verdict(claim.verdict for claim in verification.claims).value,
        "parts": [claim.to_dict() for claim in verification.claims],
        "needed_decide": has_sentences(deciding, entry) if needed else None,
        "model": verification.verdict_model,
    }


def worst_verdict(verdicts: Iterable[Verdict]) -> Verdict:
    """Return the verdict on a claim that was split: it is as good as its worst part.

    >>> worst_verdict([Verdict.SUPPORTED, Verdict.CONTRADICTED]).value, worst_verdict([]).value
    ('contradicted', 'insufficient')
    """
    given = set(verdicts)
    worst = (Verdict.CONTRADICTED, Verdict.INSUFFICIENT, Verdict.SUPPORTED)
    return next((verdict for verdict in worst if verdict in given), Verdict.INSUFFICIENT)


def measure_ask(session: Session, bundle: Bundle, entry: Entry) -> Row:
    """Return the answer to a question over all documents, and whether its chain has the needed sentences."""
    answer = session.ask(entry["q"], passages_in(bundle))
    chain = [passage.text for passage in answer.chain]
    cited = [sentence.text for sentence in (*answer.cited, *answer.leading)]
    return {
        "question": entry["q"],
        "accept": entry["accept"],
        "answer": answer.answer,
        "candidate": answer.candidate,
        "verdict": answer.verdict.value,
        "level": answer.level.value,
        "signals": None if answer.signals is None else answer.signals.to_dict(),
        "eligible": is_eligible(answer),
        "certainty": answer.certainty,
        "reason": answer.reason,
        "exact": is_exact(answer.answer, entry["accept"]),
        "agrees": answer.answer is not None and agrees(answer.answer, entry["accept"]),
        "candidate_exact": is_exact(answer.candidate, entry["accept"]),
        "chain": chain,
        "cited": cited,
        "needed": [sentence["text"] for sentence in entry["sentences"]],
        "needed_in_chain": has_needed(chain, entry),
        "needed_cited": has_needed(cited, entry),
        "model": answer.model,
    }


def measure_plan(session: Session, bundle: Bundle, entry: Entry) -> Row:
    """Return the plan that the model writes, and what it and the written plan give when they are run.

    The model answers each look-up from all documents, once for both plans.
    """
    passages = passages_in(bundle)
    replies: dict[str, str] = {}

    def look_up(question: str) -> str:
        if question not in replies:
            replies[question] = reply_to(session, ask_answer(question, passages))
        return replies[question]

    reply = reply_to(session, task_request("plan", entry["q"], max_tokens=PLAN_TOKENS))
    return plan_row(entry, reply, look_up) | {"looked_up": replies, "model": session.language_model.name}


def plan_row(entry: Entry, reply: str, look_up: Callable[[str], str]) -> Row:
    """Return what the written plan and the plan in a reply give when they are run; `look_up` replies to the
    question of a step.
    """

    def answer_of(step: Step) -> str | None:
        answer, _ = read_reply(look_up(step.ask or ""))
        return None if answer == UNKNOWN else answer

    written = execute(written_plan(entry), answer_of)
    row = {
        "question": entry["q"],
        "accept": entry["accept"],
        "written_answer": written.answer,
        "written_values": written.values,
        "written_right": written.answer is not None and agrees(written.answer, entry["accept"]),
    }
    plan = plan_in(reply)
    if plan is None:
        return row | {"plan": reply, "exact": False, "same_shape": False, "right": False}
    result = execute(plan, answer_of)
    exact, same_shape, _ = plan_scores(as_written(plan), entry)
    return row | {
        "plan": as_written(plan),
        "exact": bool(exact),
        "same_shape": bool(same_shape),
        "answer": result.answer,
        "values": result.values,
        "rule": result.rule,
        "right": result.answer is not None and agrees(result.answer, entry["accept"]),
    }


def written_plan(entry: Entry) -> Plan:
    """Return the plan that was written for a question."""
    return Plan.model_validate({"steps": entry["plan"]})


def plan_in(reply: str) -> Plan | None:
    """Return the plan in a reply; None if it cannot be run."""
    try:
        return Plan.read(reply)
    except ModelError:
        return None


def reply_to(session: Session, request: Request) -> str:
    """Return what the model replies; nothing if its reply is empty or the prompt is too long for it."""
    try:
        (completion,) = session.run_search(generate([request], step="report"))
    except (ContextError, EmptyError):
        return ""
    return completion.text


def is_exact(answer: str | None, accept: Sequence[str]) -> bool:
    """Return whether an answer is an accepted one, up to case, articles and punctuation."""
    return answer is not None and plain(answer) in map(plain, accept)


def has_needed(texts: Sequence[str], entry: Entry) -> bool | None:
    """Return whether texts contain all sentences that an answer needs; None if it needs none."""
    if not entry["answer"] or not entry["sentences"]:
        return None
    return has_sentences(texts, entry)


def has_sentences(texts: Sequence[str], entry: Entry) -> bool:
    """Return whether texts contain all sentences of an entry."""
    return deciding(tuple(map(Line, texts)), entry["sentences"]) is not None


MEASURES: dict[str, tuple[str, Callable[[Session, Bundle, Entry], Row]]] = {
    "judge": ("claims", measure_judge),
    "verify": ("claims", measure_verify),
    "ask": ("questions", measure_ask),
    "plan": ("questions", measure_plan),
}
"""What is measured: the entries of a bundle, and the function that measures one."""


def run_report(
    session: Session, part: ReportPart, whats: Sequence[str], out: Path, shard: str, limit: int | None
) -> None:
    """Measure the items of a part that are not in `out` yet; `limit` is the number of items of each kind."""
    out.mkdir(parents=True, exist_ok=True)
    number, count = map(int, shard.split("/"))
    bundles = list(read_documents(part))[number::count]
    for what in whats:
        done = {row["key"] for row in rows_of(out, what)}
        measure = MEASURES[what][1]
        for key, bundle, entry in list(_items(bundles, what))[:limit]:
            if key in done:
                continue
            started, before = time.perf_counter(), session.usage
            row = {"key": key, "kind": entry["kind"]} | measure(session, bundle, entry)
            row["calls"] = (session.usage - before).calls
            row["seconds"] = round(time.perf_counter() - started, 2)
            append_rows(out / f"{what}-{number}.jsonl", [row])


def _items(bundles: Sequence[Bundle], what: str) -> Iterator[tuple[str, Bundle, Entry]]:
    """Yield what is measured, each with a key that names it."""
    for bundle in bundles:
        for index, entry in enumerate(bundle[MEASURES[what][0]]):
            if what != "plan" or entry.get("plan"):
                yield f"{bundle['bundle']} {index}", bundle, entry


def rows_of(out: Path, what: str) -> list[Row]:
    """Return the rows that all shards have written."""
    return read_rows(sorted(out.glob(f"{what}-*.jsonl")), ["key"])


def cited_chains(part: ReportPart, arrays: Arrays, kept: Path) -> list[Row]:
    """Return for each answerable question whether the passages of the lines that the large model cites, when
    it reads all documents, have the needed sentences: the chain of `ask`, by the replies that `measure` kept.

    `ask` takes passages of less probable replies, too, and those of the evidence policy if the reply is
    unknown, which counts as lacking here.
    """
    if arrays.about.get("words"):
        raise InputError("these replies are to parts of the documents, whose lines have other numbers")
    replies: dict[str, list[str]] = defaultdict(list)
    with np.load(kept) as measured:
        for number, reply in zip(measured["asked"], measured["replies"].tolist(), strict=True):
            if (fact := arrays.facts[number])["source"] == f"{part}_questions":
                replies[fact["bundle"]].append(reply)
    rows = []
    for bundle in read_documents(part):
        lines, passages = document_lines(bundle["documents"]), [entry.text for entry in passages_in(bundle)]
        for entry, reply in zip(bundle["questions"], replies[bundle["bundle"]], strict=True):
            _, cited = read_reply(reply)
            texts = [_plain(lines[index].text) for index in cited if index < len(lines)]
            chain = [text for text in passages if any(line in _plain(text) for line in texts)]
            rows.append({"kind": entry["kind"], "needed": has_needed(chain, entry)})
    return [row for row in rows if row["needed"] is not None]


def _plain(text: str) -> str:
    return " ".join(text.split())


COLUMNS: dict[str, dict[str, Callable[[Row], bool | None]]] = {
    "judge": {
        "right": lambda row: row["verdict"] == row["label"],
        "wrong and supported": lambda row: row["verdict"] == "supported" != row["label"],
    },
    "verify": {
        "right": lambda row: row["verdict"] == row["label"],
        "right of supported": lambda row: (
            row["label"] == "supported" if row["verdict"] == "supported" else None
        ),
        "wrong and supported": lambda row: row["verdict"] == "supported" != row["label"],
        "all needed decide": lambda row: row["needed_decide"],
    },
    "ask": {
        "all needed in the chain": lambda row: row["needed_in_chain"],
        "all needed cited": lambda row: row["needed_cited"],
        "right": lambda row: row["exact"] if row["accept"] else row["answer"] is None,
        "wrong": lambda row: row["answer"] is not None and not row["exact"],
        "declined": lambda row: row["answer"] is None,
        "declined, but the candidate is right": lambda row: row["candidate_exact"] and row["answer"] is None,
        "right or in other words": lambda row: row["exact"] or row["agrees"] if row["accept"] else None,
    },
    "plan": {
        "exact plan": lambda row: row["exact"],
        "same shape": lambda row: row["same_shape"],
        "right when run": lambda row: row["right"],
        "right when run, written plan": lambda row: row["written_right"],
    },
}
"""The shares that are printed; None: a row does not count."""


def print_report(out: Path) -> None:
    """Print the figures of all shards, by kind."""
    for what, columns in COLUMNS.items():
        rows = rows_of(out, what)
        if not rows:
            continue
        models = ", ".join(sorted({row["model"] for row in rows if row["model"]}))
        print(f"\n{what} with {models}: counts, percent, and intervals of 95%\n")
        print_header(["kind", "items", *columns, "calls", "seconds"])
        for name, group in _groups(rows, what).items():
            shares = [share([column(row) for row in group]) for column in columns.values()]
            costs = [f"{sum(row[cost] for row in group) / len(group):.1f}" for cost in ("calls", "seconds")]
            print_cells([name, str(len(group)), *shares, *costs])


def print_chains(rows: Sequence[Row]) -> None:
    """Print how often the cited passages have all needed sentences, by kind."""
    print_header(["kind", "all needed in the cited passages"])
    for name, group in _groups(rows, "chains").items():
        print_cells([name, share([row["needed"] for row in group])])


def _groups(rows: Sequence[Row], what: str) -> dict[str, list[Row]]:
    """Return the rows of each line of a table: of all kinds, and of each kind."""
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        whole = "all" if what != "ask" else "answerable" if row["accept"] else "unanswerable"
        groups[f"**{whole}**"].append(row)
        groups[row["kind"]].append(row)
    return dict(sorted(groups.items()))


def share(values: Sequence[bool | None]) -> str:
    """Return how many values are true, of those that count, with Wilson's interval.

    >>> share([True, True, False, None]), share([None])
    ('2 of 3, 67 (21–94)', '')
    """
    counted = [value for value in values if value is not None]
    if not counted:
        return ""
    low, high = wilson_interval(sum(counted), len(counted))
    return f"{sum(counted)} of {len(counted)}, {100 * sum(counted) / len(counted):.0f} ({low:.0f}–{high:.0f})"
