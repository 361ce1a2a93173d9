"""Measure how often false passages are noticed without a language model, by the words judge or the policy's
chain.

    python -m probative.bench.experiments.conflicts --data DIR
    python -m probative.bench.experiments.conflicts --data DIR --preset embedded --questions 30

RGB (`rgb/en_fact.json`) has true passages for each question, and the same passages with a false answer.
With the true ones alone, "contradicted" is a false alarm; with both it is right, and "true against false"
is the share where a true and a false passage are named. PoisonedRAG (`poisonedrag/{nq,msmarco}.json`) has
only false passages, which agree with each other: nothing contradicts them, so "supported" is the share in
which scope is fooled. "fooled" is defined alike everywhere: supported by a chain with a false passage.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import probative
from probative.bench.arguments import data_folder, experiment_parser
from probative.bench.data.conflicts import POISONED, ConflictCase, read_poisoned, read_rgb
from probative.bench.models import SilentModel
from probative.bench.rows import print_cells, print_header

COLUMNS = ["passages", "questions", "contradicted", "true against false", "supported", "insufficient"]
COLUMNS += ["complete", "false one in chain", "fooled"]


def run(
    cases: Sequence[ConflictCase], encoder: probative.Encoder, preset: str
) -> dict[int, probative.Answer]:
    """Return the answer to each case by its index."""
    asked = [probative.AskCase(question=case.question, passages=(*case.true, *case.false)) for case in cases]
    answers: dict[int, probative.Answer] = {}
    outcomes = probative.ask_all(
        asked, preset=preset, answering="picked", model=SilentModel(), encoder=encoder
    )
    for index, outcome in outcomes:
        if not isinstance(outcome, probative.Answer):
            raise outcome
        answers[index] = outcome
    return answers


def figures(cases: Sequence[ConflictCase], answers: Mapping[int, probative.Answer]) -> list[str]:
    """Return the cells of a row: the number of cases, and shares of them."""
    verdicts = dict.fromkeys(probative.Verdict, 0)
    opposed = complete = false_chains = fooled = 0
    for index, case in enumerate(cases):
        answer = answers[index]
        first_false = len(case.true)
        verdicts[answer.verdict] += 1
        opposed += any(
            (conflict.index < first_false) != (conflict.other < first_false) for conflict in answer.conflicts
        )
        complete += answer.complete
        has_false = any(passage.index >= first_false for passage in answer.chain)
        false_chains += has_false
        fooled += has_false and answer.verdict is probative.Verdict.SUPPORTED
    counts = [verdicts[probative.Verdict.CONTRADICTED], opposed, verdicts[probative.Verdict.SUPPORTED]]
    counts += [verdicts[probative.Verdict.INSUFFICIENT], complete, false_chains, fooled]
    return [str(len(cases)), *(f"{100 * count / len(cases):.0f}%" for count in counts)]


def main() -> None:
    """Print a row for each set of passages."""
    parser = experiment_parser(__doc__, recorded=False)
    parser.add_argument("--preset", default="words", choices=("words", "embedded"))
    parser.add_argument("--questions", type=int, default=100, help="questions of each set")
    arguments = parser.parse_args()
    data = data_folder(parser, arguments)
    both = read_rgb(data / "rgb/en_fact.json")
    rows = {
        "RGB, true": [case._replace(false=()) for case in both],
        "RGB, true and false": both,
        "RGB, false": [case._replace(true=()) for case in both],
    }
    rows |= {f"{name}, false": read_poisoned(data / f"poisonedrag/{name}.json") for name in POISONED}
    encoder = probative.load_encoder()
    print_header(COLUMNS)
    for row, cases in rows.items():
        cases = cases[: arguments.questions]
        print_cells([row, *figures(cases, run(cases, encoder, arguments.preset))])


if __name__ == "__main__":
    main()
