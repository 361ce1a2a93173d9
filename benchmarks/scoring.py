"""The embedded engine (the plain model) against transformers in float32: same weights, pairs and CPU.

    python benchmarks/scoring.py [--pairs 200] [--rounds 2] [--data DIR]

Scores (evidence sentence, claim) pairs, 10 claims x 20 sentences written for this, or with --data
(or PROBATIVE_DATA) claims of ERASER's FEVER sample with sentences of their documents. Prints scored
tokens a second and the rank correlation (Spearman) of the scores: over all pairs, and within a claim.
transformers runs as a plain loop over padded batches sorted by length, in the best of three batch
sizes; `hf:` is the same model through Probative, which shares prefixes. Each engine has the best of
its rounds.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

import probative
from benchmark_report import add_keep, show, text_table
from probative.bench.report import Table
from probative.models.embedded.catalog import LANGUAGE_MODEL
from probative.models.embedded.store import Store, showing_progress
from probative.models.hf.model import HFModel
from probative.models.in_process import join

CLAIMS = [
    "The bridge was closed after the flood.",
    "Maria Holt won the regional prize for her novel.",
    "The museum keeps the oldest clock in the valley.",
    "Trains run between the two towns every hour.",
    "The bakery was founded by two brothers.",
    "Olive trees do not survive the winters there.",
    "The observatory found a new comet in 1984.",
    "The council voted against the new harbour.",
    "Bees were brought to the island by monks.",
    "The school teaches three languages.",
]
SENTENCES = [
    "Water rose over the road and the crossing could not be used for six weeks.",
    "In spring the river carried away one pier, and engineers barred all traffic.",
    "Holt's second book was chosen by the jury out of forty entries.",
    "She grew up above a chandler's shop and wrote her first stories there.",
    "A weight-driven clock from 1510 stands in the entrance hall.",
    "Visitors may see the collection on weekdays between nine and four.",
    "The line was electrified, and a service leaves on the hour from either end.",
    "Freight moves mostly at night, when the track is free.",
    "Jan and Piet Kuiper opened the shop with one oven and a borrowed cart.",
    "Its rye loaf is still made from the founders' sourdough.",
    "Frost in January killed every seedling that the farmers had planted.",
    "Vines do better on the southern slopes than anywhere else in the district.",
    "Two students noticed a faint moving smudge on plates taken that August.",
    "The dome was rebuilt in copper after a storm tore off the old one.",
    "Nine of the fourteen members rejected the plan for a second basin.",
    "Ships of more than two thousand tons still anchor in the roads.",
    "Hives are first mentioned in the abbey's ledgers, a gift from the mother house.",
    "Honey from heather is darker and sets like jelly.",
    "Pupils begin with English and add French and Spanish in later years.",
    "The playground was paid for by a bequest from a retired pilot.",
]
PROMPT = "{sentence}\n\nGoing by what is written above, it is true that:"


def written_pairs(count: int) -> list[tuple[str, str]]:
    """Return every claim with every sentence, in the order of the claims."""
    pairs = [(PROMPT.format(sentence=s), f" {claim}") for claim in CLAIMS for s in SENTENCES]
    return pairs[:count]


def data_pairs(folder: Path, count: int) -> list[tuple[str, str]]:
    """Return claims of ERASER's FEVER sample with the first 20 sentences of their document."""
    pairs: list[tuple[str, str]] = []
    for line in (folder / "eraser" / "fever" / "val.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        document = folder / "eraser" / "fever" / "docs" / row["evidences"][0][0]["docid"]
        sentences = [s.strip() for s in document.read_text(encoding="utf-8").splitlines() if s.strip()]
        if len(sentences) < 20:
            continue
        pairs += [(PROMPT.format(sentence=s), f" {row['query']}") for s in sentences[:20]]
        if len(pairs) >= count:
            break
    return pairs[:count]


def plain_transformers(model: HFModel, pairs: list[tuple[str, str]], size: int) -> list[float]:
    """Score padded batches of `size`, sorted by length, as one would without Probative."""
    scores = [0.0] * len(pairs)
    encoded = [
        join(*model._encode_texts([prompt + claim])[0], len(prompt), model._document_start)
        for prompt, claim in pairs
    ]
    order = sorted(range(len(pairs)), key=lambda index: -len(encoded[index].ids))
    with torch.inference_mode():
        for start in range(0, len(order), size):
            batch = order[start : start + size]
            longest = len(encoded[batch[0]].ids)
            ids = torch.tensor([encoded[i].ids + [0] * (longest - len(encoded[i].ids)) for i in batch])
            mask = torch.tensor(
                [[1] * len(encoded[i].ids) + [0] * (longest - len(encoded[i].ids)) for i in batch]
            )
            logits = torch.log_softmax(model._model(ids, attention_mask=mask).logits[:, :-1], dim=-1)
            taken = logits.gather(2, ids[:, 1:, None])[..., 0]
            for row, index in enumerate(batch):
                begin, end = encoded[index].start - 1, len(encoded[index].ids) - 1
                scores[index] = float(taken[row, begin:end].sum())
    return scores


def spearman(one: list[float], other: list[float]) -> float:
    """Return the correlation of the ranks."""
    ranks: list[NDArray[np.intp]] = [np.argsort(np.argsort(values)) for values in (one, other)]
    return float(np.corrcoef(ranks[0], ranks[1])[0, 1])


def main() -> None:
    """Measure and print."""
    plain = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=plain)
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--data", type=Path, default=os.environ.get("PROBATIVE_DATA"))
    add_keep(parser)
    given = parser.parse_args()
    pairs = data_pairs(given.data, given.pairs) if given.data else written_pairs(given.pairs)

    embedded = probative.load_model("embedded:plain", cache=False)
    store = Store(probative.load_settings().weights_folder)
    with showing_progress() as report:
        store.ensure(LANGUAGE_MODEL, report, keep=True)
    reference = HFModel(str(store.kept_source(LANGUAGE_MODEL)), device="cpu", dtype="float32")
    tokens = sum(embedded.count_tokens(prompt + claim) for prompt, claim in pairs)

    engines: dict[str, Callable[[], list[float]]] = {
        "embedded (CTranslate2, int8)": lambda: [s.log_probability for s in embedded.score(pairs)],
        **{
            f"transformers float32, batches of {size}": lambda size=size: plain_transformers(
                reference, pairs, size
            )  # type: ignore[misc]
            for size in (4, 16, 64)
        },
        "hf: (shared prefixes)": lambda: [s.log_probability for s in reference.score(pairs)],
    }
    best: dict[str, float] = {}
    scores: dict[str, list[float]] = {}
    for _ in range(given.rounds):
        for name, run in engines.items():
            started = time.perf_counter()
            scores[name] = run()
            best[name] = min(best.get(name, float("inf")), time.perf_counter() - started)
            print(f"  {name}: {tokens / best[name]:.0f} tokens/s so far", flush=True)

    theirs = min((n for n in best if n.startswith("transformers")), key=lambda name: best[name])
    speeds = text_table(
        f"{len(pairs)} pairs, {tokens:,} tokens, {torch.get_num_threads()} threads",
        ("engine", "scored tokens/s", "× transformers"),
        [
            (name, f"{tokens / seconds:.0f}", f"{best[theirs] / seconds:.2f}")
            for name, seconds in best.items()
        ],
    )
    agreement = agreement_table(pairs, scores, theirs)
    show([speeds, agreement], given, __file__, title="The embedded engine beside transformers")


