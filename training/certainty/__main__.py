"""Collect answers to untouched questions with the signals of each, and fit the certainty of answers on them.

    python -m training.certainty collect --data DIR --part 0/16 --out fit.0.jsonl
    python -m training.certainty fit fit.*.jsonl
    python -m training.certainty collect --data DIR --model embedded:large --out large.jsonl
    python -m training.certainty fit --size large large.jsonl
    python -m training.certainty check --size large large.jsonl
    python -m training.certainty probable fit.*.jsonl --more more.jsonl
    python -m training.certainty curves fit.*.jsonl --svg curves.svg
    python -m training.certainty worth fit.*.jsonl
    python -m training.certainty teach fit.*.jsonl --data DIR --out taught.jsonl
    python -m training.certainty compare fit.*.jsonl --taught taught.jsonl

`collect` takes every N-th question of all sets (`--sets`, `--questions` of each), and goes on where it was
stopped. `fit` writes `src/probative/scope/certainty.json`, where what the rows say nothing about stays, and
prints how well the certainty tells right from wrong answers when fitted on four fifths of the rows and
tried on the other fifth; a kind of answers needs ten right and ten wrong ones. With `--size large`, the
rows are answers of the large reader, which get models of their own; a kind with fewer keeps its model.
`check` prints how many of other answers the shipped certainty calls supported and probable, and how many of
these are right. `probable` chooses again from which certainty on a candidate of the small model is
probable, by the rows of the fit, held out, and by others. `curves` prints reliability and risk, `worth`
what each signal that costs a call is worth. `teach` lets the large model judge answers, and `compare`
prints what certainties are worth that were fitted on its verdicts, on true labels and on both.
"""

from __future__ import annotations

import argparse
import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from probative.bench.data.own import read_computed
from probative.bench.data.questions import Question
from probative.bench.data.splits import digest
from probative.bench.metrics import auroc, calibration_error
from probative.bench.metrics import is_accepted as is_accepted_answer
from probative.bench.rows import Row
from probative.scope.checks import Signals, first_failed
from probative.scope.conclude.certainty import CertaintyModel, certainty_models
from probative.scope.conclude.verdict import model_checks
from probative.settings import load_settings
from training.arguments import data_folder, parse_part, take_part
from training.certainty.collect import (
    KEY,
    collect,
    is_chain_of_several,
    is_gold,
    is_probable,
    is_supported,
    read_answers,
)
from training.certainty.curves import Judged, draw, table
from training.certainty.documents import accepted_answers
from training.certainty.fit import COMMON, READER, VALUES, fit_model, held_out
from training.certainty.sets import COMPUTED, MORE, SETS, read_set
from training.certainty.teacher import compare, teach
from training.certainty.thresholds import (
    MAX_WRONG,
    MIN_ANSWERS,
    MIN_ENTAILED,
    MIN_VALUE_ENTAILED,
    SEVERAL_MAX_WRONG,
    choose_thresholds,
    describe,
    probable_limit,
)
from training.certainty.worth import studies
from training.row_files import read_rows

SHIPPED = Path(__file__).parents[2] / "src/probative/scope/certainty.json"
# Without the reader's own signals, certainty hardly tells right from wrong; but the other models, which it is
# for, answer better than the small reader that it is fitted on.
OTHER_MAX_WRONG = 0.10
# The fewest right and the fewest wrong answers of a kind that a model is fitted on.
MIN_OF_EACH = 10
# The signals of each kind of answers of the tuned reader.
KINDS: dict[str, tuple[str, ...]] = {"one": READER, "several": READER, "computed": VALUES}
TITLES = {
    "one": "the tuned reader, one passage",
    "several": "the tuned reader, several passages",
    "other": "any other model",
    "computed": "computed answers",
}


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
    model = fit_model(rows, names, source=source)
    model = choose_thresholds(model, rows, chances, max_wrong, min_entailed)
    supported = [_passes(row, model, chance) for row, chance in zip(rows, chances, strict=True)]
    left = [number for number, given in enumerate(supported) if not given]
    limit = probable_limit([rows[number] for number in left], [chances[number] for number in left])
    model = model.model_copy(update={"min_probable": limit})
    probable = [
        not given and model.is_probable(chance) for given, chance in zip(supported, chances, strict=True)
    ]
    print(f"{title}: {separation(chances, rows)} (held out)")
    for term in model.terms:
        print(f"  {term.signal:16}{term.weight:+.2f}")
    print(
        f"  certainty from {model.min_certainty}, entailed from {model.min_entailed}, probable from {limit}"
    )
    for name in ("all", *sorted({row["set"] for row in rows})):
        chosen = [number for number, row in enumerate(rows) if name in ("all", row["set"])]
        own = [rows[number] for number in chosen]
        levels = {"supported": supported, "probable": probable}
        shares = [
            describe(own, [given[number] for number in chosen], level) for level, given in levels.items()
        ]
        print(f"  {name}: {'; '.join(shares)} (held out)")
    return model


