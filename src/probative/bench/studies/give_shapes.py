"""Table 6: the knowledge in the prompt as triples or as text."""

from __future__ import annotations

from probative.bench.families.graph_questions import FIFTY_QUESTIONS, StageStudy
from probative.bench.families.graph_tables import accuracy_table, by_set
from probative.bench.published import GIVE

ARMS = {shape: {"shape": shape} for shape in ("triples", "text")}


class GiveShapes(StageStudy):
    """Accuracy of each stage by the form of the knowledge."""

    name = "give-shapes"
    title = "Does a model read knowledge better as triples or as text?"
    paper_reference = "table 6"
    questions = 50
    changes = ARMS
    tables = (accuracy_table("Knowledge as triples or as text", by_set(GIVE.shapes), FIFTY_QUESTIONS),)
