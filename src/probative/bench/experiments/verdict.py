"""How well the verdict tells supported claims from others: AUROC, on claims it was not fitted to.

    python -m probative.bench.experiments.verdict --data DIR [--method bm25] [--claims 300]

WiCE: supported against not supported, and against all others. FEVER: supported against refuted, and how
often the evidence is said to contradict. HoVer: supported against not. `--tuning` takes the claims that
the curve was fitted to instead.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

import probative
from probative.bench.data.evidence import read_claims

PAIRS = (
    ("wice", "supported", ("not_supported",)),
    ("wice", "supported", ("not_supported", "partially_supported")),
    ("fever", "SUPPORTS", ("REFUTES",)),
    ("hover", "SUPPORTED", ("NOT_SUPPORTED",)),
)


def auroc(positive: Sequence[float], negative: Sequence[float]) -> float:
    """How often a positive one is above a negative one; equals count half."""
    above = sum((p > n) + 0.5 * (p == n) for p in positive for n in negative)
    return above / (len(positive) * len(negative))


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=os.environ.get("PROBATIVE_DATA"))
    parser.add_argument("--method", default="mcse")
    parser.add_argument("--model", default=None)
    parser.add_argument("--claims", type=int, default=300)
    parser.add_argument("--tuning", action="store_true")
    arguments = parser.parse_args()
    if arguments.data is None:
        parser.error("--data DIR (or PROBATIVE_DATA) says where the data sets lie; see evidence_data.py")
    print("| data | told apart | claims | AUROC | said to be contradicted |\n" + "| --- " * 5 + "|")
    judged: dict[str, dict[str, list[probative.Proof]]] = {}
    for name, label, others in PAIRS:
        if name not in judged:
            found = [one for one in read_claims(arguments.data, name) if one.tuning == arguments.tuning]
            found = found[: arguments.claims]
            cases = [probative.ProveCase(claim=one.claim, sentences=one.sentences) for one in found]
            judged[name] = {}
            options = {"model": arguments.model, "method": arguments.method, "verdict": True}
            for number, proof in probative.prove_all(cases, 3, **options):
                if isinstance(proof, probative.ProbativeError):
                    raise proof
                judged[name].setdefault(found[number].label, []).append(proof)
        yes = judged[name].get(label, [])
        no = [proof for other in others for proof in judged[name].get(other, [])]
        if not yes or not no:
            continue
        value = auroc([one.confidence or 0.0 for one in yes], [one.confidence or 0.0 for one in no])
        said = [sum(one.verdict == "contradicted" for one in group) / len(group) for group in (yes, no)]
        print(
            f"| {name} | {label} from {', '.join(others)} | {len(yes)} + {len(no)} | {value:.3f} "
            f"| {100 * said[0]:.0f}% + {100 * said[1]:.0f}% |",
            flush=True,
        )


if __name__ == "__main__":
    main()
