"""π: how probable each sentence is to come next, as the model sees it.

    log π(a | o) = log P(a | c, evidence so far) / |a|^α

with |a| the sentence's tokens and α the length penalty. `path` reads all the evidence so far; `pair`
only its last sentence, so that n(n-1) probabilities serve every step of the search.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from probative.engine.search import Search, score
from probative.mcse.options import McseOptions
from probative.mcse.strength import Path, finite, prompt_text
from probative.models.types import Pair


class Policy:
    """log π for one claim: ask first, then read the values."""

    def __init__(self, claim: str, sentences: Sequence[str], options: McseOptions) -> None:
        self._before, _, self._after = (
            prompt_text("policy").replace("{claim}", claim).rpartition("{evidence}")
        )
        self._sentences = sentences
        self._penalty = options.length_penalty
        self._whole = options.policy == "path"
        self._known: dict[Path, dict[int, float]] = {}

    def seen(self, path: Path) -> Path:
        """The part of the evidence that the policy reads."""
        return path if self._whole else path[-1:]

    def following(self, path: Path) -> dict[int, float]:
        """Log π of the sentences that may follow this evidence, as far as they were asked for."""
        return self._known[path if self._whole else path[-1:]]

    def ask(self, paths: Iterable[Path], remaining: Sequence[int]) -> Search[None]:
        """Have the remaining sentences scored after each of these, those not known yet, in one batch."""
        moves = []
        for path in dict.fromkeys(map(self.seen, paths)):
            known = self._known.setdefault(path, {})
            moves += [(path, one) for one in remaining if one not in known and one not in path]
        if not moves:
            return
        scores = yield from score([self.pair(*move) for move in moves], step="policy")
        for (path, sentence), result in zip(moves, scores, strict=True):
            length = len(result.token_log_probabilities)
            self._known[path][sentence] = finite(result) / length**self._penalty

    def pair(self, path: Path, sentence: int) -> Pair:
        """The claim with the evidence that the policy sees, and the next sentence."""
        text = " ".join([self._sentences[number] for number in path])
        return Pair(prompt=f"{self._before}{text}{self._after}", continuation=f" {self._sentences[sentence]}")
