"""How well evidence is found: mcse, its ablations, the learned policy and the baselines, on public data sets.

    python -m probative.bench.experiments.mcse --data DIR  # the default and what needs no model
    python -m probative.bench.experiments.mcse --data DIR --rows baselines,learned
    python -m probative.bench.experiments.mcse --data DIR --rows all --model hf:PATH.gguf
    python -m probative.bench.experiments.mcse --data DIR --part 0/8 --out a.jsonl …
    python -m probative.bench.experiments.mcse --data DIR --read a.jsonl b.jsonl

Precision, recall and F1 count sentences over all claims; of several gold sets the one that fits best
counts. "True claims" are those that the text supports, which is what the method assumes; about half of
FEVER, MultiRC and HoVer is false. "All gold" is the share of claims with a whole gold set among the
sentences, EM of those whose sentences are exactly one. In brackets are 95% intervals. Tokens are what the
models read for a claim, counted as if nothing were remembered from one row to the next; multiply-adds are
those of the embedded models' weights.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

import probative
from probative.bench.data.evidence import Example
from probative.bench.data.evidence_sets import DEEPEST, FILTERED, SETS, SHOWN, chosen_examples
from probative.bench.evidence_figures import (
    CROSS_ENCODER,
    LANGUAGE_MODEL,
    Chosen,
    figures,
)
from probative.models.contract import LanguageModel, Outcomes
from probative.models.types import Choice, Completion, Pair, Request, Score, Selection
from probative.models.wrappers.wrapper import Wrapper

PAPER = {"preset": "paper", "policy": "pair"}
# The prior of `fast` that was chosen for the plain model.
PLAIN = {"lexical": 4, "semantic": 1, "proximity": 1.5}
# The learned policy in the independent part, and what was best beside it: see policy_fusion.py.
LEARNED = {"learned": 1.0, "lexical": 4.0, "lam": 2.0}
# Methods that ask no language model.
WITHOUT_MODEL = ("rouge", "bm25", "embedding", "learned")

ROWS: dict[str, dict[str, dict[str, Any]]] = {
    "baselines": {
        "ROUGE": {"method": "rouge"},
        "BM25": {"method": "bm25"},
        "embedding": {"method": "embedding"},
    },
    "beam": {"learned, beam of 4": {"method": "learned", "beam": 4}},
    "learned": {
        "learned": {"method": "learned", "lexical": 0},
        "learned + BM25": {"method": "learned"},
    },
    "default": {"mcse (default: fast)": {}},
    "within": {
        "learned within mcse (fast)": LEARNED,
        "learned within mcse (full)": {"preset": "full", "policy": "learned", **LEARNED},
        "learned policy, paper's reward": {**PAPER, "policy": "learned"},
    },
    "cheap": {
        "fast, BM25 off (proximity kept)": {"lexical": 0, "semantic": 0},
        "fast, the plain model's weights": PLAIN,
        "fast, BM25 and embeddings in the prior": {"semantic": 0.5},
        "fast, the subject's words counted": {"topic": False},
        "fast, without the collaborative part": {"collaborative": False},
        "fast, the plain prompt": {"grounded": False},
        "paper without look-ahead": {**PAPER, "lookahead": 0},
    },
    "plain": {
        "fast": PLAIN,
        "fast, BM25 and embeddings off (proximity kept)": {**PLAIN, "lexical": 0, "semantic": 0},
        "fast, embeddings off": {**PLAIN, "semantic": 0},
        "fast, the subject's words counted": {**PLAIN, "topic": False},
        "fast, without the collaborative part": {**PLAIN, "collaborative": False},
        "fast, the plain prompt": {**PLAIN, "grounded": False},
        "paper without look-ahead": {**PAPER, "lookahead": 0},
    },
    "llm": {
        "LLM picks": {"method": "llm-pick"},
        "LLM reranks": {"method": "llm-rerank"},
        "RankGPT": {"method": "rankgpt"},
    },
    "search": {
        "mcse full (prior and look-ahead)": {"preset": "full"},
        "paper": PAPER,
        "without the grounding prompt": {**PAPER, "grounded": False},
        "without the collaborative part": {**PAPER, "collaborative": False},
        "without the independent part": {**PAPER, "independent": False},
        "without look-ahead": {**PAPER, "lookahead": 0},
        "random policy": {**PAPER, "policy": "random"},
        "K = 1": {**PAPER, "lookahead": 1},
        "K = 2": {**PAPER, "lookahead": 2},
        "K within k": {**PAPER, "lookahead_within_k": True},
        "N = 1": {**PAPER, "trajectories": 1},
        "N = 5": {**PAPER, "trajectories": 5},
    },
    "path": {"paper, policy over the whole path": {"preset": "paper"}},
}


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


class Remembering(Wrapper):
    """Keeps results from row to row, with what they cost the first time."""

    def __init__(self, inner: LanguageModel) -> None:
        super().__init__(inner)
        self._known: dict[Any, Any] = {}

    def _around(self, verb: str, asked: Sequence[Any], call: Any) -> Outcomes[Any]:
        keys = [_key(item) for item in asked]
        missing = {key: place for place, key in enumerate(keys) if key not in self._known}
        places = list(missing.values())
        failed: dict[Any, Any] = {}
        for number, outcome in call([asked[place] for place in places]):
            into = self._known if isinstance(outcome, Score | Completion | Choice) else failed
            into[keys[places[number]]] = outcome
        for place, key in enumerate(keys):
            yield place, self._known[key] if key in self._known else failed[key]


def _key(item: Pair | Request | Selection) -> Any:
    return (item.prompt, item.continuation) if isinstance(item, Pair) else item.to_json()


def run_row(
    examples: Sequence[Example],
    name: str,
    settings: dict[str, Any],
    model: LanguageModel | None,
    max_active: int,
    out: Path | None = None,
    row: str = "",
) -> tuple[dict[int, Chosen], float]:
    """What each claim was given, and the seconds for all; also written as lines, if asked for."""
    cases = [
        probative.ProveCase(
            claim=one.claim,
            sentences=one.sentences,
            k=max(DEEPEST[name], one.gold_size if "gold" in SHOWN[name] else 1),
        )
        for one in examples
    ]
    settings = dict(settings)
    if settings.get("preset") in ("paper", "full") and settings.get("lookahead") != 0 and name in FILTERED:
        settings["candidates"] = FILTERED[name]
    found: dict[int, Chosen] = {}
    asked = None
    started = time.perf_counter()
    for number, outcome in probative.prove_all(cases, model=model, max_active=max_active, **settings):
        if isinstance(outcome, probative.ProbativeError):
            if not isinstance(outcome, probative.ModelError):
                raise outcome
        else:
            found[number] = Chosen(outcome.indexes, outcome.usage.tokens, multiply_adds(outcome))
            asked = outcome.model
        if out is not None:
            got = asdict(found[number]) if number in found else {"indexes": None, "tokens": 0}
            line = {"set": name, "row": row, "id": examples[number].id, **got, "model": asked}
            with out.open("a", encoding="utf-8") as lines:
                lines.write(json.dumps(line) + "\n")
        if sys.stderr.isatty():
            print(f"\r{name}: {len(found)}/{len(cases)} ", end="", file=sys.stderr)
    return found, time.perf_counter() - started


def multiply_adds(proof: probative.Proof) -> float:
    """Of the embedded models' weights, for what was read and written: scoring is the language model's; other
    reading is the encoder's or the policy's where no text was written.
    """
    usage = proof.usage
    others = LANGUAGE_MODEL if usage.completion_tokens else CROSS_ENCODER
    written = usage.scored_tokens + usage.completion_tokens
    return float(written * LANGUAGE_MODEL + usage.prompt_tokens * others)


def main() -> None:
    """Run the rows and print a table a data set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=os.environ.get("PROBATIVE_DATA"))
    parser.add_argument("--model", default=None, help="embedded (the default), embedded:plain, hf:NAME, …")
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--rows", default="baselines,default", help=f"all, or some of {', '.join(ROWS)}")
    parser.add_argument("--claims", type=int, default=200, help="claims of each set (50 of HoVer)")
    parser.add_argument("--tuning", action="store_true", help="the part that weights were chosen on")
    parser.add_argument("--max-active", type=int, default=64, help="claims under way at once")
    parser.add_argument("--part", default="0/1", help="only every n-th claim: i/n")
    parser.add_argument("--out", type=Path, help="also write what was found for each claim, as JSON lines")
    parser.add_argument("--read", type=Path, nargs="+", help="ask nothing: the rows that these files hold")
    arguments = parser.parse_args()
    if arguments.data is None:
        parser.error("--data DIR (or PROBATIVE_DATA) says where the data sets lie; see evidence_data.py")
    recorded = read_lines(arguments.read) if arguments.read else None
    groups = list(ROWS) if arguments.rows == "all" else arguments.rows.split(",")

    @cache
    def model() -> LanguageModel:
        return Remembering(probative.load_model(arguments.model, cache=False))

    for name in arguments.sets.split(","):
        examples = chosen_examples(arguments.data, name, arguments.claims, arguments.tuning)
        first, step = map(int, arguments.part.split("/"))
        examples = examples[first::step]
        if not examples:
            continue
        rows = [(row, one) for group in groups for row, one in ROWS[group].items()]
        asking = recorded is None and any(one.get("method") not in WITHOUT_MODEL for _, one in rows)
        by = f", {model().name}" if asking else ""
        print(f"\n### {name}: {len(examples)} claims{by}\n")
        print(f"| {' | '.join(COLUMNS)} |\n" + "| --- " * len(COLUMNS) + "|")
        if recorded is not None:
            for (of, row), lines in recorded.items():
                if of == name:
                    found = {
                        number: read_line(lines[one.id])
                        for number, one in enumerate(examples)
                        if one.id in lines and lines[one.id]["indexes"] is not None
                    }
                    missing = sum(one.id not in lines for one in examples)
                    note = f" ({missing} of {len(examples)} not asked)" if missing else ""
                    print_row(name, row + note, examples, found, 0.0)
            continue
        for row, settings in rows:
            opened = None if settings.get("method") in WITHOUT_MODEL else model()
            found, seconds = run_row(
                examples, name, settings, opened, arguments.max_active, arguments.out, row
            )
            print_row(name, row, examples, found, seconds)


