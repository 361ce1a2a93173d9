"""GraphRAG (Edge et al. 2024) on a given graph: communities, a summary of each, an answer from each summary
with a rating of how much it helped, and the final answer from the best of them.

The summaries do not depend on the question: they are made once for a graph and a model, and the requests for
them are the same each time, so that the response cache has them in the next run too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from probative.baselines.graphs.communities import Community, communities
from probative.baselines.graphs.lru_cache import LRUCache
from probative.baselines.graphs.methods import as_query, asked, bare, prompt
from probative.baselines.graphs.options import GiveBaselineOptions
from probative.baselines.passages.cot_sc import answer_line
from probative.engine.search import Search, generate
from probative.engine.tools import Tools
from probative.give.answer import Section, answer
from probative.give.examples import examples_for
from probative.give.knowledge import SHARE, written
from probative.give.query import Form, Query, letter
from probative.give.result import Example, GiveResult, Knowledge
from probative.graph.graph import Graph
from probative.graph.graph_with_index import GraphWithIndex
from probative.models.contract import LanguageModel
from probative.models.types import Completion, Request
from probative.text.cleaning import clean
from probative.text.prompts import fenced
from probative.types import Triple

SUMMARY_TOKENS = 256
PARTIAL_TOKENS = 96
MOST_LETTERS = 300
# Names of a community's entities in the prompt, the most prominent.
MOST_NAMES = 40
PARTS = "Answers from parts of a knowledge graph, the most helpful first"
_WANTED: dict[Form, str] = {
    "yes-no": "yes, no or maybe, and in a few words why",
    "choice": "the letter of one choice, and in a few words why",
    "text": "your answer, and in a few words why",
}
# How much the report of a worked example is said to have helped: it was written for its question.
_EXAMPLE_HELPED = 90

_HELPED = re.compile(r"^[ \t>#*_-]*help(?:ed|ful|fulness|s)?[ \t*_]*[:=]\D{0,12}(\d{1,3})", re.I | re.M)


@dataclass(frozen=True)
class Report:
    """A community's summary, and the triples that it was made from."""

    text: str
    triples: tuple[Triple, ...]
    left_out: int


class Partial(NamedTuple):
    """An answer from one report, and how much the report helped, 0 to 100; None if the model did not say."""

    answer: str
    helped: int | None
    report: Report


_KEPT = LRUCache[tuple[Report, ...]](4)


def by_graphrag(
    query: Query,
    source: GraphWithIndex,
    tools: Tools,
    options: GiveBaselineOptions,
    examples: Sequence[Example] | None = None,
) -> Search[GiveResult]:
    """The answer from the answers that the most helpful communities give."""
    notes: list[str] = []
    worked = examples_for(query, options.examples, examples)
    reports = yield from summaries(source.graph, tools.model, options)
    left_out = sum(report.left_out for report in reports)
    notes.append(f"communities that were summed up: {len(reports)}")
    if left_out:
        notes.append(f"triples that did not fit into their community's summary: {left_out}")
    partials = yield from partial_answers(query, reports, worked, notes)
    best = chosen(partials, options.best, notes)
    sections = [Section(PARTS, "; ".join(f"{one.answer} (helped {one.helped or 0} of 100)" for one in best))]
    if not best:
        notes.append("no part of the graph gave an answer: the answer is the model's own")
    # The worked examples stand where the answers are made; without any of those, here.
    given = yield from answer(
        query,
        sections if best else (),
        () if best else bare(worked),
        tools,
        notes,
        step="answer",
        answering=options.answering,
    )
    triples = tuple(dict.fromkeys(triple for one in best for triple in one.report.triples))
    rationale = "\n".join(f"{one.helped or 0}: {one.answer} ← {one.report.text}" for one in best) or None
    return GiveResult(
        answer=given.answer, knowledge=Knowledge(expert=triples), rationale=rationale, notes=notes
    )


def summaries(graph: Graph, model: LanguageModel, options: GiveBaselineOptions) -> Search[tuple[Report, ...]]:
    """A report on each community, all in one batch; kept for the next question."""
    key = (graph.fingerprint, model.fingerprint, options.seed, options.community_tokens)
    parts = communities(graph, options.seed, options.most_edges, options.most_communities)
    known = _KEPT.get(key)
    if known is not None:
        return known
    facts = [_facts(part, graph, model, options.community_tokens) for part in parts]
    requests = [
        Request.user(
            prompt("graphrag_summary", entities=_names(part, graph), facts=written(triples, "triples")),
            max_tokens=SUMMARY_TOKENS,
        )
        for part, triples in zip(parts, facts, strict=True)
    ]
    replies = yield from generate(requests, step="summaries")
    reports = tuple(
        Report(fenced(clean(reply.text)), tuple(triples), len(part.rows) - len(triples))
        for reply, triples, part in zip(replies, facts, parts, strict=True)
    )
    if not any(reply.finish_reason == "dry-run" for reply in replies):
        _KEPT.put(key, reports)
    return reports


