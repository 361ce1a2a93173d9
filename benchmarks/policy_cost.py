"""Measure the cost of the evidence policy: seconds, and multiply-adds against mcse's full search on SmolLM2.

    python benchmarks/policy_cost.py                                # 40 made-up sentences, three steps
    python benchmarks/policy_cost.py --data DIR [--claims 5]        # and real claims, searched by both

A token of a transformer costs its weights' multiply-adds, and two for each number of each token that it looks
at. For the search, all scored tokens are counted as if each looked back over half of its prompt.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import probative
from benchmark_report import add_keep, show, text_table
from probative.bench.data.claims import Example, read_examples
from probative.models.evidence_policy import EvidencePolicy, PolicyState
from probative.models.loading import load_policy
from probative.types import Usage

STEPS = 3
SHORTLIST = 12


@dataclass(frozen=True)
class Shape:
    """The facts that decide a transformer's multiply-adds."""

    layers: int
    width: int
    linear: int
    """Multiply-adds of the linear layers for a token."""

    def multiply_adds(self, tokens: float, seen: float) -> float:
        """Return the multiply-adds of tokens that attend to `seen` other tokens each.

        >>> Shape(layers=2, width=10, linear=1000).multiply_adds(tokens=3, seen=5)
        3600
        """
        return tokens * (self.linear + 2 * self.layers * self.width * seen)


# 6 layers of 4·384² + 2·384·1536.
POLICY = Shape(layers=6, width=384, linear=6 * (4 * 384**2 + 2 * 384 * 1536))
# 30 layers of width 576, 3 of 9 heads for keys and values, 3 matrices of 1536 inside, and 49,152 tokens at
# the end.
SMOLLM2 = Shape(
    layers=30, width=576, linear=30 * (2 * 576**2 + 2 * 576 * 192 + 3 * 576 * 1536) + 576 * 49_152
)


@dataclass
class Cost:
    """The cost of choosing evidence for a claim."""

    seconds: float
    tokens: int
    multiply_adds: float


def chosen_by_policy(
    policy: EvidencePolicy, claim: str, sentences: Sequence[str], steps: int, shortlist: int | None
) -> Cost:
    """Return the cost of choosing sentences, the best at each step. With a shortlist only the best of the
    first step are weighed again.
    """
    chosen: list[int] = []
    left = list(range(len(sentences)))
    tokens, operations, began = 0, 0.0, time.perf_counter()
    for step in range(min(steps, len(sentences))):
        before = policy.usage.prompt_tokens
        state = PolicyState(claim, tuple(sentences[at] for at in chosen), tuple(sentences[at] for at in left))
        (weighed,) = policy.weigh([state])
        ranked = [at for _, at in sorted(zip(weighed.candidates, left, strict=True), reverse=True)]
        chosen.append(ranked[0])
        read = policy.usage.prompt_tokens - before
        tokens += read
        operations += POLICY.multiply_adds(read, read / (len(left) + 2))
        left = sorted(ranked[1 : shortlist + 1 if shortlist and not step else None])
    return Cost(time.perf_counter() - began, tokens, operations)


def searched(claim: str, sentences: Sequence[str], steps: int, preset: str) -> Cost:
    """Return the cost of mcse's search on the embedded model."""
    began = time.perf_counter()
    model = probative.load_model("embedded:plain", cache=False)
    proof = probative.prove(claim, sentences, steps, model=model, preset=preset)
    usage: Usage = proof.usage
    seen = usage.scored_tokens / max(1, usage.calls) / 2
    operations = SMOLLM2.multiply_adds(usage.scored_tokens, seen)
    return Cost(time.perf_counter() - began, usage.scored_tokens, operations)


def made_up() -> tuple[str, list[str]]:
    """Return a claim and 40 sentences of about 20 words."""
    towns = ["Molde", "Narvik", "Bergen", "Voss", "Alta", "Moss", "Bodø", "Hamar"]
    sentences = [
        f"Ship {number}: The ferry number {number} was built in {towns[number % 8]} in {1850 + number} for "
        f"the line to {towns[(number * 3 + 1) % 8]} and carried up to {100 + number} passengers a day."
        for number in range(40)
    ]
    return "The ferry that was built in Voss in 1867 carried up to 117 passengers.", sentences


def row(name: str, cost: Cost, beside: Cost | None = None) -> tuple[str, ...]:
    """Return a row of the table."""
    ratio = f"{beside.multiply_adds / cost.multiply_adds:,.0f}" if beside else ""
    return name, f"{cost.seconds:.2f}", f"{cost.tokens:,}", f"{cost.multiply_adds / 1e9:,.1f}", ratio


def mean(costs: Sequence[Cost]) -> Cost:
    """Return the mean cost of a claim."""
    count = len(costs)
    return Cost(
        sum(cost.seconds for cost in costs) / count,
        round(sum(cost.tokens for cost in costs) / count),
        sum(cost.multiply_adds for cost in costs) / count,
    )


def main() -> None:
    """Print a table: seconds, tokens, billions of multiply-adds, and the ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=os.environ.get("PROBATIVE_DATA"))
    parser.add_argument("--set", default="multirc")
    parser.add_argument("--claims", type=int, default=3)
    parser.add_argument("--preset", default="paper", help="mcse's preset to compare with")
    add_keep(parser)
    given = parser.parse_args()
    policy = load_policy()
    claim, sentences = made_up()
    policy.weigh([PolicyState(claim, (), tuple(sentences[:4]))])
    rows = []
    for shortlist in (None, SHORTLIST):
        runs = [chosen_by_policy(policy, claim, sentences, STEPS, shortlist) for _ in range(3)]
        rows.append(row(_named(40, shortlist), min(runs, key=lambda cost: cost.seconds)))
    if given.data is not None:
        rows += real_claims(given, policy)
    table = text_table("A claim", ("method", "s", "tokens", "10⁹ multiply-adds", "times fewer"), rows)
    name = "policy-cost" if given.data is None else "policy-cost-claims"
    show([table], given, __file__, title="What the evidence policy costs", name=name)


def real_claims(given: argparse.Namespace, policy: EvidencePolicy) -> list[tuple[str, ...]]:
    """Return the rows of real claims: the full search, and the policy beside it."""
    found: list[Example] = [
        one
        for one in read_examples(given.data, given.set)
        if 10 <= len(one.sentences) <= 20 and not one.tuning
    ][: given.claims]
    full = mean([searched(one.claim, one.sentences, 2, given.preset) for one in found])
    length = round(sum(len(one.sentences) for one in found) / len(found))
    rows = [row(f"mcse, {given.preset}, {length} sentences, k 2", full)]
    for shortlist in (None, SHORTLIST):
        costs = [chosen_by_policy(policy, one.claim, one.sentences, 2, shortlist) for one in found]
        rows.append(row(_named(length, shortlist, 2), mean(costs), full))
    return rows


def _named(sentences: int, shortlist: int | None, steps: int = STEPS) -> str:
    kept = f"{shortlist} after the first" if shortlist else "all in each"
    return f"policy, {sentences} sentences, {steps} steps, {kept}"


if __name__ == "__main__":
    main()
