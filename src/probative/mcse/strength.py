"""How strongly sentences make the model say the claim (equation 5).

    score(c, S) = Σ_i log P(c_i | c_<i, prompt(S))

The prompt grounds the model in the text: it is asked what holds according to it. Each sequence of
sentences is scored once, however often the search needs it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from importlib.resources import files

from probative.engine.search import Search, score
from probative.errors import ModelError
from probative.mcse.options import McseOptions
from probative.models.types import Pair, Score

Path = tuple[int, ...]
"""Sentences by their numbers, in the order in which the model reads them."""


def prompt_text(name: str) -> str:
    """One of the prompts beside this file."""
    return (files("probative.mcse") / "prompts" / f"{name}.txt").read_text(encoding="utf-8")


def finite(score: Score) -> float:
    """The log-probability of a score, which a search can only use if it is a number."""
    if not math.isfinite(score.log_probability):
        raise ModelError(
            f"{score.model} gave a log-probability of {score.log_probability}",
            hint="use another model, or another number type (float32)",
        )
    return score.log_probability


class Strength:
    """score(c, ·) for one claim: ask first, then read the values."""

    def __init__(self, claim: str, sentences: Sequence[str], options: McseOptions) -> None:
        self._claim = claim
        self._sentences = sentences
        self._before, _, self._after = (
            options.prompt or prompt_text("grounding" if options.grounded else "plain")
        ).partition("{evidence}")
        self._known: dict[Path, float] = {}
        self.claim_tokens = 1

    def __getitem__(self, path: Path) -> float:
        return self._known[path]

    def __contains__(self, path: Path) -> bool:
        return path in self._known

    def ask(self, paths: Iterable[Path], step: str = "strength") -> Search[None]:
        """Have these sequences scored, those not known yet, in one batch."""
        missing = [path for path in dict.fromkeys(paths) if path not in self._known]
        if not missing:
            return
        scores = yield from score([self.pair(path) for path in missing], step=step)
        for path, result in zip(missing, scores, strict=True):
            self._known[path] = finite(result)
        self.claim_tokens = len(scores[0].token_log_probabilities)

    def pair(self, path: Path) -> Pair:
        """The prompt for a sequence of sentences, and the claim."""
        text = " ".join([self._sentences[number] for number in path])
        prompt = f"{self._before}{text}{self._after}"
        between = "" if prompt.endswith(("\n", " ")) else " "
        return Pair(prompt=prompt, continuation=f"{between}{self._claim}")

    def overhead(self) -> str:
        """All that the model reads besides the sentences."""
        return f"{self._before}{self._after} {self._claim}"
