"""Features by the tuned reader, in one short call."""

from __future__ import annotations

from probative.engine.search import Search, generate_or_empty
from probative.models.reader_prompts import ask_features, read_features
from probative.models.types import Completion
from probative.scope.extract.checked import Link, checked_nodes, checked_relations
from probative.scope.features import Features
from probative.scope.run import Run


def features_by_reader(run: Run) -> Search[Features]:
    """Return the features on the reader's lines, or those by rules if the judge model is not the reader or
    its lines cannot be read.
    """
    judge = run.tools.judge
    if not judge.reader:
        run.note(f"{judge.name} is not the tuned reader; the features were found by rules")
        return run.question.features
    replies = yield from generate_or_empty([ask_features(run.question.text)], step="features", by="judge")
    text = replies[0].text if isinstance(replies[0], Completion) else ""
    if isinstance(replies[0], Completion) and replies[0].finish_reason == "dry-run":
        return run.question.features
    lines = read_features(text)
    if lines is None:
        start = " ".join(text.split())[:60]
        run.note(f"the reader's features could not be read ({start!r}); the features were found by rules")
        return run.question.features
    nodes = checked_nodes(run, lines.nodes)
    links = [Link(head=head, predicate=predicate, tail=tail) for head, predicate, tail in lines.relations]
    relations = checked_relations(run, nodes, links)
    return Features(intent=" ".join(lines.intent.split()), nodes=tuple(nodes), relations=tuple(relations))
