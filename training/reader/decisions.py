"""Decisions between sentences, drawn from the policy's sources, in the form in which mcse scores them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from probative.bench.word_verdict import coverage
from probative.mcse.options import McseOptions
from probative.mcse.strength import Strength
from training.large.tokens import Tokens
from training.policy.evidence import Evidence
from training.policy.sources import read_all
from training.reader.proofs import Proofs

# Decisions drawn from each source. Running texts and claims are what mcse is given.
DECISIONS = {
    "multirc": 7000,
    "fever": 5000,
    "feverous": 2500,
    "entailmentbank": 2000,
    "fool_me_twice": 2000,
    "squad": 3500,
    "selqa": 1000,
    "nq": 1000,
    "hotpotqa_bare": 3000,
    "multihop_claims": 1500,
}
CHOOSING = 150
CANDIDATES = 8
# How often a question is given its answer, and another one's; how often something is chosen already.
ANSWERED, MISLED, CHOSEN = 0.6, 0.2, 0.5
MOST_TOKENS = 320


@dataclass(frozen=True)
class Decision:
    """A claim, the texts that are compared for it, and which of them are right."""

    claim: str
    paths: tuple[tuple[str, ...], ...]
    right: tuple[bool, ...]
    source: str
    choose: bool


def draw_decisions(data: Path, seed: int) -> list[Decision]:
    """Return the decisions of all sources, the same for the same seed."""
    drawn: list[Decision] = []
    for name, wanted in DECISIONS.items():
        random = np.random.default_rng([seed, *name.encode()])
        examples = [example for example in read_all(data, [name]) if example.gold]
        for part, n in (("train", wanted), ("choose", CHOOSING)):
            drawn += decisions_of([example for example in examples if example.part == part], n, random)
    return drawn


def decisions_of(examples: Sequence[Evidence], n: int, random: np.random.Generator) -> list[Decision]:
    """Return n decisions of some examples, each example equally often; examples for choosing give
    one each.
    """
    order: list[Evidence] = []
    while examples and len(order) < n:
        order += [examples[at] for at in random.permutation(len(examples))]
        if examples[0].part == "choose":
            break
    answers = [example.answer for example in examples if example.answer]
    return [decision for example in order[:n] if (decision := _draw(example, answers, random))]


def _draw(example: Evidence, answers: Sequence[str], random: np.random.Generator) -> Decision | None:
    claim = example.query
    luck = random.random()
    if example.answer and luck < ANSWERED + MISLED:
        answer = example.answer if luck < ANSWERED else answers[int(random.integers(len(answers)))]
        claim = f"{claim} {answer}"
    gold = random.permutation(sorted(example.gold)).tolist()
    chosen: list[int] = []
    if len(gold) > 1 and random.random() < CHOSEN:
        chosen = gold[: int(random.integers(1, min(3, len(gold))))]
    left = [index for index in gold if index not in chosen][: CANDIDATES // 2]
    apart = example.gold | example.also
    wrong = [index for index in range(len(example.sentences)) if index not in apart]
    if not wrong:
        return None
    weights = np.array([coverage(claim, example.sentences[index]) for index in wrong])
    near = np.array([min(abs(index - gold_index) for gold_index in gold) == 1 for index in wrong])
    value = weights + 0.1 * near + random.gumbel(size=len(wrong)) * 0.15
    picked = [wrong[at] for at in np.argsort(-value)[: CANDIDATES - len(left)]]
    before = tuple(example.sentences[index] for index in chosen)
    indexes = [*left, *picked]
    return Decision(
        claim,
        tuple((*before, example.sentences[index]) for index in indexes),
        tuple(index in left for index in indexes),
        example.source,
        example.part == "choose",
    )


def make_proofs(decisions: Sequence[Decision], tokens: Tokens) -> Proofs:
    """Return the arrays of decisions; a decision with a text that is too long is left out. A text begins with
    the token that stands between documents, which also pads.
    """
    sources = sorted({decision.source for decision in decisions})
    pieces: list[NDArray[np.uint16]] = []
    rows: list[tuple[int, int, int, bool, bool, int]] = []
    number = 0
    for first in range(0, len(decisions), 512):
        batch = decisions[first : first + 512]
        scored = [pair for decision in batch for pair in pairs(decision.claim, decision.paths)]
        encoded = iter(tokens.encode([text for pair in scored for text in pair]))
        for decision in batch:
            texts = [([tokens.pad, *next(encoded)], next(encoded)) for _ in decision.paths]
            if max(len(prompt) + len(claim) for prompt, claim in texts) > MOST_TOKENS:
                continue
            for (prompt, claim), right in zip(texts, decision.right, strict=True):
                pieces.append(np.array([*prompt, *claim], dtype=np.uint16))
                about = right, decision.choose, sources.index(decision.source)
                rows.append((len(pieces[-1]), len(prompt), number, *about))
            number += 1
    lengths, cuts, decision, right, choose, source = (np.array(column) for column in zip(*rows, strict=True))
    return Proofs(
        tokens=np.concatenate(pieces),
        starts=np.concatenate([[0], np.cumsum(lengths[:-1], dtype=np.int64)]),
        lengths=lengths.astype(np.int32),
        cuts=cuts.astype(np.int32),
        decision=decision.astype(np.int32),
        right=right.astype(np.bool_),
        choose=choose.astype(np.bool_),
        source=source.astype(np.uint8),
        sources=np.array(sources),
    )


def pairs(claim: str, paths: Sequence[Sequence[str]]) -> list[tuple[str, str]]:
    """Return the texts as mcse scores them: prompt and claim."""
    scored = []
    for path in paths:
        pair = Strength(claim, path, McseOptions()).pair(tuple(range(len(path))))
        scored.append((pair.prompt, pair.continuation))
    return scored
