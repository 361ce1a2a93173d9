"""Count the tokens of the search: the paper's algorithm to the letter against ours.

    python benchmarks/mcse_cost.py                              # scripted scores, no model
    python benchmarks/mcse_cost.py --data DIR [--claims 3]      # real claims of 10 to 20 sentences
    python benchmarks/mcse_cost.py --data DIR --policy path     # the policy that reads the whole path
    PROBATIVE_COMPILE=1 python benchmarks/mcse_cost.py --data DIR --speed 800 --processes 8 --model hf:PATH

The model is the plain embedded one unless --model names another; the output says which. The last command
measures claims per second on a GPU, which several processes share best under NVIDIA's MPS
(`nvidia-cuda-mps-control -d`).

The literal algorithm (`literal_mcse`) asks for every score where its formula names it. All
its tokens are counted, but the model runs only once for each pair; otherwise it would take hours. The last
line has the maximum that the `fast` preset read for a claim of 15 sentences or fewer.
"""

from __future__ import annotations

import argparse
import hashlib
import multiprocessing
import os
import threading
import time
from pathlib import Path

import probative
from benchmark_report import add_keep, show, text_table
from literal_mcse import literal_search
from probative.bench.data.claims import Example, read_examples
from probative.bench.report import Table
from probative.mcse.lm_policy import LmPolicy
from probative.mcse.options import McseOptions
from probative.mcse.strength import Strength
from probative.models.contract import LanguageModel
from probative.models.types import Pair
from probative.testing import ScriptedModel

K = 2
# A preset with look-ahead is for a model that was not tuned.
MODEL = "embedded:plain"
TITLE = "Tokens of the search, to the letter and ours"
COLUMNS = (
    "claim",
    "sentences",
    "literal calls",
    "literal tokens",
    "calls",
    "tokens",
    "times fewer tokens",
    "same choice",
)