def separation(chances: Sequence[float], rows: Sequence[Row]) -> str:
    """Return how well certainties tell right from wrong answers, and how far they are from the truth."""
    right = [bool(row["right"]) for row in rows]
    high = [chance for chance, hit in zip(chances, right, strict=True) if hit]
    low = [chance for chance, hit in zip(chances, right, strict=True) if not hit]
    return f"AUROC {auroc(high, low):.3f}, ECE {calibration_error(chances, right):.3f}"


def _passes(row: Row, model: CertaintyModel, chance: float) -> bool:
    """Return whether an answer is supported if its certainty is `chance`."""
    signals = Signals.from_dict(row["signals"])
    failed = first_failed(model_checks(model, signals, 0.0))
    return bool(row["eligible"]) and chance >= model.min_certainty and failed is None


def fit(arguments: argparse.Namespace) -> None:
    """Fit the models of the kinds of answers that there are enough of, and write them with the others."""
    large = arguments.size == "large"
    rows = [row for row in read_answers(arguments.rows) if large or row["set"] != MORE]
    parts, models = kinds_of_answers(rows), dict[str, CertaintyModel]()
    for kind, names in KINDS.items():
        if not _enough(parts[kind]):
            print(f"{TITLES[kind]}: fewer than {MIN_OF_EACH} right or {MIN_OF_EACH} wrong answers")
            continue
        models[kind] = fitted(
            parts[kind],
            names,
            TITLES[kind],
            describe_rows(rows),
            SEVERAL_MAX_WRONG if kind == "several" else MAX_WRONG,
            MIN_VALUE_ENTAILED if kind == "computed" else MIN_ENTAILED,
        )
    shipped = certainty_models()
    if large:
        shipped = shipped.model_copy(update={"large": models})
    elif _enough(parts["other"]):
        other = fitted(parts["other"], COMMON, TITLES["other"], describe_rows(rows), OTHER_MAX_WRONG)
        shipped = shipped.model_copy(update={**models, "other": other})
    arguments.out.write_text(shipped.model_dump_json(indent=1) + "\n", encoding="utf-8")


def _enough(rows: Sequence[Row]) -> bool:
    right = sum(bool(row["right"]) for row in rows)
    return min(right, len(rows) - right) >= MIN_OF_EACH


def describe_rows(rows: Sequence[Row]) -> str:
    """Return how many rows of which sets there are."""
    counts = Counter(row["set"] for row in rows)
    source = ", ".join(f"{count} of {name}" for name, count in sorted(counts.items()))
    return f"{source}: questions that the reader was not trained on and no figure is reported on"


