"""How well evidence is found: mcse, its variants, the evidence policy and the baselines, on claims and
questions with gold sentences.

Precision, recall and F1 count sentences over all claims; of several gold sets the one that fits best counts.
"True claims" are those that the text supports, which the method assumes; about half of FEVER, MultiRC and
HoVer is false. Tokens are what the models read for a claim, as if no result were kept from one method to the
next.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from probative.bench.arguments import Names, is_on
from probative.bench.data.claims import DEEPEST, FILTERED, MULTIHOP, SETS, SHOWN, TITLED, chosen_examples
from probative.bench.data.files import draw
from probative.bench.evidence_figures import CROSS_ENCODER, LANGUAGE_MODEL, chosen_and_gold, evidence_metrics
from probative.bench.experiment import Case, Lab, Settings
from probative.bench.experiments.mcse_study.study import OWN_FAULTS, check_options, search_options
from probative.bench.findings import counted, difference_finding, joined
from probative.bench.metrics import set_f1
from probative.bench.report import Report, Table
from probative.bench.rows import Row, counted_rows
from probative.bench.statistics import first_against
from probative.bench.study import Study
from probative.bench.tables import (
    Rows,
    build_table,
    groups_by,
    known_cells,
    paired_rows,
    rows_of,
    table_bars,
)
from probative.mcse.proof import Proof

PAPER = {"preset": "paper", "policy": "pair"}
# The learned policy in the independent part, with the other weights that training.policy.fusion chose.
LEARNED = {"learned": 1.0, "lexical": 4.0, "lam": 2.0}
# The prior of `fast` that was chosen for the plain model.
PLAIN = {"lexical": 4, "semantic": 1, "proximity": 1.5}

METHODS: dict[str, dict[str, dict[str, Any]]] = {
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
        "fast, the subject's words counted": {"ignore_topic": False},
        "fast, without the collaborative part": {"collaborative": False},
        "fast, the plain prompt": {"grounded": False},
        "paper without look-ahead": {**PAPER, "lookahead": 0},
    },
    "plain": {
        "fast": PLAIN,
        "fast, BM25 and embeddings off (proximity kept)": {**PLAIN, "lexical": 0, "semantic": 0},
        "fast, embeddings off": {**PLAIN, "semantic": 0},
        "fast, the subject's words counted": {**PLAIN, "ignore_topic": False},
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

# Claims of each set, unless --limit says otherwise.
CLAIMS = 200
GROUPS = Names("methods", ("baselines", "learned", "default"), tuple(METHODS))
TITLES = {
    "multirc": "MultiRC",
    "fever": "FEVER",
    "wice": "WiCE",
    "hover": "HoVer",
    TITLED: "HoVer with page titles",
    "hotpotqa": "HotpotQA",
    "2wikimultihopqa": "2WikiMultihopQA",
}


class Evidence(Study):
    """Chooses sentences for each claim with each method.

    Options: `sets` are data sets, `methods` groups of methods, with commas between names; `tuning=true` takes
    the claims that settings were tuned on; options of mcse (`lexical=4`) change every method that runs mcse.
    """

    name = "evidence"
    title = "Which method finds the sentences that prove a claim?"
    shown_as = "results, evidence"
    limit_of = "claims of each set, each of which is a case with every method"
    data = ("multirc", "fever", "wice", "hover", "hotpotqa", "2wikimultihopqa")
    sets = Names("sets", SETS, SETS)
    arms = GROUPS
    verbs = frozenset({"score"})
    calls_per_case = 20.0

    def data_of(self, settings: Settings) -> tuple[str, ...]:
        names = ("hover" if name == TITLED else name for name in self.sets.chosen(settings))
        return tuple(dict.fromkeys(names))

    def cases(self, settings: Settings) -> list[Case]:
        """Return `limit` claims of each set (200 without a limit) for each method."""
        check_options(settings, "sets", "methods", "tuning")
        methods = methods_of(settings)
        cases = []
        for name in self.sets.chosen(settings):
            tuning = is_on(settings, "tuning")
            # Of FEVER and MultiRC the reported claims are the first ones.
            n = None if name in MULTIHOP else max(settings.limit or 0, CLAIMS)
            reported = chosen_examples(settings.data, name, n, tuning)
            examples = draw(reported, settings.limit or CLAIMS, settings.seed)
            cases += [
                Case(f"{name}/{method}/{example.id}", (name, method, example))
                for example in examples
                for method in methods
            ]
        return cases

    def answer(self, case: Case, lab: Lab) -> Row:
        name, method, example = case.content
        arguments = with_filter(methods_of(lab.settings)[method], name)
        k = max(DEEPEST[name], example.gold_size if "gold" in SHOWN[name] else 1)
        row: Row = {
            "set": name,
            "method": method,
            "id": example.id,
            "gold": [sorted(gold) for gold in example.gold],
            "label": example.label,
        }
        try:
            proof = lab.session.prove(example.claim, example.sentences, k=k, verdict=False, **arguments)
        except OWN_FAULTS as error:
            return {**row, "indexes": None, "problem": f"{type(error).__name__}: {error.what}"}
        return {
            **row,
            "indexes": list(proof.indexes),
            "tokens": proof.usage.tokens,
            "multiply_adds": multiply_adds(proof),
        }

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        good = counted_rows(rows)
        tables, shown = [], []
        for name in self.sets.chosen(settings):
            if own := rows_of(good, set=name):
                tables += [_table(own, name, k) for k in SHOWN[name]]
                shown.append(tables[-1])
        tests = paired_rows(
            "Paired tests of the F1 of each claim",
            good,
            _claim_f1,
            first_against(main_method(settings), methods_of(settings)),
            by=lambda row: TITLES[row["set"]],
            case="id",
        )
        return Report(
            tables=(*tables, *tests),
            plots=table_bars("F1 by method", shown, "F1"),
            findings=(*_reached(shown, settings), difference_finding(tests, "F1", "claim"), *_failures(good)),
        )


def methods_of(settings: Settings) -> dict[str, dict[str, Any]]:
    """Return the methods of the groups that the option `methods` names, with the arguments of `prove`.

    >>> from pathlib import Path
    >>> methods_of(Settings(Path("."), options={"methods": "default", "lexical": 4}))
    {'mcse (default: fast)': {'lexical': 4}}
    """
    groups = GROUPS.chosen(settings)
    changes = search_options(settings)
    return {
        method: dict(arguments) if "method" in arguments else {**arguments, **changes}
        for group in groups
        for method, arguments in METHODS[group].items()
    }


def with_filter(arguments: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return the arguments with fewer candidates where a look-ahead over a long text would take hours."""
    looks_ahead = arguments.get("preset") in ("paper", "full") and arguments.get("lookahead") != 0
    if looks_ahead and name in FILTERED:
        return {"max_candidates": FILTERED[name], **arguments}
    return dict(arguments)


