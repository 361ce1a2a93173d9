"""Collect answers to untouched questions with the signals of each, and fit the certainty of answers on them.

    python -m training.certainty collect --data DIR --part 0/16 --out fit.0.jsonl
    python -m training.certainty fit fit.*.jsonl
    python -m training.certainty collect --data DIR --model embedded:large --out large.jsonl
    python -m training.certainty check large.jsonl
    python -m training.certainty teach fit.*.jsonl --data DIR --out taught.jsonl
    python -m training.certainty compare fit.*.jsonl --taught taught.jsonl

`collect` takes every N-th question of all sets (`--sets`, `--questions` of each), and goes on where it was
stopped. `fit` writes `src/probative/scope/certainty.json`, where what the rows say nothing about stays, and
prints how well the certainty tells right from wrong answers when fitted on four fifths of the rows and tried
on the other fifth. `check` prints how many of other answers, such as those of the large model, the shipped
certainty supports, and how many of these are right. `teach` lets the large model judge answers, and `compare`
prints what certainties are worth that were fitted on its verdicts, on true labels and on both.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

from probative.bench.data.own import read_computed
from probative.bench.data.questions import Question
from probative.bench.data.splits import digest
from probative.bench.metrics import auroc, calibration_error
from probative.bench.metrics import is_accepted as is_accepted_answer
from probative.bench.rows import Row
from probative.scope.checks import Signals, first_failed
from probative.scope.conclude.certainty import (
    CertaintyModel,
    certainty_models,
    is_of_several,
)
from probative.scope.conclude.checks import model_checks
from probative.settings import load_settings
from training.arguments import data_folder, parse_part, take_part
from training.certainty.collect import KEY, collect, is_gold, is_supported
from training.certainty.documents import accepted_answers
from training.certainty.fit import COMMON, READER, VALUES, fit_model, held_out
from training.certainty.sets import COMPUTED, SETS, read_set
from training.certainty.teacher import compare, teach
from training.certainty.thresholds import (
    MAX_WRONG,
    MIN_ENTAILED,
    MIN_VALUE_ENTAILED,
    SEVERAL_MAX_WRONG,
    choose_thresholds,
    describe,
)
from training.row_files import read_rows

SHIPPED = Path(__file__).parents[2] / "src/probative/scope/certainty.json"
# Without the reader's own signals, certainty hardly tells right from wrong; but the other models, which it is
# for, answer better than the small reader that it is fitted on.
OTHER_MAX_WRONG = 0.10


def fitted(
    rows: Sequence[Row],
    names: Sequence[str],
    title: str,
    source: str,
    max_wrong: float = MAX_WRONG,
    min_entailed: float = MIN_ENTAILED,
) -> CertaintyModel:
    """Return the model of some signals with its thresholds, and print how good it is on rows held out."""
    chances = held_out(rows, names)
    right = [bool(row["right"]) for row in rows]
    high = [chance for chance, hit in zip(chances, right, strict=True) if hit]
    low = [chance for chance, hit in zip(chances, right, strict=True) if not hit]
    model = fit_model(rows, names, source=source)
    model = choose_thresholds(model, rows, chances, max_wrong, min_entailed)
    print(f"{title}: AUROC {auroc(high, low):.3f}, ECE {calibration_error(chances, right):.3f} (held out)")
    for term in model.terms:
        print(f"  {term.signal:13}{term.weight:+.2f}")
    print(f"  certainty from {model.min_certainty}, entailed from {model.min_entailed}")
    passing = [_passes(row, model, chance) for row, chance in zip(rows, chances, strict=True)]
    for name in ("all", *sorted({row["set"] for row in rows})):
        chosen = [number for number, row in enumerate(rows) if name in ("all", row["set"])]
        own = describe([rows[number] for number in chosen], [passing[number] for number in chosen])
        print(f"  {name}: {own} (held out)")
    return model


def _passes(row: Row, model: CertaintyModel, chance: float) -> bool:
    """Return whether an answer is supported if its certainty is `chance`."""
    signals = Signals.from_dict(row["signals"])
    failed = first_failed(model_checks(model, signals, 0.0))
    return bool(row["eligible"]) and chance >= model.min_certainty and failed is None


def fit(arguments: argparse.Namespace) -> None:
    """Fit the models of the kinds of answers that there are, and write them with the others."""
    rows = [row for row in read_rows(arguments.rows, KEY) if row["signals"] is not None]
    counts = {name: sum(row["set"] == name for row in rows) for name in sorted({row["set"] for row in rows})}
    source = ", ".join(f"{count} of {name}" for name, count in counts.items())
    source += ": questions that the reader was not trained on and no figure is reported on"
    computed = [row for row in rows if row["computed"]]
    # Most of the other questions that ask for a computation are hostile: no measure of what users ask.
    rows = uncomputed(arguments.rows)
    of_several = [is_of_several(Signals.from_dict(row["signals"])) for row in rows]
    several = [row for row, many in zip(rows, of_several, strict=True) if many]
    single = [row for row, many in zip(rows, of_several, strict=True) if not many]
    shipped = certainty_models()
    if single and several:
        shipped = shipped.model_copy(
            update={
                "one": fitted(single, READER, "the tuned reader, one passage", source),
                "several": fitted(
                    several, READER, "the tuned reader, several passages", source, SEVERAL_MAX_WRONG
                ),
                "other": fitted(rows, COMMON, "any other model", source, OTHER_MAX_WRONG),
            }
        )
    if computed:
        of_values = fitted(computed, VALUES, "computed answers", source, min_entailed=MIN_VALUE_ENTAILED)
        shipped = shipped.model_copy(update={"computed": of_values})
    arguments.out.write_text(shipped.model_dump_json(indent=1) + "\n", encoding="utf-8")


def check(arguments: argparse.Namespace) -> None:
    """Print what the shipped certainty is worth on answers that it was not fitted on."""
    rows = [row for row in read_rows(arguments.rows, KEY) if row["signals"] is not None]
    supported = [is_supported(row, certainty_models()) for row in rows]
    for name in ("all", *sorted({row["set"] for row in rows})):
        chosen = [number for number, row in enumerate(rows) if name in ("all", row["set"])]
        right = sum(bool(rows[number]["right"]) for number in chosen)
        shown = describe([rows[number] for number in chosen], [supported[number] for number in chosen])
        print(f"{name}: {len(chosen)} answers, {right} right; {shown}")


def uncomputed(files: Sequence[Path]) -> list[Row]:
    """Return the rows of answers that were read, not computed."""
    rows = [row for row in read_rows(files, KEY) if row["signals"] is not None]
    return [row for row in rows if not row["computed"] and row["set"] != "computed"]


def teach_rows(data: Path, arguments: argparse.Namespace) -> None:
    """Let the large model judge the answers that the file does not have yet."""
    done = (
        {(row["set"], row["id"]) for row in read_rows([arguments.out], KEY)} if arguments.out.exists() else ()
    )
    rows = [row for row in uncomputed(arguments.rows) if row.get("answer") and row["chain"]]
    if not rows:
        raise SystemExit("no row has an answer: the kept rows do not, collect others")
    rows = sorted(rows, key=lambda row: digest(row["set"] + row["id"]))[: arguments.answers]
    questions = {(name, entry.id): entry for name in SETS for entry in read_set(data, name, SETS[name])}
    settings = load_settings({"cache": False, "verdict": "embedded:large", "device": arguments.device})
    teach([row for row in rows if (row["set"], row["id"]) not in done], questions, arguments.out, settings)


def collect_sets(data: Path, arguments: argparse.Namespace) -> None:
    """Answer the questions of this part that the file does not have yet."""
    named = {"model": arguments.model, "verdict": arguments.model, "device": arguments.device}
    settings = load_settings({"cache": False, **named})
    for name in arguments.sets.split(","):
        n = SETS[name] if arguments.questions is None else min(SETS[name], arguments.questions)
        questions = take_part(read_set(data, name, n), arguments.part)
        grade = is_accepted if name in ("documents", "chunks", "computed", "bundles") else is_gold
        rows = collect(questions, name, arguments.out, grade, settings)
        print(f"{name}: {len(rows)} rows, {sum(bool(row['right']) for row in rows)} right", flush=True)


def is_accepted(question: Question, answer: str) -> bool:
    """Return whether an answer is one of the accepted ones of a question about our own documents."""
    known = accepted_answers() | {entry.id: entry.accept for entry in read_computed(COMPUTED)}
    return is_accepted_answer(answer, known.get(question.id, question.also))


def main() -> None:
    """Collect, fit, check, teach or compare."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    collecting = commands.add_parser("collect", help="answer untouched questions")
    collecting.add_argument("--data", type=Path, default=os.environ.get("PROBATIVE_DATA"))
    collecting.add_argument("--part", type=parse_part, default=(0, 1), metavar="I/N")
    collecting.add_argument("--sets", default=",".join(SETS), help="some of " + ", ".join(SETS))
    collecting.add_argument("--questions", type=int, help="the largest number of questions of each set")
    collecting.add_argument("--device", help="auto, cpu or cuda")
    collecting.add_argument("--out", type=Path, required=True, help="append a row for each question")
    fitting = commands.add_parser("fit", help="fit the certainty on collected rows")
    fitting.add_argument("rows", type=Path, nargs="+", help="files of collected rows")
    fitting.add_argument("--out", type=Path, default=SHIPPED, help="by default the file of the package")
    checking = commands.add_parser("check", help="try the shipped certainty on collected rows")
    checking.add_argument("rows", type=Path, nargs="+", help="files of collected rows")
    teaching = commands.add_parser("teach", help="let the large model judge answers")
    teaching.add_argument("rows", type=Path, nargs="+", help="files of collected rows")
    teaching.add_argument("--data", type=Path, default=os.environ.get("PROBATIVE_DATA"))
    teaching.add_argument("--answers", type=int, help="the most answers")
    teaching.add_argument("--device", help="auto, cpu or cuda")
    teaching.add_argument("--out", type=Path, required=True, help="append a row for each answer")
    comparing = commands.add_parser("compare", help="compare what certainties are fitted on")
    comparing.add_argument("rows", type=Path, nargs="+", help="files of collected rows")
    comparing.add_argument("--taught", type=Path, required=True, help="what teach wrote")
    collecting.add_argument(
        "--model", choices=("embedded", "embedded:large"), default="embedded", help="the reader"
    )
    arguments = parser.parse_args()
    if arguments.command == "collect":
        collect_sets(data_folder(parser, arguments), arguments)
    elif arguments.command == "teach":
        teach_rows(data_folder(parser, arguments), arguments)
    elif arguments.command == "compare":
        print("\n".join(compare(uncomputed(arguments.rows), read_rows([arguments.taught], KEY))))
    else:
        {"fit": fit, "check": check}[arguments.command](arguments)


if __name__ == "__main__":
    main()
