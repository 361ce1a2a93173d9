"""Chooses what stands beside the learned policy: for `learned`, BM25's weight, the beam and the shortlist;
for mcse (preset `fast`), the weights of the policy and of the rest of the prior.

    python -m training.policy.fusion --data DIR                      # learned alone: no language model
    python -m training.policy.fusion --data DIR --within --model …   # within mcse

All on rows that `training/policy/sources.py` keeps for choosing, of HotpotQA, 2WikiMultihopQA, MultiRC and
FEVER: the policy was not trained on them, and no figure is reported on them. (It was trained on most of the
rows that the other weights of mcse were tuned on, so those would let it seem better than it is.) What is
chosen has the best mean over the sets of F1 (as many sentences as are gold). One setting is changed at a
time, twice round, starting from the defaults. Scores are kept, by candidate, so that another weight
asks no model again unless it leads elsewhere.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import probative
from probative.baselines.evidence.methods import evidence_method
from probative.bench.data.evidence import Example
from probative.bench.evidence_figures import Chosen, figures
from probative.bench.experiments.mcse import Remembering
from probative.engine.runner import run_searches
from probative.engine.tools import Tools
from probative.mcse.evidence_policy import LearnedOptions
from probative.mcse.options import PRESETS, McseOptions
from probative.models.contract import Encoder, LanguageModel, Progress
from probative.models.evidence_policy import (
    EvidencePolicy,
    Neighbours,
    PolicyScores,
    PolicyState,
    load_policy,
)
from probative.usage import Usage

SETS = ("multirc", "fever", "hotpotqa", "2wikimultihopqa")
TRAINING = Path(__file__).parent.parent / "training"
GRIDS: dict[str, dict[str, tuple[Any, ...]]] = {
    "learned": {
        "lexical": (0.0, 0.1, 0.2, 0.3, 0.5, 0.75, 1.0, 1.5, 2.0),
        "proximity": (0.0, 0.5, 1.0, 1.5, 2.0),
        "ignore_topic": (True, False),
        "beam": (1, 2, 4),
        "shortlist": (8, 16, 24),
        "neighbours": (True, False),
    },
    "mcse": {
        "learned": (0.0, 1.0, 2.0, 4.0, 8.0, 16.0),
        "lexical": (0.0, 0.5, 1.0, 2.0, 4.0),
        "semantic": (0.0, 0.5, 1.0),
        "proximity": (0.0, 0.75, 1.5),
        "lam": (0.5, 1.0, 2.0),
    },
}


class RememberingPolicy:
    """Keeps the score of each candidate in each state: it does not depend on the other candidates."""

    def __init__(self, inner: EvidencePolicy) -> None:
        self._inner = inner
        self._known: dict[tuple[str, tuple[str, ...]], dict[tuple[str, Neighbours], float]] = {}
        self._stops: dict[tuple[str, tuple[str, ...]], tuple[float, float]] = {}
        self.name = inner.name

    @property
    def usage(self) -> Usage:
        return self._inner.usage

    def weigh(self, states: Sequence[PolicyState]) -> list[PolicyScores]:
        missing = []
        for state in states:
            known = self._known.setdefault((state.query, state.chosen), {})
            new = list(dict.fromkeys(one for one in _candidates(state) if one not in known))
            if new or (state.query, state.chosen) not in self._stops:
                texts, beside = tuple(text for text, _ in new), tuple(around for _, around in new)
                missing.append(PolicyState(state.query, state.chosen, texts, beside))
        for state, scores in zip(missing, self._inner.weigh(missing) if missing else [], strict=True):
            key = (state.query, state.chosen)
            self._known[key].update(zip(_candidates(state), scores.candidates, strict=True))
            self._stops[key] = (scores.complete, scores.nothing)
        given = []
        for state in states:
            key = (state.query, state.chosen)
            given.append(
                PolicyScores(tuple(self._known[key][one] for one in _candidates(state)), *self._stops[key])
            )
        return given


def _candidates(state: PolicyState) -> list[tuple[str, Neighbours]]:
    """The candidates with what stands beside them."""
    beside = state.beside or (Neighbours("", ""),) * len(state.candidates)
    return list(zip(state.candidates, beside, strict=True))


class RememberingEncoder(Encoder):
    """Keeps each text's vector."""

    def __init__(self, inner: Encoder) -> None:
        self._inner = inner
        self._known: dict[str, NDArray[np.float32]] = {}
        self.name = inner.name

    @property
    def fingerprint(self) -> str:
        return self._inner.fingerprint

    @property
    def dimensions(self) -> int:
        return self._inner.dimensions

    @property
    def usage(self) -> Usage:
        return self._inner.usage

    def encode(self, texts: Sequence[str], *, progress: Progress | None = None) -> NDArray[np.float32]:
        new = list(dict.fromkeys(text for text in texts if text not in self._known))
        if new:
            self._known.update(zip(new, self._inner.encode(new), strict=True))
        return np.stack([self._known[text] for text in texts])


