"""Think-on-Graph (Sun et al. 2024): a beam search over the graph that the model steers.

From the question's entities on, at each depth the model scores the connections of every entity in the beam,
then the entities that the best ones lead to; the best paths stay in the beam, and the model says whether
their triples are enough to answer. If so the search stops there. The answer is written from all triples of
the paths; where there are none, the model answers by itself, as in the original.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from probative.baselines.graphs.cot import think
from probative.baselines.graphs.methods import answer_from, asked, prompt
from probative.baselines.graphs.options import GiveBaselineOptions
from probative.baselines.graphs.tog_pruning import Steering, explore
from probative.baselines.graphs.tog_topics import link, topics
from probative.engine.search import Search, generate
from probative.engine.tools import Tools
from probative.give.examples import examples_for
from probative.give.knowledge import that_fits, written
from probative.give.query import Query
from probative.give.result import Example, GiveResult, Knowledge
from probative.graph.graph_with_index import GraphWithIndex
from probative.models.types import Request
from probative.text.cleaning import clean
from probative.text.prompts import fenced
from probative.types import Triple

ENOUGH_TOKENS = 8
_YES_NO = re.compile(r"\b(yes|no|not)\b", re.IGNORECASE)


def by_tog(
    query: Query,
    source: GraphWithIndex,
    tools: Tools,
    options: GiveBaselineOptions,
    examples: Sequence[Example] | None = None,
) -> Search[GiveResult]:
    """The answer from the triples of the paths that the model followed."""
    notes: list[str] = []
    worked = examples_for(query, options.examples, examples)
    names = yield from topics(query, source.graph, notes)
    beam = yield from link(names[: options.width], source, notes)
    steering = Steering(asked(query), source.graph, options)
    found: dict[tuple[int, int, int], Triple] = {}
    for depth in range(1, options.depth + 1):
        if not beam:
            break
        reached = yield from explore(beam, found, steering)
        if not reached:
            notes.append(f"nothing that helps leads on after {depth - 1} of {options.depth} steps")
            break
        for one in reached:
            found[one.row] = source.graph.triple(one.row)
        beam = list(dict.fromkeys(one.entity for one in reached))
        # After the last step there is nothing left to decide.
        if depth < options.depth and (yield from enough(query, list(found.values()), tools, notes)):
            notes.append(f"the triples were enough after {depth} of {options.depth} steps")
            break
    notes.extend(steering.told())
    if not found:
        notes.append("no triples were found: the answer is the model's own, after a chain of thought")
        thought = yield from think(query, worked, tools, options, notes)
        return GiveResult(
            answer=thought.answer, rationale=thought.rationale, entities=tuple(names), notes=notes
        )
    triples = list(found.values())
    given = yield from answer_from(triples, query, worked, tools, options, notes, "triples")
    return GiveResult(
        answer=given.answer, knowledge=Knowledge(expert=given.read), entities=tuple(names), notes=notes
    )


def enough(query: Query, triples: Sequence[Triple], tools: Tools, notes: list[str]) -> Search[bool]:
    """Whether the model says that the triples suffice. What is neither yes nor no is a no, with a note."""
    frame = tools.model.count_tokens(prompt("tog_enough", question=asked(query), facts=""))
    (read,) = that_fits([triples], frame, "triples", tools.model, notes)
    text = prompt("tog_enough", question=asked(query), facts=written(read, "triples"))
    replies = yield from generate([Request.user(text, max_tokens=ENOUGH_TOKENS)], step="enough")
    reply = replies[0]
    said = _YES_NO.search(reply.text)
    if said is not None:
        return said[1].lower() == "yes"
    if reply.finish_reason != "dry-run":
        notes.append(
            f"whether the triples are enough could not be read, so the search went on: "
            f"{fenced(clean(reply.text))[:80]!r}"
        )
    return False
