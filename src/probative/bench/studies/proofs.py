"""How well the verdict of `prove` tells supported claims from others, over whole documents."""

from __future__ import annotations

from probative.bench.data.claims import Example, read_claims
from probative.bench.data.files import draw
from probative.bench.data.splits import REPORTED_CLAIMS
from probative.bench.families.told_claims import PAIR_METRICS, by_pair
from probative.bench.findings import sentences
from probative.bench.rows import Row
from probative.bench.study import Case, Lab, Names, Settings, Study
from probative.bench.tables import TableSpec, column_points, line_names, plot

SETS = ("wice", "fever", "hover")
# Claims of each set, unless --limit says otherwise.
CLAIMS = 200


class Proofs(Study):
    """AUROC of the probability of supported, and how often evidence is said to contradict.

    The option "method" names another way to find the evidence, for example bm25. Of FEVER only the first 200
    claims are used: the others come from documents that models were trained on.
    """

    name = "proofs"
    title = "Does the verdict of prove tell supported claims from others?"
    paper_reference = "results, verdicts of prove"
    limit_of = "claims of each set"
    data = SETS
    sets = Names.fixed(SETS)
    options = ("method",)
    verbs = frozenset({"score", "judge"})
    calls_per_case = 30.0
    tables = (TableSpec("Supported claims told from others", "set and labels", PAIR_METRICS, by_pair),)
    plots = (
        plot(
            "AUROC of the probability of supported",
            "bars",
            "set and labels",
            "AUROC",
            lambda results: {str(results.options.get("method", "mcse")): column_points(results, "AUROC")},
            line_names,
        ),
    )
    findings = (sentences("{line}: {0:auroc}.", "AUROC"),)

    def items(self, settings: Settings, name: str) -> list[Example]:
        """Return the claims of a set that no option was chosen on."""
        first = REPORTED_CLAIMS if name == "fever" else max(settings.limit or 0, CLAIMS)
        reported = [claim for claim in read_claims(settings.data, name) if not claim.tuning][:first]
        return draw(reported, settings.limit or CLAIMS, settings.seed)

    def answer(self, case: Case, lab: Lab) -> Row:
        claim: Example = case.content
        method = lab.settings.option("method", "mcse")
        proof = lab.session.prove(claim.claim, list(claim.sentences), 3, method=method, verdict=True)
        return {
            "label": claim.label,
            "verdict": str(getattr(proof.verdict, "value", proof.verdict)),
            "supported": 0.0 if proof.probabilities is None else proof.probabilities.supported,
        }
