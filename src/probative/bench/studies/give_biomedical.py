"""Table 3: give against five baselines on biomedical questions, with a graph of 135 entities."""

from __future__ import annotations

from collections.abc import Sequence

from probative.bench.families.graph_questions import BIOMEDICAL, METHOD_NAMES, MethodStudy
from probative.bench.families.graph_tables import accuracy_table, by_set
from probative.bench.published import GIVE
from probative.bench.study import Settings
from probative.bench.tables import TableSpec
from probative.errors import InputError


class GiveBiomedical(MethodStudy):
    """Accuracy of each method on each set. The option "beside" names the model whose published figures stand
    beside ours.
    """

    name = "give-biomedical"
    options = ("beside",)
    title = "Does give answer biomedical questions better than the baselines, from a graph of 135 entities?"
    paper_reference = "table 3"
    data = (*BIOMEDICAL, "umls")
    sets = BIOMEDICAL
    methods = tuple(METHOD_NAMES)

    def tables_of(self, settings: Settings) -> Sequence[TableSpec]:
        model = str(settings.option("beside", "GPT3.5-turbo"))
        if model not in GIVE.biomedical:
            raise InputError(
                f"the paper has no figures of {model!r} in table 3",
                hint=f"use one of {', '.join(GIVE.biomedical)}",
            )
        note = f"Published: {model}, all questions of the sets."
        return [accuracy_table("Biomedical questions with UMLS", by_set(GIVE.biomedical[model]), note)]
