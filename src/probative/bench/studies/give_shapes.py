"""Table 6: the knowledge in the prompt as triples or as text."""

from __future__ import annotations

from probative.bench.families.graph_tables import StageStudy
from probative.bench.published import GIVE

ARMS = {"triples": {"shape": "triples"}, "text": {"shape": "text"}}


class GiveShapes(StageStudy):
    """Accuracy of each stage by the form of the knowledge."""

    name = "give-shapes"
    title = "Does a model read knowledge better as triples or as text?"
    paper_reference = "table 6"
    questions = 50
    changes = ARMS
    table_title = "Knowledge as triples or as text"
    published = GIVE.shapes
