"""Choose the weights next to the learned policy: for `learned`, BM25's weight, the beam and the shortlist;
for mcse (preset `fast`), the weights of the policy and of the rest of the prior.

    python -m training.policy.fusion --data DIR                      # learned alone: no language model
    python -m training.policy.fusion --data DIR --within --model …   # within mcse

The rows are those that the policy's sources keep for choosing (`part == "choose"`), of HotpotQA,
2WikiMultihopQA, MultiRC and FEVER: the policy was not trained on them, and no figure is reported on them.
(It was trained on most of the rows that the other weights of mcse were tuned on, so those would
overestimate it.) The chosen options have the best mean over the sets of F1 (as many sentences as are gold).
One option is changed at a time, in two rounds, starting from the defaults. The grids contain the shipped
values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import probative
from probative.bench.data.claims import Example
from probative.bench.data.splits import digest
from probative.bench.families.evidence import chosen_and_gold
from probative.bench.metrics import mean, overlap
from probative.engine.methods import MethodChoice, Tools
from probative.engine.runner import run_searches
from probative.mcse.evidence_policy import LearnedOptions
from probative.mcse.options import PRESETS, McseOptions
from probative.models.contract import LanguageModel
from probative.models.loading import load_policy
from probative.verbs.prove import METHODS
from training.arguments import data_folder, data_parser
from training.policy.evidence import Evidence
from training.policy.remembering import RememberingEncoder, RememberingModel, RememberingPolicy
from training.policy.sources import read_all
from training.row_files import print_cells, print_header

SETS = ("multirc", "fever", "hotpotqa", "2wikimultihopqa")
GRIDS: dict[str, dict[str, tuple[Any, ...]]] = {
    "learned": {
        "lexical": (0.0, 0.1, 0.2, 0.3, 0.5, 0.6, 0.75, 1.0, 1.5, 2.0),
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
Options = McseOptions | LearnedOptions


def choosing_rows(data: Path, name: str, n: int) -> list[Example]:
    """Return the first n rows of a set that are for choosing, in the order of the digests of their ids."""
    rows = [row for row in read_all(data, [name]) if row.part == "choose" and row.gold]
    rows.sort(key=lambda row: digest(row.id))
    return [
        Example(row.id, row.query, row.sentences, _gold_sets(row), label="True", tuning=True)
        for row in rows[:n]
    ]


def _gold_sets(row: Evidence) -> tuple[frozenset[int], ...]:
    """Return the sets of sentences that carry a query; sets of one sentence where one is enough."""
    single = [frozenset({index}) for index in sorted(row.also)] if len(row.gold) == 1 else []
    return (row.gold, *single)


def f1_of(examples: Sequence[Example], options: Options, tools: Tools) -> float:
    """Return F1 with these options over the rows of a set."""
    name = "learned" if isinstance(options, LearnedOptions) else "mcse"
    method = METHODS.choose(MethodChoice(name, options=options)).run
    searches = (method(example.claim, example.sentences, example.gold_size, tools) for example in examples)
    chosen: dict[int, list[int]] = {}
    for index, finished in run_searches(searches, tools):
        if finished.error is not None:
            raise finished.error
        assert finished.result is not None
        chosen[index] = [sentence.index for sentence in finished.result.evidence]
    pairs = [chosen_and_gold(chosen.get(at, []), own.gold, "gold") for at, own in enumerate(examples)]
    return overlap(pairs).f1


def climb(start: Options, grid: Mapping[str, Sequence[Any]], value: Callable[[Options], float]) -> Options:
    """Return the best options after two rounds of changing one option at a time; of equals
    the first tried.
    """
    best, best_value = start, value(start)
    for _ in range(2):
        before = best
        for name, choices in grid.items():
            for choice in choices:
                tried = best.model_copy(update={name: choice})
                if tried != best and (tried_value := value(tried)) > best_value:
                    best, best_value = tried, tried_value
        if best == before:
            break
    return best


def main() -> None:
    """Print every trial, and the options chosen."""
    parser = data_parser(__doc__)
    parser.add_argument("--within", action="store_true", help="choose mcse's weights, not those of learned")
    parser.add_argument("--model", default=None)
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--claims", type=int, default=200, help="rows of each set")
    arguments = parser.parse_args()
    data = data_folder(parser, arguments)

    def language_model() -> LanguageModel:
        return RememberingModel(probative.load_model(arguments.model, cache=False))

    tools = Tools(
        language_model,
        lambda: RememberingEncoder(probative.load_encoder()),
        lambda: RememberingPolicy(load_policy()),
    )
    names = arguments.sets.split(",")
    rows = {name: choosing_rows(data, name, arguments.claims) for name in names}
    print("rows:", ", ".join(f"{name} {len(rows[name])}" for name in names), end="\n\n")
    grid = GRIDS["mcse" if arguments.within else "learned"]
    print_header((*grid, *names, "mean"))

    @cache
    def value(options: Options) -> float:
        scores = [f1_of(rows[name], options, tools) for name in names]
        cells = [str(getattr(options, name)) for name in grid]
        print_cells([*cells, *(f"{score:.1f}" for score in (*scores, mean(scores)))])
        return mean(scores)

    start: Options = LearnedOptions()
    if arguments.within:
        start = PRESETS["fast"].model_copy(update={"learned": 1.0})
    chosen = climb(start, grid, value)
    print("\nchosen:", ", ".join(f"{name} {getattr(chosen, name)}" for name in grid))


if __name__ == "__main__":
    main()
