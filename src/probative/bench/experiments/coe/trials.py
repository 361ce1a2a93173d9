"""Trials of a study: a context with a share of other text, answered in every repeat and judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from probative.bench.experiment import Case, Lab
from probative.bench.experiments.coe.answering import answer_from
from probative.bench.experiments.coe.mixing import SHARES, fill_to_share, mix, share_of
from probative.bench.experiments.coe.sample import Sample
from probative.bench.judging import Judged, judge_answer
from probative.bench.metrics import answer_f1, exact_match, nearest_spelling
from probative.bench.rows import Row


class Arm(NamedTuple):
    """A context of a study with the text that is mixed into it, at one share.

    `study` is effectiveness, faithfulness or robustness: the paper's RQ1, RQ2 and RQ3.
    """

    study: str
    context: str
    share: float
    pieces: tuple[str, ...]
    others: Sequence[str]


def arms_of(
    study: str,
    contexts: Mapping[str, tuple[str, ...]],
    others: Sequence[str],
    shares: Sequence[float] = SHARES,
) -> list[Arm]:
    """Return an arm for each context and share."""
    return [
        Arm(study, name, share, pieces, fill_to_share(pieces, others, share))
        for name, pieces in contexts.items()
        for share in shares
    ]


def run_arms(lab: Lab, case: Case, question: str, accepted: Sequence[str], arms: Sequence[Arm]) -> list[Row]:
    """Let the studied model answer every arm in every repeat, and judge each answer by the accepted ones.

    A repeat draws the order of the texts anew. Equal answers are judged once.
    """
    draws = lab.draws(case)
    repeats = range(lab.settings.repeats)
    trials = [(arm, repeat, mix(arm.pieces, arm.others, draws)) for repeat in repeats for arm in arms]
    answers = answer_from(lab, question, [(tuple(texts), repeat) for _, repeat, texts in trials])
    gold = {answer: nearest_spelling(answer, accepted) for answer in answers}
    judged = {answer: judge_answer(lab, question, gold[answer], answer) for answer in gold}
    return [
        _trial(arm, repeat, answer, gold[answer], judged[answer])
        for (arm, repeat, _), answer in zip(trials, answers, strict=True)
    ]


def _trial(arm: Arm, repeat: int, answer: str, gold: str, judged: Judged) -> Row:
    undecided = {"reply": judged.raw} if judged.right is None else {}
    return {
        "study": arm.study,
        "context": arm.context,
        "share": arm.share,
        "actual_share": round(share_of(arm.others, arm.pieces), 3),
        "repeat": repeat,
        "answer": answer,
        "right": judged.right,
        "em": float(exact_match(answer, gold)),
        "f1": answer_f1(answer, gold),
        **undecided,
    }


def sample_row(sample: Sample, **more: object) -> Row:
    """Return what a row tells about its sample."""
    candidate = sample.candidate
    return {
        "set": candidate.set,
        "id": candidate.id,
        "question": candidate.question,
        "gold": candidate.answer,
        "hops": candidate.hops,
        "features": [feature.name for feature in sample.features.listed()],
        "missing": list(sample.missing),
        "contexts": {name: list(pieces) for name, pieces in sample.contexts.items()},
        "unnoticed": list(sample.unnoticed),
        "failed": sample.failed,
        "left_out": sample.left_out,
        **more,
    }
