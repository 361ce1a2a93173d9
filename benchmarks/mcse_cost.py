"""What the search costs: the paper's algorithm to the letter against ours, token for token.

    python benchmarks/mcse_cost.py                              # scripted scores, no model
    python benchmarks/mcse_cost.py --data DIR [--claims 3]      # real claims of 10 to 20 sentences
    python benchmarks/mcse_cost.py --data DIR --policy path     # the policy that reads the whole path
    PROBATIVE_COMPILE=1 python benchmarks/mcse_cost.py --data DIR --speed 800 --processes 8 --model hf:PATH

The last counts claims a second on a GPU, which several processes share best under NVIDIA's MPS
(`nvidia-cuda-mps-control -d`).

The literal algorithm (`literal_mcse.py`) asks for every score where its formula names it. Its tokens
are counted as asked; the model itself is only run once for each pair, or it would take hours. The
`fast` preset is printed beside, with the most it read for a claim of 15 sentences or fewer.
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
from probative.bench.data.evidence import Example, read_examples
from probative.bench.literal.mcse import literal_search
from probative.mcse.lm_policy import LmPolicy
from probative.mcse.options import McseOptions
from probative.mcse.strength import Strength
from probative.models.contract import LanguageModel
from probative.models.types import Pair
from probative.testing import ScriptedModel

K = 2


class Counted:
    """Scores asked one at a time, each computed once and counted every time."""

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
    """What the literal algorithm chooses, and what it asked for."""
    counted = Counted(model)
    sentences = [" ".join(sentence.split()) for sentence in example.sentences]
    claim = " ".join(example.claim.split())
    strength, policy = Strength(claim, sentences, options), LmPolicy(claim, sentences, options)
    chosen = literal_search(
        range(len(sentences)),
        K,
        options,
        score=lambda path: counted.value(strength.pair(path)),
        independent=lambda one: counted.value(strength.pair((one,))),
        following=lambda path, one: counted.penalised(
            policy.pair(policy.visible(path), one), options.length_penalty
        ),
    )
    return chosen, counted


def scripted_examples(count: int) -> list[Example]:
    """Claims with twelve made-up sentences each; their scores come from a hash."""
    return [
        Example(
            id=str(number),
            claim=f"Claim number {number} is what has to be proved here.",
            sentences=tuple(f"Sentence {n} of text {number} says something of its own." for n in range(12)),
            gold=(frozenset({0}),),
            label="",
            tuning=False,
        )
        for number in range(count)
    ]


def hashed(prompt: str, continuation: str) -> float:
    """A log-probability that the text decides."""
    digest = hashlib.sha256(f"{prompt}|{continuation}".encode()).digest()
    return -30.0 - 30.0 * int.from_bytes(digest[:4]) / 2**32


def compare(examples: list[Example], options: McseOptions, model: LanguageModel) -> None:
    """Print a row a claim: tokens of both, the ratio, and whether both chose the same."""
    print("| claim | sentences | literal calls | literal tokens | calls | tokens | ratio | same choice |")
    print("| --- " * 8 + "|")
    whole = [0, 0]
    for number, example in enumerate(examples, 1):
        chosen, counted = literal(example, options, model)
        proof = probative.prove(example.claim, example.sentences, K, model=model, options=options)
        ours = proof.usage.scored_tokens
        whole[0] += counted.tokens
        whole[1] += ours
        same = "yes" if list(proof.indexes) == chosen else f"NO: {proof.indexes} for {chosen}"
        print(
            f"| {number} | {len(example.sentences)} | {counted.calls:,} | {counted.tokens:,} "
            f"| {proof.usage.calls:,} | {ours:,} | {counted.tokens / ours:.0f} | {same} |",
            flush=True,
        )
    print(f"\nall: {whole[0]:,} tokens against {whole[1]:,}: {whole[0] / whole[1]:.1f} times fewer")


def speed(examples: list[Example], options: McseOptions, name: str | None, processes: int) -> None:
    """Claims a second through `prove_all`, after a warm-up; with several processes, each with a model of its
    own on the same device and a share of the claims.
    """
    spawn = multiprocessing.get_context("spawn")
    start = spawn.Barrier(processes + 1)
    told: multiprocessing.Queue[tuple[int, int, int]] = spawn.Queue()
    workers = [
        spawn.Process(target=_share, args=(examples[n::processes], options, name, start, told), daemon=True)
        for n in range(processes)
    ]
    for worker in workers:
        worker.start()
    start.wait()
    started = time.perf_counter()
    shares = [told.get() for _ in workers]
    seconds = time.perf_counter() - started
    claims, tokens, failed = (sum(share[place] for share in shares) for place in range(3))
    length = sum(len(one.sentences) for one in examples) / len(examples)
    print(
        f"{claims} claims of {length:.1f} sentences in {seconds:.1f} s, {processes} processes: "
        f"{claims / seconds:.1f} claims/s, {tokens / claims:,.0f} tokens a claim, {failed} failed"
    )


def _share(
    examples: list[Example],
    options: McseOptions,
    name: str | None,
    start: threading.Barrier,
    told: multiprocessing.Queue[tuple[int, int, int]],
) -> None:
    """One process: open the model, warm up, wait for the others, prove."""
    model = probative.load_model(name, cache=False)
    cases = [probative.ProveCase(claim=one.claim, sentences=one.sentences) for one in examples]
    list(probative.prove_all(cases[:16], K, model=model, options=options))
    start.wait()
    proofs = [
        proof for _, proof in probative.prove_all(cases, K, model=model, options=options, max_active=128)
    ]
    done = [proof for proof in proofs if isinstance(proof, probative.Proof)]
    told.put((len(proofs), sum(proof.usage.scored_tokens for proof in done), len(proofs) - len(done)))


def main() -> None:
    """Compare on scripted scores, or on real claims."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=os.environ.get("PROBATIVE_DATA"))
    parser.add_argument("--model", default=None)
    parser.add_argument("--claims", type=int, default=3)
    parser.add_argument("--policy", choices=["pair", "path"], default="pair")
    parser.add_argument("--speed", type=int, help="only measure claims a second, over so many claims")
    parser.add_argument("--processes", type=int, default=1, help="for --speed: so many side by side")
    arguments = parser.parse_args()
    options = McseOptions(policy=arguments.policy)
    if arguments.data is None:
        print(f"scripted scores, 12 sentences, k {K}, K 4, N 10, policy {arguments.policy}\n")
        script = ScriptedModel(score=hashed)
        compare(scripted_examples(arguments.claims), options, script)
        return
    found = read_examples(arguments.data, "multirc")
    fitting = [one for one in found if 10 <= len(one.sentences) <= 20]
    if arguments.speed:
        # More trajectories at once: beginnings are shared within a batch.
        batches = options.model_copy(update={"batch_size": 200})
        speed(fitting[: arguments.speed], batches, arguments.model, arguments.processes)
        return
    examples = [one for one in fitting if not one.tuning]
    model = probative.load_model(arguments.model, cache=False)
    examples = examples[: arguments.claims]
    print(f"MultiRC, {model.name}, k {K}, K 4, N 10, policy {arguments.policy}\n")
    compare(examples, options, model)
    short = [one for one in found if len(one.sentences) <= 15][:20]
    proofs = [probative.prove(one.claim, one.sentences, 3, model=model) for one in short]
    most = max(proof.usage.scored_tokens for proof in proofs)
    print(f"\nfast, k 3: at most {most:,} tokens for 15 sentences or fewer")


if __name__ == "__main__":
    main()