def agreement_table(pairs: list[tuple[str, str]], scores: dict[str, list[float]], theirs: str) -> Table:
    """Return how far the scores of the embedded engine and of `hf:` agree with transformers' own."""
    mine, true = scores["embedded (CTranslate2, int8)"], scores[theirs]
    by_claim: dict[str, list[int]] = {}
    for index, (_, claim) in enumerate(pairs):
        by_claim.setdefault(claim, []).append(index)
    within = [
        spearman([mine[i] for i in indices], [true[i] for i in indices])
        for indices in by_claim.values()
        if len(indices) > 2
    ]
    same = sum(
        max(indices, key=lambda i: mine[i]) == max(indices, key=lambda i: true[i])
        for indices in by_claim.values()
    )
    over_all, within_claim = spearman(mine, true), float(np.mean(within))
    shared = scores["hf: (shared prefixes)"]
    gap = max(abs(a - b) for a, b in zip(shared, true, strict=True))
    rows = [
        ("embedded: rank correlation over all pairs", f"{over_all:.4f}"),
        ("embedded: rank correlation within a claim, mean", f"{within_claim:.4f}"),
        ("embedded: the same best sentence, claims", f"{same} of {len(by_claim)}"),
        ("hf: largest difference of a score, nats", f"{gap:.5f}"),
    ]
    return text_table("Agreement with transformers in float32", ("measure", "value"), rows)


if __name__ == "__main__":
    main()
