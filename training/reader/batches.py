"""Which examples each step sees: drawn up front from a seed, so that a run can stop and go on unchanged.

Questions over several pages are what the reader is for, and are few; they start at four tenths of what is
seen and end at half, while plain questions about one text become fewer (a first trial gained most when it
ended on them). Within a block of steps, examples of like length go together, so that little is padding.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from training.reader.arrays import Arrays

Numbers = NDArray[np.int64]
HOPS = ("hotpotqa", "hotpotqa_gold_only", "2wikimultihopqa")
INVENTED = ("2wiki_triples", "2wiki_pages")
GENRES = ("invented_genres", "twins")
ANSWERS = ("answer", "unknown")
SKILLS = ("features", "carries", "judge")
# Share of each group at the beginning and at the end: multi-hop questions as people asked them, and invented
# ones; invented documents in other genres with the unanswerable twins; other questions, the other tasks.
SHARES = {
    "hops": (0.22, 0.33),
    "invented": (0.21, 0.18),
    "genres": (0.22, 0.23),
    "texts": (0.20, 0.12),
    "skills": (0.15, 0.14),
}
# Examples that are drawn and put in order of length together.
BLOCK = 4096


@dataclass(frozen=True)
class Batch:
    """The examples of one step; `keep` are those on which the model must stay near the plain one."""

    numbers: Numbers
    keep: Numbers


def plan(
    arrays: Arrays,
    *,
    steps: int,
    tokens: int,
    keep: int,
    forms: Sequence[str],
    seed: int,
) -> list[Batch]:
    """Return the batches of `steps` steps, each of at most `tokens` tokens, with `keep` examples to keep."""
    groups = _groups(arrays, forms)
    rng = np.random.default_rng(seed)
    cycles = {name: _cycle(numbers, rng) for name, numbers in groups.items()}
    kept = _cycle(arrays.where(part="train", tasks=("keep",), forms=("text", "plain")), rng)
    batches: list[Batch] = []
    while len(batches) < steps:
        progress = min(1.0, len(batches) / max(1, steps))
        shares = {
            name: first + (last - first) * progress
            for name, (first, last) in SHARES.items()
            if len(groups[name])
        }
        total = sum(shares.values())
        drawn = [_take(cycles[name], max(1, round(share / total * BLOCK))) for name, share in shares.items()]
        block = list(_by_length(np.concatenate(drawn), arrays, tokens))
        batches += [Batch(block[index], _take(kept, keep)) for index in rng.permutation(len(block))]
    return batches[:steps]


def _groups(arrays: Arrays, forms: Sequence[str]) -> dict[str, Numbers]:
    answers = arrays.where(part="train", tasks=ANSWERS, forms=[*forms, "plain"])
    hops, made, genres = (
        np.isin(arrays.source[answers], [n for n, name in enumerate(arrays.sources) if name in names])
        for names in (HOPS, INVENTED, GENRES)
    )
    skills = arrays.where(part="train", tasks=SKILLS, forms=("after", "plain"))
    return {
        "hops": answers[hops],
        "invented": answers[made],
        "genres": answers[genres],
        "texts": answers[~hops & ~made & ~genres],
        "skills": skills,
    }


def _cycle(numbers: Numbers, rng: np.random.Generator) -> Iterator[int]:
    """Yield the numbers in random order, without end, each round in another order."""
    while len(numbers):
        yield from rng.permutation(numbers)


def _take(cycle: Iterator[int], number: int) -> Numbers:
    return np.array([item for _, item in zip(range(number), cycle, strict=False)], dtype=np.int64)


def _by_length(numbers: Numbers, arrays: Arrays, tokens: int) -> Iterator[Numbers]:
    """Yield batches of examples of similar length, each of at most `tokens` tokens with padding."""
    ordered = numbers[np.argsort(arrays.lengths[numbers], kind="stable")]
    batch: list[int] = []
    for number in ordered:
        if batch and (len(batch) + 1) * int(arrays.lengths[number]) > tokens:
            yield np.array(batch, dtype=np.int64)
            batch = []
        batch.append(int(number))
    if batch:
        yield np.array(batch, dtype=np.int64)


def some_of_each(arrays: Arrays, numbers: Numbers, n: int = 400) -> Numbers:
    """Return at n `n` examples of each task, source and form, evenly spread: enough to choose the
    best state.
    """
    groups: dict[tuple[int, int, int], list[int]] = {}
    for number in numbers:
        what = (int(arrays.task[number]), int(arrays.source[number]), int(arrays.form[number]))
        groups.setdefault(what, []).append(int(number))
    kept = [group[:: -(-len(group) // n)] for group in groups.values()]
    return np.sort(np.array([number for group in kept for number in group], dtype=np.int64))


def in_order(numbers: Numbers, arrays: Arrays, tokens: int) -> list[Numbers]:
    """Yield all of some examples in batches, for measuring."""
    return list(_by_length(numbers, arrays, tokens))
