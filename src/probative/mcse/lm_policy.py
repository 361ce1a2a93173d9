"""π: how probable each sentence is to be the next action, by the language model (section 3.2).

    log π(a | o) = log P(a | c, E) / |a|^α

|a| is the number of the sentence's tokens and α the length penalty, which the paper mentions without a
value. With policy `path` the model reads all the evidence E so far. With `pair` it reads only the last
sentence, so that n(n-1) probabilities serve every step of the search.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from probative.engine.search import Search, score
from probative.mcse.options import McseOptions
from probative.mcse.strength import Path, finite, prompt_text
from probative.models.types import Pair


class LmPolicy:
    """log π for one claim: first `ask`, then read the values with `following`."""

    def __init__(self, claim: str, sentences: Sequence[str], options: McseOptions) -> None:
        self._before, _, self._after = (
            prompt_text("policy").replace("{claim}", claim).rpartition("{evidence}")
        )
        self._sentences = sentences
        self._length_penalty = options.length_penalty
        self._reads_path = options.policy == "path"
        self._values: dict[Path, dict[int, float]] = {}

    def visible(self, path: Path) -> Path:
        """Return the part of the evidence that the policy reads."""
        return path if self._reads_path else path[-1:]

    def following(self, path: Path) -> dict[int, float]:
        """Return log π of the sentences that may follow `path`, as far as they were asked for."""
        return self._values[self.visible(path)]

    def ask(self, paths: Iterable[Path], remaining: Sequence[int]) -> Search[None]:
        """Score the remaining sentences after each path, in one batch; known values are not asked again."""
        moves = []
        for path in dict.fromkeys(map(self.visible, paths)):
            values = self._values.setdefault(path, {})
            moves += [(path, index) for index in remaining if index not in values and index not in path]
        if not moves:
            return
        scores = yield from score([self.pair(*move) for move in moves], step="policy")
        for (path, index), result in zip(moves, scores, strict=True):
            tokens = len(result.token_log_probabilities)
            self._values[path][index] = finite(result) / tokens**self._length_penalty

    def pair(self, path: Path, index: int) -> Pair:
        """Return the prompt with the claim and the evidence, and the next sentence as its continuation."""
        text = " ".join([self._sentences[chosen] for chosen in path])
        return Pair(prompt=f"{self._before}{text}{self._after}", continuation=f" {self._sentences[index]}")
