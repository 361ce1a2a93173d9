"""How results are shown: one tree of blocks for each type of result, rendered by one file for each medium.

Results know nothing of their views. `VIEWS` names the function that makes the blocks of a result, by the name
of the result's type; `terminal.show_result` prints them, `html.notebook` and `markdown.markdown` write them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from probative.registry import Registry

if TYPE_CHECKING:
    from probative.views.blocks import Block

VIEWS = Registry(
    "view",
    {
        "Annotation": "probative.views.annotation:annotation_view",
        "Answer": "probative.views.answer:answer_view",
        "Check": "probative.views.check:check_view",
        "CorpusState": "probative.views.index:state_view",
        "EntityLookup": "probative.views.graph:lookup_view",
        "GraphInfo": "probative.views.graph:info_view",
        "Imported": "probative.views.graph:import_view",
        "ImportReport": "probative.views.graph:report_view",
        "IndexSummary": "probative.views.index:index_view",
        "Judgement": "probative.views.judgement:judgement_view",
        "Proof": "probative.views.proof:proof_view",
        "Reasoning": "probative.views.reasoning:reasoning_view",
        "Step": "probative.views.trace:step_view",
        "Surroundings": "probative.views.index:surroundings_view",
        "Usage": "probative.views.trace:usage_view",
        "Verification": "probative.views.verification:verification_view",
    },
)


def blocks_of(value: object, **context: Any) -> Sequence[Block] | None:
    """Return the view of a result, or None if its type has none; `context` is what only the caller knows,
    such as the text in which a proof is marked.
    """
    own = [kind.__name__ for kind in type(value).__mro__ if kind.__module__.startswith("probative.")]
    name = next((name for name in own if name in VIEWS), None)
    return None if name is None else VIEWS.load(name)(value, **context)