def _names(part: Community, graph: Graph) -> str:
    names = ", ".join(fenced(graph.entities[entity]) for entity in part.entities[:MOST_NAMES])
    return names if len(part.entities) <= MOST_NAMES else f"{names}, and others"


def _facts(part: Community, graph: Graph, model: LanguageModel, most_tokens: int) -> list[Triple]:
    """The most prominent triples of a community, as many as fit."""
    room = most_tokens
    if model.window is not None:
        frame = model.count_tokens(prompt("graphrag_summary", entities=_names(part, graph), facts=""))
        room = min(room, int(model.window * SHARE), model.window - frame - SUMMARY_TOKENS)
    taken: list[Triple] = []
    for row in part.rows:
        triple = graph.triple(row)
        room -= model.count_tokens(written([triple], "triples")) + 1
        if room < 0:
            break
        taken.append(triple)
    return taken


def partial_answers(
    query: Query, reports: Sequence[Report], examples: Sequence[Example], notes: list[str]
) -> Search[list[Partial]]:
    """An answer from each report, all in one batch; what cannot be read is left out, with a note."""
    told = [report for report in reports if report.text]
    shown = "".join(f"\n{_example(example, query)}\n" for example in examples)
    requests = [
        Request.user(
            prompt(
                "graphrag_partial",
                wanted=_WANTED[query.form],
                examples=shown,
                question=asked(query),
                report=report.text,
            ),
            max_tokens=PARTIAL_TOKENS,
            stop=("\nQuestion:",),
        )
        for report in told
    ]
    replies: list[Completion] = (yield from generate(requests, step="partial answers")) if requests else []
    if replies and replies[0].finish_reason == "dry-run":
        return [Partial(replies[0].text, 1, report) for report in told]
    read = [read_partial(reply.text, report) for reply, report in zip(replies, told, strict=True)]
    unrated = [one.answer for one in read if one is not None and one.helped is None]
    if unrated:
        notes.append(
            f"answers from communities without a rating, which counts as 0: {len(unrated)} of {len(read)}, "
            f"the first {unrated[0][:80]!r}"
        )
    if silent := read.count(None):
        notes.append(f"communities that gave no answer: {silent} of {len(read)}")
    return [one for one in read if one is not None]


def read_partial(text: str, report: Report) -> Partial | None:
    r"""The answer and the rating of a reply, None for a rating that is missing; None where it says nothing.

    >>> partial = read_partial("Answer: yes, it is\n**Helped:** 70 of 100", Report("Moss.", (), 0))
    >>> partial.answer, partial.helped
    ('yes, it is', 70)
    """
    helped = _HELPED.search(text)
    before = text[: helped.start()] if helped is not None else text
    # The prompt ends with "Answer:", so the reply may begin with the answer itself, or say it again.
    line = answer_line(before)
    said = fenced(clean(line[1] if line is not None else before))[:MOST_LETTERS]
    return Partial(said, min(int(helped[1]), 100) if helped is not None else None, report) if said else None


def chosen(partials: Sequence[Partial], most: int, notes: list[str]) -> list[Partial]:
    """The answers that helped, the best first, of equals the larger community's; those that did not help
    only where no other is left.
    """
    ranked = sorted(partials, key=lambda one: -(one.helped or 0))
    helpful = [one for one in ranked if one.helped]
    if ranked and not helpful:
        notes.append("no part of the graph is said to help: their answers are used all the same")
    return (helpful or ranked)[:most]


def _example(example: Example, query: Query) -> str:
    said = example.answer
    if example.choices:
        said = f"{letter(example.choices.index(example.answer))}) {example.answer}"
    report = written(example.knowledge, "text") or "none"
    said += f", because {fenced(example.knowledge[-1].sentence)}" if example.knowledge else ""
    return (
        f"Question: {asked(as_query(example, query.form))}\nReport: {report}\n"
        f"Answer: {said}\nHelped: {_EXAMPLE_HELPED if example.knowledge else 0}"
    )
