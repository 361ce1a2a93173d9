"""Answers from edges that do not state the asked relation: the verdict model is asked (not in the paper).

The graph says that tea relieves a cough, and the question is whether tea cures it. No list of words says
whether the one means the other: the question with its answer is a claim, the edge is its evidence, and the
answer is extrapolated if the verdict model finds the claim supported or contradicted. A path of two edges
("a contains m, m eases b") is put to it in the same way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from probative.engine.search import Search, judge
from probative.give.chains import Stated, edge_role, far_end
from probative.give.conclude import conclude
from probative.give.edge_reader import EdgeReader, FactAnswer, Named
from probative.give.facts import answer_from_facts, choice_pairs, entity_pairs
from probative.give.open_facts import MAX_ANSWERS, of_asked_kind
from probative.give.options import GiveOptions
from probative.give.question_words import answered, as_statement, asks_count, asks_if_false
from probative.give.result import GiveResult
from probative.give.run import Run
from probative.models.verdict import VerdictItem
from probative.text import english
from probative.text.prompts import fenced
from probative.types import Triple
from probative.verdict.lines import statement

# Below, the answer stays open. Chosen on 81 pairs of relations: at 0.75 two answers of five were wrong, as
# the verdict model often takes related verbs for the same ("founded" for "leads").
MIN_PROBABILITY = 0.95
# The share of right answers on 50 pairs that had no part in that choice (benchmarks/relations.py): 24 of 32.
SHARE_RIGHT = 0.75
# An entity with more relations is asked about with the first of them; one edge stands for its relation.
MAX_RELATIONS = 32
MAX_LETTERS = 400


class Claim(NamedTuple):
    """An answer as a claim, in one wording or two, the edges that may say so, and how near their entities are
    to those asked about.
    """

    answer: str
    wordings: tuple[str, ...]
    triples: tuple[Triple, ...]
    nearness: float = 1.0


class Judged(NamedTuple):
    """A claim with the probabilities that its edges support and contradict it."""

    claim: Claim
    supported: float
    contradicted: float


def extrapolate_from_edges(run: Run[GiveOptions], result: GiveResult, named: Sequence[Named]) -> Search[bool]:
    """Fill in the answer that edges of other relations or paths between the entities `named` give, or that is
    left over by elimination; return False if there is none.
    """
    query, reader = run.query, EdgeReader(run.query, run.graph, named)
    fact = answer_from_facts(query, run.graph, named)
    negated = english.is_negated(query.text.partition(" ")[2])
    if negated or asks_if_false(query.text):
        if query.form != "choice" or fact is None:
            return False
        conclude(run, result, fact, "elimination")
        return True
    claims = list(_path_claims(reader, fact)) or list(_edge_claims(reader))
    judged = yield from _judge(claims)
    answer = {"yes-no": _yes_or_no, "choice": _one_choice, "text": _listed}[query.form](reader, judged)
    if answer is None:
        return False
    conclude(run, result, replace(answer, strength=(answer.strength or 0.0) * SHARE_RIGHT), "verdict")
    return True


def _path_claims(reader: EdgeReader, fact: FactAnswer | None) -> Iterator[Claim]:
    """Yield the answer that follows from a path, as a claim."""
    if fact is not None and fact.inferred:
        answer = fact.answer if reader.query.form == "choice" else "yes"
        strength = 1.0 if fact.strength is None else fact.strength
        yield Claim(answer, _wordings(reader, answer), fact.facts, strength)


def _edge_claims(reader: EdgeReader) -> Iterator[Claim]:
    """Yield the answers that edges of other relations may give, about the asked entities themselves."""
    if len(reader.hops) > 1 or any(name.cosine < 1 for name in reader.asked):
        return
    form = reader.query.form
    if form == "text":
        if not asks_count(reader.query.text):
            yield from _open_claims(reader)
        return
    pairs = (
        ((first, second, reader.agent(first, second), "yes") for first, second in entity_pairs(reader.asked))
        if form == "yes-no"
        else ((*pair, pair[0].words) for pair in choice_pairs(reader))
    )
    for first, second, agent, answer in pairs:
        for row in reader.edges_of(first, second, agent):
            if reader.match(row[1]) is None:
                yield Claim(answer, _wordings(reader, answer), (reader.graph.triple(row),))


def _open_claims(reader: EdgeReader) -> Iterator[Claim]:
    """Yield a claim for one edge of each relation at the entities of an open question."""
    names = {name.entity for name in reader.asked}
    for anchor in reader.anchors:
        seen: set[int] = set()
        for row in reader.edges_at(anchor.entity):
            far = far_end(row, anchor.entity)
            if far in names or row[1] in seen or len(seen) >= MAX_RELATIONS:
                continue
            if reader.match(row[1]) is None and edge_role(reader, row, anchor):
                seen.add(row[1])
                answer = reader.graph.entities[far]
                yield Claim(answer, _wordings(reader, answer), (reader.graph.triple(row),))


def _wordings(reader: EdgeReader, answer: str) -> tuple[str, ...]:
    """Return an answer as a claim about the entities of the graph: as a statement, and behind an open
    question. All of them have to be supported.
    """
    question = reader.query.text
    for name in reader.asked:
        if name.cosine < 1:
            question = question.replace(name.words, reader.graph.entities[name.entity])
    if reader.query.form == "yes-no":
        first = reader.asked[0]
        return (
            as_statement(question, first.words if first.cosine == 1 else reader.graph.entities[first.entity]),
        )
    return tuple(dict.fromkeys((statement(question, answer), answered(question, answer))))


def _judge(claims: Sequence[Claim]) -> Search[list[Judged]]:
    """Judge the claims; a claim in two wordings has the lower of its probabilities."""
    items = [
        VerdictItem(
            fenced(wording), tuple(f"{fenced(triple.sentence)[:MAX_LETTERS]}." for triple in claim.triples)
        )
        for claim in claims
        for wording in claim.wordings
    ]
    if not items:
        return []
    scores = iter((yield from judge(items, step="other relations")))
    judged = []
    for claim in claims:
        claim_scores = [next(scores) for _ in claim.wordings]
        supported = min(score.supported for score in claim_scores)
        judged.append(Judged(claim, supported, min(score.contradicted for score in claim_scores)))
    return judged


def _yes_or_no(reader: EdgeReader, judged: Sequence[Judged]) -> FactAnswer | None:
    """Return yes or no; maybe if one edge supports the claim and another contradicts it."""
    yes = [
        (item.supported * item.claim.nearness, item) for item in judged if item.supported >= MIN_PROBABILITY
    ]
    no = [
        (item.contradicted * item.claim.nearness, item)
        for item in judged
        if item.contradicted >= MIN_PROBABILITY
    ]
    if not yes and not no:
        return None
    strength, best = max([*yes, *no], key=lambda pair: pair[0])
    if yes and no:
        facts = tuple(dict.fromkeys(triple for _, item in [*yes, *no] for triple in item.claim.triples))
        note = "one edge of the graph speaks for a yes, and another for a no"
        return FactAnswer("maybe", facts, strength, notes=(note,))
    return FactAnswer("yes" if yes else "no", best.claim.triples, strength)


def _one_choice(reader: EdgeReader, judged: Sequence[Judged]) -> FactAnswer | None:
    """Return the choice that edges support, if it is the only one."""
    supported = [item for item in judged if item.supported >= MIN_PROBABILITY]
    if len({item.claim.answer for item in supported}) != 1:
        return None
    best = max(supported, key=lambda item: item.supported)
    return FactAnswer(best.claim.answer, best.claim.triples, best.supported * best.claim.nearness)


def _listed(reader: EdgeReader, judged: Sequence[Judged]) -> FactAnswer | None:
    """Return what the supported relations lead to from the entities of an open question."""
    supported = {
        (item.claim.triples[0].relation): item.supported
        for item in judged
        if item.supported >= MIN_PROBABILITY
    }
    names = {name.entity for name in reader.asked}
    stated: Stated = {
        far: (reader.graph.triple(row),)
        for anchor in reader.anchors
        for row in reader.edges_at(anchor.entity)
        if reader.graph.relations[row[1]] in supported
        and edge_role(reader, row, anchor)
        and (far := far_end(row, anchor.entity)) not in names
    }
    stated = of_asked_kind(reader, stated)
    if not 0 < len(stated) <= MAX_ANSWERS:
        return None
    facts = tuple(triple for triples in stated.values() for triple in triples)
    answer = ", ".join(reader.graph.entities[entity] for entity in stated)
    return FactAnswer(answer, facts, min(supported[fact.relation] for fact in facts))
