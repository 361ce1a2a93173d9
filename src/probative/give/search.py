"""The whole of give (Algorithm 1): groups, connections within and between them, and the answer in three
stages.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from probative.engine.search import Search
from probative.engine.tools import Tools
from probative.give.answer import Section, StagedAnswer, answer, answer_prompt
from probative.give.candidates import entity_pairs, potential_connections
from probative.give.examples import examples_for
from probative.give.extract import extract
from probative.give.extrapolate import Extrapolated, extrapolate
from probative.give.groups import build_groups, group_around
from probative.give.intermediate import find_middle
from probative.give.knowledge import nearest_first, summarised, that_fits, written
from probative.give.options import GiveOptions
from probative.give.query import Query
from probative.give.relate import relate
from probative.give.result import Answers, EntityGroup, Example, GiveResult, Knowledge
from probative.give.rule_entities import Vocabulary
from probative.give.scored import extrapolate_by_score, relate_by_score
from probative.graph.graph_with_index import GraphWithIndex
from probative.types import Triple

SEEMS = "What seems to hold"
SEEMS_NOT = "What seems not to hold"
EXPERT = "What an expert knowledge graph says"


def find_reasoning(
    query: Query,
    source: GraphWithIndex,
    options: GiveOptions,
    tools: Tools,
    given_examples: Sequence[Example] | None = None,
) -> Search[GiveResult]:
    """The three answers to a query, and the knowledge behind them."""
    notes: list[str] = []
    examples = examples_for(query, options.examples, given_examples)
    if len(examples) < options.examples:
        notes.append(f"worked examples of this form: {len(examples)}, not {options.examples}")
    entities, relations = yield from extract(query, options, Vocabulary.of(source.graph), notes)
    found = GiveResult(answer=None, entities=entities, relations=relations, notes=notes)
    if entities:
        yield from _know(query, found, source, options, tools)
    else:
        notes.append("the question names no entity: the answer is the model's own, without knowledge")
    yield from _answer(query, found, examples, options, tools)
    return found


def _know(
    query: Query, found: GiveResult, source: GraphWithIndex, options: GiveOptions, tools: Tools
) -> Search[None]:
    """Fill in the groups and the three sets of knowledge."""
    notes = found.notes
    found.groups, question = yield from build_groups(found.entities, query.text, source, options, notes)
    between = options.connections != "inner"
    if between and options.intermediate and question is not None:
        middle = yield from find_middle(query, found.groups, source, question, options, notes)
        if middle is not None:
            found.path = middle.path
            vector = source.index.vectors([middle.entity])[0]
            found.groups.append(group_around(middle.entity, source, options, vector))
    affirmative: list[Triple] = []
    counterfactual: list[Triple] = []
    expert: list[Triple] = []
    if options.connections != "inter":
        affirmative += yield from _related(inner_pairs(found.groups), "inner-group", options, notes)
    if between:
        if len(found.groups) == 1:
            notes.append("the question names one entity: only edges among those near it are known")
        potential = potential_connections(found.groups, found.relations, source.graph)
        judged = yield from _judged(potential.candidates, options, tools, notes)
        expert = potential.expert
        affirmative += judged.affirmative
        counterfactual = judged.counterfactual
        found.uncertain = judged.uncertain
        opened: list[Triple] = []
        if options.open_relations:
            opened = yield from _related(inter_pairs(found.groups), "open relations", options, notes)
        affirmative += opened
        # Section 4.7.3: expert knowledge among all that section 3.4.3 gives, so without inner connections.
        whole = len({*judged.affirmative, *opened}) + len(counterfactual) + len(expert)
        found.expert_ratio = len(expert) / whole if whole else None
    known = set(expert)
    near = [*found.entities, *(group.name for group in found.groups if not group.intermediate)]
    found.knowledge = Knowledge(
        affirmative=tuple(
            nearest_first([triple for triple in dict.fromkeys(affirmative) if triple not in known], near)
        ),
        counterfactual=tuple(nearest_first(counterfactual, near)),
        expert=tuple(nearest_first(expert, near)),
    )


def _related(
    pairs: Sequence[tuple[str, str]], step: str, options: GiveOptions, notes: list[str]
) -> Search[list[Triple]]:
    """How the entities of each pair are related, as the model says or as it expects."""
    if options.veracity == "scored":
        return (yield from relate_by_score(pairs, step, notes))
    return (yield from relate(pairs, options.batch, step, notes))


def _judged(
    candidates: Sequence[Triple], options: GiveOptions, tools: Tools, notes: list[str]
) -> Search[Extrapolated]:
    """Which candidates hold, as the model says or as it expects."""
    if options.veracity == "scored":
        return (yield from extrapolate_by_score(candidates))
    return (yield from extrapolate(candidates, options.batch, tools, notes))


def inner_pairs(groups: Sequence[EntityGroup]) -> list[tuple[str, str]]:
    """Each group's own entity with each of the others in it."""
    return [
        (group.name, member.name)
        for group in groups
        for member in group.members[1:]
        if member.name.casefold() != group.name.casefold()
    ]


def inter_pairs(groups: Sequence[EntityGroup]) -> list[tuple[str, str]]:
    """Every two entities of different groups, in one order."""
    distinct: dict[frozenset[str], tuple[str, str]] = {}
    for group, other in combinations(groups, 2):
        for one, two in entity_pairs(group, other):
            distinct.setdefault(frozenset((one.name, two.name)), (one.name, two.name))
    return list(distinct.values())


def _answer(
    query: Query, found: GiveResult, examples: Sequence[Example], options: GiveOptions, tools: Tools
) -> Search[None]:
    """The answer with affirmative knowledge, with counterfactual added, with expert added. A stage that adds
    nothing repeats the answer before it without a call.
    """
    frame = tools.model.count_tokens(answer_prompt(query, (), examples, options.shape))
    names = ("affirmative", "counterfactual", "expert")
    sets = that_fits(
        [found.knowledge.affirmative, found.knowledge.counterfactual, found.knowledge.expert],
        frame,
        options.shape,
        tools.model,
        found.notes,
        names,
    )
    found.read = {name: len(triples) for name, triples in zip(names, sets, strict=True)}
    found.words = Knowledge(**{name: tuple(triples) for name, triples in zip(names, sets, strict=True)}).words
    if found.entities and not any(sets):
        found.notes.append("no knowledge reached the model: the answer is its own")
    if options.summarise:
        texts = yield from summarised(query.text, sets, options.shape)
    else:
        texts = [written(triples, options.shape) for triples in sets]
    sections: list[Section] = []
    answers: list[str | None] = []
    stages = zip(("answer a", "answer a+c", "answer a+c+e"), (SEEMS, SEEMS_NOT, EXPERT), texts, strict=True)
    for stage, (step, heading, text) in enumerate(stages):
        if stage > 0 and not text:
            answers.append(answers[-1])
            continue
        if stage > 0:
            sections.append(Section("Answer so far", answers[-1] or "none"))
        sections.append(Section(heading, text))
        said: StagedAnswer = yield from answer(
            query,
            sections if found.entities else (),
            examples,
            tools,
            found.notes,
            step=step,
            shape=options.shape,
            answering=options.answering,
        )
        answers.append(said.answer)
    found.answers = Answers(a=answers[0], ac=answers[1], ace=answers[2])
    found.answer = answers[2]
