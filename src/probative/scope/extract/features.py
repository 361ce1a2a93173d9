"""The first step: the features of the question."""

from __future__ import annotations

from probative.engine.search import Search
from probative.scope.extract.model import features_by_model
from probative.scope.extract.reader import features_by_reader
from probative.scope.features import Features
from probative.scope.run import Run


def find_features(run: Run) -> Search[Features]:
    """Return the features of the question, by the extractor that the options name.

    What a model invents is left out with a note: a relation must join two nodes, and a node that is not in
    the question is marked as inferred. Raises OutputError if a model writes nothing that can be read.
    """
    if run.options.extractor == "rules":
        return run.question.features
    if run.options.extractor == "reader":
        return (yield from features_by_reader(run))
    return (yield from features_by_model(run))