def choosing_rows(data: Path, name: str, most: int) -> list[Example]:
    """The rows of a set that are for choosing."""
    if str(TRAINING) not in sys.path:
        sys.path.append(str(TRAINING))
    from training.policy.sources import read_all  # type: ignore[import-not-found]

    kept = [one for one in read_all(data, [name]) if one.part == "choose" and one.gold]
    kept.sort(key=lambda one: hashlib.sha256(one.id.encode()).hexdigest())
    return [
        Example(one.id, one.query, one.sentences, _sets(one), label="True", tuning=True)
        for one in kept[:most]
    ]


def _sets(example: Any) -> tuple[frozenset[int], ...]:
    """The sets of sentences that carry a claim; of one sentence each, where one is enough."""
    single = [frozenset({place}) for place in sorted(example.also)] if len(example.gold) == 1 else []
    return (example.gold, *single)


def f1_of(examples: Sequence[Example], options: McseOptions | LearnedOptions, tools: Tools) -> float:
    """F1 with these options over a set's rows."""
    method = evidence_method("learned" if isinstance(options, LearnedOptions) else "mcse", options)
    searches = (method(one.claim, one.sentences, one.gold_size, tools) for one in examples)
    found: dict[int, Chosen] = {}
    for number, ended in run_searches(searches, tools):
        if ended.error is not None:
            raise ended.error
        assert ended.result is not None
        found[number] = Chosen(tuple(one.index for one in ended.result.evidence), 0)
    return figures(examples, found, "gold", 0.0).f1


def climb(
    start: McseOptions | LearnedOptions,
    grid: dict[str, tuple[Any, ...]],
    value: Callable[[McseOptions | LearnedOptions], float],
) -> McseOptions | LearnedOptions:
    """One setting changed at a time, twice round; of equals the first one tried stays."""
    best, reached = start, value(start)
    for _ in range(2):
        before = best
        for name, choices in grid.items():
            for choice in choices:
                tried = best.model_copy(update={name: choice})
                if tried != best and (got := value(tried)) > reached:
                    best, reached = tried, got
        if best == before:
            break
    return best


def main() -> None:
    """Print every trial, and what is chosen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=os.environ.get("PROBATIVE_DATA"))
    parser.add_argument("--within", action="store_true", help="fit mcse's weights, not those of learned")
    parser.add_argument("--model", default=None)
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--claims", type=int, default=200, help="rows of each set")
    arguments = parser.parse_args()
    if arguments.data is None:
        parser.error("--data DIR (or PROBATIVE_DATA) says where the data sets lie; see evidence_data.py")

    def language_model() -> LanguageModel:
        return Remembering(probative.load_model(arguments.model, cache=False))

    tools = Tools(
        language_model,
        lambda: RememberingEncoder(probative.load_encoder()),
        lambda: RememberingPolicy(load_policy()),
    )
    names = arguments.sets.split(",")
    rows = {name: choosing_rows(arguments.data, name, arguments.claims) for name in names}
    print("rows:", ", ".join(f"{name} {len(rows[name])}" for name in names), end="\n\n")
    kind = "mcse" if arguments.within else "learned"
    grid = GRIDS[kind]
    print(f"| {' | '.join((*grid, *names, 'mean'))} |\n" + "| --- " * (len(grid) + len(names) + 1) + "|")

    @cache
    def value(options: McseOptions | LearnedOptions) -> float:
        got = [f1_of(rows[name], options, tools) for name in names]
        mean = sum(got) / len(got)
        cells = [str(getattr(options, name)) for name in grid] + [f"{one:.1f}" for one in (*got, mean)]
        print(f"| {' | '.join(cells)} |", flush=True)
        return mean

    start: McseOptions | LearnedOptions = LearnedOptions()
    if arguments.within:
        start = PRESETS["fast"].model_copy(update={"learned": 1.0})
    chosen = climb(start, grid, value)
    print("\nchosen:", ", ".join(f"{name} {getattr(chosen, name)}" for name in grid))


if __name__ == "__main__":
    main()
