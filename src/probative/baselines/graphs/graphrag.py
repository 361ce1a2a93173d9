"""GraphRAG (Edge et al. 2024) on an existing graph: its communities (by Louvain's method), a summary of each,
an answer from each summary with a rating of how much it helped, and the final answer from the best of these.

The summaries do not depend on the question: they are made once for a graph and a model. Their requests are
the same in every run, so the response cache has them in the next run.
"""

from __future__ import annotations

import importlib
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from probative.baselines.graphs.answers import BaselineRun, as_query, prompt, question_text, without_knowledge
from probative.baselines.graphs.lru_cache import LRUCache
from probative.baselines.graphs.options import GiveBaselineOptions
from probative.baselines.passages.closed_book import answer_line
from probative.engine.methods import Method
from probative.engine.search import Search, generate
from probative.errors import InputError, MissingExtraError
from probative.give.answer import Section, answer, lettered_answer
from probative.give.knowledge import SHARE, format_triples
from probative.give.query import Form
from probative.give.result import Example, GiveResult, Knowledge
from probative.graph.graph import Graph
from probative.models.contract import LanguageModel
from probative.models.types import Completion, Request
from probative.text.prompts import fenced
from probative.text.words import clean
from probative.types import Triple

Row = tuple[int, int, int]


@dataclass(frozen=True)
class Community:
    """Entities and the edges between them, both sorted by degree, highest first."""

    entities: tuple[int, ...]
    rows: tuple[Row, ...]


_COMMUNITIES = LRUCache[tuple[Community, ...]](4)


def communities(graph: Graph, options: GiveBaselineOptions) -> tuple[Community, ...]:
    """Return the communities that contain an edge, largest first; they are cached for the next question. A
    graph with too many edges or communities raises an InputError.
    """
    if graph.edge_count > options.max_edges:
        raise InputError(
            f"graphrag summarises the whole graph, but this one has {graph.edge_count:,} edges, more than "
            f"max_edges={options.max_edges:,}",
            hint="raise max_edges if you accept the cost, or use a smaller graph or another method: tog",
        )
    key = (graph.fingerprint, options.seed)
    parts = _COMMUNITIES.get(key)
    if parts is None:
        parts = tuple(_louvain(graph, options.seed))
        _COMMUNITIES.put(key, parts)
    if len(parts) > options.max_communities:
        raise InputError(
            f"graphrag makes two calls for each community, but this graph has {len(parts):,} communities, "
            f"more than max_communities={options.max_communities:,}",
            hint="raise max_communities if you accept the cost, or use a smaller graph or another "
            "method: tog",
        )
    return parts


def _louvain(graph: Graph, seed: int) -> list[Community]:
    """Compute the communities that contain an edge, largest first."""
    networkx = _networkx()
    rows: list[Row] = [
        (head, relation, tail)
        for entity in range(graph.entity_count)
        for head, relation, tail in graph.out_edges(entity).tolist()
    ]
    degree = Counter(end for head, _, tail in rows for end in (head, tail))
    weights = Counter((min(head, tail), max(head, tail)) for head, _, tail in rows if head != tail)
    net = networkx.Graph()
    net.add_nodes_from(range(graph.entity_count))
    net.add_weighted_edges_from((a, b, weight) for (a, b), weight in sorted(weights.items()))
    parts = networkx.community.louvain_communities(net, weight="weight", seed=seed)
    part_of = {entity: number for number, part in enumerate(parts) for entity in part}
    inside: list[list[Row]] = [[] for _ in parts]
    for row in rows:
        if part_of[row[0]] == part_of[row[2]]:
            inside[part_of[row[0]]].append(row)
    parts_with_edges = [
        Community(
            tuple(sorted(part, key=lambda entity: (-degree[entity], entity))),
            tuple(sorted(edges, key=lambda row: (-degree[row[0]] - degree[row[2]], row))),
        )
        for part, edges in zip(parts, inside, strict=True)
        if edges
    ]
    return sorted(parts_with_edges, key=lambda community: (-len(community.entities), community.entities))


