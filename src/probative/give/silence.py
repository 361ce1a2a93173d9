"""Questions about which the graph is silent, and for which a guess would only look like an answer.

The graph has the asked entities and the asked relation, but no edge states it between them. Then an edge of
another entity, or a small model that reads it, tells nothing about those asked.
"""

from __future__ import annotations

from collections.abc import Sequence

from probative.give.conclude import named_in_graph
from probative.give.edge_reader import EdgeReader
from probative.give.facts import entity_pairs
from probative.give.options import GiveOptions
from probative.give.question_words import is_proper_name
from probative.give.relation_words import has_one_head
from probative.give.result import Answers, GiveResult, GraphVerdict
from probative.give.run import Run
from probative.text import english
from probative.types import Triple


def abstain_before_guessing(run: Run[GiveOptions], result: GiveResult) -> bool:
    """Fill in that the answer is unknown, before anything is extrapolated, if only the reverse is stated, if
    the relation belongs to one thing only, or if the question asks what does not hold.
    """
    reader = _reader(run, result)
    if run.query.form == "yes-no":
        rows = [row for pair in entity_pairs(reader.asked) for row in reader.reversed_edges(*pair)]
        if rows:
            facts = tuple(run.graph.triple(row) for row in rows)
            return _unknown(run, result, f"the graph states the reverse: {facts[0]}", facts)
        return False
    if run.query.form != "text":
        return False
    if english.is_negated(run.query.text.partition(" ")[2]):
        return _unknown(run, result, "the graph does not say what does not hold")
    if _missing_names(run, result):
        # No entity stands for a name.
        return _unknown(run, result)
    exclusive = [name for name in _asked_relations(reader) if has_one_head(name)]
    if exclusive:
        return _unknown(run, result, f"the graph has no '{exclusive[0]}' for {_names(reader, result)}")
    return False


def note_missing(run: Run[GiveOptions], result: GiveResult) -> None:
    """Note which names of a question the graph does not have."""
    for name in _missing_names(run, result):
        run.note(f"{name} is not in the graph")


def abstain_if_graph_is_small(run: Run[GiveOptions], result: GiveResult) -> bool:
    """Fill in that the answer to a yes-or-no question is unknown if the graph is too small to learn from: a
    small model then says yes or no without a reason.
    """
    if run.query.form != "yes-no" or run.options.veracity != "learned" or run.source.veracity.is_calibrated:
        return False
    return _unknown(
        run, result, "the graph states nothing that answers the question, and is too small to guess from"
    )


def abstain_if_graph_is_silent(run: Run[GiveOptions], result: GiveResult) -> bool:
    """Fill in that the answer is unknown, after extrapolation gave none, if the graph has the asked entities
    and the asked relation.
    """
    reader = _reader(run, result)
    needed = {"yes-no": 2, "text": 1}.get(run.query.form)
    relations = _asked_relations(reader)
    if needed is None or len(reader.asked) < needed or not relations:
        return False
    return _unknown(run, result, f"the graph has no '{relations[0]}' for {_names(reader, result)}")


def _reader(run: Run[GiveOptions], result: GiveResult) -> EdgeReader:
    return EdgeReader(run.query, run.graph, named_in_graph(run.graph, result.entities, run.query.text))


def _asked_relations(reader: EdgeReader) -> list[str]:
    names = reader.graph.relations
    return [name for number, name in enumerate(names) if reader.match(number) == "same"]


def _names(reader: EdgeReader, result: GiveResult) -> str:
    return " and ".join([name.words for name in reader.asked] or result.entities)


def _missing_names(run: Run[GiveOptions], result: GiveResult) -> list[str]:
    in_graph = {name.words.casefold() for name in named_in_graph(run.graph, result.entities, run.query.text)}
    return [
        name
        for name in result.entities
        if name.casefold() not in in_graph and is_proper_name(run.query.text, name)
    ]


def _unknown(run: Run[GiveOptions], result: GiveResult, note: str = "", facts: Sequence[Triple] = ()) -> bool:
    result.answer = "maybe" if run.query.form == "yes-no" else None
    result.answers = Answers(ace=result.answer)
    result.verdict, result.strength, result.facts = GraphVerdict.UNKNOWN, None, tuple(facts)
    if note:
        run.note(note)
    return True
