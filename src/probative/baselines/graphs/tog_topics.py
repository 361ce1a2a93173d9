"""The start of Think-on-Graph: the entities of the question, and their entities in the graph."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel

from probative.baselines.graphs.answers import BaselineRun, prompt, question_text
from probative.engine.search import Search, ask_objects, encode
from probative.errors import OutputError
from probative.give.extract import Vocabulary, clean_names, rule_entities
from probative.give.groups import FAR
from probative.models.types import Request
from probative.text.cleaning import clean
from probative.text.prompts import fenced

TOPIC_TOKENS = 160
MAX_TOPICS = 8


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
