"""What an answer rests on (not in the paper): read from the graph, extrapolated, or unknown.

1. read: edges of the graph state the asked relation (`facts.py`);
2. extrapolated: they state it for entities near to those asked about, or the verdict model finds the answer
   in edges of another relation (`other_relations.py`), or the learned veracity of the asked triple is beyond
   its threshold, or the model answers with knowledge of the graph before it;
3. unknown: nothing in the graph bears on the question, or the model is not sure; an answer is a guess.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from probative.engine.search import Search
from probative.give.edge_reader import EdgeReader, FactAnswer, Named
from probative.give.entities import find_names
from probative.give.extract import Vocabulary
from probative.give.facts import answer_from_facts
from probative.give.learned import judge_by_graph
from probative.give.options import GiveOptions
from probative.give.query import Query
from probative.give.relation_words import is_passive, match_relation, number_forms, role_of
from probative.give.result import Answers, EntityGroup, Extrapolator, GiveResult, GraphVerdict, Knowledge
from probative.give.run import Run
from probative.graph.graph import Graph
from probative.types import Triple

# Entities with a lower cosine do not stand for each other: "headache" and "pain" have 0.58, names of unlike
# things of one field 0.3 to 0.45.
MIN_ANALOGY = 0.5
# With a lower probability, the model's choice of an answer is a guess.
MIN_STRENGTH = 0.6
# The lowest strength of an answer that is extrapolated; below, it is a guess.
MIN_VERACITY = 0.5
# The entities that a model chooses from if a question offers no choices.
MAX_NAMES = 8


def named_in_graph(graph: Graph, names: Sequence[str], question: str = "") -> list[Named]:
    """Return the entities of a question that the graph has, in any number ("cramps", "cramp"): those that
    were extracted, and those that stand in the question's text.
    """

    def number(name: str) -> int | None:
        numbers = (graph.find(form) for form in number_forms(name))
        return next((entity for entity in numbers if entity is not None), None)

    named = {name.casefold(): Named(name, entity) for name in names if (entity := number(name)) is not None}
    relations = Vocabulary.of(graph).relations
    for name in find_names(question, lambda name: number(name) is not None, relations):
        entity = number(name)
        # "fever" in "marsh fever" is no entity of its own.
        if entity is not None and not any(name.casefold() in other for other in named):
            named[name.casefold()] = Named(name, entity)
    return list(named.values())


def read_from_graph(run: Run[GiveOptions], result: GiveResult) -> bool:
    """Fill in the answer that the graph states; return False if it is silent."""
    named = named_in_graph(run.graph, result.entities, run.query.text)
    fact = answer_from_facts(run.query, run.graph, named)
    if fact is None or fact.inferred:
        return False
    conclude(run, result, fact, None)
    return True


def stated_for_similar(run: Run[GiveOptions], result: GiveResult) -> bool:
    """Fill in the answer that the graph states for near entities; return False if it states none."""
    fact = answer_from_facts(run.query, run.graph, near_in_graph(result.groups, result.entities))
    if fact is None or fact.inferred:
        return False
    conclude(run, result, fact, "encoder")
    return True


def judge_asked_triple(run: Run[GiveOptions], result: GiveResult) -> Search[bool]:
    """Fill in the answer to a yes-or-no question that the learned veracity gives; return False if none."""
    if run.options.veracity != "learned" or run.query.form != "yes-no":
        return False
    judged = yield from judge_by_graph(run, asked_triples(run.query, run.graph, result.entities))
    # What the graph lacks is not false: a no is concluded only about entities that it knows.
    in_graph = {name.words for name in named_in_graph(run.graph, result.entities)}
    decided = [
        item
        for item in judged
        if item.judgement == "yes"
        or (item.judgement == "no" and {item.triple.head, item.triple.tail} <= in_graph)
    ]
    if not decided:
        return False
    best = max(decided, key=lambda item: item.certainty)
    strength = best.probability
    if strength is not None and best.judgement == "no":
        strength = 1 - strength
    conclude(run, result, FactAnswer(best.judgement, (), strength), "veracity")
    return True


def asked_triples(query: Query, graph: Graph, names: Sequence[str]) -> list[Triple]:
    """Return the triples that a yes-or-no question asks about: its pairs of entities with the graph's
    relations that it names.
    """
    position = query.text.casefold().find
    ordered = sorted(names, key=lambda name: position(name.casefold()))
    matches = {name: match_relation(query.text, names, name, query.equal) for name in graph.relations}
    triples = []
    for first, second in combinations(ordered, 2):
        acts, suffers = (second, first) if role_of(query.text, second) == "agent" else (first, second)
        for relation in (name for name, match in matches.items() if match == "same"):
            head, tail = (suffers, acts) if is_passive(relation) else (acts, suffers)
            triples.append(Triple(head=head, relation=relation, tail=tail))
    return triples


def conclude_with_model(result: GiveResult, probability: float | None) -> None:
    """Fill in what the model's own answer rests on."""
    knowledge = result.knowledge
    result.strength = None if probability is None else round(probability, 3)
    informed = bool(knowledge.expert or knowledge.affirmative or knowledge.counterfactual)
    if result.answer in (None, "maybe") or not informed or (probability or 1.0) < MIN_STRENGTH:
        result.verdict = GraphVerdict.UNKNOWN
    else:
        result.verdict, result.extrapolated_by = GraphVerdict.EXTRAPOLATED, "model"


