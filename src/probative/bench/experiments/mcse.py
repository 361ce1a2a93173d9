r"""Measure how well evidence is found: mcse, its ablations, the learned policy and the baselines, on public
sets.

    python -m probative.bench.experiments.mcse --data DIR  # the default and the methods without a model
    python -m probative.bench.experiments.mcse --data DIR --rows baselines,learned
    python -m probative.bench.experiments.mcse --data DIR --rows all --model hf:PATH.gguf
    python -m probative.bench.experiments.mcse --data DIR --rows default --model embedded:plain \
        --option lexical=4 --option semantic=1 --option proximity=1.5
    python -m probative.bench.experiments.mcse --data DIR --part 0/8 --out a.jsonl …
    python -m probative.bench.experiments.mcse --data DIR --read a.jsonl b.jsonl

Precision, recall and F1 count sentences over all claims; of several gold sets the one that fits best
counts. "True claims" are those that the text supports, which the method assumes; about half of FEVER, MultiRC
and HoVer is false. "All gold" is the share of claims with a whole gold set among the sentences, EM of those
whose sentences are exactly a gold set. In brackets are 95% intervals. Tokens are what the models read for a
claim, counted as if no result were kept from one row to the next; multiply-adds are those of the embedded
models' weights. `--option` changes an option of mcse in every row that runs mcse.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

import probative
from probative.bench.arguments import (
    data_folder,
    experiment_parser,
    parse_options,
    show_progress,
    take_part,
)
from probative.bench.data.evidence import Example
from probative.bench.data.evidence_sets import DEEPEST, FILTERED, SETS, SHOWN, chosen_examples
from probative.bench.evidence_figures import CROSS_ENCODER, LANGUAGE_MODEL, Chosen, figures
from probative.bench.experiments.mcse_methods import ROWS, WITHOUT_MODEL
from probative.bench.models import RememberingModel
from probative.bench.rows import Row, append_rows, print_cells, print_header, read_rows
from probative.models.contract import LanguageModel

COLUMNS = (
    "method",
    "k",
    "precision",
    "recall",
    "F1",
    "F1, true claims",
    "all gold",
    "EM",
    "tokens a claim",
    "G multiply-adds",
    "s a claim",
)


def run_row(
    examples: Sequence[Example],
    set_name: str,
    settings: Mapping[str, Any],
    model: LanguageModel | None,
    max_active: int,
    out: Path | None = None,
    row: str = "",
) -> tuple[dict[int, Chosen], float]:
    """Return the sentences chosen for each example by its index, and the seconds for all.

    `settings` are the keyword arguments of `prove_all`. With `out`, each result is appended to a file.
    """
    cases = [
        probative.ProveCase(
            claim=example.claim,
            sentences=example.sentences,
            k=max(DEEPEST[set_name], example.gold_size if "gold" in SHOWN[set_name] else 1),
        )
        for example in examples
    ]
    settings = dict(settings)
    if (
        settings.get("preset") in ("paper", "full")
        and settings.get("lookahead") != 0
        and set_name in FILTERED
    ):
        settings["max_candidates"] = FILTERED[set_name]
    chosen: dict[int, Chosen] = {}
    asked: str | None = None
    started = time.perf_counter()
    outcomes = probative.prove_all(cases, model=model, max_active=max_active, **settings)
    for done, (index, outcome) in enumerate(outcomes, 1):
        line: Row = {"set": set_name, "row": row, "id": examples[index].id, "indexes": None, "tokens": 0}
        if isinstance(outcome, probative.Proof):
            chosen[index] = Chosen(outcome.indexes, outcome.usage.tokens, multiply_adds(outcome))
            line |= asdict(chosen[index])
            asked = outcome.model
        elif not isinstance(outcome, probative.ModelError):
            raise outcome
        append_rows(out, [{**line, "model": asked}])
        show_progress(set_name, done, len(cases))
    return chosen, time.perf_counter() - started


def multiply_adds(proof: probative.Proof) -> float:
    """Return the multiply-adds of the embedded models' weights for the tokens of a proof.

    Scored and written tokens are the language model's; other tokens are the encoder's or the policy's, unless
    text was written.
    """
    usage = proof.usage
    others = LANGUAGE_MODEL if usage.completion_tokens else CROSS_ENCODER
    own = usage.scored_tokens + usage.completion_tokens
    return float(own * LANGUAGE_MODEL + usage.prompt_tokens * others)


def main() -> None:
    """Run the rows and print a table for each data set."""
    parser = experiment_parser(__doc__)
    parser.add_argument("--model", default=None, help="embedded (the default), embedded:plain, hf:NAME, …")
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--rows", default="baselines,default", help=f"all, or some of {', '.join(ROWS)}")
    parser.add_argument(
        "--option", action="append", metavar="NAME=VALUE", help="an option of mcse; may be repeated"
    )
    parser.add_argument("--claims", type=int, default=200, help="claims of each set (50 of HoVer)")
    parser.add_argument("--tuning", action="store_true", help="the claims that settings were tuned on")
    parser.add_argument("--max-active", type=int, default=64, help="claims in progress at once")
    arguments = parser.parse_args()
    data = data_folder(parser, arguments)
    groups = list(ROWS) if arguments.rows == "all" else arguments.rows.split(",")
    rows = with_options(
        {row: settings for group in groups for row, settings in ROWS[group].items()},
        parse_options(arguments.option),
    )

    @cache
    def model() -> LanguageModel:
        return RememberingModel(probative.load_model(arguments.model, cache=False))

    for set_name in arguments.sets.split(","):
        examples = chosen_examples(data, set_name, arguments.claims, arguments.tuning)
        examples = take_part(examples, arguments.part)
        if not examples:
            continue
        asks = not arguments.read and any(needs_model(settings) for settings in rows.values())
        print(f"\n### {set_name}: {len(examples)} claims{f', {model().name}' if asks else ''}\n")
        print_header(COLUMNS)
        if arguments.read:
            print_recorded(set_name, examples, arguments.read)
            continue
        for row, settings in rows.items():
            opened = model() if needs_model(settings) else None
            chosen, seconds = run_row(
                examples, set_name, settings, opened, arguments.max_active, arguments.out, row
            )
            print_row(set_name, row, examples, chosen, seconds)


def with_options(
    rows: Mapping[str, Mapping[str, Any]], options: Mapping[str, object]
) -> dict[str, dict[str, Any]]:
    """Return the rows, those of mcse with these options changed and named.

    >>> with_options({"mcse": {}, "BM25": {"method": "bm25"}}, {"lexical": 4})
    {'mcse, lexical=4': {'lexical': 4}, 'BM25': {'method': 'bm25'}}
    """
    suffix = "".join(f", {name}={value}" for name, value in options.items())
    return {
        row if "method" in settings else row + suffix: (
            dict(settings) if "method" in settings else {**settings, **options}
        )
        for row, settings in rows.items()
    }


def needs_model(settings: Mapping[str, Any]) -> bool:
    """Return whether a row asks a language model."""
    return settings.get("method") not in WITHOUT_MODEL


def print_recorded(set_name: str, examples: Sequence[Example], files: Sequence[Path]) -> None:
    """Print the rows of a set that were recorded in files, each with the model that ran."""
    recorded: dict[str, dict[str, Row]] = {}
    for line in read_rows(files, ("set", "row", "model", "id")):
        if line["set"] == set_name:
            row = f"{line['row']} [{line['model']}]" if line.get("model") else line["row"]
            recorded.setdefault(row, {})[line["id"]] = line
    for row, lines in recorded.items():
        chosen = {
            index: read_chosen(lines[example.id])
            for index, example in enumerate(examples)
            if example.id in lines and lines[example.id]["indexes"] is not None
        }
        missing = sum(example.id not in lines for example in examples)
        note = f" ({missing} of {len(examples)} not asked)" if missing else ""
        print_row(set_name, row + note, examples, chosen, 0.0)


def read_chosen(line: Row) -> Chosen:
    """Return the result that a line records."""
    return Chosen(tuple(line["indexes"]), line["tokens"], line.get("multiply_adds", 0.0))


def print_row(
    set_name: str, row: str, examples: Sequence[Example], chosen: Mapping[int, Chosen], seconds: float
) -> None:
    """Print the figures of a row, a line for each k."""
    for k in SHOWN[set_name]:
        got = figures(examples, chosen, k, seconds)
        failed = f" ({got.failed} without a result)" if got.failed else ""
        print_cells(
            (
                f"{row}{failed}",
                str(k),
                f"{got.precision:.1f}",
                f"{got.recall:.1f}",
                f"{got.f1:.1f} [{got.f1_interval.low:.1f}, {got.f1_interval.high:.1f}]",
                f"{got.f1_true:.1f}",
                f"{got.all_gold:.1f} [{got.all_gold_interval.low:.1f}, {got.all_gold_interval.high:.1f}]",
                f"{got.exact:.1f}",
                f"{got.tokens:,.0f}",
                f"{got.multiply_adds / 1e9:,.1f}",
                f"{got.seconds:.2f}",
            )
        )


if __name__ == "__main__":
    main()
