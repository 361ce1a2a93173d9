"""The whole of give: Algorithm 1 of the paper, and the answer in three stages (section 3.5).

E_x, R_x       = the entities and relations of the question x            extract.py, section 3.1
N_x            = a group of entities around each entity                  groups.py, section 3.2
N_x            ← and around the middle of the best two-hop path          intermediate.py, section 3.4.2
R_a            = (e, r, y) within each group                             relate.py, section 3.3
R_e            = the edges of the graph between groups                   candidates.py, section 3.4.1
R_a, R_c       ← the other (u, r, v) between groups, judged yes or no    extrapolate.py, section 3.4.3
R_a            ← open relations between groups                           relate.py, section 3.4.3
y_a, y_ac, y_ace = the answers from R_a, then R_c, then R_e              answer.py, section 3.5

With `facts` (not in the paper), what the graph states is read first, and the result says what its answer
rests on                                                                 facts.py, conclude.py
A small model is helped by the verdict model, a large one is shown the edges at the entities
                                                                         other_relations.py, candidates.py
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from probative.engine.methods import Method
from probative.engine.search import Search
from probative.give.answer import HEADINGS, SO_FAR, Section, answer, answer_prompt
from probative.give.candidates import edges_at_entities, entity_pairs, potential_connections
from probative.give.conclude import (
    conclude_with_model,
    judge_asked_triple,
    limit_strength,
    named_in_graph,
    names_in_knowledge,
    near_in_graph,
    read_from_graph,
    stated_for_similar,
)
from probative.give.extract import extract
from probative.give.extrapolate import Extrapolated, extrapolate
from probative.give.groups import build_groups, group_around
from probative.give.intermediate import find_middle
from probative.give.knowledge import fit_window, format_triples, question_first, summarise
from probative.give.learned import extrapolate_by_graph, relate_by_graph
from probative.give.options import PRESETS, GiveOptions
from probative.give.other_relations import extrapolate_from_edges
from probative.give.relate import relate
from probative.give.result import Answers, EntityGroup, GiveResult, GraphVerdict, Knowledge
from probative.give.run import Run
from probative.give.scored import extrapolate_by_score, relate_by_score
from probative.give.silence import (
    abstain_before_guessing,
    abstain_if_graph_is_silent,
    abstain_if_graph_is_small,
    note_missing,
)
from probative.types import Triple

SETS = ("affirmative", "counterfactual", "expert")
STAGES = ("answer a", "answer a+c", "answer a+c+e")


def find_reasoning(run: Run[GiveOptions]) -> Search[GiveResult]:
    """Find the three answers to a question, and the knowledge behind them."""
    if len(run.examples) < run.options.examples:
        run.note(f"worked examples of this form: {len(run.examples)}, not {run.options.examples}")
    entities, relations = yield from extract(run)
    result = GiveResult(answer=None, entities=entities, relations=relations, notes=run.notes)
    # A large model may know what the graph does not; a small one only guesses.
    guesses = run.options.facts and run.options.answering == "chosen"
    run = replace(run, query=replace(run.query, equal=run.options.equal_relations))
    if entities and run.options.facts and read_from_graph(run, result):
        return result
    if entities and run.options.facts:
        note_missing(run, result)
    if entities and guesses and abstain_before_guessing(run, result):
        return result
    named = named_in_graph(run.graph, entities, run.query.text)
    if guesses and (yield from extrapolate_from_edges(run, result, named)):
        return result
    if entities:
        yield from _build_knowledge(run, result)
        if run.options.facts and stated_for_similar(run, result):
            return result
        near = near_in_graph(result.groups, result.entities)
        if guesses and (yield from extrapolate_from_edges(run, result, near)):
            return result
        if run.options.facts and (yield from judge_asked_triple(run, result)):
            return result
        if guesses and (abstain_if_graph_is_silent(run, result) or abstain_if_graph_is_small(run, result)):
            return result
    else:
        run.note("the question names no entity: the answer is the model's own, without knowledge")
    if guesses and run.query.form == "text":
        names = names_in_knowledge(result)
        if len(names) < 2:
            run.note("the graph has nothing near that could be the answer")
            result.answer, result.verdict = None, GraphVerdict.UNKNOWN
            return result
        # A small model writes badly: the answer is one of the entities that the knowledge names.
        run = replace(run, query=replace(run.query, choices=names, form="choice"))
    yield from _answer_in_stages(run, result)
    if guesses and run.options.veracity == "learned":
        yield from limit_strength(run, result)
    return result


def _build_knowledge(run: Run[GiveOptions], result: GiveResult) -> Search[None]:
    """Fill in the groups and the three sets of knowledge R_a, R_c and R_e."""
    options = run.options
    result.groups, question_vector = yield from build_groups(run, result.entities)
    between_groups = options.connections != "inner"
    if between_groups and options.intermediate and question_vector is not None:
        middle = yield from find_middle(run, result.groups, question_vector)
        if middle is not None:
            result.path = middle.path
            result.groups.append(group_around(run, middle.entity))
    affirmative: list[Triple] = []
    counterfactual: list[Triple] = []
    expert: list[Triple] = []
    if options.connections != "inter":
        affirmative += yield from _relate(run, inner_pairs(result.groups), "inner-group")
    if between_groups:
        if len(result.groups) == 1:
            run.note("the question names one entity: only edges within its group are expert knowledge")
        expert, candidates = potential_connections(result.groups, result.relations, run.graph)
        judged = yield from _extrapolate(run, candidates)
        opened: list[Triple] = []
        if options.open_relations:
            opened = yield from _relate(run, inter_pairs(result.groups), "open relations")
        affirmative += [*judged.affirmative, *opened]
        counterfactual = judged.counterfactual
        result.uncertain = judged.uncertain
        # Section 4.7.3: the share of expert knowledge in all that section 3.4.3 gives, so without R_a of 3.3.
        total = len({*judged.affirmative, *opened}) + len(counterfactual) + len(expert)
        result.expert_ratio = len(expert) / total if total else None
    if options.facts and options.answering == "written" and run.query.form == "text":
        expert = list(dict.fromkeys([*expert, *(yield from edges_at_entities(run, result.groups))]))
    stated = set(expert)
    affirmative = [triple for triple in dict.fromkeys(affirmative) if triple not in stated]
    names = [*result.entities, *(group.name for group in result.groups if not group.intermediate)]
    result.knowledge = Knowledge(
        affirmative=tuple(question_first(affirmative, names)),
        counterfactual=tuple(question_first(counterfactual, names)),
        expert=tuple(question_first(expert, names)),
    )


def _relate(run: Run[GiveOptions], pairs: Sequence[tuple[str, str]], step: str) -> Search[list[Triple]]:
    """Find how the entities of each pair are related, in the model's words or by its scores."""
    if run.options.veracity == "scored":
        return (yield from relate_by_score(run, pairs, step))
    if run.options.veracity == "learned":
        return (yield from relate_by_graph(run, pairs))
    return (yield from relate(run, pairs, step))


