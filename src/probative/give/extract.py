"""Query information extraction (section 3.1): x → LLM → E_x, R_x, the question's entities and relations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from pydantic import BaseModel

from probative.engine.objects import ask_objects
from probative.engine.search import Search
from probative.errors import OutputError
from probative.give.options import GiveOptions
from probative.give.query import Query
from probative.give.rule_entities import Vocabulary, rule_entities, rule_relations
from probative.models.types import Request
from probative.text.cleaning import clean
from probative.text.prompts import fenced, fill, read_prompt

EXTRACT_TOKENS = 200
# A "name" longer than this is a sentence that the model made up.
MOST_LETTERS = 120
# Every relation of the question is tried between all groups, in both directions.
MOST_RELATIONS = 8


class Entities(BaseModel):
    """The entities of a question."""

    entities: list[str]


class Relations(BaseModel):
    """The relations of a question."""

    relations: list[str]


class Both(BaseModel):
    """Its entities and its relations."""

    entities: list[str]
    relations: list[str]


class Extracted(NamedTuple):
    """E_x and R_x."""

    entities: tuple[str, ...]
    relations: tuple[str, ...]


def extract(
    query: Query, options: GiveOptions, vocabulary: Vocabulary, notes: list[str]
) -> Search[Extracted]:
    """The entities and relations, by the model in two calls or one, or by rules. What the model gives is
    cleaned; where it gives no entity, the rules do, with a note.
    """
    entities: list[str] = []
    relations: list[str] = []
    if options.extractor == "model-once":
        both = yield from _object(_prompt("once", query), Both, "extraction", notes)
        entities = _names(both.entities if both else [])
        relations = _names(both.relations if both else [])
    elif options.extractor == "model":
        found = yield from _object(_prompt("entities", query), Entities, "entities", notes)
        entities = _names(found.entities if found else [])
        if entities:
            prompt = _prompt("relations", query, entities=", ".join(fenced(name) for name in entities))
            said = yield from _object(prompt, Relations, "relations", notes)
            relations = _names(said.relations if said else [])
    if not entities:
        entities = rule_entities(query, vocabulary)
        relations = relations or rule_relations(query.text, vocabulary)
        if options.extractor != "rules":
            notes.append("the model named no entity of the question; rules did")
    if left := entities[options.most_entities :]:
        told = ", ".join(left)
        notes.append(f"entities beyond {options.most_entities} (most_entities), left out: {told}")
    spelled = dict.fromkeys(vocabulary.spelled(relation) for relation in relations[:MOST_RELATIONS])
    return Extracted(tuple(entities[: options.most_entities]), tuple(spelled))


def _prompt(name: str, query: Query, **parts: str) -> str:
    note = "The choices are things too: list those that matter.\n" if query.choices else ""
    return fill(read_prompt("probative.give", name), question=fenced(query.asked), choices_note=note, **parts)


def _object(prompt: str, schema: type[Any], step: str, notes: list[str]) -> Search[Any]:
    """The object, or None where the model's reply cannot be read, with a note."""
    (found,) = yield from ask_objects([Request.user(prompt, max_tokens=EXTRACT_TOKENS)], schema, step)
    if isinstance(found, OutputError):
        notes.append(f"{step}: the model's reply could not be read")
        return None
    return found


def _names(given: Sequence[str] | None) -> list[str]:
    """Each name once, cleaned.

    >>> _names([" Moss", "moss", "", "tree"])
    ['Moss', 'tree']
    """
    first: dict[str, str] = {}
    for one in given or []:
        name = clean(str(one)).strip(" \"'“”.,;:?")
        if name and len(name) <= MOST_LETTERS:
            first.setdefault(name.casefold(), name)
    return list(first.values())