def multiply_adds(proof: Proof) -> float:
    """Return the multiply-adds of the embedded models' weights for the tokens of a proof.

    Scored and written tokens are the language model's; other tokens are the encoder's or the policy's, unless
    text was written.
    """
    usage = proof.usage
    others = LANGUAGE_MODEL if usage.completion_tokens else CROSS_ENCODER
    own = usage.scored_tokens + usage.completion_tokens
    return float(own * LANGUAGE_MODEL + usage.prompt_tokens * others)


def _table(rows: Rows, name: str, k: int | str) -> Table:
    shown = "as many sentences as gold" if k == "gold" else f"top {k}"
    groups = groups_by(rows, "method")
    return build_table(f"{TITLES[name]}, {shown}", "method", evidence_metrics(k), groups)


def _claim_f1(row: Row) -> float:
    return set_f1(*chosen_and_gold(row["indexes"] or (), row["gold"], SHOWN[row["set"]][-1]))


def main_method(settings: Settings) -> str:
    """Return the default of `prove`; in a run without it, the evidence policy, or else the first method."""
    methods = list(methods_of(settings))
    preferred = [name for group in ("default", "learned") for name in METHODS[group] if name in methods]
    return (preferred or methods)[0]


def _reached(tables: Sequence[Table], settings: Settings) -> list[str]:
    """Return a sentence with the F1 of the main method on each set."""
    main = main_method(settings)
    reached = [
        f"{cell.value:.1f} on {table.title.partition(',')[0]} (n = {cell.n})"
        for table in tables
        for name, (cell,) in known_cells(table, "F1")
        if name == main
    ]
    return [f"{main} has an F1 of {joined(reached)}."] if reached else []


def _failures(rows: Sequence[Row]) -> tuple[str, ...]:
    """Return a sentence on each method that gave no usable output for some claims."""
    failed = Counter(row["method"] for row in rows if row["indexes"] is None)
    return tuple(
        f"{method} gave no usable output for {counted(count, 'claim')}, counted as missed."
        for method, count in failed.items()
    )
