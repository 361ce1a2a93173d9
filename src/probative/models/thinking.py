"""Tell what a model thought from what it answered."""

from __future__ import annotations

import re

_OPEN = re.compile(r"<think(?:ing)?>", re.IGNORECASE)
_CLOSE = re.compile(r"</think(?:ing)?>", re.IGNORECASE)


def split_thinking(text: str) -> tuple[str, str]:
    """The thinking and the answer.

    Everything up to the last closing tag is thinking (chat templates often put the opening tag into
    the prompt, so that only the closing one is written); so is everything after an opening tag that begins
    the answer and is never closed.

    >>> split_thinking("<think>Hm.</think> Yes."), split_thinking("Hm.</think>Yes.")
    (('Hm.', 'Yes.'), ('Hm.', 'Yes.'))
    >>> split_thinking("<think>on and on"), split_thinking("Yes.")
    (('on and on', ''), ('', 'Yes.'))
    """
    thought = ""
    closings = list(_CLOSE.finditer(text))
    if closings:
        thought, text = text[: closings[-1].start()], text[closings[-1].end() :].lstrip()
    if (opening := _OPEN.match(text.lstrip())) is not None:
        thought, text = thought + text.lstrip()[opening.end() :], ""
    return _OPEN.sub("", thought).strip(), text
