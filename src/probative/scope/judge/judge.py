"""The second step: which features each passage carries."""

from __future__ import annotations

from probative.engine.search import Search
from probative.scope.features import Features, Judgements
from probative.scope.judge.by_model import judge_by_reader, judge_each, judge_passages, judge_together
from probative.scope.judge.words import judge_by_words
from probative.scope.run import Run

_MODEL_JUDGES = {
    "each": judge_each,
    "passage": judge_passages,
    "together": judge_together,
    "reader": judge_by_reader,
}


def judge(run: Run, features: Features, earlier: Judgements | None = None) -> Search[Judgements]:
    """Judge the candidate passages by the judge that the options name.

    `earlier` are the judgements of the first passages; a language model is asked only about the others.
    """
    if run.options.judge == "words":
        return (yield from judge_by_words(run, features))
    known = [] if earlier is None else earlier.strengths
    passages = run.pool.candidates()[len(known) :]
    strengths = yield from _MODEL_JUDGES[run.options.judge](run, features.listed(), passages)
    return Judgements(features, [*known, *strengths], run.options.threshold)