def limit_strength(run: Run[GiveOptions], result: GiveResult) -> Search[None]:
    """Lower the strength of the model's answer to the probability that the asked relation holds for it: a
    small model is sure of what it cannot know. Below a half, or where the learned veracity cannot score the
    relation, the answer is a guess.
    """
    if result.verdict is GraphVerdict.UNKNOWN or result.answer is None:
        return
    triples = (
        asked_triples(run.query, run.graph, result.entities)
        if run.query.form == "yes-no"
        else _answer_triples(run, result)
    )
    judged = yield from judge_by_graph(run, triples)
    values = [item.probability for item in judged if item.probability is not None]
    if not values or not run.source.veracity.is_calibrated:
        result.strength = None
    else:
        veracity = max(values)
        if run.query.form == "yes-no" and result.answer == "no":
            veracity = 1 - veracity
        result.strength = round(min(veracity, 1.0 if result.strength is None else result.strength), 3)
    if result.strength is None or result.strength < MIN_VERACITY:
        result.verdict, result.extrapolated_by = GraphVerdict.UNKNOWN, None


def _answer_triples(run: Run[GiveOptions], result: GiveResult) -> list[Triple]:
    """Return the triples that an answer would add: each entity of the question, the asked relation, and the
    answer. None for a question that names several relations: no single triple answers it.
    """
    answer = result.answer or ""
    named = named_in_graph(run.graph, result.entities, run.query.text)
    reader = EdgeReader(run.query, run.graph, named)
    if len(reader.hops) > 1:
        return []
    triples = []
    for name in reader.anchors:
        role = role_of(run.query.text, name.words)
        for number, relation in enumerate(run.graph.relations):
            if reader.match(number) != "same" or name.words.casefold() == answer.casefold():
                continue
            entity = run.graph.entities[name.entity]
            acts = (role == "agent") != is_passive(relation)
            pairs = [(entity, answer), (answer, entity)]
            for head, tail in pairs if role is None else pairs[:1] if acts else pairs[1:]:
                triples.append(Triple(head=head, relation=relation, tail=tail))
    return triples


def names_in_knowledge(result: GiveResult) -> tuple[str, ...]:
    """Return the entities that the knowledge names and the question does not, those of the graph's own edges
    first.
    """
    asked = {name.casefold() for name in result.entities}
    names = dict.fromkeys(
        name
        for triple in (*result.knowledge.expert, *result.knowledge.affirmative)
        for name in (triple.head, triple.tail)
        if name.casefold() not in asked
    )
    return tuple(names)[:MAX_NAMES]


def _note_stand_ins(run: Run[GiveOptions], result: GiveResult) -> None:
    """Note which entities of the graph stand for entities of the question."""
    used = {name for triple in result.facts for name in (triple.head, triple.tail)}
    for group in result.groups:
        stand_ins = [member for member in group.members[1:] if member.name in used]
        if stand_ins and group.name not in used and not group.intermediate:
            member = stand_ins[0]
            run.note(f"{member.name} stands for {group.name} (cosine {member.cosine or 0.0:.2f})")


def near_in_graph(groups: Sequence[EntityGroup], names: Sequence[str]) -> list[Named]:
    """Return every entity of the question that the graph has, and for the others the members of their groups
    that are near enough. What the graph knows stands for itself only.
    """
    asked = [group for group in groups if not group.intermediate]
    named = []
    for name, group in zip(names, asked, strict=True):
        if (entity := group.members[0].entity) is not None:
            named.append(Named(name, entity))
            continue
        named += [
            Named(name, member.entity, member.cosine)
            for member in group.members[1:]
            if member.entity is not None and member.cosine is not None and member.cosine >= MIN_ANALOGY
        ]
    return named


def conclude(
    run: Run[GiveOptions], result: GiveResult, fact: FactAnswer, extrapolated_by: Extrapolator | None
) -> None:
    """Fill in an answer and what it rests on: it is read unless something extrapolated it."""
    read = extrapolated_by is None
    result.answer, result.facts, result.extrapolated_by = fact.answer, fact.facts, extrapolated_by
    result.verdict = GraphVerdict.READ if read else GraphVerdict.EXTRAPOLATED
    result.strength = None if read or fact.strength is None else round(fact.strength, 4)
    result.answers = Answers(ace=fact.answer)
    if not result.groups:
        result.knowledge = Knowledge(expert=fact.facts)
        result.read = {"affirmative": 0, "counterfactual": 0, "expert": len(fact.facts)}
        result.words = result.knowledge.words
    for note in fact.notes:
        run.note(note)
    _note_stand_ins(run, result)
