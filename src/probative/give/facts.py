"""Facts first: what the graph itself says about a question, read before anything is extrapolated.

A question is read from the graph if an edge between its entities states the asked relation. A no is read
only from an edge that denies the relation or leaves no room for it ("Is Rome the capital of Spain?"): what a
graph lacks is not false. A path of two edges is no statement, but the answer may be inferred from it if one
edge passes the other on: "a contains m, m eases b", "a was born in m, m lies on b".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from probative.give.chains import follow_chain, reads_whole
from probative.give.edge_reader import EdgeReader, Evidence, FactAnswer, Named
from probative.give.open_facts import answer_open
from probative.give.query import Query
from probative.give.question_words import asks_if_false
from probative.give.relation_words import has_one_head, role_of
from probative.graph.graph import Graph
from probative.text import english
from probative.types import Triple

MAX_NOTED = 3


def answer_from_facts(query: Query, graph: Graph, named: Sequence[Named]) -> FactAnswer | None:
    """Return the answer that the graph states or that follows from it, or None if it is silent."""
    reader = EdgeReader(query, graph, named)
    if query.form == "yes-no":
        return _with_polarity(query, yes_or_no(reader))
    # "Doesn't tea help?" asks whether it does.
    negated = english.is_negated(query.text.partition(" ")[2])
    if query.form == "choice":
        return by_elimination(reader) if negated else choice(reader)
    return None if negated else answer_open(reader)


def yes_or_no(reader: EdgeReader) -> FactAnswer | None:
    """Return yes or no if the graph states the relation between two entities, or denies it."""
    pairs = list(entity_pairs(reader.asked))
    evidence = [
        item
        for first, second in pairs
        for item in _evidence(reader, first, second, reader.agent(first, second))
    ]
    best = _best(evidence)
    if len({item.match for item in best}) > 1:
        facts = tuple(dict.fromkeys(triple for item in best for triple in item.triples))
        note = "the graph states the asked relation and denies it"
        return FactAnswer("maybe", facts, best[0].nearness, best[0].inferred, (note,))
    if best and not best[0].inferred:
        answer = "yes" if best[0].match == "same" else "no"
        return FactAnswer(answer, best[0].triples, best[0].nearness, notes=_also_stated(reader, pairs))
    excluded = next((fact for pair in pairs if (fact := _excluding(reader, *pair))), None)
    if excluded is not None:
        return FactAnswer("no", (excluded,))
    if best:
        answer = "yes" if best[0].match == "same" else "no"
        return FactAnswer(answer, best[0].triples, best[0].nearness, inferred=True)
    return None


def _also_stated(reader: EdgeReader, pairs: Iterable[tuple[Named, Named]]) -> tuple[str, ...]:
    """Return a note of the other relations that the graph has between the asked entities: one of them may
    speak against the answer.
    """
    rows = [row for pair in pairs for row in reader.edges_of(*pair) if reader.match(row[1]) is None]
    others = ", ".join(dict.fromkeys(str(reader.graph.triple(row)) for row in rows[:MAX_NOTED]))
    return (f"the graph also states {others}",) if others else ()


def choice(reader: EdgeReader) -> FactAnswer | None:
    """Return the choice for which the graph states the relation, if it is the only one."""
    stated = _stated_choices(reader)
    if not stated:
        return None
    top = max(_key(item) for item in stated.values())
    winners = [words for words, item in stated.items() if _key(item) == top]
    if len(winners) != 1:
        return None
    item = stated[winners[0]]
    return FactAnswer(_spelled(reader.query, winners[0]), item.triples, item.nearness, item.inferred)


def by_elimination(reader: EdgeReader) -> FactAnswer | None:
    """Return the choice of a negated question ("Which does not …?") for which the graph does not state the
    relation, if it states it for all others. The graph may lack it, and nothing measures how often it does.
    """
    stated = _stated_choices(reader)
    left = [
        words for words in reader.query.choices if words.casefold() not in {key.casefold() for key in stated}
    ]
    if not stated or len(left) != 1:
        return None
    facts = tuple(dict.fromkeys(triple for item in stated.values() for triple in item.triples))
    note = f"the graph states it for every choice but {left[0]}, which it does not deny"
    return FactAnswer(left[0], facts, None, inferred=True, notes=(note,))


def _evidence(reader: EdgeReader, first: Named, second: Named, agent: Named | None) -> Iterator[Evidence]:
    """Yield the edges and paths between two entities that state or deny all that is asked."""
    for item in reader.between(first, second, agent):
        if reads_whole(reader, item.triples):
            yield item
    if len(reader.hops) > 1:
        for start, end in ((first, second), (second, first)):
            triples = follow_chain(reader, start).get(end.entity)
            if triples is not None:
                yield Evidence(triples, "same", first.cosine * second.cosine)


def _with_polarity(query: Query, fact: FactAnswer | None) -> FactAnswer | None:
    """Return the answer to a yes-or-no question that is negated or calls a statement false."""
    if fact is None:
        return None
    denies = asks_if_false(query.text)
    if not denies and not english.is_negated(query.text.partition(" ")[2]):
        return fact
    swapped = {"yes": "no", "no": "yes"}.get(fact.answer, fact.answer) if denies else fact.answer
    note = "the question is negated: " + (
        "the answer is to the question as it stands"
        if denies
        else f"'{swapped}' is said of the statement without its negation"
    )
    return FactAnswer(swapped, fact.facts, fact.strength, fact.inferred, (*fact.notes, note))


def entity_pairs(names: Sequence[Named]) -> Iterator[tuple[Named, Named]]:
    """Yield the pairs of different entities, in the order of the question."""
    for number, first in enumerate(names):
        for second in names[number + 1 :]:
            if first.words != second.words and first.entity != second.entity:
                yield first, second


def _excluding(reader: EdgeReader, first: Named, second: Named) -> Triple | None:
    """Return an edge that leaves no room for the asked one: another capital of the same country, or the asked
    relation in the other direction.
    """
    if first.cosine < 1 or second.cosine < 1 or len(reader.hops) > 1:
        return None
    agent = reader.agent(first, second)
    patient = second if agent is first else first
    for row in (*reader.reversed_edges(first, second), *reader.graph.in_edges(patient.entity).tolist()):
        if reader.match(row[1]) == "same" and has_one_head(reader.graph.relations[row[1]]):
            return reader.graph.triple(row)
    return None


def _stated_choices(reader: EdgeReader) -> dict[str, Evidence]:
    """Return the best evidence for each choice for which the graph states the relation."""
    stated: dict[str, Evidence] = {}
    for offered, anchor, agent in choice_pairs(reader):
        evidence = _best(_evidence(reader, offered, anchor, agent))
        best = [item for item in evidence if item.match == "same"]
        if best and _key(best[0]) > _key(stated.get(offered.words)):
            stated[offered.words] = best[0]
    return stated


def choice_pairs(reader: EdgeReader) -> Iterator[tuple[Named, Named, Named | None]]:
    """Yield each choice with each entity of the question, and which of the two acts if the question says."""
    for offered in reader.offered:
        for anchor in reader.asked:
            if anchor.entity != offered.entity:
                acts = role_of(reader.query.text, anchor.words)
                yield offered, anchor, {"agent": anchor, "patient": offered}.get(acts or "")


def _spelled(query: Query, words: str) -> str:
    return next(option for option in query.choices if option.casefold() == words.casefold())


def _best(evidence: Iterable[Evidence]) -> list[Evidence]:
    """Return the evidence with the nearest entities, and of that the shortest."""
    items = list(evidence)
    top = max((_key(item) for item in items), default=None)
    return [item for item in items if _key(item) == top]


def _key(item: Evidence | None) -> tuple[float, int]:
    return (0.0, 0) if item is None else (item.nearness, -len(item.triples))