class Counted:
    """Asks for one score at a time; computes each once and counts it every time."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model
        self._known: dict[Pair, tuple[float, int, int]] = {}
        self.tokens = 0
        self.calls = 0

    def _ask(self, pair: Pair) -> tuple[float, int]:
        if pair not in self._known:
            (score,) = self._model.score([pair])
            read = self._model.count_tokens(pair.prompt + pair.continuation)
            self._known[pair] = (score.log_probability, len(score.token_log_probabilities), read)
        value, length, read = self._known[pair]
        self.tokens += read
        self.calls += 1
        return value, length

    def value(self, pair: Pair) -> float:
        return self._ask(pair)[0]

    def penalised(self, pair: Pair, penalty: float) -> float:
        value, length = self._ask(pair)
        return value / float(length**penalty)


def literal(example: Example, options: McseOptions, model: LanguageModel) -> tuple[list[int], Counted]:
    """Return the sentences that the literal algorithm chooses, and the counts of its scores."""
    counted = Counted(model)
    sentences = [" ".join(sentence.split()) for sentence in example.sentences]
    claim = " ".join(example.claim.split())
    strength, policy = Strength(claim, sentences, options), LmPolicy(claim, sentences, options)
    chosen = literal_search(
        range(len(sentences)),
        K,
        options,
        score=lambda path: counted.value(strength.pair(path)),
        independent=lambda sentence: counted.value(strength.pair((sentence,))),
        following=lambda path, sentence: counted.penalised(
            policy.pair(policy.visible(path), sentence), options.length_penalty
        ),
    )
    return chosen, counted


def scripted_examples(n: int) -> list[Example]:
    """Return claims with twelve made-up sentences each; their scores come from a hash."""
    return [
        Example(
            id=str(number),
            claim=f"Claim number {number} is what has to be proved here.",
            sentences=tuple(
                f"Sentence {index} of text {number} says something of its own." for index in range(12)
            ),
            gold=(frozenset({0}),),
            label="",
            tuning=False,
        )
        for number in range(n)
    ]


def hashed(prompt: str, continuation: str) -> float:
    """Return a log-probability that depends only on the texts."""
    digest = hashlib.sha256(f"{prompt}|{continuation}".encode()).digest()
    return -30.0 - 30.0 * int.from_bytes(digest[:4]) / 2**32


def compare(examples: list[Example], options: McseOptions, model: LanguageModel, title: str) -> Table:
    """Return a row for each claim: the tokens of both, the ratio, and whether both chose the same."""
    rows = []
    totals = [0, 0]
    for number, example in enumerate(examples, 1):
        chosen, counted = literal(example, options, model)
        proof = probative.prove(example.claim, example.sentences, K, model=model, options=options)
        ours = proof.usage.scored_tokens
        totals[0] += counted.tokens
        totals[1] += ours
        same = "yes" if list(proof.indexes) == chosen else f"NO: {proof.indexes} for {chosen}"
        counts = (len(example.sentences), counted.calls, counted.tokens, proof.usage.calls, ours)
        rows.append((str(number), *(f"{n:,}" for n in counts), f"{counted.tokens / ours:.1f}", same))
    ratio = f"{totals[0] / totals[1]:.1f}"
    rows.append(("all", "", "", f"{totals[0]:,}", "", f"{totals[1]:,}", ratio, ""))
    return text_table(title, COLUMNS, rows)


def speed(examples: list[Example], options: McseOptions, name: str, processes: int) -> Table:
    """Return claims per second through `prove_all`, after a warm-up.

    Each process has its own model on the same device and a share of the claims.
    """
    spawn = multiprocessing.get_context("spawn")
    start = spawn.Barrier(processes + 1)
    results: multiprocessing.Queue[tuple[int, int, int]] = spawn.Queue()
    workers = [
        spawn.Process(
            target=_share, args=(examples[n::processes], options, name, start, results), daemon=True
        )
        for n in range(processes)
    ]
    for worker in workers:
        worker.start()
    start.wait()
    started = time.perf_counter()
    shares = [results.get() for _ in workers]
    seconds = time.perf_counter() - started
    claims, tokens, failed = (sum(share[index] for share in shares) for index in range(3))
    length = sum(len(example.sentences) for example in examples) / len(examples)
    columns = ("processes", "claims", "sentences", "seconds", "claims/s", "tokens a claim", "failed")
    speeds = (f"{seconds:.1f}", f"{claims / seconds:.1f}", f"{tokens / claims:,.0f}")
    row = (str(processes), f"{claims:,}", f"{length:.1f}", *speeds, str(failed))
    return text_table("Claims of MultiRC a second", columns, [row])


def _share(
    examples: list[Example],
    options: McseOptions,
    name: str,
    start: threading.Barrier,
    results: multiprocessing.Queue[tuple[int, int, int]],
) -> None:
    """Open the model, warm up, wait for the other processes, prove."""
    model = probative.load_model(name, cache=False)
    cases = [probative.ProveCase(claim=example.claim, sentences=example.sentences) for example in examples]
    list(probative.prove_all(cases[:16], K, model=model, options=options))
    start.wait()
    proofs = [
        proof for _, proof in probative.prove_all(cases, K, model=model, options=options, max_active=128)
    ]
    done = [proof for proof in proofs if isinstance(proof, probative.Proof)]
    results.put((len(proofs), sum(proof.usage.scored_tokens for proof in done), len(proofs) - len(done)))


def main() -> None:
    """Compare on scripted scores, or on real claims."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=os.environ.get("PROBATIVE_DATA"))
    parser.add_argument("--model", default=MODEL, help=f"{MODEL} by default")
    parser.add_argument("--claims", type=int, default=3)
    parser.add_argument("--policy", choices=["pair", "path"], default="pair")
    parser.add_argument("--speed", type=int, help="only measure claims per second, over this many claims")
    parser.add_argument("--processes", type=int, default=1, help="for --speed: the number of processes")
    add_keep(parser)
    arguments = parser.parse_args()
    options = McseOptions(policy=arguments.policy)
    if arguments.data is None:
        title = f"Scripted scores, 12 sentences, k {K}, K 4, N 10, policy {arguments.policy}"
        table = compare(scripted_examples(arguments.claims), options, ScriptedModel(score=hashed), title)
        show([table], arguments, __file__, title=TITLE, name=f"mcse-cost{_suffix(arguments.policy)}")
        return
    claims = read_examples(arguments.data, "multirc")
    fitting = [claim for claim in claims if 10 <= len(claim.sentences) <= 20]
    if arguments.speed:
        # More trajectories at once: beginnings are shared within a batch.
        batches = options.model_copy(update={"batch_size": 200})
        table = speed(fitting[: arguments.speed], batches, arguments.model, arguments.processes)
        models = {"model": arguments.model}
        show([table], arguments, __file__, title="Searches a second", name="mcse-cost-speed", models=models)
        return
    examples = [claim for claim in fitting if not claim.tuning]
    model = probative.load_model(arguments.model, cache=False)
    examples = examples[: arguments.claims]
    title = f"MultiRC, {model.name}, k {K}, K 4, N 10, policy {arguments.policy}"
    table = compare(examples, options, model, title)
    short = [claim for claim in claims if len(claim.sentences) <= 15][:20]
    proofs = [probative.prove(claim.claim, claim.sentences, 3, model=model) for claim in short]
    maximum = max(proof.usage.scored_tokens for proof in proofs)
    most = text_table(
        "The preset fast, k 3, 15 sentences or fewer",
        ("claims", "most tokens read for a claim"),
        [(str(len(short)), f"{maximum:,}")],
    )
    name = f"mcse-cost-claims{_suffix(arguments.policy)}"
    show([table, most], arguments, __file__, title=TITLE, name=name, models={"model": model.name})


def _suffix(policy: str) -> str:
    return "" if policy == "pair" else f"-{policy}"


if __name__ == "__main__":
    main()
