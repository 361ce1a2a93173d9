"""Query information extraction (section 3.1, equation 2): the entities and relations of the question.

x → LLM → E_x, R_x

For a model that cannot be trusted to name them, they are found by rules and the names of the graph.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from pydantic import BaseModel

from probative.engine.search import Search, ask_objects
from probative.errors import OutputError
from probative.give.entities import find_entities, find_relations
from probative.give.options import GiveOptions
from probative.give.query import Query
from probative.give.run import Run
from probative.graph.graph import Graph
from probative.models.types import Request
from probative.text.prompts import fenced, fill, read_examples, read_prompt
from probative.text.words import clean, distinct, words

EXTRACT_TOKENS = 200
# A longer "name" is a sentence that the model made up.
MAX_NAME_LETTERS = 120


class Entities(BaseModel):
    """The entities of a question, as the model returns them."""

    entities: list[str]


class Relations(BaseModel):
    """The relations of a question, as the model returns them."""

    relations: list[str]


class EntitiesAndRelations(BaseModel):
    """Both at once."""

    entities: list[str]
    relations: list[str]


class Extracted(NamedTuple):
    """E_x and R_x."""

    entities: tuple[str, ...]
    relations: tuple[str, ...]


def extract(run: Run[GiveOptions]) -> Search[Extracted]:
    """Find the entities and relations by the model in two calls or one, or by rules. If the model names no
    entity, the rules are used and a note says so.
    """
    query, options, vocabulary = run.query, run.options, Vocabulary.of(run.graph)
    entities: list[str] = []
    relations: list[str] = []
    if options.extractor == "model-once":
        reply = yield from _ask(run, _prompt(run, "once"), EntitiesAndRelations, "extraction")
        entities = clean_names(reply.entities if reply else ())
        relations = clean_names(reply.relations if reply else ())
    elif options.extractor == "model":
        reply = yield from _ask(run, _prompt(run, "entities"), Entities, "entities")
        entities = clean_names(reply.entities if reply else ())
        if entities:
            prompt = _prompt(run, "relations", entities=", ".join(fenced(name) for name in entities))
            reply = yield from _ask(run, prompt, Relations, "relations")
            relations = clean_names(reply.relations if reply else ())
    if not entities:
        entities = rule_entities(query, vocabulary)
        relations = relations or rule_relations(query.text, vocabulary)
        if options.extractor != "rules":
            run.note("the model named no entity of the question, so rules were used")
    if options.max_entities is not None and (left_out := entities[options.max_entities :]):
        run.note(f"entities beyond {options.max_entities} (max_entities), left out: {', '.join(left_out)}")
    spelled = dict.fromkeys(vocabulary.spelled(relation) for relation in relations[: options.max_relations])
    return Extracted(tuple(entities[: options.max_entities]), tuple(spelled))


def _prompt(run: Run[GiveOptions], name: str, **parts: str) -> str:
    query = run.query
    note = "The choices are things too: list those that matter.\n" if query.choices else ""
    return fill(
        read_prompt("probative.give", name),
        question=fenced(query.with_choices),
        choices_note=note,
        examples="" if name == "once" else step_examples(name, run.options.step_examples),
        **parts,
    )


def step_examples(name: str, n: int) -> str:
    """Return n worked examples as they stand in the prompt called `name`: a blank line before each.

    >>> step_examples("relate", 1).splitlines()[1]
    'First: cork stopper'
    """
    return "".join(f"\n{block}\n" for block in read_examples("probative.give", name, n)) if n else ""


def _ask(run: Run[GiveOptions], prompt: str, schema: type[Any], step: str) -> Search[Any]:
    """Ask for an object; None with a note if the reply cannot be read."""
    (reply,) = yield from ask_objects([Request.user(prompt, max_tokens=EXTRACT_TOKENS)], schema, step)
    if isinstance(reply, OutputError):
        run.note(f"{step}: the model's reply could not be read")
        return None
    return reply


def clean_names(names: Sequence[str] | None) -> list[str]:
    """Return the distinct names, cleaned, without those that are too long.

    >>> clean_names([" Moss", "moss", "", "tree"])
    ['Moss', 'tree']
    """
    first: dict[str, str] = {}
    for text in names or ():
        name = clean(str(text)).strip(" \"'“”.,;:?")
        if name and len(name) <= MAX_NAME_LETTERS:
            first.setdefault(name.casefold(), name)
    return list(first.values())


class Vocabulary(NamedTuple):
    """The names of a graph: whether it has an entity of a name, and its relations by the stems of their
    words.
    """

    has: Callable[[str], bool]
    relations: Mapping[tuple[str, ...], str]

    def spelled(self, relation: str) -> str:
        """Return a relation in the case that the graph uses, if it has it."""
        spelling = self.relations.get(tuple(words(relation)), relation)
        return spelling if spelling.casefold() == relation.casefold() else relation

    @classmethod
    def of(cls, graph: Graph) -> Vocabulary:
        """Return the vocabulary of a graph."""
        return cls(
            lambda name: graph.find(name) is not None,
            {tuple(words(name)): name for name in graph.relations if words(name)},
        )


def rule_entities(query: Query, vocabulary: Vocabulary) -> list[str]:
    """Return the entities of a question, those with the most words first, and its choices, those that the
    graph has first. Two of the question's own come before the choices.

    >>> from probative.give.query import make_query
    >>> empty = Vocabulary(lambda name: False, {})
    >>> rule_entities(make_query("Does the harbour wall influence storm damage?"), empty)
    ['harbour wall', 'storm damage']
    """
    named = find_entities(query.text, vocabulary.has, vocabulary.relations)
    choices = sorted(query.choices, key=lambda name: not vocabulary.has(name))
    return distinct([*named[:2], *choices, *named[2:]])


def rule_relations(question: str, vocabulary: Vocabulary) -> list[str]:
    """Return the relations of a question, by the graph's name for them where it has one.

    >>> graph = Vocabulary(lambda name: False, {("eas",): "eases"})
    >>> rule_relations("Is melatonin effective for insomnia?", graph)
    ['effective for']
    >>> rule_relations("Does tea ease a cough?", graph)
    ['eases']
    """
    return find_relations(question, vocabulary.relations)
