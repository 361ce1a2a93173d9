"""Think-on-Graph (Sun et al. 2024): a beam search over the graph, guided by the model.

The search starts at the entities of the question. At each depth the model scores the connections of every
entity in the beam, then the entities that the best connections lead to; the best paths stay in the beam. Then
the model says whether the triples of the paths are enough to answer; if so, the search ends. The answer is
written from all triples of the paths. If there are none, the model answers by itself, as in the original.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pydantic import BaseModel

from probative.baselines.graphs.answers import BaselineRun, answer_from, prompt, question_text
from probative.baselines.graphs.no_graph import think
from probative.baselines.graphs.options import GiveBaselineOptions
from probative.baselines.graphs.tog_pruning import Pruning, explore
from probative.engine.methods import Method
from probative.engine.search import Search, ask_objects, encode, generate
from probative.errors import OutputError
from probative.give.extract import Vocabulary, clean_names, rule_entities
from probative.give.groups import FAR
from probative.give.knowledge import fit_window, format_triples
from probative.give.result import GiveResult, Knowledge
from probative.models.types import Request
from probative.text.prompts import fenced
from probative.text.words import clean
from probative.types import Triple

ENOUGH_TOKENS = 8
_YES_NO = re.compile(r"\b(yes|no|not)\b", re.IGNORECASE)
TOPIC_TOKENS = 160
MAX_TOPICS = 8


def by_tog(run: BaselineRun) -> Search[GiveResult]:
    """Answer from the triples of the paths that the model followed."""
    names = yield from find_topics(run)
    triples = yield from _walk(run, names)
    if not triples:
        run.note("no triples were found: the answer is the model's own, after a chain of thought")
        thought = yield from think(run)
        return GiveResult(
            answer=thought.answer, rationale=thought.rationale, entities=tuple(names), notes=run.notes
        )
    staged = yield from answer_from(run, triples, "triples")
    return GiveResult(
        answer=staged.answer, knowledge=Knowledge(expert=staged.read), entities=tuple(names), notes=run.notes
    )


def _walk(run: BaselineRun, names: Sequence[str]) -> Search[list[Triple]]:
    """Follow the best paths from the named entities, and return their triples."""
    beam = yield from link_topics(run, names[: run.options.width])
    pruning = Pruning(run)
    walked: dict[tuple[int, int, int], Triple] = {}
    for depth in range(1, run.options.depth + 1):
        if not beam:
            break
        steps = yield from explore(beam, walked, pruning)
        if not steps:
            run.note(f"no helpful connection leads on after {depth - 1} of {run.options.depth} steps")
            break
        for step in steps:
            walked[step.row] = run.graph.triple(step.row)
        beam = list(dict.fromkeys(step.entity for step in steps))
        # After the last step there is nothing left to decide.
        if depth < run.options.depth and (yield from are_enough(run, list(walked.values()))):
            run.note(f"the triples were enough after {depth} of {run.options.depth} steps")
            break
    run.notes.extend(pruning.notes())
    return list(walked.values())


def are_enough(run: BaselineRun, triples: Sequence[Triple]) -> Search[bool]:
    """Ask whether the triples are enough to answer. A reply that is neither yes nor no counts as no, with a
    note.
    """
    question = question_text(run.query)
    prompt_tokens = run.tools.model.count_tokens(prompt("tog_enough", question=question, facts=""))
    (read,) = fit_window(run, [triples], prompt_tokens, "triples")
    text = prompt("tog_enough", question=question, facts=format_triples(read, "triples"))
    (reply,) = yield from generate([Request.user(text, max_tokens=ENOUGH_TOKENS)], step="enough")
    word = _YES_NO.search(reply.text)
    if word is not None:
        return word[1].lower() == "yes"
    run.note(
        f"the reply whether the triples are enough could not be read, so the search went on: "
        f"{fenced(clean(reply.text))[:80]!r}"
    )
    return False


class Topics(BaseModel):
    """The entities of a question, most important first, as the model returns them."""

    entities: list[str]


def find_topics(run: BaselineRun) -> Search[list[str]]:
    """Return the entities that the model names, or those that rules find if it names none."""
    query = run.query
    note = "The choices are things too: name those that matter.\n" if query.choices else ""
    text = prompt("tog_topics", question=question_text(query), choices_note=note)
    (reply,) = yield from ask_objects([Request.user(text, max_tokens=TOPIC_TOKENS)], Topics, "topics")
    names: list[str] = []
    if isinstance(reply, OutputError):
        run.note(f"the question's entities could not be read: {fenced(clean(reply.raw))[:80]!r}")
    else:
        names = clean_names(reply.entities)[:MAX_TOPICS]
    if not names:
        names = rule_entities(query, Vocabulary.of(run.graph))[:MAX_TOPICS]
        if names:
            run.note("the model named no entity of the question, so rules were used")
        else:
            run.note("the question names no entity")
    return names


def link_topics(run: BaselineRun, names: Sequence[str]) -> Search[list[int]]:
    """Return the graph's entity for each name, or the one with the nearest name; a name that is far from all
    entities gets none.
    """
    entities = {name: run.graph.find(name) for name in names}
    missing = [name for name in names if entities[name] is None]
    if missing:
        import numpy as np

        vectors = yield from encode(missing, step="link")
        near = run.source.index.nearest(np.asarray(vectors, dtype=np.float32), 1)
        for name, nearest in zip(missing, near, strict=True):
            if nearest and nearest[0][1] >= FAR:
                entities[name] = nearest[0][0]
                run.note(f"the graph has no {name!r}; nearest to it: {run.graph.entities[nearest[0][0]]!r}")
            else:
                run.note(f"the graph has nothing near {name!r}")
    return list(dict.fromkeys(entity for entity in entities.values() if entity is not None))


TOG = Method(by_tog, GiveBaselineOptions)
