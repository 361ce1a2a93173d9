"""What does not fit into the model's window: a claim is refused, a sentence is cut, and both are said."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from probative.errors import ContextError
from probative.mcse.context import Context
from probative.models.contract import LanguageModel

# Two texts side by side may make a few tokens more than each alone.
_MARGIN = 8


class Fitting:
    """Says which sequences of sentences the model can read together with the claim."""

    def __init__(self, model: LanguageModel, context: Context, overhead: str) -> None:
        self._window = model.window
        self._lengths: dict[int, int] = {}
        self._room = 0
        self._notes = context.notes
        self._shortened = False
        if self._window is None:
            return
        self._room = self._window - model.count_tokens(overhead) - _MARGIN
        if self._room < _MARGIN:
            raise ContextError(
                f"the claim leaves no room for evidence: {model.name} reads {self._window:,} tokens",
                tokens=model.count_tokens(context.claim),
                window=self._window,
            )
        cut = []
        for number in context.candidates:
            text = context.sentences[number]
            self._lengths[number] = model.count_tokens(text)
            if self._lengths[number] >= self._room:  # one more for what parts it from its neighbour
                context.sentences[number] = _beginning(text, self._room - 1, model.count_tokens)
                self._lengths[number] = model.count_tokens(context.sentences[number])
                cut.append(number)
        if cut:
            shown = ", ".join(str(number) for number in cut)
            context.notes.append(
                f"longer than the model's window of {self._window:,} tokens, so only the beginning was read: "
                f"sentence{'s' if len(cut) > 1 else ''} {shown}"
            )

    def fits(self, path: tuple[int, ...]) -> bool:
        """Whether these sentences fit into the window together."""
        return self._window is None or sum(self._lengths[number] + 1 for number in path) <= self._room

    def steps(self, path: tuple[int, ...], remaining: Sequence[int], most: int) -> int:
        """How many steps can be looked ahead so that every path still fits."""
        if self._window is None:
            return most
        longest = sorted(remaining, key=lambda number: -self._lengths[number])
        fitting = next((n for n in range(most, 0, -1) if self.fits((*path, *longest[: n + 1]))), 0)
        if fitting < most and not self._shortened:
            self._shortened = True
            self._notes.append(
                "the look-ahead was shortened where its paths would not fit into the model's window"
            )
        return fitting


def _beginning(text: str, tokens: int, count: Callable[[str], int]) -> str:
    """The longest beginning, cut between words where there are any, of at most so many tokens."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if count(text[:middle]) <= tokens:
            low = middle
        else:
            high = middle - 1
    cut = text[:low]
    return cut.rsplit(" ", 1)[0] if " " in cut else cut
