"""Evidence strength: how probable the sentences make the claim (section 3.4, equation 5).

    score(c, S) = Σ_i log P(c_i | c_<i, prompt(S))

The prompt asks what holds according to the text, which grounds the model in it. Each sequence of sentences
is scored once, however often the search needs it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from probative.engine.search import Search, score
from probative.errors import ModelError
from probative.mcse.options import McseOptions
from probative.models.types import Pair, Score
from probative.text.prompts import own_or_raw_prompt

Path = tuple[int, ...]
"""Sentences by index, in the order in which the model reads them: a_0:t in the paper."""


def prompt_text(name: str) -> str:
    """Return the text of a prompt of mcse, the user's own or ours: what follows continues it directly."""
    return own_or_raw_prompt("probative.mcse", name)


def finite(score: Score) -> float:
    """Return the log-probability of a score; raises ModelError if it is not a finite number."""
    if not math.isfinite(score.log_probability):
        raise ModelError(
            f"{score.model} returned a log-probability of {score.log_probability}",
            hint="use another model or another number type (float32)",
        )
    return score.log_probability


class Strength:
    """score(c, ·) for one claim: first `ask`, then read the values by path."""

    def __init__(self, claim: str, sentences: Sequence[str], options: McseOptions) -> None:
        self._claim = claim
        self._sentences = sentences
        self._before, _, self._after = (
            options.prompt or prompt_text("grounding" if options.grounded else "plain")
        ).partition("{evidence}")
        self._values: dict[Path, float] = {}
        self.claim_tokens = 1

    def __getitem__(self, path: Path) -> float:
        return self._values[path]

    def __contains__(self, path: Path) -> bool:
        return path in self._values

    def ask(self, paths: Iterable[Path], step: str = "strength") -> Search[None]:
        """Score these paths in one batch; known values are not asked again."""
        missing = [path for path in dict.fromkeys(paths) if path not in self._values]
        if not missing:
            return
        scores = yield from score([self.pair(path) for path in missing], step=step)
        for path, result in zip(missing, scores, strict=True):
            self._values[path] = finite(result)
        self.claim_tokens = len(scores[0].token_log_probabilities)

    def pair(self, path: Path) -> Pair:
        """Return the prompt with the sentences of `path`, and the claim as its continuation."""
        text = " ".join([self._sentences[index] for index in path])
        prompt = f"{self._before}{text}{self._after}"
        space = "" if prompt.endswith(("\n", " ")) else " "
        return Pair(prompt=prompt, continuation=f"{space}{self._claim}")

    def overhead(self) -> str:
        """Return all the text that the model reads besides the sentences."""
        return f"{self._before}{self._after} {self._claim}"
