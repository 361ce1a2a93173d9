"""Which of several answers is nearest to the best one: by a judge model, or by the words they share."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence

from probative.bench.experiment import Lab
from probative.bench.metrics import answer_f1
from probative.give.numbered import numbered_list, numbered_replies
from probative.models.types import Request
from probative.text.prompts import fenced, fill, read_prompt
from probative.types import Value

TOKENS_PER_SCORE = 10
MAX_SCORE = 10.0
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


class Contest(Value):
    """The share of the win of each method (they add up to 1, or to 0 if the contest is undecided), whether a
    judge model decided, and its reply.
    """

    shares: dict[str, float]
    judged: bool
    raw: str = ""

    @property
    def decided(self) -> bool:
        """Whether a method won."""
        return any(self.shares.values())


def hold_contest(
    lab: Lab, question: str, best: str, answers: Mapping[str, str | None], draws: random.Random
) -> Contest:
    """Score every answer by how much it means the same as the best one; the highest score wins, and methods
    with equal scores share the win.

    The judge sees equal answers once, in random order, without the names of the methods; no answer scores 0.
    A reply without a score for each answer leaves the contest undecided. Without a judge model the score is
    F1 over words.
    """
    texts = sorted({answer for answer in answers.values() if answer})
    draws.shuffle(texts)
    if lab.judge_model is None:
        by_text = {text: answer_f1(text, best) for text in texts}
        return Contest(shares=shares(answers, by_text), judged=False)
    if not texts:
        return Contest(shares=shares(answers, {}), judged=True)
    prompt = fill(
        read_prompt("probative.bench", "score_answers"),
        question=fenced(question),
        gold=fenced(best),
        answers=numbered_list([fenced(text) for text in texts]),
    )
    request = Request.user(prompt, max_tokens=16 + TOKENS_PER_SCORE * len(texts))
    (reply,) = lab.judge_model.generate([request])
    scores = read_scores(reply.text, len(texts))
    by_text = {} if scores is None else dict(zip(texts, scores, strict=True))
    return Contest(shares=shares(answers, by_text), judged=True, raw=reply.text)


def read_scores(text: str, n: int) -> list[float] | None:
    r"""Return the scores of n numbered answers, or None if one of them has no score between 0 and 10.

    >>> read_scores("1. 7\n2. 10", 2), read_scores("1. 7", 2), read_scores("The second is best.", 2)
    ([7.0, 10.0], None, None)
    """
    replies = numbered_replies(text, n) or ({1: text} if n == 1 else {})
    found = [_NUMBER.search(replies.get(number, "")) for number in range(1, n + 1)]
    scores = [float(match[0]) for match in found if match is not None]
    return scores if len(scores) == n and max(scores) <= MAX_SCORE else None


def shares(answers: Mapping[str, str | None], scores: Mapping[str, float]) -> dict[str, float]:
    """Return the share of the win of each method; nobody wins if no answer scores above 0.

    >>> shares({"RAG": "tar", "ToG": "salt", "CoT": "tar"}, {"tar": 8.0, "salt": 3.0})
    {'RAG': 0.5, 'ToG': 0.0, 'CoT': 0.5}
    """
    reached = {name: scores.get(answer, 0.0) if answer else 0.0 for name, answer in answers.items()}
    highest = max(reached.values(), default=0.0)
    winners: Sequence[str] = [name for name, score in reached.items() if score == highest > 0]
    return {name: 1 / len(winners) if name in winners else 0.0 for name in answers}