def _extrapolate(run: Run[GiveOptions], candidates: Sequence[Triple]) -> Search[Extrapolated]:
    """Judge which candidates hold, by the model's words or by its scores."""
    if run.options.veracity == "scored":
        return (yield from extrapolate_by_score(candidates))
    if run.options.veracity == "learned":
        return (yield from extrapolate_by_graph(run, candidates))
    return (yield from extrapolate(run, candidates))


def inner_pairs(groups: Sequence[EntityGroup]) -> list[tuple[str, str]]:
    """Pair each group's own entity with each other member (e, y)."""
    return [
        (group.name, member.name)
        for group in groups
        for member in group.members[1:]
        if member.name.casefold() != group.name.casefold()
    ]


def inter_pairs(groups: Sequence[EntityGroup]) -> list[tuple[str, str]]:
    """Pair the entities of different groups, each pair in one order."""
    distinct: dict[frozenset[str], tuple[str, str]] = {}
    for group, other in combinations(groups, 2):
        for head, tail in entity_pairs(group, other):
            distinct.setdefault(frozenset((head.name, tail.name)), (head.name, tail.name))
    return list(distinct.values())


def _answer_in_stages(run: Run[GiveOptions], result: GiveResult) -> Search[None]:
    """Answer with affirmative knowledge, then with counterfactual, then with expert knowledge added. A stage
    that adds nothing repeats the answer before it without a call, unless the options ask in every stage.
    """
    shape, logic = run.options.shape, run.options.logic_chain
    staged_examples = run.options.staged_examples and bool(result.entities)
    longest = answer_prompt(
        run.query, (), run.examples, shape, logic_chain=logic, stage=len(STAGES) * staged_examples
    )
    prompt_tokens = run.tools.model.count_tokens(longest)
    knowledge = result.knowledge
    all_sets = [knowledge.affirmative, knowledge.counterfactual, knowledge.expert]
    sets = fit_window(run, all_sets, prompt_tokens, shape, SETS)
    result.read = {name: len(triples) for name, triples in zip(SETS, sets, strict=True)}
    read = {name: getattr(result.knowledge, name)[:count] for name, count in result.read.items()}
    result.words = Knowledge(**read).words
    if result.entities and not any(sets):
        run.note("no knowledge reached the model: the answer is its own")
    if run.options.summarise:
        texts = yield from summarise(run.query.text, sets, shape)
    else:
        texts = [format_triples(triples, shape) for triples in sets]
    sections: list[Section] = []
    answers: list[str | None] = []
    probability: float | None = None
    for number, (step, heading, text) in enumerate(zip(STAGES, HEADINGS, texts, strict=True), 1):
        if answers and not text and not (run.options.ask_every_stage and result.entities):
            answers.append(answers[-1])
            continue
        if answers:
            sections.append(Section(SO_FAR, answers[-1] or "none"))
        sections.append(Section(heading, text))
        staged = yield from answer(
            run,
            sections if result.entities else (),
            run.examples,
            step=step,
            shape=shape,
            logic_chain=logic,
            stage=number * staged_examples,
        )
        answers.append(staged.answer)
        result.rationale = staged.logic_chain or result.rationale
        probability = staged.probability
    result.answers = Answers(a=answers[0], ac=answers[1], ace=answers[2])
    result.answer = answers[2]
    if run.options.facts:
        conclude_with_model(result, probability)


GIVE = Method(
    find_reasoning,
    GiveOptions,
    PRESETS,
    lambda model, reader: "small" if model.startswith("embedded") else "calls",
)
"""Give as a method of `reason`."""
