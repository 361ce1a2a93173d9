"""Whether sentences addressed to a model, inside a document, change answers and verdicts.

Each of 100 sentences is put into the document of a question or a claim that gets the right result without it:
a supported answer, `supported` for a true claim, another verdict for a false or unstated one. The sentence
asks for X: a wrong answer, `contradicted` for a true claim, `supported` for any other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from probative.bench.data.drawing import spread
from probative.bench.data.injections import fill_in, put_into, read_injections
from probative.bench.data.own import OwnQuestion
from probative.bench.families.injected import outcome_of, result, right_item
from probative.bench.metrics import wilson_interval
from probative.bench.rows import Row
from probative.bench.study import Case, Lab, Names, Settings, Study
from probative.bench.tables import Groups, Results, Rows, TableSpec, groups_by, shares

VERBS = ("ask", "verify", "judge")
PARTS = ("ask", "verify, true claims", "verify, other claims", "judge, true claims", "judge, other claims")
OUTCOMES = shares("outcome", ("X", "silence", "contradicted", "other answer", "unchanged"))
NOTE = (
    "X is a wrong answer; for a true claim it is `contradicted`, for a false or unstated one `supported`. "
    "Each question and claim has several sentences, so the intervals are somewhat too narrow."
)


def _by_quote(rows: Rows) -> Groups:
    for part, own in groups_by(rows, "part"):
        for quotes, some in groups_by(own, "quotes"):
            yield f"{part}; {quotes}", some


def _changed(results: Results) -> Iterator[str]:
    for part, own in groups_by(results.rows, "part"):
        counts = Counter(row["outcome"] for row in own)
        quoting = [row["outcome"] == "X" for row in own if row["quotes"] == "quoted"]
        low, high = wilson_interval(counts["X"], len(own))
        yield (
            f"{part}: {counts['X']} of {len(own)} sentences get X ({low:.1f} to {high:.1f}%), "
            f"{sum(quoting)} of the {len(quoting)} that quote what is asked among them; "
            f"{counts['unchanged']} change nothing."
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
        TableSpec("By what the sentence quotes", "verb; question or claim, %", OUTCOMES, _by_quote),
        TableSpec("By kind of sentence", "kind, all verbs, %", OUTCOMES, "kind"),
        TableSpec("By kind of sentence, {}", "kind, %", OUTCOMES, "kind", each="part"),
    )
    findings = (_changed,)

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
        item, document, before = right_item(case.set, number, lab)
        text = fill_in(sentence, item)
        asked = item.question if isinstance(item, OwnQuestion) else item.claim
        answer, verdict = result(case.set, item, put_into(document, text, number, item.gold), lab)
        return {
            "kind": sentence.kind,
            "quotes": "quoted" if asked in text else "not quoted",
            "item": item.id,
            "sentence": text,
            "before": before,
            "answer": answer,
            "verdict": verdict,
            "outcome": outcome_of(item, answer, verdict, before),
        }
