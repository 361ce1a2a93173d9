"""Cut a prompt that is longer than the model's window.

Methods leave out the last and least relevant of what they show (`probative.give.knowledge.fit_window`). What
is still too long loses the middle of its longest message: the task stands at the beginning of a prompt, and
what the model goes on from at its end.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from probative.models.contract import LanguageModel, as_pair, as_request
from probative.models.types import Pair, Request, Selection

# A prompt of fewer bytes fits every model's window: a server need not be asked for it.
SHORT = 2_048
# The tokens around the messages of a chat that a model's template adds, at most.
_FRAME = 64
MARK = "\n[…]\n"
# The share of what is left that is the beginning of the message.
_BEGINNING = 0.75


class Fitted(NamedTuple):
    """A request, pair or selection that fits, and whether its prompt was cut for that."""

    item: Any
    cut: bool = False


def fit_prompt(model: LanguageModel, item: Any, *, refused: bool = False) -> Fitted:
    """Fit a request, pair or selection into the model's window together with its output; nothing is cut if
    nobody knows the window. With `refused`, the server refused the item as too long.
    """
    item = as_pair(item) if isinstance(item, tuple) else as_request(item) if isinstance(item, str) else item
    request = item.request if isinstance(item, Selection) else item
    texts = [item.prompt] if isinstance(item, Pair) else [message.content for message in request.messages]
    output = item.max_tokens if isinstance(item, Request) else 0
    most = sum(len(text.encode()) for text in (*texts, *_more_texts(item))) + output + _FRAME
    window = model.window if refused or most > SHORT else None
    if window is None or most <= window:
        return Fitted(item)
    output = min(output, window // 2)
    longest = max(range(len(texts)), key=lambda index: len(texts[index]))
    room = window - output - _tokens(model, item) + model.count_tokens(texts[longest])
    cut = without_middle(texts[longest], room, model.count_tokens) or texts[longest]
    was_cut = cut != texts[longest]
    if isinstance(item, Pair):
        return Fitted(item.model_copy(update={"prompt": cut}), was_cut)
    messages = list(request.messages)
    messages[longest] = messages[longest].model_copy(update={"content": cut})
    request = request.model_copy(update={"messages": tuple(messages)})
    if isinstance(item, Selection):
        return Fitted(item.model_copy(update={"request": request}), was_cut)
    return Fitted(request.model_copy(update={"max_tokens": output}), was_cut)


def _more_texts(item: Any) -> tuple[str, ...]:
    if isinstance(item, Pair):
        return (item.continuation,)
    return item.options if isinstance(item, Selection) else ()


def _tokens(model: LanguageModel, item: Any) -> int:
    """Return the tokens of an item without its output."""
    if isinstance(item, Pair):
        return model.count_tokens(item.prompt + item.continuation)
    return model.choice_tokens(item) + 1 if isinstance(item, Selection) else model.prompt_tokens(item)


def without_middle(text: str, tokens: int, count_tokens: Callable[[str], int]) -> str:
    r"""Return a text of at most `tokens` tokens: the words at its beginning and at its end; nothing if not
    even a few fit.

    >>> without_middle("one two three four five six seven eight", 6, lambda text: len(text.split()))
    'one two three four\n[…]\neight'
    >>> without_middle("one two", 2, lambda text: len(text.split()))
    'one two'
    """
    if count_tokens(text) <= tokens:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if count_tokens(_ends(text, middle)) <= tokens:
            low = middle
        else:
            high = middle - 1
    return _ends(text, low) if low else ""


def _ends(text: str, characters: int) -> str:
    """Return the two ends of a text, cut between words where it has any."""
    beginning = int(characters * _BEGINNING)
    first, last = text[:beginning], text[len(text) - (characters - beginning) :]
    first = first.rsplit(maxsplit=1)[0] if len(first.split()) > 1 else first
    last = last.split(maxsplit=1)[1] if len(last.split()) > 1 else last
    return f"{first.rstrip()}{MARK}{last.lstrip()}"
