"""The probability that the answer to a question has to be computed: a difference, a sum, a share, an age, or
whether one value is larger than another.

A number that a reader takes from a sentence, or a yes that it reads there, does not answer such a question,
however surely the sentence seems to state it: from `limit` on it is refused, and below it the probability is
a signal of the certainty. A logistic model over runs of one to three words, learned from questions alone
(`python -m training.certainty.computation`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from probative.text import english
from probative.types import Value

_TOKEN = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?|\d[\d.,]*|[^\w\s]")
_BEGIN, _NUMBER, _NAME = "^", "#", "@"
MAX_RUN = 3
"""The most words of a run."""


class ComputationModel(Value):
    """The weight of each run of words, and the probability from which on an answer has to be computed: a
    difference, a sum, a share, an age, or whether one value is larger than another.

    `rows` says what it was learned from.
    """

    weights: dict[str, float]
    bias: float
    limit: float
    rows: str

    def probability(self, question: str) -> float:
        """Return the probability that the answer to a question has to be computed."""
        logit = self.bias + math.fsum(self.weights.get(run, 0.0) for run in set(runs_of(question)))
        return 1.0 / (1.0 + math.exp(-logit))


def runs_of(question: str) -> Iterator[str]:
    """Yield the runs of a question's words; numbers and names are all alike.

    >>> list(runs_of("How old is Ada Berg?"))[:5]
    ['^', '^ how', '^ how old', 'how', 'how old']
    >>> list(runs_of("How old is Ada Berg?"))[-3:]
    ['@', '@ ?', '?']
    """
    tokens = [_BEGIN]
    for token in _TOKEN.findall(question):
        is_name = len(tokens) > 1 and token[0].isupper()
        word = _NUMBER if token[0].isdigit() else _NAME if is_name else token.lower()
        if word not in (_NUMBER, _NAME) or word != tokens[-1]:
            tokens.append(word)
    for start in range(len(tokens)):
        for end in range(start + 1, min(start + MAX_RUN, len(tokens)) + 1):
            yield " ".join(tokens[start:end])


@cache
def computation_model() -> ComputationModel:
    """Return the model that ships with the package."""
    text = (files("probative.scope") / "asks_computation.json").read_text(encoding="utf-8")
    return ComputationModel.model_validate_json(text)


def uncomputed(question: str, answer: str) -> float:
    """Return the probability that a number, a date, yes or no that was read had to be computed instead; 0 for
    any other answer.

    >>> uncomputed("How many years after the mill was the bridge built?", "1871") > 0.5
    True
    >>> uncomputed("Who built the bridge?", "Ada Lund"), uncomputed("Who built the bridge?", "two men") < 0.1
    (0.0, True)
    """
    is_value = is_polar(answer) or any(map(str.isdigit, answer)) or bool(english.quantities_in(answer))
    return computation_model().probability(question) if is_value else 0.0


def is_polar(answer: str) -> bool:
    """Return whether an answer is yes or no."""
    return answer.strip().lower() in ("yes", "no")
