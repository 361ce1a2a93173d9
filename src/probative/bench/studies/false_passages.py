"""How often false passages are noticed.

RGB has true passages for each question, and the same passages with a false answer. With the true ones alone,
"contradicted" is a false alarm; with both it is right, and "true against false" is the share of questions in
which a true and a false passage are named as a conflict. PoisonedRAG has only false passages, which agree
with each other: nothing contradicts them. "fooled" is the share supported by a chain with a false passage.
"""

from __future__ import annotations

from collections.abc import Sequence

from probative.bench.data.files import draw
from probative.bench.families.conflicting import METRICS, noticed, passage_findings, sets_of_passages
from probative.bench.rows import Row
from probative.bench.study import Case, Lab, Names, Settings, Study
from probative.bench.tables import TableSpec, bars

# Questions of each set of passages, unless --limit says otherwise.
QUESTIONS = 100
METHODS = ("ask", "words")
TITLES = {"ask": "ask as it comes for the studied model", "words": "Passages chosen by words"}


class FalsePassages(Study):
    """Asks each question with true, true and false, or only false passages."""

    name = "false-passages"
    title = "Are false passages noticed?"
    paper_reference = "results, false passages"
    limit_of = "questions of each set, each of which is a case with every method"
    data = ("rgb", "poisonedrag")
    arms = Names("methods", METHODS, METHODS)
    set_field = "passages"
    calls_per_case = 4.0
    tables = (TableSpec("{}", "passages", METRICS, "passages", each="method", names=TITLES),)
    plots = (bars("Fooled by false passages", "fooled"),)
    findings = (passage_findings,)

    def cases(self, settings: Settings) -> Sequence[Case]:
        """Return `limit` questions of each set of passages (100 without a limit) for each method."""
        self.check_options(settings)
        return [
            Case(f"{method}/{passages}/{number}", case, passages, method)
            for method in self.arms.chosen(settings)
            for passages, cases in sets_of_passages(settings.data).items()
            for number, case in draw(list(enumerate(cases)), settings.limit or QUESTIONS, settings.seed)
        ]

    def answer(self, case: Case, lab: Lab) -> Row:
        arguments = {"preset": "words"} if case.arm == "words" else {}
        if arguments and lab.model.reader:
            arguments["answering"] = "read"  # the tuned reader was trained to read, not to pick
        return noticed(lab.session, case.content, arguments)
