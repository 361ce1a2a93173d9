"""WiCE by the learned policy, which was never trained on it: evidence, and claims that nothing supports.

    python -m probative.bench.experiments.unsupported --data DIR  # all 349 claims, some 3 s each
    python -m probative.bench.experiments.unsupported --data DIR --part 0/4 --out a  # a quarter, written down
    python -m probative.bench.experiments.unsupported --data DIR --read a b c d       # the table of that

Of each claim as many sentences are taken as are gold (one where none are). "told apart" is the AUROC of the
policy's probability, before the first sentence, that nothing carries the claim, and of the verdict, which
counts the words as well: of claims that WiCE calls not supported against all others.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import probative
from probative.bench.data.evidence import Example, read_claims
from probative.bench.evidence_figures import Chosen, auroc, auroc_range, figures
from probative.mcse.verdict import support_by_words

Lines = dict[str, dict[str, Any]]


def ask(claims: Sequence[Example], out: Path | None) -> Lines:
    """What the policy says of each claim, written as it comes."""
    cases = [
        probative.ProveCase(claim=one.claim, sentences=one.sentences, k=one.gold_size if one.gold else 1)
        for one in claims
    ]
    lines: Lines = {}
    for number, proof in probative.prove_all(cases, method="learned"):
        if isinstance(proof, probative.ProbativeError):
            raise proof
        line = {
            "id": claims[number].id,
            "indexes": list(proof.indexes),
            "nothing": proof.stops[0].nothing,
            "tokens": proof.usage.tokens,
        }
        lines[claims[number].id] = line
        if out is not None:
            with out.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps(line) + "\n")
    return lines


def show(claims: Sequence[Example], lines: Lines) -> None:
    """The two tables."""
    known = [one for one in claims if one.id in lines]
    carried = [one for one in known if one.gold]
    found = {
        number: Chosen(tuple(lines[one.id]["indexes"]), lines[one.id]["tokens"])
        for number, one in enumerate(carried)
    }
    got = figures(carried, found, "gold", 0.0)
    print("| WiCE | claims | F1 | all gold | tokens a claim |\n| --- | --- | --- | --- | --- |")
    print(
        f"| learned, as many as are gold | {len(carried)} "
        f"| {got.f1:.1f} [{got.f1_range[0]:.1f}, {got.f1_range[1]:.1f}] "
        f"| {got.all_gold:.1f} [{got.all_gold_range[0]:.1f}, {got.all_gold_range[1]:.1f}] "
        f"| {got.tokens:,.0f} |"
    )
    print("\n| not supported, told from the others | claims | AUROC |\n| --- | --- | --- |")
    for name, doubt in DOUBTS.items():
        missing, others = (
            [doubt(one, lines[one.id]) for one in known if (one.label == "not_supported") == label]
            for label in (True, False)
        )
        if missing and others:
            low, high = auroc_range(missing, others)
            value = f"{auroc(missing, others):.3f} [{low:.3f}, {high:.3f}]"
            print(f"| {name} | {len(missing)} + {len(others)} | {value} |")


def by_policy(claim: Example, line: dict[str, Any]) -> float:
    """How probable it is by the policy alone that nothing carries the claim."""
    return float(line["nothing"])


def by_verdict(claim: Example, line: dict[str, Any]) -> float:
    """How probable it is that the claim is not supported, as the verdict has it."""
    text = " ".join(claim.sentences[place] for place in line["indexes"])
    return 1.0 - (1.0 - float(line["nothing"])) * support_by_words(claim.claim, text)


DOUBTS = {"nothing carries it (the policy)": by_policy, "the verdict": by_verdict}


def main() -> None:
    """Ask, or read what was asked before, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, default=os.environ.get("PROBATIVE_DATA"))
    parser.add_argument("--part", default="0/1", help="only every n-th claim: i/n")
    parser.add_argument("--out", type=Path, help="also write what was said of each claim, as JSON lines")
    parser.add_argument("--read", type=Path, nargs="+", help="ask nothing: the claims that these files hold")
    arguments = parser.parse_args()
    if arguments.data is None:
        parser.error("--data DIR (or PROBATIVE_DATA) says where the data sets lie; see evidence_data.py")
    first, every = map(int, arguments.part.split("/"))
    claims = read_claims(arguments.data, "wice")
    if arguments.read:
        texts = [line for file in arguments.read for line in file.read_text(encoding="utf-8").splitlines()]
        show(claims, {line["id"]: line for line in map(json.loads, texts)})
    else:
        claims = claims[first::every]
        show(claims, ask(claims, arguments.out))


if __name__ == "__main__":
    main()
