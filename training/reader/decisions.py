"""Decisions between sentences, drawn from the sets that the policy learns from and put as mcse puts them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from probative.mcse.options import McseOptions
from probative.mcse.strength import Strength
from probative.mcse.verdict import coverage
from training.policy.evidence import Evidence
from training.policy.sources import read_all
from training.reader.arrays import Encoder
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
    """What is said of one claim: the texts that stand against each other, and which are right."""

    claim: str
    paths: tuple[tuple[str, ...], ...]
    right: tuple[bool, ...]
    source: str
    choose: bool


def draw_decisions(data: Path, seed: int) -> list[Decision]:
    """Decisions of all sources, the same for the same seed."""
    drawn: list[Decision] = []
    for name, wanted in DECISIONS.items():
        random = np.random.default_rng([seed, *name.encode()])
        examples = [one for one in read_all(data, [name]) if one.gold]
        for part, most in (("train", wanted), ("choose", CHOOSING)):
            drawn += decisions_of([one for one in examples if one.part == part], most, random)
    return drawn


def decisions_of(examples: Sequence[Evidence], most: int, random: np.random.Generator) -> list[Decision]:
    """So many decisions of some examples, each example as often as the others; those set aside, once."""
    order: list[Evidence] = []
    while examples and len(order) < most:
        order += [examples[at] for at in random.permutation(len(examples))]
        if examples[0].part == "choose":
            break
    answers = [one.answer for one in examples if one.answer]
    return [decision for one in order[:most] if (decision := _draw(one, answers, random))]


def _draw(example: Evidence, answers: Sequence[str], random: np.random.Generator) -> Decision | None:
    claim = example.query
    luck = random.random()
    if example.answer and luck < ANSWERED + MISLED:
        said = example.answer if luck < ANSWERED else answers[int(random.integers(len(answers)))]
        claim = f"{claim} {said}"
    gold = random.permutation(sorted(example.gold)).tolist()
    chosen: list[int] = []
    if len(gold) > 1 and random.random() < CHOSEN:
        chosen = gold[: int(random.integers(1, min(3, len(gold))))]
    left = [place for place in gold if place not in chosen][: CANDIDATES // 2]
    apart = example.gold | example.also
    wrong = [place for place in range(len(example.sentences)) if place not in apart]
    if not wrong:
        return None
    weights = np.array([coverage(claim, example.sentences[place]) for place in wrong])
    near = np.array([min(abs(place - one) for one in gold) == 1 for place in wrong])
    value = weights + 0.1 * near + random.gumbel(size=len(wrong)) * 0.15
    picked = [wrong[at] for at in np.argsort(-value)[: CANDIDATES - len(left)]]
    before = tuple(example.sentences[place] for place in chosen)
    places = [*left, *picked]
    return Decision(
        claim,
        tuple((*before, example.sentences[place]) for place in places),
        tuple(place in left for place in places),
        example.source,
        example.part == "choose",
    )


def make_proofs(decisions: Sequence[Decision], encoder: Encoder) -> Proofs:
    """The arrays of decisions; one with a text that is too long is left out."""
    sources = sorted({one.source for one in decisions})
    pieces: list[NDArray[np.uint16]] = []
    rows: list[tuple[int, int, int, bool, bool, int]] = []
    number = 0
    for first in range(0, len(decisions), 512):
        batch = decisions[first : first + 512]
        encoded = iter(encoder.encode_pairs([pair for one in batch for pair in pairs(one.claim, one.paths)]))
        for one in batch:
            texts = [next(encoded) for _ in one.paths]
            if max(len(ids) for ids, _ in texts) > MOST_TOKENS:
                continue
            for (ids, cut), right in zip(texts, one.right, strict=True):
                pieces.append(np.array(ids, dtype=np.uint16))
                rows.append((len(ids), cut, number, right, one.choose, sources.index(one.source)))
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
    """The texts as mcse has them scored: prompt and claim."""
    found = []
    for path in paths:
        pair = Strength(claim, path, McseOptions()).pair(tuple(range(len(path))))
        found.append((pair.prompt, pair.continuation))
    return found
