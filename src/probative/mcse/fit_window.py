"""Keep every prompt within the model's window.

A claim that leaves no room for evidence is refused. A sentence that is too long is cut. A path of sentences
that would not fit ends the search, and the look-ahead is shortened. A note says so each time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from probative.errors import ContextError
from probative.mcse.context import Context, name_sentences
from probative.mcse.strength import Path
from probative.models.contract import LanguageModel

# Two texts joined may make a few tokens more than each alone.
_MARGIN = 8
# With a limit for sentences, they may still have a sixteenth of the window. Scoring takes more than its share
# for long texts: on two cores the embedded model reads 2,000 tokens in 22 seconds and 4,000 in 77, and a
# sentence that filled its window would keep the search silent for minutes.
_SENTENCE_SHARE = 16
# The same for a server that does not tell its window: four times the limit.
_UNKNOWN_WINDOW = 4
# A token of a cleaned text seldom covers more characters than this. Text beyond that many characters a token
# is dropped before it is tokenized.
_TOKEN_CHARACTERS = 16


class FitWindow:
    """Tells which sequences of sentences the model can read together with the claim.

    `overhead` is the text that every prompt contains besides the sentences. Sentences of more than
    `max_tokens` tokens are cut in `context.sentences`; None cuts only what the window cannot hold.
    """

    def __init__(self, model: LanguageModel, context: Context, overhead: str, max_tokens: int | None) -> None:
        self._window = model.window
        self._notes = context.notes
        self._shortened = False
        self._room = 0
        self._tokens: dict[int, int] = {}
        if self._window is None:
            if max_tokens is not None:
                self._cut_sentences(model, context, _UNKNOWN_WINDOW * max_tokens)
            return
        self._room = self._window - model.count_tokens(overhead) - _MARGIN
        if self._room < _MARGIN:
            raise ContextError(
                f"the claim leaves no room for evidence: {model.name} reads {self._window:,} tokens",
                tokens=model.count_tokens(context.claim),
                window=self._window,
            )
        # One token is for the space between a sentence and the next.
        limit = self._room - 1
        if max_tokens is not None:
            limit = min(limit, max(max_tokens, self._window // _SENTENCE_SHARE))
        self._cut_sentences(model, context, limit)

    def _cut_sentences(self, model: LanguageModel, context: Context, limit: int) -> None:
        """Count the tokens of every candidate, and cut those that have more than `limit`."""
        cut = []
        for index in context.candidates:
            text = context.sentences[index]
            if len(text) <= limit * _TOKEN_CHARACTERS:
                self._tokens[index] = model.count_tokens(text)
                if self._tokens[index] <= limit:
                    continue
            beginning = _beginning(text[: limit * _TOKEN_CHARACTERS], limit, model.count_tokens)
            context.sentences[index] = beginning
            self._tokens[index] = model.count_tokens(beginning)
            cut.append(index)
        if cut:
            context.notes.append(
                f"longer than {limit:,} tokens, so only the beginning was read: {name_sentences(cut)}"
            )

    def fits(self, path: Path) -> bool:
        """Return whether these sentences fit into the window together."""
        return self._window is None or sum(self._tokens[index] + 1 for index in path) <= self._room

    def lookahead(self, path: Path, remaining: Sequence[int], steps: int) -> int:
        """Return how many of the steps the look-ahead can take so that every trajectory still fits."""
        if self._window is None:
            return steps
        longest = sorted(remaining, key=lambda index: -self._tokens[index])
        fitting = next((n for n in range(steps, 0, -1) if self.fits((*path, *longest[: n + 1]))), 0)
        if fitting < steps and not self._shortened:
            self._shortened = True
            self._notes.append(
                "the look-ahead was shortened where its paths would not fit into the model's window"
            )
        return fitting


def _beginning(text: str, tokens: int, count: Callable[[str], int]) -> str:
    """Return the longest beginning of at most `tokens` tokens, cut between words where the text has any."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if count(text[:middle]) <= tokens:
            low = middle
        else:
            high = middle - 1
    beginning = text[:low]
    return beginning.rsplit(" ", 1)[0] if " " in beginning else beginning
