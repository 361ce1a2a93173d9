"""How well evidence is found: mcse, its ablations and the baselines, on four public data sets.

    python benchmarks/mcse.py --data DIR                    # the default and what needs no model
    python benchmarks/mcse.py --data DIR --rows all --model hf:PATH.gguf   # everything, on a GPU
    python benchmarks/mcse.py --data DIR --part 0/8 --out a.jsonl …        # an eighth; each claim is written
    python benchmarks/mcse.py --data DIR --read a.jsonl b.jsonl            # the table of what was written

Precision, recall and F1 count sentences over all claims; of several gold sets the one that fits best
counts. "True claims" are those that the text supports, which is what the method assumes; about half of
FEVER, MultiRC and HoVer is false. EM is the share of claims whose sentences are exactly a gold set. Tokens
are what the model and the encoder read for a claim, counted as if nothing were remembered from one row to
the next.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import probative
from evidence_data import SETS, Example, read_examples
from probative.models.contract import LanguageModel, Outcomes
from probative.models.exchange import Choice, Completion, Pair, Request, Score, Selection
from probative.models.wrapper import Wrapper

# Up to so many sentences are asked for; fewer are the first of them, since the search is greedy.
DEEPEST = {"multirc": 2, "fever": 1, "wice": 5, "hover": 5}
SHOWN: dict[str, tuple[int | str, ...]] = {
    "multirc": (1, 2),
    "fever": (1,),
    "wice": (3, 5, "gold"),
    "hover": (3, 5, "gold"),
}
# The look-ahead over a whole long text would take hours: these sets are filtered to so many sentences.
FILTERED = {"wice": 16, "hover": 16}

# The labels of claims that their text supports: those for which the method is meant.
TRUE = {"True", "SUPPORTS", "SUPPORTED", "supported"}
# Nothing about the search was chosen on these, so all their claims count.
UNTUNED = ("wice", "hover")

PAPER = {"preset": "paper", "policy": "pair"}
ROWS: dict[str, dict[str, dict[str, Any]]] = {
    "baselines": {
        "ROUGE": {"method": "rouge"},
        "BM25": {"method": "bm25"},
        "embedding": {"method": "embedding"},
    },
    "default": {"mcse (default: fast)": {}},
    "cheap": {
        "fast, without the prior": {"lexical": 0, "semantic": 0},
        "fast, BM25 only in the prior": {"semantic": 0},
        "fast, the subject's words counted": {"topic": False},
        "fast, without the collaborative part": {"collaborative": False},
        "fast, the plain prompt": {"grounded": False},
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
        "K within k": {**PAPER, "within_k": True},
        "N = 1": {**PAPER, "trajectories": 1},
        "N = 5": {**PAPER, "trajectories": 5},
    },
    "path": {"paper, policy over the whole path": {"preset": "paper"}},
}


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


@dataclass
class Figures:
    """How a row did."""

    precision: float
    recall: float
    f1: float
    f1_true: float
    exact: float
    tokens: float
    seconds: float
    claims: int
    failed: int


Chosen = dict[int, tuple[tuple[int, ...], int]]
"""By a claim's number, the sentences it was given and the tokens read for it."""


def figures(examples: Sequence[Example], found: Chosen, k: int | str, seconds: float) -> Figures:
    """The figures of one row at one k; a claim for which the method gave nothing counts as all missed."""
    sets = []
    for number, example in enumerate(examples):
        chosen = set(found.get(number, ((), 0))[0][: example.gold_size if k == "gold" else int(k)])
        gold = max(
            example.gold, key=lambda one: (len(one & chosen) / max(1, len(one) + len(chosen)), -len(one))
        )
        sets.append((chosen, gold))
    precision, recall, f1 = overlap(sets)
    true = [pair for pair, example in zip(sets, examples, strict=True) if example.label in TRUE]
    count = len(examples)
    return Figures(
        precision=precision,
        recall=recall,
        f1=f1,
        f1_true=overlap(true)[2],
        exact=100 * sum(chosen == gold for chosen, gold in sets) / count,
        tokens=sum(read for _, read in found.values()) / count,
        seconds=seconds / count,
        claims=count,
        failed=count - len(found),
    )


def overlap(sets: Sequence[tuple[set[int], frozenset[int]]]) -> tuple[float, float, float]:
    """Precision, recall and F1 of chosen sentences against gold ones, over all claims."""
    hits = sum(len(chosen & gold) for chosen, gold in sets)
    taken, wanted = sum(len(chosen) for chosen, _ in sets), sum(len(gold) for _, gold in sets)
    return 100 * hits / max(1, taken), 100 * hits / max(1, wanted), 200 * hits / max(1, taken + wanted)


