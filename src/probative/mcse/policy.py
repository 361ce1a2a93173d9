"""π: how probable each sentence is to come next, as the model sees it.

    log π(a | o) = log P(a | c, evidence so far) / |a|^α

with |a| the sentence's tokens and α the length penalty. `path` reads all the evidence so far; `pair`
only its last sentence, so that n(n-1) probabilities serve every step of the search.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from probative.mcse.options import McseOptions
from probative.mcse.strength import Path, prompt_text, trusted_pair
from probative.models.exchange import Pair, Score
from probative.models.together import Ask, Search


class Policy:
    """log π for one claim: ask first, then read the values."""

    def __init__(self, claim: str, sentences: Sequence[str], options: McseOptions) -> None:
        self._prompt = prompt_text("policy").replace("{claim}", claim)
        self._sentences = sentences
        self._penalty = options.length_penalty
        self._whole = options.policy == "path"
        self._known: dict[tuple[Path, int], float] = {}

    def seen(self, path: Path) -> Path:
        """The part of the evidence that the policy reads."""
        return path if self._whole else path[-1:]

    def __call__(self, path: Path, sentence: int) -> float:
        return self._known[self.seen(path), sentence]

    def ask(self, moves: Iterable[tuple[Path, int]]) -> Search[None]:
        """Have these (evidence so far, next sentence) scored, in one batch."""
        wanted = dict.fromkeys((self.seen(path), sentence) for path, sentence in moves)
        missing = [move for move in wanted if move not in self._known]
        if not missing:
            return
        scores: list[Score] = yield Ask("score", [self.pair(*move) for move in missing], "policy")
        for move, score in zip(missing, scores, strict=True):
            length = len(score.token_log_probabilities)
            self._known[move] = score.log_probability / length**self._penalty

    def pair(self, path: Path, sentence: int) -> Pair:
        """The claim with the evidence that the policy sees, and the next sentence."""
        text = " ".join(self._sentences[number] for number in self.seen(path))
        return trusted_pair(self._prompt.replace("{evidence}", text), f" {self._sentences[sentence]}")
