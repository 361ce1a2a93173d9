"""What a row keeps of a reasoning, whether its answer is right, and what chance would reach."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from probative import Graph, Reasoning
from probative.bench.metrics import mean
from probative.bench.rows import Row


def figures(reasoning: Reasoning, graph: Graph) -> Row:
    """Return the parts of a result that the tables need, without the question's text."""
    return {
        "model": reasoning.model,
        "answer": reasoning.answer,
        "verdict": reasoning.verdict,
        "strength": reasoning.strength,
        "answers": reasoning.answers.to_dict(),
        "usage": reasoning.usage.to_dict(),
        "words": reasoning.knowledge.words,
        "triples": {
            "affirmative": len(reasoning.knowledge.affirmative),
            "counterfactual": len(reasoning.knowledge.counterfactual),
            "expert": len(reasoning.knowledge.expert),
        },
        "expert_ratio": reasoning.expert_ratio,
        "maybe": reasoning.maybe,
        "groups": len(reasoning.groups),
        "candidate_relations": candidate_relations(reasoning, graph),
        "intermediate": any(group.intermediate for group in reasoning.groups),
    }


def candidate_relations(reasoning: Reasoning, graph: Graph) -> float:
    """Return the mean number of relations, the graph's and the question's, from one group to another."""
    groups = [
        [member.entity for member in group.members if member.entity is not None] for group in reasoning.groups
    ]
    counts = []
    for index, group in enumerate(groups):
        for other in (other for at, other in enumerate(groups) if at != index):
            edges = graph.edges_between(group, other)
            relations = {graph.relations[int(relation)] for relation in edges[:, 1]}
            counts.append(len(relations | set(reasoning.relations)))
    return mean(counts)


def right(row: Row, stage: str) -> bool:
    """Return whether a stage gave the gold answer. The answer of a method without stages counts as the last
    stage, and an answer that was read from the graph, or from similar entities, as every stage.
    """
    if row.get("error") is not None:
        return False
    answer = row["answers"][stage]
    staged = row["answers"]["a"] is not None or row.get("verdict") in (None, "unknown")
    if answer is None and (stage == "ace" or not staged):
        answer = row["answer"]
    return bool(answer is not None and answer.casefold() == row["gold"].casefold())


def maybe_share(row: Row) -> float:
    """Return the share of all judged statements that were neither affirmed nor denied."""
    judged = row["triples"]["affirmative"] + row["triples"]["counterfactual"] + row["maybe"]
    return float(row["maybe"] / judged) if judged else 0.0


def floors(rows: Sequence[Row]) -> tuple[float, float]:
    """Return the accuracy of a random answer, and of always giving the commonest answer (or, where questions
    offer different choices, the commonest place), in percent.

    >>> floors([{"gold": "yes", "options": ["yes", "no"]}] * 2)
    (50.0, 100.0)
    """
    random_answer = 100 * mean([1 / len(row["options"]) for row in rows])
    if len({tuple(row["options"]) for row in rows}) == 1:
        counts = Counter(row["gold"] for row in rows)
    else:
        counts = Counter(row["options"].index(row["gold"]) for row in rows)
    return random_answer, 100 * counts.most_common(1)[0][1] / len(rows)
