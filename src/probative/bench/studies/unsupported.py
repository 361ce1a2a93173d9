"""The evidence policy on WiCE, which it was never trained on: evidence, and claims that nothing supports.

For each claim as many sentences are chosen as are gold (one where none are). The second table has the AUROC
of claims that WiCE calls not supported against all others, by the policy's probability before the first
sentence that nothing carries the claim, and by that and the words of the chosen sentences together.
"""

from __future__ import annotations

from probative.bench.data.claims import Example, read_claims
from probative.bench.data.files import draw
from probative.bench.families.evidence import evidence_metrics
from probative.bench.families.told_claims import DOUBT_METRICS, by_doubt, doubts_of, told_findings
from probative.bench.rows import Row
from probative.bench.study import Case, Lab, Settings, Study
from probative.bench.tables import TableSpec


class Unsupported(Study):
    """Proves each claim of WiCE with the evidence policy alone; no language model is asked."""

    name = "unsupported"
    title = "Does the evidence policy notice claims that nothing supports?"
    paper_reference = "results, claims that nothing supports"
    limit_of = "claims"
    data = ("wice",)
    options = ()
    verbs = frozenset({"weigh"})
    calls_per_case = 0.0
    tables = (
        TableSpec(
            "Evidence on WiCE, as many sentences as gold",
            "method",
            {name: evidence_metrics("gold")[name] for name in ("F1", "all gold", "tokens")},
            lambda rows: [("learned", [row for row in rows if row["gold"]])],
        ),
        TableSpec("Claims that are not supported, against all others", "by", DOUBT_METRICS, by_doubt),
    )
    findings = (told_findings,)

    def items(self, settings: Settings, name: str) -> list[Example]:
        return draw(read_claims(settings.data, "wice"), settings.limit, settings.seed)

    def answer(self, case: Case, lab: Lab) -> Row:
        claim: Example = case.content
        k = claim.gold_size if claim.gold else 1
        proof = lab.session.prove(claim.claim, claim.sentences, k=k, method="learned", verdict=False)
        return {
            "label": claim.label,
            "gold": [sorted(gold) for gold in claim.gold],
            "indexes": list(proof.indexes),
            "tokens": proof.usage.tokens,
            **doubts_of(claim, proof),
        }
