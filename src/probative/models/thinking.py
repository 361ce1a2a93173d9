"""Separate a model's thinking from its answer."""

from __future__ import annotations

import re

_OPEN = re.compile(r"<think(?:ing)?>", re.IGNORECASE)
_CLOSE = re.compile(r"</think(?:ing)?>", re.IGNORECASE)


def split_thinking(text: str) -> tuple[str, str]:
    """Return the thinking and the answer.

    Everything before the last closing tag is thinking: chat templates often put the opening tag into the
    prompt, so the model writes only the closing one. Everything after an opening tag that starts the answer
    and is never closed is thinking, too.

    >>> split_thinking("<think>Hm.</think> Yes."), split_thinking("Hm.</think>Yes.")
    (('Hm.', 'Yes.'), ('Hm.', 'Yes.'))
    >>> split_thinking("<think>on and on"), split_thinking("Yes.")
    (('on and on', ''), ('', 'Yes.'))
    """
    thinking = ""
    closings = list(_CLOSE.finditer(text))
    if closings:
        thinking, text = text[: closings[-1].start()], text[closings[-1].end() :].lstrip()
    if (opening := _OPEN.match(text.lstrip())) is not None:
        thinking, text = thinking + text.lstrip()[opening.end() :], ""
    return _OPEN.sub("", thinking).strip(), text