def read_lines(files: Sequence[Path]) -> dict[tuple[str, str], dict[str, dict[str, Any]]]:
    """What was written for each claim's id, by set and row; the last line counts."""
    found: dict[tuple[str, str], dict[str, dict[str, Any]]] = {}
    for file in files:
        for line in file.read_text(encoding="utf-8").splitlines():
            one = json.loads(line)
            row = f"{one['row']} [{one['model']}]" if one.get("model") else one["row"]
            found.setdefault((one["set"], row), {})[one["id"]] = one
    return found


def read_line(line: dict[str, Any]) -> Chosen:
    """What was written of a claim."""
    return Chosen(tuple(line["indexes"]), line["tokens"], line.get("multiply_adds", 0.0))


def print_row(
    name: str, row: str, examples: Sequence[Example], found: dict[int, Chosen], seconds: float
) -> None:
    """The figures of a row, a line for each k."""
    for k in SHOWN[name]:
        got = figures(examples, found, k, seconds)
        failed = f" ({got.failed} gave nothing)" if got.failed else ""
        cells = (
            f"{row}{failed}",
            str(k),
            f"{got.precision:.1f}",
            f"{got.recall:.1f}",
            f"{got.f1:.1f} [{got.f1_range[0]:.1f}, {got.f1_range[1]:.1f}]",
            f"{got.f1_true:.1f}",
            f"{got.all_gold:.1f} [{got.all_gold_range[0]:.1f}, {got.all_gold_range[1]:.1f}]",
            f"{got.exact:.1f}",
            f"{got.tokens:,.0f}",
            f"{got.multiply_adds / 1e9:,.1f}",
            f"{got.seconds:.2f}",
        )
        print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