def _networkx() -> Any:
    try:
        return importlib.import_module("networkx")
    except ImportError:
        raise MissingExtraError("graphrag", "finding communities in a graph") from None


SUMMARY_TOKENS = 256
PARTIAL_TOKENS = 96
MAX_ANSWER_LETTERS = 300
# The most names of a community's entities in the prompt.
MAX_NAMES = 40
PARTS = "Answers from parts of a knowledge graph, the most helpful first"
_ANSWER_FORMS: dict[Form, str] = {
    "yes-no": "yes, no or maybe, and in a few words why",
    "choice": "the letter of one choice, and in a few words why",
    "text": "your answer, and in a few words why",
}
# The rating in a worked example with knowledge, which was written for its question.
_EXAMPLE_HELPED = 90

_HELPED = re.compile(r"^[ \t>#*_-]*help(?:ed|ful|fulness|s)?[ \t*_]*[:=]\D{0,12}(\d{1,3})", re.I | re.M)


@dataclass(frozen=True)
class Report:
    """The summary of a community, the triples behind it, and the number of triples that did not fit."""

    text: str
    triples: tuple[Triple, ...]
    left_out: int


class Partial(NamedTuple):
    """An answer from one report, and how much the report helped, 0 to 100, or None without a rating."""

    answer: str
    helped: int | None
    report: Report


_REPORTS = LRUCache[tuple[Report, ...]](4)


def by_graphrag(run: BaselineRun) -> Search[GiveResult]:
    """Answer from the partial answers of the most helpful communities."""
    reports = yield from summaries(run.graph, run.tools.model, run.options)
    left_out = sum(report.left_out for report in reports)
    run.note(f"communities that were summarised: {len(reports)}")
    if left_out:
        run.note(f"triples that did not fit into their community's summary: {left_out}")
    partials = yield from partial_answers(run, reports)
    best = most_helpful(run, partials)
    if best:
        # The worked examples are in the prompts of the partial answers.
        text = "; ".join(f"{partial.answer} (helped {partial.helped or 0} of 100)" for partial in best)
        staged = yield from answer(run, [Section(PARTS, text)], (), step="answer")
    else:
        run.note("no part of the graph gave an answer: the answer is the model's own")
        staged = yield from answer(run, (), without_knowledge(run.examples), step="answer")
    triples = tuple(dict.fromkeys(triple for partial in best for triple in partial.report.triples))
    rationale = "\n".join(
        f"{partial.helped or 0}: {partial.answer} ← {partial.report.text}" for partial in best
    )
    return GiveResult(
        answer=staged.answer,
        knowledge=Knowledge(expert=triples),
        rationale=rationale or None,
        notes=run.notes,
    )


def summaries(graph: Graph, model: LanguageModel, options: GiveBaselineOptions) -> Search[tuple[Report, ...]]:
    """Return a report on each community; they are cached for the next question."""
    key = (graph.fingerprint, model.fingerprint, options.seed, options.community_tokens)
    parts = communities(graph, options)
    reports = _REPORTS.get(key)
    if reports is not None:
        return reports
    facts = [_facts(part, graph, model, options.community_tokens) for part in parts]
    requests = [
        Request.user(
            prompt(
                "graphrag_summary", entities=_names(part, graph), facts=format_triples(triples, "triples")
            ),
            max_tokens=SUMMARY_TOKENS,
        )
        for part, triples in zip(parts, facts, strict=True)
    ]
    replies = yield from generate(requests, step="summaries")
    reports = tuple(
        Report(fenced(clean(reply.text)), tuple(triples), len(part.rows) - len(triples))
        for reply, triples, part in zip(replies, facts, parts, strict=True)
    )
    if not any(reply.finish_reason == "dry-run" for reply in replies):  # a real run must not find these
        _REPORTS.put(key, reports)
    return reports


