"""How results are shown: one tree of blocks for each type of result, rendered by one file for each medium.

Results know nothing of their views. The view of a type is found by its name: `Answer` has `answer_view` in
`views/answer.py`. A result that has none is shown by its fields. `terminal.show_result` prints the blocks,
`html.notebook` and `markdown.markdown` write them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from probative.views.blocks import Block

View = Callable[..., "Sequence[Block]"]

# The files with the views of several types: of calibrating, and the summaries of a graph, an index and a run.
SHARED_FILES = {
    "corpus_state": "index",
    "index_summary": "index",
    "self_test": "calibration",
    "surroundings": "index",
    "entity_lookup": "graph",
    "graph_info": "graph",
    "imported": "graph",
    "import_report": "graph",
    "step": "trace",
    "usage": "trace",
}


_ADDED: dict[type, View] = {}


def add_view(kind: type, view: View) -> None:
    """Show results of a type of another package, such as a verb that it adds, with this view."""
    _ADDED[kind] = view
    view_of.cache_clear()


def blocks_of(value: object, **context: Any) -> Sequence[Block] | None:
    """Return the view of a result, or None for a value that is neither a result nor has a view. `context` is
    what only the caller knows, such as the text in which a proof is marked.
    """
    view = next(filter(None, map(view_of, type(value).__mro__)), None)
    if view is not None:
        return view(value, **context)
    if not hasattr(value, "usage"):
        return None
    from probative.views.blocks import fields

    return fields(value)


@cache
def view_of(kind: type) -> View | None:
    """Return the function that makes the blocks of a type; None if the type has no view.

    >>> from probative.types import Sentence
    >>> from probative.types import Usage
    >>> view_of(Usage).__name__, view_of(Sentence)
    ('usage_view', None)
    """
    if kind in _ADDED or not kind.__module__.startswith("probative."):
        return _ADDED.get(kind)
    name = re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()
    module = f"{__name__}.{SHARED_FILES.get(name, name)}"
    if find_spec(module) is None:
        return None
    view: View | None = getattr(import_module(module), f"{name}_view", None)
    return view
