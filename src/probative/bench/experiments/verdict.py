"""Measure how well the verdict separates supported claims from others: AUROC, on held-out claims.

    python -m probative.bench.experiments.verdict --data DIR [--method bm25] [--claims 300]

WiCE: supported against not supported, and against all others. FEVER: supported against refuted, and how
often the evidence is said to contradict. HoVer: supported against not. `--tuning` takes the claims that
options were chosen on. Of FEVER only the first 200 claims are used unless the method has learned nothing
(bm25, rouge, embedding): the others come from documents that the policy and the reader were trained on.
"""

from __future__ import annotations

import probative
from probative.bench.arguments import data_folder, experiment_parser
from probative.bench.data.evidence import Example, read_claims
from probative.bench.metrics import auroc
from probative.bench.rows import print_cells, print_header
from probative.bench.splits import REPORTED_CLAIMS

PAIRS = (
    ("wice", "supported", ("not_supported",)),
    ("wice", "supported", ("not_supported", "partially_supported")),
    ("fever", "SUPPORTS", ("REFUTES",)),
    ("hover", "SUPPORTED", ("NOT_SUPPORTED",)),
)
UNTRAINED = ("bm25", "rouge", "embedding")
COLUMNS = ("data", "separated", "claims", "AUROC", "said to be contradicted")


def judge(claims: list[Example], method: str, model: str | None) -> dict[str, list[probative.Proof]]:
    """Return the proofs of the claims by their label."""
    cases = [probative.ProveCase(claim=claim.claim, sentences=claim.sentences) for claim in claims]
    proofs: dict[str, list[probative.Proof]] = {}
    for index, proof in probative.prove_all(cases, 3, model=model, method=method, verdict=True):
        if isinstance(proof, probative.ProbativeError):
            raise proof
        proofs.setdefault(claims[index].label, []).append(proof)
    return proofs


def _supported(proof: probative.Proof) -> float:
    return proof.probabilities.supported if proof.probabilities is not None else 0.0


def main() -> None:
    """Print the table."""
    parser = experiment_parser(__doc__, recorded=False)
    parser.add_argument("--method", default="mcse")
    parser.add_argument("--model", default=None)
    parser.add_argument("--claims", type=int, default=300)
    parser.add_argument("--tuning", action="store_true")
    arguments = parser.parse_args()
    data = data_folder(parser, arguments)
    print_header(COLUMNS)
    proofs: dict[str, dict[str, list[probative.Proof]]] = {}
    for name, label, others in PAIRS:
        if name not in proofs:
            n = arguments.claims
            if name == "fever" and not arguments.tuning and arguments.method not in UNTRAINED:
                n = min(n, REPORTED_CLAIMS)
            claims = [claim for claim in read_claims(data, name) if claim.tuning == arguments.tuning][:n]
            proofs[name] = judge(claims, arguments.method, arguments.model)
        positive = proofs[name].get(label, [])
        negative = [proof for other in others for proof in proofs[name].get(other, [])]
        if not positive or not negative:
            continue
        groups = (positive, negative)
        value = auroc(*([_supported(proof) for proof in group] for group in groups))
        contradicted = [
            100 * sum(proof.verdict == "contradicted" for proof in group) / len(group) for group in groups
        ]
        print_cells(
            [
                name,
                f"{label} from {', '.join(others)}",
                f"{len(positive)} + {len(negative)}",
                f"{value:.3f}",
                f"{contradicted[0]:.0f}% + {contradicted[1]:.0f}%",
            ]
        )


if __name__ == "__main__":
    main()
