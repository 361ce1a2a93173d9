"""Trials of a study: a context with a share of other text, counted in characters, answered by the studied
model in every repeat and judged. The studied model does nothing else in these studies.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from probative.bench.experiment import Case, Lab
from probative.bench.experiments.coe.builder import PACKAGE
from probative.bench.experiments.coe.sample import Sample
from probative.bench.judging import Judged, judge_answer
from probative.bench.metrics import answer_f1, exact_match, nearest_spelling
from probative.bench.rows import Row
from probative.engine.runner import run_searches
from probative.engine.search import Search
from probative.engine.tools import Tools
from probative.errors import BatchError, EmptyError
from probative.models.types import Completion, Request
from probative.scope.answer.make import Evidence, make_answer
from probative.scope.finding import Reading
from probative.scope.inputs import Inputs
from probative.scope.options import ScopeOptions
from probative.scope.run import start_run
from probative.text.prompts import fenced, fill, read_prompt
from probative.types import Passage

SHARES = (0.0, 0.25, 0.5, 0.75)
"""The shares of the paper's tables 2 to 4."""

ANSWER_TOKENS = 64
TEMPERATURE = 0.7
"""The temperature of a repeat, unless the option `temperature` says another; the paper names none."""
Asked = tuple[tuple[str, ...], int]
"""The texts of a context, and the number of the repeat."""


def fill_to_share(pieces: Sequence[str], others: Sequence[str], share: float) -> list[str]:
    """Return texts of `others` such that they are a share of the characters of all texts together.

    The last text is cut at a word. If `others` are too few, they are repeated.

    >>> fill_to_share(["Ten chars."], ["Rain fell.", "Ice too."], 0.5)
    ['Rain fell.']
    >>> fill_to_share(["Ten chars."], ["abc defg hi jklm"], 0.5)
    ['abc defg']
    """
    needed = round(length(pieces) * share / (1 - share))
    usable = [other for other in others if other.strip()]
    chosen: list[str] = []
    while usable and needed > 0:
        for other in usable:
            part = other if len(other) <= needed else _cut(other, needed)
            if part:
                chosen.append(part)
            needed = needed - len(part) if part == other else 0
            if needed <= 0:
                break
    return chosen


def mix(pieces: Sequence[str], others: Sequence[str], draws: random.Random) -> list[str]:
    """Return all texts in a drawn order; the pieces keep their order among themselves.

    >>> mix(["one", "two"], [], random.Random(1))
    ['one', 'two']
    """
    marks = [True] * len(pieces) + [False] * len(others)
    if others:
        draws.shuffle(marks)
    kept, added = iter(pieces), iter(others)
    return [next(kept) if mark else next(added) for mark in marks]


def share_of(others: Sequence[str], pieces: Sequence[str]) -> float:
    """Return the share of `others` in the characters of both.

    >>> share_of(["abc"], ["abcdefghi"])
    0.25
    """
    whole = length(others) + length(pieces)
    return length(others) / whole if whole else 0.0


def length(texts: Sequence[str]) -> int:
    """Return the number of characters of all texts."""
    return sum(map(len, texts))


def _cut(text: str, limit: int) -> str:
    """Return the words of a text that fit into `limit` characters."""
    if len(text) > limit and not text[limit].isspace():
        text = text[:limit].rpartition(" ")[0]
    return text[:limit].rstrip()


def answer_from(lab: Lab, question: str, asked: Sequence[Asked]) -> list[str]:
    """Return the answers of the studied model from several contexts; an answer it does not give is empty.

    The tuned reader reads in its own form, and always says the same: it is asked once for each context.
    """
    if lab.model.reader:
        contexts = list(dict.fromkeys(texts for texts, _ in asked))
        answers = dict(zip(contexts, _read(lab, question, contexts), strict=True))
        return [answers[texts] for texts, _ in asked]
    prompt = read_prompt(PACKAGE, "answer")
    requests = [
        Request.user(
            fill(prompt, context="\n".join(map(fenced, texts)), question=fenced(question)),
            max_tokens=ANSWER_TOKENS,
            temperature=float(lab.settings.option("temperature", TEMPERATURE)),
            sample=repeat,
            seed=lab.settings.seed,
        )
        for texts, repeat in asked
    ]
    return [_text(reply) for reply in _replies(lab, requests)]


def _replies(lab: Lab, requests: Sequence[Request]) -> list[Completion | EmptyError]:
    """Return the completions; an empty reply comes back as its error, any other error is raised."""
    try:
        return list(lab.model.generate(requests))
    except EmptyError as error:
        if len(requests) == 1:
            return [error]
        raise
    except BatchError as error:
        replies = [error.errors.get(index, result) for index, result in enumerate(error.results)]
        if any(not isinstance(reply, Completion | EmptyError) for reply in replies):
            raise
        return [reply for reply in replies if isinstance(reply, Completion | EmptyError)]


def _text(reply: Completion | EmptyError) -> str:
    """Return the first line of a reply that says something."""
    lines = [] if isinstance(reply, EmptyError) else [line.strip() for line in reply.text.splitlines()]
    return next((line for line in lines if line), "")


def _read(lab: Lab, question: str, contexts: Sequence[tuple[str, ...]]) -> list[str]:
    tools = Tools(lambda: lab.model, lambda: lab.session.sentence_encoder)
    options = ScopeOptions(answering="read", answer_anyway=True)

    def search(texts: Sequence[str]) -> Search[Reading]:
        passages = [Passage(text=text) for text in texts]
        run = start_run(Inputs(question, passages), options, tools)
        return make_answer(run, Evidence(range(len(run.pool.passages))))

    answers = [""] * len(contexts)
    for index, finished in run_searches(map(search, contexts), tools, max_active=1):
        if finished.error is not None:
            raise finished.error
        assert finished.result is not None
        answers[index] = finished.result.answer.text or ""
    return answers


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