def _names(part: Community, graph: Graph) -> str:
    names = ", ".join(fenced(graph.entities[entity]) for entity in part.entities[:MAX_NAMES])
    return names if len(part.entities) <= MAX_NAMES else f"{names}, and others"


def _facts(part: Community, graph: Graph, model: LanguageModel, max_tokens: int) -> list[Triple]:
    """Return the first triples of a community, as many as fit."""
    room = max_tokens
    if model.window is not None:
        prompt_tokens = model.count_tokens(prompt("graphrag_summary", entities=_names(part, graph), facts=""))
        room = min(room, int(model.window * SHARE), model.window - prompt_tokens - SUMMARY_TOKENS)
    facts: list[Triple] = []
    for row in part.rows:
        triple = graph.triple(row)
        room -= model.count_tokens(format_triples([triple], "triples")) + 1
        if room < 0:
            break
        facts.append(triple)
    return facts


def partial_answers(run: BaselineRun, reports: Sequence[Report]) -> Search[list[Partial]]:
    """Return an answer from each report; replies without an answer are left out, with a note."""
    query = run.query
    with_text = [report for report in reports if report.text]
    worked = "".join(f"\n{_example(example, query.form)}\n" for example in run.examples)
    requests = [
        Request.user(
            prompt(
                "graphrag_partial",
                wanted=_ANSWER_FORMS[query.form],
                examples=worked,
                question=question_text(query),
                report=report.text,
            ),
            max_tokens=PARTIAL_TOKENS,
            stop=("\nQuestion:",),
        )
        for report in with_text
    ]
    replies: list[Completion] = (yield from generate(requests, step="partial answers")) if requests else []
    read = [read_partial(reply.text, report) for reply, report in zip(replies, with_text, strict=True)]
    unrated = [partial.answer for partial in read if partial is not None and partial.helped is None]
    if unrated:
        run.note(
            f"partial answers without a rating, which counts as 0: {len(unrated)} of {len(read)}, the first "
            f"{unrated[0][:80]!r}"
        )
    if silent := read.count(None):
        run.note(f"communities that gave no answer: {silent} of {len(read)}")
    return [partial for partial in read if partial is not None]


def read_partial(text: str, report: Report) -> Partial | None:
    r"""Return the answer and the rating in a reply; None if there is no answer.

    >>> partial = read_partial("Answer: yes, it is\n**Helped:** 70 of 100", Report("Moss.", (), 0))
    >>> partial.answer, partial.helped
    ('yes, it is', 70)
    """
    helped = _HELPED.search(text)
    before = text[: helped.start()] if helped is not None else text
    # The prompt ends with "Answer:", so the reply may begin with the answer, or repeat "Answer:".
    line = answer_line(before)
    text_of_answer = fenced(clean(line[1] if line is not None else before))[:MAX_ANSWER_LETTERS]
    if not text_of_answer:
        return None
    return Partial(text_of_answer, min(int(helped[1]), 100) if helped is not None else None, report)


def most_helpful(run: BaselineRun, partials: Sequence[Partial]) -> list[Partial]:
    """Return the partial answers with the best ratings; among equals the larger community comes first. If no
    rating is above 0, all are used.
    """
    ranked = sorted(partials, key=lambda partial: -(partial.helped or 0))
    helpful = [partial for partial in ranked if partial.helped]
    if ranked and not helpful:
        run.note("no part of the graph has a rating above 0: their answers are used nevertheless")
    return (helpful or ranked)[: run.options.best]


def _example(example: Example, form: Form) -> str:
    report = format_triples(example.knowledge, "text") or "none"
    because = f", because {fenced(example.knowledge[-1].sentence)}" if example.knowledge else ""
    return (
        f"Question: {question_text(as_query(example, form))}\nReport: {report}\n"
        f"Answer: {lettered_answer(example)}{because}\nHelped: {_EXAMPLE_HELPED if example.knowledge else 0}"
    )


GRAPHRAG = Method(by_graphrag, GiveBaselineOptions)
