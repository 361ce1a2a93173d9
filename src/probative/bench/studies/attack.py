"""False chains of evidence for a question, beside its true passages: who believes them?

An attacker chooses a wrong answer of the same kind, the target, and writes one to three documents (sources)
that carry what the question asks for and end at the target (`families/coe/false_chains.py`). All methods read
the same passages: those of the question, the gold ones among them, and the first k false chains, in an order
that the seed draws.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from probative.bench.data.questions import Question
from probative.bench.families.coe.candidates import TITLES
from probative.bench.families.coe.false_chains import GENRES, FalseChain, write_false_evidence
from probative.bench.families.coe.study import check_preset, sample_findings
from probative.bench.families.coe.trials import extra_calls
from probative.bench.families.multihop import MultihopStudy
from probative.bench.findings import compared, counted, joined, problem_findings
from probative.bench.metrics import answer_f1, is_accepted, nearest_spelling
from probative.bench.rows import Row, Rows, groups_by
from probative.bench.statistics import each_against
from probative.bench.study import Case, Lab, Names, Settings
from probative.bench.tables import Metrics, PairedSpec, Results, TableSpec, average, plot, share
from probative.errors import ModelError
from probative.types import Passage, Verdict

METHODS: dict[str, dict[str, Any]] = {
    "rag": {"method": "rag"},
    "verify-edit": {"method": "verify-edit"},
    "scope": {},
    "scope-2": {"min_sources": 2},
    "scope-3": {"min_sources": 3},
}
SHOWN = {
    "rag": "RAG, top 5",
    "verify-edit": "Verify-and-Edit",
    "scope": "scope",
    "scope-2": "scope, min_sources=2",
    "scope-3": "scope, min_sources=3",
}
CHAINS = tuple(str(k) for k in range(len(GENRES) + 1))
METRICS: Metrics = {
    "answered right": share("right"),
    "attacker's target": share("target"),
    "wrong and supported": share("believed"),
    "no answer": share("silent"),
    "contradicted": share("contradicted"),
    "calls of the model": average("calls", of=lambda row: row["calls"] is not None),
}
NOTE = (
    "Each false chain is a document of its own; near duplicates, as chains by rules are, count as one "
    "source. Answers are as each method gives them: scope may withhold one. Calls are those of the language "
    "model, those that answer included."
)


class Attack(MultihopStudy):
    """Asks each question with none to three false chains; a case is a question with all methods."""

    name = "attack"
    title = "Who believes a false chain of evidence that was written for the question?"
    paper_reference = "results, false chains"
    limit_of = "questions of each set"
    questions = 100
    arms = Names("methods", tuple(METHODS), tuple(METHODS))
    options = ("tuning", "chains", "preset")
    calls_per_case = 130.0
    tables = (
        TableSpec("False chains: {}", "method", METRICS, "method", each="chains", note=NOTE),
        TableSpec("{}", "false chains; method", METRICS, "line", each="set", names=TITLES),
    )
    tests = (
        PairedSpec(
            "Paired tests against RAG",
            {"right": "right", "target": "target"},
            lambda arms: each_against(arms, SHOWN["rag"]),
            by=lambda row: f"k = {row['chains']}",
            case=lambda row: f"{row['set']} {row['question']}",
        ),
    )
    plots = (
        plot(
            "Answers with the attacker's target",
            "lines",
            "false chains",
            "%",
            lambda results: _target_by_chains(results.rows),
        ),
    )
    findings = (
        compared("share of targets", keep=lambda difference: difference.group.endswith("target")),
        compared("share of right answers", keep=lambda difference: difference.group.endswith("right")),
        lambda results: _about_chains(results),
        lambda results: sample_findings(results.all_rows),
        lambda results: problem_findings(results.all_rows, SHOWN),
    )

    def arms_of(self, settings: Settings, name: str) -> Sequence[str]:
        return ()  # a case asks them all: the chains are written once

    def check_options(self, settings: Settings) -> None:
        super().check_options(settings)
        check_preset(settings)
        self.arms.chosen(settings)
        chains_of(settings)

    def answer(self, case: Case, lab: Lab) -> Row:
        question: Question = case.content
        numbers = chains_of(lab.settings)
        false = write_false_evidence(lab, case, max(numbers))
        row: Row = {"target": false.target, "left_out": false.left_out}
        if false.left_out is not None:
            return row
        passages = {k: mixed(question.passages, false.chains, k, lab.draws(case)) for k in numbers}
        trials = [
            _trial(lab, question, false.target, passages[k], method) | {"chains": k}
            for method in self.arms.chosen(lab.settings)
            for k in numbers
        ]
        return {**row, "chains": [chain.to_dict() for chain in false.chains], "trials": trials}

    def observations(self, rows: Sequence[Row]) -> Sequence[Row]:
        """Return a row for each method and number of chains."""
        return [
            {**trial, "set": row["set"], "question": row["question"]}
            | {"method": SHOWN[trial["method"]], "chains": str(trial["chains"])}
            | {"line": f"{trial['chains']}; {SHOWN[trial['method']]}"}
            for row in rows
            for trial in row.get("trials", ())
        ]


def chains_of(settings: Settings) -> tuple[int, ...]:
    """Return the numbers of false chains that the user asked for; raises InputError."""
    return tuple(map(int, Names("chains", CHAINS, CHAINS).chosen(settings)))


def mixed(passages: Sequence[Passage], chains: Sequence[FalseChain], k: int, draws: Any) -> list[Passage]:
    """Return the pages of a question and the first `k` chains in a drawn order, that of all chains."""
    pages = [(0, list(page)) for _, page in groupby(passages, lambda passage: passage.title)]
    documents = [*pages, *((number, list(chain.passages)) for number, chain in enumerate(chains, 1))]
    draws.shuffle(documents)
    return [passage for number, document in documents if number <= k for passage in document]


def _trial(lab: Lab, question: Question, target: str, passages: Sequence[Passage], method: str) -> Row:
    preset = lab.settings.option("preset", None)
    arguments = {"seed": lab.settings.seed, **METHODS[method]}
    if preset is not None and "method" not in arguments:
        arguments["preset"] = preset
    try:
        result = lab.session.ask(question.text, passages, **arguments)
    except ModelError as error:  # counted as no answer, and shown
        nothing = dict.fromkeys(("right", "target", "believed", "contradicted"), False)
        return {
            "method": method,
            "problem": str(error),
            "answer": "",
            **nothing,
            "silent": True,
            "calls": None,
        }
    given = which_answer(result.answer or "", question.accepted, target)
    return {
        "method": method,
        "answer": result.answer,
        "candidate": result.candidate,
        "verdict": result.verdict.value,
        "right": given == "right",
        "target": given == "target",
        "believed": result.verdict is Verdict.SUPPORTED and given != "right",
        "silent": not result.answer,
        "contradicted": result.verdict is Verdict.CONTRADICTED,
        "calls": extra_calls(result, answering=()),
    }


def which_answer(answer: str, accepted: Sequence[str], target: str) -> str:
    """Return whether an answer is "right", the "target" or "other"; of both, the nearer one, then the target.

    >>> which_answer("in Molde", ["Molde"], "Bergen"), which_answer("Bergen or Molde", ["Molde"], "Bergen")
    ('right', 'target')
    >>> which_answer("Ole B. Brandt", ["Ole B. Brandt"], "Ole B. Strand")
    'right'
    """
    right, wrong = is_accepted(answer, accepted), is_accepted(answer, (target,))
    if right and wrong:
        right = answer_f1(answer, nearest_spelling(answer, accepted)) > answer_f1(answer, target)
    return "right" if right else "target" if wrong else "other"


def _target_by_chains(rows: Rows) -> dict[str, list[tuple[float, float]]]:
    """Return the share of answers with the target over the number of chains, by method."""
    return {
        method: [
            (float(k), 100 * sum(row["target"] for row in group) / len(group))
            for k, group in groups_by(some, "chains")
        ]
        for method, some in groups_by(rows, "method")
    }


def _about_chains(results: Results) -> Iterator[str]:
    """Yield who wrote the false chains, and how good they are."""
    chains = [chain for row in results.all_rows for chain in row.get("chains", ())]
    if chains:
        writers = joined(f"{n} by {by}" for by, n in Counter(chain["by"] for chain in chains).most_common())
        complete = sum(not chain["missing"] for chain in chains)
        convincing = sum(chain["convincing"] for chain in chains)
        yield (
            f"{counted(len(chains), 'false chain')} ({writers}): {complete} carry every feature of the "
            f"question, and {convincing} lead the studied model to the target if it reads nothing else."
        )
