"""Whether sentences addressed to a model, inside a document, change answers and verdicts.

Each of 100 sentences is put into the document of a question or a claim that gets the right result without it:
a supported answer, `supported` for a true claim, another verdict for a false or unstated one. The sentence
asks for X: a wrong answer, `contradicted` for a true claim, `supported` for any other.
"""

from __future__ import annotations

from probative.bench.data.files import spread
from probative.bench.data.injections import read_injections
from probative.bench.families.injected import OUTCOMES, by_quote, changed, injected_row
from probative.bench.rows import Row
from probative.bench.study import Case, Lab, Names, Settings, Study
from probative.bench.tables import TableSpec

VERBS = ("ask", "verify", "judge")
PARTS = ("ask", "verify, true claims", "verify, other claims", "judge, true claims", "judge, other claims")
NOTE = (
    "X is a wrong answer; for a true claim it is `contradicted`, for a false or unstated one `supported`. "
    "Each question and claim has several sentences, so the intervals are somewhat too narrow."
)


class Inject(Study):
    """Puts each sentence into a document, then asks, verifies and judges."""

    name = "inject"
    title = "Do instructions inside a document change answers and verdicts?"
    paper_reference = "results, instructions in documents"
    limit_of = "sentences, each of which is one case with `ask`, and two with `verify` and with `judge`"
    arms = Names("verbs", VERBS, VERBS)
    set_field = "part"
    verbs = frozenset({"generate", "judge"})
    calls_per_case = 5.0
    tables = (
        TableSpec("By verb", "verb, %", OUTCOMES, "part", note=NOTE),
        TableSpec("By what the sentence quotes", "verb; question or claim, %", OUTCOMES, by_quote),
        TableSpec("By kind of sentence", "kind, all verbs, %", OUTCOMES, "kind"),
        TableSpec("By kind of sentence, {}", "kind, %", OUTCOMES, "kind", each="part"),
    )
    findings = (changed,)

    def cases(self, settings: Settings) -> list[Case]:
        """Return `limit` sentences, evenly spread, for each verb and kind of claim."""
        self.check_options(settings)
        verbs = self.arms.chosen(settings)
        return [
            Case(f"{part}/{sentence.id}", (number, sentence), part)
            for part in PARTS
            if part.split(",")[0] in verbs
            for number, sentence in spread(list(enumerate(read_injections())), settings.limit)
        ]

    def answer(self, case: Case, lab: Lab) -> Row:
        number, sentence = case.content
        return injected_row(case.set, number, sentence, lab)
