"""An annotation: the sentences that a model named for a claim."""

from __future__ import annotations

from collections.abc import Sequence

from probative.mcse.annotation import Annotation
from probative.text.labels import passage_label
from probative.views.blocks import Block, Notes, Span, cost, line, page, strong


def annotation_view(annotation: Annotation) -> Sequence[Block]:
    """Return the named sentences with their numbers, in the order of the text."""
    return [
        page(line(strong(annotation.claim))),
        *(line(strong(passage_label(each.index)), " ", Span(each.text)) for each in annotation.evidence),
        Notes(annotation.notes),
        cost(annotation),
    ]