def kinds_of_answers(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """Return the rows that each certainty model is fitted on."""
    read = [row for row in rows if not row["computed"]]
    return {
        "one": [row for row in read if not is_chain_of_several(row)],
        "several": [row for row in read if is_chain_of_several(row)],
        "other": read,
        "computed": [row for row in rows if row["computed"]],
    }


def check(arguments: argparse.Namespace) -> None:
    """Print what the shipped certainty is worth on answers that it was not fitted on."""
    rows = read_answers(arguments.rows)
    models, size = certainty_models(), arguments.size
    supported = [is_supported(row, models, size) for row in rows]
    probable = [
        not given and is_probable(row, models, size) for given, row in zip(supported, rows, strict=True)
    ]
    for name in ("all", *sorted({row["set"] for row in rows})):
        chosen = [number for number, row in enumerate(rows) if name in ("all", row["set"])]
        right = sum(bool(rows[number]["right"]) for number in chosen)
        levels = {"supported": supported, "probable": probable}
        shares = [
            describe([rows[number] for number in chosen], [given[number] for number in chosen], level)
            for level, given in levels.items()
        ]
        print(f"{name}: {len(chosen)} answers, {right} right; {'; '.join(shares)}")


def probable(arguments: argparse.Namespace) -> None:
    """Choose the lowest certainty of a probable candidate, by rows held out and by rows not fitted on."""
    rows, more = read_answers(arguments.rows), read_answers(arguments.more)
    parts = kinds_of_answers([row for row in rows if row["set"] != MORE])
    others = kinds_of_answers([*(row for row in rows if row["set"] == MORE), *more])
    shipped, limits = certainty_models(), dict[str, CertaintyModel]()
    for kind in ("one", "several"):
        model: CertaintyModel = getattr(shipped, kind)
        chances = [
            *held_out(parts[kind], KINDS[kind]),
            *(model.certainty(Signals.from_dict(row["signals"])) for row in others[kind]),
        ]
        left = [
            (row, chance)
            for row, chance in zip([*parts[kind], *others[kind]], chances, strict=True)
            if not _passes(row, model, chance)
        ]
        limit = probable_limit([row for row, _ in left], [chance for _, chance in left])
        limits[kind] = model.model_copy(update={"min_probable": limit})
        given = [limit is not None and chance >= limit for _, chance in left]
        print(
            f"{TITLES[kind]}: probable from {limit}; {describe([row for row, _ in left], given, 'probable')}"
        )
    shipped = shipped.model_copy(update=limits)
    arguments.out.write_text(shipped.model_dump_json(indent=1) + "\n", encoding="utf-8")


def curves(arguments: argparse.Namespace) -> None:
    """Print the reliability and the risk of each model, on rows held out or with the shipped weights; draw
    those of the reader's answers.
    """
    shipped, judged = certainty_models(), dict[str, Judged]()
    for kind, rows in kinds_of_answers(read_answers(arguments.rows)).items():
        if len(rows) < MIN_ANSWERS:
            continue
        size = None if kind == "other" else arguments.size
        signals = [Signals.from_dict(row["signals"]) for row in rows]
        chances = (
            [shipped.model_for(entry, size).certainty(entry) for entry in signals]
            if arguments.shipped
            else held_out(rows, (KINDS | {"other": COMMON})[kind])
        )
        right = [bool(row["right"]) for row in rows]
        print(f"{TITLES[kind]}, {len(rows)} answers: {separation(chances, rows)}")
        print(table(chances, right))
        if kind != "other":
            judged[f"{TITLES[kind].rpartition(', ')[2]} ({len(rows)})"] = chances, right
    if arguments.svg is not None:
        draw(judged, arguments.svg)


def uncomputed(files: Sequence[Path]) -> list[Row]:
    """Return the rows of answers that were read, not computed."""
    return [row for row in read_answers(files) if not row["computed"] and row["set"] != "computed"]


def recorded(files: Sequence[Path]) -> list[Row]:
    """Return the rows of answers that were read, with all signals that were recorded."""
    rows = read_rows(files, KEY)
    return kinds_of_answers([row for row in rows if row["signals"] is not None])["other"]


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
    """Collect, fit, check, print curves or the worth of signals, teach or compare."""
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
    limiting = commands.add_parser("probable", help="choose from which certainty on candidates are probable")
    limiting.add_argument("rows", type=Path, nargs="+", help="files of the rows of the fit")
    limiting.add_argument("--more", type=Path, nargs="+", default=[], help="files of rows not fitted on")
    limiting.add_argument("--out", type=Path, default=SHIPPED, help="by default the file of the package")
    drawing = commands.add_parser("curves", help="print reliability and risk")
    drawing.add_argument("rows", type=Path, nargs="+", help="files of collected rows")
    drawing.add_argument("--svg", type=Path, metavar="FILE", help="draw both curves")
    drawing.add_argument("--shipped", action="store_true", help="with the shipped weights, not held out")
    weighing = commands.add_parser("worth", help="print what each signal is worth")
    weighing.add_argument("rows", type=Path, nargs="+", help="files of collected rows with all signals")
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
    for command in (fitting, checking, drawing):
        command.add_argument("--size", choices=("small", "large"), default="small", help="whose answers")
    arguments = parser.parse_args()
    if arguments.command == "collect":
        collect_sets(data_folder(parser, arguments), arguments)
    elif arguments.command == "teach":
        teach_rows(data_folder(parser, arguments), arguments)
    elif arguments.command == "worth":
        for line in studies(recorded(arguments.rows)):
            print(line, flush=True)
    elif arguments.command == "compare":
        print("\n".join(compare(uncomputed(arguments.rows), read_rows([arguments.taught], KEY))))
    else:
        {"fit": fit, "check": check, "curves": curves, "probable": probable}[arguments.command](arguments)


if __name__ == "__main__":
    main()