def run_row(
    examples: Sequence[Example],
    name: str,
    settings: dict[str, Any],
    model: LanguageModel,
    together: int,
    out: Path | None = None,
    row: str = "",
) -> tuple[Chosen, float]:
    """The sentences each claim was given, and the tokens read for it; also written as lines, if asked for."""
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
    found = {}
    started = time.perf_counter()
    for number, outcome in probative.prove_all(cases, model=model, together=together, **settings):
        if isinstance(outcome, probative.ProbativeError):
            if not isinstance(outcome, probative.ModelError):
                raise outcome
        else:
            found[number] = (outcome.indexes, outcome.usage.tokens)
        if out is not None:
            indexes, tokens = found.get(number, (None, 0))
            line = {"set": name, "row": row, "id": examples[number].id, "indexes": indexes, "tokens": tokens}
            with out.open("a", encoding="utf-8") as lines:
                lines.write(json.dumps(line) + "\n")
        if sys.stderr.isatty():
            print(f"\r{name}: {len(found)}/{len(cases)} ", end="", file=sys.stderr)
    return found, time.perf_counter() - started


def main() -> None:
    """Run the rows and print a table a data set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=os.environ.get("PROBATIVE_DATA"))
    parser.add_argument("--model", default=None, help="embedded (the default), hf:NAME-or-path, …")
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--rows", default="baselines,default", help=f"all, or some of {', '.join(ROWS)}")
    parser.add_argument("--claims", type=int, default=200, help="claims of each set (50 of HoVer)")
    parser.add_argument("--tuning", action="store_true", help="the part that weights were chosen on")
    parser.add_argument("--together", type=int, default=64, help="claims under way at once")
    parser.add_argument("--part", default="0/1", help="only every n-th claim: i/n")
    parser.add_argument("--out", type=Path, help="also write what was found for each claim, as JSON lines")
    parser.add_argument("--read", type=Path, nargs="+", help="ask nothing: the rows that these files hold")
    arguments = parser.parse_args()
    if arguments.data is None:
        parser.error("--data DIR (or PROBATIVE_DATA) says where the data sets lie; see evidence_data.py")
    recorded = read_lines(arguments.read) if arguments.read else None
    groups = list(ROWS) if arguments.rows == "all" else arguments.rows.split(",")
    model = None if recorded else Remembering(probative.load_model(arguments.model, cache=False))
    for name in arguments.sets.split(","):
        examples = chosen_examples(arguments.data, name, arguments.claims, arguments.tuning)
        first, step = map(int, arguments.part.split("/"))
        examples = examples[first::step]
        if not examples:
            continue
        columns = ("method", "k", "precision", "recall", "F1", "F1, true claims", "EM", "tokens a claim")
        print(f"\n### {name}: {len(examples)} claims\n")
        print(f"| {' | '.join((*columns, 's a claim'))} |\n" + "| --- " * (len(columns) + 1) + "|")
        if recorded is not None:
            for (of, row), lines in recorded.items():
                if of == name:
                    found = {
                        number: (tuple(lines[one.id]["indexes"]), lines[one.id]["tokens"])
                        for number, one in enumerate(examples)
                        if one.id in lines and lines[one.id]["indexes"] is not None
                    }
                    missing = sum(one.id not in lines for one in examples)
                    note = f" ({missing} of {len(examples)} not asked)" if missing else ""
                    print_row(name, row + note, examples, found, 0.0)
            continue
        assert model is not None
        for row, settings in ((row, one) for group in groups for row, one in ROWS[group].items()):
            found, seconds = run_row(examples, name, settings, model, arguments.together, arguments.out, row)
            print_row(name, row, examples, found, seconds)


def chosen_examples(data: Path, name: str, most: int, tuning: bool) -> list[Example]:
    """The claims that figures are given of, or those that weights were chosen on."""
    claims = read_examples(data, name)
    return [one for one in claims if name in UNTUNED or one.tuning == tuning][:most]


def read_lines(files: Sequence[Path]) -> dict[tuple[str, str], dict[str, dict[str, Any]]]:
    """What was written for each claim's id, by set and row; the last line counts."""
    found: dict[tuple[str, str], dict[str, dict[str, Any]]] = {}
    for file in files:
        for line in file.read_text(encoding="utf-8").splitlines():
            one = json.loads(line)
            found.setdefault((one["set"], one["row"]), {})[one["id"]] = one
    return found


def print_row(name: str, row: str, examples: Sequence[Example], found: Chosen, seconds: float) -> None:
    """The figures of a row, a line for each k."""
    for k in SHOWN[name]:
        got = figures(examples, found, k, seconds)
        failed = f" ({got.failed} gave nothing)" if got.failed else ""
        values = (got.precision, got.recall, got.f1, got.f1_true, got.exact)
        shown = " | ".join(f"{value:.1f}" for value in values)
        print(f"| {row}{failed} | {k} | {shown} | {got.tokens:,.0f} | {got.seconds:.2f} |", flush=True)


if __name__ == "__main__":
    main()
