"""How well evidence is found: mcse, its variants, the evidence policy and the baselines, on claims and
questions with gold sentences.

"True claims" are those that the text supports, which the method assumes; about half of FEVER, MultiRC and
HoVer is false. Tokens are what the models read for a claim, as if no result were kept from one method to the
next.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from probative.bench.data import claims as evidence_sets
from probative.bench.data.claims import SHOWN, TITLED, Example
from probative.bench.data.files import draw
from probative.bench.families.arms import read_arms
from probative.bench.families.evidence import CROSS_ENCODER, LANGUAGE_MODEL, Top, claim_f1, evidence_metrics
from probative.bench.families.mcse import OWN_FAULTS, fault_text, search_options
from probative.bench.findings import compared, counted, joined
from probative.bench.report import Table
from probative.bench.rows import Row
from probative.bench.statistics import first_against
from probative.bench.study import Case, Lab, Names, Settings, Study
from probative.bench.tables import PairedSpec, Results, TableSpec, bars, known_cells
from probative.mcse.options import McseOptions
from probative.mcse.result import Proof

METHODS = read_arms("evidence")
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


def methods_of(settings: Settings) -> dict[str, dict[str, Any]]:
    """Return the methods of the groups that the option `methods` names, with the arguments of `prove`.

    >>> from pathlib import Path
    >>> methods_of(Settings(Path("."), options={"methods": "default", "lexical": 4}))
    {'mcse (default: fast)': {'lexical': 4}}
    """
    changes = search_options(settings)
    return {
        method: dict(arguments) if "method" in arguments else {**arguments, **changes}
        for group in GROUPS.chosen(settings)
        for method, arguments in METHODS[group].items()
    }


def with_filter(arguments: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return the arguments with fewer candidates where a look-ahead over a long text would take hours."""
    looks_ahead = arguments.get("preset") in ("paper", "full") and arguments.get("lookahead") != 0
    fewer = evidence_sets.FILTERED.get(name) if looks_ahead else None
    return dict(arguments) if fewer is None else {"max_candidates": fewer, **arguments}


def multiply_adds(proof: Proof) -> float:
    """Return the multiply-adds of the embedded models' weights for the tokens of a proof.

    Scored and written tokens are the language model's; other tokens are the encoder's or the policy's, unless
    text was written.
    """
    usage = proof.usage
    others = LANGUAGE_MODEL if usage.completion_tokens else CROSS_ENCODER
    scored_or_written = usage.scored_tokens + usage.completion_tokens
    return float(scored_or_written * LANGUAGE_MODEL + usage.prompt_tokens * others)


def main_method(methods: Sequence[str]) -> str:
    """Return the default of `prove`; in a run without it, the evidence policy, or else the first method."""
    preferred = [name for group in ("default", "learned") for name in METHODS[group] if name in methods]
    return (preferred or methods)[0]


def _shown(k: Top) -> str:
    return "as many sentences as gold" if k == "gold" else f"top {k}"


def _table(k: Top) -> TableSpec:
    return TableSpec(
        f"{{}}, {_shown(k)}",
        "method",
        evidence_metrics(k),
        each="set",
        names=TITLES,
        where=lambda row: k in SHOWN[row["set"]],
    )


def _is_main(table: Table) -> bool:
    """Return whether a table has the last k of its set, for which arms are compared."""
    return table.title in {f"{TITLES[name]}, {_shown(tops[-1])}" for name, tops in SHOWN.items()}


def _reached(results: Results) -> Iterator[str]:
    """Yield a sentence with the F1 of the main method on each set."""
    main = main_method(list(dict.fromkeys(row["method"] for row in results.rows)) or [""])
    reached = [
        f"{cell.value:.1f} on {table.title.partition(',')[0]} (n = {cell.n})"
        for table in filter(_is_main, results.tables)
        for name, (cell,) in known_cells(table, "F1")
        if name == main
    ]
    if reached:
        yield f"{main} has an F1 of {joined(reached)}."


def _failures(results: Results) -> Iterator[str]:
    """Yield a sentence on each method that gave no usable output for some claims."""
    failed = Counter(row["method"] for row in results.rows if row["indexes"] is None)
    for method, count in failed.items():
        yield f"{method} gave no usable output for {counted(count, 'claim')}, counted as missed."


class Evidence(Study):
    """Chooses sentences for each claim with each method.

    `methods` are groups of methods; `tuning=true` takes the claims that settings were tuned on; options of
    mcse (`lexical=4`) change every method that runs mcse.
    """

    name = "evidence"
    title = "Which method finds the sentences that prove a claim?"
    paper_reference = "results, evidence"
    limit_of = "claims of each set, each of which is a case with every method"
    data = ("multirc", "fever", "wice", "hover", "hotpotqa", "2wikimultihopqa")
    sets = Names("sets", evidence_sets.SETS, evidence_sets.SETS)
    arms = GROUPS
    options = ("tuning", *McseOptions.model_fields)
    verbs = frozenset({"score"})
    calls_per_case = 20.0
    tables = (_table(1), _table(2), _table(3), _table(5), _table("gold"))
    tests = (
        PairedSpec(
            "Paired tests of the F1 of each claim",
            lambda row: claim_f1(SHOWN[row["set"]][-1])(row),
            lambda methods: first_against(main_method(methods), methods),
            by=lambda row: TITLES[row["set"]],
            case="id",
        ),
    )
    plots = (bars("F1 by method", "F1", _is_main),)
    findings = (_reached, compared("F1", "claim"), _failures)

    def data_of(self, settings: Settings) -> tuple[str, ...]:
        names = ("hover" if name == TITLED else name for name in self.sets.chosen(settings))
        return tuple(dict.fromkeys(names))

    def items(self, settings: Settings, name: str) -> list[Example]:
        # Of FEVER and MultiRC the reported claims are the first ones.
        n = None if name in evidence_sets.MULTIHOP else max(settings.limit or 0, CLAIMS)
        reported = evidence_sets.chosen_examples(settings.data, name, n, settings.is_on("tuning"))
        return draw(reported, settings.limit or CLAIMS, settings.seed)

    def arms_of(self, settings: Settings, name: str) -> list[str]:
        return list(methods_of(settings))

    def answer(self, case: Case, lab: Lab) -> Row:
        claim: Example = case.content
        arguments = with_filter(methods_of(lab.settings)[case.arm], case.set)
        k = max(evidence_sets.DEEPEST[case.set], claim.gold_size if "gold" in SHOWN[case.set] else 1)
        row: Row = {"id": claim.id, "gold": [sorted(gold) for gold in claim.gold], "label": claim.label}
        try:
            proof = lab.session.prove(claim.claim, claim.sentences, k=k, verdict=False, **arguments)
        except OWN_FAULTS as error:
            return {**row, "indexes": None, "problem": fault_text(error)}
        costs = {"tokens": proof.usage.tokens, "multiply_adds": multiply_adds(proof)}
        return {**row, "indexes": list(proof.indexes), **costs}
